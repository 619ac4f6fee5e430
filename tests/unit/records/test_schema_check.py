"""Values against schemas: unions by their tag, and times as the reference's validator takes them."""

from __future__ import annotations

from typing import Any

import pytest

from mcpcfg.compiler.records.schema.check import _Check
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
    assert list(_Check(DEFINITIONS).check(value, UNION, ())) == [(path, kind, message)]


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
