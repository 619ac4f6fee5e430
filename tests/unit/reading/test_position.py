"""Where keys and values stand: lines and columns from 1, counted in the file, in code points."""

import pytest

from mcpcfg.compiler.diagnostics.span import Path, Span
from mcpcfg.compiler.reading.document import Document, read_documents


def _only(text: str | bytes, file: str = "a.yaml") -> Document:
    documents, findings = read_documents(text, file)
    assert findings == []
    assert len(documents) == 1
    return documents[0]


def _place(span: Span) -> tuple[int, int, int, int]:
    return span[1:]


SERVER = """\
kind: MCPServer
metadata:
  name: fetch   # the name
spec:
  env:
    - name: A
      value: "x y"
    - name: B
  text: |
    one
    two

  args: [--host, 0.0.0.0]
  empty:
"""


@pytest.mark.parametrize(
    ("path", "value", "key"),
    [
        ((), (1, 1, 14, 9), (1, 1, 14, 9)),
        (("kind",), (1, 7, 1, 16), (1, 1, 1, 5)),
        (("metadata", "name"), (3, 9, 3, 14), (3, 3, 3, 7)),
        (("spec", "env"), (6, 5, 8, 14), (5, 3, 5, 6)),
        (("spec", "env", 0, "value"), (7, 14, 7, 19), (7, 7, 7, 12)),
        (("spec", "env", 1), (8, 7, 8, 14), (8, 7, 8, 14)),
        (("spec", "text"), (9, 9, 11, 8), (9, 3, 9, 7)),
        (("spec", "args"), (13, 9, 13, 26), (13, 3, 13, 7)),
        (("spec", "args", 1), (13, 18, 13, 25), (13, 18, 13, 25)),
        (("spec", "empty"), (14, 9, 14, 9), (14, 3, 14, 8)),
    ],
)
def test_keys_and_values_have_their_places(path: Path, value: tuple[int, ...], key: tuple[int, ...]) -> None:
    document = _only(SERVER)

    assert (_place(document.span(path)), _place(document.key_span(path))) == (value, key)
    assert document.has(path)


@pytest.mark.parametrize(
    ("path", "nearest"),
    [
        (("spec", "env", 0, "valueFrom"), ("spec", "env", 0)),
        (("spec", "env", 7, "name"), ("spec", "env")),
        (("spec", "args", "x"), ("spec", "args")),
        (("kind", "x", 3), ("kind",)),
        (("status",), ()),
    ],
)
def test_a_missing_value_has_the_span_of_the_nearest_value_around_it(path: Path, nearest: Path) -> None:
    document = _only(SERVER)

    assert document.span(path) == document.span(nearest) == document.key_span(path)
    assert not document.has(path)


def test_the_text_does_not_have_a_default_that_was_added_to_the_data() -> None:
    document = _only(SERVER)
    document.data["spec"]["transport"] = "stdio"

    assert not document.has(("spec", "transport"))
    assert document.has(("spec", "empty"))


def test_columns_count_code_points() -> None:
    document = _only('"é😀": {"ключ": "日本", b: 1}\n')

    assert _place(document.span(("é😀", "ключ"))) == (1, 16, 1, 20)
    assert _place(document.key_span(("é😀", "b"))) == (1, 22, 1, 23)


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_neither_byte_order_mark_nor_line_ends_move_a_place(mark: bytes, end: str) -> None:
    text = "# first\na: 1\n---\nb:\n  - 'x'\n  - |\n    t\n---\nc: 3\n".replace("\n", end)
    documents, findings = read_documents(mark + text.encode(), "a.yaml")

    assert findings == []
    assert _place(documents[0].span(("a",))) == (2, 4, 2, 5)
    assert _place(documents[1].span(("b", 0))) == (5, 5, 5, 8)
    assert _place(documents[1].span(("b", 1))) == (6, 5, 7, 6)
    assert _place(documents[2].key_span(("c",))) == (9, 1, 9, 2)


def test_utf_16_is_read_with_the_same_places() -> None:
    document = _only("a:\n  é: b\n".encode("utf-16"))

    assert document.data == {"a": {"é": "b"}}
    assert _place(document.span(("a", "é"))) == (2, 6, 2, 7)


def test_unicode_line_separators_end_no_line_of_the_file() -> None:
    document = _only('a: "x\u2028y\u0085z"\nb: 1\n')

    assert _place(document.span(("b",))) == (2, 4, 2, 5)


