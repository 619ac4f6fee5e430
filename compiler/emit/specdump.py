"""Hashes by which the operator notices that a configuration changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcpcfg.compiler.golang.spew import bytes_dump, object_hash, text_hash
from mcpcfg.compiler.tables import spec_type

if TYPE_CHECKING:
    from mcpcfg.compiler.resource import Resource


def spec_hash(resource: Resource) -> str:
    """Give the hash of a whole spec, as in ``status.configHash``; of the configuration kinds and MCPRegistry only."""
    return object_hash(resource.spec, spec_type(resource.kind))


def bytes_hash(data: bytes) -> str:
    """Give the hash of bytes, as the operator marks the ConfigMap of an MCPRegistry by."""
    return text_hash(bytes_dump(data))
