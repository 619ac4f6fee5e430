from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpcfg.compiler.golang.jsonschema import compile_faults

_SOUND: list[Any] = [
    {},
    {"type": "object", "properties": {"a": {"type": ["string", "null"]}, "b": True}},
    {"type": "object", "required": ["a", "b"], "enum": []},
    {"minimum": 5, "maximum": 1},
    {"minItems": 5, "maxItems": 1},
    {"exclusiveMinimum": 3, "exclusiveMaximum": True, "maximum": 1},
    {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": {"a": 1}, "unheard": 1},
    {"oneOf": [], "format": "no-such-format", "dependencies": {"a": ["b"], "c": {"type": "string"}}},
    {"$ref": "#/definitions/a", "definitions": {"a": {"properties": {"next": {"$ref": "#/definitions/a"}}}}},
    {"properties": {"a": {"$ref": "#anchor"}}},
    {"$ref": "https://example.com/schema.json"},
    {"$ref": "#/definitions/a", "definitions": {"a": {}}, "type": "nothing beside a reference is looked at"},
    {"properties": {"$ref": {"type": "string"}, "id": {"type": "integer"}}},
    {"$schema": "http://json-schema.org/draft-04/schema#", "contains": 1, "propertyNames": 1},
]

_UNSOUND: list[tuple[Any, tuple[str | int, ...]]] = [
    ({"type": "strin"}, ("type",)),
    ({"type": ["string", "string"]}, ("type", 1)),
    ({"type": 5}, ("type",)),
    ({"properties": []}, ("properties",)),
    ({"properties": {"a": "string"}}, ("properties", "a")),
    ({"properties": {"a": {"type": "x"}}}, ("properties", "a", "type")),
    ({"required": "a"}, ("required",)),
    ({"required": ["a", 1]}, ("required", 1)),
    ({"required": ["a", "a"]}, ("required", 1)),
    ({"enum": [1, "a", 1.0]}, ("enum", 2)),
    ({"pattern": "(?=x)"}, ("pattern",)),
    ({"pattern": 1}, ("pattern",)),
    ({"patternProperties": {"[": {}}}, ("patternProperties", "[")),
    ({"minimum": "1"}, ("minimum",)),
    ({"multipleOf": 0}, ("multipleOf",)),
    ({"minLength": -1}, ("minLength",)),
    ({"minLength": 1.5}, ("minLength",)),
    ({"minLength": 3, "maxLength": 1}, ("minLength",)),
    ({"exclusiveMinimum": True}, ("exclusiveMinimum",)),
    ({"uniqueItems": "yes"}, ("uniqueItems",)),
    ({"additionalProperties": "yes"}, ("additionalProperties",)),
    ({"items": 1}, ("items",)),
    ({"items": [{}, 1]}, ("items", 1)),
    ({"not": []}, ("not",)),
    ({"anyOf": {}}, ("anyOf",)),
    ({"title": 1}, ("title",)),
    ({"description": []}, ("description",)),
    ({"$id": 1}, ("$id",)),
    ({"$schema": 1}, ("$schema",)),
    ({"definitions": True}, ("definitions",)),
    ({"$ref": "#/definitions/none"}, ("$ref",)),
    ({"$ref": "other.json"}, ("$ref",)),
    ({"$ref": "http://localhost:8080/schema.json"}, ("$ref",)),
    ({"$ref": "https://127.0.0.1/schema.json#/a"}, ("$ref",)),
    ({"$ref": "http://[::1]:1/schema.json"}, ("$ref",)),
    ({"$ref": "file:///schemas/a.json"}, ("$ref",)),
    ({"$ref": "ftp://example.com/schema.json"}, ("$ref",)),
    ({"$ref": "#/a", "a": 1}, ("$ref",)),
    ({"dependencies": {"a": 1}}, ("dependencies", "a")),
    ({"$schema": "http://json-schema.org/draft-04/schema#", "properties": {"a": True}}, ("properties", "a")),
    ({"$schema": "http://json-schema.org/draft-07/schema", "exclusiveMinimum": True}, ("exclusiveMinimum",)),
    ("text", ()),
]


@pytest.mark.parametrize("schema", _SOUND, ids=str)
def test_a_schema_that_the_library_compiles_has_no_faults(schema: Any) -> None:
    assert compile_faults(schema) == []


@pytest.mark.parametrize(("schema", "path"), _UNSOUND, ids=lambda value: str(value)[:60])
def test_a_fault_is_reported_where_it_is(schema: Any, path: tuple[str | int, ...]) -> None:
    assert [fault.path for fault in compile_faults(schema)] == [path]


def test_a_fault_in_a_referenced_schema_is_reported_once_at_its_own_path() -> None:
    schema = {"definitions": {"a": {"type": "x"}}, "allOf": [{"$ref": "#/definitions/a"}, {"$ref": "#/definitions/a"}]}
    assert [fault.path for fault in compile_faults(schema)] == [("definitions", "a", "type")]


@pytest.mark.parametrize("schema", [{"$ref": "#"}, {"$ref": "#anchor"}, {"allOf": [{"$ref": "#"}]}])
def test_a_reference_that_never_ends_is_a_fault(schema: Any) -> None:
    assert compile_faults(schema)


_KEYS = st.sampled_from(
    ["type", "properties", "items", "$ref", "$id", "id", "enum", "allOf", "not", "minimum", "pattern"]
)
_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(["#", "#/not", "object", "x", "%zz", "["]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=4),
)


@given(_VALUES)
def test_no_value_breaks_the_compiler(schema: Any) -> None:
    assert isinstance(compile_faults(schema), list)


def test_hostile_schemas_are_checked_in_bounded_time() -> None:
    deep: Any = {}
    for _ in range(5000):
        deep = {"properties": {"a": deep}}
    assert compile_faults(deep) == []
    count = 3000
    chain = {f"d{i}": {"allOf": [{"$ref": f"#/definitions/d{(i + 1) % count}"}]} for i in range(count)}
    assert compile_faults({"definitions": chain}) == []
