"""Places within a text that stands in a document."""

from __future__ import annotations

import pytest

from mcpcfg.compiler.reading.document import read_documents

POLICY = "permit(principal == User::a)"


@pytest.mark.parametrize(
    ("document", "line", "column", "end"),
    [
        (f"a: {POLICY}\n", 1, 24, 28),
        (f"a: '{POLICY}'\n", 1, 25, 29),
        (f'a: "{POLICY}"\n', 1, 25, 29),
        (f"a: |\n  {POLICY}\n", 2, 23, 27),
        (f"a: |-\n\n      {POLICY}\n", 3, 27, 31),
        (f"a: |2\n    {POLICY}\n", 2, 25, 29),
        (f"a: !!str |  # a comment\n  {POLICY}\n", 1, 4, None),
        (f"a: |\r\n  {POLICY}\r\n", 2, 23, 27),
    ],
)
def test_a_word_in_a_literal_text_has_its_own_span(document: str, line: int, column: int, end: int | None) -> None:
    read = read_documents(document, "a.yaml")[0][0]
    span = read.span_within(("a",), read.data["a"].index("User"))

    assert (span.line, span.column) == (line, column)
    assert end is None or (span.end_line, span.end_column) == (line, end)


@pytest.mark.parametrize("document", ['a: "a\\nb c"\n', "a: >\n  one\n  two\n", "a: 'it''s so'\n", "a: one\n  two\n"])
def test_a_word_in_an_escaped_or_folded_text_has_the_span_of_the_text(document: str) -> None:
    read = read_documents(document, "a.yaml")[0][0]

    assert read.span_within(("a",), 2) == read.span(("a",))


def test_an_offset_beyond_the_text_has_the_span_of_its_end() -> None:
    read = read_documents("a: |\n  one\n  two\n", "a.yaml")[0][0]

    assert read.span_within(("a",), 99).line in (2, 3)
    assert read.span_within(("a",), 0, 3) == read.span_within(("a",), 0)
    assert read_documents('a: ""\n', "a.yaml")[0][0].span_within(("a",), 5).line == 1


def test_an_offset_in_a_list_has_the_span_of_the_list() -> None:
    read = read_documents("a: [1]\n", "a.yaml")[0][0]

    assert read.span_within(("a",), 0) == read.span(("a",))
