"""List the changes that releases of the operator made to the objects and configurations compiled from a resource.

Compile steps write the output of a release. The descriptions here are for ``mcpcfg upgrade``, and for the warning of
``build`` that the output of a release was not recorded.

Source: docs/operator/releases.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..diagnostics.plain import value_at
from ..diagnostics.version import RECORDED
from ..kube.typed import decode
from ..toolhive.constants import GENERATION_VARIABLE
from ..toolhive.release import (
    BACKEND_OWNED_SINCE,
    BODY_LIMIT_SINCE,
    CHECKSUM_KEPT_SINCE,
    DEFAULT_REDIRECT_SINCE,
    EMBEDDING_TEMPLATE_SINCE,
    ENTRY_HEADERS_SINCE,
    PROXY_CA_BUNDLE_SINCE,
    PROXY_PULL_SECRETS_SINCE,
    SECOND_VERSION_SINCE,
    SESSION_PASSWORD_SINCE,
    VIRTUAL_POLICIES_SINCE,
    VIRTUAL_TEMPLATE_SINCE,
    holds,
    release_key,
)
from . import authserver, oidc, telemetry
from .podpatch import is_customized
from .vmcpauth import OIDC_REF

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace

PROXIES: Final = ("MCPServer", "MCPRemoteProxy")
VIRTUAL: Final = ("VirtualMCPServer",)
STARTED: Final = (*PROXIES, *VIRTUAL)
"""The kinds whose pods run an image of the operator's release."""


OBJECTS: Final = ("kubernetes",)
TEXTS: Final = ("kubernetes", "runconfig", "vmcp")
"""Targets whose output contains RunConfigs or vMCP configurations. Target ``kubernetes`` has them in ConfigMaps."""
BACKEND: Final = ("backend",)


class OutputChange(NamedTuple):
    """A change of the objects or configurations that the operator creates from a resource.

    Attributes:
        since: The first release with the change.
        name: A noun phrase for the change.
        means: The consequence for users as a clause; empty if they notice at most a restart.
        restarts: True if the pods restart when the operator is upgraded across this release.
        concerns: Returns whether the change affects a resource of these kinds. Default: every resource.
        targets: The targets of ``build`` whose output changes.
        is_compiled: True if the compile steps implement the change.
    """

    since: str
    kinds: tuple[str, ...]
    name: str
    means: str = ""
    restarts: bool = True
    concerns: Callable[[Workspace, Resource[Any]], bool] = lambda *_: True
    targets: tuple[str, ...] = OBJECTS
    is_compiled: bool = True


def _has_value_at(*paths: str) -> Callable[[Workspace, Resource[Any]], bool]:
    """Return a function that checks whether a spec has a non-empty value at one of ``paths``, such as ``a.b``."""
    split_paths = [tuple(path.split(".")) for path in paths]

    def has_value(_: Workspace, resource: Resource[Any]) -> bool:
        return any(value_at(resource.spec, path) for path in split_paths)

    return has_value


def _is_audited(_: Workspace, resource: Resource[Any]) -> bool:
    path = ("config", "audit") if resource.kind in VIRTUAL else ("audit", "enabled")
    return bool(value_at(resource.spec, path))


def _lacks_redirect(workspace: Workspace, resource: Resource[Any]) -> bool:
    is_virtual = resource.kind in VIRTUAL
    server: Any = resource.spec.get("authServerConfig") if is_virtual else authserver.of_proxy(workspace, resource)
    blocks = [
        block
        for upstream in (server or {}).get("upstreamProviders") or ()
        for field in ("oidcConfig", "oauth2Config")
        if isinstance(block := upstream.get(field), dict)
    ]
    return any(not block.get("redirectUri") for block in blocks)


def _has_telemetry(workspace: Workspace, resource: Resource[Any]) -> bool:
    return telemetry.config(workspace, resource) is not None


def _serves_metrics(workspace: Workspace, resource: Resource[Any]) -> bool:
    config = telemetry.config(workspace, resource)
    return config is not None and bool(value_at(config.spec, ("prometheus", "enabled")))


def _has_ca(workspace: Workspace, resource: Resource[Any]) -> bool:
    is_virtual = resource.kind in VIRTUAL
    settings = oidc.resolve(workspace, resource, OIDC_REF if is_virtual else ("spec", "oidcConfigRef"), 0)
    if settings is None:
        return False
    return bool(settings.ca_cert_path) if is_virtual else settings.ca_config_map is not None


def _has_ignored_template(_: Workspace, resource: Resource[Any]) -> bool:
    """Return whether a virtual server has a pod template that an operator before v0.32.0 ignores.

    Such an operator only applies a template that sets a decisive field; see `is_customized`.
    """
    given: Any = resource.spec.get("podTemplateSpec")
    return bool(given) and not is_customized(decode(given).value)


