"""``--target status``: the final status of each resource, once all its pods are ready."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from ..golang.yaml.sigs import dump
from ..toolhive.constants import FINALIZERS
from ..toolhive.release import (
    AUTHZ_CONFIG_SINCE,
    ENTRY_HEADERS_SINCE,
    PRIMARY_UPSTREAM_REPORTED_SINCE,
    PROXY_CA_BUNDLE_SINCE,
)
from . import configstatus, vmcpauth
from .address import embedding_url, proxy_url, registry_url, virtual_server_url
from .build import FIRST_GENERATION
from .condition import Settled, condition, status_of
from .confighash import authz_hash, hash_annotations, proxy_hashes, target_hash
from .restart import restart_annotations
from .target import Artifact, file_path, in_order
from .virtualmcpserver import keeps_pod_labels

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ..models.embeddingserver import EmbeddingServerSpec
    from ..models.mcpoidcconfig import MCPOIDCConfigSpec
    from ..models.mcpregistry import MCPRegistrySpec
    from ..models.mcpremoteproxy import MCPRemoteProxySpec
    from ..models.mcpserver import MCPServerSpec
    from ..models.mcpserverentry import MCPServerEntrySpec
    from ..models.spec import ProxySpec
    from ..models.virtualmcpserver import VirtualMCPServerSpec
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace
    from .build import Build, Object

AUTHZ_CONDITION: Final = ("AuthzConfigRefValidated", True, "AuthzConfigRefValid", "the MCPAuthzConfig is valid")


def artifacts(build: Build, resources: Iterable[Resource]) -> list[Artifact]:
    """Return each resource's annotations, finalizers and status, as an artifact ``NAMESPACE/KIND-NAME.yaml``."""
    compiled = []
    for resource in in_order(resources):
        settled = final_status(build.workspace, resource, build.generation)
        if settled is not None:
            finalizer = FINALIZERS.get(resource.kind)
            entry = {
                "kind": resource.kind,
                "namespace": resource.printed_namespace,
                "name": resource.name,
                "finalizers": [resource.profile.spell(finalizer)] if finalizer else None,
                "annotations": settled.annotations,
                "status": settled.status,
            }
            path = file_path(resource.printed_namespace, f"{resource.kind}-{resource.name}", ".yaml")
            compiled.append(Artifact(path, dump(entry), resource, is_object=True))
    return compiled


def stream(compiled: Iterable[Artifact]) -> str:
    """Return all statuses as a single YAML list."""
    return dump([artifact.compiled for artifact in compiled])


def final_status(workspace: Workspace, resource: Resource, generation: int = FIRST_GENERATION) -> Settled | None:
    """Return the final annotations and status of an accepted resource, or ``None`` if the kind is not the operator's.

    The annotations are those of the resource and those that the operator adds.
    """
    step = STEPS.get(resource.kind)
    if step is None:
        return None
    result = step(workspace, resource)
    if result.status:
        result.status["observedGeneration"] = generation
    stated: dict[str, str] = resource.data["metadata"].get("annotations") or {}
    return result._replace(annotations={**stated, **(result.annotations or {})} or None)


def _group(workspace: Workspace, resource: Resource) -> Settled:
    by_kind: dict[str, list[str]] = {"MCPServer": [], "MCPRemoteProxy": [], "MCPServerEntry": []}
    for member in workspace.members(resource):
        by_kind[member.kind].append(member.name)
    conditions = [condition("MCPServersChecked", True, "ListMCPServersCheckSucceeded", "the members were listed")]
    proxies, entries = by_kind["MCPRemoteProxy"], by_kind["MCPServerEntry"]
    servers = by_kind["MCPServer"]
    # Before v0.27.1, the status of a group without MCPServers has an empty list and the count 0.
    has_servers = bool(servers) or resource.is_judged(until="0.27.1")
    return Settled(
        None,
        status_of(
            conditions,
            phase="Ready",
            servers=servers if has_servers else None,
            serverCount=len(servers) if has_servers else None,
            remoteProxies=proxies or None,
            remoteProxyCount=len(proxies) or None,
            entries=entries or None,
            entryCount=len(entries) or None,
        ),
    )


