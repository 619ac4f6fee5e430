"""Compile a workload request and a registry to the RunConfig that the service would store.

``Machine`` provides the settings that the service takes from its machine. If the service would pick a random port, the
RunConfig gets a port that depends on the workload's name, and a lint reports the port.

Source: toolhive 0.21.0, workload service and RunConfig builder.
"""

from __future__ import annotations

import copy
import hashlib
from typing import TYPE_CHECKING, Any

from ...diagnostics.named_tuple import NamedTuple
from ...golang import url
from ...golang.value import SortedMap
from ...toolhive.constants import (
    BASE_NAME_LABEL,
    OWN_LABEL,
    PORT_LABEL,
    PORT_VARIABLES,
    RUN_CONFIG_VERSION,
    TRANSPORT_LABEL,
    TRANSPORT_VARIABLE,
    WORKLOAD_LABEL,
)
from ...toolhive.mount import MountError, parse_mount, split_volume
from ..permission.builtin import NETWORK_PROFILE
from ..registry.query import NoSuchServerError, find_server
from ..secret.reference import SecretReference
from ..shape import zero
from .image import built_image, is_package
from .name import image_base_name, safe_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...toolhive.machine import Machine
    from ...toolhive.profile import Profile
    from ..registry.file import LoadedRegistry

LOCALHOST = "127.0.0.1"
DEFAULT_CALLBACK_PORT = 8666
"""The port that the builder fills in for the redirect of remote authentication (``DefaultCallbackPort``)."""
DEFAULT_GROUP = "default"
HTTP_TRANSPORTS = ("sse", "streamable-http")
LEAST_DRAWN_PORT, MOST_DRAWN_PORT = 10000, 65535
"""The range in which the service picks a random port (``MinPort``, ``MaxPort``). The upper end is excluded."""

TRANSPORTS = {
    spelling: transport
    for transport in ("stdio", "sse", "streamable-http", "inspector")
    for spelling in (transport, transport.upper())
}
"""Spellings of transports that the service accepts: lower case, or all capitals."""


class RegistryLookup(NamedTuple):
    """The registry's data about the image of a request.

    Attributes:
        entry: The registry entry that the image names, or ``None`` for a plain image.
        remote: True if ``entry`` describes a remote server.
        ambiguous: The full names of the servers with this short name if there are several; otherwise empty.
    """

    entry: dict[str, Any] | None = None
    remote: bool = False
    ambiguous: tuple[str, ...] = ()

    @property
    def image_entry(self) -> dict[str, Any] | None:
        """``entry`` if it describes a container server, and ``None`` otherwise."""
        return None if self.remote else self.entry


def look_up(request: Mapping[str, Any], registry: LoadedRegistry | None) -> RegistryLookup:
    """Look up the image of a request in the registry; nothing for a URL or a package such as ``npx://…``."""
    if registry is None or request["url"] or not request["image"] or is_package(request["image"]):
        return RegistryLookup()
    try:
        remote, entry = find_server(registry, request["image"])
    except NoSuchServerError as error:
        return RegistryLookup(ambiguous=error.names)
    # An element that is null breaks the service; the check of the registry reports it.
    variables = [spec for spec in entry["env_vars"] or () if spec is not None]
    return RegistryLookup({**entry, "env_vars": variables}, remote)


def workload_name(request: Mapping[str, Any], lookup: RegistryLookup) -> str:
    """Return the name of a request, or else of its container server in the registry, or an empty text."""
    name: str = request["name"] or (lookup.image_entry or {}).get("name", "")
    return name


def drawn_port(name: str, kind: str) -> int:
    """Return the port that is compiled instead of a random port. It depends only on the two arguments.

    Args:
        kind: ``proxy`` or ``target``.
    """
    digest = hashlib.sha256(f"{kind}:{name}".encode("utf-8", "surrogatepass")).digest()
    # Eight bytes are far more than the range, so all ports are about equally likely.
    return LEAST_DRAWN_PORT + int.from_bytes(digest[:8]) % (MOST_DRAWN_PORT - LEAST_DRAWN_PORT)


def is_port(number: int) -> bool:
    """Return whether a number is from 0 to 65535. A socket can be bound to 0, which means any free port."""
    return 0 <= number <= 65535


def transport_of(request: Mapping[str, Any], lookup: RegistryLookup) -> str:
    """Return the transport that a request states or gets by default; empty if ToolHive does not know it."""
    if request["transport"]:
        return TRANSPORTS.get(request["transport"], "")
    if request["url"]:
        return "streamable-http"
    entry = lookup.image_entry
    return TRANSPORTS.get(entry["transport"], "") if entry is not None and entry["transport"] else "stdio"


