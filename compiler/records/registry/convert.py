"""Convert registry entries to catalog records and back, like ToolHive.

Much of an entry's data has no field in a catalog record. Such data goes into the record's publisher extension, under
the image or URL of the server. Data that is not converted is reported as a loss.

Source: toolhive-core 0.0.16, registry/converters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...golang import url
from ...golang.value import SortedMap, json_numbers
from ..shape import decode, encode, zero
from .loss import NAMESPACE, PUBLISHER_KEY, RECORD_VERSION, Loss, record_losses

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...diagnostics.span import Path

RECORD_SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
REGISTRY_SCHEMA = (
    "https://raw.githubusercontent.com/stacklok/toolhive-core/main/registry/types/data/upstream-registry.schema.json"
)

_SHARED = ("status", "tier", "tools", "tags", "overview", "tool_definitions", "metadata", "custom_metadata")
_IMAGE_ONLY = ("permissions", "args", "provenance", "docker_tags", "proxy_port")
_REMOTE_ONLY = ("oauth_config", "env_vars", "proxy_port")
_FIRST_EXPONENT_FLOAT = 1e21
"""From this number on, Go writes a whole float in ``e`` notation, so it stays a float when JSON is read again."""


class ConvertError(ValueError):
    """The product cannot convert a record or entry and skips it. The message is the reason."""


def image_to_record(key: str, entry: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the catalog record for a decoded entry of a container server.

    Raises:
        ConvertError: The entry is null.
    """
    if entry is None:
        raise ConvertError(f'the entry "{key}" is null')
    record = _common_record(key, entry)
    record["packages"] = [_package(entry)]
    record["_meta"] = _extension_of(entry, _IMAGE_ONLY, entry["image"])
    return record


