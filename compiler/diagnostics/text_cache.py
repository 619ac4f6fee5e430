"""Caches of results by text, whose memory is bounded by the length of the texts, however many calls a process answers.

A cache that is only bounded by the number of its entries may hold any amount of memory, because callers of a server
choose how long texts are.
"""

from __future__ import annotations

from functools import lru_cache, wraps
from typing import TYPE_CHECKING, Any, Final, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from functools import _lru_cache_wrapper

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")

_SHORT: Final = 1000
"""Maximum total characters of arguments whose result is kept with those of many others."""
_FEW: Final = 4
"""Maximum number of results for longer arguments. Consecutive calls mostly have the same ones."""
_at_end: list[Callable[[], None]] = []
"""Functions that drop what must not outlive a call of a server."""


def cache_by_text(most: int) -> Callable[[Callable[_Arguments, _Result]], Callable[_Arguments, _Result]]:
    """Return a decorator that caches the results of a function of texts.

    It keeps the last ``most`` results for short arguments, and a few for long ones until the call of the server ends.
    """

    def decorated(function: Callable[_Arguments, _Result]) -> Callable[_Arguments, _Result]:
        short: Any = lru_cache(most)(function)
        long: Any = until_end(lru_cache(_FEW)(function))

        @wraps(function)
        def cached(*arguments: _Arguments.args, **named: _Arguments.kwargs) -> _Result:
            size = sum([_length(argument) for argument in arguments])
            result: _Result = (short if size <= _SHORT else long)(*arguments, **named)
            return result

        return cached

    return decorated


def until_end(cached: _lru_cache_wrapper[_Result]) -> _lru_cache_wrapper[_Result]:
    """Return a function of `lru_cache` whose results are dropped at the end of each call of a server."""
    _at_end.append(cached.cache_clear)
    return cached


def at_end(drop: Callable[[], None]) -> Callable[[], None]:
    """Have a function called at the end of each call of a server, and return it."""
    _at_end.append(drop)
    return drop


def end_call() -> None:
    """Drop what is kept for one call. A server calls it after each answer."""
    for drop in _at_end:
        drop()


def _length(argument: object) -> int:
    if isinstance(argument, str | bytes):
        return len(argument)
    if isinstance(argument, tuple):
        return sum(map(_length, argument))
    return len(getattr(argument, "text", ""))
