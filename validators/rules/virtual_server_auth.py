"""Rules about the embedded authorization server of a VirtualMCPServer, and authentication that contradicts it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...compiler.diagnostics.fault_to_finding import restaged, stated
from ...compiler.diagnostics.placeholder import is_placeholder, surely_differ
from ...compiler.diagnostics.plain import value_at
from ...compiler.emit import oidc, vmcpauth
from ...compiler.toolhive.constants import CLUSTER_DOMAIN, VMCP_PORT
from ..auth_server import audience_hint
from ..placeholder import are_certain, has_placeholder
from ..rule import rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.diagnostics.finding import Note, Severity, Stage
    from ...compiler.models.embeddedauth import EmbeddedAuthServerConfig
    from ...compiler.models.mcpexternalauthconfig import MCPExternalAuthConfigSpec
    from ...compiler.models.mcpoidcconfig import MCPOIDCConfigSpec
    from ...compiler.models.reference import MCPOIDCConfigReference
    from ...compiler.models.virtualmcpserver import VirtualMCPServerSpec
    from ..rule import Check, Finding, Path, Resource, Workspace

NO_AUTH_SERVER = rule(
    "VMC020 upstream-inject-without-auth-server",
    "operator",
    "Tokens of an upstream provider are injected, but there is no embedded authorization server",
)
AUTH_SERVER_WITHOUT_OIDC = rule(
    "VMC021 auth-server-without-oidc",
    "operator",
    "A virtual server embeds an authorization server, but does not authenticate clients with OIDC",
)
UNKNOWN_UPSTREAM = rule(
    "VMC022 unknown-upstream-provider",
    "operator",
    "The upstream provider whose tokens are injected does not exist in the authorization server",
)
ISSUER = rule(
    "VMC023 auth-server-issuer-mismatch",
    "operator",
    "The embedded authorization server has a different issuer from the one that tokens must have",
)
AUDIENCE = rule(
    "VMC024 auth-server-audience-mismatch",
    "operator",
    "The embedded authorization server issues tokens for a different audience from the one that is required",
)
PRIMARY_UPSTREAM = rule(
    "VMC237 unknown-primary-upstream",
    "operator",
    "Policies are set to use the claims of an upstream provider that the virtual server does not have",
    since="0.27.1",
)
PLAIN_ISSUER = rule(
    "VMC238 auth-server-issuer-not-https",
    "operator",
    "The embedded authorization server has a plain HTTP issuer",
    since="0.32.0",
)
UNKNOWN_SUBJECT = rule(
    "VMC241 unknown-subject-provider",
    "lint",
    "A token is to be exchanged for an upstream provider that the authorization server does not have",
)

GROUP: Path = ("spec", "groupRef", "name")
SERVER: Path = ("spec", "authServerConfig")
EXCHANGING = ("tokenExchange", "awsSts", "xaa")
"""Types of MCPExternalAuthConfigs that exchange a user's token from an upstream provider."""


