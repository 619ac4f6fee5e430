"""Compare the CustomResourceDefinitions of a release with those that the models generate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from ..diagnostics.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ..models.output import CrdChange

Crds: TypeAlias = "Mapping[str, Mapping[str, Any]]"
"""CustomResourceDefinitions by kind."""
Change: TypeAlias = "CrdChange | Literal['missing kind']"
"""What differs. A report for users has no missing kind, because it is about the kinds of their CRDs."""

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
_RULES: Final = "x-kubernetes-validations"
_UNSORTED: Final = ("shortNames", "categories")
"""Lists whose order has no meaning."""


class SchemaNode(NamedTuple):
    """A schema within a definition.

    Attributes:
        facts: Keywords of the schema, without nested schemas, descriptions and rules.
        required: True if the enclosing object requires the field.
        description: Description of the schema, or an empty text.
        rules: The message of each CEL rule, by its expression.
    """

    facts: dict[str, Any]
    required: bool
    description: str
    rules: dict[str, str]


class Difference(NamedTuple):
    """One difference between the CRD of a kind and the CRD that the models generate.

    Attributes:
        path: Path of the schema, such as ``.spec.image``; empty for the whole definition.
        name: The keyword, for the change ``other keyword``.
        before: The value of a keyword, or the expression of a rule, in the models; ``None`` for nothing.
        after: The same in the CRD.
        node: The schema in the CRD; ``None`` if the CRD lacks it.
        is_nested: True for a field below another new field.
    """

    kind: str
    path: str
    change: Change
    name: str = ""
    before: Any = None
    after: Any = None
    node: SchemaNode | None = None
    is_nested: bool = False

    @property
    def is_new(self) -> bool:
        """True if the models do not know it; false if the CRD only lacks something that the models have."""
        return not self.change.startswith("missing") and self.change != "optional"


def differences(shipped: Crds, given: Crds) -> Iterator[Difference]:
    """Yield the differences between two sets of CRDs, sorted by kind.

    Args:
        shipped: Definitions that the release ships, by kind.
        given: Definitions that are generated from the models, by kind.
    """
    for kind in sorted(shipped.keys() - given):
        names = shipped[kind]["spec"]["names"]
        yield Difference(kind, "", "new kind", after=names)
    for kind in sorted(given.keys() - shipped):
        yield Difference(kind, "", "missing kind")
    for kind in sorted(shipped):
        old = places(given[kind]) if kind in given else {}
        yield from _changes(kind, old, places(shipped[kind]))


def missing(shipped: Crds, given: Crds, release: str) -> Iterator[str]:
    """Yield a line with the path of each declaration that must be added or changed to model a release.

    Args:
        shipped: Definitions that the release ships, by kind.
        given: Definitions that are generated from the models, by kind.
        release: Release that the new declarations name as their first one.
    """
    for difference in differences(shipped, given):
        yield f"{difference.kind}{difference.path}: {declaration_of(difference, release)}"


def declaration_of(difference: Difference, release: str) -> str:  # noqa: PLR0911 - one for each change
    """Return the declaration that the models lack, or what the release no longer has."""
    change, before, after = difference.change, difference.before, difference.after
    match change:
        case "new kind":
            return f"Kind(plural={after.get('plural')!r}, short_names={after.get('shortNames', [])}, since={release!r})"
        case "missing kind":
            return "the release no longer has the kind"
        case "new field":
            assert difference.node is not None
            return _declaration(difference.node, "" if difference.is_nested else f"Since({release!r})")
        case "missing field":
            return f"Until({release!r})"
        case "required" | "optional":
            return f"During(Required, {'since' if change == 'required' else 'until'}={release!r})"
        case "new values":
            return f"ValuesSince({release!r}, {', '.join(map(repr, after))})"
        case "missing values":
            return f"no longer allows {before}"
        case "new rule":
            return f"Cel({after!r}, since={release!r})"
        case "missing rule":
            return f"Cel({before!r}, until={release!r})"
        case "other keyword":
            return f"{word(difference.name, after)} from {release} on, {word(difference.name, before)} before"


def _changes(kind: str, old: dict[str, SchemaNode], new: dict[str, SchemaNode]) -> Iterator[Difference]:
    for path, node in new.items():
        if path not in old:
            if path:  # a new kind is one difference, which its names describe
                above = path[:-2] if path.endswith(("[]", "{}")) else path.rpartition(".")[0]
                is_nested = not old or above not in old
                yield Difference(kind, path, "new field", node=node, is_nested=is_nested)
        else:
            yield from _facts(kind, path, old[path], node)
    yield from (Difference(kind, path, "missing field") for path in old if path not in new)


def _facts(kind: str, path: str, old: SchemaNode, new: SchemaNode) -> Iterator[Difference]:
    if old.required != new.required:
        yield Difference(kind, path, "required" if new.required else "optional", node=new)
    for name in sorted(old.facts.keys() | new.facts):
        before, after = old.facts.get(name), new.facts.get(name)
        if before == after:
            continue
        if name == "enum" and isinstance(before, list) and isinstance(after, list):
            added = [value for value in after if value not in before]
            removed = [value for value in before if value not in after]
            if added:
                yield Difference(kind, path, "new values", after=added, node=new)
            if removed:
                yield Difference(kind, path, "missing values", before=removed, node=new)
        else:
            yield Difference(kind, path, "other keyword", name, before, after, new)
    for rule in new.rules:
        if rule not in old.rules:
            yield Difference(kind, path, "new rule", after=rule, node=new)
    for rule in old.rules:
        if rule not in new.rules:
            yield Difference(kind, path, "missing rule", before=rule, node=new)


def _declaration(node: SchemaNode, dated: str) -> str:
    facts = [word(name, value) for name, value in node.facts.items() if name not in {"type", "enum"}]
    facts += [f"Cel({rule!r})" for rule in node.rules]
    enum = node.facts.get("enum")
    kind = node.facts.get("type", "any")
    type_ = f"Literal[{', '.join(map(repr, enum))}]" if enum else _TYPES.get(kind, kind)
    text = f"Annotated[{', '.join([type_, *facts, *([dated] if dated else [])])}]"
    return f"Required[{text}]" if node.required else text


def word(name: str, value: Any) -> str:
    """Return the annotation for a keyword of a schema, as Python."""
    if value is None:
        return f"no {name}"
    if name == "x-kubernetes-list-type" and value in _LISTS:
        return _LISTS[value]
    if name == "default" and isinstance(value, bool):
        return f"Default(value={value!r})"
    return f"{_WORDS.get(name, name)}({value!r})"


def places(crd: Mapping[str, Any]) -> dict[str, SchemaNode]:
    """Return the schemas in the last version of a definition, by path such as ``.spec.image``.

    The empty path has the names, the versions and the printed columns of the definition.
    """
    spec = crd["spec"]
    version = spec["versions"][-1]
    names = {
        f"names.{key}": sorted(value, key=str) if key in _UNSORTED else value for key, value in spec["names"].items()
    }
    columns = version.get("additionalPrinterColumns", ())
    facts = {
        **names,
        **{f"columns.{column['name']}": _plain(column) for column in columns},
        "scope": spec.get("scope"),
        "versions": [
            {key: version_.get(key, False) for key in ("name", "storage", "deprecated")}
            for version_ in spec["versions"]
        ],
    }
    root = SchemaNode(facts, required=False, description="", rules={})
    return {"": root} | dict(_walk(version["schema"]["openAPIV3Schema"], "", required=False))


def _plain(column: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in column.items() if key not in ("description", "priority") or value == 1}


def _walk(schema: Mapping[str, Any], path: str, *, required: bool) -> Iterator[tuple[str, SchemaNode]]:
    facts = {key: value for key, value in schema.items() if key not in {*_INSIDE, "required", "description", _RULES}}
    description = str(schema.get("description", ""))
    if path:
        yield path, SchemaNode(facts, required, description, _messages(schema.get(_RULES, ())))
    for name, inner in schema.get("properties", {}).items():
        yield from _walk(inner, f"{path}.{name}", required=name in schema.get("required", ()))
    for keyword, mark in (("items", "[]"), ("additionalProperties", "{}")):
        if isinstance(schema.get(keyword), dict):
            yield from _walk(schema[keyword], path + mark, required=False)


def _messages(rules: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    return {rule["rule"]: str(rule.get("message", "")) for rule in rules}
