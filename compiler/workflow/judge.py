"""A composite tool, read and judged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .lint.faults import lint_faults
from .model import read
from .serve import serving_faults
from .validate import validation_faults

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..diagnostics.fault import Fault


class Judged:
    """A composite tool, and what is wrong with it.

    Attributes:
        workflow: The tool.
        refusals: What the validation or the start refuses.
    """

    __slots__ = ("refusals", "workflow")

    def __init__(self, tool: Mapping[str, Any]) -> None:
        self.workflow = read(tool)
        self.refusals = [*validation_faults(self.workflow), *serving_faults(self.workflow)]

    def lints(self) -> list[Fault]:
        """Find what cannot work, or has no effect; nothing of a tool that is refused."""
        return [] if self.refusals else lint_faults(self.workflow)
