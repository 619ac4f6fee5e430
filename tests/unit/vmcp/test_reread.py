"""Texts of a configuration that the process does not read as the operator wrote them."""

from __future__ import annotations

from typing import Any

import pytest

from mcpcfg.compiler.vmcp.reread import has_suspect_text, reread, unreadable_texts


@pytest.mark.parametrize(
    ("config", "paths"),
    [
        ({"a": [{"b": "  c\nd", "e": "f\ng"}]}, [("a", 0, "b")]),
        ({"a": ["x", "  b\nc"]}, [("a", 1)]),
        ({"a": "\tb\n", "c": ["\td\n"]}, [("a",), ("c", 0)]),
        ({"a": {"<<": "b", "c": " d\ne"}}, [("a", "<<")]),
    ],
)
def test_each_text_that_makes_the_file_unreadable_is_found(config: dict[str, Any], paths: list[Any]) -> None:
    assert has_suspect_text(config)
    assert reread(config) is None
    assert unreadable_texts(config) == paths


@pytest.mark.parametrize("config", [{"a": " b\nc"}, {"a": {"b": "<<"}}, {"a": ["x\n\ty"]}, {"a\n\tb": "c"}])
def test_a_suspect_text_may_be_read_unchanged(config: dict[str, Any]) -> None:
    assert has_suspect_text(config)
    assert reread(config) == config


def test_a_line_break_at_the_beginning_is_lost() -> None:
    assert reread({"a": "\nb", "c": "\n"}) == {"a": "b", "c": ""}


@pytest.mark.parametrize("data", [{"a": ["x\n y", " x", "\tx", ""], "b": 1}, {"c": None, "d": "a << b"}])
def test_most_texts_are_not_suspect(data: Any) -> None:
    assert not has_suspect_text(data)
