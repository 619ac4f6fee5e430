"""Places as editors count them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpcfg.compiler.diagnostics.span import Span
from mcpcfg.compiler.editor.line_map import LineMap, Point, Unit

UNITS: tuple[Unit, ...] = ("utf-8", "utf-16", "utf-32")


@pytest.mark.parametrize(("unit", "column"), [("utf-8", 8), ("utf-16", 5), ("utf-32", 4)])
def test_columns_count_what_was_agreed_upon(unit: Unit, column: int) -> None:
    lines = LineMap("é\na😀éb\r\nc\rd", unit)
    assert lines.point(6) == Point(1, column)
    assert lines.offset(Point(1, column)) == 6
    assert lines.point(9) == Point(2, 1)
    assert lines.offset(Point(3, 0)) == 10


def test_a_position_outside_of_the_text_becomes_its_end() -> None:
    lines = LineMap("ab\nc\n")
    assert [lines.offset(Point(*one)) for one in ((0, 9), (1, 9), (2, 9), (9, 0), (-1, -1))] == [2, 4, 5, 5, 0]
    assert lines.points(Span("f", 1, 2, 9, 9)) == (Point(0, 1), Point(2, 0))


def test_a_byte_order_mark_is_a_column_that_findings_do_not_count() -> None:
    assert LineMap("\ufeffab: 1").points(Span("f", 1, 1, 1, 3)) == (Point(0, 1), Point(0, 3))


@given(st.text(st.sampled_from("a\u00e9\U0001f600\r\n\u2028\ud800"), max_size=30), st.sampled_from(UNITS))
def test_an_offset_survives_the_conversion_to_a_point_and_back(text: str, unit: Unit) -> None:
    lines = LineMap(text, unit)
    for offset in [*range(len(text) + 1), *range(len(text), -1, -1)]:
        is_within_break = text[offset - 1 : offset + 1] == "\r\n"
        if not is_within_break:
            assert lines.offset(lines.point(offset)) == offset


def test_many_positions_in_one_long_line_have_the_right_columns() -> None:
    text = "é😀" * 200_000
    lines = LineMap(text)
    found = [lines.point(offset).column for offset in range(0, len(text), 100)]
    assert found[:3] == [0, 150, 300]
