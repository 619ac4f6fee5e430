"""What tells a record of unknown kind from files of other programs; it is asked where the keys alone do not."""

from __future__ import annotations

from typing import Any

_LEGACY_SIDES = ("servers", "remote_servers", "groups")
_SERVER_SCHEMA = "server.schema.json"
_WORKLOAD_KEYS = frozenset(
    {
        "allow_docker_gateway",
        "authz_config",
        "cmd_arguments",
        "env_vars",
        "group",
        "header_forward",
        "headers",
        "host",
        "image",
        "name",
        "network_isolation",
        "oauth_config",
        "oidc",
        "permission_profile",
        "proxy_mode",
        "proxy_port",
        "runtime_config",
        "secrets",
        "target_port",
        "tools",
        "tools_override",
        "transport",
        "trust_proxy_headers",
        "url",
        "volumes",
    }
)
_RUNCONFIG_KEYS = frozenset(
    {
        "base_name",
        "cmd_args",
        "container_name",
        "middleware_configs",
        "port",
        "remote_url",
        "schema_version",
    }
)
_PROFILE_KEYS = frozenset({"name", "network", "privileged", "read", "write"})
_NETWORK_KEYS = frozenset({"inbound", "mode", "outbound"})
_AUDIT_KEYS = frozenset(
    {
        "component",
        "enabled",
        "eventTypes",
        "excludeEventTypes",
        "includeRequestData",
        "includeResponseData",
        "logFile",
        "maxDataSize",
    }
)
_WEBHOOK_KEYS = frozenset({"mutating", "validating"})


def is_registry(data: dict[str, Any]) -> bool:
    """Tell a registry file of either format."""
    inside = data.get("data")
    if isinstance(inside, dict):
        return isinstance(inside.get("servers"), list) and ("meta" in data or "version" in data)
    return "last_updated" in data and any(isinstance(data.get(key), dict | list) for key in _LEGACY_SIDES)


def is_server(data: dict[str, Any]) -> bool:
    """Tell a lone server record from the package files of other programs."""
    schema = data.get("$schema")
    if isinstance(schema, str) and _SERVER_SCHEMA in schema:
        return True
    return _has_objects(data.get("packages"), "registryType") or _has_objects(data.get("remotes"), "url")


def is_catalog_skill(data: dict[str, Any]) -> bool:
    """Tell a lone skill record: its namespace is a domain the other way round."""
    namespace = data["namespace"]
    return isinstance(namespace, str) and "." in namespace and "version" in data


def is_runconfig(data: dict[str, Any]) -> bool:
    """Tell a run configuration."""
    return isinstance(data.get("transport", ""), str) and "apiVersion" not in data


def is_workload(data: dict[str, Any]) -> bool:
    """Tell a workload request: most of what it has are keys of one."""
    known = len(data.keys() & _WORKLOAD_KEYS)
    return known > 1 and known * 2 > len(data) and not data.keys() & _RUNCONFIG_KEYS


def is_profile(data: dict[str, Any]) -> bool:
    """Tell a permission profile: it has nothing else."""
    network = data.get("network", {})
    return data.keys() <= _PROFILE_KEYS and isinstance(network, dict) and network.keys() <= _NETWORK_KEYS


def is_authz(data: dict[str, Any]) -> bool:
    """Tell an authorization configuration."""
    return any(isinstance(data.get(key), dict) for key in ("cedar", "pdp"))


def is_audit(data: dict[str, Any]) -> bool:
    """Tell an audit configuration: it has nothing else."""
    return data.keys() <= _AUDIT_KEYS


def is_webhook_file(data: dict[str, Any]) -> bool:
    """Tell a file of webhooks."""
    return data.keys() <= _WEBHOOK_KEYS and any(_has_objects(data.get(key), "url") for key in _WEBHOOK_KEYS)


def is_tool_override(data: dict[str, Any]) -> bool:
    """Tell a file of tool overrides."""
    return isinstance(data["toolsOverride"], dict)


def _has_objects(items: Any, key: str) -> bool:
    return isinstance(items, list) and any(isinstance(item, dict) and key in item for item in items)
