"""What a scalar of YAML means to Go: to Kubernetes' reader and to the vMCP process's.

Both readers are ports of libyaml with their own table of plain words and numbers, which agrees with neither YAML 1.1
nor 1.2: ``010`` is 8 and ``08`` is 8 too, ``1e400`` stays text, ``1:30`` and dates are text. Kubernetes' reader also
takes ``yes``, ``no``, ``on``, ``off``, ``y`` and ``n`` for booleans.

Source: sigs.k8s.io/yaml v1.6.0 over go.yaml.in/yaml/v2 v2.4.2 (Kubernetes), gopkg.in/yaml.v3 v3.0.1 (vMCP).
"""

from __future__ import annotations

import re
import struct
from math import isfinite
from typing import Any, Final, Literal, TypeAlias

Dialect: TypeAlias = Literal["kubernetes", "vmcp"]

NULLS: Final = frozenset({"", "~", "null", "Null", "NULL"})

MEANINGFUL_FIRST: Final = frozenset("0123456789+-.~yYnNtTfFoO") | {""}
"""How an unquoted scalar begins that may be anything but text; the empty string is null."""

_INT64_MIN: Final = -(2**63)
_INT64_MAX: Final = 2**63 - 1
_UINT64_MAX: Final = 2**64 - 1

_WORDS: Final[dict[str, Any]] = (
    dict.fromkeys(("true", "True", "TRUE"), True)
    | dict.fromkeys(("false", "False", "FALSE"), False)
    | dict.fromkeys(NULLS, None)
    | dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan"))
    | dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), float("inf"))
    | dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf"))
)
_KUBERNETES_WORDS: Final[dict[str, Any]] = (
    _WORDS
    | dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "on", "On", "ON"), True)
    | dict.fromkeys(("n", "N", "no", "No", "NO", "off", "Off", "OFF"), False)
)

_DECIMAL: Final = re.compile(r"[-+]?(?:\.[0-9]++|[0-9]++(?:\.[0-9]*+)?)(?:[eE][-+]?[0-9]++)?\Z")
_POINT_FIRST: Final = re.compile(r"\.[0-9](?:_?[0-9])*+(?:[eE][-+]?[0-9](?:_?[0-9])*+)?\Z")
_INTEGER: Final = re.compile(
    r"([-+]?)(?:0[xX]([0-9a-fA-F]++)|0[bB]([01]++)|0[oO]([0-7]++)|0([0-7]++)|(0|[1-9][0-9]*+))\Z",
)
_SIGNED_BINARY: Final = re.compile(r"0b([-+])([01]++)\Z")
_SIGNED_OCTAL: Final = re.compile(r"0o([-+])([0-7]++)\Z")
_BASES: Final = (16, 2, 8, 8, 10)
_MOST_DIGITS: Final = 64

_TIMESTAMP: Final = re.compile(
    r"(?P<year>[0-9]{4})-(?P<month>[0-9]{1,2})-(?P<day>[0-9]{1,2})"
    r"(?:(?P<mark>[Tt ])(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{1,2}):(?P<second>[0-9]{1,2})(?:[.,][0-9]+)?"
    r"(?P<zone>Z|[-+][0-9]{2}:[0-9]{2})?)?\Z",
)


def plain(text: str, dialect: Dialect) -> Any:
    """Resolve an unquoted scalar without a tag: ``None``, a boolean, an integer, a float or the text itself.

    Floats keep their type, ``.inf`` and ``.nan`` too; see `json_number` for what Kubernetes makes of them.
    """
    words = _KUBERNETES_WORDS if dialect == "kubernetes" else _WORDS
    if text in words:
        return words[text]
    first = text[0]
    if first in "0123456789+-":
        value = _number(text.replace("_", ""), dialect)
    elif first == "." and _POINT_FIRST.match(text):
        value = _finite(text)
    else:
        return text
    return text if value is None else value


def tagged(tag: str, text: str, dialect: Dialect) -> Any:
    """Resolve a scalar under a core tag, such as ``!!int``, which its text has to fit.

    Args:
        tag: The last part of the tag: ``int``, ``float``, ``bool``, ``null`` or ``timestamp``.
        text: What is written.
        dialect: Who reads.

    Raises:
        ValueError: The text is not of that type.
    """
    value = plain(text, dialect)
    if tag == "timestamp" and is_timestamp(text):
        return value
    if tag == "float" and type(value) is int and _INT64_MIN <= value <= _INT64_MAX:
        return float(value)
    found = {bool: "bool", int: "int", float: "float", type(None): "null"}.get(type(value), "str")
    if found != tag:
        raise ValueError(text)
    return value


