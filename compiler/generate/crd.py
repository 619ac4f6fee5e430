"""Models to the CustomResourceDefinitions that an API server installs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .model import Field, Model, Value

_TYPES = {"object": "object", "map": "object", "list": "array"}
_BOUNDS = (
    ("pattern", "pattern"),
    ("format", "format"),
    ("minimum", "minimum"),
    ("maximum", "maximum"),
    ("min_length", "minLength"),
    ("max_length", "maxLength"),
    ("min_items", "minItems"),
    ("max_items", "maxItems"),
)
_API_VERSION = "Version of the schema of this object, with its group."
_KIND = "Name of the kind of this object."


def definition(  # noqa: PLR0913 - each argument is one fact of a definition
    *,
    group: str,
    version: str,
    name: str,
    plural: str,
    short_names: tuple[str, ...],
    categories: tuple[str, ...],
    columns: tuple[tuple[str, str, str], ...],
    description: str,
    parts: tuple[Field, ...],
) -> dict[str, Any]:
    """Write one kind as a CustomResourceDefinition with a structural schema and a status subresource.

    Source: Kubernetes, "Extend the Kubernetes API with CustomResourceDefinitions", structural schemas.
    """
    names: dict[str, Any] = {"kind": name, "listKind": f"{name}List", "plural": plural, "singular": name.lower()}
    if short_names:
        names["shortNames"] = list(short_names)
    if categories:
        names["categories"] = list(categories)
    schema: dict[str, Any] = {
        "description": description,
        "type": "object",
        "properties": {
            "apiVersion": {"description": _API_VERSION, "type": "string"},
            "kind": {"description": _KIND, "type": "string"},
            "metadata": {"type": "object"},
        }
        | {part.key: _property(part) for part in parts},
    }
    required = [part.key for part in parts if part.required]
    if required:
        schema["required"] = required
    served: dict[str, Any] = {
        "name": version,
        "served": True,
        "storage": True,
        "schema": {"openAPIV3Schema": schema},
        "subresources": {"status": {}},
    }
    if columns:
        served["additionalPrinterColumns"] = [
            {"name": title, "type": kind, "jsonPath": path} for title, kind, path in columns
        ]
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{group}"},
        "spec": {"group": group, "names": names, "scope": "Namespaced", "versions": [served]},
    }


def _property(field: Field, above: tuple[Model, ...] = ()) -> dict[str, Any]:
    out = _schema(field.value, above)
    out["description"] = field.description + (f"\n\nDeprecated: {field.deprecated}" if field.deprecated else "")
    if field.default is not None:
        out["default"] = field.default.value
    return out


def _schema(value: Value, above: tuple[Model, ...]) -> dict[str, Any]:
    if value.type == "any":
        return {"x-kubernetes-preserve-unknown-fields": True}
    out: dict[str, Any] = {"type": _TYPES.get(value.type, value.type)}
    if value.enum:
        out["enum"] = list(value.enum)
    for ours, theirs in _BOUNDS:
        bound = getattr(value, ours)
        if bound is not None:
            out[theirs] = bound
    if value.nullable:
        out["nullable"] = True
    if value.preserve:
        out["x-kubernetes-preserve-unknown-fields"] = True
    if value.model is not None:
        out |= _object(value.model, above)
    elif value.type == "map":
        assert value.items is not None
        out["additionalProperties"] = _schema(value.items, above)
    elif value.type == "list":
        assert value.items is not None
        out["items"] = _schema(value.items, above)
    if value.list_type and value.type == "list":
        out["x-kubernetes-list-type"] = value.list_type
        if value.map_keys:
            out["x-kubernetes-list-map-keys"] = list(value.map_keys)
    elif value.list_type == "atomic":
        out["x-kubernetes-map-type"] = "atomic"
    rules = (*value.rules, *(value.model.rules if value.model is not None else ()))
    if rules:
        out["x-kubernetes-validations"] = [{"rule": rule.rule, "message": rule.message} for rule in rules]
    return out


def _object(model: Model, above: tuple[Model, ...]) -> dict[str, Any]:
    if model in above:
        raise ValueError(f"{model.name} contains itself: a structural schema cannot say so")
    out: dict[str, Any] = {"description": model.description}
    if model.fields:
        out["properties"] = {one.key: _property(one, (*above, model)) for one in model.fields}
    required = [one.key for one in model.fields if one.required]
    if required:
        out["required"] = required
    return out
