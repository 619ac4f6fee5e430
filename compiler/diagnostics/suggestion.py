"""Which known word was probably meant by one that is not known."""

from __future__ import annotations

from bisect import bisect
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

CLEAR: Final = 0.75
VAGUE: Final = 0.6
"""Share of its letters that a word has in common with one that it is taken for: of any name of a project, and of the
words that alone can stand in a place, as fields, values and the steps of one tool."""
_SURE: Final = 0.8
_LEAD: Final = 0.15
"""For what is changed without asking: the share in common, and by how much every other word has less."""
_SHORTEST: Final = 4
_LONGEST: Final = 100
"""Characters of a word that are compared: the time grows with their square."""
_FEW: Final = 64
"""Names that are all looked at."""
_MOST_ASKED: Final = 1_000
"""Different names that others are looked for: each takes a millisecond."""
MOST_HINTS: Final = 100
"""Unknown fields of one document that are compared with the known ones: more hints help no reader."""
_NEIGHBOURS: Final = 8
"""Names before and after another in alphabetical order that may be what was meant."""


def nearest(word: str, known: Iterable[str], *, likeness: float = CLEAR) -> str | None:
    """Return the known word that ``word`` was meant to be, or ``None``.

    The same but for case and separators comes first, then the same letters in another order, then the same but for the
    ending "name" (`serviceAccountName`), then the nearest.
    """
    word, words = word[:_LONGEST], list(known)
    plain = folded(word)
    if plain:
        letters = sorted(plain)
        alike = [(one, other) for one in words if len(other := folded(one)) == len(plain)]
        same = [one for one, other in alike if other == plain]
        same = same or [one for one, other in alike if sorted(other) == letters]
        stem = plain.removesuffix("name")
        same = same or [one for one in words if stem and folded(one).removesuffix("name") == stem]
        if same:
            return min(same)
    return next(iter(_close(word, words, 1, likeness)), None)


def several(word: str, known: Iterable[str], most: int = 3) -> list[str]:
    """Return up to ``most`` known words that ``word``, typed on a command line, is like, the likest first."""
    return _close(word[:_LONGEST], list(known), most, VAGUE)


def did_you_mean(word: str, known: Iterable[str], *, likeness: float = CLEAR) -> str | None:
    """Return the hint that names what was meant, or ``None``."""
    return as_question(nearest(word, known, likeness=likeness))


def as_question(meant: str | None) -> str | None:
    """Return the hint that names ``meant``, or ``None`` where nothing is."""
    return None if meant is None else f'did you mean "{meant}"?'


def sure_match(word: str, known: Iterable[str]) -> str | None:
    """Return the one known word that ``word`` can only be: but for case and separators, or but for a slip."""
    from difflib import SequenceMatcher

    words = sorted(set(known))
    if len(word) > _LONGEST:
        return None
    same = [one for one in words if folded(one) == folded(word)]
    if same:
        return same[0] if len(same) == 1 else None
    turned = [one for one in words if len(word) >= _SHORTEST and sorted(one) == sorted(word)]
    if len(turned) == 1:
        return turned[0]
    near = [one for one in _close(word, words, 2, _SURE - _LEAD) if min(len(word), len(one)) >= _SHORTEST]
    likeness = [SequenceMatcher(None, one, word).ratio() for one in near]
    if not near or likeness[0] < _SURE or (len(near) > 1 and likeness[0] - likeness[1] < _LEAD):
        return None
    return near[0]


def is_slip(word: str, meant: str) -> bool:
    """Return whether one slip makes ``word`` of ``meant``: a letter more, less, other or swapped, or another case."""
    if folded(word) == folded(meant):
        return True
    pairs = enumerate(zip(word, meant, strict=False))
    shared = next((at for at, (one, other) in pairs if one != other), min(len(word), len(meant)))
    rest, other = word[shared:], meant[shared:]
    is_swapped = rest[:2] == other[1::-1] and rest[2:] == other[2:]
    is_changed = rest[1:] == other[1:] or rest[1:] == other or rest == other[1:] or is_swapped
    return is_changed and min(len(word), len(meant)) >= _SHORTEST


@lru_cache(4_096)  # each unknown field is compared with all fields of a kind
def folded(word: str) -> str:
    """Return a word without case and separators."""
    return "".join(char for char in word.lower() if char.isalnum())


class Names:
    """Names that there are, of which many are asked for.

    Of many only those are looked at that begin or end most like another. Each question is answered once, and no more
    than ``most`` different ones.
    """

    def __init__(self, names: Iterable[str], most: int = _MOST_ASKED) -> None:
        self._most = most
        self._forward = sorted(set(names))
        self._backward = sorted(name[::-1] for name in self._forward)
        self._nearest: dict[str, str | None] = {}

    def nearest(self, name: str) -> str | None:
        """Return the name that was probably meant by ``name``, ``None`` where none is much like it."""
        if name not in self._nearest:
            if len(self._nearest) >= self._most:
                return None
            self._nearest[name] = nearest(name, self._candidates(name))
        return self._nearest[name]

    def _candidates(self, name: str) -> Sequence[str]:
        if len(self._forward) <= _FEW:
            return self._forward
        ending = _around(name[::-1], self._backward)
        return sorted({*_around(name, self._forward), *(other[::-1] for other in ending)})


def _around(name: str, names: Sequence[str]) -> Sequence[str]:
    """Return those of the sorted ``names`` that stand next to where ``name`` would: they begin most like it."""
    at = bisect(names, name)
    return names[max(0, at - _NEIGHBOURS) : at + _NEIGHBOURS]


def _close(word: str, words: list[str], most: int, likeness: float) -> list[str]:
    from difflib import get_close_matches

    return get_close_matches(word, words, most, likeness)
