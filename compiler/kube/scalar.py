"""Single values of Kubernetes' Go types, decoded from JSON values like encoding/json."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.shown import shown

if TYPE_CHECKING:
    from collections.abc import Callable


class Refusal(NamedTuple):
    """The reason why Go cannot decode a value, and a hint on how to fix the value."""

    message: str
    hint: str | None = None


class GoScalar(NamedTuple):
    """How JSON values are decoded into a Go type.

    Attributes:
        zero: Zero value, as Go writes it.
        read: Returns the value as Go would write it, or a ``Refusal``, for any JSON value except null.
        null: Returns the value after Go decodes null, given the previous value.
    """

    zero: Any
    read: Callable[[Any], Any]
    null: Callable[[Any], Any]


_INT64 = range(-(1 << 63), 1 << 63)


def read_string(value: Any) -> str | Refusal:
    """Return a string as Go decodes it. Every other type is refused."""
    if isinstance(value, str):
        return value
    # No exact proposal: the text may have another spelling of the value, such as y, 010 or 1.10.
    hint = "put it in quotes" if isinstance(value, (bool, int, float)) else None
    return Refusal(f"{shown(value)} where a string is needed", hint)


def read_bool(value: Any) -> bool | Refusal:
    """Return a boolean as Go decodes it. Every other type is refused."""
    if isinstance(value, bool):
        return value
    hint = None
    if isinstance(value, str) and value.lower() in {"true", "false"}:
        hint = f"write {value.lower()} without quotes"
    return Refusal(f"{shown(value)} where true or false is needed", hint)


def read_int32(value: Any) -> int | Refusal:
    """Decode a 32-bit integer. A float without fraction is accepted, because the API server stores it as an integer."""
    return _read_integer(value, 32)


def read_int64(value: Any) -> int | Refusal:
    """Decode a 64-bit integer. A float without fraction is accepted, because the API server stores it as an integer."""
    return _read_integer(value, 64)


def _read_integer(value: object, bits: int) -> int | Refusal:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        hint = None
        if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,18}", value):
            hint = f"write {value} without quotes"
        return Refusal(f"{shown(value)} where a whole number is needed", hint)
    if isinstance(value, float):
        # The API server stores 3.0 as 3, but floats from 1e21 on with an exponent.
        if not (value.is_integer() and abs(value) < 1e21):
            return Refusal(f"{shown(value)} where a whole number is needed")
        value = int(value)
    if not -(1 << bits - 1) <= value < 1 << bits - 1:
        return Refusal(f"{shown(value)} does not fit into {bits} bits")
    return value


def read_quantity(value: Any) -> str | Refusal:
    """Decode a quantity, given as a string or number. Return its canonical text."""
    if isinstance(value, str) and len(value) > _LONGEST_KEPT:
        return _read_quantity.__wrapped__(value)
    if isinstance(value, (str, int, float)):
        return _read_quantity(value)
    return Refusal(f"{shown(value)} where a quantity is needed", _QUANTITY_HINT)


_LONGEST_KEPT = 100
"""Maximum characters of a cached quantity, so that the cache cannot grow with hostile texts."""
_QUANTITY_HINT = "write an amount such as 500m, 2 or 1Gi"


@lru_cache(1024, typed=True)
def _read_quantity(value: str | float) -> str | Refusal:
    """Decode a quantity to its canonical text. The result is cached, because files repeat the same few quantities."""
    from ..golang.value import as_float
    from . import quantity

    try:
        if isinstance(value, int) and value not in _INT64:
            value = as_float(value)  # the API server stores it as a float
        return str(quantity.read(value))
    except ValueError:
        return Refusal(f"{shown(value)} is not a quantity", _QUANTITY_HINT)


def read_int_or_string(value: Any) -> int | str | Refusal:
    """Decode a port: a 32-bit integer, or the name of a port, which may be any string."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return Refusal(f"{shown(value)} where a number or a name is needed")
    return _read_integer(value, 32)


# Compiled at the first time stamp, since few documents have one.
_TIME = (
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{1,2}):([0-9]{2}):([0-9]{2})(?:[.,]([0-9]+))?"
    r"(?:Z|([+-])([0-9]{2}):([0-9]{2}))"
)
_CALENDAR_CYCLE_YEARS = 400
"""The Gregorian calendar repeats after this many years. A time is computed in an earlier or later year of the cycle."""
_LATEST_SHIFT_YEARS = 5000
"""Times after this year are shifted back by a cycle, and others forward: Python supports only years 1 to 9999."""


def read_time(value: Any) -> str | Refusal | None:
    """Return an RFC 3339 time stamp in UTC, in whole seconds. Return ``None`` for the zero time of Go, in year 1."""
    if not isinstance(value, str):
        return Refusal(f"{shown(value)} where a time stamp is needed", _TIME_HINT)
    match = re.fullmatch(_TIME, value)
    text = None if match is None else _utc(match)
    if text is None:
        return Refusal(f"{shown(value)} is not a time stamp", _TIME_HINT)
    # Go's time has nanoseconds, so time.Parse drops all digits after the ninth.
    if text == "0001-01-01T00:00:00Z" and match is not None and not (match[7] or "")[:9].strip("0"):
        return None
    return text


_TIME_HINT = "write a time stamp such as 2026-01-31T12:00:00Z"


def _utc(match: re.Match[str]) -> str | None:
    from datetime import datetime, timedelta

    year, month, day, hour, minute, second = (int(match[i]) for i in range(1, 7))
    offset_hours, offset_minutes = int(match[9] or 0), int(match[10] or 0)
    # time.Parse accepts offsets of 24 hours and 60 minutes, because some people write them.
    if offset_hours > 24 or offset_minutes > 60:
        return None
    # Python's calendar is limited to the years 1 to 9999, Go's is not. The calendar repeats every 400 years.
    shift = -_CALENDAR_CYCLE_YEARS if year > _LATEST_SHIFT_YEARS else _CALENDAR_CYCLE_YEARS
    try:
        moment = datetime(year + shift, month, day, hour, minute, second)  # noqa: DTZ001 - UTC by construction
    except ValueError:
        return None
    offset = timedelta(hours=offset_hours, minutes=offset_minutes)
    moment += offset if match[8] == "-" else -offset
    year = moment.year - shift
    return f"{'-' if year < 0 else ''}{abs(year):04d}{moment:-%m-%dT%H:%M:%SZ}"


def read_raw(value: Any) -> Any | Refusal:
    """Return a value of any type, which Go keeps as raw JSON. Keys are sorted, because the API server sorts them."""
    from ..golang.value import sorted_maps

    try:
        return sorted_maps(value)
    except RecursionError:
        return Refusal("a value that is nested too deeply")


def _unchanged(old: Any) -> Any:
    return old


SCALARS: dict[str, GoScalar] = {
    "string": GoScalar("", read_string, _unchanged),
    "bool": GoScalar(False, read_bool, _unchanged),
    "int32": GoScalar(0, read_int32, _unchanged),
    "int64": GoScalar(0, read_int64, _unchanged),
    "Quantity": GoScalar("0", read_quantity, lambda _: "0"),
    "IntOrString": GoScalar(0, read_int_or_string, lambda old: old if isinstance(old, int) else 0),
    "Time": GoScalar(None, read_time, lambda _: None),
    "FieldsV1": GoScalar(None, read_raw, _unchanged),
}
