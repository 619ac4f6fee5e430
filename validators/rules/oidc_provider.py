"""OIDC providers that a proxy will not reach, secrets that are left out, settings that nothing reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...compiler.diagnostics.finding import rule
from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.toolhive.constants import CLUSTER_ISSUER
from ..auth_server import AUTH_SERVER, EMBEDDED, EXTERNAL_AUTH
from ..rule import reads
from ..secret_problem import secret_problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.diagnostics.finding import Finding
    from ...compiler.diagnostics.span import Path
    from ...compiler.models.mcpexternalauthconfig import MCPExternalAuthConfigSpec
    from ...compiler.models.mcpoidcconfig import MCPOIDCConfigSpec
    from ...compiler.models.spec import WorkloadSpec
    from ...compiler.workspace.reference import Reference
    from ...compiler.workspace.resource import Resource
    from ...compiler.workspace.workspace import Workspace
    from ..rule import Check

SOURCE = "The authentication middleware of the proxy, v0.21.0."

INSECURE_ISSUER = rule(
    "OID011",
    "insecure-issuer",
    "An OIDC provider is reached over plain HTTP, which the proxy refuses",
    stage="lint",
    checks="In an MCPOIDCConfig, a `jwksUrl` that begins with `http://`, or such an `issuer` where no `jwksUrl` is"
    " given, without `inline.insecureAllowHTTP`. One without a scheme is reported in any case.",
    why="Operator and API server do not look. The proxy starts, and cannot fetch the provider's keys; every request"
    " fails with 401, and the reason stands in its log alone.",
    example="inline: {issuer: http://keycloak:8080/realms/main}",
    fix="Use https. For development `insecureAllowHTTP: true` allows it.",
    source=SOURCE,
)
PRIVATE_ISSUER = rule(
    "OID012",
    "private-issuer",
    "An OIDC provider has a private address, which the proxy does not connect to",
    stage="lint",
    checks="In an MCPOIDCConfig of type `inline`, a `jwksUrl` (or, without one, an `issuer`) whose host is a private"
    " IP address, `localhost`, or ends with `.svc` or `.cluster.local`, without `jwksAllowPrivateIP: true`.",
    why="The proxy refuses to connect to private addresses when it fetches keys. Every request fails with 401.",
    example="inline: {issuer: https://keycloak.auth.svc.cluster.local/realms/main}",
    fix="Set `jwksAllowPrivateIP: true`.",
    source=SOURCE,
)
DROPPED_SECRET = rule(
    "OID013",
    "dropped-client-secret",
    "The client secret of an OIDC provider cannot be read, and is silently left out",
    stage="lint",
    checks="`oidcConfigRef.name` of an MCPServer or MCPRemoteProxy whose MCPOIDCConfig has a `clientSecretRef` that"
    " leads nowhere, or whose `name` or `key` is empty.",
    why="For these kinds the operator leaves the client secret out and goes on. Tokens that have to be introspected"
    " are refused. (A VirtualMCPServer is refused.)",
    example="clientSecretRef: {name: idp, key: secret}   # Secret idp has the key client-secret",
    fix="Correct name or key, or add the Secret.",
    source="The Deployments of MCPServer and MCPRemoteProxy, v0.21.0.",
)
IDLE_SETTING = rule(
    "OID014",
    "idle-oidc-setting",
    "A setting of an OIDC provider is never read",
    stage="lint",
    severity="info",
    checks="`kubernetesServiceAccount.serviceAccount` and `kubernetesServiceAccount.namespace`.",
    why="They look as if only tokens of that account were accepted. Who may call is decided by `audience` and by"
    " authorization alone.",
    example="kubernetesServiceAccount: {serviceAccount: client, namespace: tools}",
    fix="Remove them; write an authorization policy about the token's `sub`.",
    source="The OIDC resolution of the operator, v0.21.0.",
    is_one_change=True,
)
RULES = (INSECURE_ISSUER, PRIVATE_ISSUER, DROPPED_SECRET, IDLE_SETTING)

INLINE: Path = ("spec", "inline")
ACCOUNT: Path = ("spec", "kubernetesServiceAccount")


@reads("inline", "kubernetesServiceAccount")
def check_provider(resource: Resource[MCPOIDCConfigSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report providers whose keys the proxy will not fetch, and settings that nothing reads."""
    account = resource.spec.get("kubernetesServiceAccount") or {}
    idle = [field for field in ("serviceAccount", "namespace") if account.get(field)]
    if idle:
        message = f"{' and '.join(idle)} {'has' if len(idle) == 1 else 'have'} no effect"
        hint = "remove what has none; write a policy about the token's sub"
        yield resource.finding(IDLE_SETTING, (*ACCOUNT, idle[0]), message, hint=hint, on="key")
    inline = resource.spec.get("inline") or {}
    at, settings = (INLINE, inline) if inline else (ACCOUNT, account)
    field = "jwksUrl" if settings.get("jwksUrl") else "issuer"
    text = settings.get(field) or ""
    if not text or text == CLUSTER_ISSUER or is_placeholder(text):
        return
    if "://" not in text:
        if not _all_embed(resource, workspace):
            message = f'{field} "{text}" has no scheme, so the proxy does not fetch its keys'
            yield resource.finding(INSECURE_ISSUER, (*at, field), message, hint=f"write https://{text}")
        return
    insecure = text.startswith("http://") and not inline.get("insecureAllowHTTP")
    private = bool(inline) and not inline.get("jwksAllowPrivateIP") and _is_private(text)
    if not (insecure or private) or _all_embed(resource, workspace):
        return
    if insecure:
        message = f'{field} "{text}" is plain HTTP, so the proxy does not fetch its keys'
        hint = "use https; for development set insecureAllowHTTP: true"
        yield resource.finding(INSECURE_ISSUER, (*at, field), message, hint=hint)
    if private:
        message = f'{field} "{text}" is at a private address, to which the proxy does not connect'
        yield resource.finding(PRIVATE_ISSUER, (*at, field), message, hint="set jwksAllowPrivateIP: true")


