"""Macros of two variables, over the functions of the API server; cel-go 0.28 has the same values."""

from __future__ import annotations

from typing import Any

import pytest

from mcpcfg.compiler.kube.cel.function import LIBRARY
from mcpcfg.compiler.language.cel import types
from mcpcfg.compiler.language.cel.rule import STEPS, compile_rule, compile_typed
from mcpcfg.compiler.language.cel.value import CelError, CostError
from mcpcfg.compiler.language.fault import FaultError

SELF: dict[str, Any] = {"l": [1, 2, 3], "m": {"a": 1, "b": 2}, "s": ["x", "y"], "d": 2.5}


def holds(rule: str) -> bool:
    function = compile_typed(rule, {"self": types.DYN}, LIBRARY, fields=lambda _: {})
    return bool(function(self=SELF))


@pytest.mark.parametrize(
    ("rule", "value"),
    [
        ("[1, 2, 3].all(i, v, i < v)", True),
        ("[1, 2, 3].exists(i, v, i == v)", False),
        ("{'a': 1}.all(k, v, k == 'a' && v == 1)", True),
        ("[1, 2, 2].existsOne(i, v, v == 2)", False),
        ("[1, 2, 2].exists_one(i, v, v == 1)", True),
        ("[1, 2, 3].transformList(i, v, i * v) == [0, 2, 6]", True),
        ("[1, 2, 3].transformList(i, v, v > 1, i * v) == [2, 6]", True),
        ("{'a': 1, 'b': 2}.transformMap(k, v, v + 1) == {'a': 2, 'b': 3}", True),
        ("{'a': 1, 'b': 2}.transformMap(k, v, v > 1, v + 1) == {'b': 3}", True),
        ("[5, 6].transformMap(i, v, v) == {0: 5, 1: 6}", True),
        ("{'a': 'x', 'b': 'y'}.transformMapEntry(k, v, {v: k}) == {'x': 'a', 'y': 'b'}", True),
        ("{'a': 1}.transformMapEntry(k, v, v > 1, {v: k}) == {}", True),
        ("[[1, 2], [3]].transformList(i, v, v.transformList(j, w, i + j + w)) == [[1, 3], [4]]", True),
        ("[0, 1].exists(i, v, 1 / v == 1)", True),
        ("self.l.all(i, v, v > i)", True),
        ("self.m.transformList(k, v, k).size() == 2", True),
        ("self.m.map(k, self.s.transformList(i, v, v + k)) == [['xa', 'ya'], ['xb', 'yb']]", True),
    ],
)
def test_a_macro_walks_over_indexes_or_keys_and_values(rule: str, value: bool) -> None:
    assert holds(rule) is value


@pytest.mark.parametrize(
    "rule",
    [
        "[0, 1].existsOne(i, v, 1 / v == 1)",
        "{'a': 'x', 'b': 'x'}.transformMapEntry(k, v, {v: k}) == {}",
        "self.d.all(i, v, true)",
        "self.l.transformMapEntry(i, v, self.d) == {}",
    ],
)
def test_a_macro_over_pairs_may_fail_with_an_error(rule: str) -> None:
    with pytest.raises(CelError):
        holds(rule)


@pytest.mark.parametrize(
    "rule",
    [
        "[1].all(i, i, true)",
        "[1].all(1, i, true)",
        "[1].all(i, v.w, true)",
        "[1].all(__result__, i, true)",
        "[1].all(i, v, 1)",
        "1.all(i, v, true)",
        "[1].transformMapEntry(i, v, v) == {}",
        "[1].transformList(i, v) == []",
        "[1].filter(i, v, true) == []",
        "[1, 2].all(i, v, v.all(x, y, true))",
        "[1].all(i, v, true) && i == 0",
    ],
)
def test_an_invalid_macro_over_pairs_is_refused(rule: str) -> None:
    with pytest.raises(FaultError):
        holds(rule)


def test_macros_over_pairs_are_unknown_outside_of_typed_rules() -> None:
    with pytest.raises(FaultError, match="there is no function all"):
        compile_rule("[1].all(i, v, true)")


def test_each_item_costs_a_step() -> None:
    function = compile_typed("self.all(i, v, true)", {"self": types.DYN}, LIBRARY, fields=lambda _: {})

    assert function(self=[0] * (STEPS - 10)) is True
    with pytest.raises(CostError):
        function(self=[0] * (STEPS + 10))
