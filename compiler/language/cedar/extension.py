"""Extension values of Cedar: decimals, IP addresses, dates and durations.

The functions in `PARSERS` parse a text as cedar-go does, and return the value in the form that cedar-go and cedarpy
write.

Source: cedar-go v1.6, package ``types``: ``ParseDecimal``, ``ParseIPAddr``, ``ParseDatetime``, ``ParseDuration``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_LARGEST: Final = (1 << 63) - 1
"""The largest value of an extension type, which cedar-go keeps in 64 bits."""
_MILLISECONDS: Final = {"d": 86_400_000, "h": 3_600_000, "m": 60_000, "s": 1000, "ms": 1}
_DECIMAL = re.compile(r"(?P<sign>[+-]?)(?P<whole>[0-9]+)\.(?P<fraction>[0-9]{1,4})")
_BITS = re.compile(r"0|[1-9][0-9]{0,2}")
_DURATION = re.compile(r"-?(?:[0-9]+d)?(?:[0-9]+h)?(?:[0-9]+m(?!s))?(?:[0-9]+s)?(?:[0-9]+ms)?")
_AMOUNT = re.compile(r"([0-9]+)(ms|[dhms])")
_DATETIME = re.compile(
    r"(?P<year>[0-9]{4}|[+-][0-9]{9})-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})"
    r"(?:T(?P<hour>[0-9]{2}):(?P<minute>[0-9]{2}):(?P<second>[0-9]{2})(?:\.(?P<milli>[0-9]{3}))?"
    r"(?:Z|(?P<sign>[+-])(?P<hours>[0-9]{2})(?P<minutes>[0-9]{2})))?"
)


def decimal_text(text: str) -> str:
    """Return a decimal with four digits after the point: ``-12.3`` becomes ``-12.3000``.

    Raises:
        ValueError: The text is not a decimal with one to four digits after the point, or is too large.
    """
    match = _DECIMAL.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a decimal such as '12.34', with one to four digits after the point")
    digits = match["whole"].lstrip("0") + match["fraction"].ljust(4, "0")
    # More digits never fit into 64 bits, and Python refuses to parse thousands.
    value = int(digits) if len(digits) < 25 else _LARGEST + 2
    negative = match["sign"] == "-"
    if value > _LARGEST + negative:
        raise ValueError(f"{text!r} is too large for a decimal")
    return f"{'-' if negative and value else ''}{value // 10_000}.{value % 10_000:04}"


def decimal_of_float(number: float) -> str | None:
    """Return the decimal for a number in a token or in the arguments of a request, or ``None`` if it is too large."""
    scaled = number * 10_000
    if not -_LARGEST - 1 <= scaled <= _LARGEST:
        return None
    value = int(scaled)
    return f"{'-' if value < 0 else ''}{abs(value) // 10_000}.{abs(value) % 10_000:04}"


def address_text(text: str) -> str:
    """Return an IPv4 or IPv6 address or network in its normal form.

    Raises:
        ValueError: The text is neither an address nor a network.
    """
    try:
        return _address_text(text)
    except ValueError:
        raise ValueError(f"{text!r} is neither an IP address nor a network such as '10.0.0.0/8'") from None


def _address_text(text: str) -> str:
    from ipaddress import IPv6Address, ip_address

    if text.count(":") >= 2 and text.count(".") >= 2:
        raise ValueError("an address of version 4 within one of version 6")
    whole, percent, zone = text.partition("%")
    if percent:
        return f"{IPv6Address(whole if zone else '')}%{zone}"
    host, slash, bits = whole.rpartition("/") if "/" in whole else (whole, "", "")
    address = ip_address(host)
    if slash and (not _BITS.fullmatch(bits) or int(bits) > address.max_prefixlen):
        raise ValueError("too many bits")
    return f"{address}/{bits}" if slash and int(bits) != address.max_prefixlen else str(address)


def duration_text(text: str) -> str:
    """Return a duration in milliseconds: ``-1m2s5ms`` becomes ``-62005ms``. Larger units must come first.

    Raises:
        ValueError: The text is not a duration, or the duration is too long.
    """
    if not _DURATION.fullmatch(text) or not _AMOUNT.search(text):
        raise ValueError(f"{text!r} is not a duration such as '1d2h3m4s5ms'")
    total = 0
    for amount, unit in _AMOUNT.findall(text):
        digits = amount.lstrip("0") or "0"
        total += (int(digits) if len(digits) < 25 else _LARGEST + 1) * _MILLISECONDS[unit]
        if total > _LARGEST:
            raise ValueError(f"{text!r} is too long for a duration")
    return f"{'-' if text.startswith('-') else ''}{total}ms"


def datetime_text(text: str) -> str:
    """Return ``text`` unchanged if it is a date, or a time such as ``2024-10-15T11:35:00Z`` or ``…T11:35:00+0200``.

    Raises:
        ValueError: The text is neither a date nor a time, or the time does not fit into 64 bits of milliseconds.
    """
    match = _DATETIME.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a point in time such as '2024-10-15T11:35:00Z'")
    part = {name: int(digits) for name, digits in match.groupdict().items() if digits is not None and name != "sign"}
    get = part.get
    days = _days(part["year"], part["month"], part["day"])
    in_day = get("hour", 0) < 24 and get("minute", 0) < 60 and get("second", 0) < 60
    if days is None or not in_day or get("hours", 0) > 23 or get("minutes", 0) > 59:
        raise ValueError(f"{text!r} is not a point in time: there is no such day or hour")
    seconds = (get("hour", 0) * 60 + get("minute", 0)) * 60 + get("second", 0)
    offset = (get("hours", 0) * 60 + get("minutes", 0)) * 60 * (-1 if match["sign"] == "-" else 1)
    milliseconds = (days * 86_400 + seconds - offset) * 1000 + get("milli", 0)
    if match["hour"] is not None and not -_LARGEST - 1 <= milliseconds <= _LARGEST:
        raise ValueError(f"{text!r} is too far away for a point in time")
    return text


def _days(year: int, month: int, day: int) -> int | None:
    """Return the days from 1970 to a date in the proleptic Gregorian calendar, or ``None`` if there is no such date."""
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    lengths = (31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    if not 1 <= month <= 12 or not 1 <= day <= lengths[month - 1]:
        return None
    before = year - 1
    years = before * 365 + before // 4 - before // 100 + before // 400
    return years + sum(lengths[: month - 1]) + day - 1 - 719_162  # days from year 1 to 1970


PARSERS: Final[dict[str, Callable[[str], str]]] = {
    "decimal": decimal_text,
    "ip": address_text,
    "duration": duration_text,
    "datetime": datetime_text,
}
