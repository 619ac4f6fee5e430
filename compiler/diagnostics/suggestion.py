"""Which of many names was probably meant by one that there is not."""

from __future__ import annotations

from bisect import bisect
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_NEIGHBOURS: Final = 8
"""Names before and after another in alphabetical order that may be what was meant."""


class Spelling:
    """Names that there are.

    Of many only those are looked at that begin or end most like another.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._forward = sorted(set(names))
        self._backward = sorted(name[::-1] for name in self._forward)
        self._nearest: dict[str, str | None] = {}

    def nearest(self, name: str) -> str | None:
        """Return the name that was probably meant by ``name``, ``None`` where none is much like it."""
        if name not in self._nearest:
            ending = _around(name[::-1], self._backward)
            alike = {*_around(name, self._forward), *(other[::-1] for other in ending)}
            near = get_close_matches(name, sorted(alike), n=1)
            self._nearest[name] = near[0] if near else None
        return self._nearest[name]


def _around(name: str, names: Sequence[str]) -> Sequence[str]:
    """Return those of the sorted ``names`` that stand next to where ``name`` would: they begin most like it."""
    at = bisect(names, name)
    return names[max(0, at - _NEIGHBOURS) : at + _NEIGHBOURS]
