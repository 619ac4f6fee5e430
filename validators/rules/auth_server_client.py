"""Embedded authorization servers that the operator refuses for their clients, or for whom they trust.

What is wrong whoever uses the server is reported at the value, and so is all of a virtual server. What hangs on a proxy
that refers to an MCPExternalAuthConfig is reported at the reference, with a note to the value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.diagnostics.fault_to_finding import finding_of
from ...compiler.diagnostics.finding import rule
from ...compiler.emit import oidc
from ...compiler.emit.vmcpauth import OIDC_REF
from ...compiler.toolhive.constants import DEFAULT_PORT, VMCP_PORT
from ..auth_server import AUTH_SERVER, EMBEDDED, EXTERNAL_AUTH
from ..rule import reads

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.diagnostics.fault import Flaw
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

INVALID = (
    "The operator sets Valid to False, and every workload that refers to it to Failed; a VirtualMCPServer fails itself."
)
FAILED = "The operator fails to build the server's configuration for the workload, and sets the workload to Failed."

PARAMETER = rule(
    "AUT053",
    "reserved-authorization-parameter",
    "Authorization requests get an additional parameter that the server sets itself",
    stage="operator",
    checks="A key of `additionalAuthorizationParams` of an upstream provider that is `response_type`, `client_id`,"
    " `redirect_uri`, `scope`, `state`, `code_challenge`, `code_challenge_method` or `nonce`.",
    why=INVALID,
    example="additionalAuthorizationParams: {scope: openid email}",
    fix="Remove it; scopes go into `scopes` of the provider.",
    source="The validation of MCPExternalAuthConfig and VirtualMCPServer in the operator, v0.22.0 and v0.44.0.",
    since="0.22.0",
)
PLAIN_TEXT = rule(
    "AUT054",
    "secret-in-plain-text",
    "Secrets of clients would reach an embedded authorization server over plain HTTP",
    stage="operator",
    checks="`allowConfidentialClientRegistration` with an `issuer` of plain HTTP on localhost, without"
    " `insecureAllowConfidentialOverLoopbackHTTP`; `delegateClients` with `insecureAllowHTTP`; an entry of"
    " `forceConfidentialRedirectUris` that points to localhost (for a VirtualMCPServer its process refuses it).",
    why=INVALID,
    example="""
        issuer: http://localhost:8080
        allowConfidentialClientRegistration: true
        """,
    fix="Use https URLs.",
    source="The validation of MCPExternalAuthConfig and VirtualMCPServer in the operator, v0.43.0 and v0.44.0.",
    since="0.43.0",
)
TRUSTED = rule(
    "AUT055",
    "refused-trusted-issuer",
    "A trusted issuer is one that an embedded authorization server refuses",
    stage="operator",
    checks="An entry of `trustedIssuers` with the server's own issuer, or with that of another entry; where a workload"
    " uses the server, also an `issuerUrl` or `jwksUrl` that is not https (without `insecureAllowHTTP`), has no host or"
    " holds credentials, and an `issuerUrl` with a query or a fragment. From 0.45.0 on also an `actorMatcher` that does"
    " not compile, a resource of `jwtBearerGrant` that is not the workload's resource URL, and one of its"
    " `acceptedAudiences` that is.",
    why=INVALID,
    example="""
        issuer: https://auth.example.com
        trustedIssuers:
        - {issuerUrl: https://auth.example.com, expectedAudience: mcp, allowedDelegateClients: [agent]}
        """,
    fix="Name each issuer once, by its https URL; the server accepts its own tokens anyway.",
    source="The validation of trusted issuers in the operator and the auth server, v0.44.0 and v0.45.0.",
    since="0.44.0",
)
DELEGATE = rule(
    "AUT056",
    "refused-delegate-client",
    "A client may ask an embedded authorization server for something that it does not grant",
    stage="operator",
    checks="Two `delegateClients` with the same `clientId`; a scope that is not among `oidcConfigRef.scopes` of the"
    " workload (without them: openid, profile, email, offline_access); an audience that is not the workload's resource"
    " URL.",
    why=FAILED,
    example="""
        delegateClients:
        - clientId: agent
          scopes: [admin]   # not among oidcConfigRef.scopes
          …
        """,
    fix="Give each client an id of its own, scopes of the workload, and the resource URL as audience.",
    source="The conversion of embedded authorization servers in the operator, v0.43.0 and v0.44.0.",
    since="0.43.0",
)
BASELINE = rule(
    "EAS011",
    "baseline-scope-unknown",
    "Clients get a scope that the embedded authorization server does not have",
    stage="process",
    checks="An entry of `baselineClientScopes` that is not among `oidcConfigRef.scopes` of a workload that uses the"
    " server (without them: openid, profile, email, offline_access).",
    why="The operator writes the configuration without checking it; the process refuses it, and the pod crashes in a"
    " loop.",
    example="baselineClientScopes: [offline]   # the scope is called offline_access",
    fix="Add the scope to `oidcConfigRef.scopes`, or remove the entry.",
    source="Start-up checks of the embedded authorization server, v0.27.2 and v0.44.0.",
    since="0.27.2",
    verified=("0.27.2", "0.44.0"),
)
RULES = (PARAMETER, PLAIN_TEXT, TRUSTED, DELEGATE, BASELINE)

OF_FAULT = {
    "authorization-parameter": PARAMETER,
    "plain-http-delegates": PLAIN_TEXT,
    "plain-issuer-registration": PLAIN_TEXT,
    "forced-redirect": PLAIN_TEXT,
    "trusted-issuer-repeated": TRUSTED,
    "trusted-issuer-private": TRUSTED,
    "trusted-issuer-url": TRUSTED,
    "assertion-address": TRUSTED,
    "assertion-audience": TRUSTED,
    "assertion-resource": TRUSTED,
    "actor-matcher": TRUSTED,
    "delegate-repeated": DELEGATE,
    "delegate-scope": DELEGATE,
    "delegate-audience": DELEGATE,
    "baseline-scope": BASELINE,
}
OWN_SERVER: Path = ("spec", "authServerConfig")
SHARED_SERVER: Path = ("spec", EMBEDDED)
LATER_FIELDS = ("trustedIssuers", "delegateClients", "baselineClientScopes")
"""Those whose values have to go with what the workload states."""


@reads(EMBEDDED)
def check_config(resource: Resource[MCPExternalAuthConfigSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report what makes a configuration invalid."""
    del workspace
    from ...compiler.vmcp.auth_client import block_faults

    for fault in block_faults(resource.spec[EMBEDDED]):
        yield finding_of(resource, OF_FAULT[fault.code], fault, (*SHARED_SERVER, *fault.path))


@reads("authServerConfig")
def check_virtual_server(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report what the operator, or the process, refuses in the authorization server of a virtual server."""
    server = resource.spec.get("authServerConfig")
    if server is None:
        return
    from ...compiler.vmcp.auth_client import block_faults

    for fault in (*block_faults(server), *_use_faults(server, resource, workspace, OIDC_REF, VMCP_PORT)):
        stage: Stage | None = "process" if fault.code == "forced-redirect" else None
        yield finding_of(resource, OF_FAULT[fault.code], fault, (*OWN_SERVER, *fault.path), stage=stage)


@reads("authServerRef", "externalAuthConfigRef")
def check_proxy(resource: Resource[ProxySpec], workspace: Workspace) -> Iterator[Finding]:
    """Report what does not go with a proxy in the authorization server that it refers to."""
    path = AUTH_SERVER if "authServerRef" in resource.spec else EXTERNAL_AUTH
    found: tuple[Reference, Resource[MCPExternalAuthConfigSpec]] | None = workspace.leading(resource, *path)
    if found is None or found[1].spec.get("type") != EMBEDDED or workspace.is_refused(found[1]):
        return
    reference, config = found
    port = resource.spec.get("proxyPort") or DEFAULT_PORT
    for fault in _use_faults(config.spec[EMBEDDED], resource, workspace, ("spec", "oidcConfigRef"), port):
        notes = (config.note("it is here", (*SHARED_SERVER, *fault.path)),)
        message = f'MCPExternalAuthConfig "{config.name}": {fault.message}'
        yield resource.finding(OF_FAULT[fault.code], reference.path, message, hint=fault.hint, notes=notes)


def _use_faults(
    server: EmbeddedAuthServerConfig, resource: Resource, workspace: Workspace, ref: Path, port: int
) -> Iterator[Flaw]:
    if not any(server.get(field) for field in LATER_FIELDS):
        return
    resolved = oidc.resolve(workspace, resource, ref, port)
    if resolved is None:
        return
    from ...compiler.vmcp.auth_client import use_faults

    is_known = resource.namespace is not None or resource.states(*ref, "resourceUrl")
    yield from use_faults(server, resolved.scopes, resolved.resource_url if is_known else None)


CHECKS: dict[str, tuple[Check, ...]] = {
    "MCPExternalAuthConfig": (check_config,),
    "VirtualMCPServer": (check_virtual_server,),
    "MCPServer": (check_proxy,),
    "MCPRemoteProxy": (check_proxy,),
}
