"""Hashes that the operator compares to notice that a configuration changed."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from ..golang.spew import Map, Pointer, Scalar, Slice, Struct, Type, bytes_dump, object_hash, text_hash
from ..toolhive.release import SECOND_VERSION_SINCE, holds

if TYPE_CHECKING:
    from ..workspace.resource import Resource

PATCHED_SINCE: Final = {
    "MCPAuthzConfig": "0.30.0",
    "MCPExternalAuthConfig": "0.30.0",
    "MCPOIDCConfig": "0.30.0",
    "MCPWebhookConfig": "0.27.0",
}
"""For each kind, the first release that adds the finalizer by a patch. Earlier releases, and the releases of other
kinds, write the whole object back."""


def spec_hash(resource: Resource) -> str:
    """Return the hash of a spec, as in ``status.configHash``. Only configuration kinds and MCPRegistry have it."""
    kind = type_in_release(resource.kind, resource.release)
    patched = PATCHED_SINCE.get(resource.kind)
    is_kept = patched is not None and resource.is_judged(since=patched)
    return object_hash(resource.spec if is_kept else _rewritten(resource.spec, kind), kind)


@cache
def type_in_release(kind: str, release: str) -> Struct:
    """Return the Go type of a spec in a release. Type names contain the API version that the release stores."""
    from ._spew import SPECS  # large, and few objects of a project are hashed

    struct = _type_in_release(SPECS[kind], release)
    assert isinstance(struct, Struct)
    return struct


def _type_in_release(kind: Type, release: str) -> Type:
    if isinstance(kind, Pointer):
        return Pointer(_type_in_release(kind.to, release))
    if isinstance(kind, Slice):
        return Slice(_type_in_release(kind.of, release))
    if isinstance(kind, Map):
        return Map(_type_in_release(kind.of, release))
    version = "v1beta1" if holds(SECOND_VERSION_SINCE, None, release) else "v1alpha1"
    if isinstance(kind, Scalar):
        return Scalar(_named(kind.name, version), kind.zero)
    if isinstance(kind, Struct):
        fields = (field for field in kind.fields if holds(field.since, None, release))
        return Struct(
            _named(kind.name, version),
            tuple(field._replace(type=_type_in_release(field.type, release)) for field in fields),
        )
    return kind


def _named(name: str, version: str) -> str:
    package, dot, rest = name.partition(".")
    return f"{version}{dot}{rest}" if package == "v1alpha1" else name


def bytes_hash(data: bytes) -> str:
    """Return the hash of ``data`` with which the operator marks the ConfigMap of an MCPRegistry."""
    return text_hash(bytes_dump(data))


def _rewritten(value: Any, kind: Type) -> Any:
    """Return a value without empty lists and maps, which disappear when the operator writes an object back."""
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
        return kept | {
            key: item for embedded_type in embedded for key, item in _rewritten(value, embedded_type).items()
        }
    return value
