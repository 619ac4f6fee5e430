"""Functions of CEL that convert a value to another type.

Source: cel-go v0.28, ``ConvertToType`` of each type; numbers as Go's ``strconv`` reads and writes them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from ...golang import strconv
from . import clock
from .value import LARGEST, LARGEST_UNSIGNED, SMALLEST, CelError, Unsigned

T = TypeVar("T")

if TYPE_CHECKING:
    from collections.abc import Callable


def _int(value: Any) -> int:
    if isinstance(value, float):
        if not SMALLEST < value < LARGEST:
            raise CelError("integer overflow")
        return int(value)
    if isinstance(value, str):
        return _read(strconv.parse_int, value, "int")
    if isinstance(value, clock.DurationValue):
        return value.nanoseconds
    if isinstance(value, clock.Timestamp):
        return value.nanoseconds // clock.SECOND
    if type(value) in (int, Unsigned):
        if value > LARGEST:
            raise CelError("integer overflow")
        return int(value)
    raise CelError("no such overload: int()")


def _uint(value: Any) -> Unsigned:
    if isinstance(value, str):
        if not (value.isascii() and value.isdigit()):
            raise CelError(f"{value!r} is not a uint")
        # Python refuses to parse thousands of digits. A uint has at most 20, after any number of zeros.
        return _unsigned(int(value[-40:]) if value[:-40].strip("0") == "" else LARGEST_UNSIGNED + 1)
    if isinstance(value, float):
        if not 0 <= value < LARGEST_UNSIGNED:
            raise CelError("unsigned integer overflow")
        return Unsigned(int(value))
    if type(value) in (int, Unsigned):
        return _unsigned(int(value))
    raise CelError("no such overload: uint()")


def _unsigned(value: int) -> Unsigned:
    if not 0 <= value <= LARGEST_UNSIGNED:
        raise CelError("unsigned integer overflow")
    return Unsigned(value)


def _double(value: Any) -> float:
    if isinstance(value, str):
        return _read(strconv.parse_float, value, "double")
    if type(value) in (int, Unsigned, float):
        return float(value)
    raise CelError("no such overload: double()")


def _string(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, bytes):
        try:
            return value.decode("utf-8")
        except UnicodeDecodeError:
            raise CelError("these bytes are no UTF-8") from None
    if isinstance(value, float):
        return strconv.format_float(value)
    if hasattr(value, "text"):  # durations, timestamps, and values of a library
        return str(value.text())
    if isinstance(value, int):
        return str(int(value))
    raise CelError("no such overload: string()")


def _bytes(value: Any) -> bytes:
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    if isinstance(value, bytes):
        return value
    raise CelError("no such overload: bytes()")


def _bool(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _read(strconv.parse_bool, value, "bool")
    raise CelError("no such overload: bool()")


def _duration(value: Any) -> clock.DurationValue:
    if isinstance(value, clock.DurationValue):
        return value
    if isinstance(value, str):
        return clock.parse_duration(value)
    raise CelError("no such overload: duration()")


def _timestamp(value: Any) -> clock.Timestamp:
    if isinstance(value, clock.Timestamp):
        return value
    if isinstance(value, str):
        return clock.parse_timestamp(value)
    if type(value) is int:
        return clock.from_seconds(value)
    raise CelError("no such overload: timestamp()")


def _read(parse: Callable[[str], T], text: str, kind: str) -> T:
    try:
        return parse(text)
    except ValueError:
        raise CelError(f"{text!r} is no {kind}") from None


CONVERSIONS: dict[str, Callable[[Any], Any]] = {
    "int": _int,
    "uint": _uint,
    "double": _double,
    "string": _string,
    "bytes": _bytes,
    "bool": _bool,
    "duration": _duration,
    "timestamp": _timestamp,
    "dyn": lambda value: value,
}
