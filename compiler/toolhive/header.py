"""HTTP headers that a proxy may add.

Source: toolhive 0.21.0, header forward middleware; toolhive-core 0.0.16, validation of headers (RFC 7230).
"""

from __future__ import annotations

import re

LONGEST_NAME = 256
"""Maximum bytes of a header name. The product refuses longer ones."""
LONGEST_VALUE = 8192
"""Maximum bytes of a header value. The product refuses longer ones."""

RESTRICTED = frozenset(
    """
    Host Connection Keep-Alive Te Trailer Upgrade Http2-Settings Proxy-Authorization Proxy-Authenticate
    Proxy-Connection Transfer-Encoding Content-Length Forwarded X-Forwarded-For X-Forwarded-Host X-Forwarded-Proto
    X-Real-Ip
    """.split()
)
"""Headers that no configuration may add, in canonical case."""

TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+\Z")
CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


def canonical(name: str) -> str:
    """Return a header name as Go writes it, such as ``X-Api-Key``: capitals at the start and after each hyphen."""
    return "-".join(part[:1].upper() + part[1:].lower() for part in name.split("-"))


def is_restricted(name: str) -> bool:
    """Return whether configurations may not add the header ``name``, because only the proxy itself may set it."""
    return canonical(name) in RESTRICTED


def name_fault(name: str) -> str | None:
    """Return why a configuration cannot add a header of this name, as a clause, or ``None``."""
    if not name:
        return "its name is empty"
    if len(name.encode("utf-8", "surrogatepass")) > LONGEST_NAME:
        return f"its name is longer than {LONGEST_NAME} bytes"
    if not TOKEN.match(name):
        return "its name contains a character that header names cannot contain"
    if is_restricted(name):
        return "it is one that only the proxy itself may set"
    return None


def value_fault(value: str) -> str | None:
    """Return why a header cannot have this value, as a clause, or ``None``. An empty value is valid."""
    if len(value.encode("utf-8", "surrogatepass")) > LONGEST_VALUE:
        return f"its value is longer than {LONGEST_VALUE} bytes"
    if CONTROL.search(value):
        return "its value contains a control character"
    return None
