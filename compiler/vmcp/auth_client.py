"""Clients of an embedded authorization server, and whom it trusts, as resources configure it.

The operator writes the block into a run configuration: here it is read as one, so that what is refused stands in
``toolhive/auth_client.py`` alone. What the API server refuses already is left out. Paths lead from the block.

Source: the validation of MCPExternalAuthConfig and of the auth server's run configuration, v0.22.0 to v0.45.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.fault import Flaw
from ..diagnostics.placeholder import UNKNOWN
from ..diagnostics.plain import listed, mapping, value_at
from ..toolhive.auth_client import (
    actor_matchers,
    delegate_faults,
    grant_faults,
    grant_use_faults,
    issuer_faults,
    issuer_url_faults,
    parameter_faults,
    redirect_faults,
    scope_faults,
    transport_faults,
)
from .auth_field import BLOCKS, FIELDS, as_read, as_stated

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from ..diagnostics.span import Path

OF_API_SERVER: Final = frozenset(
    {
        "plain-http-registration",
        "plain-issuer-delegates",
        "redirect-unregistered",
        "delegate-incomplete",
        "trusted-issuer-unbounded",
    }
)
"""Faults of a run configuration that the API server refuses in a resource."""
PLACES: Final[dict[str, tuple[Path, bool]]] = {
    "plain-http-delegates": (("insecureAllowHTTP",), True),
    "plain-issuer-registration": (("issuer",), False),
}
"""Faults that a resource has at another field than the run configuration, and whether they are at its key."""
_ADD: Final = "remove it, or add it to oidcConfigRef.scopes"
HINTS: Final = {
    "plain-http-delegates": "remove insecureAllowHTTP",
    "plain-issuer-registration": "use https; for development set insecureAllowConfidentialOverLoopbackHTTP: true",
    "assertion-resource": "write the resource URL, or state another in oidcConfigRef.resourceUrl",
    "delegate-audience": "write the resource URL, or state another in oidcConfigRef.resourceUrl",
    "trusted-issuer-private": "set allowPrivateIPs",
    "delegate-scope": _ADD,
    "baseline-scope": _ADD,
}
"""What to do about faults where it takes a field of a resource."""


def block_faults(server: Mapping[str, Any]) -> Iterator[Flaw]:
    """Find what is refused whoever uses the server."""
    for i, upstream in enumerate(listed(server.get("upstreamProviders"))):
        for block in BLOCKS.values():
            for fault in parameter_faults(as_read(mapping(upstream.get(block)))):
                field, *names = fault.path
                yield fault._replace(path=("upstreamProviders", i, block, FIELDS[str(field)], *names))
    read = _run_config(server)
    for find in (transport_faults, redirect_faults, issuer_faults, grant_faults):
        yield from _of_block(server, find, read)


def use_faults(server: Mapping[str, Any], scopes: Collection[str], audience: str | None) -> Iterator[Flaw]:
    """Find what is refused where a workload embeds the server.

    Args:
        server: The block.
        scopes: That the workload states; empty for the default ones.
        audience: The one that tokens are issued for; ``None`` where it is unknown.
    """
    read = _run_config(server) | {"scopes_supported": scopes, "allowed_audiences": [audience or UNKNOWN]}
    for find in (issuer_url_faults, delegate_faults, scope_faults, grant_use_faults, _matcher_faults):
        yield from _of_block(server, find, read)


def _run_config(server: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of the run configuration that are about clients and issuers."""
    issuers = [as_read(mapping(issuer)) for issuer in listed(server.get("trustedIssuers"))]
    for issuer in issuers:
        grant = as_read(mapping(issuer.get("jwt_bearer_grant")))
        bindings = [as_read(mapping(binding)) for binding in listed(grant.get("subject_bindings"))]
        issuer["jwt_bearer_grant"] = grant and grant | {"subject_bindings": bindings}
    clients = [as_read(mapping(client)) for client in listed(server.get("delegateClients"))]
    return as_read(server) | {"trusted_issuers": issuers, "delegate_clients": clients}


def _matcher_faults(server: Mapping[str, Any]) -> Iterator[Flaw]:
    for path, matcher in actor_matchers(server):
        from ..language.cel.rule import matcher_problem

        problem = matcher_problem(matcher)
        if problem is not None:
            yield Flaw(
                path, "actor-matcher", f"the matcher {problem}", 'write an expression such as claims.azp == "ci"'
            )


def _of_block(
    server: Mapping[str, Any], find: Callable[[Mapping[str, Any]], Iterator[Flaw]], read: Mapping[str, Any]
) -> Iterator[Flaw]:
    for fault in find(read):
        path, on_key = PLACES.get(fault.code, (as_stated(fault.path), fault.on_key))
        if fault.code not in OF_API_SERVER and value_at(server, path):  # what is missing the API server refuses too
            yield fault._replace(path=path, hint=HINTS.get(fault.code, fault.hint), on_key=on_key)
