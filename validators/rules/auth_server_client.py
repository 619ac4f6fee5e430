"""Clients of an embedded authorization server: whom it may give what, by the releases that know of them.

What the operator refuses in an MCPExternalAuthConfig is reported there; what depends on the workload, its scopes and
its resource URL, is reported at the reference to it. A VirtualMCPServer holds the server itself.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from ...compiler.diagnostics.fault_to_finding import finding_of, restaged, stated
from ...compiler.diagnostics.finding import rule
from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.diagnostics.plain import value_at
from ...compiler.toolhive import auth_client
from ..auth_server import AUTH_SERVER, EMBEDDED, EXTERNAL_AUTH
from ..placeholder import has_placeholder
from ..rule import reads

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ...compiler.diagnostics.fault import Fault
    from ...compiler.diagnostics.finding import Finding, Stage
    from ...compiler.diagnostics.span import Path
    from ...compiler.models.embeddedauth import EmbeddedAuthServerConfig
    from ...compiler.models.mcpexternalauthconfig import MCPExternalAuthConfigSpec
    from ...compiler.models.spec import ProxySpec
    from ...compiler.models.virtualmcpserver import VirtualMCPServerSpec
    from ...compiler.workspace.reference import Reference
    from ...compiler.workspace.resource import Resource
    from ...compiler.workspace.workspace import Workspace
    from ..rule import Check

SOURCE = "The validation of embedded authorization servers in the operator and at start, v0.44.0."
REFUSED = (
    "The operator sets Valid of an MCPExternalAuthConfig to False, and refuses the workloads that refer to it; a"
    " VirtualMCPServer is set to Failed."
)

PARAMETER = rule(
    "EAS012",
    "reserved-request-parameter",
    "A parameter that the protocol sets itself is added to authorization requests",
    stage="operator",
    checks="Keys of `additionalAuthorizationParams` of an upstream provider, in an MCPExternalAuthConfig or a"
    " VirtualMCPServer: `response_type`, `client_id`, `redirect_uri`, `scope`, `state`, `code_challenge`,"
    " `code_challenge_method` and `nonce`.",
    why=REFUSED,
    example="additionalAuthorizationParams: {scope: openid}",
    fix="Remove it; scopes go into `scopes`.",
    source="The validation of upstream providers in the operator, v0.22.0 and v0.44.0.",
    since="0.22.0",
    verified=("0.22.0", "0.44.0"),
)
CONFIDENTIAL = rule(
    "EAS013",
    "refused-confidential-client",
    "Clients with a secret cannot be had from an embedded authorization server as it is configured",
    stage="operator",
    checks="`allowConfidentialClientRegistration` or `delegateClients` beside `insecureAllowHTTP`, or with an issuer of"
    " plain HTTP on localhost without `insecureAllowConfidentialOverLoopbackHTTP`; `forceConfidentialRedirectUris` with"
    " an address that is not https or is the client's own machine (for a VirtualMCPServer the stage is `process`);"
    " delegate clients of one id, with a scope that the workload's `oidcConfigRef.scopes` do not have (`openid`,"
    " `profile`, `email` and `offline_access` where it states none), or with an audience that is not its resource URL:"
    " at the workload's reference, before 0.44.0 by its process.",
    why=REFUSED,
    example="""
        insecureAllowHTTP: true
        delegateClients: [...]
        """,
    fix="Use https; give delegate clients scopes and the audience that the workload has.",
    source=SOURCE,
    since="0.43.0",
    verified=("0.43.0", "0.44.0"),
)
TRUSTED = rule(
    "EAS014",
    "refused-trusted-issuer",
    "An issuer that an embedded authorization server is to trust is refused",
    stage="operator",
    checks="In `trustedIssuers`: the server's own issuer, one that is listed twice, and one without audience. At the"
    " workload's reference, and in a VirtualMCPServer: an `issuerUrl` that is no https URL (`insecureAllowHTTP` permits"
    " http), or has a query, a fragment or a user; a `jwksUrl` that is none, or is at a private address without"
    " `allowPrivateIPs`.",
    why=REFUSED,
    example="trustedIssuers: [{issuerUrl: http://idp.example.com, expectedAudience: mcp, allowedDelegateClients: [a]}]",
    fix="Correct the address, or remove the entry.",
    source=SOURCE,
    since="0.44.0",
    verified=("0.44.0",),
)
REGISTERED = rule(
    "EAS015",
    "refused-client-registration",
    "An embedded authorization server does not start with what clients are to be registered with",
    stage="process",
    checks="At the workload's reference to the MCPExternalAuthConfig, and in a VirtualMCPServer: a scope in"
    " `baselineClientScopes` that `oidcConfigRef.scopes` does not have (`openid`, `profile`, `email` and"
    " `offline_access` where it states none); with `cimd.enabled` a `cacheFallbackTtl` that is not longer than"
    " nothing.",
    why="The operator does not look, and writes the configuration; the process refuses it, and the pod crashes in a"
    " loop.",
    example="""
        oidcConfigRef: {name: login, audience: https://mcp.example.com, scopes: [openid]}
        # in the authorization server that authServerRef leads to: baselineClientScopes: [offline_access]
        """,
    fix="Add the scope to `oidcConfigRef.scopes`, or remove it.",
    source=SOURCE,
    since="0.27.2",
    verified=("0.27.2", "0.44.0"),
)
RULES = (PARAMETER, CONFIDENTIAL, TRUSTED, REGISTERED)

OF_FAULT: Final = {
    "authorization-parameter": PARAMETER,
    "confidential-client": CONFIDENTIAL,
    "forced-redirect": CONFIDENTIAL,
    "delegate-client": CONFIDENTIAL,
    "trusted-issuer": TRUSTED,
    "trusted-issuer-url": TRUSTED,
    "baseline-scope": REGISTERED,
    "client-document": REGISTERED,
}
OF_CONFIGURATION: Final = (auth_client.transport_faults, auth_client.redirect_faults, auth_client.issuer_faults)
"""What needs no more than the server's own block."""
OF_WORKLOAD: Final = (
    auth_client.delegate_faults,
    auth_client.issuer_url_faults,
    auth_client.scope_faults,
    auth_client.document_faults,
)
OF_OPERATOR_SINCE: Final = "0.44.0"
"""The first release whose operator looks at delegate clients of a workload."""
BLOCKS: Final = {"oidc": "oidcConfig", "oauth2": "oauth2Config"}
FIELDS: Final = {
    "force_confidential_redirect_uris": "forceConfidentialRedirectUris",
    "allow_private_ips": "allowPrivateIPs",
    "client_secret_env_var": "clientSecretRef",
}
"""Keys of the run configuration that are no mere fields in snake case."""
OWN_SERVER: Path = ("spec", "authServerConfig")
SHARED_SERVER: Path = ("spec", EMBEDDED)


@reads(EMBEDDED)
def check_config(resource: Resource[MCPExternalAuthConfigSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report what the operator refuses in an authorization server, whoever uses it."""
    del workspace
    server = resource.spec[EMBEDDED]
    config = _run_config(resource, server, [], None)
    for fault in (*_parameters(server), *_faults(OF_CONFIGURATION, config)):
        yield finding_of(resource, OF_FAULT[fault.code], fault, (*SHARED_SERVER, *fault.path))


@reads("authServerConfig")
def check_virtual_server(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report what operator and process refuse in the authorization server of a virtual server."""
    server = resource.spec.get("authServerConfig")
    if server is None:
        return
    from ...compiler.emit.vmcpconfig import auth_server

    config = auth_server(workspace, resource, server)
    for fault in (*_parameters(server), *_faults(OF_CONFIGURATION + OF_WORKLOAD, config)):
        stage: Stage | None = "process" if fault.code == "forced-redirect" else _stage(resource, fault)
        yield finding_of(resource, OF_FAULT[fault.code], fault, (*OWN_SERVER, *fault.path), stage=stage)


@reads("authServerRef", "externalAuthConfigRef")
def check_proxy(resource: Resource[ProxySpec], workspace: Workspace) -> Iterator[Finding]:
    """Report what operator and process refuse in the authorization server that a proxy refers to."""
    path = AUTH_SERVER if "authServerRef" in resource.spec else EXTERNAL_AUTH
    found: tuple[Reference, Resource[MCPExternalAuthConfigSpec]] | None = workspace.leading(resource, *path)
    if found is None or found[1].spec.get("type") != EMBEDDED or workspace.is_refused(found[1]):
        return
    from ...compiler.emit import oidc
    from ...compiler.toolhive.constants import DEFAULT_PORT

    reference, config = found
    port = resource.spec.get("proxyPort") or DEFAULT_PORT
    incoming = oidc.resolve(workspace, resource, ("spec", "oidcConfigRef"), port)
    if incoming is None:
        return  # AUT004
    run = _run_config(resource, config.spec[EMBEDDED], incoming.scopes, [incoming.resource_url])
    for fault in _faults(OF_WORKLOAD, run):
        notes = (config.note("it is here", stated(config, (*SHARED_SERVER, *fault.path))),)
        message = f'MCPExternalAuthConfig "{config.name}": {fault.message}'
        finding = resource.finding(OF_FAULT[fault.code], reference.path, message, hint=fault.hint, notes=notes)
        yield restaged(finding, _stage(resource, fault) or finding.stage)


def _run_config(
    resource: Resource, server: EmbeddedAuthServerConfig, scopes: list[str], audiences: list[str] | None
) -> Mapping[str, Any]:
    from ...compiler.emit.authserver import run_config

    return run_config(server, resource, scopes=scopes, audiences=audiences)


def _stage(resource: Resource, fault: Fault) -> Stage | None:
    if fault.code == "delegate-client" and not resource.is_judged(since=OF_OPERATOR_SINCE):
        return "process"
    return None


def _faults(checks: tuple[auth_client.Check, ...], config: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield the faults of a run configuration, with the paths of the block that it was made of."""
    for find in checks:
        for fault in find(config):
            if not has_placeholder(value_at(config, fault.path)):
                yield fault._replace(path=tuple(_field(step) for step in fault.path))


def _field(key: str | int) -> str | int:
    if isinstance(key, int):
        return key
    return FIELDS.get(key) or re.sub("_([a-z])", lambda found: found[1].upper(), key)


def _parameters(server: EmbeddedAuthServerConfig) -> Iterator[Fault]:
    """Yield the faults of the parameters that upstream providers add to authorization requests."""
    field = "additionalAuthorizationParams"
    for i, upstream in enumerate(server.get("upstreamProviders") or ()):
        block = BLOCKS.get(upstream.get("type", ""), "")
        settings: Any = upstream.get(block) or {}
        for fault in auth_client.parameter_faults({"additional_authorization_params": settings.get(field)}):
            name = str(fault.path[-1])
            if not is_placeholder(name):
                yield fault._replace(path=("upstreamProviders", i, block, field, name))


CHECKS: dict[str, tuple[Check, ...]] = {
    "MCPExternalAuthConfig": (check_config,),
    "VirtualMCPServer": (check_virtual_server,),
    "MCPServer": (check_proxy,),
    "MCPRemoteProxy": (check_proxy,),
}
