"""The exceptions for texts that cannot be read. `document.py` makes findings from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..diagnostics.finding import Rule
    from .aside import Aside


class ReadError(Exception):
    """A reason why a document cannot be read.

    Attributes:
        start: The start in code points from the start of the excerpt.
        end: The end, exclusive.
        hint: Advice for the user.
        asides: Other places that explain the fault.
        is_after_document: True if the fault concerns text after a valid document.
    """

    def __init__(
        self, rule: Rule, message: str, start: int, end: int, *, hint: str | None = None, asides: tuple[Aside, ...] = ()
    ) -> None:
        super().__init__(message)
        self.rule = rule
        self.message = message
        self.start = start
        self.end = end
        self.hint = hint
        self.asides = asides
        self.is_after_document = False


class UnreadableError(Exception):
    """A document cannot be read. ``faults`` has all reasons, in the order of the text."""

    def __init__(self, faults: tuple[ReadError, ...]) -> None:
        super().__init__(faults)
        self.faults = faults


def line_start(text: str, at: int) -> int:
    """Return the index of the start of the line that contains the index ``at``."""
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1


def line_end(text: str, at: int) -> int:
    """Return the index of the end of the line that contains the index ``at``, without its line break."""
    line_feed = text.find("\n", at)
    end = len(text) if line_feed < 0 else line_feed
    carriage_return = text.find("\r", at, end)
    return end if carriage_return < 0 else carriage_return
