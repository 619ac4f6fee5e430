"""Which known word is meant, where there is no doubt."""

from __future__ import annotations

from difflib import SequenceMatcher, get_close_matches
from typing import TYPE_CHECKING

from .hint import folded

if TYPE_CHECKING:
    from collections.abc import Iterable

_SURE = 0.8
_LEAD = 0.15
"""Share of its letters that a word has in common with one that it is taken for; by how much any other has less."""
_SHORTEST = 4
_LONGEST = 64


def sure_match(word: str, known: Iterable[str]) -> str | None:
    """Return the one known word that ``word`` can only be: but for case and separators, or but for a slip."""
    words = sorted(set(known))
    if len(word) > _LONGEST:
        return None
    same = [one for one in words if folded(one) == folded(word)]
    if same:
        return same[0] if len(same) == 1 else None
    turned = [one for one in words if len(word) >= _SHORTEST and sorted(one) == sorted(word)]
    if len(turned) == 1:
        return turned[0]
    near = [one for one in get_close_matches(word, words, 2, _SURE - _LEAD) if min(len(word), len(one)) >= _SHORTEST]
    likeness = [SequenceMatcher(None, one, word).ratio() for one in near]
    if not near or likeness[0] < _SURE or (len(near) > 1 and likeness[0] - likeness[1] < _LEAD):
        return None
    return near[0]
