"""A fault of the text, on its way from where it is met to where it becomes a finding."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..diagnostics.finding import Rule
    from .aside import Aside


class ReadError(Exception):
    """One reason why a document cannot be read.

    Attributes:
        rule: The rule it falls under.
        message: The message of the finding.
        start: Where it begins: code points from the beginning of the excerpt.
        end: Where it ends, exclusive.
        hint: What to do instead.
        asides: Other places that explain it.
        is_after_document: It is about what follows a document that was sound.
    """

    def __init__(
        self,
        rule: Rule,
        message: str,
        start: int,
        end: int,
        *,
        hint: str | None = None,
        asides: tuple[Aside, ...] = (),
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
    """All the faults of one document, in the order of the text."""

    def __init__(self, faults: tuple[ReadError, ...]) -> None:
        super().__init__(faults)
        self.faults = faults


def line_start(text: str, at: int) -> int:
    """Return where the line that holds ``at`` begins."""
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1


def line_end(text: str, at: int) -> int:
    """Return where the line that holds ``at`` ends, without its line break."""
    line_feed = text.find("\n", at)
    end = len(text) if line_feed < 0 else line_feed
    carriage_return = text.find("\r", at, end)
    return end if carriage_return < 0 else carriage_return
