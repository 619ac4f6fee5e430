"""RunConfig: the configuration of the proxy runner, for MCPServer and MCPRemoteProxy.

Keys are in the order in which Go declares them. A test compares the order with the RunConfig model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from ..golang.json import indented
from ..toolhive.constants import (
    BASE_NAME_LABEL,
    CA_BUNDLE_KEY,
    CHECKSUM_ANNOTATION,
    DEFAULT_PORT,
    MANAGER,
    OWN_COMPONENT_LABEL,
    OWN_LABEL,
    OWN_MANAGER_LABEL,
    PORT_LABEL,
    PORT_VARIABLES,
    RUN_CONFIG_LABEL,
    RUN_CONFIG_VERSION,
    STS_KEY,
    TRANSPORT_LABEL,
    TRANSPORT_VARIABLE,
    WORKLOAD_LABEL,
)
from . import authserver, externalauth, headerforward, ratelimit, tools
from .build import Build, Object, metadata, omit_empty
from .checksum import content_checksum
from .middleware import Middleware, middlewares, with_remote
from .proxy import ProxyParts, proxy_parts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..models.deployment import EnvVar, Volume
    from ..models.mcpremoteproxy import MCPRemoteProxySpec
    from ..models.mcpserver import MCPServerSpec, PermissionProfileRef
    from ..models.spec import ProxySpec
    from ..workspace.resource import Resource

LONGEST_BASE_NAME = 100
"""The operator cuts base names to this length, which is ToolHive's limit for names of workloads."""
KEY = "runconfig.json"

NETWORK_PROFILE: Object = {"name": "network", "network": {"outbound": {"insecure_allow_all": True}, "inbound": {}}}
NO_NETWORK_PROFILE: Object = {"name": "none", "network": {"outbound": {}, "inbound": {}}}


def mcp_server(build: Build, resource: Resource[MCPServerSpec]) -> Object:
    """Return the RunConfig of an MCPServer as plain data, in Go's order of fields."""
    spec = resource.spec
    port = spec.get("proxyPort") or DEFAULT_PORT
    transport = spec.get("transport") or "stdio"
    target_port = spec.get("mcpPort") or DEFAULT_PORT
    parts = proxy_parts(build, resource, port)
    bearer = externalauth.bearer_token_of(build.workspace, resource)
    volumes, read, write = _volumes(spec.get("volumes") or ())
    profile_name, profile = _permission_profile(spec.get("permissionProfile") or {})
    limits = ratelimit.run_config(spec.get("rateLimiting"))
    config: Object = {"schema_version": RUN_CONFIG_VERSION}
    # Since v0.24.1, the generation makes every change of the spec restart the proxy.
    if resource.is_judged(since="0.24.1"):
        config["mcpserver_generation"] = build.generation
    config["image"] = spec.get("image", "")
    config |= omit_empty(
        {
            "remote_auth_config": externalauth.bearer_token(bearer) if bearer else None,
            "cmd_args": spec.get("args"),
        }
    )
    config |= _identity(build, resource, transport, port)
    config |= {"target_port": target_port} | omit_empty({"permission_profile_name_or_path": profile_name})
    config["permission_profile"] = _add_paths(profile, read, write)
    config |= omit_empty(
        {
            "env_vars": _environment(spec.get("env") or (), transport, target_port),
            "volumes": volumes,
            "container_labels": _labels(resource, transport, port),
        }
    )
    config |= _authentication(parts, resource)
    config |= omit_empty(
        {
            "rate_limit_config": limits,
            "rate_limit_namespace": resource.printed_namespace if limits is not None else "",
            "trust_proxy_headers": bool(spec.get("trustProxyHeaders")),
            # Over HTTP, the proxy uses the transport of the server, and the spec's proxyMode has no effect.
            "proxy_mode": (spec.get("proxyMode") or "streamable-http") if transport == "stdio" else transport,
        }
    )
    config |= _middleware_fields(parts, resource, middlewares(build, resource, parts, transport, limits))
    return config | _last_fields(parts, resource, None) | omit_empty({"scaling_config": _scaling(build, resource)})


def mcp_remote_proxy(build: Build, resource: Resource[MCPRemoteProxySpec]) -> Object:
    """Return the RunConfig of an MCPRemoteProxy as plain data, in Go's order of fields."""
    spec = resource.spec
    port = spec.get("proxyPort") or DEFAULT_PORT
    transport = spec.get("transport") or "streamable-http"
    parts = proxy_parts(build, resource, port)
    bearer = externalauth.bearer_token_of(build.workspace, resource)
    forward = headerforward.run_config(resource)
    config: Object = {"schema_version": RUN_CONFIG_VERSION, "image": "", "remote_url": spec.get("remoteUrl", "")}
    config |= omit_empty({"remote_auth_config": externalauth.bearer_token(bearer) if bearer else None})
    config |= _identity(build, resource, transport, port)
    config["permission_profile"] = NETWORK_PROFILE
    config["env_vars"] = {TRANSPORT_VARIABLE: transport}
    config["container_labels"] = _labels(resource, transport, port)
    config |= _authentication(parts, resource)
    config |= omit_empty({"trust_proxy_headers": bool(spec.get("trustProxyHeaders")), "proxy_mode": transport})
    chain = middlewares(build, resource, parts, transport, None)
    config |= _middleware_fields(parts, resource, with_remote(chain, resource, parts, forward))
    return config | _last_fields(parts, resource, forward) | omit_empty({"scaling_config": _scaling(build, resource)})


def text(config: Object) -> str:
    """Return the text of a RunConfig as the operator writes it: indented by two, without a newline at the end."""
    return indented(config)


