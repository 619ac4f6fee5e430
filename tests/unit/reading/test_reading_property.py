"""Whatever a text holds: documents or findings, never an exception, and places inside the text."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mcpcfg.compiler.diagnostics.span import Path, Span
from mcpcfg.compiler.golang import json as go_json
from mcpcfg.compiler.golang.yaml import sigs
from mcpcfg.compiler.reading import tree
from mcpcfg.compiler.reading.data import data_of
from mcpcfg.compiler.reading.document import Document, count_documents, read_documents
from mcpcfg.compiler.reading.fault import ReadError, UnreadableError
from mcpcfg.compiler.reading.node import Dialect
from mcpcfg.compiler.reading.parser import PlainParser
from mcpcfg.compiler.reading.suppression_comment import ignores

PIECES = (
    *("a", "b: ", "- ", "? ", ": ", ":", "-", "?", ",", "[", "]", "{", "}", "#", "# c\n", "\n", "\n  ", "\n    ", " "),
    *(
        '"',
        "'",
        '"x"',
        "'y'",
        "|\n",
        ">-\n",
        "|2\n",
        "&x ",
        "*x",
        "<<: ",
        "!!int ",
        "!!binary ",
        "!",
        "!y ",
        "~",
        "null",
    ),
    *("1", "1.5", "yes", ".inf", "0x1", "2001-01-01", "---\n", "...\n", "%YAML 1.1\n", "%TAG ! x\n", "\t", "\\", "\\/"),
    *(
        "\\u00e9",
        "é",
        "😀",
        "\r",
        "\r\n",
        "\x85",
        "\u2028",
        "\ufeff",
        "\x00",
        "\x07",
        "{{",
        "}}",
        "{{- if .Values.x }}",
    ),
    *(
        "# mcpcfg: ignore[A, B]",
        "${X}",
        "k: |\n  t\n",
        '{"a": 1}',
        '"\\ud800"',
        "a: &x {b: 1}\n",
        "@",
        "`",
        "a:\n- b\n",
    ),
)
TEXTS = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)
PLAIN = {str, int, float, bool, type(None)}
DIALECTS = st.sampled_from(["kubernetes", "vmcp"])
FILES = st.sampled_from(["a.yaml", "a.json"])

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False, width=32).map(lambda number: number + 0.0)  # no negative zero
    | st.text(max_size=12)
    | st.sampled_from(["yes", "1e3", "010", "null", "2001-01-01", "a: b", "- x", "#", "x\ny\n"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=15,
)


def _check_span(span: Span, text: str) -> None:
    """Lines and columns lie inside the text, and the end not before the beginning."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert 1 <= span.line <= span.end_line <= len(lines)
    assert 1 <= span.column <= len(lines[span.line - 1]) + 1
    assert 1 <= span.end_column <= len(lines[span.end_line - 1]) + 2  # a carriage return may be part of a line's end
    assert (span.line, span.column) <= (span.end_line, span.end_column)


def _paths(value: object, path: Path = ()) -> list[Path]:
    inner = enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
    return [path, *(found for step, item in inner for found in _paths(item, (*path, step)))]


def _check_documents(documents: list[Document], text: str) -> None:
    for document in documents:
        for path in _paths(document.data):
            assert document.has(path), path
            _check_span(document.span(path), text)
            _check_span(document.key_span(path), text)


@settings(max_examples=300)
@example("\ufeff\ufeff\r\na", "kubernetes", "a.yaml")
@given(TEXTS, DIALECTS, FILES)
@example("a: &x [1]\r\nb: *x\r\n", "kubernetes", "a.yaml")
@example("- {a: }\n- b:\n", "vmcp", "a.yaml")
@example("? !!int 0x1", "kubernetes", "a.yaml")
@example(" k: v\n]", "kubernetes", "a.yaml")
def test_any_text_gives_documents_or_findings(text: str, dialect: Dialect, file: str) -> None:
    documents, findings = read_documents(text, file, dialect=dialect)

    _check_documents(documents, text)
    for finding in findings:
        _check_span(finding.span, text)
        for note in finding.notes:
            assert note.span is not None
            _check_span(note.span, text)
    for ignore in ignores(text, file):
        _check_span(ignore.span, text)
    assert count_documents(documents, findings) <= sum(map(text.count, ("---", "...", "{", "%"))) + 1


