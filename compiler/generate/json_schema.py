"""Generate JSON Schemas, draft 2020-12, from the models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .model import Model, ModelField, Value, models_below
from .schema_file import SINCE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..models.declare import Cel

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_TYPES = {
    "object": "object",
    "map": "object",
    "list": "array",
    "string": "string",
    "integer": "integer",
    "number": "number",
    "boolean": "boolean",
}
BOUNDS = (
    ("pattern", "pattern"),
    ("minimum", "minimum"),
    ("maximum", "maximum"),
    ("min_length", "minLength"),
    ("max_length", "maxLength"),
    ("min_items", "minItems"),
    ("max_items", "maxItems"),
    ("max_properties", "maxProperties"),
)
UNCHECKED = "x-unchecked"
"""Keyword for a field that ToolHive's own schema does not describe."""
DURATION = r"^[+]?(0|(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$"
"""A Go duration that is not negative. Go also accepts negative durations, but no field allows them."""
FORMATS: dict[str, dict[str, Any]] = {
    "allowed-host": {"anyOf": [{"format": "hostname"}, {"pattern": r"^\.[a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?$"}]}
}
"""The keywords for formats of the models that JSON Schema does not define."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The strictness of the program that reads a file.

    Attributes:
        exact: True if the reader checks everything that the model declares. False for Go programs: while reading, they
            only check names and types, and a schema cannot express their later checks.
        closed: True if the reader refuses fields that the model does not have.
        defaulted: True if defaults are set before required fields are checked.
        yaml: True if the reader is the YAML library of Go: every scalar is accepted as a string, null counts as
            missing, and durations have the syntax of Go. CEL is not evaluated.
    """

    exact: bool = True
    closed: bool = True
    defaulted: bool = False
    yaml: bool = False


def schema_file(name: str) -> str:
    """Return the file name of a schema, which is also its ``$id``, so references between schemas are relative."""
    return f"{name}.schema.json"


def file_schema(
    name: str,
    model: Model,
    reading: Reading,
    *,
    title: str | None = None,
    demands: Mapping[str, Mapping[str, Any]] | None = None,
) -> dict[str, Any]:
    """Return the JSON Schema of a file that contains one object.

    Args:
        reading: Strictness of the reader.
        title: Title, if it differs from the name.
        demands: JSON Schema keywords that replace those of a model, by model name.
    """
    writer = _SchemaWriter(reading)
    head = _head(name, model.description, title=title)
    schema = writer.definition(model) | writer.definitions([value.value for value in model.fields])
    for demanded, keywords in (demands or {}).items():
        definition = schema if demanded == model.name else schema["$defs"][demanded]
        stated = keywords.get("properties", {})
        properties = {key: value | stated.get(key, {}) for key, value in definition["properties"].items()}
        definition |= {**keywords, "properties": properties}
    return head | schema


