"""Ports and modes of an MCPServer that do not match its transport."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.toolhive.constants import DEFAULT_PORT
from ..rule import rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.models.mcpserver import MCPServerSpec
    from ..rule import Check, Finding, Path, Resource, Workspace

OBJECTS = "The objects that the operator makes of an MCPServer, v0.21.0."

PROXY_MODE = rule(
    "IGN001",
    "ignored-proxy-mode",
    "proxyMode is set on a server whose transport decides it",
    stage="lint",
    severity="info",
    checks="`proxyMode` of an MCPServer with transport `sse` or `streamable-http`, where the two differ.",
    why="Only a `stdio` server is translated. For the others the proxy speaks the server's own transport, and clients"
    " set up for the other one cannot connect.",
    example="""
        transport: sse
        proxyMode: streamable-http
        """,
    fix="Remove `proxyMode`, and point clients at the server's transport.",
    source=OBJECTS,
    is_one_change=True,
)
STDIO_PORT = rule(
    "IGN003",
    "ignored-server-port",
    "A server with transport stdio has an mcpPort, but listens on no port",
    stage="lint",
    severity="info",
    checks="`mcpPort` of an MCPServer with transport `stdio`, which is also the default.",
    why="Such a server listens on no port. Either the port does nothing, or the transport is not what was meant: a"
    " server that speaks HTTP never answers on `stdio`.",
    example="mcpPort: 3000   # and no transport, so it is stdio",
    fix="Set `transport: streamable-http` or `sse`, or remove `mcpPort`. The proxy's own port is `proxyPort`.",
    source=OBJECTS,
)
OTHER_PORT = rule(
    "IGN004",
    "server-on-another-port",
    "A server listens on a different port from the one that the proxy connects to",
    stage="lint",
    checks="In an MCPServer with transport `sse` or `streamable-http`, an argument or variable that says where to"
    " listen (`--port 3000`, `--address=0.0.0.0:3000`, `PORT`), with a port other than `mcpPort`, or other than 8080"
    " where that is missing.",
    why="The proxy connects to `mcpPort`, or to 8080 without one. It never reaches the server: everything looks"
    " healthy, but every request fails.",
    example="""
        transport: streamable-http
        args: [--port, "3000"]       # and no mcpPort
        """,
    fix="Set `mcpPort` to the port on which the server listens.",
    source=OBJECTS,
)

_PORT_DIGITS = 5
PORT_FLAGS = frozenset({"port", "http-port", "mcp-port", "server-port", "listen-port"})
ADDRESS_FLAGS = frozenset({"address", "addr", "bind", "bind-address", "listen", "listen-address", "http-addr"})
FLAGS = PORT_FLAGS | ADDRESS_FLAGS
PORT_VARIABLES = frozenset({"PORT", "HTTP_PORT", "LISTEN_PORT", "SERVER_PORT", "MCP_SERVER_PORT", "MCP_HTTP_PORT"})
"""How images are commonly configured where to listen."""


def check(resource: Resource[MCPServerSpec], _: Workspace) -> Iterator[Finding]:
    """Report settings that do not match the transport of an MCPServer."""
    spec = resource.spec
    transport = spec.get("transport")
    if transport == "stdio":
        if "mcpPort" in spec:
            message = "a server with transport stdio listens on no port"
            hint = "set transport, or remove mcpPort"
            yield resource.finding(STDIO_PORT, ("spec", "mcpPort"), message, hint=hint, on="key")
        return
    if isinstance(transport, str) and is_placeholder(transport):
        return
    yield from _other_ports(resource)
    mode = spec.get("proxyMode")
    if mode != transport and resource.states("spec", "proxyMode"):
        message = f"the proxy of a server with transport {transport} speaks {transport}, not {mode}"
        yield resource.finding(PROXY_MODE, ("spec", "proxyMode"), message, hint="remove proxyMode")


def _other_ports(resource: Resource[MCPServerSpec]) -> Iterator[Finding]:
    wanted = resource.spec.get("mcpPort", DEFAULT_PORT)
    if not isinstance(wanted, int):
        return
    for path, port in _configured_ports(resource.spec):
        if port != wanted:
            looked = (
                f"on mcpPort {wanted}" if "mcpPort" in resource.spec else f"on {wanted}, because mcpPort is missing"
            )
            message = f"the server is set to listen on port {port}, but the proxy connects to it {looked}"
            yield resource.finding(OTHER_PORT, ("spec", *path), message, hint=f"set mcpPort: {port}")


def _configured_ports(spec: MCPServerSpec) -> Iterator[tuple[Path, int]]:
    """Yield the ports that arguments and variables make the server listen on, with their paths."""
    args = spec.get("args") or ()
    for i, arg in enumerate(args):
        flag, given, value = arg.partition("=")
        name = flag.lstrip("-")
        # A word without dashes is no flag; it may be the value of one.
        if name == flag or name not in FLAGS:
            continue
        place = i
        if not given and i + 1 < len(args):
            place, value = i + 1, args[i + 1]
        port = _port(value.rpartition(":")[2] if name in ADDRESS_FLAGS else value)
        if port is not None:
            yield ("args", place), port
    for i, variable in enumerate(spec.get("env") or ()):
        port = _port(variable.get("value") or "") if variable.get("name") in PORT_VARIABLES else None
        if port is not None:
            yield ("env", i, "value"), port


def _port(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _PORT_DIGITS else None


CHECKS: dict[str, tuple[Check, ...]] = {"MCPServer": (check,)}
