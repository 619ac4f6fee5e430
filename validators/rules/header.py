"""Headers that a proxy adds to what it forwards, and that it cannot, or that do not arrive as meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.diagnostics.finding import Rule, rule
from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.records.header import CONTROL, LONGEST_VALUE, TOKEN, is_restricted
from ..rule import reads

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.diagnostics.finding import Finding
    from ...compiler.diagnostics.span import Path
    from ...compiler.models.mcpremoteproxy import MCPRemoteProxySpec
    from ...compiler.models.mcpserverentry import MCPServerEntrySpec
    from ...compiler.workspace.resource import Resource
    from ...compiler.workspace.workspace import Workspace
    from ..rule import Check

NAMES = (
    "`Host`, `Connection`, `Keep-Alive`, `Te`, `Trailer`, `Upgrade`, `Http2-Settings`, `Proxy-Authorization`,"
    " `Proxy-Authenticate`, `Proxy-Connection`, `Transfer-Encoding`, `Content-Length`, `Forwarded`, `X-Forwarded-For`,"
    " `X-Forwarded-Host`, `X-Forwarded-Proto`, `X-Real-Ip`"
)
RESTRICTED = rule(
    "HDR001",
    "restricted-header",
    "A proxy is configured to add a header that it refuses to add",
    stage="process",
    checks="In `headerForward.addPlaintextHeaders` of an MCPRemoteProxy, one of the names that steer the connection or"
    f" say who is asking, in any case: {NAMES}.",
    why="The operator does not look. The proxy refuses when it starts, and its pod crashes in a loop.",
    example="addPlaintextHeaders: {Host: mcp.example.com}",
    fix="Remove the header. `Host` follows from `remoteUrl`.",
    source="The header forwarding of the proxy, v0.21.0.",
)
RESTRICTED_QUIETLY = rule(
    "HDR002",
    "restricted-header-of-entry",
    "A header is configured that proxies and virtual servers do not add",
    stage="lint",
    checks="One of the names of HDR001 in `headerForward.addHeadersFromSecret` of an MCPRemoteProxy, and in"
    " `headerForward` of an MCPServerEntry.",
    why="Such headers steer the connection or say who is asking. A proxy that finds the Secret does not start;"
    " elsewhere they are not passed on as they are given.",
    example="addHeadersFromSecret: [{headerName: X-Forwarded-For, valueSecretRef: {name: s, key: k}}]",
    fix="Remove the header.",
    source="The header forwarding of the proxy, v0.21.0.",
)
TWICE = rule(
    "HDR003",
    "header-from-two-places",
    "A header has a plain value and one from a Secret",
    stage="lint",
    checks="A `headerName` of `headerForward.addHeadersFromSecret` that is also a key of `addPlaintextHeaders`, or"
    " that another item has in other case. Header names are not case-sensitive.",
    why="Only one of the values is sent, and nothing says which.",
    example="""
        addPlaintextHeaders: {x-api-key: none}
        addHeadersFromSecret: [{headerName: X-Api-Key, valueSecretRef: {...}}]
        """,
    fix="Keep one.",
    source="RFC 9110, section 5.1; the header forwarding of the proxy, v0.21.0.",
)
UNFIT = rule(
    "HDR004",
    "unfit-header",
    "A header's name or value cannot be sent",
    stage="lint",
    checks="Names in `headerForward` with anything but letters, digits and ``!#$%&'*+-.^_`|~``, and plain values with"
    " a line break or another control character, or of more than 8192 bytes.",
    why="Nothing refuses it. Every request fails when the header is written, or at the server.",
    example='addPlaintextHeaders: {"X Key": "1"}',
    fix="Correct the name; write the value on one line.",
    source="RFC 9110, sections 5.1 and 5.5; Go's net/http.",
)
RULES = (RESTRICTED, RESTRICTED_QUIETLY, TWICE, UNFIT)

FORWARD: Path = ("spec", "headerForward")


@reads("headerForward")
def check(resource: Resource[MCPRemoteProxySpec | MCPServerEntrySpec], workspace: Workspace) -> Iterator[Finding]:
    """Report headers that are refused, that come from two places, or that cannot be sent."""
    del workspace
    forward = resource.spec["headerForward"]
    seen: dict[str, Path] = {}
    for name, value in (forward.get("addPlaintextHeaders") or {}).items():
        path: Path = (*FORWARD, "addPlaintextHeaders", name)
        seen.setdefault(name.lower(), path)
        yield from _name(resource, path, name, RESTRICTED if resource.kind == "MCPRemoteProxy" else RESTRICTED_QUIETLY)
        if CONTROL.search(value) and not is_placeholder(value):
            yield resource.finding(UNFIT, path, f"the value of header {name} holds a line break or control character")
        # Bytes, as Go counts them; a lone surrogate from a JSON escape can be encoded no other way.
        elif len(value.encode("utf-8", "surrogatepass")) > LONGEST_VALUE:
            yield resource.finding(UNFIT, path, f"the value of header {name} is longer than {LONGEST_VALUE} bytes")
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
    if is_restricted(name):
        message = f"header {name} cannot be added: it steers the connection or says who is asking"
        yield resource.finding(restricted, path, message, hint="remove it", on="key" if is_key else "value")
    elif TOKEN.match(name) is None and not is_placeholder(name):
        message = f'"{name}" cannot be the name of a header'
        yield resource.finding(UNFIT, path, message, on="key" if is_key else "value")


CHECKS: dict[str, tuple[Check, ...]] = {"MCPRemoteProxy": (check,), "MCPServerEntry": (check,)}
