"""Resource quantities, such as ``250m`` CPU or ``1Gi`` memory: parsing, canonical text, comparison.

Source: k8s.io/apimachinery v0.34, pkg/api/resource, including its oddities: text that is nearly canonical is kept, a
lone suffix is zero, and fractions below a billionth are rounded up.
"""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias

from ..golang.strconv import NumberError, parse_int, quote

Format: TypeAlias = Literal["DecimalSI", "BinarySI", "DecimalExponent"]

_SHAPE = r"([+-]?)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)\Z"
_DECIMAL: Final = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
"""Exponents of ten by decimal suffix."""
_BINARY: Final = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
"""Exponents of two by binary suffix."""
_DECIMAL_SUFFIX = {power: suffix for suffix, power in _DECIMAL.items()}
_BINARY_SUFFIX = {power: suffix for suffix, power in _BINARY.items()}

_NANO = -9
"""Exponent of the smallest unit: the library rounds up to billionths."""
_MAX_INT64 = (1 << 63) - 1
"""The largest ``int64``. The Go library caps quantities with binary suffixes at this number."""
_FAST_DIGITS = 18
"""Maximum digits on the fast path of the Go library (``maxInt64Factors``), which always fit into an ``int64``.

On this path, the library keeps the texts of some quantities.
"""
_SPACES = " \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
"""Spaces that the Go library trims, among the characters that JSON does not escape."""

LONGEST: Final = 4000
"""Maximum characters of a quantity, because Python refuses to parse longer numbers. Usual ones are far shorter."""


class QuantityError(ValueError):
    """The text is not a Kubernetes quantity."""


class Quantity:
    """An exact amount: ``mantissa * 10**exponent``.

    Attributes:
        exponent: A power of ten.
        format: Family of suffixes in which the amount is written.
        verbatim: Text to write instead, if the Go library already counts the input as canonical; otherwise ``None``.
    """

    __slots__ = ("exponent", "format", "mantissa", "verbatim")

    def __init__(self, mantissa: int, exponent: int, family: Format, verbatim: str | None = None) -> None:
        self.mantissa = mantissa
        self.exponent = exponent
        self.format = family
        self.verbatim = verbatim

    def __str__(self) -> str:
        """Return the canonical text: an integer with the largest possible suffix or exponent.

        If the Go library already counts the parsed text as canonical, return the parsed text.
        """
        if self.verbatim is not None:
            return self.verbatim
        if self.mantissa == 0:
            return "0"
        if self.format == "BinarySI":
            whole = self._whole()
            # The library writes smaller amounts and fractions in decimal form (``CanonicalizeBytes``).
            if whole is not None and abs(whole) >= 1024:
                return _binary_text(whole)
        return self._decimal_text()

    def compare(self, other: Quantity) -> int:
        """Return -1, 0 or 1 if the amount is less than, equal to or more than the other."""
        if self.sign != other.sign or self.sign == 0:
            return (self.sign > other.sign) - (self.sign < other.sign)
        mine, rival = self.magnitude, other.magnitude
        if mine != rival:
            return self.sign if mine > rival else -self.sign
        # With equal magnitudes, the exponents differ by no more than the numbers of digits.
        base = min(self.exponent, other.exponent)
        left: int = self.mantissa * 10 ** (self.exponent - base)
        right: int = other.mantissa * 10 ** (other.exponent - base)
        return (left > right) - (left < right)

    @property
    def sign(self) -> int:
        """The sign of the amount: -1, 0 or 1."""
        return (self.mantissa > 0) - (self.mantissa < 0)

    @property
    def magnitude(self) -> int:
        """The number of digits before the decimal point; zero or negative for amounts below 1."""
        return len(str(abs(self.mantissa))) + self.exponent

    def _whole(self) -> int | None:
        """Return the amount as an integer, or ``None`` if it has a fraction. The exponent must be -9 to 0."""
        whole, rest = divmod(self.mantissa, 10**-self.exponent)
        return None if rest else whole

    def _decimal_text(self) -> str:
        digits = str(self.mantissa)
        stripped = digits.rstrip("0")
        power = self.exponent + len(digits) - len(stripped)
        # Only every third power of ten has a suffix.
        text = stripped + "0" * (power % 3)
        power -= power % 3
        if self.format == "DecimalExponent":
            return f"{text}e{power}" if power else text
        # There is no suffix beyond 10**18; the library then writes none.
        return text + _DECIMAL_SUFFIX.get(power, "")


