"""Settings that are accepted and do nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcpcfg.compiler.finding import Rule
from mcpcfg.validators.membership import may_be_served
from mcpcfg.validators.rule import reads

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcpcfg.compiler.finding import Finding
    from mcpcfg.compiler.models.mcpexternalauthconfig import MCPExternalAuthConfigSpec
    from mcpcfg.compiler.models.spec import MemberSpec, ProxySpec
    from mcpcfg.compiler.resource import Resource
    from mcpcfg.compiler.source import Path
    from mcpcfg.compiler.workspace import Workspace
    from mcpcfg.validators.rule import Check

OBJECTS = "Source: the objects that the operator makes of MCPServer and MCPRemoteProxy, v0.21.0."

AUDIT = Rule(
    id="IGN002",
    name="disabled-audit",
    stage="lint",
    severity="info",
    title="An audit block is there, but audit logging is not enabled.",
    doc=f"""An audit block is there, but audit logging is not enabled.

Flagged: `audit` of an MCPServer or MCPRemoteProxy without `enabled: true`.

Why it bites: the block looks as if requests were logged. Without `enabled: true` it is as good as missing.

Example: `audit: {{}}`.

Cure: set `enabled: true`, or remove the block.

{OBJECTS}
""",
    is_one_change=True,
)
PULL_SECRETS = Rule(
    id="IGN005",
    name="ignored-pull-secrets",
    stage="lint",
    severity="warning",
    title="imagePullSecrets of an MCPRemoteProxy are never read.",
    doc=f"""`imagePullSecrets` are given for an MCPRemoteProxy, which are never read for this kind.

Flagged: `resourceOverrides.proxyDeployment.imagePullSecrets` of an MCPRemoteProxy.

Why it bites: neither the pod nor the ServiceAccount gets them. Where the proxy's image needs credentials, the pod
hangs in ImagePullBackOff.

Example: `proxyDeployment: {{imagePullSecrets: [{{name: registry}}]}}`.

Cure: put them on an own ServiceAccount and name that in `serviceAccount`.

{OBJECTS}
""",
    is_one_change=True,
)
CHECKSUM = Rule(
    id="IGN006",
    name="lost-configuration-checksum",
    stage="lint",
    severity="warning",
    title="Annotations for a proxy's pods keep it from noticing changes of its configuration.",
    doc=f"""Annotations for the pods of an MCPServer's proxy push out the operator's own.

Flagged: `resourceOverrides.proxyDeployment.podTemplateMetadataOverrides.annotations` of an MCPServer.

Why it bites: the checksum of the configuration is such an annotation, and it is lost. A change of the configuration no
longer starts new pods, and the operator rewrites the Deployment again and again.

Example: `podTemplateMetadataOverrides: {{annotations: {{team: search}}}}`.

Cure: use labels, or annotate the Deployment (`proxyDeployment.annotations`).

{OBJECTS}
""",
    is_one_change=True,
)
OVERRIDDEN = Rule(
    id="IGN007",
    name="overridden-label",
    stage="lint",
    severity="info",
    title="A label is set to a value that the operator replaces by its own.",
    doc=f"""A label is set that the operator sets itself.

Flagged: in `resourceOverrides` of an MCPServer or MCPRemoteProxy, the labels `app`, `app.kubernetes.io/name`,
`app.kubernetes.io/instance`, `toolhive` and `toolhive-name`.

Why it bites: the operator's value wins without a word. Selectors and dashboards that look for the user's find nothing.

Example: `proxyDeployment: {{labels: {{app: search}}}}`.

Cure: use a label of your own.

{OBJECTS}
""",
)
PROVIDER_NAME = Rule(
    id="IGN008",
    name="ignored-subject-provider",
    stage="lint",
    severity="info",
    title="subjectProviderName is for virtual servers, and a proxy does not read it.",
    doc=f"""`subjectProviderName` of a token exchange does nothing for a proxy.

Flagged: `tokenExchange.subjectProviderName` of an MCPExternalAuthConfig that an MCPServer or MCPRemoteProxy uses, and
no virtual server: neither itself, nor for a member of its group.

Why it bites: the proxy exchanges the token of the request, not that of the provider which is named.

Example: `tokenExchange: {{subjectProviderName: github, ...}}` used by an MCPServer.

Cure: remove it, or use the configuration behind a VirtualMCPServer only.

{OBJECTS}
""",
)
USER_INFO = Rule(
    id="IGN009",
    name="ignored-user-info",
    stage="lint",
    severity="info",
    title="userInfoOverride of an OIDC upstream is not used.",
    doc="""`userInfoOverride` is set on an upstream provider of type `oidc`, where it is not used.

Flagged: `oidcConfig.userInfoOverride` of an upstream provider in an MCPExternalAuthConfig.

