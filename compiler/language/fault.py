"""Faults in texts inside documents that are written in a language of their own, such as CEL and Cedar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnostics.fault import fault_at

if TYPE_CHECKING:
    from typing import Self

    from ..diagnostics.fault import Flaw


class FaultError(Exception):
    """A text is not valid in its language. Checks catch this error and return ``faults`` as data."""

    def __init__(self, text: str, faults: tuple[Flaw, ...]) -> None:
        placed = ((*fault.position(text), fault.message) for fault in faults)
        super().__init__("; ".join(f"{line}:{column}: {message}" for line, column, message in placed))
        self.faults = faults

    @classmethod
    def at(cls, text: str, offset: int, message: str, hint: str | None = None) -> Self:
        """Return the error for a single fault in ``text``, at ``offset`` in code points."""
        return cls(text, (fault_at(text, offset, message, hint),))
