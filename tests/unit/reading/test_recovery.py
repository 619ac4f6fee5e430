"""A document that cannot be read leaves findings, and the others go on."""

import pytest

from mcpcfg.compiler.reading.document import count_documents, read_documents


@pytest.mark.parametrize(
    "broken",
    ["a: b: c", "a: 'open", 'a: "open', "a: [1, 2", "a: {b: 1", "\ta: 1", "a: *nope", "a: 1\na: 2", "a: @x", "a: \x07"],
)
def test_documents_around_a_broken_one_are_read(broken: str) -> None:
    documents, findings = read_documents(f"one: 1\n---\n{broken}\n---\nthree: 3\n", "a.yaml")

    assert [(document.index, document.data) for document in documents] == [(0, {"one": 1}), (2, {"three": 3})]
    assert [(finding.document, finding.stage, finding.severity) for finding in findings] == [(1, "syntax", "error")]
    assert 3 <= findings[0].span.line <= 4
    assert count_documents(documents, findings) == 3


def test_bytes_that_are_no_utf_8_only_affect_their_document() -> None:
    documents, findings = read_documents(b"a: 1\n---\nb: caf\xe9\n---\nc: \xc3\xa9\n", "a.yaml")

    assert [document.data for document in documents] == [{"a": 1}, {"c": "é"}]
    assert [(finding.rule, finding.span[1:], finding.message) for finding in findings] == [
        ("SYN015", (3, 7, 3, 8), "the byte 0xe9 is not part of any character"),
    ]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("# only a comment\n", 0),
        ("---\n---\n\n---\n", 0),
        ("null\n---\n~\n---\n# x\n", 0),
        ("---\na: 1\n---\n", 1),
        ("a: 1\n--- # the second\nb: 2\n...\n", 2),
        ("--- {a: 1}\n--- |\n ---\n--- 'x'\n", 3),
        ("a: 1\n...\nb: 1\n", 1),
        ("a: |\n  ---\n  b\n", 1),
        ("a: 1\n---b: 2\n", 1),
        ("%YAML 1.1\n---\na: 1\n...\n%YAML 1.1\n---\nb: 1\n", 2),
        ("%TAG ! tag:x,2000:\n---\na: !b c\n---\nd: 1\n", 2),
        ("\ufeffa: 1\n---\n\ufeffb: 1\n", 2),
    ],
)
def test_documents_that_are_not_empty_are_counted(text: str, count: int) -> None:
    documents, findings = read_documents(text, "a.yaml")

    assert count_documents(documents, findings) == count


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("a: 1\n---#c\nb: 2\n", [{"a": 1}, {"b": 2}]),
        ("a: 1\r\n---#c\r\nb: 2\r\n", [{"a": 1}, {"b": 2}]),
        ("a: |\n x\n---#", [{"a": "x\n"}]),
        ("# c\n---#d\nb: 2\n", [{"b": 2}]),
        ("---\n---#d\nb: 2\n", [{"b": 2}]),
        ("a: 1\n--- # x\n# c\n---#y\nb: 1\n", [{"a": 1}, {"b": 1}]),
        ("a: 1\n...\n---#c\nb: 2\n", [{"a": 1}, {"b": 2}]),
        ("a: 1\n---\xa0\t#c\nb: 2\n", [{"a": 1}, {"b": 2}]),
        ("a: 1\n---\f\nb: 2\n", [{"a": 1}, {"b": 2}]),
    ],
)
def test_a_line_that_kubectl_drops_ends_a_document(text: str, read: list[object]) -> None:
    documents, findings = read_documents(text, "a.yaml")

    assert findings == []
    assert [document.data for document in documents] == read
    assert read_documents(text, "a.yaml", dialect="vmcp")[1] != []


def test_lines_after_a_dropped_line_keep_their_numbers() -> None:
    documents = read_documents("a: 1\n---#c\n# d\nb: 2\r\n---#e\r\nc: 3\n", "a.yaml")[0]

    assert [document.span(()).line for document in documents] == [1, 4, 6]