def config_map(resource: Resource, config_text: str, component: str) -> tuple[Object, str]:
    """Return the ConfigMap of a RunConfig and its checksum. ``component`` is a word such as ``mcp-server``."""
    label = resource.profile.spell(RUN_CONFIG_LABEL) + component
    return labeled_config_map(resource, f"{resource.name}-runconfig", "run-config", label, {KEY: config_text})


def labeled_config_map(
    owner: Resource, name: str, component: str, label: str, data: dict[str, str]
) -> tuple[Object, str]:
    """Return the ConfigMap with the configuration of a workload, and the checksum in its annotations.

    Args:
        owner: The workload.
        name: The name of the ConfigMap.
        component: The value of the label that names the component.
        label: The label with the name of the workload.
        data: The text of each file, by its name.
    """
    spell = owner.profile.spell
    labels = {
        spell(OWN_COMPONENT_LABEL): component,
        label: owner.name,
        spell(OWN_MANAGER_LABEL): spell(MANAGER),
    }
    checksum = content_checksum(data, labels)
    config_map_metadata = metadata(owner, name, labels, {spell(CHECKSUM_ANNOTATION): checksum})
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": config_map_metadata, "data": data}, checksum


def _identity(build: Build, resource: Resource, transport: str, port: int) -> Object:
    base_name = resource.name[:LONGEST_BASE_NAME]
    return {
        "name": resource.name,
        "container_name": base_name if resource.kind == "MCPServer" else resource.name,
        "base_name": base_name,
        "transport": transport,
        "host": build.operator.proxy_host,
        "port": port,
    }


def _labels(resource: Resource, transport: str, port: int) -> dict[str, str]:
    base_name = resource.name[:LONGEST_BASE_NAME]
    labels = {
        OWN_LABEL: "true",
        BASE_NAME_LABEL: base_name,
        WORKLOAD_LABEL: base_name if resource.kind == "MCPServer" else resource.name,
        PORT_LABEL: str(port),
        TRANSPORT_LABEL: transport,
    }
    # Go writes maps in sorted order. These labels are sorted, and a profile only changes their common prefix.
    return {resource.profile.spell(label): value for label, value in labels.items()}


def _environment(env: Sequence[EnvVar], transport: str, target_port: int) -> dict[str, str]:
    values = {entry["name"]: entry.get("value", "") for entry in env}
    # The operator's variables replace those of the user.
    values[TRANSPORT_VARIABLE] = transport
    if transport != "stdio":
        values |= dict.fromkeys(PORT_VARIABLES, str(target_port))
    return {name: values[name] for name in sorted(values, key=str.encode)}


def _permission_profile(ref: PermissionProfileRef) -> tuple[str, Object]:
    if not ref:
        return "", NETWORK_PROFILE
    name: str = ref.get("name", "")
    return name, NETWORK_PROFILE if name in ("", "network") else NO_NETWORK_PROFILE


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


def _add_paths(profile: Object, read: list[str], write: list[str]) -> Object:
    return {"name": profile["name"]} | omit_empty({"read": read, "write": write}) | {"network": profile["network"]}


def _authentication(parts: ProxyParts, resource: Resource) -> Object:
    return omit_empty(
        {
            "oidc_config": parts.oidc_config,
            "token_exchange_config": parts.token_exchange,
            resource.profile.spell(STS_KEY): parts.aws_sts,
            "authz_config": parts.authz_config,
            "audit_config": parts.audit_config,
            "telemetry_config": parts.telemetry_config,
        }
    )


def _middleware_fields(parts: ProxyParts, resource: Resource[ProxySpec], middlewares: list[Middleware]) -> Object:
    issuer = parts.oidc_config or {}
    ca_bundle = resource.profile.spell(CA_BUNDLE_KEY)
    return (
        omit_empty({ca_bundle: issuer.get("CACertPath"), "jwks_auth_token_file": issuer.get("AuthTokenFile")})
        | tools.run_config(parts.tools)
        | {"middleware_configs": middlewares}
        | omit_empty(
            {
                "validating_webhooks": parts.webhooks.get("validating"),
                "mutating_webhooks": parts.webhooks.get("mutating"),
                "endpoint_prefix": resource.spec.get("endpointPrefix"),
            }
        )
    )


def _last_fields(parts: ProxyParts, resource: Resource, forward: Object | None) -> Object:
    server = None
    if parts.auth_server is not None:
        audiences = [parts.resource_url]
        server = authserver.run_config(parts.auth_server, resource, scopes=parts.scopes, audiences=audiences)
    return omit_empty({"header_forward": forward, "embedded_auth_server_config": server})


def _scaling(build: Build, resource: Resource[ProxySpec]) -> Object | None:
    """Return ``scaling_config``: the replicas and the Redis that stores sessions, or ``None`` if there is neither.

    For an MCPServer, the operator's default Redis also replaces a stated storage that is not Redis.

    Source: ``populateScalingConfig`` and ``populateScalingConfigForRemoteProxy`` in the operator, v0.44.0.
    """
    storage = resource.spec.get("sessionStorage")
    replicas = cast("MCPServerSpec", resource.spec).get("backendReplicas")
    scaling: Object = {} if replicas is None else {"backend_replicas": replicas}
    default, _ = build.operator.default_redis(resource.release)
    if storage is not None and storage.get("provider") == "redis":
        scaling["session_redis"] = omit_empty(
            {"address": storage.get("address"), "db": storage.get("db"), "key_prefix": storage.get("keyPrefix")}
        )
    elif default and (storage is None or resource.kind == "MCPServer"):
        scaling["session_redis"] = {"address": default}
    return scaling or None
