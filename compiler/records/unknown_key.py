"""Keys that a program skips, and those that were probably meant: such as the object may have where they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..diagnostics.fault import Fault
from ..diagnostics.plain import mapping, value_at
from ..diagnostics.suggestion import Names
from .fault import quoted
from .shape import TYPES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..diagnostics.finding import Rule
    from ..diagnostics.span import Path

_MOST_MEANT = 3
MOST_GUESSES = 200
"""Different unknown keys of one object for which a known one is looked for."""


class KeyGuesses:
    """Finds the known keys that may have been meant by unknown ones of a record.

    Args:
        name: The Go type of the record.
        shortest: Of known keys; shorter ones are like too much.
    """

    def __init__(self, name: str, shortest: int = 1) -> None:
        self._name = name
        self._shortest = shortest
        self._guesses: dict[tuple[str, ...], Names] = {}

    def like(self, path: Path) -> str | None:
        """Return the key of the same object that is spelt much like the one that ``path`` ends with, or ``None``."""
        keys = self._keys(path)
        if keys not in self._guesses:
            self._guesses[keys] = Names(keys, MOST_GUESSES)
        return self._guesses[keys].nearest(str(path[-1]))

    def meant(self, path: Path) -> tuple[str, ...]:
        """Return the key that is like it, or else those that have it as a word: ``proxy_port`` for ``port``."""
        like = self.like(path)
        if like is not None:
            return (like,)
        word = str(path[-1]).lower()
        found = tuple(key for key in self._keys(path) if word in key.split("_"))
        return found if len(found) <= _MOST_MEANT else ()

    def _keys(self, path: Path) -> tuple[str, ...]:
        return tuple(sorted(key for key in TYPES.keys_at(self._name, path[:-1]) if len(key) >= self._shortest))


def unknown_faults(
    unknown: Iterable[Path], name: str, rule: Rule, *, document: Any = None, shortest: int = 1
) -> Iterator[Fault]:
    """Yield keys that are skipped as faults of one rule, with the keys that were probably meant.

    Args:
        unknown: Where they stand in the record.
        name: The Go type of the record.
        rule: What is reported.
        document: The record, where a key that stands beside an unknown one was not meant by it.
        shortest: Of keys that may have been meant.
    """
    guesses = KeyGuesses(name, shortest)
    for path in unknown:
        beside = mapping(value_at(document, path[:-1]))
        meant = tuple(key for key in guesses.meant(path) if key not in beside)
        hint = f"did you mean {quoted(meant)}?" if meant else None
        message = f'the key "{path[-1]}" is not known and is skipped'
        yield Fault(path, rule, message, hint, on_key=True, severity=None if meant else "info")
