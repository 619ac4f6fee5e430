"""Values against schemas: unions by their tag, and times as the reference's validator takes them."""

from __future__ import annotations

from typing import Any

import pytest

from mcpcfg.compiler.records.schema.check import UNCHECKED, _Check
from mcpcfg.compiler.records.schema.format import is_date_time

UNION: dict[str, Any] = {
    "discriminator": {"propertyName": "type"},
    "anyOf": [{"$ref": "#/$defs/Circle"}, {"$ref": "#/$defs/Square"}],
}
DEFINITIONS: dict[str, Any] = {
    "Circle": {"type": "object", "properties": {"type": {"enum": ["circle"]}, "radius": {"type": "number"}}},
    "Square": {"type": "object", "properties": {"type": {"enum": ["square", "box"]}, "side": {"type": "number"}}},
}


@pytest.mark.parametrize(
    ("value", "path", "kind", "message"),
    [
        ({"type": "box", "side": "a"}, ("side",), "type", "a number is expected here, not a string"),
        ({"side": 1}, (), "missing", '"type" is missing: "circle", "square" or "box"'),
        ({"type": "oval"}, ("type",), "value", '"oval" is not one of "circle", "square" or "box"'),
        ({"type": 5}, ("type",), "type", "a string is expected here, not the number 5"),
        (5, (), "type", "an object is expected here, not the number 5"),
    ],
)
def test_a_union_is_resolved_by_its_tag(value: Any, path: tuple[str, ...], kind: str, message: str) -> None:
    (breach,) = _Check(DEFINITIONS).check(value, UNION, ())
    assert (breach.path, breach.kind, breach.message) == (path, kind, message)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2025-01-31", True),
        ("2025-02-29", False),
        ("23:59:59", True),
        ("23:59:59Z", True),
        ("24:00:00", False),
        ("23:60:00", False),
        ("23:59:60", False),
        ("2025-01-31T23:59:59+24:60", True),
        ("2025-01-31T23:59:59+25:00", False),
        ("2025-01-31T23:59:59+24:61", False),
        ("2025-02-29T23:59:59Z", False),
        ("2025-01-31T23:60:59Z", False),
        ("2025-01-31T23:59:59", False),
        ("0000-01-31", True),
    ],
)
def test_a_time_is_a_date_a_time_of_day_or_both(text: str, expected: bool) -> None:
    assert is_date_time(text) is expected


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        ({"type": "string"}, 1, ["type a string is expected here, not the number 1"]),
        ({"type": "boolean"}, 1, ["type true or false is expected here, not the number 1"]),
        ({"type": "array"}, "a", ["type a list is expected here, not a string"]),
        ({"type": "object"}, [], ["type an object is expected here, not a list"]),
        ({"type": "integer"}, 1.5, ["type a whole number is expected here, not the number 1.5"]),
        ({"type": "integer"}, 1.0, []),
        ({"type": "integer"}, True, ["type a whole number is expected here, not true"]),
        ({"type": "number"}, 1.5, []),
        ({"type": "number"}, 1, []),
        ({"type": ["string", "null"]}, None, []),
        ({"type": ["integer", "boolean"]}, False, []),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, None, []),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, 1, ["type a string is expected here, not the number 1"]),
        ({"$ref": "#/$defs/Circle"}, {"radius": "a"}, ["type a number is expected here, not a string"]),
        ({"minimum": 1, "maximum": 3}, 0, ["number 0 is less than 1"]),
        ({"minimum": 1, "maximum": 3}, 4, ["number 4 is more than 3"]),
        ({"minimum": 1, "maximum": 3}, 1, []),
        ({"minimum": 1, "maximum": 3}, 3, []),
        ({"minimum": 1}, True, []),
        ({"enum": ["a", "b"]}, "c", ['value "c" is not one of "a" or "b"']),
        ({"not": {"enum": ["c"]}}, "c", ['value "c" is not allowed here']),
        ({"not": {"enum": ["c"]}}, "d", []),
        ({"minLength": 2, "maxLength": 3}, "a", ['text "a" is shorter than 2 characters']),
        ({"minLength": 2, "maxLength": 3}, "", ["text the text is empty"]),
        ({"minLength": 2, "maxLength": 3}, "abcd", ["text 4 characters are more than 3"]),
        ({"minLength": 2, "maxLength": 3}, "ab", []),
        ({"minLength": 2, "maxLength": 3}, "abc", []),
        ({"pattern": "^a"}, "b", ['text "b" does not match ^a']),
        ({"pattern": "^https?://"}, "b", ['text "b" is not an http or https URL']),
        ({"pattern": "^[1-9]$", "minimum": 1, "maximum": 9}, "0", ['text "0" is not a number from 1 to 9']),
        ({"minItems": 1}, [], ["items at least 1 item must be here"]),
        ({"minItems": 2}, [1], ["items at least 2 items must be here"]),
        ({"minItems": 1}, [1], []),
        (
            {"uniqueItems": True},
            [{"a": 1}, 2, {"a": 1}, 2],
            ["items a mapping is here twice, first as item 0", "items 2 is here twice, first as item 1"],
        ),
        (
            {"items": {"type": "string"}},
            [1, "a", 2],
            ["type a string is expected here, not the number 1", "type a string is expected here, not the number 2"],
        ),
        ({"required": ["a", "b"]}, {"b": 1}, ['missing "a" is missing']),
        ({"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}, {"c": 1}, ['missing one of "a" or "b" is missing']),
        ({"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}, {"b": 1}, []),
        ({"additionalProperties": {"type": "string"}}, {"a": 1}, ["type a string is expected here, not the number 1"]),
        ({"properties": {"a": {}}, "additionalProperties": {"type": "string"}}, {"a": 1}, []),
        ({"properties": {"a": {UNCHECKED: True, "enum": ["b"]}}}, {"a": "c"}, ['unchecked "c" is not one of "b"']),
        ({"properties": {"a": {UNCHECKED: True, "type": "string"}}}, {"a": 1}, []),
        (
            {"patternProperties": {"^a": {"type": "string"}, "^b": {}}},
            {"b": 1, "a": 1},
            ["type a string is expected here, not the number 1"],
        ),
        (
            {"patternProperties": {"^a": {}}},
            {"c": 1, "d": 1},
            ['skipped the key "c" does not match ^a', 'skipped the key "d" does not match ^a'],
        ),
    ],
)
def test_each_keyword_of_a_schema_is_checked(schema: dict[str, Any], value: Any, expected: list[str]) -> None:
    found = _Check(DEFINITIONS).check(value, schema, ())
    assert [f"{one.kind} {one.message}" for one in found] == expected
