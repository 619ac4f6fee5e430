"""Rules about clients of the embedded authorization server that get tokens without a user, and its upstream logins."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.diagnostics.shown import shown
from ..rule import rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..rule import Check, Finding, Path, Resource, Workspace

NO_GRANTS = rule(
    "EAS014",
    "grants-turned-off",
    "An empty inboundGrants turns all grants off",
    stage="lint",
    since="0.47.0",
    verified=("0.51.4",),
)
OVERLAP = rule(
    "EAS015",
    "overlapping-spiffe-patterns",
    "One SPIFFE identity matches two clients",
    stage="operator",
    since="0.49.0",
    verified=("0.51.4",),
)
OTHER_HOST = rule(
    "EAS016",
    "callback-on-another-host",
    "Users log in at another host than the callback of the upstream provider",
    stage="lint",
    since="0.51.3",
    verified=("0.51.4",),
)
NO_RESOURCES = rule(
    "EAS017",
    "spiffe-client-without-resources",
    "A SPIFFE client has no resources",
    stage="operator",
    since="0.67.0",
    verified=("0.67.0",),
    unmodelled="newer",
)

_BLOCKS = {"MCPExternalAuthConfig": "embeddedAuthServer", "VirtualMCPServer": "authServerConfig"}


def check(resource: Resource[Any], _: Workspace) -> Iterator[Finding]:
    """Report grants that are off, SPIFFE clients that the operator refuses, and callbacks that lose the login."""
    block = _BLOCKS[resource.kind]
    server = resource.spec.get(block)
    if not isinstance(server, dict):
        return
    path: Path = ("spec", block)
    grants = server.get("inboundGrants")
    if grants == {} and resource.is_judged(since=NO_GRANTS.since):
        message = "inboundGrants is empty, so no grant is on; without it, token exchange is"
        hint = "remove it, or list grants: tokenExchange: {}"
        yield resource.finding(NO_GRANTS, (*path, "inboundGrants"), message, hint=hint, on="key")
    clients = (grants or {}).get("spiffeClientAuth") or []
    yield from _check_clients(resource, (*path, "inboundGrants", "spiffeClientAuth"), clients)
    if resource.is_judged(since=OTHER_HOST.since):
        yield from _check_callbacks(resource, path, server)


def _check_clients(resource: Resource[Any], path: Path, clients: list[dict[str, Any]]) -> Iterator[Finding]:
    if resource.is_judged(since=NO_RESOURCES.since):
        for number, client in enumerate(clients):
            if not client.get("resources"):
                message = f"the SPIFFE client {shown(client['clientId'])} has no resources"
                hint = "list the resources that it may request; each exchange names one of them"
                yield resource.finding(NO_RESOURCES, (*path, number), message, hint=hint)
    if resource.is_judged(since=OVERLAP.since):
        for (first, client), (second, later) in combinations(enumerate(clients), 2):
            patterns = client["principalPattern"], later["principalPattern"]
            if patterns[0] != patterns[1] and not any(map(is_placeholder, patterns)) and _overlap(*patterns):
                message = f"{shown(patterns[1])} overlaps {shown(patterns[0])} of entry {first}"
                hint = "let each SPIFFE ID match one client"
                yield resource.finding(OVERLAP, (*path, second, "principalPattern"), message, hint=hint)


def _overlap(pattern: str, other: str) -> bool:
    """Return whether a SPIFFE ID may match both patterns. ``/*`` at the end stands for all IDs below."""
    short, long = sorted((pattern, other), key=len)
    return short.endswith("/*") and long.startswith(short[:-1])


def _check_callbacks(resource: Resource[Any], path: Path, server: dict[str, Any]) -> Iterator[Finding]:
    login = server.get("authorizationEndpointBaseUrl") or server["issuer"]
    for number, provider in enumerate(server.get("upstreamProviders") or []):
        for field in ("oidcConfig", "oauth2Config"):
            callback = (provider.get(field) or {}).get("redirectUri")
            if not callback or is_placeholder(callback) or is_placeholder(login):
                continue
            hosts = _host(login), _host(callback)
            if None not in hosts and hosts[0] != hosts[1]:
                message = f"users log in at {shown(hosts[0])}, but come back to {shown(hosts[1])}: the login fails"
                hint = f"use the host {shown(hosts[0])} in redirectUri, and register it with the provider"
                at = (*path, "upstreamProviders", number, field, "redirectUri")
                yield resource.finding(OTHER_HOST, at, message, hint=hint)


def _host(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


CHECKS: dict[str, tuple[Check, ...]] = dict.fromkeys(_BLOCKS, (check,))
