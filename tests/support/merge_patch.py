"""JSON merge patches, in which examples of records are written."""

from __future__ import annotations

from typing import Any


def merged(document: Any, patch: Any) -> Any:
    """Return a document with a JSON merge patch applied (RFC 7396)."""
    if not isinstance(patch, dict):
        return patch
    out = dict(document) if isinstance(document, dict) else {}
    for key, value in patch.items():
        if value is None:
            out.pop(key, None)
        else:
            out[key] = merged(out.get(key), value)
    return out
