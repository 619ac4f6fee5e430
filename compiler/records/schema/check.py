"""Validate a value against a generated JSON Schema, and return where and how it breaks the schema.

The supported keywords are those that the generated schemas use. Regular expressions have the meaning of RE2, and
numbers are exact. A union of objects is resolved by its discriminator, so a fault concerns the intended branch.
"""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ...diagnostics.named_tuple import NamedTuple
from ...diagnostics.shown import shown
from ...golang.regexp import compile_pattern
from ...golang.shape import kind_of
from ..fault import quoted
from .format import FORMATS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ...diagnostics.span import Path

BreachKind: TypeAlias = Literal["missing", "type", "value", "text", "number", "items", "skipped", "unchecked"]


class Breach(NamedTuple):
    """A constraint of the schema that a value does not satisfy.

    Attributes:
        path: The path of the value. For a missing field, the path of the object that lacks it.
        kind: The constraint: a ``missing`` field, a ``type``, an enumeration (``value``), a pattern, length or format
            (``text``), a range (``number``), or the number or uniqueness of ``items``. Two kinds are not refusals:
            ``skipped`` is a member that the schema ignores because of its key, and ``unchecked`` is a value in a
            property that ToolHive's own schema does not describe.
        message: The reason, as a clause.
        hint: The advice on what to write instead, or an empty text.
    """

    path: Path
    kind: BreachKind
    message: str
    hint: str = ""


_MISMATCHES = {
    "^https?://": "is not an http or https URL",
    "^(https?://.+)?$": "is not an http or https URL",
    "^[a-z0-9][a-z0-9-]+[a-z0-9]$": "is not made of three or more lower-case letters, digits and dashes, none of"
    " these at the ends",
}
"""The words of messages for values that do not match a pattern, by pattern."""
_PATTERN_HINTS = {
    "^https?://": "begin it with https://",
    "^(https?://.+)?$": "begin it with https://",
    "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$": "write the publisher before a slash, such as io.github.acme/weather",
    r"^[a-z0-9]([a-z0-9._-]*[a-z0-9])?(:[0-9]+)?(/[a-z0-9]([a-z0-9._-]*[a-z0-9])?)*"
    r"(:([a-zA-Z0-9][a-zA-Z0-9._-]*))?$": "write an image with a tag, such as ghcr.io/acme/weather:1.0.0",
    "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$": "write lower-case letters, digits and dashes",
}
"""The hints for values that do not match a pattern, by pattern."""
UNCHECKED = "x-unchecked"
"""The keyword of the generated schemas that marks properties which ToolHive's own schema does not describe."""
_TYPES: dict[str, tuple[str, Any]] = {
    "string": ("a string", str),
    "boolean": ("true or false", bool),
    "array": ("a list", list),
    "object": ("an object", dict),
}


@cache
def load_schema(name: str) -> dict[str, Any]:
    """Return a generated schema. The name ``registry`` reads ``schemas/registry.schema.json``."""
    from importlib.resources import files

    text = files("mcpcfg.schemas").joinpath(f"{name}.schema.json").read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def check_schema(value: Any, name: str) -> list[Breach]:
    """Return the constraints of the generated schema ``name`` that ``value`` breaks, in the order of the document."""
    schema = load_schema(name)
    return list(_Check(schema.get("$defs", {})).check(value, schema, ()))


class _Check:
    """Validates values against a schema whose references are resolved in ``definitions``."""

    __slots__ = ("_definitions",)

    def __init__(self, definitions: Mapping[str, Any]) -> None:
        self._definitions = definitions

    def check(self, value: Any, schema: Mapping[str, Any], path: Path) -> Iterator[Breach]:
        branches = schema.get("anyOf", ())
        if branches and branches[-1] == {"type": "null"}:
            if value is None:
                return
            schema = branches[0]
        reference = schema.get("$ref")
        if reference is not None:
            schema = self._definitions[reference.rpartition("/")[2]]
        if "discriminator" in schema:
            yield from self._union(value, schema, path)
            return
        wanted = schema.get("type")
        if value is None and isinstance(wanted, list):  # the reader of such a file treats null as a missing value
            return
        if wanted is not None and not _has_type(value, wanted):
            message = f"{_type_words(wanted)} is expected here, not {kind_of(value)}"
            yield Breach(path, "type", message, _type_hint(value, wanted))
            return
        if isinstance(value, str):
            yield from _check_text(value, schema, path)
        elif isinstance(value, dict):
            yield from self._object(value, schema, path)
        elif isinstance(value, list):
            yield from self._list(value, schema, path)
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            yield from _check_number(value, schema, path)

    def _union(self, value: Any, schema: Mapping[str, Any], path: Path) -> Iterator[Breach]:
        if not isinstance(value, dict):
            yield Breach(path, "type", f"an object is expected here, not {kind_of(value)}")
            return
        tag = schema["discriminator"]["propertyName"]
        tags: list[str] = []
        for branch in schema["anyOf"]:
            body = self._definitions[branch["$ref"].rpartition("/")[2]]
            words = body["properties"][tag]["enum"]
            if tag in value and value[tag] in words:
                yield from self.check(value, body, path)
                return
            tags += words
        if tag not in value:
            yield Breach(path, "missing", f'"{tag}" is missing: {quoted(tags)}')
        elif isinstance(value[tag], str):
            yield Breach((*path, tag), "value", f"{shown(value[tag])} is not one of {quoted(tags)}")
        else:
            yield Breach((*path, tag), "type", f"a string is expected here, not {kind_of(value[tag])}")

    def _object(self, value: dict[str, Any], schema: Mapping[str, Any], path: Path) -> Iterator[Breach]:
        for key in schema.get("required", ()):
            if key not in value:
                yield Breach(path, "missing", f'"{key}" is missing')
        alternatives = [branch["required"][0] for branch in schema.get("anyOf", ()) if "required" in branch]
        if alternatives and not any(key in value for key in alternatives):
            yield Breach(path, "missing", f"one of {quoted(alternatives)} is missing")
        properties = schema.get("properties", {})
        extra = schema.get("additionalProperties")
        patterns = schema.get("patternProperties")
        for key, item in value.items():
            below = (*path, key)
            if key in properties:
                breaches = self.check(item, properties[key], below)
                yield from _unchecked(breaches) if UNCHECKED in properties[key] else breaches
            elif patterns is not None:
                yield from self._pattern_property(key, item, patterns, below)
            elif isinstance(extra, dict):
                yield from self.check(item, extra, below)

    def _pattern_property(self, key: str, item: Any, patterns: Mapping[str, Any], path: Path) -> Iterator[Breach]:
        for pattern, schema in patterns.items():
            if compile_pattern(pattern).search(key):
                yield from self.check(item, schema, path)
                return
        pattern = next(iter(patterns))
        yield Breach(path, "skipped", f"the key {shown(key)} {_MISMATCHES.get(pattern, f'does not match {pattern}')}")

    def _list(self, value: list[Any], schema: Mapping[str, Any], path: Path) -> Iterator[Breach]:
        least = schema.get("minItems", 0)
        if len(value) < least:
            yield Breach(path, "items", f"at least {least} item{'s' if least != 1 else ''} must be here")
        if schema.get("uniqueItems"):
            seen: dict[str, int] = {}
            for i, item in enumerate(value):
                first = seen.setdefault(json.dumps(item, sort_keys=True), i)
                if first != i:
                    yield Breach((*path, i), "items", f"{shown(item)} is here twice, first as item {first}")
        items = schema.get("items")
        if items:
            for i, item in enumerate(value):
                yield from self.check(item, items, (*path, i))


