"""Generate the JSON Schemas of the kinds of a release, and of their lists."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from ..toolhive.profile import LATER_VERSION, TOOLHIVE
from ..toolhive.release import SECOND_VERSION_SINCE, holds
from .json_schema import kind_schema, list_schema
from .kind import read_kinds

if TYPE_CHECKING:
    from ..models.dated import Kind

_TEXTS = {"type": "object", "additionalProperties": {"type": "string"}}

# The maximum lengths are those of a DNS subdomain and a DNS label (RFC 1123).
OBJECT_METADATA: dict[str, Any] = {
    "description": "Name, namespace, labels and annotations of the object.",
    "type": "object",
    "properties": {
        "name": {
            "description": "Name of the object: lowercase letters, digits, hyphens and dots.",
            "type": "string",
            "maxLength": 253,
            "pattern": r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$",
        },
        "generateName": {"description": "Prefix of a name that the API server generates.", "type": "string"},
        "namespace": {
            "description": "Namespace of the object. References stay within it.",
            "type": "string",
            "maxLength": 63,
            "pattern": "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
        },
        "labels": {"description": "Labels for selectors."} | _TEXTS,
        "annotations": {"description": "Notes of any length for people and programs."} | _TEXTS,
        "finalizers": {
            "description": "Finalizers to run before the object is deleted.",
            "type": "array",
            "items": {"type": "string"},
        },
        "ownerReferences": {
            "description": "Owners of the object. It is deleted with them.",
            "type": "array",
            "items": {"type": "object"},
        },
        "creationTimestamp": {"description": "Set by the API server."},
        "deletionGracePeriodSeconds": {"description": "Set by the API server."},
        "deletionTimestamp": {"description": "Set by the API server."},
        "generation": {"description": "Set by the API server."},
        "managedFields": {"description": "Set by the API server."},
        "resourceVersion": {"description": "Set by the API server."},
        "selfLink": {"description": "Set by the API server."},
        "uid": {"description": "Set by the API server."},
    },
    "anyOf": [{"required": ["name"]}, {"required": ["generateName"]}],
    "additionalProperties": False,
}
"""The JSON Schema of ``metadata``. Source: Kubernetes 1.35 API reference, ObjectMeta."""


@cache
def kind_schemas(release: str) -> dict[str, dict[str, Any]]:
    """Return the schemas of the kinds of a release and of their lists, by name such as ``MCPServerList``."""
    out = {}
    for read in read_kinds(release):
        kind = read.kind
        versions = _versions(kind, release)
        out[kind.name] = kind_schema(kind.name, kind.description, read.parts, OBJECT_METADATA, versions, kind.since)
        out[f"{kind.name}List"] = list_schema(kind.name, versions)
    return out


def _versions(kind: Kind, release: str) -> list[str]:
    has_second = holds(SECOND_VERSION_SINCE, None, release)
    versions = [*TOOLHIVE.versions, *([LATER_VERSION] if has_second and not kind.only_first_version else [])]
    return [f"{TOOLHIVE.api_group}/{version}" for version in versions]