def _is_private(text: str) -> bool:
    from ..remote_host import hostname_of, internal

    hostname = hostname_of(text)
    if hostname is None:
        return False
    return hostname.lower().endswith(".svc") or internal(hostname) is not None


def _all_embed(config: Resource, workspace: Workspace) -> bool:
    """Return whether all workloads that use the provider embed its server, and so have its keys at hand."""
    users: list[Resource[Any]] = [reference.source for reference in workspace.referrers(config)]
    return bool(users) and all(_embeds(user, workspace) for user in users)


def _embeds(resource: Resource[WorkloadSpec], workspace: Workspace) -> bool:
    if "authServerConfig" in resource.spec:
        return True
    for path in (AUTH_SERVER, EXTERNAL_AUTH):
        target: Resource[MCPExternalAuthConfigSpec] | None = workspace.target(resource, *path)
        if target is not None and target.spec.get("type") == EMBEDDED:
            return True
    return False


@reads("oidcConfigRef")
def check_client_secret(resource: Resource, workspace: Workspace) -> Iterator[Finding]:
    """Report a client secret that the operator leaves out."""
    found: tuple[Reference, Resource[MCPOIDCConfigSpec]] | None = workspace.leading(
        resource, "spec", "oidcConfigRef", "name"
    )
    if found is None or "clientSecretRef" not in (found[1].spec.get("inline") or {}):
        return
    reference, config = found
    problem = secret_problem(workspace, config, ("inline", "clientSecretRef"))
    if problem is not None:
        message = (
            f'the client secret of MCPOIDCConfig "{config.name}" is left out, because it cannot be read: {problem}'
        )
        notes = (config.note("it is named here", (*INLINE, "clientSecretRef", "name")),)
        yield resource.finding(DROPPED_SECRET, reference.path, message, notes=notes)


CHECKS: dict[str, tuple[Check, ...]] = {
    "MCPOIDCConfig": (check_provider,),
    "MCPServer": (check_client_secret,),
    "MCPRemoteProxy": (check_client_secret,),
}
