"""Findings about a text that is no YAML: the rule, the stretch that has to be edited, and what to do."""

import pytest

from mcpcfg.compiler.reading import tree
from mcpcfg.compiler.reading.document import read_documents
from mcpcfg.compiler.reading.parser import PlainParser

REPORTED = [
    # text, rule, (line, column, end line, end column), words of the message or the hint
    ("\ta: 1\n", "SYN002", (1, 1, 1, 2), "tab"),
    ("a:\n\t\tb: 1\n", "SYN002", (2, 1, 2, 3), "spaces"),
    ("a: b\n\tc: d\n", "SYN002", (2, 1, 2, 2), "tab"),
    ('a: "x\nb: 1\n', "SYN003", (1, 4, 1, 6), "never closed"),
    ("a: 'it's'\n", "SYN003", (1, 8, 1, 10), "closing quote"),
    ("a: [1, 2\nb: c\n", "SYN004", (1, 4, 1, 5), "never closed"),
    ("a: {b: 1\n", "SYN004", (1, 4, 1, 5), "close it with }"),
    ("a: [{b: 1}}]\n", "SYN004", (1, 11, 1, 12), "} closes nothing"),
    ("a: {b: 1}}\nc: 1\n", "SYN004", (1, 10, 1, 11), "} closes nothing"),
    ("a: [1]\n]\n", "SYN004", (2, 1, 2, 2), "remove it"),
    ("a: [b: c: d]\n", "SYN004", (1, 9, 1, 10), "quote"),
    ("a:\n  b: c\n d: e\n", "SYN005", (3, 2, 3, 4), "fits no line above"),
    ("a: b\n  c: d\n", "SYN005", (2, 3, 2, 4), "does not fit"),
    ("- a\nb: c\n", "SYN005", (2, 1, 2, 3), "list"),
    ("a:\n  - b\n - c\n", "SYN005", (3, 2, 3, 3), "fits no line above"),
    ("a: - b\n", "SYN005", (1, 4, 1, 5), "list"),
    ("a: b: c\n", "SYN006", (1, 5, 1, 6), "quote"),
    ("- a: Warning: x\n", "SYN006", (1, 13, 1, 14), '"Warning: x"'),
    ("a:1\nb: 2\n", "SYN007", (1, 2, 1, 3), "space"),
    ("a: 1\nb\nc: 3\n", "SYN007", (2, 1, 2, 2), "key: value"),
    ("a: @x\n", "SYN008", (1, 4, 1, 6), "@"),
    ("a: *\n", "SYN008", (1, 4, 1, 5), "alias"),
    ("h: [*.example.com]\n", "SYN008", (1, 5, 1, 19), "quote"),
    ("a: ]\n", "SYN008", (1, 4, 1, 5), "]"),
    ("a: [http://x/?q=1]\n", "SYN008", (1, 5, 1, 18), "?"),
    ('a: "^\\d+$"\n', "SYN009", (1, 6, 1, 8), "\\d"),
    ('a: "\\x4"\n', "SYN009", (1, 5, 1, 8), "single quotes"),
    ("a: *nope\nb: &known 1\n", "SYN012", (1, 4, 1, 9), "&nope"),
    ("null: a\n", "SYN013", (1, 1, 1, 5), "null"),
    ("[a]: b\n", "SYN013", (1, 1, 1, 4), "a list"),
    ("a: {{ image }}\n", "SYN013", (1, 5, 1, 14), "quote"),
    ("a: .inf\n", "SYN014", (1, 4, 1, 8), "JSON"),
    ("a: !!int four\n", "SYN014", (1, 4, 1, 14), "!!int"),
    ("a: !!binary '*'\n", "SYN014", (1, 4, 1, 16), "!!binary"),
    ("a: {<<: 1}\n", "SYN014", (1, 9, 1, 10), "merge"),
    ("a: b\x00\n", "SYN015", (1, 5, 1, 6), "NUL"),
    ("a: 1\n\ufeffb: 2\n", "SYN015", (2, 1, 2, 2), "byte order mark"),
    ("a: &x [*x]\n", "SYN017", (1, 8, 1, 10), "repeats"),
    ("a: |x\n  b\n", "SYN001", (1, 4, 1, 6), "block of text"),
    ("a: 1\n...\nb\nc: 1\n", "SYN001", (3, 1, 3, 2), "---"),
    ("%YAML 1.2\n---\na: 1\n", "SYN001", (1, 1, 2, 4), "1.2"),
]


@pytest.mark.parametrize(("text", "rule", "place", "words"), REPORTED)
def test_a_fault_is_reported_where_it_has_to_be_fixed(text: str, rule: str, place: tuple[int, ...], words: str) -> None:
    documents, findings = read_documents(text, "a.yaml")

    assert [(finding.rule, finding.span[1:]) for finding in findings] == [(rule, place)]
    assert words in f"{findings[0].message}; {findings[0].hint}"
    assert all(finding.document is not None for finding in findings)
    assert len(documents) == (1 if "..." in text else 0)


@pytest.mark.parametrize(("text", "rule", "place", "words"), [case for case in REPORTED if "?" not in case[0]])
def test_the_parser_in_plain_python_reports_the_same(
    text: str, rule: str, place: tuple[int, ...], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tree, "event_parser", PlainParser)

    findings = read_documents(text, "a.yaml")[1]

    assert [finding.rule for finding in findings] == [rule]
    assert findings[0].span.line == place[0]


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ('{"a": 1,}', (1, 8, 1, 9), "comma"),
        ('{"a": 1 "b": 2}', (1, 9, 1, 10), "comma"),
        ("{'a': 1}", (1, 2, 1, 3), "single quotes"),
        ('{"a": 1}\n// x', (2, 1, 2, 2), "follows the end"),
        ('{\n# x\n"a": 1}', (2, 1, 2, 2), "comments"),
        ('{"a": "x\n"}', (1, 9, 1, 9), "line break"),
        ('{"a": "x', (1, 7, 1, 9), "never closed"),
        ('{"a": "\\d"}', (1, 8, 1, 10), "escape"),
        ('{"a": NaN}', (1, 7, 1, 10), "NaN"),
        ('{"a": 1e999}', (1, 7, 1, 12), "1e999"),
        ('{"a": [1, 2', (1, 11, 1, 12), "ends before"),
        ('{"a" 1}', (1, 6, 1, 7), "colon"),
        ("{a: 1}", (1, 2, 1, 3), "double quotes"),
        ("[1, 2] 3", (1, 8, 1, 9), "follows the end"),
    ],
)
def test_a_fault_of_json_is_reported(text: str, place: tuple[int, ...], words: str) -> None:
    documents, findings = read_documents(text, "a.json")

    assert documents == []
    assert [(finding.rule, finding.span[1:]) for finding in findings] == [("SYN018", place)]
    assert words in f"{findings[0].message}; {findings[0].hint}"


def test_duplicate_keys_in_json_are_reported() -> None:
    findings = read_documents('{"a": 1, "b": {"c": 1, "\\u0063": 2}, "a": 2}', "a.json")[1]

    assert [(finding.rule, finding.span[1:3]) for finding in findings] == [("SYN010", (1, 24)), ("SYN010", (1, 38))]
    assert findings[1].notes[0].span == ("a.json", 1, 2, 1, 5)
