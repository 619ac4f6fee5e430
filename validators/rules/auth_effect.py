"""Rules about authentication that starts but fails its purpose: tokens are refused, or credentials are never sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.diagnostics.placeholder import is_placeholder, surely_differ
from ...compiler.diagnostics.version import RECORDED
from ...compiler.toolhive.constants import CLUSTER_DOMAIN, CLUSTER_ISSUER, DEFAULT_PORT, SECRET_PREFIX
from ..auth_server import AUTH_SERVER, EMBEDDED, EPHEMERAL_KEYS, EXTERNAL_AUTH, MEMORY, audience_hint
from ..membership import may_be_served
from ..placeholder import has_placeholder
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.models.embeddedauth import EmbeddedAuthServerConfig
    from ...compiler.models.mcpexternalauthconfig import MCPExternalAuthConfigSpec
    from ...compiler.models.mcpoidcconfig import MCPOIDCConfigSpec
    from ...compiler.models.spec import ProxySpec
    from ...compiler.workspace.workspace import Resolved
    from ..rule import Check, Finding, Path, Resource, Workspace

IDLE_TYPE = rule("AUT040 idle-external-auth", "lint", "A proxy refers to a type of authentication that it cannot use")
BEARER = rule(
    "AUT041 bearer-token-on-container",
    "process",
    "An MCPServer refers to a bearer token, which keeps its proxy from starting",
    verified=RECORDED,
)
AUDIENCE = rule(
    "AUT042 audience-is-not-resource",
    "lint",
    "Tokens of an embedded authorization server have a different audience from the one that the proxy expects",
    until="0.22.0",
)
REFUSED_AUDIENCE = rule(
    "AUT049 refused-audience",
    "operator",
    "The audience of a workload with an embedded authorization server is not its resource URL",
    since="0.22.0",
)
ISSUER = rule(
    "AUT043 issuer-mismatch", "lint", "A proxy trusts a different issuer from the authorization server that it embeds"
)
UNUSED_STORAGE = rule(
    "AUT046 unused-auth-server-storage",
    "lint",
    "Redis is configured for an embedded authorization server, but not used",
)

SERVER: Path = ("spec", EMBEDDED)
REMEDY = {"MCPRemoteProxy": "use headerForward.addHeadersFromSecret", "MCPServer": "use spec.secrets"}


@reads("externalAuthConfigRef")
def check_type(resource: Resource[ProxySpec], workspace: Workspace) -> Iterator[Finding]:
    """Report a type of external authentication whose credentials the proxy never sends to the MCP server."""
    resolved: Resolved[MCPExternalAuthConfigSpec] = workspace.resolved(resource, *EXTERNAL_AUTH)
    if resolved is None:
        return
    reference, config = resolved
    kind = config.spec.get("type")
    if kind in ("headerInjection", "upstreamInject", "xaa") and not may_be_served(resource, workspace):
        message = f'MCPExternalAuthConfig "{config.name}" is of type {kind}, which has no effect for {resource.kind}'
        hint = REMEDY[resource.kind] if kind != "xaa" else "put it into a group that a VirtualMCPServer serves"
        yield resource.finding(IDLE_TYPE, reference.path, message, hint=hint)
    elif kind == "bearerToken" and resource.kind == "MCPServer" and not _has_proxy_secrets(resource):
        message = f'MCPExternalAuthConfig "{config.name}" is of type bearerToken, whose value an MCPServer does not get'
        yield resource.finding(BEARER, reference.path, message, hint="pass the token to the container in spec.secrets")


def _has_proxy_secrets(resource: Resource[ProxySpec]) -> bool:
    """Return whether ``resourceOverrides`` gives the proxy's container a secret, or may do so by a placeholder."""
    proxy = (resource.spec.get("resourceOverrides") or {}).get("proxyDeployment") or {}
    prefix = resource.profile.spell(SECRET_PREFIX)
    names = [entry.get("name", "") for entry in proxy.get("env") or ()]
    return any(name.startswith(prefix) or is_placeholder(name) for name in names)


