"""Report values that the reader of a file refuses, and keys that it ignores, with similar known keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..diagnostics.fault import Fault
from ..diagnostics.plain import mapping, value_at
from ..diagnostics.suggestion import Names
from .fault import quoted
from .shape import TYPES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ..diagnostics.finding import Rule
    from ..diagnostics.span import Path
    from ..golang.shape import Misfit

_MOST_SUGGESTED = 3
"""The maximum number of known keys in a suggestion. With more keys, the suggestion would not help."""
_REMOVED: Mapping[str | int, str] = {
    "allow_transport": "remove it: profiles no longer limit the protocol, so allow_host and allow_port are all there is"
}
"""The hints for keys that earlier releases read, and that no key replaces."""
MOST_GUESSES = 200
"""The maximum number of distinct unknown keys that get a suggestion, because each is compared with all known keys."""


class KeyGuesses:
    """Finds the known keys that unknown keys of a record probably misspell.

    Args:
        name: The Go type of the record.
        shortest: The minimum length of suggested keys. Short keys resemble too many others.
    """

    def __init__(self, name: str, shortest: int = 1) -> None:
        self._name = name
        self._shortest = shortest
        self._guesses: dict[tuple[str, ...], Names] = {}

    def nearest_key(self, path: Path) -> str | None:
        """Return the known key that most resembles the last step of ``path``, or ``None`` if no key is similar."""
        if path[-1] in _REMOVED:
            return None
        keys = self._keys(path)
        if keys not in self._guesses:
            self._guesses[keys] = Names(keys, MOST_GUESSES)
        return self._guesses[keys].nearest(str(path[-1]))

    def likely_keys(self, path: Path) -> tuple[str, ...]:
        """Return the most similar known key, or else the known keys that contain the last step of ``path`` as a word.

        For example, ``port`` is a word of ``proxy_port``. The result is empty if more than three keys contain the word.
        """
        if path[-1] in _REMOVED:
            return ()
        nearest_key = self.nearest_key(path)
        if nearest_key is not None:
            return (nearest_key,)
        word = str(path[-1]).lower()
        matches = tuple(key for key in self._keys(path) if word in key.split("_"))
        return matches if len(matches) <= _MOST_SUGGESTED else ()

    def _keys(self, path: Path) -> tuple[str, ...]:
        return tuple(sorted(key for key in TYPES.keys_at(self._name, path[:-1]) if len(key) >= self._shortest))


def decoding_faults(
    name: str, misfits: Iterable[Misfit], unknown: Iterable[Path], undecodable: Rule, unknown_field: Rule
) -> list[Fault]:
    """Return the faults of decoding a record of the Go type ``name``: refused values, then skipped keys."""
    return [*misfit_faults(misfits, undecodable), *unknown_faults(unknown, name, unknown_field)]


def misfit_faults(misfits: Iterable[Misfit], reported: Rule) -> Iterator[Fault]:
    """Yield a fault of the rule ``reported`` for each value that does not have the type of its field."""
    for misfit in misfits:
        yield Fault(misfit.path, reported, f"{misfit.expected} is expected here, not {misfit.actual}")


def unknown_faults(
    unknown: Iterable[Path], name: str, rule: Rule, *, document: Any = None, shortest: int = 1
) -> Iterator[Fault]:
    """Yield a fault for each key that the reader skips, with a hint that suggests similar keys.

    Args:
        unknown: The paths of the skipped keys in the record.
        name: The Go type of the record.
        document: The record. If it is given, keys that an object already has are not suggested.
        shortest: The minimum length of suggested keys.
    """
    guesses = KeyGuesses(name, shortest)
    for path in unknown:
        siblings = mapping(value_at(document, path[:-1]))
        matches = tuple(key for key in guesses.likely_keys(path) if key not in siblings)
        hint = f"did you mean {quoted(matches)}?" if matches else _REMOVED.get(path[-1])
        message = f'the key "{path[-1]}" is not known and is skipped'
        yield Fault(path, rule, message, hint, on_key=True, severity=None if hint else "info")
