"""Placeholders: variables whose values a later tool fills in."""

from __future__ import annotations

import re
from typing import Final

# Compiled when the first dollar sign comes.
_PLACEHOLDER: Final = r"\$(?:[A-Za-z_]|\{[A-Za-z_][A-Za-z0-9_]*(?:\}|[-:=+?#%/^,@][^}]*+(?:\}|\Z)))"
"""A placeholder. A default without a closing brace extends to the end of the text. Backtracking would take too long."""

_WHOLE: Final = r"\$[A-Za-z_][A-Za-z0-9_]*"

_TEMPLATE_PLACEHOLDER: Final = r"\{\{[^{}]*\}\}|<<[A-Za-z_][A-Za-z0-9_. -]*>>|\A\s*<[A-Za-z][^<>\n]*>\s*\Z"

_STAND_IN: Final = (
    r"(?i:[\w .:,/-]{0,40}\b_*(?:change|fill|insert|paste|replace|put|todo|tbd|your|placeholder|redacted|dummy)"
    r"(?:_|\b|d\b|me\b|this\b)[\w .:,/-]{0,80})|[.\u2026*]{1,10}|(?i:x{3,})"
)
"""A text that a user must replace: ``CHANGE_ME``, ``<your key>``, ``...``."""
_PEM_LINE: Final = r"-----[A-Z ]*-----"

UNKNOWN: Final = "${UNKNOWN}"
"""The placeholder that mcpcfg inserts for a value that is unknown."""

PLACEHOLDER_ERRORS: Final = (AttributeError, LookupError, TypeError, ValueError)
"""Exceptions of rules and compile steps that use a placeholder, which is a text, as a number, list or object."""


def is_placeholder(text: str) -> bool:
    """Return whether ``text`` contains ``$NAME``, ``${NAME}`` or ``${NAME:=default}``, so its value is unknown.

    ``$$`` is an escaped dollar sign. Kubernetes' own ``$(NAME)`` does not count: only the start of the pod expands it.

    Source: envsubst; Flux's postBuild substitution (drone/envsubst).
    """
    if "$" not in text:
        return False
    return re.search(_PLACEHOLDER, text.replace("$$", "")) is not None


def is_template_placeholder(text: str) -> bool:
    """Return whether the generator of a file, or its reader, fills in ``text``.

    It contains ``{{ name }}`` or ``<<NAME>>``, or consists of ``<name>``.
    """
    return ("{{" in text or "<" in text) and re.search(_TEMPLATE_PLACEHOLDER, text) is not None


def is_stand_in(text: str) -> bool:
    """Return whether ``text`` stands for a secret, key or certificate: ``CHANGE_ME``, or a PEM block with dots."""
    body = " ".join(re.sub(_PEM_LINE, "", text).split())
    return is_template_placeholder(body) or re.fullmatch(_STAND_IN, body) is not None


def may_be(text: str, value: str) -> bool:
    """Return whether ``text`` equals ``value`` for some values of its placeholders."""
    first, *middle = re.split(_PLACEHOLDER, text)
    if not middle:
        return text == value
    last, place = middle.pop(), len(first)
    for part in middle:
        place = value.find(part, place) + len(part)
        if place < len(part):
            return False
    return value.startswith(first) and value.endswith(last) and place <= len(value) - len(last)


def literal_end(text: str) -> str:
    """Return the part of ``text`` after its last placeholder."""
    return re.split(_PLACEHOLDER, text)[-1] if "$" in text else text


def surely_differ(text: str, other: str) -> bool:
    """Return whether two texts differ for all values of their placeholders.

    For texts with placeholders, the result is only true if both contain one ``${NAME}``, which is the same, and their
    literal texts differ in length or at one end.
    """
    if not is_placeholder(text) and not is_placeholder(other):
        return text != other
    stated, *more = re.findall(_PLACEHOLDER, text) or [""]
    if more or stated == UNKNOWN or "{" not in stated or re.findall(_PLACEHOLDER, other) != [stated]:
        return False
    (start, end), (other_start, other_end) = text.split(stated), other.split(stated)
    return len(text) != len(other) or (start == other_start) != (end == other_end)


def is_placeholder_key(key: str) -> bool:
    """Return whether ``key`` contains ``${NAME}``. ``$NAME`` alone does not count: ``$ref`` is an ordinary key."""
    return "${" in key and is_placeholder(key)


def is_placeholder_in_prose(text: str) -> bool:
    """Return whether ``text`` contains ``${NAME}``, or consists of ``$NAME``.

    In prose, templates and shell commands, ``$NAME`` within a text is literal: ``price in $US``.
    """
    return is_placeholder_key(text) or re.fullmatch(_WHOLE, text) is not None
