r"""``\'`` in double quotes: libyaml refuses it, Go's readers take it for a single quote."""

from __future__ import annotations

from typing import Any

import pytest

from mcpcfg.compiler.reading.document import read_documents

TAKEN = [
    (r"""a: "it\'s" """, {"a": "it's"}),
    (r"""a: "\'\'a\'" """, {"a": "''a'"}),
    (r"""{a: "b\'", c: ["\'"]}""", {"a": "b'", "c": ["'"]}),
    (r""""k\'": 1""", {"k'": 1}),
    (r"""a: '\' """, {"a": "\\"}),
    (r"""a: "\\'" """, {"a": "\\'"}),
    ('a: "it\\\'s\ue0c1" ', {"a": "it's\ue0c1"}),
    (r"""{a:, b: "\'"}""", {"a:": None, "b": "'"}),
]


@pytest.mark.parametrize(("text", "data"), TAKEN)
@pytest.mark.parametrize("dialect", ["kubernetes", "vmcp"])
def test_an_escaped_single_quote_is_read_as_a_quote(text: str, data: Any, dialect: Any) -> None:
    documents, findings = read_documents(text.encode(), "a.yaml", dialect=dialect)

    assert findings == []
    assert [one.data for one in documents] == [data]


def test_an_escaped_single_quote_does_not_move_later_spans() -> None:
    documents, _ = read_documents(b'a: {b: "it\\\'s", c: d}\n', "a.yaml")

    span = documents[0].span(("a", "c"))
    assert (span.line, span.column) == (1, 20)


def test_an_unknown_escape_after_an_escaped_single_quote_is_refused() -> None:
    _, findings = read_documents(rb"""a: "\'\d" """, "a.yaml")

    assert [(one.rule, one.message) for one in findings] == [("SYN009", "the escape \\d is unknown in YAML")]


def test_thousands_of_escaped_single_quotes_are_refused() -> None:
    _, findings = read_documents(b'a: "' + b"\\'" * 50_000 + b'"\n', "a.yaml")

    assert [one.rule for one in findings] == ["SYN009"]
