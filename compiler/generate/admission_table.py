"""Generate the table for the checks of the API server from the models.

The table is one Python literal: a tuple of shapes that refer to each other by index. ``compiler/admission/shape.py``
documents the shapes, and builds the checks only of those that a document uses. A second table continues the first with
the shapes that only later releases have.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from .model import Model, ModelField, Value, plain_default

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..models.declare import Cel

_HAS = re.compile(r"\bhas\([^()]*\)")
FORMATS = ("duration", "uri")
"""String formats that the API server checks and that kinds use."""
_MENTION = re.compile(r"\bself((?:\.[A-Za-z_]\w*)+)(\s*\()?")


class TableWriter:
    """Collects the shapes of kinds and file formats without duplicates."""

    def __init__(self, rule_names: dict[tuple[str, str], str]) -> None:
        """Set the names of the functions for CEL rules, by value type and rule text; see `cel_module.rule_names`."""
        self._rule_names = rule_names
        self._positions: dict[Any, int] = {}
        self._in_progress: set[tuple[int, bool]] = set()
        self._models: list[Model] = []  # keeps them alive, since positions are stored by id()
        self.shapes: list[tuple[Any, ...]] = []

    def kind(self, parts: tuple[ModelField, ...]) -> int:
        """Add the shape of a kind whose spec and status are ``parts``. Return the index of the shape in the table."""
        text = self._add(("string", (), None, None, None))
        spec, status = (self._position(part.value) for part in parts)
        fields = (
            ("apiVersion", text),
            ("kind", text),
            ("metadata", self._add(("metadata",))),
            ("spec", spec),
            ("status", self._add(("status", status))),
        )
        return self._add(("object", "", fields, ("metadata",), (), False, ()))

    def file(self, model: Model) -> int:
        """Add the shape of a file format whose files contain one object. Return the index of the shape in the table."""
        return self._object(model, preserve=model.preserve)

    def _add(self, shape: tuple[Any, ...]) -> int:
        if shape not in self._positions:
            self._positions[shape] = len(self.shapes)
            self.shapes.append(shape)
        return self._positions[shape]

    def _position(self, value: Value) -> int:
        position = self._without_rules(value)
        if not value.rules:
            return position
        return self._add(("ruled", position, self._rules(value.type, value.rules)))

    def _without_rules(self, value: Value) -> int:
        if value.nullable:
            raise ValueError("the table has no word for a value that may be null")
        if value.type == "any":
            return self._add(("any",))
        if value.model is not None:
            return self._object(value.model, preserve=value.preserve)
        if value.type == "object":
            return self._add(("free",))
        if value.type == "map":
            assert value.items is not None
            bound = () if value.max_properties is None else (value.max_properties,)
            return self._add(("map", self._position(value.items), *bound))
        if value.type == "list":
            assert value.items is not None
            item = self._position(value.items)
            return self._add(("list", item, value.min_items, value.max_items, value.list_type, value.map_keys))
        if value.type == "string":
            form = (value.format,) if value.format in FORMATS else ()
            return self._add(("string", value.enum, value.pattern, value.min_length, value.max_length, *form))
        if value.type == "boolean":
            return self._add(("boolean",))
        return self._add((value.type, value.minimum, value.maximum, value.format))

    def _object(self, model: Model, *, preserve: bool) -> int:
        identity = (id(model), preserve)
        if identity in self._positions:
            return self._positions[identity]
        if identity in self._in_progress:  # the model contains itself
            self._positions[identity] = len(self.shapes)
            self.shapes.append(())
            return self._positions[identity]
        self._in_progress.add(identity)
        self._models.append(model)
        shape = (
            "object",
            model.name,
            tuple((field.key, self._position(field.value)) for field in model.fields),
            tuple(field.key for field in model.fields if field.required),
            tuple((field.key, _default(field)) for field in model.fields if field.default is not None),
            preserve,
            self._rules("object", model.rules),
        )
        if identity in self._positions:
            self.shapes[self._positions[identity]] = shape
        else:
            self._positions[identity] = self._add(shape)
        return self._positions[identity]

    def _rules(self, kind: str, rules: tuple[Cel, ...]) -> tuple[tuple[Any, ...], ...]:
        return tuple(
            (self._rule_names[kind, rule.rule], rule.rule, rule.message, rule.path, mentions(rule.rule))
            for rule in rules
        )


def mentions(rule: str) -> tuple[tuple[bool, tuple[str, ...]], ...]:
    """Return the paths below ``self`` that a CEL rule mentions, sorted, each after a flag.

    The flag is true if the rule reads the field, and false if it only tests the field with ``has``.
    """
    read = set(_paths(_HAS.sub("", rule)))
    return tuple(sorted((path in read, path) for path in {*read, *_paths(rule)}))


def _paths(rule: str) -> Iterator[tuple[str, ...]]:
    for match in _MENTION.finditer(rule):
        steps = match[1].split(".")[1:]
        yield tuple(steps[:-1] if match[2] else steps)  # the last step is a function if a parenthesis follows


def _default(field: ModelField) -> Any:
    value = plain_default(field)
    if not isinstance(value, (str, int, float, bool)):
        raise TypeError(f"{field.key}: the table holds defaults that are texts, numbers or booleans")
    return value


def dated_module(shapes: list[tuple[Any, ...]], kinds: dict[str, dict[str, int | None]]) -> str:
    """Return the text of the module with the shapes that the published release lacks.

    Args:
        kinds: The index of each kind's shape, by kind and by the release that changed the kind; ``None`` if the release
            lacks the kind. Kinds that never changed are left out.
    """
    lines = [
        '"""Generated by ``make generate``: what the API server checks in other releases. Do not edit."""',
        "",
        "from typing import Any",
        "",
        "SHAPES: tuple[tuple[Any, ...], ...] = (",
    ]
    lines += [f"    {shape!r}," for shape in shapes]
    lines += [")", "", "KINDS: dict[str, dict[str, int | None]] = {"]
    lines += [f"    {kind!r}: {positions!r}," for kind, positions in sorted(kinds.items())]
    return "\n".join([*lines, "}", ""])


def module(
    shapes: list[tuple[Any, ...]], kinds: dict[str, int], files: dict[str, int], first_version_only: frozenset[str]
) -> str:
    """Return the text of the module with the table of the published release.

    Args:
        kinds: The index of each kind's shape.
        files: The index of each file format's shape.
        first_version_only: The kinds that are not served as v1beta1.
    """
    lines = [
        '"""Generated by ``make generate``: what the API server checks. Do not edit."""',
        "",
        "from typing import Any",
        "",
        "SHAPES: tuple[tuple[Any, ...], ...] = (",
    ]
    lines += [f"    {shape!r}," for shape in shapes]
    for name, positions in (("KINDS", kinds), ("FILES", files)):
        lines += [")" if name == "KINDS" else "}", "", f"{name} = {{"]
        lines += [f"    {key!r}: {position}," for key, position in sorted(positions.items())]
    return "\n".join([*lines, "}", "", f"FIRST_VERSION_ONLY = frozenset({sorted(first_version_only)!r})", ""])