def with_nulls(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema whose lists and objects may also be null, because Go writes a nil list or map as null."""
    definitions = {name: _nullable(definition) for name, definition in schema.get("$defs", {}).items()}
    return _nullable(schema) | ({"$defs": definitions} if definitions else {})


def _nullable(schema: dict[str, Any]) -> dict[str, Any]:
    properties = schema.get("properties", {})
    return schema | {"properties": {key: _or_null(property_) for key, property_ in properties.items()}}


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    if schema.get("type") not in {"array", "object"} and "$ref" not in schema:
        return schema
    outside = {key: schema[key] for key in ("description", "deprecated") if key in schema}
    inside = {key: value for key, value in schema.items() if key not in outside}
    return outside | {"anyOf": [inside, {"type": "null"}]}


def kind_schema(
    name: str,
    description: str,
    parts: Sequence[ModelField],
    metadata: dict[str, Any],
    api_versions: Sequence[str],
    since: str | None = None,
) -> dict[str, Any]:
    """Return the JSON Schema of the resources of one kind.

    Args:
        parts: Fields besides ``apiVersion``, ``kind`` and ``metadata``.
        since: Release that added the kind; ``None`` if all modelled releases have it.
    """
    writer = _SchemaWriter(Reading(defaulted=True))
    properties: dict[str, Any] = {
        "apiVersion": {"description": "Group and version of the kind.", "enum": list(api_versions)},
        "kind": {"description": "Name of the kind.", "const": name},
        "metadata": metadata,
    }
    properties |= {part.key: writer.property(part) for part in parts}
    return (
        _head(name, description)
        | _dated(since)
        | {
            "type": "object",
            "required": ["apiVersion", "kind", "metadata"],
            "properties": properties,
            "additionalProperties": False,
        }
        | writer.definitions([part.value for part in parts])
    )


def list_schema(name: str, api_versions: Sequence[str]) -> dict[str, Any]:
    """Return the JSON Schema of a list of resources of the kind ``name``. Its items refer to the schema of the kind."""
    return _head(f"{name}List", f"A list of {name} resources.") | {
        "type": "object",
        "required": ["apiVersion", "kind", "items"],
        "properties": {
            "apiVersion": {"description": "Group and version of the kind.", "enum": list(api_versions)},
            "kind": {"description": "Name of the kind of the list.", "const": f"{name}List"},
            "metadata": {"description": "Metadata of the list.", "type": "object"},
            "items": {"description": "The resources.", "type": "array", "items": {"$ref": schema_file(name)}},
        },
        "additionalProperties": False,
    }


def _dated(since: str | None) -> dict[str, Any]:
    return {SINCE: since} if since else {}


def _head(name: str, description: str, *, title: str | None = None) -> dict[str, Any]:
    return {"$schema": DIALECT, "$id": schema_file(name), "title": title or name, "description": description}


class _SchemaWriter:
    """Writes the JSON Schema definitions of models as one `Reading` requires."""

    def __init__(self, reading: Reading) -> None:
        self._exact = reading.exact
        self._closed = reading.closed
        self._defaulted = reading.defaulted
        self._yaml = reading.yaml

    def demands(self, field: ModelField) -> bool:
        return field.required and not (self._defaulted and field.default is not None)

    def definitions(self, roots: Sequence[Value]) -> dict[str, Any]:
        models = models_below(*roots)
        names = [model.name for model in models]
        if len(names) != len(set(names)):
            twice = sorted({name for name in names if names.count(name) > 1})
            raise ValueError(f"two models of one name below one schema: {', '.join(twice)}")
        definitions = {model.name: self.definition(model) for model in sorted(models, key=lambda model_: model_.name)}
        return {"$defs": definitions} if definitions else {}

    def definition(self, model: Model) -> dict[str, Any]:
        out: dict[str, Any] = {"description": model.description} | self._type_schema("object")
        required = [field.key for field in model.fields if self.demands(field)]
        if required and self._exact:
            out["required"] = required
        out["properties"] = {field.key: self.property(field) for field in model.fields}
        if model.alternatives:
            out["anyOf"] = [{"required": [key]} for key in model.alternatives]
        if model.others is not None:
            out["additionalProperties"] = self._value(model.others)
        elif self._closed:
            out["additionalProperties"] = model.preserve
        return out | self._rules(model.rules)

    def property(self, field: ModelField) -> dict[str, Any]:
        out: dict[str, Any] = {"description": field.description} | _dated(field.since)
        if field.deprecated:
            out["description"] += f"\n\nDeprecated: {field.deprecated}"
            out["deprecated"] = True
        if field.value.unchecked:
            return out | self._unchecked(field.value)
        out |= self._value(field.value)
        if field.default is not None:
            out["default"] = field.default.value
        return out

    def _unchecked(self, value: Value) -> dict[str, Any]:
        return {UNCHECKED: True} | self._type(value)

    def _value(self, value: Value) -> dict[str, Any]:
        out = self._type(value)
        if value.enum:
            out["enum" if self._exact else "examples"] = list(value.enum)
        if self._exact:
            out |= {
                keyword: getattr(value, attribute)
                for attribute, keyword in BOUNDS
                if getattr(value, attribute) is not None
            }
            if value.pattern is not None:
                out["pattern"] = value.pattern.replace("[:space:]", r"\s")  # JSON Schema has no POSIX classes
            out |= FORMATS.get(value.format or "", {"format": value.format} if value.format else {})
        if self._yaml and value.duration:
            out |= {"type": ["string", "integer"], "pattern": DURATION, "minimum": 0, "maximum": 0}
        if value.forbidden:
            out["not"] = {"enum": list(value.forbidden)}
        if value.items is not None:
            out |= self._items(value, value.items)
        out |= self._list_type(value) | self._rules(value.rules)
        return {"anyOf": [out, {"type": "null"}]} if value.nullable else out

    def _type(self, value: Value) -> dict[str, Any]:
        if value.branches:
            branches = [{"$ref": f"#/$defs/{model.name}"} for model in value.branches]
            return {"anyOf": branches, "discriminator": {"propertyName": value.tag}}
        if value.model is not None:
            if value.preserve and not value.model.preserve:  # only this use of the model allows other fields
                return self.definition(value.model) | {"additionalProperties": True}
            return {"$ref": f"#/$defs/{value.model.name}"}
        if value.nanoseconds == "text":
            return {"type": ["string", "integer"]}
        return {} if value.type == "any" else self._type_schema(_TYPES[value.type], words=value.enum)

    def _type_schema(self, name: str, *, words: Sequence[str] = ()) -> dict[str, Any]:
        if self._yaml and name in {"object", "array"}:
            return {"type": [name, "null"]}
        if self._yaml and name == "string" and not words:
            return {"type": ["string", "number", "boolean"]}
        return {"type": name}

    def _items(self, value: Value, item: Value) -> dict[str, Any]:
        described = ({"description": item.description} if item.description else {}) | self._value(item)
        if value.key_pattern is not None:
            return {"patternProperties": {value.key_pattern: described}}
        return {"items" if value.type == "list" else "additionalProperties": described}

    def _rules(self, rules: Sequence[Cel]) -> dict[str, Any]:
        if not rules or not self._exact or self._yaml:
            return {}
        return {"x-kubernetes-validations": [{"rule": rule.rule, "message": rule.message} for rule in rules]}

    def _list_type(self, value: Value) -> dict[str, Any]:
        if value.type != "list" or not self._exact:
            return {}
        if value.list_type == "set":
            return {"uniqueItems": True}
        if value.list_type == "map":
            return {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": list(value.map_keys)}
        return {}