def _audits_denials(workspace: Workspace, resource: Resource[Any]) -> bool:
    return _is_audited(workspace, resource) and bool(resource.spec.get("authzConfig"))


def _has_policies(_: Workspace, resource: Resource[Any]) -> bool:
    return bool(value_at(resource.spec, ("authzConfig", "type")) == "inline")


def _authorizes(_: Workspace, resource: Resource[Any]) -> bool:
    return bool(value_at(resource.spec, ("incomingAuth", "authzConfig")))


def _has_session_password(_: Workspace, resource: Resource[Any]) -> bool:
    storage = resource.spec.get("sessionStorage")
    return isinstance(storage, dict) and storage.get("provider") == "redis" and bool(storage.get("passwordRef"))


def _has_entries_with_headers(workspace: Workspace, resource: Resource[Any]) -> bool:
    group = workspace.target(resource, "spec", "groupRef", "name")
    members = workspace.members(group, resource) if group is not None else []
    return any(
        member.kind == "MCPServerEntry" and value_at(member.data, ("spec", "headerForward")) for member in members
    )


_ANNOTATED: Final = "resourceOverrides.proxyDeployment.podTemplateMetadataOverrides.annotations"

CHANGES: Final[tuple[OutputChange, ...]] = (
    OutputChange(
        "0.22.0",
        STARTED,
        "detectApplicationErrors",
        "the audit log takes answers that hold an error for failures",
        concerns=_is_audited,
        targets=TEXTS,
    ),
    OutputChange(
        SECOND_VERSION_SINCE,
        (*STARTED, "MCPRegistry", "EmbeddingServer"),
        "owner references of v1beta1",
        restarts=False,
    ),
    OutputChange(
        DEFAULT_REDIRECT_SINCE,
        STARTED,
        "default redirectUri",
        "an upstream provider without redirectUri sends clients back to /oauth/callback below the resource URL",
        concerns=_lacks_redirect,
        targets=TEXTS,
    ),
    OutputChange(
        "0.24.1",
        ("MCPServer",),
        "generation in the RunConfig",
        "every change of the spec restarts the proxy, as its configuration holds the generation",
        targets=TEXTS,
    ),
    OutputChange(
        "0.24.1", ("MCPServer",), "generation of the StatefulSet", restarts=False, targets=BACKEND, is_compiled=False
    ),
    OutputChange("0.24.1", ("MCPRegistry",), "probes of port 8081"),
    OutputChange(
        PROXY_PULL_SECRETS_SINCE,
        ("MCPRemoteProxy",),
        "imagePullSecrets of the proxy",
        "the imagePullSecrets of resourceOverrides reach the proxy's account and pod",
        concerns=_has_value_at("resourceOverrides.proxyDeployment.imagePullSecrets"),
    ),
    OutputChange(
        EMBEDDING_TEMPLATE_SINCE,
        ("EmbeddingServer",),
        "the whole pod template",
        "all of podTemplateSpec is merged into the pod, not a few fields of it",
        concerns=_has_value_at("podTemplateSpec"),
    ),
    OutputChange(
        CHECKSUM_KEPT_SINCE,
        ("MCPServer",),
        "annotations of the pod beside its checksum",
        "annotations of the pod no longer push out its checksum: a change of the configuration restarts it",
        concerns=_has_value_at(_ANNOTATED),
    ),
    OutputChange("0.27.0", ("MCPServer",), "order of variables in the StatefulSet", targets=BACKEND),
    OutputChange(
        ENTRY_HEADERS_SINCE,
        VIRTUAL,
        "headers of entries",
        "headers that an MCPServerEntry of the group forwards are sent",
        concerns=_has_entries_with_headers,
    ),
    OutputChange("0.28.0", PROXIES, "startup probe", "a proxy that does not start within 90 s is restarted"),
    OutputChange(
        SESSION_PASSWORD_SINCE,
        ("MCPServer",),
        "password of session storage",
        "the password of the session storage reaches the proxy",
        concerns=_has_session_password,
    ),
    OutputChange("0.28.1", ("MCPRegistry",), "Role for events.k8s.io", restarts=False),
    OutputChange(
        VIRTUAL_POLICIES_SINCE,
        VIRTUAL,
        "authorization from a ConfigMap, entities",
        "policies from a ConfigMap and entitiesJson decide requests",
        concerns=_authorizes,
        targets=TEXTS,
    ),
    OutputChange("0.29.0", ("MCPServer",), GENERATION_VARIABLE),
    OutputChange("0.29.0", PROXIES, "version 1.0 of policies", concerns=_has_policies, targets=TEXTS),
    OutputChange(
        BODY_LIMIT_SINCE, PROXIES, "bodylimit", "requests with a body of more than 8 MiB are refused", targets=TEXTS
    ),
    OutputChange(
        "0.30.0",
        ("MCPRemoteProxy",),
        "replicas left open",
        "the number of replicas is left to who scales the Deployment, where the spec states none",
        restarts=False,
    ),
    OutputChange(
        "0.30.1",
        STARTED,
        "restricted security contexts",
        "pods run without capabilities and under the seccomp profile RuntimeDefault",
        targets=(*OBJECTS, *BACKEND),
    ),
    OutputChange("0.31.0", VIRTUAL, "order of variables", concerns=_has_value_at("authServerConfig")),
    OutputChange("0.32.0", VIRTUAL, "embeddingProvider", concerns=_has_value_at("config.optimizer"), targets=TEXTS),
    OutputChange(
        PROXY_CA_BUNDLE_SINCE,
        ("MCPRemoteProxy",),
        "CA bundle of the OIDC provider",
        "the proxy trusts the CA bundle of its OIDC provider",
        concerns=_has_ca,
    ),
    OutputChange(
        VIRTUAL_TEMPLATE_SINCE,
        VIRTUAL,
        "pod template merged always",
        "podTemplateSpec is merged into the pod, whatever it holds",
        concerns=_has_ignored_template,
    ),
    OutputChange(
        "0.40.1",
        PROXIES,
        "audit before authorization",
        "requests that authorization denies are in the audit log",
        concerns=_audits_denials,
        targets=TEXTS,
    ),
    OutputChange(
        "0.41.0",
        PROXIES,
        "audit before authentication",
        "requests that authentication refuses are in the audit log",
        concerns=_is_audited,
        targets=TEXTS,
    ),
    OutputChange("0.41.0", VIRTUAL, "maxDelegationDepth", concerns=_is_audited, targets=TEXTS),
    OutputChange(
        "0.41.0",
        VIRTUAL,
        "caBundlePath",
        "a virtual server trusts the CA bundle of its OIDC provider",
        concerns=_has_ca,
        targets=TEXTS,
    ),
    OutputChange("0.43.0", PROXIES, "telemetry after the parser", concerns=_has_telemetry, targets=TEXTS),
    OutputChange(
        BACKEND_OWNED_SINCE,
        ("MCPServer",),
        "owner of the StatefulSet",
        "the operator owns the StatefulSet, and makes it again if it is deleted",
        restarts=False,
        targets=BACKEND,
    ),
    OutputChange(
        "0.45.0",
        STARTED,
        "kubectl rollout restart",
        "kubectl rollout restart lasts: the operator no longer undoes it",
        restarts=False,
        targets=(),
        is_compiled=False,
    ),
    OutputChange(
        "0.45.0",
        PROXIES,
        "port of metrics",
        "metrics are served on port 9464 too; a later release ends them on the main port",
        concerns=_serves_metrics,
        restarts=False,
        targets=(),
        is_compiled=False,
    ),
)
"""The changes in the order of their releases."""


