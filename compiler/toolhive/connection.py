"""Checks of addresses that programs connect to: Redis and telemetry collectors.

The same programs read addresses from resources, run configurations and vMCP configurations.

Source: toolhive 0.21.0, packages transport/session and telemetry; Go's net.SplitHostPort and net/url; the OTLP
exporters 1.43 over HTTP.
"""

from __future__ import annotations

import re

from ..diagnostics.budget import cache_by_text
from ..diagnostics.finding import rule
from ..diagnostics.version import RECORDED

NO_KEYS = rule(
    "OID015 oidc-provider-without-keys",
    "process",
    "An OIDC provider has neither an issuer nor the URL of its keys",
    verified=RECORDED,
)

ENDPOINT = rule(
    "TEL008 refused-telemetry-endpoint", "process", "A telemetry endpoint is not a host and a port", verified=RECORDED
)

_HOST_AND_PORT = r"(?:\[[^\[\]]*\]|[^:\[\]]*):([^:\[\]]+)"
_MOST_PORT = 65535
"""The largest port of TCP."""
_LONGEST_PORT = 5
"""Digits of the largest port. Longer numbers are refused unparsed: Python does not parse thousands of digits."""

REDIS_BLOCK = "sessionStorage: {provider: redis, address: HOST:6379}"
"""A session store that replicas share, for hints."""


def redis_fault(address: str) -> str | None:
    """Return why an address of Redis is invalid, as a clause that follows the address, or ``None`` if it is valid.

    It must be a host and a port, or the path of a socket. As in Go, the port may be the name of a service.
    """
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
    """Return why a prefix of session keys in Redis is refused, as a clause that follows the prefix, or ``None``.

    An empty prefix is valid, because it selects the default.
    """
    return None if not prefix or prefix.endswith(":") else "does not end with a colon"


@cache_by_text(1_000)  # configurations of a project share a few addresses
def collector_fault(endpoint: str) -> str | None:
    """Return why the metrics exporter refuses the endpoint of a collector, as a clause that follows it, or ``None``.

    The endpoint must be a host and a port. The traces exporter does not check the endpoint.
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
    """Return whether an endpoint has no host, or has a scheme other than ``http://`` and ``https://``.

    The exporters accept such an endpoint, but cannot connect to it.
    """
    return _host(endpoint).partition(":")[0] == "" or "://" in without_scheme(endpoint)


def _host(endpoint: str) -> str:
    return without_scheme(endpoint).partition("/")[0]


def without_scheme(endpoint: str) -> str:
    """Return the address that exporters connect to: the endpoint without ``https://`` and ``http://``."""
    return endpoint.removeprefix("https://").removeprefix("http://")