def json_number(value: float) -> int | float:
    """Give the number that is left of a float once Kubernetes has written it as JSON and read it again.

    ``1.0`` and ``1e3`` are written without a point and come back as integers. Negative zero stays what it is.
    """
    if not value.is_integer() or abs(value) >= 2**63 or (value == 0 and str(value)[0] == "-"):
        return value
    mantissa, _, exponent = repr(value).partition("e")
    if not exponent:
        return int(value)
    whole, _, rest = mantissa.partition(".")
    return int(whole + rest.ljust(int(exponent), "0"))


def key_text(value: Any) -> str | None:
    """Write a resolved key as the JSON key that Kubernetes makes of it; ``None`` where it makes none.

    Source: convertToJSONableObject of sigs.k8s.io/yaml, which formats floats in 32 bits.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if value <= _INT64_MAX else None
    return _float_key(value) if isinstance(value, float) else None


def _float_key(value: float) -> str:
    """Format like Go's ``strconv.FormatFloat(value, 'g', -1, 32)``, with YAML's words for what is no number."""
    try:
        (narrow,) = struct.unpack("f", struct.pack("f", value))
    except OverflowError:
        narrow = value * float("inf")
    if not isfinite(narrow):
        return ".nan" if narrow != narrow else ".inf" if narrow > 0 else "-.inf"  # noqa: PLR0124 - only NaN differs
    written = next(text for digits in range(9) if struct.pack("f", float(text := f"{narrow:.{digits}e}")) == _f(narrow))
    mantissa, _, exponent = written.partition("e")
    power = int(exponent)
    digits = len(mantissa.lstrip("-").replace(".", ""))
    if not -4 <= power < 6:
        return f"{mantissa}e{power:+03d}"
    return f"{float(written):.{max(0, digits - 1 - power)}f}"


def _f(value: float) -> bytes:
    return struct.pack("f", value)


def is_timestamp(text: str) -> bool:
    """Tell whether Go's YAML readers take ``text`` for a point in time."""
    match = _TIMESTAMP.match(text)
    if match is None:
        return False
    year, month, day = int(match["year"]), int(match["month"]), int(match["day"])
    if not 1 <= month <= 12 or not 1 <= day <= _days(year, month):
        return False
    if match["mark"] is None:
        return True
    zone = match["zone"]
    return (
        int(match["hour"]) < 24
        and int(match["minute"]) < 60
        and int(match["second"]) < 60
        and (zone is not None) == (match["mark"] != " ")
        and (zone in {None, "Z"} or (int(zone[1:3]) <= 24 and int(zone[4:6]) < 60))
    )


def _days(year: int, month: int) -> int:
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in {4, 6, 9, 11} else 31


def _number(text: str, dialect: Dialect) -> int | float | None:
    """Read an integer or a float as Go does after underscores are gone; ``None`` where it is text."""
    match = _INTEGER.match(text)
    if match:
        group = match.lastindex or 0
        value = _bounded(match[1], match[group], _BASES[group - 2])
        if value is not None:
            return value
    if _DECIMAL.match(text):
        return _finite(text)
    match = _SIGNED_BINARY.match(text)
    if match:
        return _bounded(match[1], match[2], 2)
    match = _SIGNED_OCTAL.match(text) if dialect == "vmcp" else None
    return _bounded(match[1], match[2], 8) if match else None


def _bounded(sign: str, digits: str, base: int) -> int | None:
    """Read digits as a signed integer of 64 bits, or an unsigned one where no sign is written."""
    digits = digits.lstrip("0")
    if len(digits) > _MOST_DIGITS:
        return None
    value = int(digits or "0", base)
    if sign == "-":
        return -value if -value >= _INT64_MIN else None
    return value if value <= (_INT64_MAX if sign else _UINT64_MAX) else None


def _finite(text: str) -> float | None:
    value = float(text)
    return value if isfinite(value) else None
