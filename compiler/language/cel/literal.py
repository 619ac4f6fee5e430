"""Parse the tokens of literals into their values.

Source: cel-go v0.28, ``parser/unescape.go``: escapes are code points in strings and bytes in bytes literals.
"""

from __future__ import annotations

import re

_SIMPLE = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_ESCAPE = re.compile(r"\\(?:([0-3][0-7]{2})|[xX](..)|u(.{4})|U(.{8})|(.))", re.DOTALL)
_TOP = 0x10FFFF
"""The largest code point of Unicode."""
_MOST_DIGITS = 20
"""The maximum digits of a 64-bit number. Python would refuse to parse thousands of digits."""


def int_value(text: str, *, negative: bool) -> int:
    """Parse a signed integer. ``negative`` means that a minus sign precedes ``text``.

    Raises:
        ValueError: The number does not fit into 64 bits.
    """
    value = -_digits(text) if negative else _digits(text)
    if not -(1 << 63) <= value < 1 << 63:
        raise ValueError(f"{text} does not fit into 64 bits")
    return value


def uint_value(text: str) -> int:
    """Parse an unsigned integer that ends in ``u``.

    Raises:
        ValueError: The number does not fit into 64 bits.
    """
    value = _digits(text[:-1])
    if value >= 1 << 64:
        raise ValueError(f"{text} does not fit into 64 bits")
    return value


def double_value(text: str, *, negative: bool) -> float:
    """Parse a number with a fraction or an exponent. ``negative`` means that a minus sign precedes ``text``.

    Raises:
        ValueError: The number is out of range.
    """
    value = float(text)
    if value == float("inf"):
        raise ValueError(f"{text} is larger than any double")
    return -value if negative else value


def string_value(text: str) -> str:
    """Parse a string literal with its quotes.

    Raises:
        ValueError: An escape is not a Unicode character.
    """
    body, raw = _body(text)
    return body if raw else _ESCAPE.sub(_string_escape, body)


def bytes_value(text: str) -> bytes:
    """Parse a bytes literal with its ``b`` and quotes.

    Raises:
        ValueError: An escape is not allowed in bytes.
    """
    body, raw = _body(text[1:])
    if raw:
        return body.encode("utf-8", "replace")
    out, at = bytearray(), 0
    for match in _ESCAPE.finditer(body):
        octal, hexadecimal, short, long, simple = match.groups()
        out += body[at : match.start()].encode("utf-8", "replace")
        if short or long:
            raise ValueError(f"{match.group()} cannot stand in bytes")
        if octal or hexadecimal:
            out.append(int(octal, 8) if octal else int(hexadecimal, 16))
        else:
            out += _SIMPLE.get(simple, simple).encode()
        at = match.end()
    return bytes(out + body[at:].encode("utf-8", "replace"))


def _digits(text: str) -> int:
    significant = text.removeprefix("0x").lstrip("0")
    if len(significant) > _MOST_DIGITS:
        return 1 << 65  # too large for an int and for a uint
    return int(text, 16) if text.startswith("0x") else int(text)


def _body(text: str) -> tuple[str, bool]:
    raw = text[0] in "rR"
    text = text[1:] if raw else text
    width = 3 if len(text) >= 6 and text[:3] in ('"""', "'''") else 1
    return text[width:-width].replace("\r\n", "\n").replace("\r", "\n"), raw


def _string_escape(match: re.Match[str]) -> str:
    octal, hexadecimal, short, long, simple = match.groups()
    if simple:
        return _SIMPLE.get(simple, simple)
    code = int(octal, 8) if octal else int(hexadecimal or short or long, 16)
    if code > _TOP or 0xD800 <= code <= 0xDFFF:
        raise ValueError(f"{match.group()} is not a Unicode character")
    return chr(code)
