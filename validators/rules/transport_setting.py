"""Ports and modes of an MCPServer that do not go with its transport."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcpcfg.compiler.finding import Rule
from mcpcfg.compiler.reading.placeholder import is_placeholder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcpcfg.compiler.finding import Finding
    from mcpcfg.compiler.resource import Resource
    from mcpcfg.compiler.workspace import Workspace
    from mcpcfg.validators.rule import Check

OBJECTS = "Source: the objects that the operator makes of an MCPServer, v0.21.0."

PROXY_MODE = Rule(
    id="IGN001",
    name="ignored-proxy-mode",
    stage="lint",
    severity="info",
    title="proxyMode is set on a server whose transport decides it.",
    doc=f"""`proxyMode` is set on a server that is not of transport `stdio`, to something else than its transport.

Flagged: `proxyMode` of an MCPServer with transport `sse` or `streamable-http`, where the two differ.

Why it bites: only a `stdio` server is translated. For the others the proxy speaks the server's own transport, and
clients that were set up for the other one do not get through.

Example: `transport: sse` with `proxyMode: streamable-http`.

Cure: remove `proxyMode`, and let clients use the transport.

{OBJECTS}
""",
)
STDIO_PORT = Rule(
    id="IGN003",
    name="ignored-server-port",
    stage="lint",
    severity="info",
    title="A server with transport stdio has an mcpPort, where nothing listens.",
    doc=f"""`mcpPort` is set on a server of transport `stdio`.

Flagged: `mcpPort` of an MCPServer with transport `stdio`, also where the transport is not stated.

Why it bites: such a server listens on no port. Either the port does nothing, or the transport is not what was meant:
a server that speaks HTTP never answers on `stdio`.

Example: `mcpPort: 3000` without `transport`.

Cure: set `transport: streamable-http` or `sse`, or remove `mcpPort`. The proxy's own port is `proxyPort`.

{OBJECTS}
""",
)
NO_PORT = Rule(
    id="IGN004",
    name="assumed-server-port",
    stage="lint",
    severity="info",
    title="A server that speaks HTTP states no mcpPort, so 8080 is assumed.",
    doc=f"""A server that speaks HTTP states no `mcpPort`.

Flagged: an MCPServer with transport `sse` or `streamable-http` without `mcpPort`.

Why it bites: the proxy looks for the server on port 8080 and tells it so in `MCP_PORT`. An image that listens elsewhere
and does not read the variable is never reached.

Example: `transport: streamable-http` alone, for an image that listens on 3000.

Cure: state `mcpPort`.

{OBJECTS}
""",
)
RULES = (PROXY_MODE, STDIO_PORT, NO_PORT)


def check(resource: Resource, workspace: Workspace) -> Iterator[Finding]:
    """Tell what does not go with the transport of an MCPServer."""
    del workspace
    spec = resource.spec
    transport = spec.get("transport")
    if transport == "stdio":
        if "mcpPort" in spec:
            message = "a server of transport stdio listens on no port"
            hint = "set transport, or remove mcpPort"
            yield resource.finding(STDIO_PORT, ("spec", "mcpPort"), message, hint=hint, on="key")
        return
    if "mcpPort" not in spec and not is_placeholder(transport or ""):
        message = f"a server of transport {transport} without mcpPort is looked for on port 8080"
        yield resource.finding(NO_PORT, ("spec", "transport"), message, hint="state mcpPort")
    mode = spec.get("proxyMode")
    if mode != transport and resource.states("spec", "proxyMode"):
        message = f"the proxy of a server of transport {transport} speaks {transport}, not {mode}"
        yield resource.finding(PROXY_MODE, ("spec", "proxyMode"), message, hint="remove proxyMode")


CHECKS: dict[str, tuple[Check, ...]] = {"MCPServer": (check,)}
