"""Durations and timestamps of CEL with nanosecond precision.

Source: cel-go v0.28, ``common/types/duration.go`` and ``timestamp.go``; RFC 3339.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone, tzinfo
from typing import TYPE_CHECKING, Any

from ...golang import duration, timestamp
from .value import LARGEST, SMALLEST, CelError

if TYPE_CHECKING:
    from collections.abc import Callable

SECOND = duration.SECOND
FIRST_SECOND, LAST_SECOND = -62_135_596_800, 253_402_300_799
"""The first and last second of the years 1 to 9999, counted from 1970."""


@dataclass(frozen=True, slots=True, order=True)
class DurationValue:
    """A duration in nanoseconds."""

    nanoseconds: int

    type_name = "google.protobuf.Duration"

    def __add__(self, other: object) -> DurationValue | Timestamp:
        if isinstance(other, Timestamp):
            return other + self
        return _duration(self.nanoseconds + other.nanoseconds) if isinstance(other, DurationValue) else NotImplemented

    def __sub__(self, other: object) -> DurationValue:
        return _duration(self.nanoseconds - other.nanoseconds) if isinstance(other, DurationValue) else NotImplemented

    def negated(self) -> DurationValue:
        """Return the duration with the opposite sign."""
        return _duration(-self.nanoseconds)

    def text(self) -> str:
        """Return the duration in seconds, as CEL converts it to a string: ``90.5s``."""
        sign, rest = "-" if self.nanoseconds < 0 else "", abs(self.nanoseconds)
        fraction = f".{rest % SECOND:09}".rstrip("0").rstrip(".")
        return f"{sign}{rest // SECOND}{fraction}s"


@dataclass(frozen=True, slots=True, order=True)
class Timestamp:
    """A point in time. The offset from UTC is kept, but comparisons ignore it."""

    nanoseconds: int
    offset_minutes: int = 0

    type_name = "google.protobuf.Timestamp"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Timestamp) and self.nanoseconds == other.nanoseconds

    def __hash__(self) -> int:
        return hash(self.nanoseconds)

    def __add__(self, other: object) -> Timestamp:
        if not isinstance(other, DurationValue):
            return NotImplemented
        return _timestamp(self.nanoseconds + other.nanoseconds, self.offset_minutes)

    def __sub__(self, other: object) -> Timestamp | DurationValue:
        if isinstance(other, Timestamp):
            return _duration(self.nanoseconds - other.nanoseconds)
        if not isinstance(other, DurationValue):
            return NotImplemented
        return _timestamp(self.nanoseconds - other.nanoseconds, self.offset_minutes)

    def moment(self, zone: tzinfo | None = None) -> datetime:
        """Return the timestamp as a ``datetime`` in ``zone``, or else in its own offset, cut to microseconds."""
        shown = zone or timezone(timedelta(minutes=self.offset_minutes))
        return (timestamp.EPOCH + timedelta(microseconds=self.nanoseconds // 1000)).astimezone(shown)

    def text(self) -> str:
        """Return the timestamp as RFC 3339, with as many fractional digits as necessary."""
        fraction = f".{self.nanoseconds % SECOND:09}".rstrip("0").rstrip(".")
        hours, minutes = divmod(abs(self.offset_minutes), 60)
        zone = f"{'-' if self.offset_minutes < 0 else '+'}{hours:02}:{minutes:02}" if self.offset_minutes else "Z"
        # strftime may write a year below 1000 with fewer than four digits, and the text has 19 characters.
        return self.moment().strftime("%Y-%m-%dT%H:%M:%S").rjust(19, "0") + fraction + zone


def parse_duration(text: str) -> DurationValue:
    """Parse a duration such as ``1h30m``.

    Raises:
        CelError: Go would not parse the text.
    """
    try:
        return DurationValue(duration.parse_duration(text))
    except duration.DurationError:
        raise CelError(f"{text!r} is not a duration") from None


def parse_timestamp(text: str) -> Timestamp:
    """Parse a timestamp in RFC 3339.

    Raises:
        CelError: Go would not parse the text, or the timestamp is outside the years 1 to 9999.
    """
    try:
        return _timestamp(*timestamp.parse_timestamp(text))
    except timestamp.TimestampError:
        raise CelError(f"{text!r} is not a timestamp") from None


def from_seconds(seconds: int) -> Timestamp:
    """Return the timestamp ``seconds`` after the start of 1970 in UTC.

    Raises:
        CelError: The timestamp is outside the years 1 to 9999.
    """
    return _timestamp(seconds * SECOND, 0)


def part(name: str, value: Any, *zone: Any) -> int:
    """Return a part of a timestamp or a duration, like the CEL function ``name``, such as ``getHours``.

    Args:
        zone: The name of a time zone or a UTC offset. Only timestamps accept it.

    Raises:
        CelError: The function does not accept the value or the zone.
    """
    if isinstance(value, DurationValue) and name in _DURATION_PARTS and not zone:
        return int(value.nanoseconds / _DURATION_PARTS[name])
    if not isinstance(value, Timestamp) or not all(isinstance(zone_name, str) for zone_name in zone):
        raise CelError(f"no such overload: {name}()")
    moment = value.moment(_zone(zone[0]) if zone else None)
    return _TIMESTAMP_PARTS[name](moment)


_DURATION_PARTS = {
    "getHours": 3600 * SECOND,
    "getMinutes": 60 * SECOND,
    "getSeconds": SECOND,
    "getMilliseconds": SECOND // 1000,
}
_TIMESTAMP_PARTS: dict[str, Callable[[datetime], int]] = {
    "getFullYear": lambda moment: moment.year,
    "getMonth": lambda moment: moment.month - 1,
    "getDate": lambda moment: moment.day,
    "getDayOfMonth": lambda moment: moment.day - 1,
    "getDayOfWeek": lambda moment: moment.isoweekday() % 7,
    "getDayOfYear": lambda moment: moment.timetuple().tm_yday - 1,
    "getHours": lambda moment: moment.hour,
    "getMinutes": lambda moment: moment.minute,
    "getSeconds": lambda moment: moment.second,
    "getMilliseconds": lambda moment: moment.microsecond // 1000,
}


def _zone(name: str) -> tzinfo:
    hours, colon, minutes = name.partition(":")
    if not colon:
        from zoneinfo import ZoneInfo

        try:
            return ZoneInfo(name or "UTC")
        except (KeyError, ValueError, OSError):
            raise CelError(f"unknown time zone {name!r}") from None
    try:
        offset = int(hours) * 60 + int(minutes) * (-1 if name.startswith("-") else 1)
        return timezone(timedelta(minutes=offset))
    except (ValueError, OverflowError):
        raise CelError(f"unknown time zone {name!r}") from None


def _duration(nanoseconds: int) -> DurationValue:
    if not SMALLEST <= nanoseconds <= LARGEST:
        raise CelError("integer overflow")
    return DurationValue(nanoseconds)


def _timestamp(nanoseconds: int, offset: int) -> Timestamp:
    if not FIRST_SECOND <= nanoseconds // SECOND <= LAST_SECOND:
        raise CelError("timestamp overflow")
    return Timestamp(nanoseconds, offset)
