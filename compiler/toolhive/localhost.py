"""Hosts that are this machine, for which plain HTTP will do.

Source: toolhive 0.21.0, package networking; RFC 8252, section 8.4.
"""

from __future__ import annotations

from ipaddress import ip_address
from typing import Final

_LOCAL: Final = ("localhost", "127.0.0.1", "[::1]")


def is_localhost(host: str) -> bool:
    """Return whether a host, with or without its port, is this machine by one of the names that the product knows."""
    return host in _LOCAL or host.startswith(tuple(f"{name}:" for name in _LOCAL))


def is_loopback(hostname: str) -> bool:
    """Return whether a host name without a port is ``localhost``, below it, or any loopback address."""
    if hostname == "localhost" or hostname.endswith(".localhost"):
        return True
    try:
        return ip_address(hostname).is_loopback
    except ValueError:
        return False