def parse(text: str) -> Quantity:
    """Parse a quantity like Go's resource.ParseQuantity. Surrounding spaces are an error.

    Raises:
        QuantityError: ``text`` is not a quantity.
    """
    match = re.compile(_SHAPE).match(text) if len(text) <= LONGEST else None
    if match is None or not text:
        # The text may have any length, so the message quotes only its start.
        raise QuantityError(f"{quote(text[:80])} is not a quantity such as 500m, 2 or 1Gi")
    # The library treats exactly this text as a special case.
    if text == "0":
        return Quantity(0, 0, "DecimalSI", text)
    negative = match[1] == "-"
    whole = match[2].lstrip("0") or "0"
    fraction = match[3] or ""
    power, family = _power(text, match[4])
    digits = whole + fraction
    if family == "BinarySI":
        shift, power = power, 0
        # Like ParseQuantity, which takes 2**10 for about three decimal digits of 15.
        room = 15 - len(whole) - shift * 3 // 10 - 1 if not fraction else -1
    else:
        shift = 0
        room = _FAST_DIGITS - len(digits)
    amount = int(digits) << shift
    exponent = power - len(fraction)
    if room >= 0 and exponent >= _NANO:
        # Like ParseQuantity, which keeps texts in canonical form, except of a binary number divisible by 8.
        is_verbatim = (
            int(digits) & 7 if shift else exponent % 3 == 0 and not digits.endswith("000") and digits[0] != "0"
        )
        return Quantity(-amount if negative else amount, exponent, family, text if is_verbatim else None)
    if not match[2] and not fraction:
        raise QuantityError(f"{quote(text)} has no digits")
    return _bounded(amount, exponent, family, negative=negative)


def read(value: object) -> Quantity:
    """Parse a quantity from data as the API does: a string, possibly with surrounding spaces, a number, or ``None``.

    Raises:
        QuantityError: ``value`` is not a quantity.
    """
    if value is None:
        return Quantity(0, 0, "DecimalSI")
    if isinstance(value, str):
        return parse(value.strip(_SPACES))
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        from ..golang.json import number

        try:
            return parse(number(value))
        except NumberError as error:
            raise QuantityError(str(error)) from None
    raise QuantityError("a quantity is a text such as 500m, 2 or 1Gi, or a number")


def canonical(text: str) -> str:
    """Return the canonical text of a quantity.

    Raises:
        QuantityError: ``text`` is not a quantity.
    """
    return str(parse(text))


def _power(text: str, suffix: str) -> tuple[int, Format]:
    """Return the exponent and the family of a suffix. The base of the exponent is 2 for ``BinarySI``, otherwise 10."""
    if suffix in _DECIMAL:
        return _DECIMAL[suffix], "DecimalSI"
    if suffix in _BINARY:
        return _BINARY[suffix], "BinarySI"
    if suffix[0] in "eE":
        try:
            power = parse_int(suffix[1:])
        except NumberError:
            pass
        else:
            # The library keeps the lower 32 bits.
            return (power + (1 << 31)) % (1 << 32) - (1 << 31), "DecimalExponent"
    raise QuantityError(f"{quote(text)} has the unknown suffix {quote(suffix)}")


def _bounded(amount: int, exponent: int, family: Format, *, negative: bool) -> Quantity:
    """Return ``amount * 10**exponent`` within the range of the Go library, negated if ``negative`` is true.

    Fractions are rounded up to billionths, away from zero. Amounts with binary suffixes are capped at ``_MAX_INT64``.
    """
    if exponent < _NANO:
        excess = _NANO - exponent
        if excess > len(str(amount)):
            amount = min(amount, 1)
        else:
            amount, rest = divmod(amount, 10**excess)
            # Away from zero, because the sign is applied later.
            amount += rest > 0
        exponent = _NANO
    if family == "BinarySI":
        unit: int = 10**-exponent
        if amount > _MAX_INT64 * unit:
            amount, exponent = _MAX_INT64, 0
        elif 0 < amount < unit:
            family = "DecimalSI"
    return Quantity(-amount if negative else amount, exponent, family)


def _binary_text(whole: int) -> str:
    power = 0
    while whole % 1024 == 0:
        whole //= 1024
        power += 10
    return f"{whole}{_BINARY_SUFFIX.get(power, '')}"
