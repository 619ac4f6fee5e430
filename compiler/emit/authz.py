"""Authorization: inline Cedar policies, or a document in a ConfigMap."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from ..golang.json import compact
from ..golang.value import RawJson
from ..reading.fault import UnreadableError
from ..reading.loose import read_loosely
from ..records.shape import encode
from ..toolhive.constants import AUTHZ_KEY, AUTHZ_LABEL, AUTHZ_PATH, AUTHZ_VOLUME, CEDAR_CLAIMS
from ..toolhive.release import AUTHZ_CONFIG_SINCE
from .build import Object, metadata, standard_labels
from .volume import Mounted, config_map

if TYPE_CHECKING:
    from ..diagnostics.span import Path
    from ..models.authz import AuthzConfigRef
    from ..models.mcpauthzconfig import MCPAuthzConfigSpec
    from ..models.spec import ProxySpec
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace

CEDAR = "cedarv1"
CONFIG_KEYS: Final = {CEDAR: "cedar", "httpv1": "pdp"}
"""The key that holds the configuration, by the type of the document."""

CONFIG_MAP_VERSION = "1.0"
"""The version of documents in ConfigMaps. From v0.29.0 on, inline policies in a RunConfig have it too."""


def authz_config(workspace: Workspace, resource: Resource[ProxySpec]) -> Object | RawJson | None:
    """Return ``authz_config`` of a RunConfig, or ``None`` without authorization or with an unreadable document.

    The keys around inline policies are in Go's order. A document in a ConfigMap has sorted keys if it is read as YAML.
    If it is read as JSON, it stays as it was written.
    """
    authz: AuthzConfigRef | None = resource.spec.get("authzConfig")
    if not authz:
        return shared_document(workspace, resource, ("spec", "authzConfigRef"))
    claims = {key: authz[field] for field, key in CEDAR_CLAIMS.items() if authz.get(field)}  # type: ignore[literal-required]
    if authz.get("type") == "inline":
        inline = authz.get("inline") or {}
        cedar = {"policies": inline.get("policies"), "entities_json": inline.get("entitiesJson")} | claims
        # v0.29.0 unified the version with that of documents in ConfigMaps.
        version = CONFIG_MAP_VERSION if resource.is_judged(since="0.29.0") else "v1"
        return {"version": version, "type": CEDAR, "cedar": encode(cedar, "CedarOptions", resource.release)}
    document = config_map_document(workspace, resource, ("spec", "authzConfig"))
    return with_options(document, claims, resource) if document is not None and claims else document


def shared_document(workspace: Workspace, resource: Resource, path: Path) -> Object | None:
    """Return the document that the operator makes from a referenced MCPAuthzConfig, with sorted keys.

    The result is ``None`` if the reference is missing or dangling, and in the first release with the field, which does
    not read it yet.
    """
    if not resource.is_judged(since=AUTHZ_CONFIG_SINCE):
        return None
    config: Resource[MCPAuthzConfigSpec] | None = workspace.target(resource, *path, "name")
    if config is None:
        return None
    kind = config.spec.get("type", "")
    document = {"version": CONFIG_MAP_VERSION, "type": kind, CONFIG_KEYS.get(kind, ""): config.spec.get("config")}
    return cast("Object", sorted_keys(document))


def config_map_document(workspace: Workspace, resource: Resource, path: Path) -> Object | RawJson | None:
    """Return the document in the ConfigMap that the block at ``path`` names.

    The result is ``None`` if no file declares the ConfigMap and its key, or if the document cannot be read.
    """
    reference = workspace.reference(resource, *path, "configMap", "name")
    if reference is None or reference.target is None or reference.key is None:
        return None
    text = reference.target.entries("data").get(reference.key)
    if not isinstance(text, str):
        return None
    try:
        read = read_loosely(text)
    except UnreadableError:
        return None
    if not isinstance(read.data, dict):
        return None
    return RawJson(text) if read.is_json else cast("Object", sorted_keys(read.data))


def sorted_keys(value: Any) -> Any:
    """Return ``value`` with the keys of every mapping sorted by bytes, as Go writes maps."""
    if isinstance(value, dict):
        return {key: sorted_keys(value[key]) for key in sorted(value, key=str.encode)}
    if isinstance(value, list):
        return [sorted_keys(item) for item in value]
    return value


def volume(resource: Resource[ProxySpec]) -> Mounted | None:
    """Return the mount of the document that ``authzConfig`` describes, or ``None`` without that field.

    The proxy does not read this file, because its RunConfig contains the document.
    """
    authz = resource.spec.get("authzConfig")
    if not authz:
        return None
    if authz.get("type") == "inline":
        source, key = f"{resource.name}-authz-inline", AUTHZ_KEY
    else:
        ref = authz.get("configMap") or {}
        source, key = ref.get("name", ""), ref.get("key") or AUTHZ_KEY
    return config_map(AUTHZ_VOLUME, source, resource.profile.spell(AUTHZ_PATH), {key: AUTHZ_KEY})


def inline_config_map(resource: Resource[ProxySpec]) -> list[Object]:
    """Return the ConfigMap with the inline policies, or an empty list for other authorization."""
    authz = resource.spec.get("authzConfig") or {}
    inline = authz.get("inline")
    if authz.get("type") != "inline" or not inline:
        return []
    # Unlike in the RunConfig, keys are sorted, the version is always 1.0, and the entities have a default.
    cedar = {"entities_json": inline.get("entitiesJson") or "[]", "policies": inline.get("policies")}
    text = compact({"cedar": cedar, "type": CEDAR, "version": CONFIG_MAP_VERSION})
    labels = standard_labels(resource) | {resource.profile.spell(AUTHZ_LABEL): "inline"}
    config_map_metadata = metadata(resource, f"{resource.name}-authz-inline", labels)
    return [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": config_map_metadata, "data": {AUTHZ_KEY: text}}]


def read_document(given: Object | RawJson) -> Object:
    """Return a document as plain data. JSON text is parsed."""
    data: Object = read_loosely(given.text).data if isinstance(given, RawJson) else given
    return data


def with_options(given: Object | RawJson, changes: Object, resource: Resource) -> Object | RawJson:
    """Return a Cedar document with its options overridden by ``changes``, and without keys unknown to the release.

    Other documents are returned unchanged.

    Source: InjectUpstreamProvider and ApplyClaimMappingOverrides of the operator.
    """
    from ..records.side_file.authz import cedar_document

    document = cedar_document(read_document(given), resource.release)
    if document is None:
        return given
    return document | {"cedar": encode(document["cedar"] | changes, "CedarOptions", resource.release)}
