"""Numbers, booleans and quoted strings in the notation of Go's strconv.

Source: Go 1.26 standard library, package strconv.
"""

from __future__ import annotations

import math
import re

_TRUE = frozenset({"1", "t", "T", "true", "TRUE", "True"})
_FALSE = frozenset({"0", "f", "F", "false", "FALSE", "False"})

# Like Go, accept underscores first and check them afterwards: their rule spans the whole literal.
_DECIMAL = r"[+-]?(?=[0-9._]*[0-9])[0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9][0-9_]*)?\Z"

# Compiled on first use, since few documents need them.
_INTEGER = r"([+-]?)(0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|0[0-7_]*|[1-9][0-9_]*)\Z"
_DIGITS = r"[+-]?[0-9]+\Z"
_HEX = r"[+-]?0[xX](?=[0-9a-fA-F._]*[0-9a-fA-F])[0-9a-fA-F_]*(?:\.[0-9a-fA-F_]*)?[pP][+-]?[0-9][0-9_]*\Z"
_SPECIAL = r"(?i:[+-]?inf(?:inity)?\Z|nan\Z)"
_MISPLACED_UNDERSCORE = r"(?<![0-9])_|_(?![0-9])"
_MISPLACED_HEX_UNDERSCORE = r"(?<![0-9a-fA-FxX])_|_(?![0-9a-fA-F])"

_LONGEST_INT = 200  # characters of a 64-bit integer in any base with underscores, generously
_BASES = {"0x": 16, "0o": 8, "0b": 2}


class NumberError(ValueError):
    """Go does not accept the text as a number of the requested type.

    Attributes:
        out_of_range: True if the text is a number that the type cannot hold.
    """

    def __init__(self, text: str, kind: str, *, out_of_range: bool = False) -> None:
        self.out_of_range = out_of_range
        fault = "is out of range for" if out_of_range else "is not"
        super().__init__(f"{quote(text)} {fault} {kind}")


def parse_bool(text: str) -> bool:
    """Parse a boolean like strconv.ParseBool.

    Raises:
        NumberError: ``text`` is not one of the twelve accepted words.
    """
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    raise NumberError(text, "a truth value")


def parse_float(text: str) -> float:
    """Parse a number like strconv.ParseFloat(text, 64): decimals, hexadecimal floats, infinities, NaN.

    Raises:
        NumberError: ``text`` is not a number, or out of range of float64.
    """
    if re.compile(_DECIMAL).match(text):
        if "_" in text and re.search(_MISPLACED_UNDERSCORE, text):
            raise NumberError(text, "a number")
        value = float(text.replace("_", ""))
        if math.isinf(value):
            raise NumberError(text, "a 64-bit float", out_of_range=True)
        return value
    if re.match(_SPECIAL, text):
        return float(text)
    if re.match(_HEX, text):
        digits, _, exponent = text.replace("P", "p").partition("p")
        if re.search(_MISPLACED_HEX_UNDERSCORE, digits) or re.search(_MISPLACED_UNDERSCORE, exponent):
            raise NumberError(text, "a number")
        try:
            return float.fromhex(text.replace("_", ""))
        except OverflowError:
            raise NumberError(text, "a 64-bit float", out_of_range=True) from None
    raise NumberError(text, "a number")


def parse_int(text: str, *, bits: int = 64) -> int:
    """Parse an integer like strconv.ParseInt(text, 10, bits): decimal digits with an optional sign.

    Raises:
        NumberError: ``text`` is not a decimal integer, or does not fit into ``bits`` bits with a sign.
    """
    if not re.match(_DIGITS, text):
        raise NumberError(text, "an integer")
    sign = text[0] if text[0] in "+-" else ""
    digits = text[len(sign) :].lstrip("0") or "0"
    return _in_range(text, -1 if sign == "-" else 1, digits, 10, bits)


