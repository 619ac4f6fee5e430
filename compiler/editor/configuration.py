"""The project's own configuration file, as it is being written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..project.settings_file import settings_faults
from .diagnostic import Diagnostic

if TYPE_CHECKING:
    from .line_map import LineMap

CODE = "configuration"


def configuration_diagnostics(text: bytes, file: str, lines: LineMap) -> list[Diagnostic]:
    """Return what is wrong with the text of a configuration file."""
    found: list[Diagnostic] = []
    for fault in settings_faults(text, file):
        start, end = lines.points(fault.span)
        hint = f"\nhint: {fault.hint}" if fault.hint is not None else ""
        found.append(Diagnostic(start, end, "error", CODE, fault.message + hint, (), ()))
    return found
