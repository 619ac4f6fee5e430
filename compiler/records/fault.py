"""What is wrong with a record: faults by path, before they are pinned to a text."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ..diagnostics.finding import Severity
    from ..diagnostics.span import Path


class Fault(NamedTuple):
    """One fault of a record.

    Attributes:
        path: Where in the document; for a missing field the object that lacks it.
        code: Id of the rule.
        message: One clause, naming the offending value.
        hint: What to do instead, or ``None`` when the message already says it.
        severity: Only where it differs from the rule's.
        on_key: Whether the key at ``path`` is meant rather than its value.
    """

    path: Path
    code: str
    message: str
    hint: str | None = None
    severity: Severity | None = None
    on_key: bool = False


def quoted(values: list[str] | tuple[str, ...], *, last: str = "or") -> str:
    """List strings for a message: ``"a", "b" or "c"``."""
    marked = [f'"{value}"' for value in values]
    if len(marked) < 2:
        return "".join(marked)
    return f"{', '.join(marked[:-1])} {last} {marked[-1]}"


def nearest(word: str, words: list[str]) -> str | None:
    """Return the word that was probably meant, or ``None``."""
    from difflib import get_close_matches

    found = get_close_matches(word[:100], words, n=1, cutoff=0.75)
    return found[0] if found else None


class Guesses:
    """Finds the words that were probably meant, for so many different ones as are worth the time."""

    MOST = 200

    def __init__(self, words: list[str]) -> None:
        self._words = words
        self._found: dict[str, str | None] = {}

    def meant(self, word: str) -> str | None:
        """Return the word that was probably meant, or ``None``."""
        if word not in self._found:
            if len(self._found) >= self.MOST:
                return None
            self._found[word] = nearest(word, self._words)
        return self._found[word]
