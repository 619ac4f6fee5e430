"""What the same call said last time, and how it is kept what it says now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .telling import Block, Telling

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcpcfg.compiler.intake.cache import Cache


class Repetition:
    """What the same call said last time.

    Args:
        cache: Where it is kept.
        call: All that decides what is said, beside what came out.
    """

    def __init__(self, cache: Cache, call: tuple[object, ...]) -> None:
        self._cache = cache
        self._call = repr(call)
        self._said: Any = cache.said(self._call)

    @property
    def blocks(self) -> Mapping[str, Block] | None:
        """What was said of files, where that is known."""
        return None if self._said is None else {file: Block(*block) for file, block in self._said[0].items()}

    def again(self) -> Telling | None:
        """Give what was said, where that is right again: nothing at all has changed."""
        if not self._cache.is_unchanged or (blocks := self.blocks) is None:
            return None
        self._cache.renew()
        return Telling(blocks, *self._said[1:])

    def keep(self, telling: Telling) -> None:
        """Keep what is said now."""
        blocks = {file: tuple(block) for file, block in telling.blocks.items()}
        self._cache.say(self._call, (blocks, telling.errors, telling.status))
