"""Generate CustomResourceDefinitions from the models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..golang.yaml.sigs import dump
from ..models.dated import FORMER_SHORT_NAMES_UNTIL
from ..toolhive.profile import LATER_VERSION
from ..toolhive.release import SECOND_VERSION_SINCE, holds
from .json_schema import BOUNDS

if TYPE_CHECKING:
    from ..models.dated import Kind
    from ..toolhive.profile import Profile
    from .kind import ReadKind
    from .model import Model, ModelField, Value

_TYPES = {"object": "object", "map": "object", "list": "array"}
_API_VERSION = "Version of the schema of this object, with its group."
_KIND = "Name of the kind of this object."


def stream(kinds: list[ReadKind], profile: Profile, release: str) -> str:
    """Return the definitions of the kinds of a release as a YAML stream, sorted by name."""
    definitions = sorted(
        (definition(read, profile, release) for read in kinds), key=lambda crd: str(crd["metadata"]["name"])
    )
    return "---\n".join(dump(crd) for crd in definitions)


def definition(read: ReadKind, profile: Profile, release: str) -> dict[str, Any]:
    """Return the CustomResourceDefinition of one kind, with a structural schema and a status subresource.

    Args:
        read: Kind with its models, read for the release.
        profile: Names and API group of the edition.
        release: Operator release, which determines the served and the deprecated versions.

    Source: Kubernetes, "Extend the Kubernetes API with CustomResourceDefinitions", structural schemas.
    """
    kind = read.kind
    names: dict[str, Any] = {
        "kind": kind.name,
        "listKind": f"{kind.name}List",
        "plural": kind.plural,
        "singular": kind.name.lower(),
    }
    former = () if holds(FORMER_SHORT_NAMES_UNTIL, None, release) else kind.former_short_names
    short_names = (*kind.short_names, *former)
    if short_names:
        names["shortNames"] = list(short_names)
    names["categories"] = [profile.product]
    body: dict[str, Any] = {"schema": {"openAPIV3Schema": _object_schema(read)}, "subresources": {"status": {}}}
    columns = [column for column in kind.columns if holds(column.since, column.until, release)]
    if columns:
        body["additionalPrinterColumns"] = [
            {"name": column.name, "type": column.type, "jsonPath": column.path} for column in columns
        ]
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{kind.plural}.{profile.api_group}"},
        "spec": {
            "group": profile.api_group,
            "names": names,
            "scope": "Namespaced",
            "versions": [head | body for head in _versions(kind, profile, release)],
        },
    }


def _versions(kind: Kind, profile: Profile, release: str) -> list[dict[str, Any]]:
    first, second = profile.versions[0], LATER_VERSION
    both = holds(SECOND_VERSION_SINCE, None, release) and not kind.only_first_version
    heads: list[dict[str, Any]] = [{"name": first, "served": True, "storage": not both}]
    if both:
        group = profile.api_group
        heads[0] |= {"deprecated": True, "deprecationWarning": f"{group}/{first} is deprecated; use {second}"}
        heads.append({"name": second, "served": True, "storage": True})
    if kind.deprecated_since is not None and holds(kind.deprecated_since, None, release):
        warning = f"{kind.name} is deprecated and will be removed in a later release"
        heads = [head | {"deprecated": True, "deprecationWarning": warning} for head in heads]
    return heads


def _object_schema(read: ReadKind) -> dict[str, Any]:
    return {
        "description": read.kind.description,
        "type": "object",
        "properties": {
            "apiVersion": {"description": _API_VERSION, "type": "string"},
            "kind": {"description": _KIND, "type": "string"},
            "metadata": {"type": "object"},
        }
        | {part.key: _property(part) for part in read.parts},
    }


def _property(field: ModelField, above: tuple[Model, ...] = ()) -> dict[str, Any]:
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
    for attribute, keyword in (("format", "format"), *BOUNDS):
        bound = getattr(value, attribute)
        if bound is not None:
            out[keyword] = bound
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
        out["properties"] = {field.key: _property(field, (*above, model)) for field in model.fields}
    required = [field.key for field in model.fields if field.required]
    if required:
        out["required"] = required
    return out