def test_places_are_counted_in_the_file_in_the_tenth_document() -> None:
    text = "".join(f"# {number}\nname: n{number}\nspec: &s {{x: 1}}\nagain: *s\n---\n" for number in range(10))
    documents, _ = read_documents(text, "a.yaml")

    assert [document.index for document in documents] == list(range(10))
    assert _place(documents[9].span(("name",))) == (47, 7, 47, 9)
    assert _place(documents[9].span(("again",))) == (49, 8, 49, 10)


ALIASES = """\
base: &base
  cpu: 100m
  memory: 1Gi
name: &n fetch
limits: *base
again: *n
merged:
  <<: *base
  pods: 5
list: [*n, {<<: [*base, {x: 1}]}]
"""


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("limits",), (5, 9, 5, 14)),
        (("limits", "cpu"), (2, 8, 2, 12)),
        (("again",), (6, 8, 6, 10)),
        (("merged", "memory"), (3, 11, 3, 14)),
        (("merged", "pods"), (9, 9, 9, 10)),
        (("list", 0), (10, 8, 10, 10)),
        (("list", 1, "cpu"), (2, 8, 2, 12)),
        (("list", 1, "x"), (10, 29, 10, 30)),
        (("name",), (4, 7, 4, 15)),
    ],
)
def test_aliased_and_merged_values_have_the_span_of_their_source(path: Path, value: tuple[int, ...]) -> None:
    document = _only(ALIASES)

    assert _place(document.span(path)) == value
    assert document.has(path)


def test_keys_are_found_by_their_json_keys() -> None:
    document = _only("yes: a\n010: b\n'no': c\n1.0: d\n!!int 0x9: e\n")

    assert document.data == {"true": "a", "8": "b", "no": "c", "1": "d", "9": "e"}
    assert [_place(document.key_span((key,)))[:2] for key in document.data] == [(line, 1) for line in range(1, 6)]


@pytest.mark.parametrize("file", ["a.json", "a.yaml"])
def test_json_has_places(file: str) -> None:
    document = _only('{\n\t"a": [1, {"b\\n": "x"}],\n\t"c": {}\n}\n', file)

    assert document.is_json
    assert document.data == {"a": [1, {"b\n": "x"}], "c": {}}
    assert _place(document.span(("a", 1, "b\n"))) == (2, 19, 2, 22)
    assert _place(document.key_span(("a", 1, "b\n"))) == (2, 12, 2, 17)
    assert _place(document.key_span(("c",))) == (3, 2, 3, 5)
    assert _place(document.span(("c",))) == (3, 7, 3, 9)
    assert _place(document.span(())) == (1, 1, 4, 2)


def test_several_json_values_have_their_own_places() -> None:
    documents, _ = read_documents('{"a": 1}\n{"a": 2}\n', "a.json")

    assert [_place(document.span(("a",))) for document in documents] == [(1, 7, 1, 8), (2, 7, 2, 8)]


@pytest.mark.parametrize(
    ("text", "scalar"),
    [
        ("a: 1.10\n", "1.10"),
        ("a: yes\n", "yes"),
        ("a: '010'\n", "010"),
        ("a:\n", ""),
        ("a: &x 0x1F\n", "0x1F"),
        ("a: [1]\n", None),
        ("b: 1\n", None),
    ],
)
def test_the_text_of_a_scalar_is_kept(text: str, scalar: str | None) -> None:
    assert _only(text).scalar(("a",)) == scalar


def test_the_elements_of_a_list_are_documents() -> None:
    text = "a: 1\n---\nkind: List\nitems:\n- kind: A\n  x: 1\n- kind: List\n  items:\n  - kind: B\n"
    documents, _ = read_documents(text, "a.yaml")
    elements = [element for document in documents for element in document.elements()]

    assert [(element.index, element.prefix, element.data) for element in elements] == [
        (0, (), {"a": 1}),
        (1, ("items", 0), {"kind": "A", "x": 1}),
        (1, ("items", 1, "items", 0), {"kind": "B"}),
    ]
    assert _place(elements[1].span(("x",))) == (6, 6, 6, 7)
    assert _place(elements[2].key_span(("kind",))) == (9, 5, 9, 9)
    assert elements[1].has(("x",))
    assert not elements[1].has(("y",))
