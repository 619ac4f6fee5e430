"""What programs refuse of the addresses that they connect to, before they connect: Redis, collectors of telemetry.

The same programs read what stands in a resource, in a run configuration and in a vMCP configuration. What is wrong is
returned as a clause that follows the value, or ``None``.

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
    """Check the address of Redis: a host and a port, or the path of a socket. Names of ports are not known here."""
    if not address:
        return "is missing"
    if address.startswith("/"):
        return None
    found = re.fullmatch(_HOST_AND_PORT, address, re.DOTALL)
    if found is None or "/" in found[1]:
        return "is not a host and a port"
    number = found[1].lstrip("+0") or "0"
    if re.fullmatch(r"-?[0-9]+", number) and (len(number) > _LONGEST_PORT or not 0 <= int(number) <= _MOST_PORT):
        return "has a port that is not a port number"
    return None


def key_prefix_fault(prefix: str) -> str | None:
    """Check what the keys of sessions in Redis begin with; an empty one is filled in."""
    return None if not prefix or prefix.endswith(":") else "does not end with a colon"


@lru_cache(maxsize=1_000)  # all configurations of a project name the same few
def collector_fault(endpoint: str) -> str | None:
    """Check the endpoint of a collector as the exporter of metrics does when it is made; that of traces does not."""
    from ..golang import url

    host = _host(endpoint)
    if any(c in host for c in "?#@"):
        return "is not a host and a port"
    try:
        # The exporter escapes the host first: a percent sign comes back as it was.
        url.parse("https://" + host.replace("%", "%25"))
    except url.UrlError as error:
        return f"is not a host and a port: {error}"
    return None


def names_no_host(endpoint: str) -> bool:
    """Return whether the endpoint of a collector leads nowhere, though exporters take it, as of another scheme."""
    return _host(endpoint).partition(":")[0] == "" or "://" in without_scheme(endpoint)


def _host(endpoint: str) -> str:
    return without_scheme(endpoint).partition("/")[0]


def without_scheme(endpoint: str) -> str:
    """Return the address of a collector as the product dials it."""
    return endpoint.removeprefix("https://").removeprefix("http://")