def _entry(_: Workspace, resource: Resource[MCPServerEntrySpec]) -> Settled:
    ca = (resource.spec.get("caBundleRef") or {}).get("configMapRef")
    auth = resource.spec.get("externalAuthConfigRef")
    conditions = [
        condition("RemoteURLValidated", True, "RemoteURLValid", "the remote URL is allowed"),
        condition("GroupRefValidated", True, "GroupRefIsValid", "the group exists and is ready"),
        condition("ExternalAuthConfigValidated", True, *_present(auth, "AuthConfig")),
        condition("CABundleRefValidated", True, *_present(ca, "CABundleRef")),
        condition("Valid", True, "ConfigValid", "all references resolve"),
    ]
    headers = (resource.spec.get("headerForward") or {}).get("addHeadersFromSecret")
    if headers and resource.is_judged(since=ENTRY_HEADERS_SINCE):
        text = "the Secrets of the headers exist"
        conditions.append(condition("HeaderSecretRefsValidated", True, "HeaderSecretsValid", text))
    return Settled(None, status_of(conditions, phase="Valid"))


def _present(ref: Any, prefix: str) -> tuple[str, str]:
    if ref:
        return f"{prefix}Valid", "what it refers to exists"
    return f"{prefix}NotConfigured", "nothing is referred to"


def _registry(_: Workspace, resource: Resource[MCPRegistrySpec]) -> Settled:
    message = "the registry API is ready"
    conditions = [condition("Ready", True, "Ready", message)]
    if resource.spec.get("podTemplateSpec") is not None:
        conditions.append(condition("PodTemplateValid", True, "ValidPodTemplateSpec", "the pod template decodes"))
    fields = {"phase": "Ready", "message": message, "url": registry_url(resource), "readyReplicas": 1}
    return Settled(None, status_of(conditions, **fields))


def _embedding(_: Workspace, resource: Resource[EmbeddingServerSpec]) -> Settled:
    replicas = resource.spec.get("replicas")
    conditions = [condition("PodTemplateValid", True, "ValidPodTemplateSpec", "the pod template decodes")]
    return Settled(
        None,
        status_of(
            conditions,
            phase="Ready",
            message="the embedding server is running",
            url=embedding_url(resource),
            readyReplicas=1 if replicas is None else replicas,
        ),
    )


def _server(workspace: Workspace, resource: Resource[MCPServerSpec]) -> Settled:
    spec = resource.spec
    stopped = spec.get("replicas") == 0
    message = "the server is stopped: no replicas" if stopped else "the server is running"
    conditions = [
        *_replica_conditions(resource),
        condition("Ready", not stopped, "NotReady" if stopped else "Ready", message),
        *_reference_conditions(workspace, resource),
    ]
    limited = spec.get("rateLimiting") is not None
    reason, text = (
        ("RateLimitConfigValid", "the rate limits are valid")
        if limited
        else ("RateLimitNotApplicable", "there are no rate limits")
    )
    conditions.append(condition("RateLimitConfigValid", True, reason, text))
    if spec.get("podTemplateSpec") is not None:
        conditions.append(condition("PodTemplateValid", True, "ValidPodTemplateSpec", "the pod template decodes"))
    status = status_of(
        conditions,
        phase="Stopped" if stopped else "Ready",
        message=message,
        url=proxy_url(resource),
        readyReplicas=None if stopped else 1,
        **proxy_hashes(workspace, resource),
    )
    stated = resource.data["metadata"].get("annotations") or {}
    return Settled(hash_annotations(workspace, resource) | restart_annotations(resource, stated), status)


def _replica_conditions(resource: Resource[ProxySpec | VirtualMCPServerSpec]) -> Iterator[Object]:
    spec = resource.spec
    several = (spec.get("replicas") or 0) > 1
    if resource.kind == "MCPServer":
        capped = several and (cast("MCPServerSpec", spec).get("transport") or "stdio") == "stdio"
        reason = "StdioTransportCapAt1" if capped else "StdioReplicaCapNotActive"
        yield condition("StdioReplicaCapped", capped, reason, "one replica at most over stdio" if capped else "no cap")
    redis = (spec.get("sessionStorage") or {}).get("provider") == "redis"
    if not several:
        yield condition("SessionStorageWarning", False, "SessionStorageWarningNotApplicable", "one replica at most")
    elif redis:
        yield condition("SessionStorageWarning", False, "SessionStorageConfigured", "sessions are kept in Redis")
    else:
        message = "replicas do not share sessions without Redis"
        yield condition("SessionStorageWarning", True, "SessionStorageMissingForReplicas", message)


