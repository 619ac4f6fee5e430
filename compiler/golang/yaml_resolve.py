"""Which texts go-yaml would read back as something else than a string, so that it writes them in quotes.

Source: go.yaml.in/yaml/v2 v2.4 and gopkg.in/yaml.v3 v3.0.1, their resolvers; time.Parse of Go 1.26.
"""

from __future__ import annotations

import math
import re
from typing import Final

from .strconv import NumberError, parse_any_int, parse_float

WORDS: Final = frozenset(
    (
        "",
        "~",
        *("null", "Null", "NULL", "true", "True", "TRUE", "false", "False", "FALSE"),
        *("y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "n", "N", "no", "No", "NO", "off", "Off", "OFF"),
        *(".nan", ".NaN", ".NAN"),
        *(sign + word for sign in ("", "+", "-") for word in (".inf", ".Inf", ".INF")),
    )
)
"""Nulls, truth values of YAML 1.1, and the floats that are words."""

_DECIMAL = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")
_BASED = re.compile(r"[-+]?0[xXbBoO][-+]?[0-9a-fA-F]+\Z")
_BASE_60 = re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?\Z")
_TIMESTAMP = re.compile(
    r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})"
    r"(?:(?:[Tt]| +)([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,][0-9]+)?(Z|[-+][0-9]{2}:[0-9]{2})?)?\Z"
)
_MONTH_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def reads_as_other(text: str, *, v3: bool) -> bool:
    """Tell whether the plain scalar ``text`` is a null, truth value, number, timestamp or base 60 number.

    Args:
        text: A text without line breaks.
        v3: By the rules of yaml.v3; its only difference from v2 is ``0o-7``.
    """
    if text in WORDS:
        return True
    first = text[0]
    if first == ".":
        return _is_float(text)
    if first not in "+-0123456789":
        return False
    return _is_number(text.replace("_", ""), v3=v3) or _is_timestamp(text) or _BASE_60.match(text) is not None


def _is_float(text: str) -> bool:
    try:
        parse_float(text)
    except NumberError:
        return False
    return True


def _is_number(text: str, *, v3: bool) -> bool:
    if _DECIMAL.match(text):
        return not math.isinf(float(text))
    if not _BASED.match(text):
        return False
    try:
        parse_any_int(text)
    except NumberError as error:
        return _is_odd_number(text, v3=v3, out_of_range=error.out_of_range)
    return True


def _is_odd_number(text: str, *, v3: bool, out_of_range: bool) -> bool:
    """Tell the two oddities: unsigned integers of 64 bits, and a sign after the prefix (``0b-1``)."""
    if out_of_range:
        return text[0] == "0" and int(text, 0) < 1 << 64
    if text[:2] == "0b" or (v3 and text[:2] == "0o"):
        sign, digits = text[2], text[3:].lstrip("0")
        base = 2 if text[1] == "b" else 8
        if sign in "+-" and len(digits) <= 64 and set(text[3:]) <= set("01234567"[:base]):
            value = int(digits or "0", base) * (-1 if sign == "-" else 1)
            return -(1 << 63) <= value < 1 << 63
    return False


def _is_timestamp(text: str) -> bool:
    """Tell whether one of go-yaml's four layouts reads ``text``, with the leniency of time.Parse."""
    match = _TIMESTAMP.match(text)
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
    if (zone is None) == (text[match.end(3)] in "Tt"):  # a T demands a zone, a space forbids it
        return False
    return zone in {None, "Z"} or (int(zone[1:3]) <= 24 and int(zone[4:]) <= 60)
