"""The status that each resource settles on once every pod that is asked for is ready."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from . import vmcpauth
from .address import embedding_url, proxy_url, registry_url, virtual_server_url
from .confighash import hash_annotations, proxy_hashes, target_hash
from .restart import restart_annotations
from .specdump import spec_hash
from .virtualmcpserver import finds_its_pods

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..models.embeddingserver import EmbeddingServerSpec
    from ..models.mcpexternalauthconfig import MCPExternalAuthConfigSpec
    from ..models.mcpoidcconfig import MCPOIDCConfigSpec
    from ..models.mcpregistry import MCPRegistrySpec
    from ..models.mcpremoteproxy import MCPRemoteProxySpec
    from ..models.mcpserver import MCPServerSpec
    from ..models.mcpserverentry import MCPServerEntrySpec
    from ..models.spec import ProxySpec
    from ..models.virtualmcpserver import VirtualMCPServerSpec
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace
    from .build import Object

REFERRERS: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "MCPOIDCConfig": (
        ("MCPServer", ("spec", "oidcConfigRef", "name")),
        ("MCPRemoteProxy", ("spec", "oidcConfigRef", "name")),
        ("VirtualMCPServer", ("spec", "incomingAuth", "oidcConfigRef", "name")),
    ),
    "MCPToolConfig": (("MCPServer", ("spec", "toolConfigRef", "name")),),
    "MCPExternalAuthConfig": (
        ("MCPServer", ("spec", "externalAuthConfigRef", "name")),
        ("MCPServer", ("spec", "authServerRef", "name")),
        ("MCPRemoteProxy", ("spec", "externalAuthConfigRef", "name")),
        ("MCPRemoteProxy", ("spec", "authServerRef", "name")),
    ),
    "MCPTelemetryConfig": (
        ("MCPServer", ("spec", "telemetryConfigRef", "name")),
        ("MCPRemoteProxy", ("spec", "telemetryConfigRef", "name")),
        ("VirtualMCPServer", ("spec", "telemetryConfigRef", "name")),
    ),
}
"""Shared configuration to the references that it lists in its status. Others count, but are not listed."""


class Settled(NamedTuple):
    """What the operator writes back to a resource.

    Attributes:
        annotations: All that the resource has then, its own too; of a compile step those that the operator adds.
        status: The status.
    """

    annotations: dict[str, str] | None
    status: Object


def settled(workspace: Workspace, resource: Resource) -> Settled | None:
    """Return annotations and status of an accepted resource; ``None`` for a kind that is not the operator's."""
    step = STEPS.get(resource.kind)
    if step is None:
        return None
    made = step(workspace, resource)
    own: dict[str, str] = resource.data["metadata"].get("annotations") or {}
    return made._replace(annotations={**own, **(made.annotations or {})} or None)


def condition(kind: str, status: bool, reason: str, message: str) -> Object:  # noqa: FBT001 - reads as in Kubernetes
    """Return one condition."""
    return {"type": kind, "status": "True" if status else "False", "reason": reason, "message": message}


def _status(conditions: list[Object], **fields: Any) -> Object:
    given = {key: value for key, value in fields.items() if value is not None}
    ordered = sorted(conditions, key=lambda entry: str(entry["type"]))
    return {"conditions": ordered, "observedGeneration": 1, **given}


def _config(workspace: Workspace, resource: Resource) -> Settled:
    reason = "ConfigValid" if resource.kind == "MCPOIDCConfig" else "ValidationSucceeded"
    conditions = [condition("Valid", True, reason, "the configuration is valid")]
    workloads = referencing_workloads(workspace, resource)
    return Settled(None, _status(conditions, configHash=spec_hash(resource), referencingWorkloads=workloads or None))


def referencing_workloads(workspace: Workspace, resource: Resource) -> list[Object]:
    """Return the workloads that a shared configuration lists, by kind and name."""
    listed = set(REFERRERS[resource.kind])
    found = {
        (reference.source.kind, reference.source.name)
        for reference in workspace.referrers(resource)
        if (reference.source.kind, reference.path) in listed
    }
    return [{"kind": kind, "name": name} for kind, name in sorted(found)]


def _group(workspace: Workspace, resource: Resource) -> Settled:
    by_kind: dict[str, list[str]] = {"MCPServer": [], "MCPRemoteProxy": [], "MCPServerEntry": []}
    for member in workspace.members(resource):
        by_kind[member.kind].append(member.name)
    conditions = [condition("MCPServersChecked", True, "ListMCPServersCheckSucceeded", "the members were listed")]
    proxies, entries = by_kind["MCPRemoteProxy"], by_kind["MCPServerEntry"]
    return Settled(
        None,
        _status(
            conditions,
            phase="Ready",
            servers=by_kind["MCPServer"],
            serverCount=len(by_kind["MCPServer"]),
            remoteProxies=proxies or None,
            remoteProxyCount=len(proxies) or None,
            entries=entries or None,
            entryCount=len(entries) or None,
        ),
    )


def _entry(workspace: Workspace, resource: Resource[MCPServerEntrySpec]) -> Settled:
    del workspace
    ca = (resource.spec.get("caBundleRef") or {}).get("configMapRef")
    auth = resource.spec.get("externalAuthConfigRef")
    conditions = [
        condition("RemoteURLValidated", True, "RemoteURLValid", "the remote URL is allowed"),
        condition("GroupRefValidated", True, "GroupRefIsValid", "the group exists and is ready"),
        condition("ExternalAuthConfigValidated", True, *_present(auth, "AuthConfig")),
        condition("CABundleRefValidated", True, *_present(ca, "CABundleRef")),
        condition("Valid", True, "ConfigValid", "all references resolve"),
    ]
    return Settled(None, _status(conditions, phase="Valid"))


