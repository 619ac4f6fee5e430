"""Convert run configurations, workload requests and registry entries to MCPServers, and MCPServers to requests.

A run configuration is converted like ToolHive's own export. Data that is not converted is reported.

Source: toolhive 0.21.0, package export (run configurations); docs/operator/records.md, "Export to an MCPServer".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...diagnostics.named_tuple import NamedTuple
from ...toolhive.constants import SERVER_VARIABLES
from ...toolhive.profile import TOOLHIVE
from ..permission.builtin import BUILTIN_PROFILES, NETWORK_PROFILE
from ..registry.convert import ConvertError
from ..registry.loss import Loss
from ..shape import encode, zero
from .compile import HTTP_TRANSPORTS, transport_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from ...diagnostics.span import Path
    from .compile import RegistryLookup

LONGEST_NAME = 253
"""Kubernetes' limit for the name of a resource."""

_NOT_EXPORTED = {
    "secrets": "write them as spec.secrets, with the Secrets that hold them",
    "oidc_config": "make an MCPOIDCConfig of it",
    "telemetry_config": "make an MCPTelemetryConfig of it",
    "token_exchange_config": "make an MCPExternalAuthConfig of it",
    "upstream_swap_config": "make an MCPExternalAuthConfig of the authorization server",
    "aws_sts_config": "make an MCPExternalAuthConfig of it",
    "embedded_auth_server_config": "make an MCPExternalAuthConfig of it",
    "tools_filter": "make an MCPToolConfig of it",
    "tools_override": "make an MCPToolConfig of it",
    "rate_limit_config": "write it as spec.rateLimiting",
    "validating_webhooks": "a resource has no place for webhooks",
    "mutating_webhooks": "a resource has no place for webhooks",
    "container_labels": "write them as labels of the pod template",
    "isolate_network": "a NetworkPolicy does that in a cluster",
    "header_forward": "headers are forwarded by an MCPRemoteProxy alone",
    "group": "make an MCPGroup, and name it in spec.groupRef",
    "publish": "a Service does that in a cluster",
    "endpoint_prefix": "write it as spec.endpointPrefix",
    "trust_proxy_headers": "write it as spec.trustProxyHeaders",
    "stateless": "a resource has no place for it",
}
"""The fields of a run configuration that the export drops, each with advice for the user."""


class Converted(NamedTuple):
    """The result of a conversion.

    Attributes:
        document: The converted document, as plain data.
        losses: The data that the conversion drops.
    """

    document: dict[str, Any]
    losses: list[Loss]


def runconfig_to_server(config: Mapping[str, Any]) -> Converted:
    """Convert a decoded run configuration to an MCPServer like ToolHive's export.

    Raises:
        ConvertError: The configuration is of a remote server, has no image, or has an invalid volume.
    """
    if config["remote_url"]:
        raise ConvertError("it is of a remote server, which is an MCPRemoteProxy in Kubernetes")
    if not config["image"]:
        raise ConvertError("it names no image")
    spec: dict[str, Any] = {"image": config["image"], "transport": config["transport"]}
    spec |= _ports(config["port"], config["target_port"])
    if config["transport"] == "stdio" and config["proxy_mode"]:
        spec["proxyMode"] = config["proxy_mode"]
    if config["cmd_args"]:
        spec["args"] = list(config["cmd_args"])
    spec |= _environment(config["env_vars"] or {})
    if config["volumes"]:
        spec["volumes"] = [_volume(volume, number) for number, volume in enumerate(config["volumes"])]
    losses = []
    if config["permission_profile"] is not None:
        spec["permissionProfile"] = {"type": "builtin", "name": "none"}
        if config["permission_profile"] != BUILTIN_PROFILES["none"]:
            losses.append(Loss(("permission_profile",), "it becomes the built-in none"))
    authz = _inline_authz(config["authz_config"])
    if authz is not None:
        spec["authzConfig"] = authz
    elif config["authz_config"] is not None:
        losses.append(Loss(("authz_config",), "it has no Cedar policies"))
    if config["audit_config"] is not None:
        spec["audit"] = {"enabled": True}
        if any(value for key, value in config["audit_config"].items() if key != "enabled"):
            losses.append(Loss(("audit_config",), "a resource switches audit logging on, and has no settings for it"))
    losses += _export_losses(config)
    return Converted(_server(config["base_name"] or config["container_name"] or config["name"], spec), losses)


def _export_losses(config: Mapping[str, Any]) -> Iterator[Loss]:
    for key, instead in _NOT_EXPORTED.items():
        value = config[key]
        if key == "group" and value == "default":
            continue
        if key == "container_labels":
            value = [label for label in value or () if not label.startswith(TOOLHIVE.product)]
        if value:
            yield Loss((key,), instead)


