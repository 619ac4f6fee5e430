"""What the operator refuses in later settings of an embedded authorization server: its clients, whom it trusts.

`block_faults` looks at the block alone, `use_faults` at it with what the workload that embeds it states. Paths lead
from the block.

Source: the validation of MCPExternalAuthConfig and of the auth server's run configuration, v0.22.0 to v0.44.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..diagnostics.fault import Fault
from ..diagnostics.placeholder import is_placeholder
from ..diagnostics.plain import listed, mapping
from ..diagnostics.shown import shown
from ..toolhive.auth_client import DEFAULT_SCOPES, RESERVED_PARAMETERS
from ..toolhive.endpoint import is_local_http, keys_fault, reaches_this_machine, redirect_fault, trusted_issuer_fault
from .auth_server import BLOCKS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping


def block_faults(server: Mapping[str, Any]) -> Iterator[Fault]:
    """Find what is refused whoever uses the server."""
    yield from _parameters(server)
    yield from _plain_text(server)
    yield from _forced_redirects(server)
    issuers: set[str] = set()
    for i, trusted in enumerate(listed(server.get("trustedIssuers"))):
        url, path = trusted.get("issuerUrl") or "", ("trustedIssuers", i, "issuerUrl")
        if is_placeholder(url):
            continue
        if url == server.get("issuer"):
            message = f"{shown(url)} is the server's own issuer, whose tokens it takes anyway"
            yield Fault(path, "trusted-issuer", message, "remove the entry")
        elif url in issuers:
            yield Fault(path, "trusted-issuer", f"{shown(url)} is trusted twice", "keep one of the two")
        issuers.add(url)


def use_faults(server: Mapping[str, Any], scopes: Collection[str], audience: str | None) -> Iterator[Fault]:
    """Find what is refused where a workload embeds the server.

    Args:
        server: The block.
        scopes: That the workload states; empty for the default ones.
        audience: The one that tokens are issued for; ``None`` where it is unknown.
    """
    for i, trusted in enumerate(listed(server.get("trustedIssuers"))):
        yield from _trusted_urls(i, trusted)
    offered = scopes or DEFAULT_SCOPES
    names: set[str] = set()
    for i, client in enumerate(listed(server.get("delegateClients"))):
        name = client.get("clientId") or ""
        if name in names:
            message = f"there are two clients {shown(name)}"
            yield Fault(("delegateClients", i, "clientId"), "delegate-client", message, "give each an id of its own")
        if not is_placeholder(name):
            names.add(name)
        for j, scope in enumerate(client.get("scopes") or ()):
            if not is_placeholder(scope) and scope not in offered and not any(map(is_placeholder, offered)):
                message = f"client {shown(name)} may ask for scope {shown(scope)}, which the server does not have"
                hint = f"it has {', '.join(offered)}: add it to oidcConfigRef.scopes, or remove it here"
                yield Fault(("delegateClients", i, "scopes", j), "delegate-client", message, hint)
        for j, wanted in enumerate(client.get("audiences") or ()):
            if (
                audience is not None
                and wanted != audience
                and not is_placeholder(wanted)
                and not is_placeholder(audience)
            ):
                message = (
                    f"client {shown(name)} may ask for tokens for {shown(wanted)}, which the server does not issue"
                )
                hint = f"write {audience}, the resource URL"
                yield Fault(("delegateClients", i, "audiences", j), "delegate-client", message, hint)


def baseline_faults(server: Mapping[str, Any], scopes: Collection[str]) -> Iterator[Fault]:
    """Find scopes of all clients that the server does not have: the process finds them when it starts."""
    offered = scopes or DEFAULT_SCOPES
    for i, scope in enumerate(server.get("baselineClientScopes") or ()):
        if scope not in offered and not is_placeholder(scope) and not any(map(is_placeholder, offered)):
            message = f"every client is to get scope {shown(scope)}, which the server does not have"
            hint = f"it has {', '.join(offered)}: add it to oidcConfigRef.scopes, or remove it here"
            yield Fault(("baselineClientScopes", i), "baseline-scope", message, hint)


def _parameters(server: Mapping[str, Any]) -> Iterator[Fault]:
    for i, upstream in enumerate(listed(server.get("upstreamProviders"))):
        for block in BLOCKS.values():
            for name in mapping(mapping(upstream.get(block)).get("additionalAuthorizationParams")):
                if name in RESERVED_PARAMETERS:
                    path = ("upstreamProviders", i, block, "additionalAuthorizationParams", name)
                    message = f"additionalAuthorizationParams has {name}, which the server sets itself"
                    yield Fault(path, "reserved-parameter", message, "remove it", on_key=True)


def _plain_text(server: Mapping[str, Any]) -> Iterator[Fault]:
    """Find secrets of clients over plain HTTP, where the API server does not refuse it."""
    may_register, field = server.get("allowConfidentialClientRegistration") is True, "insecureAllowHTTP"
    if server.get(field) is True:
        if not may_register and server.get("delegateClients"):
            message = "delegateClients send their secrets, which insecureAllowHTTP lets travel in plain text"
            yield Fault((field,), "plain-text-secret", message, "remove insecureAllowHTTP", on_key=True)
        return
    issuer = server.get("issuer") or ""
    is_allowed = server.get("insecureAllowConfidentialOverLoopbackHTTP") is True
    if may_register and not is_allowed and not is_placeholder(issuer) and is_local_http(issuer):
        message = f"clients that register get secrets, which the issuer {shown(issuer)} lets travel in plain text"
        hint = "use https; for development set insecureAllowConfidentialOverLoopbackHTTP: true"
        yield Fault(("issuer",), "plain-text-secret", message, hint)


def _forced_redirects(server: Mapping[str, Any]) -> Iterator[Fault]:
    for i, url in enumerate(server.get("forceConfidentialRedirectUris") or ()):
        if is_placeholder(url):
            continue
        fault = redirect_fault(url)
        if fault is None and reaches_this_machine(url):
            fault = "leads to this machine, where a client keeps no secret"
        if fault:
            message = f"the redirect address {shown(url)} {fault}"
            yield Fault(("forceConfidentialRedirectUris", i), "forced-redirect", message, "remove it")


def _trusted_urls(index: int, trusted: Mapping[str, Any]) -> Iterator[Fault]:
    insecure, private = trusted.get("insecureAllowHTTP") is True, trusted.get("allowPrivateIPs") is True
    issuer, keys = trusted.get("issuerUrl") or "", trusted.get("jwksUrl") or ""
    for field, url, fault in (
        ("issuerUrl", issuer, trusted_issuer_fault(issuer, insecure=insecure)),
        ("jwksUrl", keys, keys_fault(keys, insecure=insecure, private=private)),
    ):
        if url and not is_placeholder(url) and fault is not None:
            yield Fault(("trustedIssuers", index, field), "trusted-issuer", f"{field} {shown(url)} {fault}")
