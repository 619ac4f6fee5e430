"""How what comes from the input is shown to people: nothing that a terminal or a log obeys, and no secrets.

Imports nothing of ours but what secrets look like.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from .secret_text import MASK, is_sensitive, masked

LONGEST: Final = 60
"""Characters that are shown of a value, with its quotes."""

_LINE_COMMAND: Final = r"^\s*:(?=:)"
_COMMAND: Final = r"##(?=\[|vso\[|teamcity\[)"
"""What CI systems take for commands in a log: at the beginning of a line, and anywhere.

Source: actions/runner, ActionCommand; microsoft/azure-pipelines-agent, Command; JetBrains, service messages.
"""


def shown(value: object, *, longest: int = LONGEST, under: str = "") -> str:
    """Return a value as messages name it: scalars as JSON has them, without secrets and cut; others by their sort.

    Args:
        value: Plain data.
        longest: Characters that are shown of it.
        under: The name that it stands under; values of sensitive names are masked.
    """
    if isinstance(value, str):
        text = f'"{MASK if value and under and is_sensitive(under) else visible(masked(value))}"'
    elif value is None or isinstance(value, bool):
        text = {None: "null", True: "true", False: "false"}[value]
    elif isinstance(value, (int, float)):
        if under and is_sensitive(under):
            return MASK
        # Python refuses to print integers of thousands of digits.
        text = f"{value}" if isinstance(value, float) or value.bit_length() < 1000 else "a number of hundreds of digits"
    elif isinstance(value, dict):
        text = "a mapping"
    else:
        text = "a list" if isinstance(value, list) else f"a {type(value).__name__}"
    return text if len(text) <= longest else f"{text[: longest - 2]}…{text[-1]}"


def in_one_line(value: object, *, by_key: bool = False) -> str:
    """Return a whole value on one line, without secrets: a text as it is, another as JSON, sorted ``by_key``."""
    if isinstance(value, str):
        return sanitized(value)
    import json

    return sanitized(json.dumps(value, ensure_ascii=False, sort_keys=by_key))


@lru_cache(maxsize=16_384)
def sanitized(text: str) -> str:
    """Return a text for people that quotes the input: on one line, visible, and without secrets.

    The same texts come again: what a finding says is made fit when it is made, and once more where it is printed.
    """
    return visible(masked(text))


def visible(text: str) -> str:
    """Return ``text`` with what cannot be printed escaped: control characters, line breaks, marks that turn the way.

    What a CI system takes for a command anywhere in a line is escaped too.
    """
    if "##" in text:
        text = re.sub(_COMMAND, r"#\\x23", text)
    return text if text.isprintable() else "".join(char if char.isprintable() else _escape(char) for char in text)


def in_columns(text: str) -> str:
    """Return a source line with a mark for each character that is not shown, but for tabs: columns stay."""
    if "##" in text:
        text = re.sub(_COMMAND, "#\N{REPLACEMENT CHARACTER}", text)
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char == "\t" else "\N{REPLACEMENT CHARACTER}" for char in text)


def _escape(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


def line(text: str) -> str:
    """Return a text for people as a line of its own, which no CI system takes for a command."""
    out = sanitized(text)
    return re.sub(_LINE_COMMAND, lambda found: found[0][:-1] + r"\x3a", out) if "::" in out else out


def lines(text: str) -> str:
    """Return a text for people whose lines are our own, each as `line` returns it."""
    return "\n".join(map(line, text.split("\n")))


def in_json(text: str) -> str:
    """Return JSON with what cannot be printed escaped: it reads as the same data."""
    if "##" in text:
        text = re.sub(_COMMAND, r"#\\u0023", text)
    if text.isascii() and "\x7f" not in text:
        return text
    return re.sub("[\x7f-\U0010ffff]", _json_escape, text)


def _json_escape(found: re.Match[str]) -> str:
    char = found[0]
    if char.isprintable():
        return char
    number = ord(char)
    if number < 0x10000:
        return f"\\u{number:04x}"
    number -= 0x10000
    return f"\\u{0xD800 + (number >> 10):04x}\\u{0xDC00 + (number & 0x3FF):04x}"
