"""``format`` of CEL, verb by verb; cel-go 0.28 writes the same with its string library of version 2."""

from __future__ import annotations

from typing import Any

import pytest

from mcpcfg.compiler.kube.cel.function import LIBRARY
from mcpcfg.compiler.language.cel import types
from mcpcfg.compiler.language.cel.rule import compile_typed
from mcpcfg.compiler.language.cel.value import CelError, UnsupportedError


def text_of(template: str, values: str) -> Any:
    expression = f"(self + {template!r}).format({values})"
    function = compile_typed(expression, {"self": types.STRING}, LIBRARY, fields=lambda _: {}, result=types.STRING)
    return function(self="")


@pytest.mark.parametrize(
    ("template", "values", "text"),
    [
        ("%s", "['a']", "a"),
        ("%s", "[['a', 1, 2.5, true, null]]", '["a", 1, 2.500000, true, null]'),
        ("%s", "[{'b': 1, 'a': 'x'}]", '{"a":"x", "b":1}'),
        ("%s", "[{1: 1, 3: 2, 20: 2}]", "{1:1, 20:2, 3:2}"),
        ("%s", "[{true: 1}]", "{true:1}"),
        ("%s", "[1.5]", "1.5"),
        ("%s", "[1e20]", "1e+20"),
        ("%s", "[null]", "null"),
        ("%s", "[b'ab']", "ab"),
        ("%s", "[duration('90s')]", "90s"),
        (
            "%s",
            "[[duration('90s'), timestamp('2020-01-01T00:00:00Z')]]",
            '[duration("90s"), timestamp("2020-01-01T00:00:00Z")]',
        ),
        ("%s", "[[int]]", "[int]"),
        ("%s", "[[b'ab', 'q\"uote\\n']]", '[b"ab", "q\\"uote\\n"]'),
        ("%s", "[[1.0, 1e20, 0.1234567891]]", "[1.000000, 100000000000000000000.000000, 0.123457]"),
        ("%s", "[[double('NaN'), double('Infinity'), -double('Infinity')]]", '["NaN", "+Inf", "-Inf"]'),
        ("%s", "[[[1, [2]], {}]]", "[[1, [2]], {}]"),
        ("%d and %d", "[5, 6u]", "5 and 6"),
        ("%f", "[1234567.891]", "1,234,567.891000"),
        ("%.2f", "[-1234.5]", "-1,234.50"),
        ("%.0f", "[2.5]", "2"),
        ("%.2f", "[-0.0001]", "-0.00"),
        ("%.3f", "[-0.0]", "0.000"),
        ("%.20f", "[0.1]", "0.10000000000000000555"),
        ("%f %f %f", "['NaN', 'Infinity', '-Infinity']", "NaN ∞ -∞"),
        ("%e", "[1234.5678]", "1.234568\u202f\u00d7\u202f10⁰³"),
        ("%.2e", "[0.000012]", "1.200000\u202f\u00d7\u202f10⁻⁰⁵"),
        ("%e", "[-1e300]", "-1.000000\u202f\u00d7\u202f10³⁰⁰"),
        ("%e", "['NaN']", "   NaN"),
        ("%.20e", "[1.5]", "     1.500000\u202f\u00d7\u202f10⁰⁰"),
        ("%b %b %b", "[5, -5, true]", "101 -101 1"),
        ("%x %X %x", "[255, -255, 'az']", "ff -FF 617a"),
        ("%o", "[-8]", "-10"),
        ("%%%s%%", "['a']", "%a%"),
        ("%.2s", "['abc']", "abc"),
        ("left", "[1]", "left"),
    ],
)
def test_a_clause_is_filled_in(template: str, values: str, text: str) -> None:
    assert text_of(template, values) == text


@pytest.mark.parametrize(
    ("template", "values"),
    [
        ("%d", "[2.5]"),
        ("%d", "[true]"),
        ("%d", "[]"),
        ("%", "[1]"),
        ("%q", "[1]"),
        ("%.f", "[1.5]"),
        ("%f", "[1]"),
        ("%f", "['abc']"),
        ("%o", "[true]"),
        ("%x", "[1.5]"),
        ("%s", "[{2.5: 1}]"),
    ],
)
def test_a_clause_without_a_fitting_value_has_none(template: str, values: str) -> None:
    with pytest.raises(CelError):
        text_of(template, values)


def test_hundreds_of_digits_are_not_written() -> None:
    with pytest.raises(UnsupportedError):
        text_of("%.1000f", "[1.5]")
    with pytest.raises(UnsupportedError):
        text_of(f"%.{'9' * 5000}f", "[1.5]")
