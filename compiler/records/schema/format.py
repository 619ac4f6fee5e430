"""Check the string formats of JSON Schema like ToolHive's validator.

The validator is less strict than the RFCs. A date or a time alone is a ``date-time``, and any URL with a scheme is a
``uri``.

Source: gojsonschema 1.2.0, format checkers; Go 1.26, package time.
"""

from __future__ import annotations

import re
from datetime import date

from ...golang import url

_TIME = r"(\d{2}):(\d{2}):(\d{2})(?:[.,]\d+)?"
_ZONE = r"(?:Z|[+-](\d{2}):(\d{2}))"
_DATE = r"(\d{4})-(\d{2})-(\d{2})"
_DATE_ONLY = rf"{_DATE}\Z"
_TIME_ONLY = rf"{_TIME}{_ZONE}?\Z"
_DATE_TIME = rf"{_DATE}T{_TIME}{_ZONE}\Z"
_LABEL = r"(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]{0,61}[a-zA-Z0-9])"
_HOSTNAME = rf"{_LABEL}(?:\.{_LABEL})*\Z"
_UUID = r"[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}\Z"


def is_date_time(text: str) -> bool:
    """Return whether a text is an RFC 3339 time, or only a date or a time of day."""
    if match := re.match(_DATE_ONLY, text, re.ASCII):
        return _is_date(*match.groups())
    if match := re.match(_TIME_ONLY, text, re.ASCII):
        return _is_time(*match.groups())
    match = re.match(_DATE_TIME, text, re.ASCII)
    return match is not None and _is_date(*match.groups()[:3]) and _is_time(*match.groups()[3:])


def is_uri(text: str) -> bool:
    """Return whether a text parses as a URL with a scheme and has no backslash."""
    try:
        return url.parse(text).scheme != "" and "\\" not in text
    except url.UrlError:
        return False


def is_hostname(text: str) -> bool:
    """Return whether a text is a domain name of less than 256 bytes. IPv4 addresses pass too."""
    return len(text.encode("utf-8", "surrogatepass")) < 256 and re.match(_HOSTNAME, text) is not None


def is_uuid(text: str) -> bool:
    """Return whether ``text`` is a UUID in lower case."""
    return re.match(_UUID, text) is not None


FORMATS = {
    "date-time": (is_date_time, "a time such as 2025-06-01T00:00:00Z"),
    "uri": (is_uri, "a URL with its scheme"),
    "hostname": (is_hostname, "a host name"),
    "uuid": (is_uuid, "a UUID in lower case"),
}
"""For each format, the function that checks it, and a description of accepted texts for messages."""


def _is_date(year: str, month: str, day: str) -> bool:
    try:
        date(int(year) or 4, int(month), int(day))  # Go accepts year 0, a leap year, which Python lacks
    except ValueError:
        return False
    return True


def _is_time(hour: str, minute: str, second: str, zone_hour: str | None, zone_minute: str | None) -> bool:
    if int(hour) > 23 or int(minute) > 59 or int(second) > 59:
        return False
    # time.Parse accepts offsets of 24 hours and 60 minutes, because some people write them.
    return zone_hour is None or zone_minute is None or (int(zone_hour) <= 24 and int(zone_minute) <= 60)
