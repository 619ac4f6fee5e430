"""Check the origins that browsers may send requests from.

Source: toolhive 0.32.0 and 0.44.0, package transport/middleware/origin; RFC 6454, section 6.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...diagnostics.fault import Fault
from ...diagnostics.finding import rule
from ...diagnostics.shown import shown
from ...golang import url

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ORIGIN = rule("RUN060 runconfig-origin-idle", "lint", "An allowed origin is one that no browser sends", since="0.32.0")


DEFAULT_PORTS = {"http": "80", "https": "443"}


def origin_faults(origins: Iterable[str]) -> Iterator[Fault]:
    """Yield a fault for each allowed origin that no browser sends. Paths are relative to the list ``origins``."""
    for number, origin in enumerate(origins):
        reason = _mismatch_reason(origin)
        if reason is not None:
            message = f"no browser sends the origin {shown(origin)}: {reason}"
            hint = "write only the scheme and the host, as in https://chat.example.com"
            yield Fault((number,), ORIGIN, message, hint)


def _mismatch_reason(origin: str) -> str | None:
    """Return why no browser sends an origin, as a clause, or ``None`` if a browser may send it.

    The path of an origin is not checked, because ToolHive compares only scheme, host and port.
    """
    if origin == "null":
        return None
    try:
        parsed = url.parse(origin)
    except url.UrlError:
        return "it is not a URL"
    if not parsed.scheme or not parsed.host:
        return "it has no scheme" if not parsed.scheme else "it has no host"
    if parsed.user is not None:
        return "it has a user"
    if "*" in parsed.hostname:
        return "a wildcard is treated as a name"
    if not parsed.hostname.isascii():
        return "browsers send names in their ASCII form"
    if parsed.port and parsed.port == DEFAULT_PORTS.get(parsed.scheme.lower()):
        return f"browsers leave out the default port {parsed.port}"
    return None
