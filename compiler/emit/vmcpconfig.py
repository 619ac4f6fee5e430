"""Compile the configuration files of a virtual server's process, as the operator writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from ..toolhive.constants import DEFAULT_PREFIX_FORMAT, VMCP_PORT
from ..vmcp import operational
from ..vmcp.codec import written
from . import oidc, telemetry, vmcpauth, vmcpbackend, vmcpincoming
from .address import embedding_url
from .target import Artifact, in_order

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..models.audit import AuditLogConfig
    from ..models.composite import CompositeToolConfig, VirtualMCPCompositeToolDefinitionSpec
    from ..models.embeddedauth import EmbeddedAuthServerConfig
    from ..models.embeddingserver import EmbeddingServerSpec
    from ..models.mcptoolconfig import MCPToolConfigSpec
    from ..models.virtualmcpserver import VirtualMCPServerSpec
    from ..models.vmcp import AggregationConfig, OptimizerConfig, VMCPConfig, WorkloadToolConfig
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace
    from .build import Build, Object

CONFIG_FILE = "config.yaml"
AUTH_SERVER_FILE = "authserver-config.yaml"


def artifacts(build: Build, resources: Iterable[Resource]) -> list[Artifact]:
    """Return the configuration files of the VirtualMCPServers, each with the path ``NAMESPACE/NAME/FILE``."""
    compiled = []
    for resource in in_order(resources):
        if resource.kind == "VirtualMCPServer":
            folder = f"{resource.printed_namespace}/{resource.name}"
            texts = files(build, cast("Resource[VirtualMCPServerSpec]", resource))
            compiled += [Artifact(f"{folder}/{name}", text, resource) for name, text in texts.items()]
    return compiled


def stream(compiled: Iterable[Artifact]) -> str:
    """Return a YAML stream with a document for each virtual server: its namespace, name and texts of files."""
    from ..golang.yaml.sigs import dump

    documents: dict[int, Object] = {}
    for artifact in compiled:
        source = artifact.source
        assert source is not None, "only workload requests are no resources"
        entry = {"namespace": source.printed_namespace, "name": source.name, "files": {}}
        documents.setdefault(id(source), entry)["files"][artifact.path.rpartition("/")[2]] = artifact.text
    return "".join(f"---\n{dump(entry)}" for entry in documents.values())


def files(build: Build, resource: Resource[VirtualMCPServerSpec]) -> dict[str, str]:
    """Return the exact texts of the files that the process reads, by file name."""
    from ..golang.yaml.v3 import dump
    from ..records.shape import encode

    redis, _ = build.operator.default_redis(resource.release)
    whole = written(config(build.workspace, resource, redis=redis, with_hashes=True), resource.release)
    if "outgoingAuth" in whole:
        whole["outgoingAuth"] = vmcpauth.respelt(whole["outgoingAuth"], resource.profile)
    texts = {CONFIG_FILE: dump(whole)}
    server = resource.spec.get("authServerConfig")
    if server is not None:
        written_server = encode(
            auth_server(build.workspace, resource, server), "EmbeddedAuthServerRunConfig", resource.release
        )
        texts[AUTH_SERVER_FILE] = dump(written_server)
    return texts


def auth_server(
    workspace: Workspace, resource: Resource[VirtualMCPServerSpec], server: EmbeddedAuthServerConfig
) -> Object:
    """Return the configuration of the embedded auth server, which ``authserver-config.yaml`` contains."""
    from .authserver import run_config

    resolved = oidc.resolve(workspace, resource, vmcpauth.OIDC_REF, VMCP_PORT)
    audiences = [resolved.resource_url] if resolved is not None else None
    scopes = resolved.scopes if resolved is not None else []
    return run_config(server, resource, scopes=scopes, audiences=audiences)


def config(
    workspace: Workspace, resource: Resource[VirtualMCPServerSpec], *, redis: str = "", with_hashes: bool = False
) -> Object:
    """Return the configuration as data: the spec's ``config`` with the values that the operator adds or replaces.

    `files` writes it, and rules check it. Parts of the result belong to the resource and must not be changed.

    Args:
        redis: The address of the operator's default Redis; empty if it has none.
        with_hashes: True to add hashes of shared configurations to backends. Computing them is slow, and only the file
            contains them.
    """
    given: VMCPConfig = resource.spec.get("config") or {}
    group = workspace.target(resource, "spec", "groupRef", "name")
    group_name = (resource.spec.get("groupRef") or {}).get("name", "")
    members = workspace.members(group, resource) if group is not None else []
    is_inline = vmcpauth.is_inline(resource)
    outgoing = vmcpauth.outgoing(workspace, resource, members)
    strategies = outgoing.get("backends") or {}
    backend_members = vmcpbackend.backend_members(workspace, members, strategies) if is_inline else []
    return {
        "name": resource.name,
        "groupRef": group_name,
        "backends": vmcpbackend.backends(workspace, group_name, backend_members, with_hashes=with_hashes)
        if is_inline
        else given.get("backends"),
        "incomingAuth": vmcpincoming.incoming(workspace, resource),
        "outgoingAuth": outgoing | {"backends": _usable(outgoing.get("backends") or {})},
        "aggregation": aggregation(workspace, resource, given.get("aggregation")),
        "compositeTools": composite_tools(workspace, resource),
        "compositeToolRefs": given.get("compositeToolRefs"),
        "operational": operational.with_defaults(given.get("operational")),
        "metadata": given.get("metadata"),
        "telemetry": telemetry.telemetry_config(workspace, resource, with_ca_path=False),
        "audit": _audit(resource, given.get("audit")),
        "optimizer": _optimizer(workspace, resource, given.get("optimizer")),
        "codeMode": given.get("codeMode"),
        "sessionStorage": _session_storage(resource, redis),
        "rateLimiting": given.get("rateLimiting"),
        "passthroughHeaders": resource.spec.get("passthroughHeaders") or given.get("passthroughHeaders"),
    }


def _usable(strategies: dict[str, Object | None]) -> dict[str, Object]:
    return {name: strategy for name, strategy in strategies.items() if strategy is not None}


def aggregation(
    workspace: Workspace, resource: Resource[VirtualMCPServerSpec], given: AggregationConfig | None
) -> Object:
    """Return ``aggregation`` with the default conflict resolution, and with MCPToolConfigs merged in."""
    if given is None:
        return {"conflictResolution": "prefix", "conflictResolutionConfig": {"prefixFormat": DEFAULT_PREFIX_FORMAT}}
    strategy = given.get("conflictResolution") or "prefix"
    detail = given.get("conflictResolutionConfig")
    if detail is None:
        detail = {"prefixFormat": DEFAULT_PREFIX_FORMAT} if strategy == "prefix" else {}
    tools = [_workload_tools(workspace, resource, i, entry) for i, entry in enumerate(given.get("tools") or ())]
    return given | {"conflictResolution": strategy, "conflictResolutionConfig": detail, "tools": tools}


def _workload_tools(
    workspace: Workspace, resource: Resource[VirtualMCPServerSpec], index: int, given: WorkloadToolConfig
) -> Object:
    """Return an entry of ``aggregation.tools`` with its MCPToolConfig merged in. The entry's own settings win."""
    entry: Object = {key: value for key, value in given.items() if key != "toolConfigRef"}
    path = ("spec", "config", "aggregation", "tools", index, "toolConfigRef", "name")
    shared: Resource[MCPToolConfigSpec] | None = workspace.target(resource, *path)
    if shared is not None:
        entry["filter"] = entry.get("filter") or shared.spec.get("toolsFilter")
        entry["overrides"] = (shared.spec.get("toolsOverride") or {}) | (entry.get("overrides") or {})
    return entry


