"""Compile CustomResourceDefinitions to the table of shapes that is also generated for the kinds of the operator.

Source: Kubernetes 1.35, "Extend the Kubernetes API with CustomResourceDefinitions"; k8s.io/apiextensions-apiserver:
pkg/apis/apiextensions/validation, pkg/apiserver/schema (which keywords a structural schema has, and what they mean).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.named_tuple import NamedTuple
from ..kube.text_format import is_checked
from .keyword import COUNTS, NUMBERS, TYPES, are_texts, wrong_keyword

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..diagnostics.span import Path
    from .constraint import Constraints
    from .table import Shape

KIND: Final = "CustomResourceDefinition"
GROUP: Final = "apiextensions.k8s.io"
MOST_DEPTH: Final = 100
"""Maximum nesting of schemas, which are compiled recursively. The deepest known CRD has 40 levels."""
MOST_SHAPES: Final = 100_000
"""Maximum number of shapes of one CRD, which bounds time and memory. The largest known CRDs have 10,000."""
_OLD: Final = re.compile(r"\boldSelf\b")
_EMBEDDED: Final = ("apiVersion", "kind")


class DefinitionFault(NamedTuple):
    """A fault for which the API server would refuse a CRD."""

    path: Path
    message: str


class Definition(NamedTuple):
    """A compiled CRD, as plain data.

    Attributes:
        versions: A pair for each version, by name: whether the API server serves it, and the position of its shape.
        shapes: The shapes, in the format of the generated table; see ``shape.py``.
    """

    name: str
    group: str
    kind: str
    list_kind: str
    versions: Mapping[str, tuple[bool, int]]
    shapes: tuple[Shape, ...]


class _Refusal(Exception):  # noqa: N818 - ends the reading of a definition
    def __init__(self, path: Path, message: str) -> None:
        super().__init__(message)
        self.fault = DefinitionFault(path, message)


def is_definition(data: Any) -> bool:
    """Return whether a document is a CRD."""
    return (
        isinstance(data, dict) and data.get("kind") == KIND and str(data.get("apiVersion")).partition("/")[0] == GROUP
    )


def compile_definition(data: Mapping[str, Any]) -> Definition | DefinitionFault:
    """Compile a CRD, or report the first fault for which the API server would refuse it."""
    try:
        return _compiled(data)
    except _Refusal as refusal:
        return refusal.fault


def _compiled(data: Mapping[str, Any]) -> Definition:
    if data.get("apiVersion") != f"{GROUP}/v1":
        raise _Refusal(("apiVersion",), f"no cluster has served {data.get('apiVersion')} since Kubernetes 1.22")
    spec = _mapping(data, ("spec",))
    names = _mapping(spec, ("spec", "names"))
    group, kind = _text(spec, ("spec", "group")), _text(names, ("spec", "names", "kind"))
    stated = spec.get("versions")
    if not isinstance(stated, list) or not stated:
        raise _Refusal(("spec",), "a CRD needs versions")
    writer = _Writer()
    versions = {}
    for number, version in enumerate(stated):
        path: Path = ("spec", "versions", number)
        if not isinstance(version, dict):
            raise _Refusal(path, "a version must be a mapping")
        name = _text(version, (*path, "name"))
        schema = _mapping(_mapping(version, (*path, "schema")), (*path, "schema", "openAPIV3Schema"))
        resources = version.get("subresources")
        has_status = isinstance(resources, dict) and isinstance(resources.get("status"), dict)
        position = writer.root(schema, (*path, "schema", "openAPIV3Schema"), has_status=has_status)
        versions[name] = (version.get("served") is True, position)
    list_kind = names.get("listKind")
    metadata = data.get("metadata")
    named = metadata.get("name") if isinstance(metadata, dict) else None
    return Definition(
        named if isinstance(named, str) else f"{kind}.{group}",
        group,
        kind,
        list_kind if isinstance(list_kind, str) and list_kind else f"{kind}List",
        versions,
        tuple(writer.shapes),
    )


def _mapping(holder: Mapping[str, Any], path: Path) -> dict[str, Any]:
    value = holder.get(str(path[-1]))
    if not isinstance(value, dict):
        raise _Refusal(path[:-1], f"{path[-1]} is missing or not a mapping")
    return value


def _text(holder: Mapping[str, Any], path: Path) -> str:
    value = holder.get(str(path[-1]))
    if not isinstance(value, str) or not value:
        raise _Refusal(path[:-1], f"{path[-1]} is missing or not a string")
    return value


class _Writer:
    """Collects the shapes of a CRD without duplicates. `_Refusal` is raised if the API server would refuse the CRD."""

    def __init__(self) -> None:
        self.shapes: list[Shape] = []
        self._positions: dict[str, int] = {}
        self._seen = 0

    def root(self, schema: dict[str, Any], path: Path, *, has_status: bool) -> int:
        """Add the shape of whole objects for the schema of a version, and return its position in ``shapes``."""
        _check(schema, path)
        if schema.get("type") != "object":
            raise _Refusal(path, "the schema of an object must have type: object")
        fields = {**_fields(schema)}
        metadata = fields.pop("metadata", None)
        fields.pop("apiVersion", None)
        fields.pop("kind", None)
        text = self._add(("string", (), None, None, None))
        below = {
            name: self.position(field_schema, (*path, "properties", name), 1) for name, field_schema in fields.items()
        }
        if has_status and "status" in below:
            below["status"] = self._add(("status", below["status"]))
        stated = {"apiVersion": text, "kind": text, "metadata": self._metadata(metadata), **below}
        required = tuple(dict.fromkeys(("metadata", *_required(schema))))
        position = self._object(stated, required, fields, preserve=_is(schema, "preserve-unknown-fields"))
        return self._outer(schema, position, path, 0, is_nullable=False)

    def position(self, schema: Any, path: Path, depth: int) -> int:
        """Add the shape for the schema at ``path`` of the CRD, and return its position in ``shapes``."""
        self._seen += 1
        if depth > MOST_DEPTH:
            raise _Refusal(path, f"more than {MOST_DEPTH} schemas stand in one another")
        if self._seen > MOST_SHAPES:
            raise _Refusal(path, f"a CRD of more than {MOST_SHAPES} schemas is not read")
        _check(schema, path)
        kind = schema.get("type")
        if kind and kind not in TYPES:
            raise _Refusal((*path, "type"), f"{kind!r} is not a type")
        if "$ref" in schema:
            raise _Refusal(path, "a structural schema has no $ref")
        is_nullable = schema.get("nullable") is True
        return self._outer(schema, self._typed(schema, path, depth), path, depth, is_nullable=is_nullable)

    def _outer(self, schema: dict[str, Any], position: int, path: Path, depth: int, *, is_nullable: bool) -> int:
        """Wrap the shape at ``position`` for a schema's constraints, rules and nullability; return its new position."""
        constraints = self._constraints(schema, path, depth, typed=True)
        if constraints:
            position = self._add(("bounded", position, constraints))
        rules = tuple(_rules(schema, path))
        if rules:
            position = self._add(("ruled", position, rules))
        return self._add(("nullable", position)) if is_nullable else position

    def _typed(self, schema: dict[str, Any], path: Path, depth: int) -> int:
        if _is(schema, "int-or-string"):
            return self._add(("int-or-string",))
        kind = schema.get("type")
        if kind == "object":
            return self._mapping(schema, path, depth)
        if kind == "array":
            item = self.position(schema.get("items"), (*path, "items"), depth + 1)
            names = tuple(schema.get("x-kubernetes-list-map-keys") or ())
            listed = schema.get("x-kubernetes-list-type")
            return self._add(("list", item, _count(schema, "minItems"), _count(schema, "maxItems"), listed, names))
        if kind == "string":
            allowed = schema.get("enum")
            plain = tuple(allowed or ()) if are_texts(allowed) else ()
            form = schema.get("format")
            checked = (form,) if form and is_checked(form) else ()
            return self._add(
                ("string", plain, None, _count(schema, "minLength"), _count(schema, "maxLength"), *checked)
            )
        if kind in ("integer", "number"):
            bounds = (None if _excludes(schema, word) else schema.get(word) for word in ("minimum", "maximum"))
            return self._add((kind, *bounds, None))
        return self._add(("boolean",) if kind == "boolean" else ("any",))

    def _mapping(self, schema: dict[str, Any], path: Path, depth: int) -> int:
        fields = _fields(schema)
        values = schema.get("additionalProperties")
        if isinstance(values, dict) and not fields:
            return self._add(("map", self.position(values, (*path, "additionalProperties"), depth + 1)))
        if values is True and not fields:
            return self._add(("free",))
        below = {
            name: self.position(field_schema, (*path, "properties", name), depth + 1)
            for name, field_schema in fields.items()
        }
        required = _required(schema)
        if _is(schema, "embedded-resource"):
            text = self._add(("string", (), None, 1, None))
            below |= {"apiVersion": text, "kind": text, "metadata": self._add(("free",))}
            required = tuple(dict.fromkeys((*_EMBEDDED, *required)))
        preserve = _is(schema, "preserve-unknown-fields")
        return self._object(below, required, fields, preserve=preserve)

    def _object(
        self, below: dict[str, int], required: tuple[str, ...], fields: Mapping[str, Any], *, preserve: bool
    ) -> int:
        defaults = tuple(
            (name, field_schema["default"])
            for name, field_schema in fields.items()
            if isinstance(field_schema, dict) and field_schema.get("default") is not None
        )
        return self._add(("object", "", tuple(below.items()), required, defaults, preserve, ()))

    def _metadata(self, schema: Any) -> int:
        """Add the shape of ``metadata``, and return its index. CRDs can only restrict ``name`` and ``generateName``."""
        position = self._add(("metadata",))
        stated = schema.get("properties") if isinstance(schema, dict) else None
        if not isinstance(stated, dict):
            return position
        named = {name: stated[name] for name in ("name", "generateName") if isinstance(stated.get(name), dict)}
        bound = {name: self._nested(field_schema, (), 0) for name, field_schema in named.items()}
        return self._add(("bounded", position, (("properties", bound),))) if any(bound.values()) else position

    def _constraints(self, schema: dict[str, Any], path: Path, depth: int, *, typed: bool) -> Constraints:
        self._seen += 1
        if depth > MOST_DEPTH or self._seen > MOST_SHAPES:
            raise _Refusal(path, "the schema is too large")
        return tuple(self._stated(schema, path, depth, typed=typed))

    def _stated(self, schema: dict[str, Any], path: Path, depth: int, *, typed: bool) -> Iterator[tuple[str, Any]]:
        kind = None if _is(schema, "int-or-string") else schema.get("type")
        in_shape = _IN_SHAPE.get(str(kind), frozenset()) if typed else frozenset()
        if not typed and kind in TYPES:
            yield "type", kind
        allowed = schema.get("enum")
        if allowed is not None and not (typed and kind == "string" and allowed and are_texts(allowed)):
            nullable = [None] if typed and schema.get("nullable") is True else []
            yield "enum", [*allowed, *nullable]
        for word in NUMBERS:
            bound = schema.get(word)
            if bound is not None and _excludes(schema, word):
                yield f"exclusive{word.capitalize()}", bound
            elif bound is not None and word not in in_shape:
                yield word, bound
        for word in COUNTS:
            count = _count(schema, word)
            if count is not None and word not in in_shape:
                yield word, count
        pattern, form = schema.get("pattern"), schema.get("format")
        if pattern:
            _compile(pattern, (*path, "pattern"))
            yield "pattern", pattern
        if form and is_checked(form) and "format" not in in_shape:
            yield "format", form
        if not typed or kind not in ("object", "array"):
            required = _required(schema)
            if required:
                yield "required", required
        if not typed:
            yield from self._below(schema, path, depth)
        yield from self._joined(schema, path, depth)

    def _below(self, schema: dict[str, Any], path: Path, depth: int) -> Iterator[tuple[str, Any]]:
        fields = _fields(schema)
        if fields:
            yield (
                "properties",
                {
                    name: self._nested(field_schema, (*path, "properties", name), depth)
                    for name, field_schema in fields.items()
                },
            )
        for word in ("items", "additionalProperties"):
            if isinstance(schema.get(word), dict):
                yield word, self._nested(schema[word], (*path, word), depth)

    def _joined(self, schema: dict[str, Any], path: Path, depth: int) -> Iterator[tuple[str, Any]]:
        for word in ("allOf", "anyOf", "oneOf"):
            parts = schema.get(word)
            if parts:
                yield word, tuple(self._nested(part, (*path, word, i), depth) for i, part in enumerate(parts))
        if schema.get("not") is not None:
            yield "not", self._nested(schema["not"], (*path, "not"), depth)

    def _nested(self, schema: Any, path: Path, depth: int) -> Constraints:
        _check(schema, path)
        return self._constraints(schema, path, depth + 1, typed=False)

    def _add(self, shape: Shape) -> int:
        text = repr(shape)  # defaults may be lists and mappings, which have no hash
        if text not in self._positions:
            self._positions[text] = len(self.shapes)
            self.shapes.append(shape)
        return self._positions[text]