def compile_workload(request: Mapping[str, Any], lookup: RegistryLookup, machine: Machine) -> dict[str, Any]:
    """Return the decoded RunConfig for a decoded request that the service accepts."""
    config = zero("RunConfig")
    entry = lookup.image_entry
    transport = transport_of(request, lookup)
    config |= {
        "schema_version": RUN_CONFIG_VERSION,
        "image": _image(request, lookup, machine),
        "remote_url": request["url"],
        "cmd_args": request["cmd_arguments"],
        "name": request["name"],
        "transport": transport,
        "host": request["host"] or LOCALHOST,
        "target_host": _target_host(request["url"]),
        "volumes": request["volumes"],
        "secrets": [str(SecretReference(**secret)) for secret in request["secrets"] or ()],
        "isolate_network": request["network_isolation"],
        "trust_proxy_headers": request["trust_proxy_headers"],
        "proxy_mode": transport if transport != "stdio" else request["proxy_mode"] or "streamable-http",
        "group": request["group"] or DEFAULT_GROUP,
        "tools_filter": request["tools"],
        "tools_override": request["tools_override"] or {},
        "authz_config_path": request["authz_config"],
        "remote_auth_config": _remote_auth(request, lookup),
        "oidc_config": _oidc(request["oidc"]),
    }
    if not config["cmd_args"] and entry is not None and entry["args"]:
        config["cmd_args"] = list(entry["args"])
    if lookup.entry is not None:
        config["registry_server_name"] = lookup.entry["name"]
        config |= {"registry_url": machine.registry_url, "registry_api_url": machine.registry_api_url}
    config["port"], config["target_port"] = _ports(request, lookup, transport, machine)
    config["permission_profile"] = _profile(request, entry)
    config["env_vars"] = _environment(request, entry, transport, config["target_port"])
    _name_container(config)
    config["container_labels"] = _labels(config, machine.profile)
    if request["authz_config"]:
        config["authz_config"] = machine.authz(request["authz_config"])
    config["middleware_configs"] = _middleware(request, config, machine)
    _add_headers(config, request["header_forward"])
    if not request["url"]:
        config["runtime_config"] = runtime_config(request)
    return config


