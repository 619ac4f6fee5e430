"""Parse the constants of a template: strings, characters and numbers.

Source: Go 1.26 strconv.Unquote and text/template/parse (number nodes).
"""

from __future__ import annotations

from typing import Final

from ...golang.strconv import NumberError, parse_any_int, parse_float

_NAMED: Final = {"a": 7, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11, "\\": 92}
"""Code points of the escapes that consist of a single character."""
_HEX_LENGTH: Final = {"x": 2, "u": 4, "U": 8}
_HEX_DIGITS: Final = frozenset("0123456789abcdefABCDEF")
_OCTAL_DIGITS: Final = frozenset("01234567")

MAX_RUNE: Final = 0x10FFFF
"""The largest code point of Unicode."""


class ConstantError(ValueError):
    """Go does not accept a constant. The message contains the reason."""


def unquote(text: str) -> str:
    """Return the value of a string literal, which includes its quotes.

    Bytes that are not valid UTF-8 become lone surrogates, like with Python's ``surrogateescape``.

    Raises:
        ConstantError: An escape sequence is not valid in Go.
    """
    if text[0] == "`":
        return text[1:-1].replace("\r", "")
    if "\\" not in text:
        return text[1:-1]
    out = bytearray()
    at = 1
    while at < len(text) - 1:
        code, is_byte, at = _character(text, at, text[0])
        if is_byte:
            out.append(code)
        else:
            out += chr(code).encode("utf-8", "surrogatepass")
    return out.decode("utf-8", "surrogateescape")


def unquote_rune(text: str) -> int:
    """Return the code point of a character constant, which includes its quotes.

    Raises:
        ConstantError: The constant does not contain exactly one character, or its escape sequence is not valid in Go.
    """
    if text == "''":
        raise ConstantError("a character constant holds no character")
    code, _, end = _character(text, 1, "'")
    if end != len(text) - 1:
        raise ConstantError(f"{text} holds more than one character")
    return code


def _character(text: str, at: int, quote: str) -> tuple[int, bool, int]:
    r"""Return the code of the character or escape sequence at ``at``, whether the code is a byte, and the end index.

    The code is a byte for escape sequences such as ``\xff``, and otherwise a code point. ``quote`` delimits the
    constant, so it may be escaped.
    """
    if text[at] != "\\":
        return ord(text[at]), False, at + 1
    kind = text[at + 1]
    if kind in _NAMED:
        return _NAMED[kind], False, at + 2
    if kind == quote:
        return ord(quote), False, at + 2
    if kind in _HEX_LENGTH:
        end = at + 2 + _HEX_LENGTH[kind]
        digits = text[at + 2 : end]
        if len(digits) == _HEX_LENGTH[kind] and _HEX_DIGITS.issuperset(digits):
            code = int(digits, 16)
            if kind == "x":
                return code, True, end
            if code <= MAX_RUNE and not 0xD800 <= code <= 0xDFFF:
                return code, False, end
    elif kind in _OCTAL_DIGITS:
        digits = text[at + 1 : at + 4]
        if len(digits) == 3 and _OCTAL_DIGITS.issuperset(digits) and (code := int(digits, 8)) <= 0xFF:
            return code, True, at + 4
    raise ConstantError(f"\\{kind} does not start an escape that Go knows")


def number(text: str) -> int | float | complex | None:
    """Return the value of a number, or ``None`` for an integer from 2**63 to 2**64, which Go parses but cannot execute.

    Raises:
        ConstantError: The text is not a number in Go.
    """
    if text.endswith("i"):
        imaginary = _float(text[:-1])
        if imaginary is not None:
            return complex(0, imaginary)
    try:
        value = parse_any_int(text)
    except NumberError as fault:
        return _no_integer(text, out_of_range=fault.out_of_range)
    # Like Go, checks only the text: after a sign, 0x is not recognized and E is not taken as a digit.
    is_hex = len(text) > 2 and text[0] == "0" and text[1] in "xX" and not _has(text, "pP")
    return float(value) if not is_hex and _has(text, ".eEpP") else value


def complex_number(text: str) -> complex:
    """Return the value of a complex number such as ``1+2i``.

    Raises:
        ConstantError: A part is not a number.
    """
    sign = max(text.rfind("+"), text.rfind("-"))
    if text[sign - 1] in "eEpP":
        sign = max(text.rfind("+", 0, sign), text.rfind("-", 0, sign))
    real, imaginary = _float(text[:sign]), _float(text[sign:-1])
    if real is None or imaginary is None:
        raise ConstantError(f"{text} is not a number")
    return complex(real, imaginary)


def _no_integer(text: str, *, out_of_range: bool) -> float | None:
    # It does not fit into an int64, but into a uint64.
    if out_of_range and text[0] not in "+-" and int(text.replace("_", ""), 0) < 1 << 64:
        return None
    value = _float(text)
    if value is None:
        raise ConstantError(f"{text} is not a number")
    if not _has(text, ".eEpP"):
        raise ConstantError(f"{text} is too large for an integer")
    return value


def _float(text: str) -> float | None:
    try:
        return parse_float(text)
    except NumberError:
        return None


def _has(text: str, chars: str) -> bool:
    return any(char in text for char in chars)