def parse_any_int(text: str) -> int:
    """Parse an integer like strconv.ParseInt(text, 0, 64): a prefix selects the base, underscores may separate digits.

    Raises:
        NumberError: ``text`` is not an integer literal of Go, or does not fit into 64 bits with a sign.
    """
    match = re.match(_INTEGER, text)
    if match is None:
        raise NumberError(text, "an integer")
    literal = match[2]
    base = _BASES.get(literal[:2].lower())
    if base is None:
        base, digits = 8 if literal[0] == "0" else 10, literal
    else:
        digits = "0" + literal[2:]  # the prefix counts as a digit for an underscore that follows it
    if "_" in digits:
        if re.search(_MISPLACED_HEX_UNDERSCORE if base == 16 else _MISPLACED_UNDERSCORE, digits):
            raise NumberError(text, "an integer")
        digits = digits.replace("_", "")
    digits = digits.lstrip("0") or "0"
    return _in_range(text, -1 if match[1] == "-" else 1, digits, base, 64)


def _in_range(text: str, sign: int, digits: str, base: int, bits: int) -> int:
    if len(digits) <= _LONGEST_INT:
        value = sign * int(digits, base)
        if -(1 << bits - 1) <= value < 1 << bits - 1:
            return value
    raise NumberError(text, f"a {bits}-bit integer", out_of_range=True)


def shortest_digits(value: float) -> tuple[str, str, int]:
    """Return the sign, the fewest digits that parse to the same value, and the exponent of a finite ``value``.

    The sign is ``-`` or empty. The value is ``0.DIGITS * 10**exponent``. Zero has the digits ``0`` and the exponent 1.
    """
    text = repr(value)
    sign = "-" if text[0] == "-" else ""
    mantissa, _, power = text[len(sign) :].partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = whole + fraction
    exponent = len(whole) + int(power or "0")
    stripped = digits.lstrip("0")
    exponent -= len(digits) - len(stripped)
    stripped = stripped.rstrip("0")
    return (sign, stripped, exponent) if stripped else (sign, "0", 1)


def format_float(value: float) -> str:
    """Return ``value`` like strconv.FormatFloat with verb ``g`` and shortest precision, or ``%v`` of package fmt.

    Exponents below -4 and from 6 on use ``e`` notation: ``100000``, ``1e+06``. Infinities and NaN are ``+Inf``,
    ``-Inf`` and ``NaN``.
    """
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else "+Inf" if value > 0 else "-Inf"
    sign, digits, exponent = shortest_digits(value)
    if -4 <= exponent - 1 < 6:
        return sign + _positional(digits, exponent)
    return sign + scientific(digits, exponent - 1)


def format_plain(value: float) -> str:
    """Return a finite ``value`` without exponent, like FormatFloat with verb ``f`` and shortest precision."""
    sign, digits, exponent = shortest_digits(value)
    return sign + _positional(digits, exponent)


def scientific(digits: str, exponent: int) -> str:
    """Return digits in Go's ``e`` notation: ``scientific("15", 3)`` is ``1.5e+03``."""
    fraction = "." + digits[1:] if len(digits) > 1 else ""
    return f"{digits[0]}{fraction}e{exponent:+03d}"


def _positional(digits: str, exponent: int) -> str:
    if exponent <= 0:
        return "0." + "0" * -exponent + digits
    if exponent >= len(digits):
        return digits + "0" * (exponent - len(digits))
    return f"{digits[:exponent]}.{digits[exponent:]}"


_NAMED_ESCAPES = {
    '"': '\\"',
    "\\": "\\\\",
    "\a": "\\a",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\v": "\\v",
}


def quote(text: str) -> str:
    """Return ``text`` as a Go string literal in double quotes, like strconv.Quote, or ``%q`` of package fmt.

    A lone surrogate stands for a byte that is not UTF-8 (Python's ``surrogateescape``).
    """
    if text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    return '"' + "".join(map(_quoted, text)) + '"'


def _quoted(char: str) -> str:
    named = _NAMED_ESCAPES.get(char)
    if named is not None:
        return named
    if char.isprintable():
        return char
    code = ord(char)
    if code < 0x80:
        return f"\\x{code:02x}"
    # A surrogate of `surrogateescape` stands for a byte that is not UTF-8, which Go writes in this form.
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    # Go strings cannot contain other surrogates either; their three bytes are not UTF-8.
    if 0xD800 <= code <= 0xDFFF:
        return "".join(f"\\x{byte:02x}" for byte in char.encode("utf-8", "surrogatepass"))
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