def runtime_config(request: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the build settings of a request without surrounding white space, or ``None`` if all are empty."""
    given = request["runtime_config"]
    if given is None:
        return None
    image = given["builder_image"].strip()
    packages = [package.strip() for package in given["additional_packages"] or () if package.strip()]
    if not image and not packages:
        return None
    return {"builder_image": image, "additional_packages": packages or None}


def _image(request: Mapping[str, Any], lookup: RegistryLookup, machine: Machine) -> str:
    if request["url"]:
        return ""
    image: str = request["image"]
    if is_package(image):
        return built_image(image, machine.seconds, machine.profile)
    return str(lookup.entry["image"]) if lookup.image_entry is not None and lookup.entry is not None else image


def _target_host(remote_url: str) -> str:
    if not remote_url:
        return LOCALHOST
    try:
        return url.parse(remote_url).host
    except url.UrlError:
        return LOCALHOST


def default_resource(remote_url: str) -> str:
    """Return the resource indicator (RFC 8707) of a remote server, or an empty text if its URL is not absolute."""
    try:
        parts = url.parse(remote_url)
    except url.UrlError:
        return ""
    if not parts.scheme or not parts.host:
        return ""
    scheme, host = parts.scheme.lower(), parts.host.lower()
    return str(parts._replace(scheme=scheme, host=host, fragment="", raw_fragment=""))


def _remote_auth(request: Mapping[str, Any], lookup: RegistryLookup) -> dict[str, Any]:
    auth = zero("RemoteAuthConfig")
    oauth = request["oauth_config"]
    if request["url"]:
        auth |= {
            key: oauth[key]
            for key in (
                "client_id",
                "scopes",
                "issuer",
                "authorize_url",
                "token_url",
                "use_pkce",
                "oauth_params",
                "callback_port",
                "skip_browser",
            )
        }
        auth["resource"] = oauth["resource"] or default_resource(request["url"])
        auth["headers"] = request["headers"]
    elif lookup.remote and lookup.entry is not None and lookup.entry["oauth_config"] is not None:
        entry = lookup.entry
        configured = entry["oauth_config"]
        auth |= {
            key: configured[key]
            for key in ("scopes", "callback_port", "issuer", "authorize_url", "token_url", "use_pkce", "oauth_params")
        }
        auth["client_id"] = oauth["client_id"]
        auth["resource"] = oauth["resource"] or configured["resource"] or default_resource(entry["url"])
        auth |= {"headers": entry["headers"], "env_vars": entry["env_vars"]}
    else:
        return auth | {"callback_port": DEFAULT_CALLBACK_PORT}
    for key in ("client_secret", "bearer_token"):
        if oauth[key] is not None:
            auth[key] = str(SecretReference(**oauth[key]))
    return auth


def _oidc(oidc: Mapping[str, Any]) -> dict[str, Any] | None:
    if not any(oidc[key] for key in ("issuer", "audience", "jwks_url", "client_id")):
        return None
    return zero("TokenValidatorConfig") | {
        "Issuer": oidc["issuer"],
        "Audience": oidc["audience"],
        "JWKSURL": oidc["jwks_url"],
        "ClientID": oidc["client_id"],
        "Scopes": oidc["scopes"],
    }


def _ports(request: Mapping[str, Any], lookup: RegistryLookup, transport: str, machine: Machine) -> tuple[int, int]:
    port, target = stated_ports(request, lookup, transport)
    name = request["name"]
    if port == 0:
        port = machine.proxy_port or drawn_port(name, "proxy")
    if transport not in HTTP_TRANSPORTS:
        return port, 0
    if target == 0 or not is_port(target):
        target = machine.target_port or drawn_port(name, "target")
    return port, target


def stated_ports(request: Mapping[str, Any], lookup: RegistryLookup, transport: str) -> tuple[int, int]:
    """Return the ports of proxy and container in a request or its registry entry. 0 means any free port."""
    port, target = request["proxy_port"], request["target_port"]
    entry = lookup.image_entry
    if entry is not None and transport in HTTP_TRANSPORTS:
        port = port or max(entry["proxy_port"], 0)
        target = target or max(entry["target_port"], 0)
    if lookup.remote and lookup.entry is not None:
        port = port or max(lookup.entry["proxy_port"], 0)
    return port, target


def _profile(request: Mapping[str, Any], entry: Mapping[str, Any] | None) -> dict[str, Any]:
    given = request["permission_profile"]
    if given is None and entry is not None:
        given = entry["permissions"]
    profile: dict[str, Any] = copy.deepcopy(NETWORK_PROFILE if given is None else given)
    targets = {mount.target for side in ("read", "write") for text in profile[side] or () for mount in _mounts(text)}
    for volume in request["volumes"] or ():
        text, read_only = split_volume(volume)
        target = parse_mount(text).target
        if target in targets:
            continue
        targets.add(target)
        side = "read" if read_only else "write"
        profile[side] = [*(profile[side] or ()), text]
    return profile


def _mounts(text: str) -> list[Any]:
    try:
        return [parse_mount(text)]
    except MountError:
        return []


def _environment(request: Mapping[str, Any], entry: Mapping[str, Any] | None, transport: str, target: int) -> SortedMap:
    out = SortedMap(request["env_vars"] or {})
    for spec in (entry["env_vars"] or ()) if entry is not None else ():
        if spec["default"] and not spec["required"] and not spec["secret"]:
            out.setdefault(spec["name"], spec["default"])
    out[TRANSPORT_VARIABLE] = transport
    if transport in HTTP_TRANSPORTS and target > 0:
        out |= dict.fromkeys(PORT_VARIABLES, str(target))
    return out


def _name_container(config: dict[str, Any]) -> None:
    if config["image"]:
        name = safe_name(config["name"]) or image_base_name(config["image"])
        config |= {"container_name": name, "base_name": name}
    else:
        config |= {"container_name": config["name"], "base_name": safe_name(config["name"])}


def _labels(config: Mapping[str, Any], profile: Profile) -> SortedMap:
    labels = {
        OWN_LABEL: "true",
        WORKLOAD_LABEL: config["container_name"] or config["name"],
        BASE_NAME_LABEL: config["base_name"],
        TRANSPORT_LABEL: config["transport"],
        PORT_LABEL: str(config["port"]),
    }
    return SortedMap((profile.spell(label), value) for label, value in labels.items())


def _middleware(request: Mapping[str, Any], config: Mapping[str, Any], machine: Machine) -> list[dict[str, Any]]:
    out: list[dict[str, Any]] = []
    if request["tools"] or request["tools_override"]:
        parameters = {"filter_tools": request["tools"], "tools_override": request["tools_override"] or {}}
        out += [{"type": kind, "parameters": parameters} for kind in ("tool-filter", "tool-call-filter")]
    out += [{"type": "auth", "parameters": {}}, {"type": "mcp-parser", "parameters": {}}]
    if machine.usage_metrics:
        out.append({"type": "usagemetrics", "parameters": {}})
    if request["authz_config"]:
        data = {"config_path": request["authz_config"], "config_data": config["authz_config"]}
        out.append({"type": "authorization", "parameters": data})
    out.append({"type": "recovery", "parameters": None})
    return out


def _add_headers(config: dict[str, Any], given: Mapping[str, Any] | None) -> None:
    if given is None or not any(given.values()):
        return
    config["header_forward"] = {key: value or None for key, value in given.items()}
