"""Resolve YAML scalars like Go, convert them like JSON, and decide which strings go-yaml must quote.

Both decoders are ports of libyaml with their own table of plain words and numbers, which follows neither YAML 1.1 nor
1.2: ``010`` and ``08`` are both 8, and ``1e400``, ``1:30`` and dates are strings. Version 2, which Kubernetes uses,
also reads ``yes``, ``no``, ``on``, ``off``, ``y`` and ``n`` as booleans.

Source: go.yaml.in/yaml/v2 v2.4.2 and gopkg.in/yaml.v3 v3.0.1, their resolvers; sigs.k8s.io/yaml v1.6.0 for JSON;
time.Parse of Go 1.26.
"""

from __future__ import annotations

import math
import re
from typing import Any, Final

NULLS: Final = frozenset({"", "~", "null", "Null", "NULL"})

_WORDS_OF_V3: Final[dict[str, Any]] = (
    dict.fromkeys(("true", "True", "TRUE"), True)
    | dict.fromkeys(("false", "False", "FALSE"), False)
    | dict.fromkeys(NULLS, None)
    | dict.fromkeys((".nan", ".NaN", ".NAN"), math.nan)
    | dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), math.inf)
    | dict.fromkeys(("-.inf", "-.Inf", "-.INF"), -math.inf)
)
_WORDS_OF_V2: Final[dict[str, Any]] = (
    _WORDS_OF_V3
    | dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "on", "On", "ON"), True)
    | dict.fromkeys(("n", "N", "no", "No", "NO", "off", "Off", "OFF"), False)
)
MEANINGFUL_FIRST: Final = frozenset("0123456789+-.~yYnNtTfFoO") | {""}
"""First characters of unquoted scalars that may not be strings; the empty string is null."""

WORDS: Final = frozenset(_WORDS_OF_V2)
"""Plain scalars that are nulls, booleans of YAML 1.1, or floats such as ``.inf``."""

# Patterns are compiled on first use; most runs do not need them.
_DECIMAL = r"[-+]?(?:\.[0-9]++|[0-9]++(?:\.[0-9]*+)?)(?:[eE][-+]?[0-9]++)?\Z"
_POINT_FIRST = r"\.[0-9](?:[0-9]|_[0-9])*+(?:[eE][-+]?[0-9](?:[0-9]|_[0-9])*+)?\Z"
_INTEGER = r"([-+]?)(?:0[xX]([0-9a-fA-F]++)|0[bB]([01]++)|0[oO]([0-7]++)|0([0-7]++)|(0|[1-9][0-9]*+))\Z"
_SIGN_AFTER_BINARY = r"0b([-+])([01]++)\Z"
_SIGN_AFTER_OCTAL = r"0o([-+])([0-7]++)\Z"
_BASES = (16, 2, 8, 8, 10)  # of the groups of _INTEGER after the sign
_DIGITS_THAT_FIT = 19  # fewer decimal digits are always an integer of 64 bits
_LAST = frozenset("0123456789abcdefABCDEF.")  # what a number may end with
_MOST_DIGITS = 64  # of an integer of 64 bits, in any base
_BASE_60 = r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?\Z"
_TIMESTAMP = (
    r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})"
    r"(?:(?:[Tt]| +)([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,][0-9]+)?(Z|[-+][0-9]{2}:[0-9]{2})?)?\Z"
)
_MONTH_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_INT64: Final = range(-(1 << 63), 1 << 63)
_WORDS_FOR_FLOATS: Final = {"+Inf": ".inf", "-Inf": "-.inf", "NaN": ".nan"}


def resolve_plain(text: str, *, v3: bool) -> Any:
    """Return the value of an unquoted scalar without tag: null, boolean, number or string.

    A timestamp is a string: version 2 keeps the text, and so does version 3 in a string field.

    Args:
        v3: True for the rules of yaml.v3.
    """
    words = _WORDS_OF_V3 if v3 else _WORDS_OF_V2
    if text in words:
        return words[text]
    first = text[0]
    value: float | None = None
    if first in "0123456789+-":
        value = _number(text.replace("_", ""), v3=v3)
    elif first == "." and re.match(_POINT_FIRST, text):
        value = _finite(text)
    return text if value is None else value


def resolve_tagged(text: str, tag: str, *, v3: bool) -> Any:
    """Return the value of a scalar with a core tag, such as ``!!int``.

    Args:
        tag: Last part of the tag: ``int``, ``float``, ``bool``, ``null`` or ``timestamp``.
        v3: True for the rules of yaml.v3.

    Raises:
        ValueError: The text does not have that type.
    """
    value = resolve_plain(text, v3=v3)
    if tag == "timestamp" and is_timestamp(text):
        return value
    # Like go-yaml's resolve, which converts an int64, but no uint64.
    if tag == "float" and type(value) is int and -(1 << 63) <= value < 1 << 63:
        return float(value)
    type_tag = {bool: "bool", int: "int", float: "float", type(None): "null"}.get(type(value), "str")
    if type_tag != tag:
        raise ValueError(text)
    return value


