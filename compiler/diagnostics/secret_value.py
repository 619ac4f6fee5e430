"""Find secrets in plain data, and mask them in messages."""

from __future__ import annotations

import re
from bisect import bisect
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from .secret_text import MASK, SHORTEST, SHORTEST_FORM, is_sensitive, is_withheld, secret_ranges
from .source_mask import masked_ranges, masked_source

if TYPE_CHECKING:
    from collections.abc import Iterable


def secret_values(data: Any) -> frozenset[str]:
    """Return the strings and numbers of a document that are secrets, by their form or by their place.

    Secrets by place are the data of a Secret, and values with a sensitive name. The name of a value is its key, the
    ``name`` next to a key ``value`` (as in variables and headers), or the flag before an argument.
    """
    secrets: set[str] = set()
    texts: list[str] = []
    """Single-line values that may be secrets by form. They are checked together at the end."""
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
                        waiting.append(([item for item in inner if not isinstance(item, dict | list)], True))
                elif is_secret or is_sensitive(str(key)) or (pair and key == "value"):
                    _add(secrets, texts, inner, is_secret=True)
                elif isinstance(inner, str):
                    if "\n" in inner:
                        _add(secrets, texts, inner, is_secret=False)
                    elif len(inner) >= SHORTEST_FORM:  # as most values are
                        texts.append(inner)
        elif isinstance(value, list):
            waiting += [(inner, is_secret) for inner in value]
            for flag, argument in pairwise(value):
                if isinstance(flag, str) and flag.startswith("-") and is_sensitive(flag) and "=" not in flag:
                    _add(secrets, texts, argument, is_secret=True)
        else:
            _add(secrets, texts, value, is_secret=is_secret)
    # One search of all texts together: in most documents no text contains a secret.
    if secret_ranges("\n".join(texts)):
        secrets.update(text[start:end] for text in texts for start, end in secret_ranges(text))
    return frozenset(secrets)


def _add(secrets: set[str], texts: list[str], value: Any, *, is_secret: bool) -> None:
    if isinstance(value, str):
        if is_secret:
            if is_withheld(value):
                secrets.add(value)
        elif "\n" in value:
            secrets.update(value[start:end].strip("\"' ") for start, end in masked_ranges(value))
        else:
            texts.append(value)
    elif is_secret and isinstance(value, int | float) and not isinstance(value, bool):
        secrets.add(str(value))


def holds_secret(data: Any) -> bool:
    """Return whether plain data contains a secret, as a value or as a key."""
    if secret_values(data):
        return True
    waiting: list[Any] = [data]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting += value.values()
            if any(isinstance(key, str) and secret_ranges(key) for key in value):
                return True
        elif isinstance(value, list):
            waiting += value
    return False


_QUOTED: Final = r'"([^"]*)"'
_NUMBER: Final = r"(?<![\w.])\d+(?![\w.])"
_BEGINNING: Final = 12
"""Number of first characters of a secret that are masked in a message even if the message cuts off the rest.

It is above `SHORTEST`, so a text that begins like a secret by chance is rarely masked.
"""


class Secrets:
    """The secret values of a document, which are masked in messages about the document.

    Short values, words and numbers are masked only if they are the whole of a quoted text or of a number.
    """

    __slots__ = ("_alone", "_begun", "_short", "_sizes", "_starts")

    def __init__(self, values: Iterable[str] = ()) -> None:
        self._alone = frozenset(values)
        self._short: set[str] = set()
        self._begun: dict[str, list[str]] = {}
        for value in sorted(self._alone):
            if len(value) >= SHORTEST and not value.isalpha() and not value.isdigit():
                for form in {value, value.replace("\\", "\\\\").replace('"', '\\"')}:
                    self._add_form(form)
        for forms_ in self._begun.values():
            forms_.sort()
        self._starts = {form[:2] for form in (*self._short, *self._begun)}
        self._sizes = sorted({len(form) for form in self._short}, reverse=True)

    def _add_form(self, value: str) -> None:
        """Index a value by its first characters, so `_secret_length_at` finds it in a message."""
        if len(value) < _BEGINNING:
            self._short.add(value)
        else:
            self._begun.setdefault(value[:_BEGINNING], []).append(value)

    def without(self, text: str) -> str:
        """Return the message with `MASK` in place of the values. A long value is also found if its end was cut off."""
        if not self._alone:
            return text
        text = re.sub(_QUOTED, lambda match: f'"{MASK}"' if match[1] in self._alone else match[0], text)
        text = re.sub(_NUMBER, lambda match: MASK if match[0] in self._alone else match[0], text)
        if not self._short and not self._begun:
            return text
        out: list[str] = []
        at = shown = 0
        while at < len(text):
            size = self._secret_length_at(text, at) if text[at : at + 2] in self._starts else 0
            if size:
                out += (text[shown:at], MASK)
                shown = at = at + size
            else:
                at += 1
        return "".join((*out, text[shown:]))

    def _secret_length_at(self, text: str, at: int) -> int:
        """Return the length of the secret, or the beginning of a secret, at position ``at``; 0 if there is none."""
        begun = self._begun.get(text[at : at + _BEGINNING])
        if begun is not None:
            near = bisect(begun, text[at:])  # in sorted order, neighbors share the longest prefix
            return max(_shared_prefix_length(value, text, at) for value in begun[max(0, near - 1) : near + 1])
        return next((size for size in self._sizes if text[at : at + size] in self._short), 0)


NO_SECRETS: Final = Secrets()


def secrets_of(data: Any) -> Secrets:
    """Return the secrets of a document, for masking messages about it."""
    values = secret_values(data)
    return Secrets(values) if values else NO_SECRETS


def _shared_prefix_length(value: str, text: str, at: int) -> int:
    return next((i for i, char in enumerate(value) if text[at + i : at + i + 1] != char), len(value))


def without_secrets(value: Any, *, withheld: bool = False) -> Any:
    """Return plain data with secrets masked. ``withheld`` is true if the value itself is under a sensitive name."""
    if isinstance(value, dict):
        name = value.get("name")
        pair = isinstance(name, str) and is_sensitive(name)
        out = {}
        for key, inner in value.items():
            is_named = not isinstance(inner, dict) and (is_sensitive(str(key)) or (pair and key == "value"))
            out[key] = without_secrets(inner, withheld=withheld or is_named)
        return out
    if isinstance(value, list):
        return [without_secrets(inner, withheld=withheld and not isinstance(inner, dict)) for inner in value]
    if isinstance(value, str):
        return (MASK if is_withheld(value) else value) if withheld else masked_source(value)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return MASK if withheld and is_number else value
