"""Check the clients and trusted issuers of an embedded authorization server in a resource.

The operator turns the block into a run configuration. Here the block is read in that form, so the checks are only in
``toolhive/auth_client.py``. Faults that the API server refuses are left out. Paths are relative to the block.

Source: the validation of MCPExternalAuthConfig and of the auth server's run configuration, v0.22.0 to v0.45.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.fault import Flaw
from ..diagnostics.finding import rule
from ..diagnostics.placeholder import UNKNOWN
from ..diagnostics.plain import listed, mapping, value_at
from ..toolhive.auth_client import (
    actor_matchers,
    delegate_audience_faults,
    delegate_scope_faults,
    grant_address_faults,
    grant_audience_faults,
    grant_resource_faults,
    issuer_url_faults,
    parameter_faults,
    redirect_faults,
    repeated_delegate_faults,
    repeated_issuer_faults,
    scope_faults,
    transport_faults,
)
from .auth_field import BLOCKS, FIELDS, as_stated, run_config_keys

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
    from typing import TypeAlias

    from ..diagnostics.fault import Fault
    from ..diagnostics.finding import Rule

    _Check: TypeAlias = tuple[Callable[[Mapping[str, Any]], Iterator[Flaw]], Rule, str | None]

PARAMETER = rule(
    "AUT053 reserved-authorization-parameter",
    "operator",
    "Authorization requests get an additional parameter that the server sets itself",
    since="0.22.0",
)
PLAIN_TEXT = rule(
    "AUT054 secret-in-plain-text",
    "operator",
    "Secrets of clients would reach an embedded authorization server over plain HTTP",
    since="0.43.0",
)
TRUSTED = rule(
    "AUT055 refused-trusted-issuer",
    "operator",
    "A trusted issuer is one that an embedded authorization server refuses",
    since="0.44.0",
)
DELEGATE = rule(
    "AUT056 refused-delegate-client",
    "operator",
    "A client may ask an embedded authorization server for something that it does not grant",
    since="0.43.0",
)
BASELINE = rule(
    "EAS011 baseline-scope-unknown",
    "process",
    "Clients get a scope that the embedded authorization server does not have",
    since="0.27.2",
    verified=("0.27.2", "0.44.0"),
)


def block_faults(server: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield the faults of an ``embeddedAuthServer`` block that the operator refuses for every workload."""
    for i, upstream in enumerate(listed(server.get("upstreamProviders"))):
        for block in BLOCKS.values():
            for fault in parameter_faults(run_config_keys(mapping(upstream.get(block)))):
                field, *names = fault.path
                path = ("upstreamProviders", i, block, FIELDS[str(field)], *names)
                yield fault._replace(path=path).under(PARAMETER)
    yield from _faults_by(_BLOCK_CHECKS, server, _run_config(server))


def use_faults(server: Mapping[str, Any], scopes: Collection[str], audience: str | None) -> Iterator[Fault]:
    """Yield the faults of an ``embeddedAuthServer`` block that depend on the workload that embeds the server.

    Args:
        scopes: The scopes that the workload states; empty for the default scopes.
        audience: The audience that tokens are issued for, or ``None`` if it is unknown.
    """
    read = _run_config(server) | {"scopes_supported": scopes, "allowed_audiences": [audience or UNKNOWN]}
    yield from _faults_by(_USE_CHECKS, server, read)


def _run_config(server: Mapping[str, Any]) -> dict[str, Any]:
    issuers = [run_config_keys(mapping(issuer)) for issuer in listed(server.get("trustedIssuers"))]
    for issuer in issuers:
        grant = run_config_keys(mapping(issuer.get("jwt_bearer_grant")))
        bindings = [run_config_keys(mapping(binding)) for binding in listed(grant.get("subject_bindings"))]
        issuer["jwt_bearer_grant"] = grant and grant | {"subject_bindings": bindings}
    clients = [run_config_keys(mapping(client)) for client in listed(server.get("delegateClients"))]
    return run_config_keys(server) | {"trusted_issuers": issuers, "delegate_clients": clients}


def _matcher_faults(server: Mapping[str, Any]) -> Iterator[Flaw]:
    for path, matcher in actor_matchers(server):
        from ..language.cel.rule import matcher_problem

        problem = matcher_problem(matcher)
        if problem is not None:
            yield Flaw(
                path, "actor-matcher", f"the matcher {problem}", 'write an expression such as claims.azp == "ci"'
            )


def _transport_faults(server: Mapping[str, Any]) -> Iterator[Flaw]:
    """Yield a flaw for each setting that sends secrets over plain HTTP, unless the API server refuses it."""
    registers = server.get("allow_confidential_client_registration") is True
    is_http = server.get("insecure_allow_http") is True
    for flaw in transport_faults(server):
        if registers and not is_http:
            hint = "use https; for development set insecureAllowConfidentialOverLoopbackHTTP: true"
            yield flaw._replace(path=("issuer",), hint=hint, on_key=False)
        elif is_http and not registers:
            yield flaw._replace(path=("insecure_allow_http",), hint="remove insecureAllowHTTP")


_ADD_SCOPE: Final = "remove it, or add it to oidcConfigRef.scopes"
_WRITE_URL: Final = "write the resource URL, or state another in oidcConfigRef.resourceUrl"
_BLOCK_CHECKS: Final[tuple[_Check, ...]] = (
    (_transport_faults, PLAIN_TEXT, None),
    (redirect_faults, PLAIN_TEXT, None),
    (repeated_issuer_faults, TRUSTED, None),
    (grant_address_faults, TRUSTED, None),
)
"""The checks of `block_faults`, each with its rule, and with the hint if a resource needs a different hint."""
_USE_CHECKS: Final[tuple[_Check, ...]] = (
    (issuer_url_faults, TRUSTED, None),
    (repeated_delegate_faults, DELEGATE, None),
    (delegate_scope_faults, DELEGATE, _ADD_SCOPE),
    (delegate_audience_faults, DELEGATE, _WRITE_URL),
    (scope_faults, BASELINE, _ADD_SCOPE),
    (grant_audience_faults, TRUSTED, None),
    (grant_resource_faults, TRUSTED, _WRITE_URL),
    (_matcher_faults, TRUSTED, None),
)
"""The checks of `use_faults`, in the same form."""


def _faults_by(checks: Iterable[_Check], server: Mapping[str, Any], read: Mapping[str, Any]) -> Iterator[Fault]:
    for find, broken, hint in checks:
        for flaw in find(read):
            path = as_stated(flaw.path)
            if value_at(server, path):  # the API server refuses a value that is missing
                words = as_stated(tuple((hint or flaw.hint or "").split(" ")))
                yield flaw._replace(path=path, hint=" ".join(map(str, words)) or None).under(broken)