def remote_to_record(key: str, entry: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the catalog record for a decoded entry of a remote server.

    Raises:
        ConvertError: The entry is null.
    """
    if entry is None:
        raise ConvertError(f'the entry "{key}" is null')
    record = _common_record(key, entry)
    remote = zero("RemoteTransport")
    remote["type"], remote["url"] = entry["transport"], entry["url"]
    remote["headers"] = [_key_value(header) for header in entry["headers"] or ()] or None
    record["remotes"] = [remote]
    record["_meta"] = _extension_of(entry, _REMOTE_ONLY, entry["url"])
    return record


def record_to_entry(record: Mapping[str, Any]) -> tuple[bool, dict[str, Any]]:
    """Return whether a decoded catalog record describes a remote server, and the registry entry for the record.

    Raises:
        ConvertError: The record has no package or remote that can be run.
    """
    # The product looks at remotes first, and drops packages beside them.
    if record["remotes"]:
        return True, _remote_entry(record)
    if not record["packages"]:
        raise ConvertError("it has neither packages nor remotes, and a catalog record needs one of them")
    return False, _image_entry(record)


def legacy_to_upstream(data: Mapping[str, Any]) -> tuple[dict[str, Any], list[Loss]]:
    """Return a decoded legacy registry in the upstream format, and the data that the conversion drops.

    Servers are sorted by name, because ToolHive writes them in random order.

    Raises:
        ConvertError: An entry is null.
    """
    servers = [image_to_record(key, entry) for key, entry in sorted((data["servers"] or {}).items())]
    servers += [remote_to_record(key, entry) for key, entry in sorted((data["remote_servers"] or {}).items())]
    out = zero("UpstreamRegistry")
    out |= {"$schema": REGISTRY_SCHEMA, "version": data["version"]}
    out["meta"]["last_updated"] = data["last_updated"]
    out["data"]["servers"] = servers
    losses = [
        Loss(("groups", i), f'the group "{group["name"]}" and its servers: the conversion leaves groups out')
        for i, group in enumerate(data["groups"] or ())
        if group is not None
    ]
    return out, losses


def upstream_to_legacy(data: Mapping[str, Any]) -> tuple[dict[str, Any], list[Loss]]:
    """Return a decoded upstream registry in the legacy format, and the data that the conversion drops.

    The service converts a registry in the same way when it loads the file. The conversion skips records that cannot be
    run, keeps the last of several records with the same name, and drops groups.
    """
    out = zero("RegistryData")
    out |= {"version": data["version"], "last_updated": data["meta"]["last_updated"]}
    out["servers"], out["remote_servers"], out["groups"] = {}, {}, []
    losses: list[Loss] = []
    for i, record in enumerate(data["data"]["servers"] or ()):
        path: Path = ("data", "servers", i)
        try:
            remote, entry = record_to_entry(record)
        except ConvertError as error:
            losses.append(Loss(path, f'the record "{record["name"]}": {error}'))
            continue
        side = out["remote_servers" if remote else "servers"]
        # The service keeps a map by name: the later record replaces the earlier one.
        if record["name"] in side:
            losses.append(Loss(path, f'an earlier record of the name "{record["name"]}": this one replaces it'))
        side[record["name"]] = entry
        losses.extend(record_losses(record, path))
    for i, group in enumerate(data["data"]["groups"] or ()):
        losses.append(Loss(("data", "groups", i), f'the group "{group["name"]}": groups are dropped'))
    for i, skill in enumerate(data["data"]["skills"] or ()):
        losses.append(Loss(("data", "skills", i), f'the skill "{skill["name"]}": the legacy format has no skills'))
    return out, losses


def extension(record: Mapping[str, Any], key: str) -> dict[str, Any] | None:
    """Return the decoded publisher extension of a record, or ``None`` if the record has no extension of ToolHive.

    If there are several extensions, ToolHive picks one at random. Here, the extension under ``key`` is preferred,
    then the first by name.
    """
    provided = (record["_meta"] or {}).get(PUBLISHER_KEY) or {}
    entries = provided.get(NAMESPACE)
    if not isinstance(entries, dict):
        return None
    usable = {name: value for name, value in entries.items() if isinstance(value, dict)}
    if not usable:
        return None
    chosen = usable[key] if key in usable else usable[min(usable)]
    return decode(_remarshaled(chosen), "ServerExtension")[0]


def _common_record(key: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    record = zero("ServerRecord")
    record |= {
        "$schema": RECORD_SCHEMA,
        "name": entry["name"] or (key if "/" in key else f"{NAMESPACE}/{key}"),
        "title": entry["title"],
        "description": entry["description"],
        "version": RECORD_VERSION,
    }
    if entry["repository_url"]:
        record["repository"] = zero("Repository") | {"url": entry["repository_url"], "source": "github"}
    return record


def _package(entry: Mapping[str, Any]) -> dict[str, Any]:
    package = zero("Package")
    package |= {"registryType": "oci", "identifier": entry["image"]}
    package["environmentVariables"] = [_key_value(variable) for variable in entry["env_vars"] or ()] or None
    transport = package["transport"]
    transport["type"] = entry["transport"] or "stdio"
    if transport["type"] in {"sse", "streamable-http"}:
        port = entry["target_port"]
        transport["url"] = f"http://localhost:{port}" if port > 0 else "http://localhost"
    return package


def _key_value(spec: Mapping[str, Any] | None) -> dict[str, Any]:
    if spec is None:
        raise ConvertError("an element of its list is null")
    return zero("KeyValueInput") | {
        "name": spec["name"],
        "description": spec["description"],
        "isRequired": spec["required"],
        "isSecret": spec["secret"],
        "default": spec["default"],
        "choices": spec.get("choices"),
    }


def _extension_of(entry: Mapping[str, Any], more: tuple[str, ...], key: str) -> dict[str, Any]:
    extras = zero("ServerExtension")
    extras |= {name: entry[name] for name in (*_SHARED, *more)}
    extras["status"] = extras["status"] or "active"
    plain = json_numbers(encode(extras, "ServerExtension"))
    return {PUBLISHER_KEY: SortedMap({NAMESPACE: SortedMap({key: plain})})}


def _common_entry(record: Mapping[str, Any], kind: str, transport: str) -> dict[str, Any]:
    entry = zero(kind)
    entry |= {key: record[key] for key in ("name", "title", "description")}
    entry["transport"] = transport
    entry["repository_url"] = (record["repository"] or {}).get("url", "")
    return entry


def _remote_entry(record: Mapping[str, Any]) -> dict[str, Any]:
    remote = record["remotes"][0]
    entry = _common_entry(record, "RemoteServer", remote["type"])
    entry["url"] = remote["url"]
    entry["headers"] = [_spec(header, "HeaderSpec") for header in remote["headers"] or ()] or None
    extras = extension(record, remote["url"])
    if extras is not None:
        entry |= {name: extras[name] for name in (*_SHARED, *_REMOTE_ONLY)}
    return entry


def _image_entry(record: Mapping[str, Any]) -> dict[str, Any]:
    package = _oci_package(record["packages"])
    entry = _common_entry(record, "ImageServer", package["transport"]["type"])
    entry["image"] = package["identifier"]
    variables = [_spec(variable, "EnvVarSpec") for variable in package["environmentVariables"] or ()]
    entry["env_vars"] = variables + _runtime_variables(package["runtimeArguments"] or ()) or None
    entry["target_port"] = _target_port(package["transport"]["url"])
    arguments = [
        part for argument in package["packageArguments"] or () for part in (argument["name"], argument["value"]) if part
    ]
    extras = extension(record, package["identifier"])
    if extras is not None:
        entry |= {name: extras[name] for name in (*_SHARED, *_IMAGE_ONLY)}
        arguments = arguments or extras["args"]
    entry["args"] = arguments or None
    return entry


def _oci_package(packages: list[dict[str, Any]]) -> dict[str, Any]:
    usable = [package for package in packages if package["registryType"] == "oci"]
    if len(usable) == 1:
        return usable[0]
    if usable:
        raise ConvertError(f"it has {len(usable)} packages of type oci, and one is needed")
    types = ", ".join(str(package["registryType"]) for package in packages)
    raise ConvertError(f"it has no package of type oci, only {types}")


def _spec(value: Mapping[str, Any], kind: str) -> dict[str, Any]:
    spec = zero(kind) | {
        "name": value["name"],
        "description": value["description"],
        "required": value["isRequired"],
        "secret": value["isSecret"],
        "default": value["default"],
    }
    if "choices" in spec:
        spec["choices"] = value["choices"]
    return spec


def _runtime_variables(arguments: list[dict[str, Any]] | tuple[()]) -> list[dict[str, Any]]:
    """Return a specification for each variable that an argument ``-e NAME=value`` of the container engine sets."""
    out = []
    for argument in arguments:
        if argument["type"] != "named" or argument["name"] not in {"-e", "--env"}:
            continue
        name, equals, value = argument["value"].partition("=")
        if not equals:
            continue
        spec = zero("EnvVarSpec") | {"name": name, "description": argument["description"]}
        if len(value) > 2 and value.startswith("{") and value.endswith("}"):
            variable = (argument["variables"] or {}).get(value[1:-1])
            if variable is not None:
                spec |= {"secret": variable["isSecret"], "default": variable["default"]}
        else:
            spec["default"] = value
        spec["required"] = argument["isRequired"]
        out.append(spec)
    return out


def _target_port(text: str) -> int:
    if not text:
        return 0
    try:
        port = url.parse(text).port
    except url.UrlError as error:
        raise ConvertError(f'the URL "{text}" of its package cannot be read: {error}') from None
    # Go parses the port as an int. Python would refuse to parse thousands of digits.
    if len(port.lstrip("0")) > 18:
        raise ConvertError(f'the port of the URL "{text}" of its package is not a number that fits')
    return int(port) if port else 0


def _remarshaled(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _remarshaled(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_remarshaled(item) for item in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < _FIRST_EXPONENT_FLOAT:
        return int(value)
    return value
