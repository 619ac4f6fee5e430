"""The JSON Schema of ``metadata``, which Kubernetes declares."""

from __future__ import annotations

from typing import Any

_TEXTS = {"type": "object", "additionalProperties": {"type": "string"}}

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
"""Source: Kubernetes 1.35 API reference, ObjectMeta."""
