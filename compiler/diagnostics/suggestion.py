"""Suggest the known word that a user probably meant by an unknown word."""

from __future__ import annotations

from bisect import bisect
from typing import TYPE_CHECKING, Final

from .budget import cache_by_text, cache_of_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

CLEAR: Final = 0.75
"""Minimum similarity, from 0 to 1, of a suggestion among all names of a project.

Among many names, some are similar by chance.
"""
VAGUE: Final = 0.6
"""Minimum similarity of a suggestion among the few words that a place allows, such as fields and values."""
_SURE: Final = 0.8
"""Minimum similarity of a word that replaces another without confirmation."""
_LEAD: Final = 0.15
"""Minimum lead in similarity of that word over the second-best word. With a smaller lead, the choice is a guess."""
_SHORTEST: Final = 4
"""Minimum length of a word that is replaced without confirmation. Shorter words are similar by chance."""
_LONGEST: Final = 100
"""Maximum characters of a compared word, because comparing takes quadratic time."""
_FEW: Final = 64
"""Maximum number of names that are all compared. In larger sets, comparing all takes too long."""
_MOST_ASKED: Final = 1_000
"""Maximum number of different misspelt names that are looked up. Each takes about a millisecond."""
MOST_HINTS: Final = 100
"""Maximum number of unknown fields in one document that get a suggestion. More would not help a reader."""
_NEIGHBORS: Final = 8
"""Number of alphabetical neighbors on each side that are compared. A misspelled name rarely sorts further away."""


def nearest(word: str, known: Iterable[str], *, likeness: float = CLEAR) -> str | None:
    """Return the known word that the user probably meant by ``word``, or ``None`` if no word is similar enough.

    The first match wins: equal except for case and separators, the same letters in another order, equal except for the
    ending "name" (`serviceAccountName`), and then the most similar word, with a similarity of at least ``likeness``.
    """
    word, words = word[:_LONGEST], list(known)
    plain = folded(word)
    if plain:
        letters = sorted(plain)
        alike = [(candidate, other) for candidate in words if len(other := folded(candidate)) == len(plain)]
        same = [candidate for candidate, other in alike if other == plain]
        same = same or [candidate for candidate, other in alike if sorted(other) == letters]
        stem = plain.removesuffix("name")
        same = same or [candidate for candidate in words if stem and folded(candidate).removesuffix("name") == stem]
        if same:
            return min(same)
    return next(iter(_close(word, tuple(words), 1, likeness)), None)


def several(word: str, known: Iterable[str], most: int = 3) -> list[str]:
    """Return up to ``most`` known words similar to ``word``, which the user typed on a command line, best first."""
    return list(_close(word[:_LONGEST], tuple(known), most, VAGUE))


def did_you_mean(word: str, known: Iterable[str], *, likeness: float = CLEAR) -> str | None:
    """Return a hint that suggests the known word nearest to ``word``, or ``None``."""
    return as_question(nearest(word, known, likeness=likeness))


def as_question(meant: str | None) -> str | None:
    """Return the hint "did you mean …?", or ``None`` for ``None``."""
    return None if meant is None else f'did you mean "{meant}"?'


def sure_match(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that the user certainly meant by ``word``, or ``None``.

    A word is certain if it alone is equal except for case and separators. Otherwise, it is certain if it alone has the
    same letters in another order, or if it is far more similar than any other word.
    """
    from difflib import SequenceMatcher

    words = sorted(set(known))
    if len(word) > _LONGEST:
        return None
    same = [candidate for candidate in words if folded(candidate) == folded(word)]
    if same:
        return same[0] if len(same) == 1 else None
    swapped = [candidate for candidate in words if len(word) >= _SHORTEST and sorted(candidate) == sorted(word)]
    if len(swapped) == 1:
        return swapped[0]
    near = [
        candidate
        for candidate in _close(word, tuple(words), 2, _SURE - _LEAD)
        if min(len(word), len(candidate)) >= _SHORTEST
    ]
    likeness = [SequenceMatcher(None, candidate, word).ratio() for candidate in near]
    if not near or likeness[0] < _SURE or (len(near) > 1 and likeness[0] - likeness[1] < _LEAD):
        return None
    return near[0]


def is_slip(word: str, meant: str) -> bool:
    """Return whether ``word`` is ``meant`` with one letter added, lost, replaced or swapped.

    The result is also true if the words differ only in case and separators. It is false for any other difference of
    words with fewer than four letters.
    """
    if folded(word) == folded(meant):
        return True
    pairs = enumerate(zip(word, meant, strict=False))
    shared = next((at for at, (char, other) in pairs if char != other), min(len(word), len(meant)))
    rest, other = word[shared:], meant[shared:]
    is_swapped = rest[:2] == other[1::-1] and rest[2:] == other[2:]
    is_changed = rest[1:] == other[1:] or rest[1:] == other or rest == other[1:] or is_swapped
    return is_changed and min(len(word), len(meant)) >= _SHORTEST


@cache_of_text(4_096)  # each unknown field is compared with all fields of a kind
def folded(word: str) -> str:
    """Return a word in lower case without separators."""
    return "".join(char for char in word.lower() if char.isalnum())


class Names:
    """A set of existing names in which many misspelt names are looked up.

    In a large set, only names with a similar beginning or end are compared. Results are cached.

    Args:
        most: The number of different misspelt names that get a suggestion.
    """

    def __init__(self, names: Iterable[str], most: int = _MOST_ASKED) -> None:
        self._most = most
        self._forward = sorted(set(names))
        self._backward = sorted(name[::-1] for name in self._forward)
        self._nearest: dict[str, str | None] = {}

    def nearest(self, name: str) -> str | None:
        """Return the existing name that the user probably meant by ``name``, or ``None``."""
        if name not in self._nearest:
            if len(self._nearest) >= self._most:
                return None
            self._nearest[name] = nearest(name, self._candidates(name))
        return self._nearest[name]

    def _candidates(self, name: str) -> Sequence[str]:
        if len(self._forward) <= _FEW:
            return self._forward
        ending = _neighbors_of(name[::-1], self._backward)
        return sorted({*_neighbors_of(name, self._forward), *(other[::-1] for other in ending)})


def _neighbors_of(name: str, names: Sequence[str]) -> Sequence[str]:
    at = bisect(names, name)
    return names[max(0, at - _NEIGHBORS) : at + _NEIGHBORS]


@cache_by_text(256)  # the same typo often occurs in many resources
def _close(word: str, words: tuple[str, ...], most: int, likeness: float) -> tuple[str, ...]:
    from difflib import get_close_matches

    return tuple(get_close_matches(word, words, most, likeness))
