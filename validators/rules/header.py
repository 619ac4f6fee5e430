"""Headers that a proxy adds to what it forwards, and that it cannot, or that do not arrive as meant."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mcpcfg.compiler.finding import Rule
from mcpcfg.compiler.reading.placeholder import is_placeholder
from mcpcfg.validators.rule import reads

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcpcfg.compiler.finding import Finding
    from mcpcfg.compiler.models.mcpremoteproxy import MCPRemoteProxySpec
    from mcpcfg.compiler.models.mcpserverentry import MCPServerEntrySpec
    from mcpcfg.compiler.resource import Resource
    from mcpcfg.compiler.source import Path
    from mcpcfg.compiler.workspace import Workspace
    from mcpcfg.validators.rule import Check

NAMES = """\
`Host`, `Connection`, `Keep-Alive`, `Te`, `Trailer`, `Upgrade`, `Http2-Settings`, `Proxy-Authorization`,
`Proxy-Authenticate`, `Proxy-Connection`, `Transfer-Encoding`, `Content-Length`, `Forwarded`, `X-Forwarded-For`,
`X-Forwarded-Host`, `X-Forwarded-Proto`, `X-Real-Ip`"""
RESTRICTED = Rule(
    id="HDR001",
    name="restricted-header",
    stage="process",
    severity="error",
    title="A proxy is to add a header that it refuses to add.",
    doc=f"""A proxy is to add a header that it refuses to add.

Flagged: in `headerForward.addPlaintextHeaders` of an MCPRemoteProxy, one of the names that steer the connection or say
who is asking, in any case: {NAMES}.

Why it bites: the operator does not look. The proxy refuses when it starts, and its pod crashes again and again.

Example: `addPlaintextHeaders: {{Host: mcp.example.com}}`.

Cure: remove the header. `Host` follows from `remoteUrl`.

Source: the header forwarding of the proxy, v0.21.0.
""",
)
RESTRICTED_QUIETLY = Rule(
    id="HDR002",
    name="restricted-header-of-entry",
    stage="lint",
    severity="warning",
    title="A header is to be added that proxies and virtual servers do not add.",
    doc="""A header is to be added that the product keeps to itself.

Flagged: one of the names of HDR001 in `headerForward.addHeadersFromSecret` of an MCPRemoteProxy, and in `headerForward`
of an MCPServerEntry.

Why it bites: such headers steer the connection or say who is asking. A proxy that finds the Secret does not start;
elsewhere they are not passed on as they are given.

Example: `addHeadersFromSecret: [{headerName: X-Forwarded-For, valueSecretRef: {name: s, key: k}}]`.

Cure: remove the header.

Source: the header forwarding of the proxy, v0.21.0.
""",
)
TWICE = Rule(
    id="HDR003",
    name="header-from-two-places",
    stage="lint",
    severity="warning",
    title="A header has a plain value and one from a Secret.",
    doc="""A header gets a plain value and another one from a Secret.

Flagged: a `headerName` of `headerForward.addHeadersFromSecret` that is also a key of `addPlaintextHeaders`, or that
another item has in other case. Case does not tell headers apart.

Why it bites: only one of the values is sent, and nothing says which.

Example: `addPlaintextHeaders: {x-api-key: none}` beside `headerName: X-Api-Key`.

Cure: keep one.

Source: RFC 9110, section 5.1; the header forwarding of the proxy, v0.21.0.
""",
)
UNFIT = Rule(
    id="HDR004",
    name="unfit-header",
    stage="lint",
    severity="warning",
    title="A header's name or value cannot be sent.",
    doc="""A header's name or value is one that HTTP does not allow.

Flagged: names in `headerForward` with anything but letters, digits and ``!#$%&'*+-.^_`|~``, and plain values with a
line break or another control character, or of more than 8192 bytes.

Why it bites: nobody refuses it. Every request fails when the header is written, or at the server.

Example: `addPlaintextHeaders: {"X Key": "1"}`.

Cure: correct the name; write the value on one line.

Source: RFC 9110, sections 5.1 and 5.5; Go's net/http.
""",
)
RULES = (RESTRICTED, RESTRICTED_QUIETLY, TWICE, UNFIT)

RESERVED = frozenset(
    (
        "host",
        "connection",
        "keep-alive",
        "te",
        "trailer",
        "upgrade",
        "http2-settings",
        "proxy-authorization",
        "proxy-authenticate",
        "proxy-connection",
        "transfer-encoding",
        "content-length",
        "forwarded",
        "x-forwarded-for",
        "x-forwarded-host",
        "x-forwarded-proto",
        "x-real-ip",
    )
)
FORWARD: Path = ("spec", "headerForward")
NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
LONGEST = 8192
"""Bytes of a value that the product forwards elsewhere."""
UNPRINTABLE = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


@reads("headerForward")
def check(resource: Resource[MCPRemoteProxySpec | MCPServerEntrySpec], workspace: Workspace) -> Iterator[Finding]:
    """Tell headers that are refused, that come from two places, or that cannot be sent."""
    del workspace
    forward = resource.spec["headerForward"]
    seen: dict[str, Path] = {}
    for name, value in (forward.get("addPlaintextHeaders") or {}).items():
        path: Path = (*FORWARD, "addPlaintextHeaders", name)
        seen.setdefault(name.lower(), path)
        yield from _name(resource, path, name, RESTRICTED if resource.kind == "MCPRemoteProxy" else RESTRICTED_QUIETLY)
        if UNPRINTABLE.search(value) and not is_placeholder(value):
            yield resource.finding(UNFIT, path, f"the value of header {name} holds a line break or control character")
        elif len(value.encode("utf-8", "surrogatepass")) > LONGEST:
            yield resource.finding(UNFIT, path, f"the value of header {name} is longer than {LONGEST} bytes")
    for i, header in enumerate(forward.get("addHeadersFromSecret") or ()):
        name = header.get("headerName", "")
        path = (*FORWARD, "addHeadersFromSecret", i, "headerName")
        yield from _name(resource, path, name, RESTRICTED_QUIETLY)
        first = seen.setdefault(name.lower(), path)
        if first != path:
            notes = (resource.note("it is given here too", first),)
            yield resource.finding(TWICE, path, f"header {name} is given twice", notes=notes)


def _name(resource: Resource, path: Path, name: str, restricted: Rule) -> Iterator[Finding]:
    is_key = path[-1] == name
    if name.lower() in RESERVED:
        message = f"header {name} cannot be added: it steers the connection or says who is asking"
        yield resource.finding(restricted, path, message, hint="remove it", on="key" if is_key else "value")
    elif NAME.fullmatch(name) is None and not is_placeholder(name):
        message = f'"{name}" cannot be the name of a header'
        yield resource.finding(UNFIT, path, message, on="key" if is_key else "value")


CHECKS: dict[str, tuple[Check, ...]] = {"MCPRemoteProxy": (check,), "MCPServerEntry": (check,)}
