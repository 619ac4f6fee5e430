"""Authorization: inline Cedar policies, or a document in a ConfigMap."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..golang.json import compact
from ..reading.document import read_documents
from ..toolhive.constants import AUTHZ_KEY, AUTHZ_PATH, AUTHZ_VOLUME
from .build import Object, metadata, standard_labels
from .volume import Mounted, config_map

if TYPE_CHECKING:
    from ..models.authz import AuthzConfigRef
    from ..models.spec import ProxySpec
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace

CEDAR = "cedarv1"


def authz_config(workspace: Workspace, resource: Resource[ProxySpec]) -> Object | None:
    """Return RunConfig's ``authz_config``: inline policies in Go's order, a ConfigMap's document with sorted keys."""
    authz: AuthzConfigRef | None = resource.spec.get("authzConfig")
    if not authz:
        return None
    if authz.get("type") == "inline":
        inline = authz.get("inline") or {}
        cedar = {"policies": inline.get("policies"), "entities_json": inline.get("entitiesJson", "")}
        return {"version": "v1", "type": CEDAR, "cedar": cedar}
    document = config_map_document(workspace, resource)
    return sorted_keys(document) if isinstance(document, dict) else None


def config_map_document(workspace: Workspace, resource: Resource) -> Any:
    """Read the authorization document that ``authzConfig.configMap`` names; ``None`` where it cannot be read."""
    reference = workspace.reference(resource, "spec", "authzConfig", "configMap", "name")
    if reference is None or reference.target is None or reference.key is None:
        return None
    text = reference.target.entries("data").get(reference.key)
    if not isinstance(text, str):
        return None
    documents, findings = read_documents(text, "")
    return documents[0].data if documents and not findings else None


def sorted_keys(value: Any) -> Any:
    """Sort the keys of every mapping by bytes, as Go writes maps."""
    if isinstance(value, dict):
        return {key: sorted_keys(value[key]) for key in sorted(value, key=str.encode)}
    if isinstance(value, list):
        return [sorted_keys(item) for item in value]
    return value


def volume(resource: Resource[ProxySpec]) -> Mounted | None:
    """Mount the authorization document, which the proxy does not read: its RunConfig holds a copy."""
    authz = resource.spec.get("authzConfig")
    if not authz:
        return None
    if authz.get("type") == "inline":
        source, key = f"{resource.name}-authz-inline", AUTHZ_KEY
    else:
        ref = authz.get("configMap") or {}
        source, key = ref.get("name", ""), ref.get("key") or AUTHZ_KEY
    return config_map(AUTHZ_VOLUME, source, AUTHZ_PATH, {key: AUTHZ_KEY})


def inline_config_map(resource: Resource[ProxySpec]) -> list[Object]:
    """Return the ConfigMap that holds inline policies; nothing for other authorization."""
    authz = resource.spec.get("authzConfig") or {}
    inline = authz.get("inline")
    if authz.get("type") != "inline" or not inline:
        return []
    # Unlike the RunConfig's copy: keys sorted, version 1.0, and a default for the entities.
    cedar = {"entities_json": inline.get("entitiesJson") or "[]", "policies": inline.get("policies")}
    text = compact({"cedar": cedar, "type": CEDAR, "version": "1.0"})
    labels = standard_labels(resource) | {"toolhive.stacklok.io/authz": "inline"}
    made = metadata(resource, f"{resource.name}-authz-inline", labels)
    return [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": made, "data": {AUTHZ_KEY: text}}]


def with_upstream(config: Object, provider: str) -> Object:
    """Rebuild a Cedar document for a proxy with an embedded auth server: unknown keys go, the upstream is named."""
    if config.get("type") != CEDAR:
        return config
    given = config.get("cedar") or {}
    cedar: Object = {
        "policies": given.get("policies"),
        "entities_json": given.get("entities_json", ""),
        "primary_upstream_provider": provider,
    }
    for key in ("group_claim_name", "role_claim_name"):
        if given.get(key):
            cedar[key] = given[key]
    return {"version": config.get("version"), "type": config.get("type"), "cedar": cedar}
