"""Secrets within plain data, and messages without them."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from .secret_text import MASK, SHORTEST, forms, is_telling, is_withheld
from .source_mask import hidden, stretches

if TYPE_CHECKING:
    from collections.abc import Iterable


def secret_values(data: Any) -> frozenset[str]:
    """Return the texts and numbers of a document that are secrets, by their form or by where they stand.

    That is below a telling name, or in a Secret. A name is a key, the ``name`` beside a ``value``, as variables and
    headers have it, or the flag before an argument.
    """
    found: set[str] = set()
    waiting: list[tuple[Any, bool]] = [(data, False)]
    while waiting:
        value, is_secret = waiting.pop()
        if isinstance(value, dict):
            holds = ("data", "stringData") if value.get("kind") == "Secret" else ()
            name = value.get("name")
            pair = isinstance(name, str) and "value" in value and is_telling(name)
            for key, inner in value.items():
                if isinstance(inner, list) and is_telling(str(key)):
                    waiting.append(([one for one in inner if not isinstance(one, dict | list)], True))
                if isinstance(inner, dict | list):
                    waiting.append((inner, is_secret or key in holds))
                else:
                    _add(found, inner, is_secret=is_secret or (pair and key == "value") or is_telling(str(key)))
        elif isinstance(value, list):
            waiting += [(inner, is_secret) for inner in value]
            for flag, argument in pairwise(value):
                if isinstance(flag, str) and flag.startswith("-") and is_telling(flag) and "=" not in flag:
                    _add(found, argument, is_secret=True)
        else:
            _add(found, value, is_secret=is_secret)
    return frozenset(found)


def _add(found: set[str], value: Any, *, is_secret: bool) -> None:
    if isinstance(value, str):
        if is_secret:
            if is_withheld(value):
                found.add(value)
        elif "\n" in value:
            found.update(value[start:end].strip("\"' ") for start, end in stretches(value))
        else:
            found.update(value[start:end] for start, end in forms(value))
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
            if any(isinstance(key, str) and next(forms(key), None) is not None for key in value):
                return True
        elif isinstance(value, list):
            waiting += value
    return False


_LONG_ENOUGH: Final = 12
"""So many characters that a message shows of the beginning of a secret, which it cut, tell which one it is."""


def without_values(text: str, values: Iterable[str]) -> str:
    """Return a message with `MASK` in the place of the values, whole or cut.

    Short ones, and those that are words, are taken for the values only where they are quoted.
    """
    for value in sorted(values, key=lambda one: (-len(one), one)):
        if value.isdigit():
            text = re.sub(rf"(?<![\w.]){value}(?![\w.])", MASK, text) if value in text else text
            continue
        if len(value) < SHORTEST or value.isalpha():
            text = text.replace(f'"{value}"', f'"{MASK}"')
            continue
        for form in dict.fromkeys((value, value.replace("\\", "\\\\").replace('"', '\\"'))):
            if form in text:
                text = text.replace(form, MASK)
            elif len(form) > _LONG_ENOUGH and (at := text.find(form[:_LONG_ENOUGH])) >= 0:
                same = next((i for i, (a, b) in enumerate(zip(form, text[at:], strict=False)) if a != b), len(form))
                text = text[:at] + MASK + text[at + same :]
    return text


def without_secrets(value: Any, *, withheld: bool = False) -> Any:
    """Return plain data with its secrets masked; ``withheld`` says that all of it is one."""
    if isinstance(value, dict):
        name = value.get("name")
        pair = isinstance(name, str) and is_telling(name)
        out = {}
        for key, inner in value.items():
            own = not isinstance(inner, dict) and (is_telling(str(key)) or (pair and key == "value"))
            out[key] = without_secrets(inner, withheld=withheld or own)
        return out
    if isinstance(value, list):
        return [without_secrets(inner, withheld=withheld and not isinstance(inner, dict)) for inner in value]
    if isinstance(value, str):
        return (MASK if is_withheld(value) else value) if withheld else hidden(value)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return MASK if withheld and is_number else value