@pytest.mark.parametrize(
    "text", ["---#c\na: 1\n", "a: 1\n---#c\n---#d\nb: 2\n", "a: 1\r---#c\rb: 2\r", "a: 1\n----\nb: 1\n"]
)
def test_a_line_that_kubectl_takes_for_text_is_no_separator(text: str) -> None:
    assert read_documents(text, "a.yaml")[1] != []


def test_all_duplicate_keys_are_reported() -> None:
    _, findings = read_documents("a: 1\nb: {x: 1, x: 2}\na: 2\n'a': 3\n", "a.yaml")

    assert [(finding.rule, finding.span[1:3], finding.notes[0].span) for finding in findings] == [
        ("SYN010", (2, 11), (*_span("a.yaml", 2, 5, 6),)),
        ("SYN010", (3, 1), (*_span("a.yaml", 1, 1, 2),)),
        ("SYN010", (4, 1), (*_span("a.yaml", 1, 1, 2),)),
    ]


def test_each_unsuitable_key_is_reported() -> None:
    _, findings = read_documents("null: 1\nb: 2\n[a]: 3\n", "a.yaml")

    assert [(finding.rule, finding.span.line) for finding in findings] == [("SYN013", 1), ("SYN013", 3)]


def _span(file: str, line: int, column: int, end: int) -> tuple[str, int, int, int, int]:
    return (file, line, column, line, end)


@pytest.mark.parametrize("text", ["yes: 1\ntrue: 2\n", "1: a\n'1': b\n", "a: &x {k: 1, k: 2}\nb: {<<: *x}\n"])
def test_keys_that_are_the_same_to_kubernetes_are_reported(text: str) -> None:
    assert len(read_documents(text, "a.yaml")[1]) == 1


@pytest.mark.parametrize(
    ("merging", "read"),
    [
        ("{<<: *x, k: 3}", {"k": 3, "l": 1}),
        ("{k: 3, <<: *x}", {"k": 3, "l": 1}),
        ("{<<: [*x, *y]}", {"k": 1, "l": 1, "m": 2}),
        ("{<<: *x, <<: *y}", {"k": 2, "l": 1, "m": 2}),
        ("{<<: {<<: *x, k: 3}, l: 4}", {"k": 3, "l": 4}),
        ("{<<: {<<: *x, k: 3}, <<: *y}", {"k": 2, "l": 1, "m": 2}),
    ],
)
def test_an_explicit_key_wins_over_a_merged_key_in_any_order(merging: str, read: dict[str, int]) -> None:
    documents, findings = read_documents(f"x: &x {{k: 1, l: 1}}\ny: &y {{k: 2, m: 2}}\nz: {merging}\n", "a.yaml")

    assert findings == []
    assert documents[0].data["z"] == read
    for key, value in read.items():
        assert documents[0].scalar(("z", key)) == str(value)


def test_in_the_vmcp_dialect_an_explicit_key_wins_over_a_merged_key() -> None:
    text = "x: &x {k: 1, l: 1}\ny: &y {k: 2, m: 2}\nz: {<<: [*x, *y], l: 3}\n"
    documents, findings = read_documents(text, "a.yaml", dialect="vmcp")

    assert findings == []
    assert documents[0].data["z"] == {"l": 3, "k": 1, "m": 2}


def test_a_stream_that_begins_with_a_brace_is_json_or_yaml() -> None:
    flow = read_documents("{a: 1, b: [x,]}\n---\n{c: 2}\n", "a.yaml")[0]
    mixed = read_documents('{"a": "\\/"}\n', "a.yaml")[0]

    assert [document.data for document in flow] == [{"a": 1, "b": ["x"]}, {"c": 2}]
    assert [document.data for document in mixed] == [{"a": "/"}]
    assert [document.is_json for document in (*flow, *mixed)] == [False, False, True]


def test_an_element_that_is_read_twice_is_not_shared() -> None:
    data = read_documents("a: &a {x: [1]}\nb: *a\n", "a.yaml")[0][0].data
    data["a"]["x"].append(2)

    assert data["b"] == {"x": [1]}