Why it bites: who a user is comes from the ID token alone. Names and addresses from the other endpoint never arrive; the
server only logs a warning.

Example: `oidcConfig: {userInfoOverride: {endpointUrl: https://idp.example.com/me}, ...}`.

Cure: remove it, or describe the provider as `oauth2`, whose `userInfo` is asked.

Source: the start of the embedded authorization server, v0.21.0.
""",
)
RULES = (
    AUDIT,
    PULL_SECRETS,
    CHECKSUM,
    OVERRIDDEN,
    PROVIDER_NAME,
    USER_INFO,
)

OWN_LABELS = ("app", "app.kubernetes.io/name", "app.kubernetes.io/instance", "toolhive", "toolhive-name")
PROXIES = ("MCPServer", "MCPRemoteProxy")
DEPLOYMENT: Path = ("spec", "resourceOverrides", "proxyDeployment")
LABELLED: tuple[Path, ...] = (
    (*DEPLOYMENT, "labels"),
    (*DEPLOYMENT, "podTemplateMetadataOverrides", "labels"),
    ("spec", "resourceOverrides", "proxyService", "labels"),
)


@reads("audit")
def check_audit(resource: Resource[ProxySpec], workspace: Workspace) -> Iterator[Finding]:
    """Tell an audit block that turns nothing on."""
    del workspace
    if not resource.spec["audit"].get("enabled"):
        message = "audit is not enabled, so nothing is logged"
        yield resource.finding(AUDIT, ("spec", "audit"), message, hint="set enabled: true, or remove audit", on="key")


@reads("resourceOverrides")
def check_overrides(resource: Resource[ProxySpec], workspace: Workspace) -> Iterator[Finding]:
    """Tell changes to the created objects that get lost, or that push out what is needed."""
    del workspace
    deployment = resource.spec["resourceOverrides"].get("proxyDeployment") or {}
    if resource.kind == "MCPRemoteProxy" and deployment.get("imagePullSecrets"):
        path = (*DEPLOYMENT, "imagePullSecrets")
        message = "imagePullSecrets of an MCPRemoteProxy are never read"
        yield resource.finding(PULL_SECRETS, path, message, hint="put them on a ServiceAccount of your own", on="key")
    template = deployment.get("podTemplateMetadataOverrides") or {}
    if resource.kind == "MCPServer" and template.get("annotations"):
        path = (*DEPLOYMENT, "podTemplateMetadataOverrides", "annotations")
        message = "these annotations push out the checksum that tells pods of a new configuration"
        yield resource.finding(CHECKSUM, path, message, hint="use labels, or proxyDeployment.annotations", on="key")
    for path in LABELLED:
        labels: Any = resource.data
        for step in path:
            labels = labels.get(step) or {}
        for label in OWN_LABELS:
            if label in labels:
                message = f"the operator sets {label} itself"
                yield resource.finding(OVERRIDDEN, (*path, label), message, hint="use a label of your own", on="key")


@reads("tokenExchange", "embeddedAuthServer")
def check_auth(resource: Resource[MCPExternalAuthConfigSpec], workspace: Workspace) -> Iterator[Finding]:
    """Tell settings of external authentication that nobody reads."""
    exchange = resource.spec.get("tokenExchange") or {}
    users: list[Resource[Any]] = (
        [one.source for one in workspace.referrers(resource)] if exchange.get("subjectProviderName") else []
    )
    user = next((one for one in users if one.kind in PROXIES), None)
    if user is not None and not any(_is_for_virtual_servers(one, workspace) for one in users):
        path: Path = ("spec", "tokenExchange", "subjectProviderName")
        message = f'{user.kind} "{user.name}" does not read subjectProviderName'
        yield resource.finding(PROVIDER_NAME, path, message, hint="remove it", on="key")
    server = resource.spec.get("embeddedAuthServer") or {}
    for i, upstream in enumerate(server.get("upstreamProviders") or ()):
        if "userInfoOverride" in (upstream.get("oidcConfig") or {}):
            path = ("spec", "embeddedAuthServer", "upstreamProviders", i, "oidcConfig", "userInfoOverride")
            message = f'upstream "{upstream.get("name")}" is of type oidc, whose users come from the ID token'
            hint = "remove it, or describe the provider as oauth2"
            yield resource.finding(USER_INFO, path, message, hint=hint, on="key")


def _is_for_virtual_servers(user: Resource[MemberSpec], workspace: Workspace) -> bool:
    return user.kind not in PROXIES or may_be_served(user, workspace)


CHECKS: dict[str, tuple[Check, ...]] = {
    "MCPServer": (check_audit, check_overrides),
    "MCPRemoteProxy": (check_audit, check_overrides),
    "MCPExternalAuthConfig": (check_auth,),
}
