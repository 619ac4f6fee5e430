"""Values that a later tool fills in."""

from __future__ import annotations

import re
from typing import Final

# Compiled when the first dollar sign comes.
_PLACEHOLDER: Final = r"\$(?:[A-Za-z_]|\{[A-Za-z_][A-Za-z0-9_]*(?:\}|[-:=+?#%/^,@][^}]*+(?:\}|\Z)))"
"""A default without a closing brace goes on to the end: to look for the brace of each would take too long."""

_WHOLE: Final = r"\$[A-Za-z_][A-Za-z0-9_]*"

UNKNOWN: Final = "${UNKNOWN}"
"""A placeholder of our own, for a value that cannot be what it is."""


def is_placeholder(text: str) -> bool:
    """Return whether ``text`` holds ``$NAME``, ``${NAME}`` or ``${NAME:=default}`` anywhere: its value is unknown.

    ``$$`` is an escaped dollar sign. Kubernetes' own ``$(NAME)`` is none: the pod's start fills it in, no tool before.

    Source: envsubst; Flux's postBuild substitution (drone/envsubst).
    """
    if "$" not in text:
        return False
    return re.search(_PLACEHOLDER, text.replace("$$", "")) is not None


def may_be(text: str, value: str) -> bool:
    """Return whether ``text`` may be ``value`` once its placeholders are filled in."""
    first, *middle = re.split(_PLACEHOLDER, text)
    if not middle:
        return text == value
    last, place = middle.pop(), len(first)
    for part in middle:
        place = value.find(part, place) + len(part)
        if place < len(part):
            return False
    return value.startswith(first) and value.endswith(last) and place <= len(value) - len(last)


def is_placeholder_key(key: str) -> bool:
    """Return whether ``key`` holds ``${NAME}``. ``$NAME`` is a word of JSON Schema or of a patch there: ``$ref``."""
    return "${" in key and is_placeholder(key)


def is_placeholder_in_prose(text: str) -> bool:
    """Return whether ``text`` holds ``${NAME}`` anywhere, or is ``$NAME`` as a whole.

    In prose, templates and shell commands ``$NAME`` stands for itself: ``price in $US``.
    """
    return is_placeholder_key(text) or re.fullmatch(_WHOLE, text) is not None
