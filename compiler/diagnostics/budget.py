"""Limits on the work and the memory that input may cost, each with its reason.

A few lines can stand for gigabytes: a template with a loop, a value that is used a thousand times, two kustomizations
that each list the next two. Code that expands such lines spends from a budget before it creates anything.

A cache that is only bounded by the number of its entries may hold any amount of memory, because callers of a server
choose how long texts are. `cache_by_text` keeps few results of long texts, however many calls a process answers.

Bounds on input as it is read, such as the size of a file, are in ``reading/bound.py``.
"""

from __future__ import annotations

from functools import lru_cache, wraps
from typing import TYPE_CHECKING, Any, Final, ParamSpec, TypeVar

from .named_tuple import NamedTuple

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


class Amount(NamedTuple):
    """The limits of a budget.

    Attributes:
        characters: Total length of the created texts.
        objects: Number of created Kubernetes objects and Applications.
        steps: Number of other units of work, each a few microseconds at most: copying a value, running an action of a
            template, following a kustomization to a file.
    """

    characters: int = 0
    objects: int = 0
    steps: int = 0


OF_FILE: Final = Amount(characters=8_000_000, objects=10_000, steps=1_000_000)
"""The limit for the expansion of one file: of its aliases, ResourceSets and ApplicationSets.

The Flux operator stores the objects of a ResourceSet in an inventory, inside an object of at most 1.5 MB. That limits
them to about 10,000. Files of real projects create fewer than 100. The characters are more than five times the size of
that object, and a million steps take a few seconds at most.
"""

OF_PROJECT: Final = Amount(characters=16_000_000, objects=50_000, steps=1_000_000)
"""The limit for the expansion of all files together: by overlays, patches, substitutions and copies.

The budget is spent once the facts of all files are there, in the order of the files. So a run that reads the files, a
run with a cache, and ``mcpcfg merge``, which joins the facts of shards, spend it alike.

kubeflow/manifests (1,117 YAML files, 233 kustomizations) takes 9,000 steps, onedr0p/home-ops 91 objects and 700
characters, a made-up project of 700 kustomizations 7,300 steps, 290 objects and 2,000 characters. The limits are far
above that, and a million steps take a few seconds.
"""

OF_TEMPLATE: Final = Amount(steps=1_000_000)
"""The limit for executing one template outside of a workflow. So many steps take about two seconds.

The printed text has a bound of its own (``MAX_TEXT`` of ``language/template/printer.py``).
"""

OF_WORKFLOW: Final = Amount(characters=64 * 1024 * 1024, steps=500_000)
"""The limit for all templates of one simulated run of a composite tool, which may loop over results of tools.

The characters (64 MiB) are six times the largest text of one template, 10 MiB, so a single template never exceeds them.
So many steps take about a second, and templates of users take far fewer.
"""


class SpentError(Exception):
    """A request exceeds the rest of the budget. The message is the exceeded limit, such as ``50,000 objects``."""


class Budget:
    """A limited amount from which callers deduct what they create.

    Attributes:
        refused: The limit that the first refused request exceeded, such as ``50,000 objects``. Empty before it, and
            after `take_refusal`.
        refused_at: The file that this request named; empty if it named none.
    """

    def __init__(self, limit: Amount) -> None:
        self._limit = limit
        self._characters, self._objects, self._steps = limit
        self.refused = ""
        self.refused_at = ""

    def grants(self, file: str = "", *, characters: int = 0, objects: int = 0, steps: int = 0) -> bool:
        """Deduct the given amounts if the budget has enough of each left, and return whether it has.

        ``file`` is the file for which the caller makes the request.
        """
        if characters <= self._characters and objects <= self._objects and steps <= self._steps:
            self._characters -= characters
            self._objects -= objects
            self._steps -= steps
            return True
        if not self.refused:
            asked = (characters > self._characters, objects > self._objects, steps > self._steps)
            number = asked.index(True)
            self.refused, self.refused_at = f"{self._limit[number]:,} {Amount._fields[number]}", file
        return False

    def take_refusal(self) -> str:
        """Return `refused` and reset it, so the next refusal is recorded; empty if no request was refused."""
        refused, self.refused = self.refused, ""
        return refused

    def spend(self, *, steps: int = 0, characters: int = 0, objects: int = 0) -> None:
        """Deduct the given amounts from the budget.

        Raises:
            SpentError: The budget has too little left.
        """
        if not self.grants(characters=characters, objects=objects, steps=steps):
            raise SpentError(self.refused)


def changed_texts(value: Any, change: Callable[[str], Any], budget: Budget) -> Any:
    """Return plain data in which ``change`` replaces each text except keys. Each entry costs a step.

    Raises:
        SpentError: The budget has too few steps left.
    """
    if isinstance(value, str):
        return change(value)
    if isinstance(value, (dict, list)):
        budget.spend(steps=1 + len(value))
    if isinstance(value, dict):
        return {key: changed_texts(inner, change, budget) for key, inner in value.items()}
    return [changed_texts(inner, change, budget) for inner in value] if isinstance(value, list) else value


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


def cache_of_text(most: int) -> Callable[[Callable[[str], _Result]], Callable[[str], _Result]]:
    """Return a decorator that caches the results of a function of one text, like `cache_by_text` but in less time.

    It is for paths and names, which are looked up ten thousand times in a run. Long texts are not kept.
    """

    def decorated(function: Callable[[str], _Result]) -> Callable[[str], _Result]:
        short = lru_cache(most)(function)

        @wraps(function)
        def cached(text: str) -> _Result:
            return short(text) if len(text) <= _SHORT else function(text)

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