_IN_SHAPE: Final = {
    "string": frozenset({"minLength", "maxLength", "format"}),
    "integer": frozenset({"minimum", "maximum"}),
    "number": frozenset({"minimum", "maximum"}),
    "array": frozenset({"minItems", "maxItems"}),
}
"""The keywords that the shape of each type checks, by type."""


def _check(schema: Any, path: Path) -> None:
    if not isinstance(schema, dict):
        raise _Refusal(path, "a schema must be a mapping")
    wrong = wrong_keyword(schema)
    if wrong is not None:
        raise _Refusal((*path, wrong[0]), wrong[1])


def _fields(schema: dict[str, Any]) -> dict[str, Any]:
    return schema.get("properties") or {}


def _required(schema: dict[str, Any]) -> tuple[str, ...]:
    return tuple(schema.get("required") or ())


def _is(schema: dict[str, Any], word: str) -> bool:
    return schema.get(f"x-kubernetes-{word}") is True


def _count(schema: dict[str, Any], word: str) -> int | None:
    value = schema.get(word)
    return None if value is None else int(value)


def _excludes(schema: dict[str, Any], word: str) -> bool:
    return schema.get(f"exclusive{word.capitalize()}") is True


def _compile(pattern: str, path: Path) -> None:
    from ..golang.regexp import PatternError, compile_pattern

    try:
        compile_pattern(pattern)
    except PatternError as error:
        raise _Refusal(path, f"{error} is not a regular expression of Go" if not str(error) else str(error)) from None


def _rules(schema: dict[str, Any], path: Path) -> Iterator[tuple[Any, ...]]:
    """Yield each CEL rule of a schema as the fields of `CelRule`. The first field is the message expression, or empty.

    Rules about changes of an object are left out, because its earlier state is unknown.
    """
    stated = schema.get("x-kubernetes-validations")
    for number, rule in enumerate(stated or ()):
        if not isinstance(rule, dict) or not isinstance(rule.get("rule"), str):
            raise _Refusal((*path, "x-kubernetes-validations", number), "a rule must have a text")
        if _OLD.search(rule["rule"]) and rule.get("optionalOldSelf") is not True:
            continue  # about changes of an object: nothing is known of the rule before
        written, shown, field = rule.get("messageExpression"), rule.get("message"), rule.get("fieldPath")
        text = rule["rule"]
        message = shown.strip() if isinstance(shown, str) and shown.strip() else f"failed rule: {text.strip()}"
        place = field[1:] if isinstance(field, str) and field.startswith(".") and field[1:].isidentifier() else None
        yield (written if isinstance(written, str) else "", text, message, place, ())
