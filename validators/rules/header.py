"""Rules about headers that a proxy cannot add to forwarded requests, or that arrive changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.diagnostics.version import RECORDED
from ...compiler.toolhive.header import CONTROL, LONGEST_VALUE, TOKEN, is_restricted
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.models.mcpexternalauthconfig import MCPExternalAuthConfigSpec
    from ...compiler.models.mcpremoteproxy import MCPRemoteProxySpec
    from ...compiler.models.mcpserverentry import MCPServerEntrySpec
    from ...compiler.models.mcptelemetryconfig import MCPTelemetryConfigSpec
    from ..rule import Check, Finding, Path, Resource, Rule, Workspace

RESTRICTED = rule(
    "HDR001 restricted-header",
    "process",
    "A proxy is configured to add a header that it refuses to add",
    verified=RECORDED,
)
RESTRICTED_QUIETLY = rule(
    "HDR002 restricted-header-of-entry", "lint", "A header is configured that virtual servers do not add"
)
TWICE = rule("HDR003 header-from-two-places", "lint", "A header gets its value from two places")
UNFIT = rule("HDR004 unfit-header", "lint", "A header's name or value cannot be sent")

FORWARD: Path = ("spec", "headerForward")


@reads("headerForward")
def check(resource: Resource[MCPRemoteProxySpec | MCPServerEntrySpec], _: Workspace) -> Iterator[Finding]:
    """Report forwarded headers that the proxy refuses, that are set twice, or that HTTP cannot send."""
    forward = resource.spec["headerForward"]
    seen: dict[str, Path] = {}
    restricted = RESTRICTED if resource.kind == "MCPRemoteProxy" else RESTRICTED_QUIETLY
    for name, value in (forward.get("addPlaintextHeaders") or {}).items():
        path: Path = (*FORWARD, "addPlaintextHeaders", name)
        seen.setdefault(name.lower(), path)
        yield from _name(resource, path, name, restricted)
        yield from _value(resource, path, name, value)
    for i, header in enumerate(forward.get("addHeadersFromSecret") or ()):
        name = header.get("headerName", "")
        path = (*FORWARD, "addHeadersFromSecret", i, "headerName")
        yield from _name(resource, path, name, restricted)
        first = seen.setdefault(name.lower(), path)
        if first != path:
            notes = (resource.note("it is set here too", first),)
            message = f"header {name} is set twice"
            yield resource.finding(TWICE, path, message, hint="remove one of the two", notes=notes)


def _name(resource: Resource, path: Path, name: str, restricted: Rule) -> Iterator[Finding]:
    is_key = path[-1] == name
    if is_restricted(name):
        message = f"header {name} cannot be added: it controls the connection or identifies the sender"
        yield resource.finding(restricted, path, message, hint="remove it", on="key" if is_key else "value")
    else:
        yield from _unfit_name(resource, path, name)


def _unfit_name(resource: Resource, path: Path, name: str) -> Iterator[Finding]:
    if TOKEN.match(name) is None and not is_placeholder(name):
        message = f'"{name}" cannot be the name of a header'
        hint = "use letters, digits and -"
        yield resource.finding(UNFIT, path, message, hint=hint, on="key" if path[-1] == name else "value")


def _value(resource: Resource, path: Path, name: str, value: str) -> Iterator[Finding]:
    if CONTROL.search(value) and not is_placeholder(value):
        yield resource.finding(UNFIT, path, f"the value of header {name} contains a line break or control character")
    # Go counts bytes. JSON escapes may contain lone surrogates, which only surrogatepass encodes.
    elif len(value.encode("utf-8", "surrogatepass")) > LONGEST_VALUE:
        yield resource.finding(UNFIT, path, f"the value of header {name} is longer than {LONGEST_VALUE} bytes")


@reads("openTelemetry")
def check_telemetry(resource: Resource[MCPTelemetryConfigSpec], _: Workspace) -> Iterator[Finding]:
    """Report telemetry headers that HTTP cannot send, so no telemetry arrives."""
    otel = resource.spec["openTelemetry"]
    path: Path = ("spec", "openTelemetry")
    for name, value in (otel.get("headers") or {}).items():
        yield from _unfit_name(resource, (*path, "headers", name), name)
        yield from _value(resource, (*path, "headers", name), name, value)
    for i, header in enumerate(otel.get("sensitiveHeaders") or ()):
        if name := header.get("name") or "":
            yield from _unfit_name(resource, (*path, "sensitiveHeaders", i, "name"), name)


@reads("tokenExchange", "headerInjection")
def check_outgoing(resource: Resource[MCPExternalAuthConfigSpec], _: Workspace) -> Iterator[Finding]:
    """Report header names that HTTP does not allow, so the proxy cannot send tokens or keys with them."""
    for field, header in (("tokenExchange", "externalTokenHeaderName"), ("headerInjection", "headerName")):
        name = (resource.spec.get(field) or {}).get(header) or ""
        if name:
            yield from _unfit_name(resource, ("spec", field, header), name)


CHECKS: dict[str, tuple[Check, ...]] = {
    "MCPRemoteProxy": (check,),
    "MCPServerEntry": (check,),
    "MCPTelemetryConfig": (check_telemetry,),
    "MCPExternalAuthConfig": (check_outgoing,),
}