def _present(ref: Any, prefix: str) -> tuple[str, str]:
    if ref:
        return f"{prefix}Valid", "what it refers to exists"
    return f"{prefix}NotConfigured", "nothing is referred to"


def _registry(workspace: Workspace, resource: Resource[MCPRegistrySpec]) -> Settled:
    del workspace
    message = "the registry API is ready"
    conditions = [condition("Ready", True, "Ready", message)]
    if resource.spec.get("podTemplateSpec") is not None:
        conditions.append(condition("PodTemplateValid", True, "ValidPodTemplateSpec", "the pod template decodes"))
    fields = {"phase": "Ready", "message": message, "url": registry_url(resource), "readyReplicas": 1}
    return Settled(None, _status(conditions, **fields))


def _embedding(workspace: Workspace, resource: Resource[EmbeddingServerSpec]) -> Settled:
    del workspace
    replicas = resource.spec.get("replicas")
    conditions = [condition("PodTemplateValid", True, "ValidPodTemplateSpec", "the pod template decodes")]
    return Settled(
        None,
        _status(
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
    reason = "RateLimitConfigValid" if limited else "RateLimitNotApplicable"
    conditions.append(condition("RateLimitConfigValid", True, reason, "rate limits are in order"))
    if spec.get("podTemplateSpec") is not None:
        conditions.append(condition("PodTemplateValid", True, "ValidPodTemplateSpec", "the pod template decodes"))
    status = _status(
        conditions,
        phase="Stopped" if stopped else "Ready",
        message=message,
        url=proxy_url(resource),
        readyReplicas=None if stopped else 1,
        **proxy_hashes(workspace, resource),
    )
    own = resource.data["metadata"].get("annotations") or {}
    return Settled(hash_annotations(workspace, resource) | restart_annotations(resource, own), status)


def _replica_conditions(resource: Resource[MCPServerSpec | VirtualMCPServerSpec]) -> Iterator[Object]:
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
    """Yield the conditions of references that MCPServer and MCPRemoteProxy share."""
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
    if resource.kind == "MCPServer" and _has_ca_bundle(workspace, resource):
        yield condition("CABundleRefValidated", True, "CABundleRefValid", "the CA bundle exists")


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
    if spec.get("toolConfigRef"):
        conditions.append(condition("ToolConfigValidated", True, "ToolConfigValid", "the tool configuration exists"))
    if spec.get("externalAuthConfigRef"):
        text = "the external auth configuration exists"
        conditions.append(condition("ExternalAuthConfigValidated", True, "ExternalAuthConfigValid", text))
    hashes = proxy_hashes(workspace, resource)
    return Settled(None, _status(conditions, phase="Ready", message=message, url=proxy_url(resource), **hashes))


def _virtual_server(workspace: Workspace, resource: Resource[VirtualMCPServerSpec]) -> Settled:
    spec = resource.spec
    # A template that changes the pods' labels leaves the operator without pods to count.
    running = spec.get("replicas") != 0 and finds_its_pods(resource)
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
    return Settled(
        None,
        _status(
            conditions,
            phase="Ready" if running else "Pending",
            message=message,
            url=virtual_server_url(resource),
            oidcConfigHash=target_hash(workspace, resource, "spec", "incomingAuth", "oidcConfigRef"),
            telemetryConfigHash=target_hash(workspace, resource, "spec", "telemetryConfigRef"),
        ),
    )


def _auth_conditions(workspace: Workspace, resource: Resource[VirtualMCPServerSpec]) -> Iterator[Object]:
    """Yield the conditions of outgoing authentication: default, entries of the spec, what members refer to."""
    outgoing = resource.spec.get("outgoingAuth") or {}
    good = "the configuration was converted"
    if outgoing.get("default") is not None:
        yield condition("DefaultAuthConfig", True, "ConversionSucceeded", good)
    named = outgoing.get("backends") or {}
    for name in named:
        yield condition(f"BackendAuthConfig-{name}", True, "ConversionSucceeded", good)
    group = workspace.target(resource, "spec", "groupRef", "name")
    for member in workspace.members(group, resource) if group is not None else ():
        reference = workspace.reference(member, "spec", "externalAuthConfigRef", "name")
        if reference is None:
            continue
        config = reference.target if reference.problem is None else None
        usable = config is not None and vmcpauth.is_convertible(cast("Resource[MCPExternalAuthConfigSpec]", config))
        reason, text = ("ConversionSucceeded", good) if usable else ("ConversionFailed", "it cannot be used here")
        yield condition(f"DiscoveredAuthConfig-{member.name}", usable, reason, text)


def _definition(workspace: Workspace, resource: Resource) -> Settled:
    """Return no status: no controller looks at composite tool definitions."""
    del workspace, resource
    return Settled(None, {})


STEPS: dict[str, Callable[[Workspace, Resource[Any]], Settled]] = {
    "EmbeddingServer": _embedding,
    "MCPExternalAuthConfig": _config,
    "MCPGroup": _group,
    "MCPOIDCConfig": _config,
    "MCPRegistry": _registry,
    "MCPRemoteProxy": _proxy,
    "MCPServer": _server,
    "MCPServerEntry": _entry,
    "MCPTelemetryConfig": _config,
    "MCPToolConfig": _config,
    "VirtualMCPCompositeToolDefinition": _definition,
    "VirtualMCPServer": _virtual_server,
}
