"""RFC 3339 time stamps, parsed like Go's package time.

Source: Go 1.26 standard library, time.Parse with the layout time.RFC3339.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Final

from .duration import SECOND

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_TIMESTAMP = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:[.,]([0-9]+))?(Z|([+-])([0-9]{2}):([0-9]{2}))"
)


class TimestampError(ValueError):
    """The text is not a time stamp for Go."""


def parse_timestamp(text: str) -> tuple[int, int]:
    """Return the nanoseconds from 1970 (UTC) to a time stamp, and its offset from UTC in minutes.

    Raises:
        TimestampError: Go would refuse the text, or the year is 0, which Python's ``datetime`` lacks.
    """
    match = _TIMESTAMP.fullmatch(text)
    if match is None:
        raise TimestampError(text)
    year, month, day, hour, minute, second = (int(part) for part in match.groups()[:6])
    sign, hours, minutes = match.group(9), int(match.group(10) or 0), int(match.group(11) or 0)
    offset = (hours * 60 + minutes) * (-1 if sign == "-" else 1)
    try:
        moment = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
    except ValueError:
        raise TimestampError(text) from None
    # time.Parse accepts offsets of 24 hours and 60 minutes, because some people write them.
    if hours > 24 or minutes > 60:
        raise TimestampError(text)
    seconds = (moment - EPOCH) // timedelta(seconds=1) - offset * 60
    # Nine digits are nanoseconds; time.Parse drops further digits.
    return seconds * SECOND + int(f"{match.group(7) or ''}000000000"[:9]), offset