def _reference_conditions(workspace: Workspace, resource: Resource[ProxySpec]) -> Iterator[Object]:
    spec = resource.spec
    if spec.get("groupRef"):
        yield condition("GroupRefValidated", True, "GroupRefIsValid", "the group exists and is ready")
    for field, kind, reason in (
        ("oidcConfigRef", "OIDCConfigRefValidated", "OIDCConfigRefValid"),
        ("telemetryConfigRef", "TelemetryConfigRefValidated", "TelemetryConfigRefValid"),
        ("authServerRef", "AuthServerRefValidated", "AuthServerRefValid"),
    ):
        if spec.get(field):
            yield condition(kind, True, reason, "what it refers to exists and is valid")
    if spec.get("authzConfigRef") and resource.is_judged(since=AUTHZ_CONFIG_SINCE):
        yield condition(*AUTHZ_CONDITION)
    reports_ca_bundle = resource.kind == "MCPServer" or resource.is_judged(since=PROXY_CA_BUNDLE_SINCE)
    if reports_ca_bundle and _has_ca_bundle(workspace, resource):
        yield condition("CABundleRefValidated", True, "CABundleRefValid", "the CA bundle exists")
    inline = (spec.get("authzConfig") or {}).get("inline") or {}
    if inline.get("primaryUpstreamProvider") and resource.is_judged(since=PRIMARY_UPSTREAM_REPORTED_SINCE):
        text = "primaryUpstreamProvider has no effect here"
        yield condition("AuthzPrimaryUpstreamProviderIgnored", True, "PrimaryUpstreamProviderIgnored", text)


def _has_ca_bundle(workspace: Workspace, resource: Resource) -> bool:
    config: Resource[MCPOIDCConfigSpec] | None = workspace.target(resource, "spec", "oidcConfigRef", "name")
    inline = (config.spec.get("inline") or {}) if config is not None else {}
    return bool((inline.get("caBundleRef") or {}).get("configMapRef"))


def _proxy(workspace: Workspace, resource: Resource[MCPRemoteProxySpec]) -> Settled:
    spec = resource.spec
    message = "the remote proxy is running"
    conditions = [
        condition("ConfigurationValid", True, "ConfigurationValid", "the configuration is valid"),
        condition("Ready", True, "DeploymentReady", message),
        *_reference_conditions(workspace, resource),
    ]
    # v0.30.0 added the condition, together with `replicas`.
    if resource.is_judged(since="0.30.0"):
        conditions += _replica_conditions(resource)
    # v0.37.0 added the condition.
    if spec.get("podTemplateSpec") is not None and resource.is_judged(since="0.37.0"):
        conditions.append(condition("PodTemplateValid", True, "ValidPodTemplateSpec", "the pod template decodes"))
    if spec.get("toolConfigRef"):
        conditions.append(condition("ToolConfigValidated", True, "ToolConfigValid", "the tool configuration exists"))
    if spec.get("externalAuthConfigRef"):
        text = "the external auth configuration exists"
        conditions.append(condition("ExternalAuthConfigValidated", True, "ExternalAuthConfigValid", text))
    hashes = proxy_hashes(workspace, resource)
    return Settled(None, status_of(conditions, phase="Ready", message=message, url=proxy_url(resource), **hashes))


