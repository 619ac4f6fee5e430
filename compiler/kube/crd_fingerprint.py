"""Fingerprints of CustomResourceDefinitions, which show the release of the operator that ships a definition."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

_SORTED = ("required", "shortNames", "categories")
_WORDS = ("deprecationWarning", "description")
_ADDED = (("conversion", {"strategy": "None"}),)


def canonical(crd: Mapping[str, Any]) -> dict[str, Any]:
    """Return the content of a CustomResourceDefinition that the fingerprint covers: its name and spec.

    Descriptions, messages of CEL rules and defaults that a cluster adds are left out.
    """
    stated = {key: value for key, value in crd["spec"].items() if (key, value) not in _ADDED}
    return {"name": crd["metadata"]["name"]} | {key: _stripped(value, key) for key, value in stated.items()}


def _stripped(value: Any, key: str) -> Any:
    if isinstance(value, dict):
        if key == "properties":  # its keys are fields, whatever they are called
            return {name: _stripped(item, "") for name, item in value.items()}
        return {name: _stripped(item, name) for name, item in value.items() if name not in _WORDS}
    if key == "x-kubernetes-validations":
        return [{"rule": rule["rule"]} for rule in value]
    if isinstance(value, list):
        return sorted(value) if key in _SORTED else [_stripped(item, "") for item in value]
    return value


def digest(crd: Mapping[str, Any]) -> str:
    """Return the first 16 hexadecimal digits of the SHA-256 of a CustomResourceDefinition in `canonical` form."""
    text = json.dumps(canonical(crd), sort_keys=True, ensure_ascii=False)
    # 64 bits are enough to tell a few hundred definitions apart.
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def newest_release(crd: Mapping[str, Any]) -> str | None:
    """Return the newest release of the operator that ships a CustomResourceDefinition with the fingerprint of ``crd``.

    ``None`` means that no known release ships such a definition.
    """
    from ._fingerprint import SHIPPED

    try:
        fingerprint = digest(crd)
    except (KeyError, TypeError, AttributeError, ValueError, RecursionError):
        return None  # the form differs from every shipped CRD
    return next((row.partition(" ")[0] for row in SHIPPED.splitlines() if fingerprint in row), None)
