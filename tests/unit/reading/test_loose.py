"""Texts of ConfigMaps as the operator reads them."""

from __future__ import annotations

import pytest

from mcpcfg.compiler.reading.fault import UnreadableError
from mcpcfg.compiler.reading.loose import LooseText, read_loosely


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("a: 1\na: 2\n", {"a": 2}),
        ('{"a": {"b": 1, "b": 2}, "a": {"c": 3}}', {"a": {"c": 3}}),
        ("a: 1\n---\nb: [\n", {"a": 1}),
        ("# nothing\n", None),
    ],
)
def test_loose_yaml_uses_the_first_document_and_the_last_duplicate_key(text: str, data: object) -> None:
    assert read_loosely(text) == LooseText(data)


def test_a_loose_text_that_yaml_refuses_is_read_as_json() -> None:
    assert read_loosely(r'{"a": "\/", "a": "b\/c"}') == LooseText({"a": "b/c"}, is_json=True)


@pytest.mark.parametrize("text", [r'{"a": "\/"} {"b": 1}', r'{"a": "\/",}', "a: [\n", "a: *b\n"])
def test_a_loose_text_that_is_neither_yaml_nor_json_is_refused(text: str) -> None:
    with pytest.raises(UnreadableError) as refused:
        read_loosely(text)
    assert refused.value.faults
