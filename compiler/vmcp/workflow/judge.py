"""Run all checks of a composite tool: the refusals of validation and start, then the lints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .lint.faults import lint_faults
from .model import read
from .serve import serving_faults
from .validate import validation_faults

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...diagnostics.fault import Fault


class CheckedWorkflow:
    """A composite tool with its faults.

    Attributes:
        workflow: The composite tool as it was read.
        refusals: The faults for which ToolHive's validation or the start of the vMCP server refuses the tool.
    """

    __slots__ = ("refusals", "workflow")

    def __init__(self, tool: Mapping[str, Any]) -> None:
        self.workflow = read(tool)
        self.refusals = [*validation_faults(self.workflow), *serving_faults(self.workflow)]

    def lints(self) -> list[Fault]:
        """Return the faults of a tool that validation and start accept; empty for a refused tool."""
        return [] if self.refusals else lint_faults(self.workflow)
