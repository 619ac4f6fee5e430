"""Rules about clients of the embedded authorization server that get tokens without a user, and its upstream logins."""

from __future__ import annotations

import re
from itertools import combinations
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ...compiler.diagnostics.placeholder import is_placeholder, surely_differ
from ...compiler.diagnostics.shown import shown
from ...compiler.emit import authserver
from ...compiler.emit.listener import LISTENER_PORT
from ...compiler.toolhive.legacy_grant import ASSERTIONS, CLIENTS, DEPRECATED_SINCE, legacy_fields
from ...compiler.toolhive.release import CALLBACK_BOUND_SINCE
from ..registry import PROXIES
from ..rule import rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.models.spec import ProxySpec
    from ..rule import Check, Finding, Path, Resource, Workspace

NO_GRANTS = rule(
    "EAS014 grants-turned-off",
    "lint",
    "An empty inboundGrants turns all grants off",
    since="0.47.0",
    verified=("0.51.4",),
)
OVERLAP = rule(
    "EAS015 overlapping-spiffe-patterns",
    "operator",
    "One SPIFFE identity matches two clients",
    since="0.49.0",
    verified=("0.51.4",),
)
OTHER_HOST = rule(
    "EAS016 callback-on-another-host",
    "lint",
    "Users log in at another host than the callback of the upstream provider",
    since=CALLBACK_BOUND_SINCE,
    verified=("0.51.4",),
)
NO_RESOURCES = rule(
    "EAS017 spiffe-client-without-resources",
    "operator",
    "A SPIFFE client has no resources",
    since="0.67.0",
    verified=("0.67.0",),
    unmodelled="newer",
)

LEGACY = rule(
    "EAS018 grants-in-older-fields",
    "lint",
    "Grants are stated in fields that inboundGrants replaces",
    since=DEPRECATED_SINCE,
    verified=("0.51.4",),
)
PORT_TAKEN = rule(
    "EAS019 listener-port-taken",
    "operator",
    "A proxy uses the port of the authorization server's listener",
    since="0.52.0",
    verified=("0.64.0",),
    unmodelled="newer",
)
NO_LISTENER = rule(
    "EAS020 x509-client-without-listener",
    "operator",
    "SPIFFE clients present certificates, but there is no listener for them",
    since="0.64.0",
    verified=("0.64.0",),
    unmodelled="newer",
)
NO_SPIFFE = rule(
    "EAS021 spiffe-not-available",
    "operator",
    "The authorization server does not verify SPIFFE identities yet",
    since="0.47.0",
    until="0.52.0",
    verified=("0.51.4",),
)
PLAIN_ISSUER = rule(
    "EAS022 keys-over-plain-http",
    "operator",
    "Clients that prove themselves with a key need an HTTPS issuer",
    since="0.46.0",
    verified=("0.51.4",),
)

_BLOCKS = {"MCPExternalAuthConfig": "embeddedAuthServer", "VirtualMCPServer": "authServerConfig"}


def check(resource: Resource[Any], _: Workspace) -> Iterator[Finding]:
    """Report grants that are off or deprecated, SPIFFE clients that are refused, and callbacks that lose the login."""
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
    if server.get("allowPrivateKeyJWTRegistration") and _is_plain(server):
        message = "allowPrivateKeyJWTRegistration needs an issuer with https"
        yield resource.finding(PLAIN_ISSUER, (*path, "issuer"), message, hint="use https, or do not allow it")
    clients = (grants or {}).get("spiffeClientAuth") or []
    yield from _check_clients(resource, (*path, "inboundGrants", "spiffeClientAuth"), clients)
    yield from _check_spiffe(resource, path, server, clients)
    yield from _check_legacy(resource, path, server)
    if resource.is_judged(since=OTHER_HOST.since):
        yield from _check_callbacks(resource, path, server)


def _is_plain(server: dict[str, Any]) -> bool:
    """Return whether the issuer has scheme HTTP, and no setting lets confidential clients use it on this host."""
    return (
        server["issuer"].startswith("http://") and server.get("insecureAllowConfidentialOverLoopbackHTTP") is not True
    )


def _check_spiffe(
    resource: Resource[Any], path: Path, server: dict[str, Any], clients: list[dict[str, Any]]
) -> Iterator[Finding]:
    if server.get("spiffeTrustDomains"):
        message = "the authorization server does not start with spiffeTrustDomains: it cannot verify them yet"
        hint = "remove spiffeTrustDomains and spiffeClientAuth, or upgrade the operator"
        yield resource.finding(NO_SPIFFE, (*path, "spiffeTrustDomains"), message, hint=hint, on="key")
    for number, client in enumerate(clients):
        if "spiffe_x509" in (client.get("methods") or ()) and "tlsListener" not in server:
            message = (
                f"the SPIFFE client {shown(client['clientId'])} presents a certificate, but there is no tlsListener"
            )
            hint = "add tlsListener with certificate and key, or use spiffe_jwt"
            at = (*path, "inboundGrants", "spiffeClientAuth", number, "methods")
            yield resource.finding(NO_LISTENER, at, message, hint=hint)


def _check_legacy(resource: Resource[Any], path: Path, server: dict[str, Any]) -> Iterator[Finding]:
    fields = [field for field in legacy_fields(server) if resource.states(*path, *field.path)]
    if not fields:
        return
    grants = dict.fromkeys(field.grant for field in fields)
    is_policy = any(field.path[0] != CLIENTS and field.grant == "tokenExchange" for field in fields)
    named = {CLIENTS: fields[0].path == (CLIENTS,), "policies": is_policy, ASSERTIONS: "jwtBearer" in grants}
    names = [name for name, is_stated in named.items() if is_stated]
    where = "" if names == [CLIENTS] else " of trustedIssuers"
    message = f"{' and '.join(names)}{where} {'is' if names == [ASSERTIONS] else 'are'} deprecated"
    hint = f"move {'it' if names == [ASSERTIONS] else 'them'} to inboundGrants: {' and '.join(grants)}"
    yield resource.finding(LEGACY, (*path, *fields[0].path), message, hint=hint, on="key")


def check_port(resource: Resource[ProxySpec], workspace: Workspace) -> Iterator[Finding]:
    """Report a proxy that listens on the port on which its authorization server serves HTTPS."""
    server = authserver.of_proxy(workspace, resource)
    if server is not None and "tlsListener" in server and resource.spec.get("proxyPort") == LISTENER_PORT:
        message = f"port {LISTENER_PORT} belongs to the listener of the authorization server"
        yield resource.finding(PORT_TAKEN, ("spec", "proxyPort"), message, hint="use another proxyPort")


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
            host, other = _host(login), _host(callback or "")
            if host and other and surely_differ(host, other):
                message = f"users log in at {shown(host)}, but come back to {shown(other)}: the login fails"
                hint = f"use the host {shown(host)} in redirectUri, and register it with the provider"
                at = (*path, "upstreamProviders", number, field, "redirectUri")
                yield resource.finding(OTHER_HOST, at, message, hint=hint)


def _host(url: str) -> str:
    """Return the host of a URL without its port, with placeholders as they are; empty if it cannot be read."""
    try:
        host = re.sub(r":[0-9]{1,5}\Z", "", urlsplit(url).netloc.rpartition("@")[2])
    except ValueError:
        return ""
    return host if is_placeholder(host) else host.lower()


CHECKS: dict[str, tuple[Check, ...]] = dict.fromkeys(_BLOCKS, (check,)) | dict.fromkeys(PROXIES, (check_port,))
