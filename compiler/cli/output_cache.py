"""What the same call said last time, and how it is kept what it says now."""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from .text_output import Telling

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..intake.cache import Cache
    from .text_output import Block


class Repetition:
    """What the same call said last time.

    Args:
        cache: Where it is kept.
        call: All that decides what is said, beside what came out.
    """

    def __init__(self, cache: Cache, call: tuple[object, ...]) -> None:
        self._cache = cache
        self._call = repr(call)

    def again(self) -> Telling | None:
        """Return what was said, where that is right again: nothing at all has changed."""
        said = self._cache.said(self._call) if self._cache.is_unchanged else None
        if said is None:
            return None
        self._cache.renew()
        output, errors, status = said
        return Telling((output,), errors, status)

    def blocks(self) -> Mapping[str, Block] | None:
        """Return what was said of files, where that is known."""
        said = self._cache.said_of_files(self._call)
        if said is None:
            return None
        output, (files, ends, counts, fixable, shared, separate) = said
        together = output if separate is None else separate
        texts = (together[start:end] for start, end in pairwise((0, *ends)))
        return dict(zip(files, zip(texts, counts, fixable, shared, strict=True), strict=True))

    def keep(self, telling: Telling) -> None:
        """Keep what is said now."""
        blocks = telling.blocks
        texts, counts, fixable, shared = map(list, zip(*blocks.values(), strict=True)) if blocks else ((), (), (), ())
        ends = list(accumulate(map(len, texts)))
        separate = "".join(texts) if any(shared) else None  # else the output is what the texts are together
        said = ("".join(telling.texts), telling.errors, telling.status)
        self._cache.say(self._call, said, (list(blocks), ends, counts, fixable, shared, separate))
