"""The string formats that the API server checks. Imported only for the few fields with a format.

Source: Kubernetes 1.35, k8s.io/kube-openapi: pkg/validation/strfmt; k8s.io/apiextensions-apiserver:
pkg/apiserver/validation/formats.go (which formats count).
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from ..golang import url
from ..golang.duration import DurationError, parse_duration
from . import names

if TYPE_CHECKING:
    from collections.abc import Callable

_TERM: Final = r"(?<![0-9])[0-9]++\s*+([A-Za-zµ]+)"
_UNITS: Final = re.compile(
    "ns|us|µs|ms|s|m|h|hr|d|w|wk|(?:nano|micro|milli|sec|min|hour|day|week).*", re.IGNORECASE | re.ASCII
)
"""Units accepted in addition to Go's durations, as in ``3 days``, anywhere in the string."""
_TIME: Final = r"([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|[+-][0-9]{2}:[0-9]{2})"
_LONGEST_HOST: Final = 255
"""Maximum characters of a host name in ``strfmt``."""
_LONGEST_LABEL: Final = 63
"""Maximum characters of a DNS label (RFC 1123)."""


def has_format(text: str, form: str) -> bool:
    """Return whether a string has the format ``form``; true for a format that the API server does not check."""
    check = _CHECKS.get(form.replace("-", ""))
    return check is None or check(text)


def is_checked(form: str) -> bool:
    """Return whether the API server checks strings of a format such as ``duration`` or ``date-time``."""
    return form.replace("-", "") in _CHECKS


def _is_duration(text: str) -> bool:
    try:
        parse_duration(text)
    except DurationError:
        return any(_UNITS.fullmatch(unit) for unit in re.findall(_TERM, text))
    return True


def _is_uri(text: str) -> bool:
    """Return whether Go's ``url.ParseRequestURI`` accepts the string: an absolute URL, an absolute path, or ``*``."""
    if text == "*":
        return True
    try:
        parsed = url.parse(text)
    except url.UrlError:
        return False
    return bool(parsed.scheme) or text.startswith("/")


def _is_date(text: str) -> bool:
    from datetime import date

    try:
        return re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text) is not None and bool(date.fromisoformat(text))
    except ValueError:
        return text == "0000-01-01"  # Go accepts the year 0, Python does not


def _is_date_time(text: str) -> bool:
    day, _, time = text.lower().partition("t")
    match = re.fullmatch(_TIME, time.partition("t")[0])
    return match is not None and _is_date(day) and match[1] <= "23" and match[2] <= "59" and match[3] <= "59"


def _is_address(text: str, version: int) -> bool:
    import ipaddress

    try:
        return ipaddress.ip_address(text).version == version and "%" not in text
    except ValueError:
        return False


def _is_range(text: str) -> bool:
    import ipaddress

    address, slash, bits = text.partition("/")
    # Go accepts leading zeros here.
    plain = re.sub(r"(?<![0-9a-fA-F:])0+(?=[0-9])", "", address) if "." in address else address
    try:
        return bool(
            slash and bits.isascii() and bits.isdigit() and ipaddress.ip_network(f"{plain}/{bits}", strict=False)
        )
    except ValueError:
        return False


def _is_host(text: str) -> bool:
    labels = text.removesuffix(".").split(".")
    fits = all(re.fullmatch(r"[^\W_](?:[^\W_]|-)*", label) and not label.endswith("-") for label in labels)
    return fits and len(text) <= _LONGEST_HOST and all(len(label) <= _LONGEST_LABEL for label in labels)


def _matches(pattern: str) -> Callable[[str], bool]:
    @cache
    def compiled() -> re.Pattern[str]:
        return re.compile(pattern, re.IGNORECASE | re.ASCII)

    return lambda text: compiled().fullmatch(text) is not None


def _uuid(third: str, fourth: str) -> Callable[[str], bool]:
    return _matches(rf"[0-9a-f]{{8}}-?[0-9a-f]{{4}}-?{third}[0-9a-f]{{3}}-?{fourth}[0-9a-f]{{3}}-?[0-9a-f]{{12}}")


_PAIR: Final = "[0-9a-f]{2}"
_CHECKS: Final[dict[str, Callable[[str], bool]]] = {
    "duration": _is_duration,
    "uri": _is_uri,
    "date": _is_date,
    "datetime": _is_date_time,
    "ipv4": lambda text: _is_address(text, 4) or ("." in text and _is_address(text, 6)),
    "ipv6": lambda text: _is_address(text, 6),
    "cidr": _is_range,
    "hostname": _is_host,
    "email": lambda text: "@" in text.strip("@"),
    "mac": _matches(
        rf"{_PAIR}(?:([:-]){_PAIR})(?:\1{_PAIR}){{4}}(?:(?:\1{_PAIR}){{2}}|(?:\1{_PAIR}){{14}})?"
        r"|[0-9a-f]{4}(?:\.[0-9a-f]{4}){2}(?:\.[0-9a-f]{4}|(?:\.[0-9a-f]{4}){7})?"
    ),
    "uuid": _uuid("[0-9a-f]", "[0-9a-f]"),
    "uuid3": _uuid("3", "[0-9a-f]"),
    "uuid4": _uuid("4", "[89ab]"),
    "uuid5": _uuid("5", "[89ab]"),
    "byte": _matches(r"(?:[a-z0-9+/]{4})*(?:[a-z0-9+/]{2}==|[a-z0-9+/]{3}=|[a-z0-9+/]{4})"),
    "bsonobjectid": _matches("[0-9a-f]{24}"),
    "hexcolor": _matches("#?(?:[0-9a-f]{3}|[0-9a-f]{6})"),
    "ssn": _matches(r"[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}"),
    "k8sshortname": lambda text: not names.dns_label_faults(text),
    "k8slongname": lambda text: not names.dns_subdomain_faults(text),
}
