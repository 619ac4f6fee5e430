"""Remote addresses that the operator refuses."""

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
    from mcpcfg.compiler.workspace import Workspace
    from mcpcfg.validators.rule import Check

SOURCE = "Source: the checks of remote addresses in the operator, v0.21.0."

INVALID = Rule(
    id="URL001",
    name="invalid-remote-url",
    stage="operator",
    severity="error",
    title="A remote address is not a URL with a host.",
    doc=f"""`remoteUrl` is not an http or https URL with a host.

Flagged: `remoteUrl` of an MCPRemoteProxy or MCPServerEntry that Go does not read as a URL, or that names no host.

Why it bites: the schema asks for `http://` or `https://` at the beginning and no more. The operator sets the resource
to Failed.

Example: `remoteUrl: https://mcp.example.com/%zz`.

Cure: write the address as the server documents it; a percent sign that is meant is written `%25`.

{SOURCE}
""",
)
INTERNAL = Rule(
    id="URL002",
    name="internal-remote-host",
    stage="operator",
    severity="error",
    title="A remote address leads into the cluster or to a private network.",
    doc=f"""`remoteUrl` names a host that is not remote: a private address, localhost, or a name inside the cluster.

Flagged: IP addresses of loopback, link-local, private and unspecified ranges (`127.0.0.0/8`, `10.0.0.0/8`,
`172.16.0.0/12`, `192.168.0.0/16`, `169.254.0.0/16`, `0.0.0.0/8`, `::`, `::1`, `fe80::/10`, `fc00::/7`), and the hosts
`localhost`, `cluster.local`, `kubernetes.default`, `kubernetes.default.svc`, `metadata.google.internal` with all below
them.

Why it bites: the operator refuses such addresses, so that nobody reaches internal services through a proxy, and has no
list of exceptions. No name is resolved: `http://svc.ns.svc` passes.

Example: `remoteUrl: http://mcp.tools.svc.cluster.local:8080`.

Cure: run a server inside the cluster as an MCPServer, or give it an address that can be reached from outside.

{SOURCE}
""",
)
RULES = (INVALID, INTERNAL)

PATH = ("spec", "remoteUrl")
RANGES = (
    "0.0.0.0/8",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "::/128",
    "::1/128",
    "fe80::/10",
    "fc00::/7",
)
SUFFIXES = (
    ".localhost",
    ".kubernetes.default.svc",
    ".kubernetes.default",
    ".cluster.local",
    ".metadata.google.internal",
)
"""Ends of internal names, each of which is one itself."""
PLAIN = re.compile(r"https?://([A-Za-z0-9.-]*[A-Za-z])(?::[0-9]+)?(?:/[A-Za-z0-9._~/-]*)?", re.ASCII)
"""What nearly all addresses look like: a host that is no IP address, and nothing that could be misread."""


def hostname_of(text: str) -> str | None:
    """Give the host of a URL, without port; ``None`` where ``text`` is no URL."""
    plain = PLAIN.fullmatch(text)
    if plain is not None:
        return plain[1]
    from mcpcfg.compiler.golang import url

    try:
        return url.parse(text).hostname
    except url.UrlError:
        return None


@reads("remoteUrl")
def check(resource: Resource[MCPRemoteProxySpec | MCPServerEntrySpec], workspace: Workspace) -> Iterator[Finding]:
    """Tell an address that the operator refuses."""
    del workspace
    text: str = resource.spec["remoteUrl"]
    plain = PLAIN.fullmatch(text)
    if plain is not None:
        yield from _host(resource, plain[1])
    elif not is_placeholder(text):
        yield from _unusual(resource, text)


def _unusual(resource: Resource, text: str) -> Iterator[Finding]:
    from mcpcfg.compiler.golang import url

    try:
        parsed = url.parse(text)
    except url.UrlError as error:
        yield resource.finding(INVALID, PATH, f'remoteUrl "{text}" is not a URL: {error}')
        return
    if not parsed.host:
        yield resource.finding(INVALID, PATH, f'remoteUrl "{text}" names no host')
        return
    yield from _host(resource, parsed.hostname)


def _host(resource: Resource, hostname: str) -> Iterator[Finding]:
    why = internal(hostname)
    if why is not None:
        hint = "run a server of the cluster as an MCPServer"
        yield resource.finding(INTERNAL, PATH, f'the host "{hostname}" is {why}, so it is not remote', hint=hint)


def internal(hostname: str) -> str | None:
    """Say what makes a host internal, ``None`` where nothing does. Addresses with a zone count as names, as in Go."""
    if (hostname[-1:].isdigit() or ":" in hostname) and "%" not in hostname:
        block = _block(hostname)
        if block is not None:
            return f"in the range {block}"
    return "an internal name" if f".{hostname.lower()}".endswith(SUFFIXES) else None


def _block(hostname: str) -> str | None:
    """Give the internal range that an IP address is in, ``None`` where it is in none or ``hostname`` is no address."""
    from ipaddress import IPv6Address, ip_address, ip_network

    try:
        address = ip_address(hostname)
    except ValueError:
        return None
    if isinstance(address, IPv6Address):
        address = address.ipv4_mapped or address
    return next((block for block in RANGES if address in ip_network(block)), None)


CHECKS: dict[str, tuple[Check, ...]] = {"MCPRemoteProxy": (check,), "MCPServerEntry": (check,)}
