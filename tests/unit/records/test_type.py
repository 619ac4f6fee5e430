"""Types of JSON Schema, of values that Python takes for numbers."""

from __future__ import annotations

import pytest

from mcpcfg.compiler.records.schema.check import _has_type


@pytest.mark.parametrize(
    ("value", "integer", "number"),
    [(1, True, True), (1.0, True, True), (1.5, False, True), (True, False, False), ("1", False, False)],
)
def test_a_boolean_is_no_number_and_an_integer_may_have_a_decimal_point(
    value: object, *, integer: bool, number: bool
) -> None:
    assert (_has_type(value, "integer"), _has_type(value, "number")) == (integer, number)