def _virtual_server(workspace: Workspace, resource: Resource[VirtualMCPServerSpec]) -> Settled:
    spec = resource.spec
    # A template that changes the pods' labels leaves the operator without pods to count.
    running = spec.get("replicas") != 0 and keeps_pod_labels(resource)
    message = "the virtual server is running" if running else "no pods were found"
    ready_reason = "DeploymentReady" if running else "DeploymentNotReady"
    conditions = [
        condition("Valid", True, "ValidationSucceeded", "the spec is valid"),
        condition("GroupRefValidated", True, "GroupRefValid", "the group exists and is ready"),
        condition("CompositeToolRefsValidated", True, "CompositeToolRefsValid", "all composite tools exist"),
        condition("AuthConfigured", True, "AuthValid", "authentication is configured"),
        condition("Ready", running, ready_reason, message),
        *_replica_conditions(resource),
        *_auth_conditions(workspace, resource),
        *configstatus.identity_condition(resource, spec.get("authServerConfig")),
        *_upstream_warning(resource),
    ]
    for present, kind, reason in (
        (spec.get("podTemplateSpec") is not None, "PodTemplateSpecValid", "PodTemplateSpecValid"),
        (spec.get("embeddingServerRef"), "EmbeddingServerReady", "EmbeddingServerReady"),
        (spec.get("authServerConfig"), "AuthServerConfigValidated", "AuthServerConfigValid"),
        (spec["incomingAuth"].get("oidcConfigRef"), "OIDCConfigRefValidated", "OIDCConfigRefValid"),
        (spec.get("telemetryConfigRef"), "TelemetryConfigRefValidated", "TelemetryConfigRefValid"),
    ):
        if present:
            conditions.append(condition(kind, True, reason, "it is valid"))
    if spec["incomingAuth"].get("authzConfigRef") and resource.is_judged(since=AUTHZ_CONFIG_SINCE):
        conditions.append(condition(*AUTHZ_CONDITION))
    return Settled(
        None,
        status_of(
            conditions,
            phase="Ready" if running else "Pending",
            message=message,
            url=virtual_server_url(resource),
            oidcConfigHash=target_hash(workspace, resource, "spec", "incomingAuth", "oidcConfigRef"),
            telemetryConfigHash=target_hash(workspace, resource, "spec", "telemetryConfigRef"),
            authzConfigHash=authz_hash(workspace, resource, "spec", "incomingAuth", "authzConfigRef"),
        ),
    )


def _upstream_warning(resource: Resource[VirtualMCPServerSpec]) -> Iterator[Object]:
    """Yield a warning if policies use the first of several upstreams by default. v0.24.1 added the condition."""
    spec = resource.spec
    server, authz = spec.get("authServerConfig") or {}, spec["incomingAuth"].get("authzConfig")
    if authz is None or len(server.get("upstreamProviders") or ()) < 2 or not resource.is_judged(since="0.24.1"):
        return
    chosen = server.get("primaryUpstreamProvider") or (authz.get("inline") or {}).get("primaryUpstreamProvider")
    if not chosen:
        text = "policies see the claims of the first upstream"
        yield condition("AuthzUpstreamSelectionWarning", True, "AuthzUpstreamAutoSelected", text)


def _auth_conditions(workspace: Workspace, resource: Resource[VirtualMCPServerSpec]) -> Iterator[Object]:
    configs = dict(vmcpauth.named_configs(workspace, resource))
    for place, _ in vmcpauth.entries(resource):
        kind = f"BackendAuthConfig-{place[-1]}" if len(place) > 3 else "DefaultAuthConfig"
        config = configs.get((*place, "externalAuthConfigRef", "name"))
        yield _auth_condition(kind, vmcpauth.unusable(workspace, resource, config) if config is not None else None)
    group = workspace.target(resource, "spec", "groupRef", "name")
    for member in workspace.members(group, resource) if group is not None else ():
        reference = workspace.reference(member, "spec", "externalAuthConfigRef", "name")
        if reference is not None:
            problem = vmcpauth.unusable_member(workspace, resource, member)
            yield _auth_condition(f"DiscoveredAuthConfig-{member.name}", problem)


def _auth_condition(kind: str, unusable: vmcpauth.Unusable | None) -> Object:
    if unusable is not None:
        return condition(kind, False, unusable.reason, "it cannot be used")
    return condition(kind, True, "ConversionSucceeded", "the configuration was converted")


def _definition(*_: object) -> Settled:
    """Return an empty status, because no controller handles composite tool definitions."""
    return Settled(None, {})


STEPS: dict[str, Callable[[Workspace, Resource[Any]], Settled]] = {
    "EmbeddingServer": _embedding,
    "MCPAuthzConfig": configstatus.config_status,
    "MCPExternalAuthConfig": configstatus.config_status,
    "MCPGroup": _group,
    "MCPOIDCConfig": configstatus.config_status,
    "MCPRegistry": _registry,
    "MCPRemoteProxy": _proxy,
    "MCPServer": _server,
    "MCPServerEntry": _entry,
    "MCPTelemetryConfig": configstatus.config_status,
    "MCPToolConfig": configstatus.config_status,
    "VirtualMCPCompositeToolDefinition": _definition,
    "MCPWebhookConfig": configstatus.config_status,
    "VirtualMCPServer": _virtual_server,
}
