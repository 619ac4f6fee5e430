"""Access to what ``make generate`` wrote: reference fields, Go types, schemas and CRDs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ..compiler.golang.spew import Struct

_FOLDER = os.path.dirname(os.path.abspath(__file__))
_SUFFIX = ".schema.json"


class ReferenceField(NamedTuple):
    """A field that names another object.

    Attributes:
        steps: From the root of the object to the text that is the name; ``*`` stands for each item of a list or value
            of a map.
        kind: The kind that it names.
        key: The field beside it that names a key of a Secret or ConfigMap.
        key_default: The key that counts where that field is missing or empty.
        when: A field beside it, and the text that it must hold for the name to be a reference.
    """

    steps: tuple[str, ...]
    kind: str
    key: str | None
    key_default: str | None
    when: tuple[str, str] | None


_references: dict[str, tuple[ReferenceField, ...]] = {}


def reference_fields(kind: str) -> tuple[ReferenceField, ...]:
    """Return the fields of ``kind`` that name other objects, in the order of declaration; none for other kinds."""
    known = _references.get(kind)
    if known is None:
        from ._reference import REFERENCES

        known = _references[kind] = tuple(ReferenceField(*row) for row in REFERENCES.get(kind, ()))
    return known


def spec_type(kind: str) -> Struct:
    """Return the Go type of the spec of a kind that the operator hashes; a ``KeyError`` is a slip of ours."""
    from ._spew import SPECS

    return SPECS[kind]


def schema_names() -> tuple[str, ...]:
    """Name the kinds, their lists and the file formats that have a JSON Schema, sorted."""
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in os.listdir(_FOLDER) if name.endswith(_SUFFIX)))


def schema_text(name: str) -> str | None:
    """Return the JSON Schema of a kind, a list of a kind or a file format; ``None`` where ``name`` is none of them."""
    return _text(name + _SUFFIX) if name in schema_names() else None


def crd_text() -> str:
    """Return the CustomResourceDefinitions of all kinds, a YAML stream sorted by name."""
    return _text("crds.yaml")


def _text(file: str) -> str:
    with open(os.path.join(_FOLDER, file), encoding="utf-8") as stream:
        return stream.read()