def recorded_releases(target: str) -> tuple[str, ...]:
    """Return the releases whose output for a target was recorded, oldest first."""
    return RECORDED[:1] if target in BACKEND else RECORDED


def unrecorded_changes(
    workspace: Workspace, resources: Iterable[Resource[Any]], target: str
) -> dict[str, tuple[str, ...]]:
    """Return, for each unrecorded release of the resources, the changes that make its compiled output uncertain.

    The changes are newer than the last recorded release before the unrecorded release, so they are only known from the
    operator's source. Each text has the name of a change and its first release. A tuple is empty if no known change
    affects the resources of the release.
    """
    changes_by_release: dict[str, dict[OutputChange, None]] = {}
    for resource in resources:
        release = resource.release
        recorded = [
            recorded_release for recorded_release in recorded_releases(target) if holds(recorded_release, None, release)
        ]
        if release in recorded:
            continue
        release_changes = changes_by_release.setdefault(release, {})
        for change in CHANGES:
            is_shown = target in change.targets and resource.is_judged(since=change.since)
            is_shown = is_shown and not holds(change.since, None, recorded[-1])
            if is_shown and change not in release_changes and resource.kind in change.kinds:
                release_changes |= {change: None} if change.concerns(workspace, resource) else {}
    return {
        release: tuple([_shown(recorded_release) for recorded_release in CHANGES if recorded_release in changes])
        for release, changes in sorted(
            changes_by_release.items(), key=lambda recorded_release: release_key(recorded_release[0])
        )
    }


def _shown(change: OutputChange) -> str:
    return f"{change.name} ({change.since}{'' if change.is_compiled else ', not compiled'})"
