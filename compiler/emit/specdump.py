"""Hashes by which the operator notices that a configuration changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...schemas.generated import spec_type
from ..golang.spew import Map, Pointer, Slice, Struct, Type, bytes_dump, object_hash, text_hash

if TYPE_CHECKING:
    from ..workspace.resource import Resource


def spec_hash(resource: Resource) -> str:
    """Return the hash of a whole spec, as in ``status.configHash``; of the configuration kinds and MCPRegistry only."""
    kind = spec_type(resource.kind)
    return object_hash(_rewritten(resource.spec, kind), kind)


def bytes_hash(data: bytes) -> str:
    """Return the hash of bytes, as the operator marks the ConfigMap of an MCPRegistry by."""
    return text_hash(bytes_dump(data))


def _rewritten(value: Any, kind: Type) -> Any:
    """Return a value as it is stored once the operator has written the object back: empty lists and maps are gone."""
    if isinstance(kind, Pointer):
        return None if value is None else _rewritten(value, kind.to)
    if isinstance(kind, (Slice, Map)):
        if not value:
            return None
        if isinstance(kind, Slice):
            return [_rewritten(item, kind.of) for item in value]
        return {key: _rewritten(item, kind.of) for key, item in value.items()}
    if isinstance(kind, Struct) and value is not None:
        kept = {
            field.key: _rewritten(value.get(field.key), field.type) for field in kind.fields if field.key is not None
        }
        embedded = (field.type for field in kind.fields if field.key is None)
        return kept | {key: item for type_ in embedded for key, item in _rewritten(value, type_).items()}
    return value
