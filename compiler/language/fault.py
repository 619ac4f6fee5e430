"""Faults in short texts of their own language that stand inside a document: CEL expressions, Cedar policies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnostics.fault import fault_at

if TYPE_CHECKING:
    from typing import Self

    from ..diagnostics.fault import Flaw


class FaultError(Exception):
    """A text is not what it should be. Caught in the room that raises it, and reported as data."""

    def __init__(self, text: str, faults: tuple[Flaw, ...]) -> None:
        placed = ((*fault.position(text), fault.message) for fault in faults)
        super().__init__("; ".join(f"{line}:{column}: {message}" for line, column, message in placed))
        self.faults = faults

    @classmethod
    def at(cls, text: str, offset: int, message: str) -> Self:
        """Return the error of one fault of ``text`` at ``offset``."""
        return cls(text, (fault_at(text, offset, message),))
