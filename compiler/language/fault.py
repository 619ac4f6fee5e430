"""Faults in short texts of their own language that stand inside a document: CEL expressions, Cedar policies."""

from __future__ import annotations

from typing import NamedTuple


class Fault(NamedTuple):
    """What is wrong in a text, and where.

    Attributes:
        message: One clause without a full stop, naming the offending part.
        offset: Code points from the start of the text.
        line: From 1.
        column: From 1, in code points.
    """

    message: str
    offset: int
    line: int
    column: int


class FaultError(Exception):
    """A text is not what it should be. Caught in the room that raises it, and told as data."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__("; ".join(f"{fault.line}:{fault.column}: {fault.message}" for fault in faults))
        self.faults = faults


def fault_at(text: str, offset: int, message: str) -> Fault:
    """Make a fault of ``text`` at ``offset``; past its end means at its end."""
    offset = max(0, min(offset, len(text)))
    line_start = text.rfind("\n", 0, offset) + 1
    return Fault(message, offset, text.count("\n", 0, offset) + 1, offset - line_start + 1)
