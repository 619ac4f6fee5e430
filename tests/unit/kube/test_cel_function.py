"""Kubernetes' own functions of CEL."""

from __future__ import annotations

import time
from typing import Any

import pytest

from mcpcfg.compiler.kube.cel.function import LIBRARY, _call, _char_at, _step_bound
from mcpcfg.compiler.language.cel.rule import Allowance, compile_typed
from mcpcfg.compiler.language.cel.value import CelError, CostError, UnsupportedError


@pytest.mark.parametrize("name", ["sets.contains", "sets.equivalent", "sets.intersects"])
def test_functions_that_compare_all_items_take_quadratic_steps(name: str) -> None:
    assert _step_bound(name, [*range(300)], [*range(300)]) > 300 * 300


@pytest.mark.parametrize(("at", "expected"), [(0, "a"), (2, "c"), (3, "")])
def test_a_character_is_named_by_its_position(at: int, expected: str) -> None:
    assert _char_at("abc", at) == expected


@pytest.mark.parametrize("at", [-1, 4, True, "1", None])
def test_an_invalid_position_is_refused(at: Any) -> None:
    with pytest.raises(CelError):
        _char_at("abc", at)


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "null"), (1, "1"), ("a", "a"), ([1, ["a"]], '[1, ["a"]]'), ({"b": 2, "a": 1}, '{"a":1, "b":2}')],
)
def test_values_are_formatted(value: Any, text: str) -> None:
    assert _call("format", "<%s>", [value]) == f"<{text}>"


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("quantity('9e99999999').isInteger()", False),
        ("quantity('0e99999999').isInteger()", True),
        ("quantity('0e99999999').asInteger() == 0", True),
        ("quantity('9e99999999').asApproximateFloat() > 1.0", True),
        ("quantity('-9e99999999').asApproximateFloat() < 1.0", True),
        ("quantity('9e-99999999').asApproximateFloat() > 0.0", True),
        ("quantity('1e3').asInteger() == 1000", True),
        ("quantity('9e99999999').asInteger() > 1", CelError),
        ("quantity('9e99999999').add(1).isInteger()", UnsupportedError),
        ("quantity('9e99999999').sub(quantity('1n')).isGreaterThan(quantity('1'))", UnsupportedError),
        ("{quantity('9e99999999'): 1}.size() == 1", True),
        ("quantity('1000') in {quantity('1k'): 1}", True),
        (f"isSemver('1.0.{'9' * 5_000}')", False),
        (f"isSemver('1.0.0-{'9' * 5_000}')", False),
        ("isSemver('18446744073709551615.0.0')", True),
        ("timestamp('0001-01-01T00:00:00Z').getHours('-10:00') == 14", UnsupportedError),
        ("[1][dyn(double('NaN'))] == 1", UnsupportedError),
        ("lists.range(-100000).size() == 0 && lists.range(100001).size() > 0", CostError),
        (f"'{'a' * 5_000}'.replace('a', '{'b' * 5_000}').size() == 25000000", CostError),
        (f"[1,2,3,4,5,6,7,8,9].map(x, '{'a' * 20_000}').join().size() == 180000", CostError),
        (f"'%s%s%s%s%s%s'.format([1,2,3,4,5,6].map(x, '{'a' * 20_000}')).size() == 120000", CostError),
    ],
)
def test_an_expression_ends_with_a_value_or_an_error(expression: str, expected: Any) -> None:
    rule = compile_typed(expression, {}, LIBRARY, fields=lambda _: {}, together=Allowance(500_000))
    before = time.process_time()

    try:
        value = rule()
    except CelError as error:
        value = type(error)

    assert value is expected
    assert time.process_time() - before < 5
