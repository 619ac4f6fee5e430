"""Checks of addresses that programs connect to: Redis and telemetry collectors.

The same programs read addresses from resources, run configurations and vMCP configurations. Each function returns the
fault as a clause that follows the value, or ``None``.

Source: toolhive 0.21.0, packages transport/session and telemetry; Go's net.SplitHostPort and net/url; the OTLP
exporters 1.43 over HTTP.
"""

from __future__ import annotations

import re
from functools import lru_cache

_HOST_AND_PORT = r"(?:\[[^\[\]]*\]|[^:\[\]]*):([^:\[\]]+)"
_MOST_PORT = 65535
_LONGEST_PORT = 5


def redis_fault(address: str) -> str | None:
    """Check the address of Redis: host and port, or the path of a socket. Named ports cannot be checked."""
    if not address:
        return "is missing"
    if address.startswith("/"):
        return None
    match = re.fullmatch(_HOST_AND_PORT, address, re.DOTALL)
    if match is None or "/" in match[1]:
        return "is not a host and a port"
    number = match[1].lstrip("+0") or "0"
    if re.fullmatch(r"-?[0-9]+", number) and (len(number) > _LONGEST_PORT or not 0 <= int(number) <= _MOST_PORT):
        return "has a port that is not a port number"
    return None


def key_prefix_fault(prefix: str) -> str | None:
    """Check the key prefix of sessions in Redis; an empty one gets a default."""
    return None if not prefix or prefix.endswith(":") else "does not end with a colon"


@lru_cache(maxsize=1_000)  # configurations of a project share a few addresses
def collector_fault(endpoint: str) -> str | None:
    """Check the endpoint of a collector like the constructor of the metrics exporter.

    The traces exporter has no check.
    """
    from ..golang import url

    host = _host(endpoint)
    if any(c in host for c in "?#@"):
        return "is not a host and a port"
    try:
        # The exporter escapes the host first, so a percent sign is valid.
        url.parse("https://" + host.replace("%", "%25"))
    except url.UrlError as error:
        return f"is not a host and a port: {error}"
    return None


def names_no_host(endpoint: str) -> bool:
    """Return whether the endpoint has no usable host although exporters accept it, such as with another scheme."""
    return _host(endpoint).partition(":")[0] == "" or "://" in without_scheme(endpoint)


def _host(endpoint: str) -> str:
    return without_scheme(endpoint).partition("/")[0]


def without_scheme(endpoint: str) -> str:
    """Return the address that the product connects to."""
    return endpoint.removeprefix("https://").removeprefix("http://")
