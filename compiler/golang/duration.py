"""Durations in the notation of Go's package time: ``1h30m``, ``1.5s``.

Source: Go 1.26 standard library, time.ParseDuration and time.Duration.String.
"""

from __future__ import annotations

import re
from typing import Final

from ..diagnostics.budget import cache_by_text
from .strconv import quote

NANOSECOND: Final = 1
MICROSECOND: Final = 1000
"""Durations are counted in nanoseconds, like Go's ``time.Duration``."""
MILLISECOND: Final = 1000 * MICROSECOND
SECOND: Final = 1000 * MILLISECOND
MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE

_UNITS = {
    "ns": NANOSECOND,
    "us": MICROSECOND,
    "\u00b5s": MICROSECOND,  # micro sign
    "\u03bcs": MICROSECOND,  # Greek letter mu
    "ms": MILLISECOND,
    "s": SECOND,
    "m": MINUTE,
    "h": HOUR,
}
_WORDS: Final = (
    ({"ms", "msec", "msecs", "millis", "millisecond", "milliseconds"}, MILLISECOND),
    ({"s", "sec", "secs", "second", "seconds"}, SECOND),
    ({"m", "min", "mins", "minute", "minutes"}, MINUTE),
    ({"h", "hr", "hrs", "hour", "hours"}, HOUR),
    ({"d", "day", "days"}, 24 * HOUR),
    ({"w", "week", "weeks"}, 7 * 24 * HOUR),
)
"""Words that people write for units, and their nanoseconds."""
_MEANT: Final = r"[0-9]{1,6}(?:\.[0-9]{1,3})? *[A-Za-z]+"
_LONGEST_MEANT: Final = 40
"""Maximum characters of a text that people may mean as a duration."""
_TERM = re.compile(r"([0-9]*)(?:\.([0-9]*))?([^0-9.]*)")
_LIMIT = 1 << 63
"""Go keeps a duration as an ``int64`` of nanoseconds, which ends at about 292 years."""


class DurationError(ValueError):
    """The text is not a Go duration."""


@cache_by_text(1024)  # files repeat the same few durations
def parse_duration(text: str) -> int:
    """Return the nanoseconds of a duration such as ``1h30m`` or ``-1.5s``, like time.ParseDuration.

    Raises:
        DurationError: ``text`` is not a duration, or longer than about 292 years.
    """
    sign, rest = (text[0], text[1:]) if text[:1] in {"-", "+"} else ("", text)
    if rest == "0":
        return 0
    if not rest:
        raise DurationError(f"{quote(text)} is not a duration")
    total = 0
    at = 0
    while at < len(rest):
        match = _TERM.match(rest, at)
        assert match is not None  # all its parts are optional
        at = match.end()
        # Go adds unsigned 64-bit integers, so two halves of the range wrap around to zero.
        total = (total + _term(text, match[1], match[2] or "", match[3])) % (1 << 64)
        if total > _LIMIT:
            raise _too_long(text)
    if sign == "-":
        return -total
    if total == _LIMIT:
        raise _too_long(text)
    return total


def meant_duration(text: str) -> str | None:
    """Return the duration that a text such as ``5 minutes`` means, or ``None`` if it is unclear."""
    if len(text) > _LONGEST_MEANT or not re.fullmatch(rf"{_MEANT}(?:(?:,| and)? *{_MEANT})*", text):
        return None
    total = 0
    for number, word in re.findall(r"(?<![0-9.])([0-9.]+) *([A-Za-z]+)", text):
        scale = next((scale for names, scale in _WORDS if word.lower() in names), None)
        if scale is None:
            return None
        total += round(float(number) * scale)
    return _shortest(total)


def _shortest(nanoseconds: int) -> str:
    text = format_duration(nanoseconds)
    return re.sub(r"(?<=[hm])0[ms](?:0s)?$", "", text) or text


def _term(text: str, whole: str, fraction: str, unit: str) -> int:
    if not whole and not fraction:
        raise DurationError(f"{quote(text)} is not a duration")
    if not unit:
        raise DurationError(f'{quote(text)} has a number without unit; units are "ns", "us", "ms", "s", "m", "h"')
    scale = _UNITS.get(unit)
    if scale is None:
        raise DurationError(f"{quote(text)} has the unknown unit {quote(unit)}")
    digits = whole.lstrip("0")
    # More digits never fit into 64 bits, and Python refuses to parse thousands.
    value = int(digits or "0") if len(digits) < 20 else _LIMIT + 1
    if value > _LIMIT // scale:
        raise _too_long(text)
    value = value * scale + _fraction(fraction, scale)
    if value > _LIMIT:
        raise _too_long(text)
    return value


def _fraction(digits: str, scale: int) -> int:
    """Return the nanoseconds of the digits after the decimal point, in a unit of ``scale`` nanoseconds.

    Like Go, multiply in floating point, and ignore digits that do not fit into 64 bits.
    """
    value = 0
    power = 1.0
    for digit in digits:
        if value > (_LIMIT - 1) // 10:
            break
        longer = value * 10 + int(digit)
        if longer > _LIMIT:
            break
        value = longer
        power *= 10
    return int(float(value) * (float(scale) / power)) if value else 0


def _too_long(text: str) -> DurationError:
    return DurationError(f"{quote(text)} is longer than a duration can be")


def format_duration(nanoseconds: int) -> str:
    """Return ``nanoseconds`` as text, like Go's Duration.String: ``1h30m0s``, ``1.5s``, ``250ms``, ``0s``."""
    sign = "-" if nanoseconds < 0 else ""
    rest = abs(nanoseconds)
    if rest < SECOND:
        if rest == 0:
            return "0s"
        if rest < MICROSECOND:
            return f"{sign}{rest}ns"
        unit, size = ("\u00b5s", MICROSECOND) if rest < MILLISECOND else ("ms", MILLISECOND)
        return f"{sign}{_decimal(rest, size)}{unit}"
    minutes, rest = divmod(rest, MINUTE)
    seconds = _decimal(rest, SECOND) + "s"
    if minutes == 0:
        return sign + seconds
    hours, minutes = divmod(minutes, 60)
    return f"{sign}{hours}h{minutes}m{seconds}" if hours else f"{sign}{minutes}m{seconds}"


def _decimal(value: int, size: int) -> str:
    """Return ``value / size`` exactly, as decimal text; ``size`` is a power of ten."""
    whole, fraction = divmod(value, size)
    digits = str(size + fraction)[1:].rstrip("0")
    return f"{whole}.{digits}" if digits else str(whole)