def composite_tools(workspace: Workspace, resource: Resource[VirtualMCPServerSpec]) -> list[CompositeToolConfig]:
    """Return the inline composite tools, then those of referenced definitions in the order of the references."""
    given: VMCPConfig = resource.spec.get("config") or {}
    tools: list[CompositeToolConfig] = list(given.get("compositeTools") or ())
    for i, _ in enumerate(given.get("compositeToolRefs") or ()):
        path = ("spec", "config", "compositeToolRefs", i, "name")
        definition: Resource[VirtualMCPCompositeToolDefinitionSpec] | None = workspace.target(resource, *path)
        if definition is not None:
            tools.append(definition.spec)
    return tools


def _audit(resource: Resource[VirtualMCPServerSpec], given: AuditLogConfig | None) -> AuditLogConfig | None:
    return None if given is None else given | {"component": given.get("component") or resource.name}


def _optimizer(
    workspace: Workspace, resource: Resource[VirtualMCPServerSpec], given: OptimizerConfig | None
) -> OptimizerConfig | None:
    is_served = "embeddingServerRef" in resource.spec
    server: Resource[EmbeddingServerSpec] | None = None
    if is_served:
        server = workspace.target(resource, "spec", "embeddingServerRef", "name")
    if server is None:
        return given
    return (given or {}) | {"embeddingService": embedding_url(server)}


def _session_storage(resource: Resource[VirtualMCPServerSpec], default: str) -> Object | None:
    """Return ``sessionStorage``, or ``None`` without Redis.

    If the spec states no Redis, the operator's default Redis at the address ``default`` is used. An empty address means
    that the operator has no default Redis.

    Source: ``convertSessionStorage`` in the operator, v0.44.0.
    """
    given = resource.spec.get("sessionStorage") or {}
    if given.get("provider") != "redis":
        return {"provider": "redis", "address": default} if default else None
    stated = {key: given.get(key) for key in ("provider", "address", "db", "keyPrefix")}
    from .session import session_tls

    return stated | {"tls": session_tls(resource)}
