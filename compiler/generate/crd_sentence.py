"""Say in plain English what differs between a CRD and the CRD that the models generate."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .missing import Difference, SchemaNode

_KEYWORDS: Final = {
    "minimum": "minimum",
    "maximum": "maximum",
    "minLength": "minimum length",
    "maxLength": "maximum length",
    "minItems": "minimum number of items",
    "maxItems": "maximum number of items",
    "maxProperties": "maximum number of keys",
    "x-kubernetes-list-type": "list type",
    "x-kubernetes-list-map-keys": "keys of the list",
    "x-kubernetes-map-type": "map type",
    "x-kubernetes-preserve-unknown-fields": "any fields",
    "names.shortNames": "short names",
}
"""The words for keywords of a schema whose own names are no words."""
_NESTED: Final = {"[]": "each item", "{}": "each value"}
"""The words for the schema of the items of a list, and for that of the values of a map, by the end of the path."""


def sentence(difference: Difference) -> str:  # noqa: PLR0911 - one for each change
    """Return a difference as a clause, such as ``new field: integer, minimum 1``."""
    before, after = difference.before, difference.after
    match difference.change:
        case "new kind":
            return f"new kind, for kubectl: {after.get('plural', difference.kind)}"
        case "missing kind":
            return "not in the CRDs"
        case "new field":
            assert difference.node is not None
            sort = _NESTED.get(difference.path[-2:], "new field")
            return f"{sort}: {', '.join(_facts(difference.node))}"
        case "missing field":
            return "not in the CRD"
        case "required":
            return "is required"
        case "optional":
            return "is not required"
        case "new values":
            return f"also allows {_values(after)}"
        case "missing values":
            return f"does not allow {_values(before)}"
        case "new rule":
            message = difference.node.rules.get(after, "") if difference.node is not None else ""
            return f"new rule: {_line(after)}{f' ({_line(message)})' if message else ''}"
        case "missing rule":
            return f"without the rule {_line(before)}"
        case "other keyword":
            return _keyword_clause(difference)


def path_of(difference: Difference) -> str:
    """Return the path of a difference without the kind, such as ``spec.env[].name``; empty for the whole CRD."""
    return difference.path.removeprefix(".")


def _keyword_clause(difference: Difference) -> str:
    """Return which keyword of a schema differs, as a clause with both values."""
    name = _KEYWORDS.get(difference.name, difference.name)
    name = name.replace("names.", "name: ").replace("columns.", "column ")
    before, after = difference.before, difference.after
    if after is None:
        return f"no {name}; known: {_value(before)}"
    return f"{name} {_value(after)}; known: {'none' if before is None else _value(before)}"


def _facts(node: SchemaNode) -> Iterator[str]:
    """Yield the type of a field and what else its schema says, except nested fields."""
    facts = dict(node.facts)
    yield str(facts.pop("type", "any value"))
    if node.required:
        yield "required"
    if "enum" in facts:
        yield f"one of {_values(facts.pop('enum'))}"
    for name, value in facts.items():
        yield f"{_KEYWORDS.get(name, name)} {_value(value)}"
    if node.rules:
        yield f"{len(node.rules)} rule{'s' if len(node.rules) > 1 else ''}"


def _values(values: Any) -> str:
    return ", ".join(map(_value, values)) if isinstance(values, list) else _value(values)


def _value(value: Any) -> str:
    return value if isinstance(value, str) and value.isidentifier() else json.dumps(value, ensure_ascii=False)


def _line(text: Any) -> str:
    return " ".join(str(text).split())
