"""The pod template as JSON Schema, from the table of Kubernetes' Go structs: names and types, which is all it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..kube.field_table import struct, struct_names

if TYPE_CHECKING:
    from ..kube.field_table import Field

TEMPLATE: Final = {"$ref": "#/$defs/pod.PodTemplateSpec"}
_TYPES: Final[dict[str, Any]] = {
    "string": "string",
    "bool": "boolean",
    "int32": "integer",
    "int64": "integer",
    "FieldsV1": "object",
    "IntOrString": ["integer", "string"],
    "Quantity": ["number", "string"],
    "Time": "string",
}
"""Kinds of Go, and structs that are written as something else."""


def definitions() -> dict[str, Any]:
    """Return what belongs under ``$defs`` of a schema that refers to `TEMPLATE`."""
    found: dict[str, Any] = {}
    for name in struct_names():
        own = struct(name)
        fields = own.fields if own is not None else ()
        found[f"pod.{name}"] = {"type": "object", "properties": {field.name: _schema(field) for field in fields}}
    return found


def _schema(field: Field) -> dict[str, Any]:
    known = _TYPES.get(field.kind)
    value: dict[str, Any] = {"$ref": f"#/$defs/pod.{field.kind}"} if known is None else {"type": known}
    if field.shape == "list":
        return {"type": "array", "items": value}
    return {"type": "object", "additionalProperties": value} if field.shape == "map" else value
