"""Hosts that are this machine, which may use plain HTTP, and private addresses.

Source: toolhive 0.21.0 and 0.44.0, package networking; RFC 8252, section 8.4.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final

_LOCAL: Final = ("localhost", "127.0.0.1", "[::1]")


def is_localhost(host: str) -> bool:
    """Return whether a host, with or without port, is one of the product's names for this machine."""
    return host in _LOCAL or host.startswith(tuple(f"{name}:" for name in _LOCAL))


def is_loopback(hostname: str) -> bool:
    """Return whether a host name without port is ``localhost``, a name below it, or a loopback address."""
    if hostname == "localhost" or hostname.endswith(".localhost"):
        return True
    try:
        return ip_address(hostname).is_loopback
    except ValueError:
        return False


_PRIVATE: Final = (
    *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.2.0/24"),
    *("192.168.0.0/16", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
    *("::/128", "::1/128", "64:ff9b:1::/48", "2001::/32", "fc00::/7", "fe80::/10", "ff00::/8"),
)
_NAT64: Final = ("64:ff9b::/96", "64:ff9b:1::/96")


def is_private(hostname: str) -> bool:
    """Return whether a host name without port is an address that is refused unless private addresses are allowed."""
    try:
        address = ip_address(hostname)
    except ValueError:
        return False
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if any(address in ip_network(network) for network in _NAT64):
            inner = IPv4Address(address.packed[-4:])
        if inner is not None:
            return is_private(str(inner))
    return any(address in ip_network(network) for network in _PRIVATE)