def check(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report contradictions between the authorization server and the authentication of a virtual server."""
    server = resource.spec.get("authServerConfig")
    yield from _injected(resource, workspace, server)
    yield from _subjects(resource, workspace, server)
    yield from _primary_upstream(resource, server)
    if server is None:
        return
    yield from _plain_issuer(resource, server)
    incoming = resource.spec.get("incomingAuth") or {}
    reference = incoming.get("oidcConfigRef")
    if is_placeholder(incoming.get("type") or ""):
        return
    if incoming.get("type") != "oidc" or reference is None:
        path = stated(resource, ("spec", "incomingAuth", "type"))
        notes = (resource.note("the authorization server is here", SERVER),)
        message = "clients do not authenticate with OIDC, although there is an embedded authorization server"
        hint = "set incomingAuth.type: oidc, with an oidcConfigRef to the server's own issuer"
        yield resource.finding(AUTH_SERVER_WITHOUT_OIDC, path, message, hint=hint, notes=notes)
        return
    yield from _issuer(resource, workspace, server)
    yield from _audience(resource, reference)


def _injected(
    resource: Resource[VirtualMCPServerSpec], workspace: Workspace, server: EmbeddedAuthServerConfig | None
) -> Iterator[Finding]:
    for path, source, config in _external_configs(resource, workspace):
        if config.spec.get("type") != "upstreamInject":
            continue
        from ...compiler.toolhive.auth_server import DEFAULT_UPSTREAM

        names = _upstream_names(server)
        provider = (config.spec.get("upstreamInject") or {}).get("providerName") or DEFAULT_UPSTREAM
        notes: tuple[Note, ...] = (
            config.note("the provider is named here", ("spec", "upstreamInject", "providerName")),
        )
        stage: Stage = "operator"
        if source is not resource:
            notes = (source.note(f"{source.kind} of the group refers to it"), *notes)
            stage = "operator" if vmcpauth.is_inline(resource) else "lint"
        if server is None:
            message = f'"{config.name}" injects tokens of an upstream provider, but there is no authServerConfig'
            finding = resource.finding(NO_AUTH_SERVER, path, message, hint="add spec.authServerConfig", notes=notes)
            yield restaged(finding, stage)
        elif provider not in names and are_certain((provider, *names)):
            message = f'"{config.name}" injects tokens of "{provider}", which authServerConfig does not have'
            hint = f"it has: {', '.join(names)}" if names else None
            yield restaged(resource.finding(UNKNOWN_UPSTREAM, path, message, hint=hint, notes=notes), stage)


def _upstream_names(server: EmbeddedAuthServerConfig | None) -> list[str]:
    if server is None:
        return []
    from ...compiler.toolhive.auth_server import DEFAULT_UPSTREAM

    return [upstream.get("name") or DEFAULT_UPSTREAM for upstream in server.get("upstreamProviders") or ()]


def _subjects(
    resource: Resource[VirtualMCPServerSpec], workspace: Workspace, server: EmbeddedAuthServerConfig | None
) -> Iterator[Finding]:
    """Report token exchanges that fail for every user, because their upstream provider does not exist."""
    names = _upstream_names(server)
    for path, source, config in _external_configs(resource, workspace):
        kind = config.spec.get("type") or ""
        block: Any = value_at(config.spec, (kind,)) if kind in EXCHANGING else None
        name = (block or {}).get("subjectProviderName")
        if not name or name in names or not are_certain((name, *names)):
            continue
        notes: tuple[Note, ...] = (config.note("it is named here", ("spec", kind, "subjectProviderName")),)
        if source is not resource:
            notes = (source.note(f"{source.kind} of the group refers to it"), *notes)
        message = f'"{config.name}" exchanges tokens of the upstream provider "{name}", which does not exist'
        hint = f"authServerConfig has: {', '.join(names)}" if names else "remove subjectProviderName"
        yield resource.finding(UNKNOWN_SUBJECT, path, message, hint=hint, notes=notes)


def _external_configs(
    resource: Resource[VirtualMCPServerSpec], workspace: Workspace
) -> Iterator[tuple[Path, Resource, Resource[MCPExternalAuthConfigSpec]]]:
    """Yield the MCPExternalAuthConfigs of a virtual server, after the path to report at and the referring resource."""
    for path, config in vmcpauth.named_configs(workspace, resource):
        yield path, resource, config
    is_inline = vmcpauth.is_inline(resource)
    for member, config in (vmcpauth.inherited_configs if is_inline else vmcpauth.member_configs)(workspace, resource):
        yield GROUP, member, config


def _primary_upstream(
    resource: Resource[VirtualMCPServerSpec], server: EmbeddedAuthServerConfig | None
) -> Iterator[Finding]:
    """Report a ``primaryUpstreamProvider`` that the authorization server lacks, if it authorizes."""
    incoming = resource.spec.get("incomingAuth") or {}
    if incoming.get("authzConfig") is None and incoming.get("authzConfigRef") is None:
        return
    inline = (incoming.get("authzConfig") or {}).get("inline") or {}
    path: Path = (*SERVER, "primaryUpstreamProvider")
    name = (server or {}).get("primaryUpstreamProvider")
    if not name:
        path = ("spec", "incomingAuth", "authzConfig", "inline", "primaryUpstreamProvider")
        name = inline.get("primaryUpstreamProvider")
    if not name:
        return
    if server is None:
        message = (
            f'policies are set to use the claims of the upstream provider "{name}", but there is no authServerConfig'
        )
        hint = "remove primaryUpstreamProvider: policies then use the claims of the client's token"
        yield resource.finding(PRIMARY_UPSTREAM, path, message, hint=hint)
        return
    names = _upstream_names(server)
    if name not in names and are_certain((name, *names)):
        message = f'policies are set to use the claims of "{name}", which authServerConfig does not have'
        yield resource.finding(PRIMARY_UPSTREAM, path, message, hint=f"it has: {', '.join(names)}" if names else None)


def _plain_issuer(resource: Resource[VirtualMCPServerSpec], server: EmbeddedAuthServerConfig) -> Iterator[Finding]:
    from ...compiler.toolhive.endpoint import is_plain_http

    issuer = server.get("issuer") or ""
    is_allowed = server.get("insecureAllowHTTP") is True or is_placeholder(issuer)
    if issuer.startswith("http://") and not is_allowed and is_plain_http(issuer):
        message = f'the issuer "{issuer}" is plain HTTP'
        hint = "use https, or set insecureAllowHTTP: true in a trusted cluster"
        yield resource.finding(PLAIN_ISSUER, (*SERVER, "issuer"), message, hint=hint)


def _issuer(resource: Resource, workspace: Workspace, server: EmbeddedAuthServerConfig) -> Iterator[Finding]:
    resolved = oidc.resolve(workspace, resource, vmcpauth.OIDC_REF, VMCP_PORT)
    issuer = server.get("issuer") or ""
    config: Resource[MCPOIDCConfigSpec] | None = workspace.target(resource, *vmcpauth.OIDC_REF, "name")
    if resolved is None or not surely_differ(issuer, resolved.issuer):
        return
    is_filled_in = is_placeholder(issuer)
    if is_filled_in and (config is None or not workspace.in_same_units(resource, config)):
        return
    notes: tuple[Note, ...] = ()
    if config is not None:
        if is_placeholder(config.spec.get("type", "")):
            return
        block = "inline" if config.spec.get("type") == "inline" else "kubernetesServiceAccount"
        notes = (config.note("the issuer that clients' tokens must have", stated(config, ("spec", block, "issuer"))),)
    message = f'the issuer "{issuer}" is not "{resolved.issuer}", whose tokens clients must present'
    severity: Severity | None = "warning" if is_filled_in else None
    hint = "write the same in both places"
    yield resource.finding(ISSUER, (*SERVER, "issuer"), message, hint=hint, notes=notes, severity=severity)


def _audience(resource: Resource, reference: MCPOIDCConfigReference) -> Iterator[Finding]:
    audience, url = reference.get("audience") or "", reference.get("resourceUrl")
    if not url:
        if resource.namespace is None:
            return  # the default names the namespace
        url = f"http://{resource.name}.{resource.namespace}.{CLUSTER_DOMAIN}:{VMCP_PORT}"
    if audience == url or has_placeholder([audience, url]):
        return
    path = (*vmcpauth.OIDC_REF, "audience")
    message = f'the audience "{audience}" is not the resource URL "{url}", for which tokens are issued'
    yield resource.finding(AUDIENCE, path, message, hint=audience_hint(reference, url))


CHECKS: dict[str, tuple[Check, ...]] = {"VirtualMCPServer": (check,)}
