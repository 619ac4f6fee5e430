"""RunConfig: the configuration of the proxy runner, for MCPServer and MCPRemoteProxy.

A step returns the value of each field. The models decide the order of the fields, and which are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from ..records.permission.builtin import NETWORK_PROFILE, NONE_PROFILE
from ..records.runconfig.text import runconfig_text
from ..toolhive.constants import (
    CHECKSUM_ANNOTATION,
    DEFAULT_PORT,
    MANAGER,
    OWN_COMPONENT_LABEL,
    OWN_MANAGER_LABEL,
    PORT_VARIABLES,
    RUN_CONFIG_LABEL,
    RUN_CONFIG_VERSION,
    TRANSPORT_VARIABLE,
)
from ..toolhive.release import DEFAULT_PASSWORD_SINCE, PROFILE_IGNORED_SINCE
from . import authserver, headerforward
from .build import Build, Object, metadata
from .checksum import content_checksum
from .middleware import ProxyParts, middlewares, proxy_parts, with_remote
from .service import LONGEST_BASE_NAME, runner_labels
from .session import session_tls
from .target import Artifact, file_path, in_order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ..models.deployment import EnvVar, Volume
    from ..models.mcpremoteproxy import MCPRemoteProxySpec
    from ..models.mcpserver import MCPServerSpec, PermissionProfileRef
    from ..models.spec import ProxySpec
    from ..workspace.resource import Resource

KEY = "runconfig.json"


def artifacts(build: Build, resources: Iterable[Resource]) -> list[Artifact]:
    """Return each RunConfig as an artifact with the path ``NAMESPACE/KIND-NAME.json``."""
    compiled = []
    for resource in in_order(resources):
        step = STEPS.get(resource.kind)
        if step is not None:
            path = file_path(resource.printed_namespace, f"{resource.kind}-{resource.name}", ".json")
            compiled.append(Artifact(path, text(step(build, resource), resource), resource))
    return compiled


def stream(compiled: Iterable[Artifact]) -> str:
    """Return all RunConfigs as a single text. Each ends with exactly one newline."""
    return "".join(artifact.text.removesuffix("\n") + "\n" for artifact in compiled)


def mcp_server(build: Build, resource: Resource[MCPServerSpec]) -> Object:
    """Return the RunConfig of an MCPServer. Its fields are in any order, and may be empty; `text` writes it."""
    spec = resource.spec
    port = spec.get("proxyPort") or DEFAULT_PORT
    transport = spec.get("transport") or "stdio"
    target_port = spec.get("mcpPort") or DEFAULT_PORT
    parts = proxy_parts(build, resource, port)
    volumes, read, write = _volumes(spec.get("volumes") or ())
    is_read = resource.is_judged(until=PROFILE_IGNORED_SINCE)
    profile_name, profile = _permission_profile((is_read and spec.get("permissionProfile")) or {})
    limits = spec.get("rateLimiting")
    return _proxy(build, resource, parts, transport, port) | {
        # The generation makes every change of the spec restart the proxy.
        "mcpserver_generation": build.generation,
        "image": spec.get("image", ""),
        "cmd_args": spec.get("args"),
        "target_port": target_port,
        "permission_profile_name_or_path": profile_name,
        "permission_profile": profile | {"read": read, "write": write},
        "env_vars": _environment(spec.get("env") or (), transport, target_port),
        "volumes": volumes,
        "max_request_body_size": spec.get("maxRequestBodySize"),
        "proxy_read_timeout": spec.get("proxyReadTimeout"),
        "rate_limit_config": limits,
        "rate_limit_namespace": resource.printed_namespace if limits is not None else "",
        # Over HTTP, the proxy uses the transport of the server, and the spec's proxyMode has no effect.
        "proxy_mode": (spec.get("proxyMode") or "streamable-http") if transport == "stdio" else transport,
        "middleware_configs": middlewares(build, resource, parts, transport, limits),
    }


def mcp_remote_proxy(build: Build, resource: Resource[MCPRemoteProxySpec]) -> Object:
    """Return the RunConfig of an MCPRemoteProxy. Its fields are in any order, and may be empty; `text` writes it."""
    spec = resource.spec
    port = spec.get("proxyPort") or DEFAULT_PORT
    transport = spec.get("transport") or "streamable-http"
    parts = proxy_parts(build, resource, port)
    forward = headerforward.run_config(resource)
    chain = middlewares(build, resource, parts, transport, None)
    return _proxy(build, resource, parts, transport, port) | {
        "remote_url": spec.get("remoteUrl", ""),
        "permission_profile": NETWORK_PROFILE,
        "env_vars": {TRANSPORT_VARIABLE: transport},
        "proxy_mode": transport,
        "middleware_configs": with_remote(chain, resource, parts, forward),
        "header_forward": forward,
    }


def _proxy(build: Build, resource: Resource[ProxySpec], parts: ProxyParts, transport: str, port: int) -> Object:
    issuer = parts.oidc_config or {}
    base_name = resource.name[:LONGEST_BASE_NAME]
    server = parts.auth_server
    return {
        "schema_version": RUN_CONFIG_VERSION,
        "name": resource.name,
        "container_name": base_name if resource.kind == "MCPServer" else resource.name,
        "base_name": base_name,
        "transport": transport,
        "host": build.operator.proxy_host,
        "port": port,
        "container_labels": runner_labels(resource, transport),
        "oidc_config": parts.oidc_config,
        **parts.outgoing_auth,
        "authz_config": parts.authz_config,
        "audit_config": parts.audit_config,
        "telemetry_config": parts.telemetry_config,
        "trust_proxy_headers": bool(resource.spec.get("trustProxyHeaders")),
        "thv_ca_bundle": issuer.get("CACertPath"),
        "jwks_auth_token_file": issuer.get("AuthTokenFile"),
        "tools_filter": parts.tools_filter,
        "tools_override": parts.tools_override,
        "validating_webhooks": parts.webhooks.get("validating"),
        "mutating_webhooks": parts.webhooks.get("mutating"),
        "endpoint_prefix": resource.spec.get("endpointPrefix"),
        "embedded_auth_server_config": None
        if server is None
        else authserver.run_config(server, resource, scopes=parts.scopes, audiences=[parts.resource_url]),
        "scaling_config": _scaling(build, resource),
    }


STEPS: dict[str, Callable[[Build, Resource[Any]], Object]] = {
    "MCPServer": mcp_server,
    "MCPRemoteProxy": mcp_remote_proxy,
}


def text(config: Object, resource: Resource) -> str:
    """Return the text of a resource's RunConfig as the operator writes it, without a newline at the end."""
    return runconfig_text(config, resource.release, resource.profile)


