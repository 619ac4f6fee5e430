"""Read the constants of a template: quoted texts, characters, numbers.

Source: Go 1.26 strconv.Unquote and text/template/parse (number nodes).
"""

from __future__ import annotations

from typing import Final

from ...golang.strconv import NumberError, parse_any_int, parse_float

_NAMED: Final = {
    "a": 7,
    "b": 8,
    "f": 12,
    "n": 10,
    "r": 13,
    "t": 9,
    "v": 11,
    "\\": 92,
}
_HEX_LENGTH: Final = {"x": 2, "u": 4, "U": 8}
_HEX_DIGITS: Final = frozenset("0123456789abcdefABCDEF")
_OCTAL_DIGITS: Final = frozenset("01234567")

MAX_RUNE: Final = 0x10FFFF


class ConstantError(ValueError):
    """A constant that Go does not read; the message is the reason."""


def unquote(text: str) -> str:
    """Return what a string literal stands for, quotes included in ``text``.

    A byte that is not part of valid UTF-8 becomes a lone surrogate, as Python's ``surrogateescape`` has it.

    Raises:
        ConstantError: an escape is not one of Go's.
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
    """Return the code of a character constant, quotes included in ``text``.

    Raises:
        ConstantError: there is not exactly one character between the quotes, or its escape is not one of Go's.
    """
    if text == "''":
        raise ConstantError("a character constant holds no character")
    code, _, end = _character(text, 1, "'")
    if end != len(text) - 1:
        raise ConstantError(f"{text} holds more than one character")
    return code


def _character(text: str, at: int, quote: str) -> tuple[int, bool, int]:
    """Read one character: its code, whether it is a lone byte, and where the next begins."""
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
    """Return the value of a number; None stands for one that parses but that no integer of Go holds.

    Raises:
        ConstantError: ``text`` is no number of Go.
    """
    if text.endswith("i"):
        imaginary = _float(text[:-1])
        if imaginary is not None:
            return complex(0, imaginary)
    try:
        value = parse_any_int(text)
    except NumberError as fault:
        return _no_integer(text, out_of_range=fault.out_of_range)
    # Go asks the text, not the value: a sign before 0x hides that an E is a digit.
    is_hex = len(text) > 2 and text[0] == "0" and text[1] in "xX" and not _has(text, "pP")
    return float(value) if not is_hex and _has(text, ".eEpP") else value


def complex_number(text: str) -> complex:
    """Return the value of ``1+2i``: two decimal floats, the second with a sign and ``i``.

    Raises:
        ConstantError: a part is no number.
    """
    sign = max(text.rfind("+"), text.rfind("-"))
    if text[sign - 1] in "eEpP":
        sign = max(text.rfind("+", 0, sign), text.rfind("-", 0, sign))
    real, imaginary = _float(text[:sign]), _float(text[sign:-1])
    if real is None or imaginary is None:
        raise ConstantError(f"{text} is not a number")
    return complex(real, imaginary)


def _no_integer(text: str, *, out_of_range: bool) -> float | None:
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
