"""Recognize the kind of a record by its keys, and distinguish records from files of other programs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Collection

_LEGACY_SIDES = ("servers", "remote_servers", "groups")
_SERVER_SCHEMA = "server.schema.json"
_WORKLOAD_KEYS = frozenset(
    """
    allow_docker_gateway authz_config cmd_arguments env_vars group header_forward headers host image name
    network_isolation oauth_config oidc permission_profile proxy_mode proxy_port runtime_config secrets target_port
    tools tools_override transport trust_proxy_headers url volumes
    """.split()
)
_DISTINCTIVE_WORKLOAD_KEYS = _WORKLOAD_KEYS - {
    "group",
    "headers",
    "host",
    "image",
    "name",
    "oidc",
    "secrets",
    "tools",
    "url",
    "volumes",
}
"""The keys of workload requests that files of other programs rarely have."""
_WORKLOAD_NAME = r"[a-z0-9][a-z0-9._-]*"
_RUNCONFIG_KEYS = frozenset(
    {"base_name", "cmd_args", "container_name", "middleware_configs", "port", "remote_url", "schema_version"}
)
_PROFILE_KEYS = frozenset({"name", "network", "privileged", "read", "write"})
_NETWORK_KEYS = frozenset({"inbound", "mode", "outbound"})
_AUDIT_KEYS = frozenset(
    """
    component enabled eventTypes excludeEventTypes includeRequestData includeResponseData logFile maxDataSize
    """.split()
)
_DISTINCTIVE_AUDIT_KEYS = _AUDIT_KEYS - {"component", "enabled", "eventTypes", "logFile"}
_EVENT = r"v?(?:mcp|http)_"
_AUTH_SERVER_KEYS = frozenset(
    """
    allowed_audiences authorization_endpoint_base_url hmac_secret_files issuer schema_version scopes_supported
    signing_key_config storage token_lifespans upstreams
    """.split()
)
_WEBHOOK_KEYS = frozenset({"mutating", "validating"})
_UPSTREAM_KEYS = frozenset({"$schema", "data", "meta", "version"})
_SERVER_KEYS = frozenset({"image", "permissions", "tier", "tools", "transport"})
_SKILL_KEYS = frozenset(
    """
    _meta allowedTools compatibility description icons license metadata name namespace packages repository status
    title version
    """.split()
)
_INSTALLED_KEYS = frozenset({"installed_at", "metadata", "scope", "status"})
_ALL_KEYS = {
    "audit": _AUDIT_KEYS,
    "authserver": _AUTH_SERVER_KEYS,
    "permission-profile": _PROFILE_KEYS,
    "webhook": _WEBHOOK_KEYS,
    "workload": _WORKLOAD_KEYS,
}
"""The top-level keys of the kinds whose keys are short and common. Most keys of a file must belong to its kind."""
_MOST_SEARCHED: Final = 1_000_000
"""Characters of an unreadable text that are searched for keys. Top-level keys further down are rare."""
# A string without a closing quote is skipped as a whole. A search for the next string inside it would take quadratic
# time.
_IN_JSON: Final = r'"(?P<text>(?:[^"\\\n]|\\.)*+)(?:"(?P<colon>\s*+:)?)?|(?P<brace>[{}\[\]])'
_YAML_KEY: Final = r"""(?m)^["']?([\w$.-]++)["']?[ \t]*+:(?:\s|$)"""


def first_keys(text: str, *, is_json: bool) -> frozenset[str]:
    """Return the top-level keys in the first million characters of a JSON or YAML text that does not parse."""
    text = text[:_MOST_SEARCHED]
    if not is_json:
        return frozenset(re.findall(_YAML_KEY, text))
    depth = 0
    keys: set[str] = set()
    for token in re.finditer(_IN_JSON, text):
        if token["brace"]:
            depth += 1 if token["brace"] in "{[" else -1
        elif depth == 1 and token["colon"]:
            keys.add(token["text"])
    return frozenset(keys)


def keys_fit(kind: str, keys: Collection[str]) -> bool:
    """Return whether a file with these top-level keys may be of a kind of record.

    More than half of ``keys`` must be keys of ``kind``. For kinds that are not in ``_ALL_KEYS``, the result is true.
    """
    keys_of_kind = _ALL_KEYS.get(kind)
    return keys_of_kind is None or 2 * len(keys_of_kind.intersection(keys)) > len(keys)


def is_registry(data: dict[str, Any]) -> bool:
    """Recognize a registry file in either format by its servers, together with its date or its other keys."""
    inside = data.get("data")
    if isinstance(inside, dict):
        servers = inside.get("servers")
        if not isinstance(servers, list) or _has_date(data.get("meta")):
            return isinstance(servers, list)
        is_named = all(isinstance(server, dict) and "name" in server for server in servers)
        return is_named and "version" in data and data.keys() <= _UPSTREAM_KEYS
    sides = [data[key] for key in _LEGACY_SIDES if isinstance(data.get(key), dict | list)]
    return "last_updated" in data and bool(sides) and ("version" in data or any(map(_has_servers, sides)))


def _has_date(meta: Any) -> bool:
    return isinstance(meta, dict) and any(key.replace("_", "").lower() == "lastupdated" for key in meta)


def _has_servers(side: dict[str, Any] | list[Any]) -> bool:
    items = side.values() if isinstance(side, dict) else side
    return any(isinstance(item, dict) and not _SERVER_KEYS.isdisjoint(item) for item in items)


def is_server(data: dict[str, Any]) -> bool:
    """Return whether a document is a server record, and not a package file of another program with the same keys.

    A server record states the schema of server records, a package with a type, or a URL and a name with a slash.
    """
    schema = data.get("$schema")
    if isinstance(schema, str) and _SERVER_SCHEMA in schema:
        return True
    return _has_objects(data.get("packages"), "registryType") or (
        _has_objects(data.get("remotes"), "url") and "/" in str(data["name"])
    )


def is_catalog_skill(data: dict[str, Any]) -> bool:
    """Recognize a skill record by its namespace, which is a reversed domain name."""
    namespace = data["namespace"]
    is_domain = isinstance(namespace, str) and "." in namespace and "version" in data
    return is_domain and (data.keys() <= _SKILL_KEYS or _has_objects(data.get("packages"), "registryType"))


def recorded_skills(data: dict[str, Any]) -> frozenset[str]:
    """Return the possible folders of the skills in a record: a catalog skill, an installed skill, or a list of skills.

    A folder is named after its skill, or is the ``subfolder`` of a package in a Git repository.
    """
    listed = data.get("skills")
    folders: set[object] = set()
    for record in [data, *listed] if isinstance(listed, list) else [data]:
        if not isinstance(record, dict):
            continue
        metadata = record.get("metadata")
        if isinstance(metadata, dict) and record.keys() >= _INSTALLED_KEYS:
            folders.add(str(metadata.get("name", "")))
        if {"namespace", "name", "description"} <= record.keys() and is_catalog_skill(record):
            packages = record.get("packages")
            folders.add(str(record["name"]))
            folders |= {_subfolder(package) for package in packages} if isinstance(packages, list) else set()
    return frozenset(record.strip("./") for record in folders if isinstance(record, str)) - {""}


def _subfolder(package: Any) -> str | None:
    subfolder = package.get("subfolder") if isinstance(package, dict) else None
    return subfolder if isinstance(subfolder, str) else None


def is_runconfig(data: dict[str, Any]) -> bool:
    """Recognize a run configuration: more than half of its top-level keys are fields of ``RunConfig``."""
    if not isinstance(data.get("transport", ""), str) or "apiVersion" in data:
        return False
    # Imported here: the table is large, and few files get this far.
    from ..golang.shape import StructTable
    from ..records._structs import STRUCTS

    fields = data.keys() & {key for key, _, _ in StructTable(STRUCTS)["RunConfig"]}
    # More than half: files of other programs share a few common keys such as name and image.
    return 2 * len(fields) > len(data)


def is_workload(data: dict[str, Any]) -> bool:
    """Recognize a workload request by its keys.

    More than half of the keys must be keys of requests, and at least one of these must be rare in files of other
    programs. A name and an image are sufficient if all keys are keys of requests.
    """
    workload_keys = data.keys() & _WORKLOAD_KEYS
    if 2 * len(workload_keys) <= len(data) or data.keys() & _RUNCONFIG_KEYS:
        return False
    if workload_keys & _DISTINCTIVE_WORKLOAD_KEYS:
        return True
    name, image = data.get("name"), data.get("image")
    is_named = isinstance(name, str) and re.fullmatch(_WORKLOAD_NAME, name) is not None
    return is_named and isinstance(image, str) and len(workload_keys) == len(data)


def is_profile(data: dict[str, Any]) -> bool:
    """Recognize a permission profile: it has mounts or network rules, and no keys of other files."""
    network = data.get("network", {})
    if not (data.keys() <= _PROFILE_KEYS and isinstance(network, dict) and network.keys() <= _NETWORK_KEYS):
        return False
    sides = [network.get("inbound"), network.get("outbound")]
    return any(isinstance(side, dict) for side in sides) or any(
        isinstance(data.get(key), list) for key in ("read", "write")
    )


def is_authz(data: dict[str, Any]) -> bool:
    """Recognize an authorization configuration by its ``cedar`` or ``pdp`` block."""
    return any(isinstance(data.get(key), dict) for key in ("cedar", "pdp"))


def is_audit(data: dict[str, Any]) -> bool:
    """Recognize an audit configuration: it has no other keys, and a key or an event that other files do not have."""
    if not data.keys() <= _AUDIT_KEYS:
        return False
    events = data.get("eventTypes")
    chosen = events if isinstance(events, list) else []
    return not _DISTINCTIVE_AUDIT_KEYS.isdisjoint(data) or any(re.match(_EVENT, str(event)) for event in chosen)


def is_webhook_file(data: dict[str, Any]) -> bool:
    """Recognize a file of webhooks: it only has lists of webhooks, and at least one webhook has a URL."""
    return data.keys() <= _WEBHOOK_KEYS and any(_has_objects(data.get(key), "url") for key in _WEBHOOK_KEYS)


def is_auth_server(data: dict[str, Any]) -> bool:
    """Recognize the file of an embedded authorization server: more than half of its keys are fields of that file."""
    upstreams = data.get("upstreams")
    if not (upstreams is None or isinstance(upstreams, list)) or "apiVersion" in data:
        return False
    return 2 * len(data.keys() & _AUTH_SERVER_KEYS) > len(data)


def is_tool_override(data: dict[str, Any]) -> bool:
    """Return whether ``toolsOverride`` is an object in a file that has this key."""
    return isinstance(data["toolsOverride"], dict)


def _has_objects(items: Any, key: str) -> bool:
    return isinstance(items, list) and any(isinstance(item, dict) and key in item for item in items)