def config_map(resource: Resource, config_text: str, component: str) -> tuple[Object, str]:
    """Return the ConfigMap of a RunConfig and its checksum. ``component`` is a word such as ``mcp-server``."""
    label = resource.profile.spell(RUN_CONFIG_LABEL) + component
    return labeled_config_map(resource, f"{resource.name}-runconfig", "run-config", label, {KEY: config_text})


def labeled_config_map(
    owner: Resource, name: str, component: str, label: str, data: dict[str, str]
) -> tuple[Object, str]:
    """Return the ConfigMap with the configuration of a workload, and the checksum in its annotations.

    Args:
        data: The text of each file, by its name.
    """
    spell = owner.profile.spell
    labels = {spell(OWN_COMPONENT_LABEL): component, label: owner.name, spell(OWN_MANAGER_LABEL): spell(MANAGER)}
    checksum = content_checksum(data, labels)
    config_map_metadata = metadata(owner, name, labels, {spell(CHECKSUM_ANNOTATION): checksum})
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": config_map_metadata, "data": data}, checksum


def _environment(env: Sequence[EnvVar], transport: str, target_port: int) -> dict[str, str]:
    values = {entry["name"]: entry.get("value", "") for entry in env}
    # The operator's variables replace those of the user.
    values[TRANSPORT_VARIABLE] = transport
    if transport != "stdio":
        values |= dict.fromkeys(PORT_VARIABLES, str(target_port))
    return values


def _permission_profile(ref: PermissionProfileRef) -> tuple[str, Object]:
    if not ref:
        return "", NETWORK_PROFILE
    name: str = ref.get("name", "")
    return name, NETWORK_PROFILE if name in ("", "network") else NONE_PROFILE


def _volumes(volumes: Sequence[Volume]) -> tuple[list[str], list[str], list[str]]:
    """Return all mounts as texts, then the read-only and the writable mounts of the permission profile.

    Of several mounts with the same target, the profile only has the first. The operator parses the texts again, so a
    mount path that ends in ``:ro`` makes the volume read-only.
    """
    from ..toolhive.mount import split_volume

    mounts: list[str] = []
    read: list[str] = []
    write: list[str] = []
    targets: set[str] = set()
    for volume in volumes:
        pair = f"{volume['hostPath']}:{volume['mountPath']}"
        mounts.append(f"{pair}:ro" if volume.get("readOnly") else pair)
        declaration, read_only = split_volume(mounts[-1])
        target = _mount_target(declaration)
        if target not in targets:
            targets.add(target)
            (read if read_only else write).append(declaration)
    return mounts, read, write


def _mount_target(declaration: str) -> str:
    from ..toolhive.mount import MountError, clean, parse_mount

    try:
        return parse_mount(declaration).target
    except MountError:  # only for a path with a placeholder, because the operator refuses others
        return clean(declaration.rpartition(":")[2])


def _scaling(build: Build, resource: Resource[ProxySpec]) -> Object | None:
    """Return ``scaling_config``: the replicas and the Redis that stores sessions, or ``None`` if there is neither.

    For an MCPServer, the operator's default Redis replaced a stated storage that is not Redis before v0.51.0.

    Source: ``populateScalingConfig`` and ``populateScalingConfigForRemoteProxy`` in the operator, v0.44.0.
    """
    storage = resource.spec.get("sessionStorage")
    replicas = cast("MCPServerSpec", resource.spec).get("backendReplicas")
    redis: Object | None = None
    is_stated_kept = resource.is_judged(since=DEFAULT_PASSWORD_SINCE)
    default, _ = build.operator.default_redis(resource.release)
    if storage is not None and storage.get("provider") == "redis":
        redis = {
            "address": storage.get("address"),
            "db": storage.get("db"),
            "key_prefix": storage.get("keyPrefix"),
            "tls": session_tls(resource),
        }
    elif default and (storage is None or (resource.kind == "MCPServer" and not is_stated_kept)):
        redis = {"address": default}
    return None if replicas is None and redis is None else {"backend_replicas": replicas, "session_redis": redis}
