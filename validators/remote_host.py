"""Classify hosts of URLs as internal or public, like the operator.

Source: the validation of remote URLs in the operator, v0.21.0 and v0.45.0.
"""

from __future__ import annotations

import re

RANGES = ("0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "::/128", "::1/128", "fe80::/10")
PRIVATE_RANGES = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")
"""Internal ranges that a resource can allow."""
SUFFIXES = (
    ".localhost",
    ".kubernetes.default.svc.cluster.local",
    ".kubernetes.default.svc",
    ".kubernetes.default",
    ".metadata.google.internal",
)
"""Suffixes of internal names. Each suffix without its dot is internal too."""
PRIVATE_SUFFIX = ".cluster.local"
"""The suffix of internal names that a resource can allow."""
PLAIN = re.compile(r"https?://([A-Za-z0-9.-]*[A-Za-z])(?::[0-9]+)?(?:/[A-Za-z0-9._~/-]*)?", re.ASCII)
"""Pattern of simple URLs, which nearly all are: the host is not an IP address, and no character is escaped."""


def hostname_of(text: str) -> str | None:
    """Return the host of a URL without its port. It is empty if the URL has none, and ``None`` for an invalid URL."""
    plain = PLAIN.fullmatch(text)
    if plain is not None:
        return plain[1]
    from ..compiler.golang import url

    try:
        return url.parse(text).hostname
    except url.UrlError:
        return None


def internal(hostname: str, *, allows_private: bool = False) -> str | None:
    """Return why a host is internal, as a phrase for a message, or ``None`` for a public host.

    As in Go, an IP address with a zone counts as a name.

    Args:
        hostname: The host without its port.
        allows_private: True if private addresses and names below cluster.local are allowed.
    """
    ranges = RANGES if allows_private else (*RANGES, *PRIVATE_RANGES)
    suffixes = SUFFIXES if allows_private else (*SUFFIXES, PRIVATE_SUFFIX)
    # An IP address ends in a digit or contains a colon. Other names are not parsed as an address.
    if (hostname[-1:].isdigit() or ":" in hostname) and "%" not in hostname:
        block = _block(hostname, ranges)
        if block is not None:
            return f"in the range {block}"
    return "an internal name" if f".{hostname.lower()}".endswith(suffixes) else None


def _block(hostname: str, ranges: tuple[str, ...]) -> str | None:
    from ipaddress import IPv6Address, ip_address, ip_network

    try:
        address = ip_address(hostname)
    except ValueError:
        return None
    if isinstance(address, IPv6Address):
        # Go's net.IP makes no difference between the two forms of an IPv4 address.
        address = address.ipv4_mapped or address
    return next((block for block in ranges if address in ip_network(block)), None)
