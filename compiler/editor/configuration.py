"""Diagnostics of the project's configuration file while it is edited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..project.settings_file import settings_faults
from .diagnostic import Diagnostic

if TYPE_CHECKING:
    from .line_map import LineMap

CODE = "configuration"


def configuration_diagnostics(text: bytes, file: str, lines: LineMap) -> list[Diagnostic]:
    """Return the diagnostics for the faults of a configuration file that is being edited."""
    published: list[Diagnostic] = []
    for fault in settings_faults(text, file):
        start, end = lines.points(fault.span)
        hint = f"\nhint: {fault.hint}" if fault.hint is not None else ""
        published.append(Diagnostic(start, end, "error", CODE, fault.message + hint, (), ()))
    return published
