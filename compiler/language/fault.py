"""Faults in short texts within documents that have a language of their own, such as CEL and Cedar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnostics.fault import fault_at

if TYPE_CHECKING:
    from typing import Self

    from ..diagnostics.fault import Flaw


class FaultError(Exception):
    """A text is not valid. Checks catch this error and return its faults as data."""

    def __init__(self, text: str, faults: tuple[Flaw, ...]) -> None:
        placed = ((*fault.position(text), fault.message) for fault in faults)
        super().__init__("; ".join(f"{line}:{column}: {message}" for line, column, message in placed))
        self.faults = faults

    @classmethod
    def at(cls, text: str, offset: int, message: str) -> Self:
        """Return the error for a fault at ``offset``."""
        return cls(text, (fault_at(text, offset, message),))
