"""Run all lints of a composite tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .calling import calling_faults
from .condition import condition_faults
from .handling import handling_faults
from .literal import literal_faults
from .missing import missing_faults
from .output import output_faults, printing_faults
from .reading import reading_faults

if TYPE_CHECKING:
    from ....diagnostics.fault import Fault
    from ..model import Workflow


def lint_faults(workflow: Workflow) -> list[Fault]:
    """Return the faults of a composite tool that neither ToolHive's validation nor the vMCP server reports."""
    checks = (
        reading_faults,
        missing_faults,
        calling_faults,
        condition_faults,
        output_faults,
        printing_faults,
        handling_faults,
        literal_faults,
    )
    return [fault for check in checks for fault in check(workflow)]
