"""Check whether the library gojsonschema compiles a JSON Schema.

The library supports the drafts 4, 6 and 7. Without ``$schema``, it accepts the keywords of all three. It ignores
unknown keywords.

Source: github.com/xeipuuv/gojsonschema v1.2.0.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.fault import Flaw
from ..diagnostics.suggestion import VAGUE, did_you_mean
from .strconv import NumberError, quote
from .value import json_numbers

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..diagnostics.span import Path
    from .schema_reference import References

_TYPES: Final = ("array", "boolean", "integer", "number", "null", "object", "string")
_DRAFTS: Final = {f"http://json-schema.org/draft-0{number}/schema": number for number in (4, 6, 7)}
_MIXED: Final = 8
"""The draft of a schema without ``$schema``. It is above 7, because such a schema may have all keywords."""
_MOST_NODES: Final = 100_000
"""Maximum number of checked schemas, including nested ones. A hostile schema may have any number of them."""
_DEEPEST: Final = 150
"""Maximum nesting that is checked. The check recurses: a level takes three frames of the 1000 that Python allows."""

_IDENTITY: Final = frozenset({"id", "$id", "$ref", "title", "description", "definitions"})
_OBJECTS: Final = frozenset(
    {"properties", "additionalProperties", "patternProperties", "propertyNames", "dependencies"}
)
_ARRAYS: Final = frozenset({"items", "additionalItems", "contains", "uniqueItems"})
_TEXTS: Final = frozenset({"pattern", "format"})
_LISTS: Final = frozenset({"required", "enum"})
_COMBINATIONS: Final = frozenset({"oneOf", "anyOf", "allOf", "not", "if", "then", "else"})
_COUNTS: Final = (("minLength", "maxLength"), ("minProperties", "maxProperties"), ("minItems", "maxItems"))
_NUMBERS: Final = frozenset(
    {"multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}.union(*_COUNTS)
)


_MORE: Final = _OBJECTS | _ARRAYS | _NUMBERS | _TEXTS | _LISTS | _COMBINATIONS
"""Keywords that are checked besides identity and type."""


def compile_faults(schema: Any) -> list[Flaw]:
    """Return the faults that prevent the library from compiling ``schema``; empty if it compiles.

    References to other hosts, which the library would fetch, count as resolved. Schemas beyond a maximum number or
    depth are not checked.
    """
    compiler = _SchemaCompiler(schema)
    compiler.run()
    return compiler.faults


class _SchemaCompiler:
    def __init__(self, schema: Any) -> None:
        self.schema = schema
        self.faults: list[Flaw] = []
        self.nodes = 0
        self.depth = 0
        self.seen: set[str] = set()
        self.may_loop = False

    @cached_property
    def references(self) -> References:
        """The resolver of ``$ref``, created on first use because few schemas have a ``$ref``."""
        from .schema_reference import References

        return References(self.schema)

    def run(self) -> None:
        draft = _MIXED
        if isinstance(self.schema, dict) and "$schema" in self.schema:
            draft = self._draft(self.schema["$schema"])
        elif not isinstance(self.schema, (dict, bool)):
            self._fault((), "a schema is a mapping or a boolean")
            return
        self._schema(self.schema, (), draft)
        if self.may_loop and not self.faults and self.references.loops():
            self._fault((), "its $ref leads back to itself without end")

    def _fault(self, path: Path, message: str, hint: str | None = None) -> None:
        self.faults.append(Flaw(path, "schema", message, hint))

    def _draft(self, name: Any) -> int:
        if not isinstance(name, str):
            self._fault(("$schema",), "$schema is not a text")
            return _MIXED
        from .url import UrlError, parse

        try:
            return _DRAFTS.get(str(parse(name)), _MIXED)
        except UrlError as fault:
            self._fault(("$schema",), f"$schema is not a URL: {fault}")
            return _MIXED

    # Schemas.

    def _schema(self, node: Any, path: Path, draft: int) -> None:
        self.nodes += 1
        if self.nodes > _MOST_NODES or self.depth > _DEEPEST:
            self.may_loop = True  # the skipped part may contain a $ref
            return
        if isinstance(node, bool) and draft >= 6:  # draft 4 has no boolean schemas
            return
        if not isinstance(node, dict):
            self._fault(path, "a schema is a mapping" + (" or a boolean" if draft >= 6 else ""))
            return
        self.depth += 1
        if not _IDENTITY.isdisjoint(node):
            self._identity(node, path, draft)
        if not self._reference(node, path, draft):
            self._kind(node, path)
            if _MORE.isdisjoint(node):
                self.depth -= 1
                return
            if not _OBJECTS.isdisjoint(node):
                self._objects(node, path, draft)
            if not _ARRAYS.isdisjoint(node):
                self._arrays(node, path, draft)
            if not _NUMBERS.isdisjoint(node):
                self._numbers(node, path, draft)
            if not _TEXTS.isdisjoint(node):
                self._texts(node, path)
            if not _LISTS.isdisjoint(node):
                self._lists(node, path)
            if not _COMBINATIONS.isdisjoint(node):
                self._combinations(node, path, draft)
        self.depth -= 1

    def _identity(self, node: dict[str, Any], path: Path, draft: int) -> None:
        key = "id" if draft == 4 or (draft == _MIXED and "id" in node) else "$id"
        for name in (key, "title", "description", "$ref"):
            if name in node and not isinstance(node[name], str):
                self._fault((*path, name), f"{name} is not a text")
        for name in (key, "$ref"):
            if isinstance(node.get(name), str):
                self._url(node[name], (*path, name))
        definitions = node.get("definitions", {})
        if isinstance(definitions, dict):
            for name, child in definitions.items():
                if isinstance(child, (dict, bool)):
                    self._schema(child, (*path, "definitions", name), draft)
                else:
                    self._fault((*path, "definitions", name), "a definition is a mapping or a boolean")
        else:
            self._fault((*path, "definitions"), "definitions is not a mapping")

    def _url(self, text: str, path: Path) -> None:
        from .url import UrlError, parse

        try:
            parse(text)
        except UrlError as fault:
            self._fault(path, f"{path[-1]} is not a URL: {fault}")

    def _reference(self, node: dict[str, Any], path: Path, draft: int) -> bool:
        """Check the target of ``$ref``, and return whether the library ignores the other keywords of ``node``.

        It ignores them if ``node`` has a ``$ref``, except if an earlier ``$ref`` has the same target.
        """
        if not isinstance(node.get("$ref"), str):
            return False
        self.may_loop = True
        absolute = self.references.absolute(node)
        if absolute is None or absolute in self.seen:
            return absolute is None
        self.seen.add(absolute)
        from .schema_reference import UnresolvedError

        try:
            target_and_place = self.references.resolve(absolute)
        except UnresolvedError as fault:
            self._fault((*path, "$ref"), f"$ref leads nowhere: {fault}")
            return True
        if target_and_place is not None:
            target, place = target_and_place
            if isinstance(target, (dict, bool)):
                before = len(self.faults)
                self._schema(target, place, draft)
                self._drop_repeated(before)
            else:
                self._fault((*path, "$ref"), "$ref leads to something that is not a schema")
        return True

    def _drop_repeated(self, start: int) -> None:
        earlier = set(self.faults[:start])
        self.faults[start:] = [fault for fault in dict.fromkeys(self.faults[start:]) if fault not in earlier]

    def _kind(self, node: dict[str, Any], path: Path) -> None:
        if "type" not in node:
            return
        kinds = node["type"]
        if isinstance(kinds, str) and kinds in _TYPES:
            return
        named = kinds if isinstance(kinds, list) else [kinds]
        if not all(isinstance(kind, str) for kind in named):
            self._fault((*path, "type"), "type is neither a text nor a list of texts")
            return
        for number, kind in enumerate(named):
            place = (*path, "type", number) if isinstance(kinds, list) else (*path, "type")
            if kind not in _TYPES:
                hint = did_you_mean(kind, _TYPES, likeness=VAGUE)
                self._fault(place, f"there is no type {quote(kind)}", hint or f"the types are {', '.join(_TYPES)}")
            elif kind in named[:number]:
                self._fault(place, f"the type {quote(kind)} is named twice")

    def _objects(self, node: dict[str, Any], path: Path, draft: int) -> None:
        self._children(node, path, "properties", draft)
        if "additionalProperties" in node:
            self._subschema(node, path, "additionalProperties", draft)
        self._children(node, path, "patternProperties", draft)
        patterns = node.get("patternProperties")
        for pattern in patterns if isinstance(patterns, dict) else ():
            self._pattern(pattern, (*path, "patternProperties", pattern))
        if draft >= 6 and "propertyNames" in node:
            self._subschema(node, path, "propertyNames", draft)
        if "dependencies" not in node:
            return
        if not isinstance(node["dependencies"], dict):
            self._fault((*path, "dependencies"), "dependencies is not a mapping")
            return
        for name, child in node["dependencies"].items():
            place = (*path, "dependencies", name)
            if isinstance(child, list):
                if not all(isinstance(item, str) for item in child):
                    self._fault(place, "a dependency lists something that is not a string")
            elif isinstance(child, (dict, bool)):
                self._schema(child, place, draft)
            else:
                self._fault(place, "a dependency is neither a schema nor a list of texts")

    def _arrays(self, node: dict[str, Any], path: Path, draft: int) -> None:
        items = node.get("items", True)
        if isinstance(items, list):
            for number, item in enumerate(items):
                if isinstance(item, (dict, bool)):
                    self._schema(item, (*path, "items", number), draft)
                else:
                    self._fault((*path, "items", number), "items lists something that is not a schema")
        elif isinstance(items, (dict, bool)):
            if "items" in node:
                self._schema(items, (*path, "items"), draft)
        else:
            self._fault((*path, "items"), "items is neither a schema nor a list of schemas")
        self._subschema(node, path, "additionalItems", draft)
        if draft >= 6 and "contains" in node:
            self._schema(node["contains"], (*path, "contains"), draft)
        if "uniqueItems" in node and not isinstance(node["uniqueItems"], bool):
            self._fault((*path, "uniqueItems"), "uniqueItems is not a boolean")

    def _children(self, node: dict[str, Any], path: Path, key: str, draft: int) -> None:
        if key not in node:
            return
        if not isinstance(node[key], dict):
            self._fault((*path, key), f"{key} is not a mapping")
            return
        for name, child in node[key].items():
            self._schema(child, (*path, key, name), draft)

    def _subschema(self, node: dict[str, Any], path: Path, key: str, draft: int) -> None:
        child = node.get(key, True)
        if isinstance(child, dict):
            self._schema(child, (*path, key), draft)
        elif not isinstance(child, bool):
            self._fault((*path, key), f"{key} is neither a schema nor a boolean")

    # Values.

    def _numbers(self, node: dict[str, Any], path: Path, draft: int) -> None:
        for key in ("multipleOf", "minimum", "maximum"):
            if key in node and not _is_number(node[key]):
                self._fault((*path, key), f"{key} is not a number")
        if _is_number(node.get("multipleOf")) and node["multipleOf"] <= 0:
            self._fault((*path, "multipleOf"), "multipleOf is not above zero")
        for key, base in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
            if key not in node:
                continue
            if isinstance(node[key], bool) and draft in (4, _MIXED):
                if not _is_number(node.get(base)):
                    self._fault((*path, key), f"{key} is a boolean, and there is no {base}")
            elif draft == 4:
                self._fault((*path, key), f"{key} is not a boolean")
            elif not _is_number(node[key]):
                self._fault((*path, key), f"{key} is not a number")
        for least, most in _COUNTS:
            sound = [self._count(node, path, key) for key in (least, most)]
            # The library accepts a minItems above maxItems.
            if all(sound) and least in node and most in node and node[least] > node[most] and least != "minItems":
                self._fault((*path, least), f"{least} is above {most}")

    def _count(self, node: dict[str, Any], path: Path, key: str) -> bool:
        if key not in node:
            return True
        value = node[key]
        # The library reads a count as an int64 (mustBeInteger).
        if not _is_number(value) or value % 1 or not -(1 << 63) <= value < 1 << 63:
            self._fault((*path, key), f"{key} is not an integer")
        elif value < 0:
            self._fault((*path, key), f"{key} is below zero")
        else:
            return True
        return False

    def _texts(self, node: dict[str, Any], path: Path) -> None:
        if isinstance(node.get("pattern"), str):
            self._pattern(node["pattern"], (*path, "pattern"))
        for key in ("pattern", "format"):
            if key in node and not isinstance(node[key], str):
                self._fault((*path, key), f"{key} is not a text")

    def _pattern(self, pattern: str, path: Path) -> None:
        from .regexp import PatternError, compile_pattern

        try:
            compile_pattern(pattern)
        except PatternError as fault:
            self._fault(path, f"Go does not take the pattern: {fault}")

    def _lists(self, node: dict[str, Any], path: Path) -> None:
        self._distinct(node, path, "required", lambda item: item if isinstance(item, str) else None)
        self._distinct(node, path, "enum", _comparable_text)

    def _distinct(self, node: dict[str, Any], path: Path, key: str, written: Callable[[Any], str | None]) -> None:
        if key not in node:
            return
        if not isinstance(node[key], list):
            self._fault((*path, key), f"{key} is not a list")
            return
        seen: set[str] = set()
        for number, item in enumerate(node[key]):
            text = written(item)
            if text is None:
                self._fault((*path, key, number), f"{key} lists something that is not a string")
            elif text in seen:
                self._fault((*path, key, number), f"{key} lists {text} twice")
            else:
                seen.add(text)

    def _combinations(self, node: dict[str, Any], path: Path, draft: int) -> None:
        for key in ("oneOf", "anyOf", "allOf"):
            if key not in node:
                continue
            if not isinstance(node[key], list):
                self._fault((*path, key), f"{key} is not a list")
                continue
            for number, child in enumerate(node[key]):
                self._schema(child, (*path, key, number), draft)
        for key in ("not", "if", "then", "else") if draft >= 7 else ("not",):
            if key not in node:
                continue
            if isinstance(node[key], (dict, bool)):
                self._schema(node[key], (*path, key), draft)
            else:
                self._fault((*path, key), f"{key} is not a schema")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _comparable_text(value: Any) -> str:
    """Return the JSON text that the library compares values by. A value that JSON cannot express equals only itself."""
    from . import json as go_json

    try:
        return go_json.compact(json_numbers(value), sort_keys=True)
    except (NumberError, RecursionError):
        return repr(id(value))
