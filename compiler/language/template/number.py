"""Format numbers like Go's package fmt.

Source: Go 1.26 fmt and strconv.
"""

from __future__ import annotations

import math
from typing import Final

from ...golang.strconv import format_float, format_plain, scientific, shortest_digits

_MANTISSA_BITS: Final = 52
"""Bits of the mantissa that a float64 stores."""


def float_text(value: float, verb: str, precision: int) -> str:
    """Return ``value`` as text, like strconv.FormatFloat.

    Args:
        verb: One of ``e E f g G b x X``.
        precision: Digits after the point, or all digits for ``g`` and ``G``; -1 for the fewest that identify it.
    """
    if not math.isfinite(value):
        return format_float(value)
    if verb == "b":
        mantissa, exponent = _parts(value)
        return f"{_sign(value)}{mantissa}p{exponent:+d}"
    if verb in "xX":
        text = _hexadecimal(value, precision)
        return text.upper() if verb == "X" else text
    if precision >= 0:
        return format(value, f".{precision or 1 if verb in 'gG' else precision}{verb}")
    if verb == "f":
        return format_plain(value)
    if verb in "gG":
        text = format_float(value)
    else:
        sign, digits, exponent = shortest_digits(value)
        text = sign + scientific(digits, exponent - 1 if value else 0)
    return text.upper() if verb in "EG" else text


def integer_text(value: int, base: int, *, upper: bool = False) -> str:
    """Return a nonnegative integer in base 2, 8, 10 or 16, without prefix. ``upper`` is for hexadecimal digits."""
    return format(value, {2: "b", 8: "o", 10: "d", 16: "X" if upper else "x"}[base])


def _sign(value: float) -> str:
    return "-" if math.copysign(1, value) < 0 else ""


def _parts(value: float) -> tuple[int, int]:
    """Return the integers whose product ``mantissa * 2**exponent`` is the magnitude of ``value``."""
    fraction, exponent = math.frexp(abs(value))
    # The smallest float64 above zero is 2**-1074.
    exponent = max(exponent - _MANTISSA_BITS - 1, -1074) if value else -1074
    return int(math.ldexp(fraction, math.frexp(abs(value))[1] - exponent)) if value else 0, exponent


def _hexadecimal(value: float, precision: int) -> str:
    if not value:
        digits = "0" * max(precision, 0)
        return f"{_sign(value)}0x0{'.' if digits else ''}{digits}p+00"
    mantissa, exponent = _parts(value)
    bits = mantissa.bit_length()
    exponent += bits - 1
    # Like strconv's fmtX: the leading bit is bit 60, and the 60 bits below it are the 15 digits after the point.
    mantissa <<= 60 - (bits - 1)
    if 0 <= precision < 15:
        drop = 4 * (15 - precision)
        half, rest = 1 << (drop - 1), mantissa & ((1 << drop) - 1)
        mantissa >>= drop
        if rest > half or (rest == half and mantissa & 1):
            mantissa += 1
        mantissa <<= drop
        if mantissa >> 61:
            mantissa >>= 1
            exponent += 1
    digits = format(mantissa & ((1 << 60) - 1), "015x")
    digits = digits.rstrip("0") if precision < 0 else digits[:precision].ljust(precision, "0")
    return f"{_sign(value)}0x1{'.' if digits else ''}{digits}p{exponent:+03d}"
