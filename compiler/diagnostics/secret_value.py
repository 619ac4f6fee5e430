"""Secrets within plain data, and messages without them."""

from __future__ import annotations

import re
from bisect import bisect
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from .secret_text import MASK, SHORTEST, SHORTEST_FORM, forms, is_sensitive, is_withheld
from .source_mask import hidden, stretches

if TYPE_CHECKING:
    from collections.abc import Iterable


def secret_values(data: Any) -> frozenset[str]:
    """Return the texts and numbers of a document that are secrets, by their form or by where they stand.

    That is below a sensitive name, or in a Secret. A name is a key, the ``name`` beside a ``value``, as variables and
    headers have it, or the flag before an argument.
    """
    found: set[str] = set()
    texts: list[str] = []
    """Those on one line that are secrets by their form, if at all."""
    waiting: list[tuple[Any, bool]] = [(data, False)]
    while waiting:
        value, is_secret = waiting.pop()
        if isinstance(value, dict):
            holds = ("data", "stringData") if value.get("kind") == "Secret" else ()
            name = value.get("name")
            pair = isinstance(name, str) and "value" in value and is_sensitive(name)
            for key, inner in value.items():
                if isinstance(inner, dict):
                    waiting.append((inner, is_secret or key in holds))
                elif isinstance(inner, list):
                    waiting.append((inner, is_secret or key in holds))
                    if is_sensitive(str(key)):
                        waiting.append(([one for one in inner if not isinstance(one, dict | list)], True))
                elif is_secret or is_sensitive(str(key)) or (pair and key == "value"):
                    _add(found, texts, inner, is_secret=True)
                elif isinstance(inner, str):
                    if "\n" in inner:
                        _add(found, texts, inner, is_secret=False)
                    elif len(inner) >= SHORTEST_FORM:  # as most values are
                        texts.append(inner)
        elif isinstance(value, list):
            waiting += [(inner, is_secret) for inner in value]
            for flag, argument in pairwise(value):
                if isinstance(flag, str) and flag.startswith("-") and is_sensitive(flag) and "=" not in flag:
                    _add(found, texts, argument, is_secret=True)
        else:
            _add(found, texts, value, is_secret=is_secret)
    # Where there is none in all of them together, which takes one look, there is none in any.
    if forms("\n".join(texts)):
        found.update(text[start:end] for text in texts for start, end in forms(text))
    return frozenset(found)


def _add(found: set[str], texts: list[str], value: Any, *, is_secret: bool) -> None:
    if isinstance(value, str):
        if is_secret:
            if is_withheld(value):
                found.add(value)
        elif "\n" in value:
            found.update(value[start:end].strip("\"' ") for start, end in stretches(value))
        else:
            texts.append(value)
    elif is_secret and isinstance(value, int | float) and not isinstance(value, bool):
        found.add(str(value))


def holds_secret(data: Any) -> bool:
    """Return whether plain data holds a secret, in keys too."""
    if secret_values(data):
        return True
    waiting: list[Any] = [data]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting += value.values()
            if any(isinstance(key, str) and forms(key) for key in value):
                return True
        elif isinstance(value, list):
            waiting += value
    return False


_QUOTED: Final = r'"([^"]*)"'
_NUMBER: Final = r"(?<![\w.])\d+(?![\w.])"
_BEGINNING: Final = 12
"""Characters at the beginning of a secret by which a message that cut it is still recognised as quoting it."""


class Secrets:
    """The secret values of a document, which messages about it do not show.

    Short ones, and those that are words or numbers, are taken for the values only where they stand alone.

    Args:
        values: As `secret_values` returns them.
    """

    __slots__ = ("_alone", "_begun", "_short", "_sizes", "_starts")

    def __init__(self, values: Iterable[str] = ()) -> None:
        self._alone = frozenset(values)
        self._short: set[str] = set()
        self._begun: dict[str, list[str]] = {}
        for value in sorted(self._alone):
            if len(value) >= SHORTEST and not value.isalpha() and not value.isdigit():
                for form in {value, value.replace("\\", "\\\\").replace('"', '\\"')}:
                    self._take(form)
        for forms_ in self._begun.values():
            forms_.sort()
        self._starts = {one[:2] for one in (*self._short, *self._begun)}
        self._sizes = sorted({len(one) for one in self._short}, reverse=True)

    def _take(self, value: str) -> None:
        if len(value) < _BEGINNING:
            self._short.add(value)
        else:
            self._begun.setdefault(value[:_BEGINNING], []).append(value)

    def without(self, text: str) -> str:
        """Return a message with `MASK` in the place of the values, whole or cut."""
        if not self._alone:
            return text
        text = re.sub(_QUOTED, lambda found: f'"{MASK}"' if found[1] in self._alone else found[0], text)
        text = re.sub(_NUMBER, lambda found: MASK if found[0] in self._alone else found[0], text)
        if not self._short and not self._begun:
            return text
        out: list[str] = []
        at = shown = 0
        while at < len(text):
            size = self._size_at(text, at) if text[at : at + 2] in self._starts else 0
            if size:
                out += (text[shown:at], MASK)
                shown = at = at + size
            else:
                at += 1
        return "".join((*out, text[shown:]))

    def _size_at(self, text: str, at: int) -> int:
        """Return how many characters from ``at`` on are those of a value."""
        begun = self._begun.get(text[at : at + _BEGINNING])
        if begun is not None:
            near = bisect(begun, text[at:])  # of those that are sorted, neighbours have the most in common
            return max(_alike(one, text, at) for one in begun[max(0, near - 1) : near + 1])
        return next((size for size in self._sizes if text[at : at + size] in self._short), 0)


NO_SECRETS: Final = Secrets()


def secrets_of(data: Any) -> Secrets:
    """Return the secrets of a document."""
    values = secret_values(data)
    return Secrets(values) if values else NO_SECRETS


def _alike(value: str, text: str, at: int) -> int:
    """Return how many characters a value has in common with what stands at a place."""
    return next((i for i, char in enumerate(value) if text[at + i : at + i + 1] != char), len(value))


def without_secrets(value: Any, *, withheld: bool = False) -> Any:
    """Return plain data with its secrets masked; ``withheld``: all of it is one."""
    if isinstance(value, dict):
        name = value.get("name")
        pair = isinstance(name, str) and is_sensitive(name)
        out = {}
        for key, inner in value.items():
            own = not isinstance(inner, dict) and (is_sensitive(str(key)) or (pair and key == "value"))
            out[key] = without_secrets(inner, withheld=withheld or own)
        return out
    if isinstance(value, list):
        return [without_secrets(inner, withheld=withheld and not isinstance(inner, dict)) for inner in value]
    if isinstance(value, str):
        return (MASK if is_withheld(value) else value) if withheld else hidden(value)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return MASK if withheld and is_number else value
