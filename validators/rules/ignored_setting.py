"""Rules about settings that the operator accepts but that have no effect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...compiler.diagnostics.plain import value_at
from ...compiler.toolhive.constants import INSTANCE_LABEL, NAME_LABEL, OWN_LABEL, WORKLOAD_LABEL
from ...compiler.toolhive.release import CHECKSUM_KEPT_SINCE, PRIMARY_UPSTREAM_REPORTED_SINCE, PROXY_PULL_SECRETS_SINCE
from ..membership import may_be_served
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.models.mcpexternalauthconfig import MCPExternalAuthConfigSpec
    from ...compiler.models.spec import MemberSpec, ProxySpec
    from ..rule import Check, Finding, Path, Resource, Workspace

AUDIT = rule(
    "IGN002 disabled-audit",
    "lint",
    "An audit block is there, but audit logging is not enabled",
    severity="info",
    is_one_change=True,
)
PULL_SECRETS = rule(
    "IGN005 ignored-pull-secrets",
    "lint",
    "imagePullSecrets of an MCPRemoteProxy are never read",
    is_one_change=True,
    until=PROXY_PULL_SECRETS_SINCE,
)

CHECKSUM = rule(
    "IGN006 lost-configuration-checksum",
    "lint",
    "Annotations on a proxy's pods keep it from noticing changes to its configuration",
    is_one_change=True,
    until=CHECKSUM_KEPT_SINCE,
)
OVERRIDDEN = rule(
    "IGN007 overridden-label",
    "lint",
    "A label is set to a value that the operator replaces with its own",
    severity="info",
)
PROVIDER_NAME = rule(
    "IGN008 ignored-subject-provider",
    "lint",
    "subjectProviderName is for virtual servers, and a proxy does not read it",
    severity="info",
)
USER_INFO = rule(
    "IGN009 ignored-user-info", "lint", "userInfoOverride of an OIDC upstream is not used", severity="info"
)
PRIMARY_UPSTREAM = rule(
    "IGN010 ignored-primary-upstream",
    "operator",
    "A proxy's policies are set to use the claims of one upstream provider",
    severity="warning",
    since=PRIMARY_UPSTREAM_REPORTED_SINCE,
)

OWN_LABELS = ("app", NAME_LABEL, INSTANCE_LABEL, OWN_LABEL, WORKLOAD_LABEL)
PROXIES = ("MCPServer", "MCPRemoteProxy")
DEPLOYMENT: Path = ("spec", "resourceOverrides", "proxyDeployment")
LABELED: tuple[Path, ...] = (
    (*DEPLOYMENT, "labels"),
    (*DEPLOYMENT, "podTemplateMetadataOverrides", "labels"),
    ("spec", "resourceOverrides", "proxyService", "labels"),
)


@reads("audit")
def check_audit(resource: Resource[ProxySpec], _: Workspace) -> Iterator[Finding]:
    """Report an ``audit`` block without ``enabled: true``, because it has no effect."""
    if not resource.spec["audit"].get("enabled"):
        message = "audit is not enabled, so nothing is logged"
        yield resource.finding(AUDIT, ("spec", "audit"), message, hint="set enabled: true, or remove audit", on="key")


@reads("resourceOverrides")
def check_overrides(resource: Resource[ProxySpec], _: Workspace) -> Iterator[Finding]:
    """Report ``resourceOverrides`` that the operator ignores, and annotations that replace its checksum."""
    deployment = resource.spec["resourceOverrides"].get("proxyDeployment") or {}
    if resource.kind == "MCPRemoteProxy" and deployment.get("imagePullSecrets"):
        path = (*DEPLOYMENT, "imagePullSecrets")
        message = "imagePullSecrets of an MCPRemoteProxy are never read"
        yield resource.finding(PULL_SECRETS, path, message, hint="add them to a ServiceAccount of your own", on="key")
    template = deployment.get("podTemplateMetadataOverrides") or {}
    if resource.kind == "MCPServer" and template.get("annotations"):
        path = (*DEPLOYMENT, "podTemplateMetadataOverrides", "annotations")
        message = "these annotations replace the checksum that restarts pods when the configuration changes"
        yield resource.finding(CHECKSUM, path, message, hint="use labels, or proxyDeployment.annotations", on="key")
    for path in LABELED:
        for label in map(resource.profile.spell, OWN_LABELS):
            if label in (value_at(resource.data, path) or ()):
                message = f"the operator sets {label} itself"
                yield resource.finding(OVERRIDDEN, (*path, label), message, hint="use a label of your own", on="key")


@reads("tokenExchange", "embeddedAuthServer")
def check_auth(resource: Resource[MCPExternalAuthConfigSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report fields of an MCPExternalAuthConfig that no process reads."""
    exchange = resource.spec.get("tokenExchange") or {}
    users: list[Resource[Any]] = (
        [reference.source for reference in workspace.referrers(resource)] if exchange.get("subjectProviderName") else []
    )
    user = next((reference for reference in users if reference.kind in PROXIES), None)
    if user is not None and not any(_is_for_virtual_servers(reference, workspace) for reference in users):
        path: Path = ("spec", "tokenExchange", "subjectProviderName")
        message = f'{user.kind} "{user.name}" does not read subjectProviderName'
        yield resource.finding(PROVIDER_NAME, path, message, hint="remove it", on="key")
    server = resource.spec.get("embeddedAuthServer") or {}
    for i, upstream in enumerate(server.get("upstreamProviders") or ()):
        if "userInfoOverride" in (upstream.get("oidcConfig") or {}):
            path = ("spec", "embeddedAuthServer", "upstreamProviders", i, "oidcConfig", "userInfoOverride")
            message = f'upstream "{upstream.get("name")}" is of type oidc, whose users are identified by the ID token'
            hint = "remove it, or configure the provider as oauth2"
            yield resource.finding(USER_INFO, path, message, hint=hint, on="key")


def _is_for_virtual_servers(user: Resource[MemberSpec], workspace: Workspace) -> bool:
    return user.kind not in PROXIES or may_be_served(user, workspace)


@reads("authzConfig")
def check_primary_upstream(resource: Resource[ProxySpec], _: Workspace) -> Iterator[Finding]:
    """Report a ``primaryUpstreamProvider`` of a proxy, because only virtual servers use it."""
    path: Path = ("spec", "authzConfig", "inline", "primaryUpstreamProvider")
    if (resource.spec["authzConfig"].get("inline") or {}).get("primaryUpstreamProvider"):
        message = f"{resource.kind} ignores primaryUpstreamProvider"
        hint = "remove it: the only upstream provider is used anyway"
        yield resource.finding(PRIMARY_UPSTREAM, path, message, hint=hint, on="key")


CHECKS: dict[str, tuple[Check, ...]] = {
    "MCPServer": (check_audit, check_overrides, check_primary_upstream),
    "MCPRemoteProxy": (check_audit, check_overrides, check_primary_upstream),
    "MCPExternalAuthConfig": (check_auth,),
}