def request_to_server(request: Mapping[str, Any], lookup: RegistryLookup) -> Converted:
    """Convert a decoded workload request to an MCPServer, with the registry's data about its image.

    Raises:
        ConvertError: The request is of a remote server, has no image, or has an invalid volume.
    """
    entry = lookup.image_entry
    if request["url"] or lookup.remote:
        raise ConvertError("it is of a remote server, which is an MCPRemoteProxy in Kubernetes")
    image = entry["image"] if entry is not None else request["image"]
    if not image:
        raise ConvertError("it names no image")
    transport = transport_of(request, lookup)
    defaults = entry or {"args": None, "target_port": 0, "proxy_port": 0, "permissions": None}
    is_http = transport in HTTP_TRANSPORTS
    spec: dict[str, Any] = {"image": image, "transport": transport}
    spec |= _ports(
        request["proxy_port"] or (defaults["proxy_port"] if is_http else 0),
        (request["target_port"] or defaults["target_port"]) if is_http else 0,
    )
    if transport == "stdio":
        spec["proxyMode"] = request["proxy_mode"] or "streamable-http"
    arguments = request["cmd_arguments"] or defaults["args"]
    if arguments:
        spec["args"] = list(arguments)
    given = request["env_vars"] or {}
    spec |= _environment({name: value for name, value in given.items() if name not in SERVER_VARIABLES})
    if request["volumes"]:
        spec["volumes"] = [_volume(volume, number) for number, volume in enumerate(request["volumes"])]
    losses: list[Loss] = []
    profile = request["permission_profile"] or defaults["permissions"] or NETWORK_PROFILE
    spec["permissionProfile"] = _profile_reference(profile, losses)
    losses += _request_losses(request)
    return Converted(_server(request["name"], spec), losses)


def _request_losses(request: Mapping[str, Any]) -> Iterator[Loss]:
    for number, secret in enumerate(request["secrets"] or ()):
        yield Loss(
            ("secrets", number),
            f'the secret "{secret["name"]}": write it as spec.secrets, with the Secret that holds it, for the variable'
            f" {secret['target']}",
        )
    for key, instead in (
        ("tools", "make an MCPToolConfig of it"),
        ("tools_override", "make an MCPToolConfig of it"),
        ("authz_config", "write the policies as spec.authzConfig"),
        ("network_isolation", "a NetworkPolicy does that in a cluster"),
        ("trust_proxy_headers", "write it as spec.trustProxyHeaders"),
    ):
        if request[key]:
            yield Loss((key,), instead)
    if any(request["oidc"].values()):
        yield Loss(("oidc",), "make an MCPOIDCConfig of it")
    if request["group"] not in {"", "default"}:
        yield Loss(("group",), f'the group "{request["group"]}": make an MCPGroup, and name it in spec.groupRef')
    if request["host"]:
        yield Loss(("host",), "proxies listen on all addresses of their pods")


def entry_to_server(name: str, entry: Mapping[str, Any]) -> Converted:
    """Convert a decoded registry entry of a container server to an MCPServer.

    Variables get their defaults. Secret variables, and required variables without a default, are reported as losses.
    """
    spec: dict[str, Any] = {"image": entry["image"], "transport": entry["transport"]}
    is_http = entry["transport"] in HTTP_TRANSPORTS
    spec |= _ports(entry["proxy_port"] if is_http else 0, entry["target_port"] if is_http else 0)
    if entry["args"]:
        spec["args"] = list(entry["args"])
    losses: list[Loss] = []
    variables: dict[str, str] = {}
    for number, variable in enumerate(entry["env_vars"] or ()):
        path: Path = ("env_vars", number)
        if variable is None:
            losses.append(Loss(path, "a variable is null"))
        elif variable["secret"]:
            message = f"the secret variable {variable['name']}: write it as spec.secrets, with the Secret that holds it"
            losses.append(Loss(path, message))
        elif variable["default"]:
            variables[variable["name"]] = variable["default"]
        elif variable["required"]:
            losses.append(Loss(path, f"the required variable {variable['name']}: put it in spec.env"))
    spec |= _environment(variables)
    spec["permissionProfile"] = _profile_reference(entry["permissions"] or NETWORK_PROFILE, losses)
    return Converted(_server(name, spec), losses)


def server_to_request(
    server: Mapping[str, Any], tools: Mapping[str, Any] | None = None, *, filled: Collection[str] = ()
) -> Converted:
    """Convert an MCPServer to a workload request.

    Args:
        server: The resource, as written or as the API server stores it.
        tools: The spec of its MCPToolConfig, if known.
        filled: The fields of its spec that were filled with defaults. Dropping them is no loss.
    """
    spec = server["spec"]
    transport = spec.get("transport") or "stdio"
    request = zero("WorkloadRequest") | {
        "name": server["metadata"]["name"],
        "image": spec["image"],
        "transport": transport,
        "proxy_port": spec.get("proxyPort") or 0,
        "cmd_arguments": spec.get("args"),
        "env_vars": {item["name"]: item.get("value", "") for item in spec.get("env") or ()},
        "volumes": [
            f"{item['hostPath']}:{item['mountPath']}{':ro' if item.get('readOnly') else ''}"
            for item in spec.get("volumes") or ()
        ],
        "trust_proxy_headers": bool(spec.get("trustProxyHeaders")),
        "group": (spec.get("groupRef") or {}).get("name", ""),
    }
    if transport in HTTP_TRANSPORTS:
        request["target_port"] = spec.get("mcpPort") or 0
    else:
        request["proxy_mode"] = spec.get("proxyMode") or "streamable-http"
    losses = list(_server_losses({key: spec[key] for key in spec if key not in filled}, transport))
    request["secrets"] = list(_secrets(spec.get("secrets") or (), losses))
    request["permission_profile"] = _profile_of(spec.get("permissionProfile"), losses)
    if tools is not None:
        request["tools"] = tools.get("toolsFilter")
        overrides = tools.get("toolsOverride") or {}
        request["tools_override"] = {
            name: {"name": item.get("name", ""), "description": item.get("description", "")}
            for name, item in overrides.items()
        }
    elif "toolConfigRef" in spec:
        losses.append(Loss(("spec", "toolConfigRef"), "the MCPToolConfig is not among the given files"))
    return Converted(encode(request, "WorkloadRequest"), losses)


