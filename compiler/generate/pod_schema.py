"""Generate the JSON Schema of the pod template from the table of Go structs. It only has names and types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..kube.field_table import struct, struct_names

if TYPE_CHECKING:
    from ..kube.field_table import StructField

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
"""JSON types of Go types: scalars, and structs that JSON writes as a scalar or as any object."""


def definitions() -> dict[str, Any]:
    """Return the schemas of all structs inside the pod template, by name: the ``$defs`` for `TEMPLATE`."""
    schemas: dict[str, Any] = {}
    for name in struct_names():
        struct_ = struct(name)
        fields = struct_.fields if struct_ is not None else ()
        schemas[f"pod.{name}"] = {"type": "object", "properties": {field.name: _schema(field) for field in fields}}
    return schemas


def _schema(field: StructField) -> dict[str, Any]:
    type_ = _TYPES.get(field.kind)
    value: dict[str, Any] = {"$ref": f"#/$defs/pod.{field.kind}"} if type_ is None else {"type": type_}
    if field.shape == "list":
        return {"type": "array", "items": value}
    return {"type": "object", "additionalProperties": value} if field.shape == "map" else value