@settings(max_examples=300)
@given(st.binary(max_size=60) | TEXTS.map(str.encode) | TEXTS.map(lambda text: text.encode("utf-16")), DIALECTS, FILES)
@example(b"\xff\xfea", "kubernetes", "a.yaml")
@example(b"\xff\xfe\x00\xd8", "kubernetes", "a.yaml")
def test_any_bytes_give_documents_or_findings(data: bytes, dialect: Dialect, file: str) -> None:
    documents, findings = read_documents(data, file, dialect=dialect)

    assert documents or findings or not data.strip() or count_documents(documents, findings) == 0


@settings(max_examples=150)
@given(VALUES, DIALECTS)
def test_yaml_and_json_of_a_value_are_read_as_the_value(value: object, dialect: Dialect) -> None:
    """Kubernetes' YAML and JSON of a value are read as that value; whole floats come back as integers there."""
    written = go_json.compact({"v": value})
    text = sigs.dump({"v": value})
    if any(mark in text + written for mark in ("\ufeff", "{{", "<<")):  # go-yaml writes << plain, and merges it
        return

    expected = go_json.compact({"v": value}, sort_keys=True)
    for found, form in ((text, "a.yaml"), (written, "a.json")):
        documents, findings = read_documents(found, form)
        assert findings == []
        assert go_json.compact(documents[0].data, sort_keys=True) == expected
    assert read_documents(text, "a.yaml", dialect=dialect)[1] == []


def _outline(text: str) -> list[object]:
    """List kinds and places of all nodes of the documents that come before a fault."""
    found: list[object] = []
    try:
        for root in tree.compose(text):
            waiting = [root]
            while waiting:
                node = waiting.pop()
                found.append((node.kind, node.start, node.end, node.tag, node.value if node.kind == "scalar" else None))
                if node.kind == "sequence":
                    waiting += node.value
                elif node.kind == "mapping":
                    waiting += [part for pair in node.value for part in pair]
    except ReadError:
        found.append("fault")
    return found


PLAIN_TEXTS = st.lists(
    st.sampled_from([piece for piece in PIECES if piece not in {"?", "{{", "|2\n", "\ufeff"}]), max_size=12
)


@settings(max_examples=200)
@given(PLAIN_TEXTS.map("".join))
@example("a: &x\n  - b\n# c\nd: |\n  e\n\n\nf: {g: [h, *x]}\n")
@example('é: "ö\\n"\r\n? b\r\n: >-\r\n  c\r\n')
def test_both_parsers_give_the_same_nodes_and_marks(text: str) -> None:
    """Where both take a text; in what they refuse PyYAML's own parser differs here and there."""
    with pytest.MonkeyPatch.context() as patch:
        quick = _outline(text)
        patch.setattr(tree, "event_parser", PlainParser)
        plain = _outline(text)

    if "fault" not in quick and "fault" not in plain:
        assert quick == plain


@settings(max_examples=200)
@given(TEXTS, DIALECTS)
def test_the_exact_reader_returns_plain_data(text: str, dialect: Dialect) -> None:
    try:
        values = [data_of(root, dialect) for root in tree.compose(text)]
    except (ReadError, UnreadableError):
        return
    assert all(_is_plain(value) for value in values)


def _is_plain(value: object) -> bool:
    if type(value) is dict:
        return all(type(key) is str and _is_plain(item) for key, item in value.items())
    return all(map(_is_plain, value)) if type(value) is list else type(value) in PLAIN