def json_number(value: float) -> int | float:
    """Return a float as it is after Kubernetes has written it as JSON and read it again.

    ``1.0`` and ``1e3`` are written without decimal point and become integers. Negative zero stays a float.
    """
    # From 1e21 on, Go's encoding/json writes an exponent, so the number stays a float.
    if not value.is_integer() or abs(value) >= 1e21 or (value == 0 and math.copysign(1, value) < 0):
        return value
    from ..strconv import format_plain

    number = int(format_plain(value))
    return number if number in _INT64 else value


def key_text(value: Any) -> str | None:
    """Return the JSON key that Kubernetes creates from a resolved YAML key, or ``None`` if Kubernetes refuses the key.

    Source: convertToJSONableObject of sigs.k8s.io/yaml, which formats floats in 32 bits.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if value in _INT64 else None
    if isinstance(value, float):
        from ..strconv import format_float

        written = format_float(_shortened(value))
        return _WORDS_FOR_FLOATS.get(written, written)
    return None


def reads_as_other(text: str, *, v3: bool) -> bool:
    """Return whether the plain scalar ``text`` is a null, boolean, number, timestamp or base 60 number.

    Args:
        text: A string without line breaks.
        v3: True for the rules of yaml.v3, which differ only for ``0o-7``.
    """
    if text in WORDS:
        return True
    if text[0] not in "+-.0123456789":
        return False
    return not isinstance(resolve_plain(text, v3=v3), str) or is_timestamp(text) or re.match(_BASE_60, text) is not None


def is_timestamp(text: str) -> bool:
    """Return whether one of go-yaml's four layouts accepts ``text``, with the leniency of time.Parse."""
    match = re.match(_TIMESTAMP, text)
    if match is None:
        return False
    year, month, day = int(match[1]), int(match[2]), int(match[3])
    if not (1 <= month <= 12 and 1 <= day <= _MONTH_DAYS[month - 1]):
        return False
    if month == 2 and day == 29 and not (year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)):
        return False
    if match[4] is None:
        return True
    if int(match[4]) > 23 or int(match[5]) > 59 or int(match[6]) > 59:
        return False
    zone = match[7]
    if (zone is None) == (text[match.end(3)] in "Tt"):  # a T requires a zone, a space forbids it
        return False
    # Go accepts the offset 24:60, although no zone has it.
    return zone in {None, "Z"} or (int(zone[1:3]) <= 24 and int(zone[4:]) <= 60)


def _number(text: str, *, v3: bool) -> int | float | None:
    """Return the integer or float that a text without underscores spells, or ``None`` if it spells no number."""
    if (text[:1] != "0" or text == "0") and len(text) < _DIGITS_THAT_FIT and text.isascii() and text.isdigit():
        return int(text)
    if text[-1:] not in _LAST:  # usually a quantity or a duration
        return None
    match = re.match(_INTEGER, text)
    if match:
        group = match.lastindex or 0
        value = _bounded(match[1], match[group], _BASES[group - 2])
        if value is not None:
            return value
    if re.match(_DECIMAL, text):
        return _finite(text)
    match = re.match(_SIGN_AFTER_BINARY, text)
    if match:
        return _bounded(match[1], match[2], 2)
    match = re.match(_SIGN_AFTER_OCTAL, text) if v3 else None
    return _bounded(match[1], match[2], 8) if match else None


def _bounded(sign: str, digits: str, base: int) -> int | None:
    """Return the integer that ``digits`` spell, or ``None`` if it exceeds int64 with a sign, or uint64 without."""
    digits = digits.lstrip("0")
    if len(digits) > _MOST_DIGITS:
        return None
    value = int(digits or "0", base)
    if sign == "-":
        return -value if value <= 1 << 63 else None
    return value if value < 1 << (63 if sign else 64) else None


def _finite(text: str) -> float | None:
    value = float(text)
    return value if math.isfinite(value) else None


def _shortened(value: float) -> float:
    """Return the shortest float that rounds to the same 32-bit float as ``value``, or an infinity out of range."""
    import struct

    try:
        packed = struct.pack("f", value)
    except OverflowError:
        return math.copysign(math.inf, value)
    if not math.isfinite(value):
        return value
    (narrow,) = struct.unpack("f", packed)
    # Nine digits, eight of them after the point, identify every 32-bit float.
    return next(short for digits in range(9) if struct.pack("f", short := float(f"{narrow:.{digits}e}")) == packed)