def _unchecked(breaches: Iterable[Breach]) -> Iterator[Breach]:
    for breach in breaches:
        if breach.kind != "type":
            yield breach._replace(kind="unchecked")


def _check_text(value: str, schema: Mapping[str, Any], path: Path) -> Iterator[Breach]:
    words = schema.get("enum")
    if words is not None and value not in words:
        yield Breach(path, "value", f"{shown(value)} is not one of {quoted(words)}")
    refused = schema.get("not")
    if refused is not None and value in refused["enum"]:
        yield Breach(path, "value", f"{shown(value)} is not allowed here")
    length = len(value)
    if length < schema.get("minLength", 0):
        few = f"{shown(value)} is shorter than {schema['minLength']} characters" if value else "the text is empty"
        yield Breach(path, "text", few, "write a text here, or remove the key" if not value else "write a longer text")
    if length > schema.get("maxLength", length):
        hint = f"shorten it to {schema['maxLength']} characters"
        yield Breach(path, "text", f"{length} characters are more than {schema['maxLength']}", hint)
    pattern = schema.get("pattern")
    if pattern is not None and not compile_pattern(pattern).search(value):
        message = f"{shown(value)} {_MISMATCHES.get(pattern) or _pattern_mismatch(schema)}"
        yield Breach(path, "text", message, _PATTERN_HINTS.get(pattern, "write a text of that form"))
    name = schema.get("format")
    if name in FORMATS and not FORMATS[name][0](value):
        yield Breach(path, "text", f"{shown(value)} is not {FORMATS[name][1]}", f"write {FORMATS[name][1]}")
    branches = schema.get("anyOf")
    if branches is not None and all(list(_check_text(value, branch, path)) for branch in branches):
        message = f"{shown(value)} is neither a host name nor a domain with a leading dot"
        yield Breach(path, "text", message, "write a host name without scheme and path")


def _pattern_mismatch(schema: Mapping[str, Any]) -> str:
    if schema.get("maximum"):
        return f"is not a number from {schema['minimum']} to {schema['maximum']}"
    return f"does not match {schema['pattern']}"


def _check_number(value: float, schema: Mapping[str, Any], path: Path) -> Iterator[Breach]:
    if value < schema.get("minimum", value):
        yield Breach(path, "number", f"{value} is less than {schema['minimum']}")
    if value > schema.get("maximum", value):
        yield Breach(path, "number", f"{value} is more than {schema['maximum']}")


def _has_type(value: Any, wanted: str | list[str]) -> bool:
    if isinstance(wanted, list):
        return any(_has_type(value, word) for word in wanted)
    if wanted == "null":
        return value is None
    if wanted in _TYPES:
        return isinstance(value, _TYPES[wanted][1])
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return wanted == "number" or isinstance(value, int) or value.is_integer()


def _type_words(wanted: str | list[str]) -> str:
    if isinstance(wanted, list):
        return _type_words(wanted[0])
    return {"integer": "a whole number", "number": "a number"}.get(wanted) or _TYPES[wanted][0]


def _type_hint(value: Any, wanted: str | list[str]) -> str:
    types = [wanted] if isinstance(wanted, str) else wanted
    if "string" in types and isinstance(value, (bool, int, float)):
        return "write it in quotes"
    if isinstance(value, str) and not {"integer", "number", "boolean"}.isdisjoint(types):
        return f"write {_type_words(wanted)} without quotes"
    if "array" in types:
        return "write it as a list, in brackets"
    if value is None:
        return "write a value, or remove the key"
    return f"write {_type_words(wanted)}"
