"""A value against one of our JSON Schemas: what does not fit, where, and of which kind.

The keywords are those that the generated schemas use. Regular expressions have RE2 meaning, numbers are exact, and a
union of objects is resolved by its discriminator, so that a fault is reported against the branch that was meant.
"""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

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
    """One place where a value does not fit the schema.

    Attributes:
        path: Where; for a missing field the object that lacks it.
        kind: ``missing`` field, ``type``, ``value`` outside an enumeration, ``text`` outside a pattern, length or
            format, ``number`` out of range, ``items`` too few or repeated, ``skipped``: an entry whose key the schema
            looks at no further, and ``unchecked``: a value that it does not look at, which are no refusals.
        message: One clause.
    """

    path: Path
    kind: BreachKind
    message: str


_IN_WORDS = {
    "^https?://": "is not an http or https URL",
    "^(https?://.+)?$": "is not an http or https URL",
    "^[a-z0-9][a-z0-9-]+[a-z0-9]$": "is not made of three or more lower-case letters, digits and dashes, none of"
    " these at the ends",
}
"""Patterns, as messages put them."""
UNCHECKED = "x-unchecked"
"""Marks a property that the program's own schema does not describe."""
_TYPES: dict[str, tuple[str, Any]] = {
    "string": ("a string", str),
    "boolean": ("true or false", bool),
    "array": ("a list", list),
    "object": ("an object", dict),
}


@cache
def load_schema(name: str) -> dict[str, Any]:
    """Read a generated schema: ``registry`` reads ``schemas/registry.schema.json``."""
    from importlib.resources import files

    text = files("mcpcfg.schemas").joinpath(f"{name}.schema.json").read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def check_schema(value: Any, name: str) -> list[Breach]:
    """Compare ``value`` with the schema called ``name``; in the order of the document."""
    schema = load_schema(name)
    return list(_Check(schema.get("$defs", {})).check(value, schema, ()))


class _Check:
    """Walks a value beside its schema."""

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
        if value is None and isinstance(wanted, list):  # of a file whose reader takes null for none
            return
        if wanted is not None and not _has_type(value, wanted):
            yield Breach(path, "type", f"{_type_words(wanted)} is expected here, not {kind_of(value)}")
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
        known: list[str] = []
        for branch in schema["anyOf"]:
            body = self._definitions[branch["$ref"].rpartition("/")[2]]
            words = body["properties"][tag]["enum"]
            if tag in value and value[tag] in words:
                yield from self.check(value, body, path)
                return
            known += words
        if tag not in value:
            yield Breach(path, "missing", f'"{tag}" is missing: {quoted(known)}')
        elif isinstance(value[tag], str):
            yield Breach((*path, tag), "value", f"{shown(value[tag])} is not one of {quoted(known)}")
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
                found = self.check(item, properties[key], below)
                yield from _unchecked(found) if UNCHECKED in properties[key] else found
            elif patterns is not None:
                yield from self._by_pattern(key, item, patterns, below)
            elif isinstance(extra, dict):
                yield from self.check(item, extra, below)

    def _by_pattern(self, key: str, item: Any, patterns: Mapping[str, Any], path: Path) -> Iterator[Breach]:
        for pattern, schema in patterns.items():
            if compile_pattern(pattern).search(key):
                yield from self.check(item, schema, path)
                return
        pattern = next(iter(patterns))
        yield Breach(path, "skipped", f"the key {shown(key)} {_IN_WORDS.get(pattern, f'does not match {pattern}')}")

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
    """Yield what the program's own schema does not look at; a wrong type is reported where the value is decoded."""
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
        yield Breach(path, "text", few)
    if length > schema.get("maxLength", length):
        yield Breach(path, "text", f"{length} characters are more than {schema['maxLength']}")
    pattern = schema.get("pattern")
    if pattern is not None and not compile_pattern(pattern).search(value):
        yield Breach(path, "text", f"{shown(value)} {_IN_WORDS.get(pattern) or _beyond(schema)}")
    name = schema.get("format")
    if name in FORMATS and not FORMATS[name][0](value):
        yield Breach(path, "text", f"{shown(value)} is not {FORMATS[name][1]}")
    branches = schema.get("anyOf")
    if branches is not None and all(list(_check_text(value, branch, path)) for branch in branches):
        yield Breach(path, "text", f"{shown(value)} is neither a host name nor a domain with a leading dot")


def _beyond(schema: Mapping[str, Any]) -> str:
    """Return what is wrong with a text outside of a pattern; bounds beside it are those of a number it stands for."""
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
        return any(_has_type(value, one) for one in wanted)
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
