"""Kubernetes' own functions of CEL."""

from __future__ import annotations

from typing import Any

import pytest

from mcpcfg.compiler.kube.cel.function import _call, _char_at, _most
from mcpcfg.compiler.language.cel.value import CelError


@pytest.mark.parametrize("name", ["sets.contains", "sets.equivalent", "sets.intersects"])
def test_what_compares_all_with_all_costs_as_much(name: str) -> None:
    assert _most(name, [*range(300)], [*range(300)]) > 300 * 300


@pytest.mark.parametrize(("at", "expected"), [(0, "a"), (2, "c"), (3, "")])
def test_a_character_is_named_by_its_position(at: int, expected: str) -> None:
    assert _char_at("abc", at) == expected


@pytest.mark.parametrize("at", [-1, 4, True, "1", None])
def test_a_position_that_is_none_is_refused(at: Any) -> None:
    with pytest.raises(CelError):
        _char_at("abc", at)


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "null"), (1, "1"), ("a", "a"), ([1, ["a"]], '[1, ["a"]]'), ({"b": 2, "a": 1}, '{"a":1, "b":2}')],
)
def test_values_are_formatted(value: Any, text: str) -> None:
    assert _call("format", "<%s>", [value]) == f"<{text}>"