_CONVERTED_FIELDS = frozenset(
    """
    image transport proxyMode proxyPort mcpPort args env volumes secrets permissionProfile trustProxyHeaders
    groupRef toolConfigRef
    """.split()
)
"""The fields of an MCPServer's spec that are converted to a workload request."""


def _server_losses(spec: Mapping[str, Any], transport: str) -> Iterator[Loss]:
    for key, value in spec.items():
        if key not in _CONVERTED_FIELDS and value not in (None, {}, [], "", False):
            yield Loss(("spec", key), "a workload request has no place for it")
    if transport == "stdio" and spec.get("mcpPort"):
        yield Loss(("spec", "mcpPort"), "a server that speaks stdio has no port")


def _secrets(secrets: Sequence[Mapping[str, Any]], losses: list[Loss]) -> Iterator[dict[str, str]]:
    for number, secret in enumerate(secrets):
        target = secret.get("targetEnvName") or secret["key"]
        path: Path = ("spec", "secrets", number)
        losses.append(Loss(path, f'the key "{secret["key"]}": store its value as the secret "{secret["name"]}"'))
        yield {"name": secret["name"], "target": target}


def _profile_of(reference: Mapping[str, Any] | None, losses: list[Loss]) -> Any:
    if reference is None:
        return None
    name = reference.get("name")
    if reference.get("type", "builtin") == "builtin" and name in BUILTIN_PROFILES:
        return BUILTIN_PROFILES[name]
    losses.append(Loss(("spec", "permissionProfile"), "the profile is in a ConfigMap"))
    return None


def _profile_reference(profile: Mapping[str, Any], losses: list[Loss]) -> dict[str, str]:
    network = profile["network"]
    outbound = None if network is None or network["mode"] else network["outbound"]
    if outbound is not None and not (profile["read"] or profile["write"] or profile["privileged"]):
        if outbound["insecure_allow_all"]:
            return {"type": "builtin", "name": "network"}
        if not outbound["allow_host"] and not outbound["allow_port"]:
            return {"type": "builtin", "name": "none"}
    message = "it becomes the built-in none; keep it in a ConfigMap, and name that"
    losses.append(Loss(("permission_profile",), message))
    return {"type": "builtin", "name": "none"}


def _inline_authz(document: Any) -> dict[str, Any] | None:
    cedar = document.get("cedar") if isinstance(document, dict) else None
    policies = cedar.get("policies") if isinstance(cedar, dict) else None
    if not isinstance(policies, list) or not policies:
        return None
    inline: dict[str, Any] = {"policies": policies}
    entities = cedar.get("entities_json") if isinstance(cedar, dict) else None
    if entities:
        inline["entitiesJson"] = entities
    return {"type": "inline", "inline": inline}


def _ports(port: int, target: int) -> dict[str, int]:
    return {key: value for key, value in (("proxyPort", port), ("mcpPort", target)) if value > 0}


def _environment(variables: Mapping[str, str]) -> dict[str, Any]:
    return {"env": [{"name": name, "value": variables[name]} for name in sorted(variables)]} if variables else {}


def _volume(volume: str, number: int) -> dict[str, Any]:
    parts = volume.split(":")
    if len(parts) < 2:
        raise ConvertError(f'its volume "{volume}" is not written as HOST:CONTAINER')
    out: dict[str, Any] = {"name": f"volume-{number}", "hostPath": parts[0], "mountPath": parts[1]}
    if parts[2:] == ["ro"]:
        out["readOnly"] = True
    return out


def _server(name: str, spec: dict[str, Any]) -> dict[str, Any]:
    return {
        "apiVersion": TOOLHIVE.api_version(),
        "kind": "MCPServer",
        "metadata": {"name": kubernetes_name(name)},
        "spec": spec,
    }


def kubernetes_name(name: str) -> str:
    """Return ``name`` as Kubernetes accepts it: in lower case, with hyphens for other characters.

    The text is empty if ``name`` has no letter and no digit.
    """
    allowed = "abcdefghijklmnopqrstuvwxyz0123456789-"
    converted = "".join(char if char in allowed else "-" for char in name.lower()).strip("-")
    return converted[:LONGEST_NAME].rstrip("-")
