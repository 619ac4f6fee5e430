"""Models to JSON Schema, draft 2020-12: what editors and other tools check by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...schemas.generated import SINCE
from .model import Field, Model, Value, models_below

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
_BOUNDS = (
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
"""Marks a field that the schema of the program itself does not describe."""
DURATION = r"^[+]?(0|(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$"
"""A duration as Go reads it; one below zero, which Go reads too, is nowhere of use."""
FORMATS: dict[str, dict[str, Any]] = {
    "allowed-host": {"anyOf": [{"format": "hostname"}, {"pattern": r"^\.[a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?$"}]},
}
"""Formats of the models that JSON Schema has no name for."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How strictly a file is read.

    Attributes:
        exact: What the model requires and allows is what the reader requires and allows. Go programs know names and
            types alone: their own checks cover more than a schema can.
        closed: The reader refuses fields that the model does not have.
        defaulted: Defaults are filled in before anything is required.
        yaml: The reader is Go's YAML library: every scalar fits a text, null is none, and a duration is read as Go
            reads it. CEL is not evaluated.
    """

    exact: bool = True
    closed: bool = True
    defaulted: bool = False
    yaml: bool = False


def schema_file(name: str) -> str:
    """Name the file of a schema, which is also its ``$id``: references between them are relative."""
    return f"{name}.schema.json"


def file_schema(
    name: str,
    model: Model,
    reading: Reading,
    *,
    title: str | None = None,
    demands: Mapping[str, Mapping[str, Any]] | None = None,
) -> dict[str, Any]:
    """Describe a file that holds one object.

    Args:
        name: The name of the schema.
        model: What the file holds.
        reading: How strictly it is read.
        title: Its title, where that is not the name.
        demands: Name of a model to what the reader demands of its objects where the model has it otherwise: keywords of
            JSON Schema, which take the place of the model's.
    """
    writer = _Writer(reading)
    head = _head(name, model.description, title=title)
    made = writer.definition(model) | writer.definitions([one.value for one in model.fields])
    for demanded, keywords in (demands or {}).items():
        of_model = made if demanded == model.name else made["$defs"][demanded]
        own = keywords.get("properties", {})
        properties = {key: one | own.get(key, {}) for key, one in of_model["properties"].items()}
        of_model |= {**keywords, "properties": properties}
    return head | made


def with_nulls(schema: dict[str, Any]) -> dict[str, Any]:
    """Let every list and object of a schema be null too: Go takes null for none, and writes none as null."""
    definitions = {name: _nullable(one) for name, one in schema.get("$defs", {}).items()}
    return _nullable(schema) | ({"$defs": definitions} if definitions else {})


def _nullable(schema: dict[str, Any]) -> dict[str, Any]:
    properties = schema.get("properties", {})
    return schema | {"properties": {key: _or_null(one) for key, one in properties.items()}}


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    if schema.get("type") not in {"array", "object"} and "$ref" not in schema:
        return schema
    outside = {key: schema[key] for key in ("description", "deprecated") if key in schema}
    inside = {key: value for key, value in schema.items() if key not in outside}
    return outside | {"anyOf": [inside, {"type": "null"}]}


def kind_schema(
    name: str,
    description: str,
    parts: Sequence[Field],
    metadata: dict[str, Any],
    api_versions: Sequence[str],
    since: str | None = None,
) -> dict[str, Any]:
    """Describe one kind: ``parts`` are its own fields beside ``apiVersion``, ``kind`` and ``metadata``."""
    writer = _Writer(Reading(defaulted=True))
    properties: dict[str, Any] = {
        "apiVersion": {"description": "Group and version of the kind.", "enum": list(api_versions)},
        "kind": {"description": "The name of the kind.", "const": name},
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
    """Describe the list of the kind ``name``; its items are described by the schema of the kind."""
    return _head(f"{name}List", f"A list of {name} resources.") | {
        "type": "object",
        "required": ["apiVersion", "kind", "items"],
        "properties": {
            "apiVersion": {"description": "Group and version of the kind.", "enum": list(api_versions)},
            "kind": {"description": "The name of the list's kind.", "const": f"{name}List"},
            "metadata": {"description": "What Kubernetes keeps of the list.", "type": "object"},
            "items": {"description": "The resources.", "type": "array", "items": {"$ref": schema_file(name)}},
        },
        "additionalProperties": False,
    }


def _dated(since: str | None) -> dict[str, Any]:
    return {SINCE: since} if since else {}


def _head(name: str, description: str, *, title: str | None = None) -> dict[str, Any]:
    return {"$schema": DIALECT, "$id": schema_file(name), "title": title or name, "description": description}


class _Writer:
    def __init__(self, reading: Reading) -> None:
        self._exact = reading.exact
        self._closed = reading.closed
        self._defaulted = reading.defaulted
        self._yaml = reading.yaml

    def demands(self, field: Field) -> bool:
        """Return whether an object is refused without the field."""
        return field.required and not (self._defaulted and field.default is not None)

    def definitions(self, roots: Sequence[Value]) -> dict[str, Any]:
        models = models_below(*roots)
        names = [model.name for model in models]
        if len(names) != len(set(names)):
            twice = sorted({name for name in names if names.count(name) > 1})
            raise ValueError(f"two models of one name below one schema: {', '.join(twice)}")
        definitions = {model.name: self.definition(model) for model in sorted(models, key=lambda one: one.name)}
        return {"$defs": definitions} if definitions else {}

    def definition(self, model: Model) -> dict[str, Any]:
        out: dict[str, Any] = {"description": model.description} | self._of_type("object")
        required = [one.key for one in model.fields if self.demands(one)]
        if required and self._exact:
            out["required"] = required
        out["properties"] = {one.key: self.property(one) for one in model.fields}
        if model.alternatives:
            out["anyOf"] = [{"required": [key]} for key in model.alternatives]
        if model.others is not None:
            out["additionalProperties"] = self._value(model.others)
        elif self._closed:
            out["additionalProperties"] = model.preserve
        return out | self._rules(model.rules)

    def property(self, field: Field) -> dict[str, Any]:
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
        """Describe what the program's own schema does not: the program decodes it, so that its type counts."""
        return {UNCHECKED: True} | self._type(value)

    def _value(self, value: Value) -> dict[str, Any]:
        out = self._type(value)
        if value.enum:
            out["enum" if self._exact else "examples"] = list(value.enum)
        if self._exact:
            out |= {theirs: getattr(value, ours) for ours, theirs in _BOUNDS if getattr(value, ours) is not None}
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
            if value.preserve and not value.model.preserve:  # of all places of the model, only this one is open
                return self.definition(value.model) | {"additionalProperties": True}
            return {"$ref": f"#/$defs/{value.model.name}"}
        if value.nanoseconds == "text":
            return {"type": ["string", "integer"]}
        return {} if value.type == "any" else self._of_type(_TYPES[value.type], words=value.enum)

    def _of_type(self, name: str, *, words: Sequence[str] = ()) -> dict[str, Any]:
        if self._yaml and name in {"object", "array"}:
            return {"type": [name, "null"]}
        if self._yaml and name == "string" and not words:
            return {"type": ["string", "number", "boolean"]}
        return {"type": name}

    def _items(self, value: Value, held: Value) -> dict[str, Any]:
        described = ({"description": held.description} if held.description else {}) | self._value(held)
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
