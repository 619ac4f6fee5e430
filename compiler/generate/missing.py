"""Compare the CustomResourceDefinitions of a release with those that the models generate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from .fingerprint import canonical

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Crds: TypeAlias = "Mapping[str, Mapping[str, Any]]"
"""CustomResourceDefinitions by kind."""

_TYPES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
_WORDS = {
    "pattern": "Pattern",
    "minimum": "Minimum",
    "maximum": "Maximum",
    "minLength": "MinLength",
    "maxLength": "MaxLength",
    "minItems": "MinItems",
    "maxItems": "MaxItems",
    "maxProperties": "MaxProperties",
    "format": "Format",
    "default": "Default",
}
_LISTS = {"atomic": "Atomic()", "set": "ListSet()"}
_INSIDE = ("properties", "items", "additionalProperties")


class _SchemaNode(NamedTuple):
    """A schema within a definition.

    Attributes:
        facts: Keywords of the schema, without nested schemas.
        required: True if the enclosing object requires the field.
    """

    facts: dict[str, Any]
    required: bool


def missing(shipped: Crds, given: Crds, release: str) -> Iterator[str]:
    """Yield a line with the path of each declaration that must be added or changed to model a release.

    Args:
        shipped: Definitions that the release ships, by kind.
        given: Definitions that are generated from the models, by kind.
        release: Release that the new declarations name as their first one.
    """
    for kind in sorted(shipped.keys() - given):
        names = shipped[kind]["spec"]["names"]
        yield f"{kind}: Kind(plural={names['plural']!r}, short_names={names.get('shortNames', [])}, since={release!r})"
    for kind in sorted(given.keys() - shipped):
        yield f"{kind}: the release no longer has the kind"
    for kind in sorted(shipped):
        old = _places(given[kind]) if kind in given else {}
        yield from _changes(kind, old, _places(shipped[kind]), release)


def _changes(kind: str, old: dict[str, _SchemaNode], new: dict[str, _SchemaNode], release: str) -> Iterator[str]:
    for path, place in new.items():
        if path not in old:
            above = path.rpartition(".")[0]
            dated = "" if old and above not in old else f"Since({release!r})"
            yield f"{kind}{path}: {_declaration(place, dated)}"
        elif place != old[path]:
            yield from (f"{kind}{path}: {change}" for change in _facts(old[path], place, release))
    yield from (f"{kind}{path}: Until({release!r})" for path in old if path not in new)


def _facts(old: _SchemaNode, new: _SchemaNode, release: str) -> Iterator[str]:
    if old.required != new.required:
        bound = "since" if new.required else "until"
        yield f"During(Required, {bound}={release!r})"
    for name in sorted(old.facts.keys() | new.facts):
        before, after = old.facts.get(name), new.facts.get(name)
        if before == after:
            continue
        if name == "enum" and before and after:
            added, removed = (
                [value_ for value_ in after if value_ not in before],
                [value_ for value_ in before if value_ not in after],
            )
            yield f"ValuesSince({release!r}, {', '.join(map(repr, added))})" if added else f"no longer allows {removed}"
        elif name == "x-kubernetes-validations":
            yield from (f"Cel({rule!r}, since={release!r})" for rule in after or () if rule not in (before or ()))
            yield from (f"Cel({rule!r}, until={release!r})" for rule in before or () if rule not in (after or ()))
        else:
            yield f"{_word(name, after)} from {release} on, {_word(name, before)} before"


def _declaration(place: _SchemaNode, dated: str) -> str:
    facts = [_word(name, value) for name, value in place.facts.items() if name not in {"type", "enum"}]
    enum = place.facts.get("enum")
    kind = place.facts.get("type", "any")
    type_ = f"Literal[{', '.join(map(repr, enum))}]" if enum else _TYPES.get(kind, kind)
    text = f"Annotated[{', '.join([type_, *facts, *([dated] if dated else [])])}]"
    return f"Required[{text}]" if place.required else text


def _word(name: str, value: Any) -> str:
    if value is None:
        return f"no {name}"
    if name == "x-kubernetes-list-type" and value in _LISTS:
        return _LISTS[value]
    return f"{_WORDS.get(name, name)}({value!r})"


def _places(crd: Mapping[str, Any]) -> dict[str, _SchemaNode]:
    """Return the schemas in the last version of a definition, by path such as ``.spec.image``.

    The empty path has the names, the versions and the printed columns of the definition.
    """
    spec = canonical(crd)
    version = spec["versions"][-1]
    facts = {
        "names": spec["names"],
        "versions": [
            {key: version_.get(key, False) for key in ("name", "storage", "deprecated")}
            for version_ in spec["versions"]
        ],
        "columns": version.get("additionalPrinterColumns", []),
    }
    return {"": _SchemaNode(facts, required=False)} | dict(
        _walk(version["schema"]["openAPIV3Schema"], "", required=False)
    )


def _walk(schema: Mapping[str, Any], path: str, *, required: bool) -> Iterator[tuple[str, _SchemaNode]]:
    facts = {key: value for key, value in schema.items() if key not in {*_INSIDE, "required"}}
    if "x-kubernetes-validations" in facts:
        facts["x-kubernetes-validations"] = [rule["rule"] for rule in facts["x-kubernetes-validations"]]
    if path:
        yield path, _SchemaNode(facts, required)
    for name, inner in schema.get("properties", {}).items():
        yield from _walk(inner, f"{path}.{name}", required=name in schema.get("required", ()))
    for word, mark in (("items", "[]"), ("additionalProperties", "{}")):
        if isinstance(schema.get(word), dict):
            yield from _walk(schema[word], path + mark, required=False)