@reads("authServerRef", "externalAuthConfigRef")
def check_coherence(resource: Resource[ProxySpec], workspace: Workspace) -> Iterator[Finding]:
    """Report an audience or issuer that differs from that of the embedded authorization server."""
    path = AUTH_SERVER if "authServerRef" in resource.spec else EXTERNAL_AUTH
    ref = resource.spec.get("oidcConfigRef")
    resolved: Resolved[MCPExternalAuthConfigSpec] = workspace.resolved(resource, *path)
    if ref is None or resolved is None or resolved[1].spec.get("type") != EMBEDDED:
        return
    audience = ref.get("audience") or ""
    wanted = ref.get("resourceUrl") or _address(resource)
    if audience != wanted and not is_placeholder(audience) and not is_placeholder(wanted):
        message = f'the audience is "{audience}", but the embedded authorization server issues tokens for "{wanted}"'
        at: Path = ("spec", "oidcConfigRef", "audience")
        for rule in (AUDIENCE, REFUSED_AUDIENCE):  # each release has only one of the two rules
            yield resource.finding(rule, at, message, hint=audience_hint(ref, wanted))
    provider: Resolved[MCPOIDCConfigSpec] = workspace.resolved(resource, "spec", "oidcConfigRef", "name")
    if provider is None or is_placeholder(provider[1].spec.get("type", "")):
        return
    trusted = _issuer(provider[1])
    issued = resolved[1].spec[EMBEDDED].get("issuer") or ""
    together = not is_placeholder(issued) or workspace.in_same_units(resolved[1], provider[1])
    if together and surely_differ(trusted, issued):
        message = f'MCPOIDCConfig "{provider[1].name}" trusts "{trusted}", but tokens are issued by "{issued}"'
        notes = (resolved[1].note("the authorization server's issuer is here", (*SERVER, "issuer")),)
        yield resource.finding(ISSUER, provider[0].path, message, hint="write the same issuer in both", notes=notes)


def _address(resource: Resource[ProxySpec]) -> str:
    if resource.namespace is None:
        return "${NAMESPACE}"  # the namespace is unknown, so nothing is reported
    port = resource.spec.get("proxyPort") or DEFAULT_PORT
    return f"http://{resource.name}.{resource.namespace}.{CLUSTER_DOMAIN}:{port}"


def _issuer(config: Resource[MCPOIDCConfigSpec]) -> str:
    issuer: str
    if config.spec.get("type") == "inline":
        issuer = (config.spec.get("inline") or {}).get("issuer", "")
        return issuer
    issuer = (config.spec.get("kubernetesServiceAccount") or {}).get("issuer") or CLUSTER_ISSUER
    return issuer


@reads(EMBEDDED)
def check_server(resource: Resource[MCPExternalAuthConfigSpec], _: Workspace) -> Iterator[Finding]:
    """Report an authorization server that loses its keys or sessions at a restart, and unused storage settings."""
    server: EmbeddedAuthServerConfig = resource.spec[EMBEDDED]
    storage = server.get("storage") or {}
    if storage.get("type") == "redis":
        sentinel = (storage.get("redis") or {}).get("sentinelConfig") or {}
        if sentinel.get("sentinelAddrs") and "sentinelService" in sentinel:
            path: Path = (*SERVER, "storage", "redis", "sentinelConfig", "sentinelService")
            message = "sentinelService is not used because sentinelAddrs is set"
            yield resource.finding(UNUSED_STORAGE, path, message, hint="remove one of the two", on="key")
    elif has_placeholder(storage.get("type")):
        pass
    elif "redis" in storage:
        message = "Redis is not used because the storage is of type memory"
        yield resource.finding(UNUSED_STORAGE, (*SERVER, "storage", "redis"), message, hint="set type: redis", on="key")
    else:
        message = "clients and tokens are kept in memory and lost at every restart"
        path = (*SERVER, "storage", "type") if resource.states(*SERVER, "storage", "type") else SERVER
        on_key = path == SERVER
        yield resource.finding(MEMORY, path, message, hint="use storage.type: redis", on="key" if on_key else "value")
    missing = [field for field in ("signingKeySecretRefs", "hmacSecretRefs") if not server.get(field)]
    if missing:
        message = f"without {' and '.join(missing)} new secrets are generated at every start"
        yield resource.finding(EPHEMERAL_KEYS, SERVER, message, hint="keep them in a Secret", on="key")


CHECKS: dict[str, tuple[Check, ...]] = {
    "MCPServer": (check_type, check_coherence),
    "MCPRemoteProxy": (check_type, check_coherence),
    "MCPExternalAuthConfig": (check_server,),
}
