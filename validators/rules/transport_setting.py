"""Rules about ports, addresses and modes of an MCPServer that do not match its transport."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from ...compiler.diagnostics.named_tuple import NamedTuple
from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.diagnostics.plain import listed, mapping
from ...compiler.diagnostics.shown import shown
from ...compiler.toolhive.constants import DEFAULT_PORT
from ...compiler.toolhive.constants import TRANSPORT_VARIABLE as OWN_VARIABLE
from ..pod import SERVER, containers_of
from ..rule import rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ...compiler.models.mcpserver import MCPServerSpec
    from ..rule import Check, Finding, Path, Resource, Workspace

PROXY_MODE = rule(
    "IGN001 ignored-proxy-mode",
    "lint",
    "proxyMode is set on a server whose transport decides it",
    severity="info",
    is_one_change=True,
)
STDIO_PORT = rule(
    "IGN003 ignored-server-port",
    "lint",
    "A server with transport stdio has an mcpPort, but listens on no port",
    severity="info",
)
OTHER_PORT = rule(
    "IGN004 server-on-another-port",
    "lint",
    "A server listens on a different port from the one that the proxy connects to",
)
LOOPBACK = rule("IGN011 server-on-loopback", "lint", "A server listens on an address that the proxy cannot reach")
OTHER_TRANSPORT = rule(
    "IGN012 server-with-another-transport",
    "lint",
    "A server is set to a different transport from the one that the proxy speaks with it",
)

STDIO_ON_HTTP = rule("IGN013 stdio-server-on-http", "lint", "A server with transport stdio is set to speak HTTP")

LOST_HEALTH = rule(
    "POD008 probe-of-missing-health",
    "lint",
    "A probe asks the proxy of a stdio server for a health that the proxy does not know",
)
_PROBES: Final = ("startupProbe", "livenessProbe", "readinessProbe")
_HEALTH: Final = r"(?:\bmcp-%s-proxy\b|(?i:\$\{?\w*proxy\w*))[^\s\"']*/health(?![\w-])"
"""Pattern of the health of the proxy. Any other address, such as that of the container itself, has a health of its own.
"""
_MCP_HEALTH: Final = r"\bavailable\b|\.mcp\b|[\"']mcp[\"']"
"""Pattern of a command that reads the key ``mcp`` of a health, or its key ``available``."""

_PORT_DIGITS = 5
"""Digits of the largest port, 65535."""
_LOCAL: Final = r"(?:127\.0\.0\.1|localhost|\[::1\])(?::[0-9]{1,5})?"
_LISTENING: Final = r"(?:0\.0\.0\.0|\[::\])?:([0-9]{1,5})"
HOST_FLAGS = frozenset({"host", "bind-host", "listen-host", "http-host"})
TRANSPORT_FLAGS = frozenset({"transport", "t"})
HOST_VARIABLES = frozenset({"MCP_HTTP_HOST", "FASTMCP_HOST"})
ADDRESS_VARIABLE: Final = r"(?:(?!METRICS|HEALTH|PROBE|ADMIN|DEBUG|PPROF)[A-Z0-9]+_)*(?:MCP|HTTP|LISTEN)_ADDR(?:ESS)?"
TRANSPORT_VARIABLE: Final = (
    r"(?!(?:[A-Z0-9]+_)*(?:UPSTREAM|DOWNSTREAM|REMOTE|CLIENT|BACKEND|TARGET)_)"
    r"(?:[A-Z0-9]+_)+MCP_(?:SERVER_)?TRANSPORT|FASTMCP_TRANSPORT"
)
"""Pattern of a variable with the transport of the server itself, not of a server that it calls."""
_PLAIN_VARIABLE: Final = r"(?:MCP_|SERVER_)?(?:TRANSPORT(?:_TYPE|_MODE|_PROTOCOL)?|MODE)"
"""Pattern of a variable that may set any transport. It only counts with a value that is one of MCP."""
_OF_MCP: Final = frozenset({"sse", "streamablehttp"})
_TRANSPORTS: Final = {name.replace("-", ""): name for name in ("stdio", "sse", "streamable-http")} | {
    "http": "streamable-http"
}
"""Transports by their names in lower case without separators."""
PORT_FLAGS = frozenset({"port", "http-port", "mcp-port", "server-port", "listen-port"})
ADDRESS_FLAGS = frozenset({"address", "addr", "bind", "bind-address", "listen", "listen-address", "http-addr"})
FLAGS = PORT_FLAGS | ADDRESS_FLAGS
PORT_VARIABLES = frozenset({"PORT", "HTTP_PORT", "LISTEN_PORT", "SERVER_PORT", "MCP_SERVER_PORT", "MCP_HTTP_PORT"})
"""Environment variables that commonly set the port on which a server listens."""


def check(resource: Resource[MCPServerSpec], _: Workspace) -> Iterator[Finding]:
    """Report settings that do not match the transport of an MCPServer."""
    spec = resource.spec
    transport = spec.get("transport")
    if transport == "stdio":
        if "mcpPort" in spec:
            message = "a server with transport stdio listens on no port"
            hint = "set transport, or remove mcpPort"
            yield resource.finding(STDIO_PORT, ("spec", "mcpPort"), message, hint=hint, on="key")
        yield from _http_on_stdio(resource, [*_settings(spec)])
        yield from _lost_health(resource) if spec.get("proxyMode") == "streamable-http" else ()
        return
    if isinstance(transport, str) and is_placeholder(transport):
        return
    settings = [*_settings(spec)]
    if settings:
        yield from _other_ports(resource, settings)
        yield from _unreachable(resource, settings)
        yield from _other_transports(resource, settings)
    mode = spec.get("proxyMode")
    if mode != transport and resource.states("spec", "proxyMode"):
        message = f"the proxy of a server with transport {transport} speaks {transport}, not {mode}"
        yield resource.finding(PROXY_MODE, ("spec", "proxyMode"), message, hint="remove proxyMode")


def _lost_health(resource: Resource[MCPServerSpec]) -> Iterator[Finding]:
    """Yield a finding for each probe whose command reads ``mcp.available`` from the health of the proxy."""
    proxy = _HEALTH % re.escape(resource.name)
    for path, container in containers_of(resource.spec):
        for field in _PROBES:
            command = mapping(mapping(container.get(field)).get("exec")).get("command")
            text = " ".join(word for word in listed(command) if isinstance(word, str))
            if re.search(proxy, text) is not None and re.search(_MCP_HEALTH, text) is not None:
                message = "the proxy of a stdio server answers without mcp.available, so this probe always fails"
                hint = "check the status code of /health alone"
                yield resource.finding(LOST_HEALTH, (*path, field, "exec", "command"), message, hint=hint)


def _other_ports(resource: Resource[MCPServerSpec], settings: Sequence[_Setting]) -> Iterator[Finding]:
    wanted = resource.spec.get("mcpPort", DEFAULT_PORT)
    if not isinstance(wanted, int):
        return
    ports = [(setting, port) for setting in settings if (port := _listened(setting)) is not None]
    for setting, port in ports:
        if port != wanted and (setting.is_plain or all(other != wanted for _, other in ports)):
            looked = (
                f"on mcpPort {wanted}" if "mcpPort" in resource.spec else f"on {wanted}, because mcpPort is missing"
            )
            message = f"the server is set to listen on port {port}, but the proxy connects to it {looked}"
            yield resource.finding(OTHER_PORT, setting.path, message, hint=f"set mcpPort: {port}")


def _listened(setting: _Setting) -> int | None:
    name, value = setting.name, setting.value
    if name in PORT_FLAGS | PORT_VARIABLES:
        return _port(value)
    if name in ADDRESS_FLAGS:
        return _port(value.rpartition(":")[2])
    if name.endswith(("ADDR", "ADDRESS")) and re.fullmatch(ADDRESS_VARIABLE, name):
        match = re.fullmatch(_LISTENING, value)
        return int(match[1]) if match else None
    return None


def _unreachable(resource: Resource[MCPServerSpec], settings: Sequence[_Setting]) -> Iterator[Finding]:
    """Report loopback addresses of a server. A second container may forward requests, so then none is reported."""
    if any(container.get("name") != SERVER for _, container in containers_of(resource.spec)):
        return
    for setting in settings:
        if setting.name in HOST_FLAGS | ADDRESS_FLAGS | HOST_VARIABLES and re.fullmatch(_LOCAL, setting.value):
            message = f"the server listens on {shown(setting.value)}, but the proxy connects from another pod"
            yield resource.finding(LOOPBACK, setting.path, message, hint="listen on 0.0.0.0")


def _other_transports(resource: Resource[MCPServerSpec], settings: Sequence[_Setting]) -> Iterator[Finding]:
    """Report a setting that surely makes the server use another transport than the resource states."""
    spoken = resource.spec.get("transport")
    setting = _chosen_transport(resource, settings)
    if setting is None:
        return
    if _TRANSPORTS.get(_folded(setting.value), spoken) != spoken and not (setting.value == "http" and spoken == "sse"):
        message = f"the server is set to transport {setting.value}, but the proxy speaks {spoken} with it"
        yield resource.finding(OTHER_TRANSPORT, setting.path, message, hint=f"write the same transport: {spoken}")


def _http_on_stdio(resource: Resource[MCPServerSpec], settings: Sequence[_Setting]) -> Iterator[Finding]:
    """Report a setting that surely makes a server with transport stdio speak HTTP."""
    setting = _chosen_transport(resource, settings) or _mode_of_server(resource, settings)
    spoken = None if setting is None else _TRANSPORTS.get(_folded(setting.value), "stdio")
    if setting is not None and spoken not in {None, "stdio"}:
        message = f"the server is set to transport {setting.value}, but the proxy speaks stdio with it"
        hint = f"set transport: {spoken} and mcpPort, or have the server speak stdio"
        yield resource.finding(STDIO_ON_HTTP, setting.path, message, hint=hint)


def _chosen_transport(resource: Resource[MCPServerSpec], settings: Sequence[_Setting]) -> _Setting | None:
    """Return the setting of the server's transport, or ``None`` if no setting surely is.

    That of a bridge, for example, may be about another server, whose address or command (behind ``--``) it states.
    """
    chosen = [
        setting
        for setting in settings
        if (setting.name in TRANSPORT_FLAGS or re.fullmatch(TRANSPORT_VARIABLE, setting.name))
        and not setting.value.startswith("-")  # another flag follows, so this one has no value
    ]
    is_one = len({_TRANSPORTS.get(_folded(setting.value), setting.value) for setting in chosen}) == 1
    return chosen[0] if is_one and not _may_reach_another(resource) else None


def _mode_of_server(resource: Resource[MCPServerSpec], settings: Sequence[_Setting]) -> _Setting | None:
    """Return the first argument, or a variable such as ``TRANSPORT``, if its value is a transport of MCP over HTTP.

    A flag that states a transport wins.
    """
    if _may_reach_another(resource) or any(setting.name in TRANSPORT_FLAGS for setting in settings):
        return None
    first = next(iter(listed(resource.spec.get("args"))), None)
    if isinstance(first, str) and _folded(first) in _OF_MCP | {"http"} and len(listed(resource.spec.get("args"))) == 1:
        return _Setting(("spec", "args", 0), "", first, is_plain=False)
    for setting in settings:
        if re.fullmatch(_PLAIN_VARIABLE, setting.name) and _folded(setting.value) in _OF_MCP:
            # The runner overwrites MCP_TRANSPORT itself.
            return None if setting.name == OWN_VARIABLE else setting
    return None


def _may_reach_another(resource: Resource[MCPServerSpec]) -> bool:
    holders = [resource.spec, *(container for _, container in containers_of(resource.spec))]
    words = [str(word) for holder in holders for field in ("command", "args") for word in listed(holder.get(field))]
    return any(word == "--" or "://" in word or is_placeholder(word) for word in words)


def _folded(word: str) -> str:
    # Imported here: most servers have no setting that is compared.
    from ...compiler.diagnostics.suggestion import folded

    return folded(word)


class _Setting(NamedTuple):
    """A command-line flag or an environment variable of the MCP server.

    Attributes:
        name: The flag without dashes, or the variable.
        is_plain: True if the spec itself has the setting, and `FLAGS` or `PORT_VARIABLES` its name.
    """

    path: Path
    name: str
    value: str
    is_plain: bool


def _settings(spec: MCPServerSpec) -> Iterator[_Setting]:
    """Yield the flags and variables of the server: first those of the spec, then those of the pod template.

    If the spec has arguments, those of the pod template are skipped, because the spec replaces them.
    """
    holders: list[tuple[Path, Mapping[str, Any]]] = [(("spec",), spec)]
    if "podTemplateSpec" in spec:
        holders += [(path, container) for path, container in containers_of(spec) if container.get("name") == SERVER]
    for above, holder in holders:
        is_own = holder is spec
        if not is_own:
            yield from _flags((*above, "command"), holder.get("command"), is_own=False)
        if is_own or not spec.get("args"):
            yield from _flags((*above, "args"), holder.get("args"), is_own=is_own)
        for i, variable in enumerate(map(mapping, listed(holder.get("env")))):
            key, text = variable.get("name"), variable.get("value")
            if isinstance(key, str) and isinstance(text, str):
                yield _Setting((*above, "env", i, "value"), key, text, is_own and key in PORT_VARIABLES)


def _flags(path: Path, stated: Any, *, is_own: bool) -> Iterator[_Setting]:
    words = [word if isinstance(word, str) else "" for word in listed(stated)]
    for i, word in enumerate(words):
        flag, given, value = word.partition("=")
        name = flag.lstrip("-")
        # A word without dashes is not a flag. It may be the value of the flag before it.
        if name == flag:
            continue
        place = i
        if not given and i + 1 < len(words):
            place, value = i + 1, words[i + 1]
        yield _Setting((*path, place), name, value, is_own and name in FLAGS)


def _port(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _PORT_DIGITS else None


CHECKS: dict[str, tuple[Check, ...]] = {"MCPServer": (check,)}
