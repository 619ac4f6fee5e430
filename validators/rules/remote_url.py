"""Rules about URLs of remote servers that the operator refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.toolhive.release import PRIVATE_ENDPOINT_SINCE
from ..remote_host import PLAIN, internal
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.models.mcpremoteproxy import MCPRemoteProxySpec
    from ...compiler.models.mcpserverentry import MCPServerEntrySpec
    from ..rule import Check, Finding, Resource, Workspace

HINT = "write an address such as https://mcp.example.com/mcp"

INVALID = rule("URL001 invalid-remote-url", "operator", "A remote address is not a URL with a host")
INTERNAL = rule(
    "URL002 internal-remote-host", "operator", "A remote address points into the cluster or to a private network"
)

PATH = ("spec", "remoteUrl")


@reads("remoteUrl")
def check(resource: Resource[MCPRemoteProxySpec | MCPServerEntrySpec], _: Workspace) -> Iterator[Finding]:
    """Report a remote URL that the operator refuses."""
    text: str = resource.spec["remoteUrl"]
    # Nearly all URLs are simple, so the URL parser is only imported for others.
    plain = PLAIN.fullmatch(text)
    if plain is not None:
        yield from _host(resource, plain[1])
    elif not is_placeholder(text):
        yield from _unusual(resource, text)


def _unusual(resource: Resource[MCPRemoteProxySpec | MCPServerEntrySpec], text: str) -> Iterator[Finding]:
    from ...compiler.golang import url

    try:
        parsed = url.parse(text)
    except url.UrlError as error:
        yield resource.finding(INVALID, PATH, f'remoteUrl "{text}" is not a URL: {error}', hint=HINT)
        return
    if not parsed.host:
        yield resource.finding(INVALID, PATH, f'remoteUrl "{text}" names no host', hint=HINT)
        return
    yield from _host(resource, parsed.hostname)


def _host(resource: Resource[MCPRemoteProxySpec | MCPServerEntrySpec], hostname: str) -> Iterator[Finding]:
    allows_private = bool(resource.spec.get("allowPrivateEndpoint"))
    why = internal(hostname, allows_private=allows_private)
    if why is not None:
        hint = "run a server of the cluster as an MCPServer"
        can_allow = not allows_private and internal(hostname, allows_private=True) is None
        if can_allow and resource.is_judged(since=PRIVATE_ENDPOINT_SINCE):
            hint = f"set allowPrivateEndpoint: true, or {hint}"
        yield resource.finding(INTERNAL, PATH, f'the host "{hostname}" is {why}, so it is not remote', hint=hint)


CHECKS: dict[str, tuple[Check, ...]] = {"MCPRemoteProxy": (check,), "MCPServerEntry": (check,)}
