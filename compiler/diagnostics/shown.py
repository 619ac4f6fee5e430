"""Format parts of the input for people, without control characters, commands for CI systems and secrets."""

from __future__ import annotations

import re
from typing import Final

from .budget import cache_by_text
from .secret.text import MASK, Shown, is_sensitive, masked, rewritten

LONGEST: Final = 60
"""Maximum characters of a shown value, with its quotes, so that a message stays readable on one line."""

_LINE_COMMAND: Final = r"^\s*:(?=:)"
_COMMAND: Final = r"##(?=\[|vso\[|teamcity\[)"
"""Patterns of commands of CI systems in a log. ``_LINE_COMMAND`` matches at the start of a line, ``_COMMAND`` anywhere.

Source: actions/runner, ActionCommand; microsoft/azure-pipelines-agent, Command; JetBrains, service messages.
"""


def shown(value: object, *, longest: int = LONGEST, under: str = "") -> str:
    """Return a value for a message: a scalar as JSON, shortened and with secrets masked.

    For other values, the result names only the type.

    Args:
        value: Plain data.
        longest: Maximum characters of the result.
        under: The name of the value, if it may be sensitive. A string or number with a sensitive name is masked.
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


def in_one_line(value: object, *, by_key: bool = False) -> Shown:
    """Return the whole value on one line, secrets masked: a string as it is, others as JSON, ``by_key`` in order."""
    if isinstance(value, str):
        return sanitized(value)
    import json

    return sanitized(json.dumps(value, ensure_ascii=False, sort_keys=by_key))


@cache_by_text(16_384)
def sanitized(text: str) -> Shown:
    """Return a text that quotes the input on one line, with control characters escaped and secrets masked.

    Results are cached, because texts of findings are sanitized when they are created and again when they are printed.
    """
    return rewritten(masked(text), visible)


def visible(text: str) -> str:
    """Return ``text`` with escapes for control characters, line breaks and bidirectional marks.

    Commands of CI systems that may start anywhere in a line are escaped, too.
    """
    if "##" in text:
        text = re.sub(_COMMAND, r"#\\x23", text)
    return text if text.isprintable() else "".join(char if char.isprintable() else _escape(char) for char in text)


def in_columns(text: str) -> str:
    """Return a source line with U+FFFD in place of unprintable characters except tabs, so columns stay the same.

    U+FFFD also replaces the second ``#`` of a command such as ``##[error]``, so a CI system does not run it.
    """
    if "##" in text:
        text = re.sub(_COMMAND, "#\N{REPLACEMENT CHARACTER}", text)
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char == "\t" else "\N{REPLACEMENT CHARACTER}" for char in text)


def _escape(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


def line(text: str) -> str:
    """Return a sanitized text for printing as a line: no CI system reads it as a command."""
    out = sanitized(text)
    return re.sub(_LINE_COMMAND, lambda match: match[0][:-1] + r"\x3a", out) if "::" in out else out


def lines(text: str) -> str:
    """Return a text of several lines, each treated by `line`. The line breaks must not come from the input."""
    return "\n".join(map(line, text.split("\n")))


def in_json(text: str) -> str:
    """Return JSON text with unprintable characters and CI commands escaped. It still parses to the same data."""
    if "##" in text:
        text = re.sub(_COMMAND, r"#\\u0023", text)
    if text.isascii() and "\x7f" not in text:
        return text
    return re.sub("[^\x00-\x7e]", _json_escape, text)


def _json_escape(match: re.Match[str]) -> str:
    char = match[0]
    if char.isprintable():
        return char
    number = ord(char)
    if number < 0x10000:
        return f"\\u{number:04x}"
    # JSON has no longer escapes, so a character beyond U+FFFF becomes a pair of surrogates.
    number -= 0x10000
    return f"\\u{0xD800 + (number >> 10):04x}\\u{0xDC00 + (number & 0x3FF):04x}"
