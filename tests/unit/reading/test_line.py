"""Reading line by line returns the data and the places of the exact way, or leaves the text to it."""

from __future__ import annotations

from itertools import chain, cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mcpcfg.compiler.reading.character import forbidden
from mcpcfg.compiler.reading.data import data_of
from mcpcfg.compiler.reading.document import read_documents
from mcpcfg.compiler.reading.excerpt import Excerpt, excerpts
from mcpcfg.compiler.reading.fast.data import read as read_fast
from mcpcfg.compiler.reading.fast.place import Places
from mcpcfg.compiler.reading.location import locate
from mcpcfg.compiler.reading.node import extent
from mcpcfg.compiler.reading.tree import compose

if TYPE_CHECKING:
    from mcpcfg.compiler.reading.node import Location

FIXTURES = Path(__file__).parents[3] / "fixtures"
FILES = sorted(FIXTURES.glob("conformance/operator/*/input.yaml"))[::5]
DIALECTS = st.sampled_from(["kubernetes", "vmcp"])

INDENTS = st.sampled_from(["", "", "  ", "  ", "    ", "      ", " ", "\t"])
DASHES = st.sampled_from(["", "", "", "- ", "-   ", "- - ", "-"])
KEYS = st.sampled_from(
    [
        "",
        "a: ",
        "a:",
        "b: ",
        "b:",
        "c-d.e/f:  ",
        ".a: ",
        "$b:",
        "$$b: ",
        "8080: ",
        "yes: ",
        "~: ",
        "<<: ",
        "'q': ",
        "? a",
        "é: ",
        "a :",
        "- a: ",
    ]
)
SCALARS = st.sampled_from(
    [
        *(
            "",
            "x",
            "x y",
            "a: b",
            "a:b",
            "http://h:1/p#f",
            "1.10",
            "0x1f",
            "yes",
            "~",
            "null",
            "-1",
            "--flag=a",
            "<value>",
            "<= 1 # c",
            "<",
            "<a: b",
            "<a>:",
            "<<",
            "<<x>>",
            "- x",
            ".5",
        ),
        "'it''s'",
        "'a: b'",
        '"q # r"',
        '"a\\nb"',
        '"\\/"',
        "'open",
        "{}",
        "[]",
        "[a, 'b', {c: d}]",
        "[-a, --b-c=d, -]",
        "{ a: ['b]', 1.0], c-d: x, e: [] } # f",
        '"a \\" \\\\ b"',
        "{a: 1, b: [2]}",
        "[a",
        "|",
        "|-",
        ">",
        ">-",
        "|+",
        "|2",
        "&x 1",
        "&x 'q'",
        "&x",
        "&y # c",
        "&x [&y 1]",
        "*x",
        "*x # c",
        "*y",
        "!!str 1",
        "!t x",
        "%",
        "@x",
        "`x",
        "x#y",
        "^(a|b)$",
        "(a b)",
        ":8080",
        "# c",
        "x #y",
        "é 😀",
        "\x85",
        "a\tb",
        "a\x07",
        "\ufeff",
        "...",
        "---",
        "a?b",
        "?",
        ":",
        "a,b",
        "}",
        "{a: b}: c",
        '"a": b',
        "[a]: b",
        "2001-01-01",
    ]
)
ENDS = st.sampled_from(["\n", "\n", "\n", "\n\n", " # c\n", "   \n", "#c\n", "\n# c\n", "\n   # c\n", "", "\r\n"])
BREAKS = st.lists(
    st.sampled_from(["\r\n", "\r\n", "\r\n", "\r\n", "\n", "\r", "\r\r\n", "\n\r"]), min_size=1, max_size=5
)
LINES = st.tuples(INDENTS, DASHES, KEYS, SCALARS, ENDS).map("".join)
TEXTS = st.tuples(st.sampled_from(["", "", "---\n", "--- # c\n", "# c\n"]), st.lists(LINES, max_size=8).map("".join))


def _paths(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """List the paths in ``value``, and some that are not there."""
    inner = enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
    beyond = [(*path, "absent"), (*path, len(value) if isinstance(value, list) else 0)]
    return [path, *beyond, *(found for step, item in inner for found in _paths(item, (*path, step)))]


def _shape(found: Location, text: str) -> object:
    value = found.value.value if found.value.kind == "scalar" else None
    return found.is_whole, found.value.kind, extent(found.value, text), extent(found.key, text), value


def assert_same(text: str, dialect: Any) -> bool:
    """Compare both ways; returns whether the text was read line by line."""
    read = read_fast(text, dialect)
    if read is None:
        return False
    forbidden(text)
    roots = list(compose(text))
    assert repr(read) == repr([data_of(root, dialect) for root in roots])
    places = Places(text) if read else None
    for path in _paths(read[0]) if places else ():
        assert places is not None
        # One that knows other places already, and one that does not.
        found = [_shape(one, text) for way in (places, Places(text)) if (one := way.locate(path))]
        assert found in ([], [_shape(locate(roots[0], path, dialect), text)] * 2), path
    return True


def _read(text: str, dialect: Any) -> object:
    documents, findings = read_documents(text, "f.yaml", dialect=dialect)
    return findings, [
        (one.data, [(one.span(path), one.key_span(path), one.scalar(path)) for path in _paths(one.data)])
        for one in documents
    ]


def assert_same_documents(text: str, dialect: Any) -> None:
    read = _read(text, dialect)
    with mock.patch.object(Excerpt, "read_fast", return_value=None):
        assert repr(read) == repr(_read(text, dialect))


def test_both_readers_return_the_same_for_recorded_files() -> None:
    read = [
        assert_same(one.body, "kubernetes")
        for file in FILES
        for one in excerpts(file.read_text(encoding="utf-8"), file.name)
    ]
    assert sum(read) / len(read) > 0.8, "nearly all documents are written so that they can be read line by line"


@settings(max_examples=1500)
@given(TEXTS.map("".join), DIALECTS)
@example("a:\n- x\n- y: 1\n  z:\n  - w\nb: 2\n", "kubernetes")
@example("a: |\n\n  x\n   y\n\n# c\nb: >-\n  p\n  q\n", "kubernetes")
@example("- |\n  x\n- a: |-\n    y\n", "vmcp")
@example("a:\n  # c\n\n  b:   # d\n    - 'x'   # e\n", "kubernetes")
@example("a: [x, {y: 1}]  # c\nb: 'it''s'\n", "kubernetes")
@example("a: b\n  c: d\n", "kubernetes")
@example("a: &x 1\nb: *x\nc: &x 'q'\nd: [1]\ne: *x\n", "kubernetes")
@example("a: &x\n  b: &y\n  - 1\n  - c: *y\nd: *x\ne:\n- *x\n- *y\n", "kubernetes")
@example("a: &x\nb: *x\n", "kubernetes")
@example("a: &x [1, {b: c}]\nd: *x\n", "vmcp")
@example("a: |\n x\n  # c\n # d\nb: 1\n", "kubernetes")
@example("a: |\n  x", "kubernetes")
@example("a: |\n  x  \n", "kubernetes")
def test_both_readers_return_the_same_for_any_text(text: str, dialect: Any) -> None:
    for one in excerpts(text, "f.yaml"):
        assert_same(one.body, dialect)


@settings(max_examples=1500)
@given(TEXTS.map("".join), BREAKS, DIALECTS)
@example("---\na: b\nc: |\n  d\n\n  e\nf: >-\n  g\n  h\n\n# i\nj: '<'\n", ["\r\n"], "kubernetes")
@example("a: [b]\nc: 1\n", ["\r\r\n"], "kubernetes")
@example("a: |\n  b\n  c\nd: e\n", ["\r\n", "\r\n", "\r"], "vmcp")
@example("a: |\n  b\n", ["\r\n", "\r\r\n"], "vmcp")
@example("a: &x 1\n# c\nb: *x\n---\na: 'b'\na: c\n", ["\r\n", "\n"], "kubernetes")
def test_both_readers_return_the_same_documents_for_carriage_returns(
    text: str, breaks: list[str], dialect: Any
) -> None:
    lines = zip(text.split("\n"), cycle(breaks))
    assert_same_documents("".join(chain.from_iterable(lines)), dialect)


def test_both_readers_return_the_same_for_recorded_files_with_cr_lf() -> None:
    for file in FILES[::5]:
        assert_same_documents(file.read_text(encoding="utf-8").replace("\n", "\r\n"), "kubernetes")


def test_a_text_with_carriage_returns_needs_the_exact_reader_only_for_places() -> None:
    text = "---\r\na: b # c\r\nd: |\r\n  e\r\n\r\n  f\r\n"
    one = Excerpt("f.yaml", text, 0, len(text), 0)

    assert one.read_fast("kubernetes") == [{"a": "b", "d": "e\n\nf\n"}]
    assert one.form == "yaml"


@pytest.mark.parametrize(
    "text",
    [
        "a: b\na: c\n",
        "a: b\n   c\n",
        "a:\n    b: 1\n  c: 2\n",
        "a: &x |\n  x\n",
        "a: *x\nb: &x 1\n",
        "a: &x\n  b: *x\n",
        "a: &x 1\nb: [&x 2]\nc: *x\n",
        "- &x a: 1\n",
        "&x a: 1\n",
        "a: |+\n  x\n",
        "yes: 1\n",
        "a: 'open\n",
        "a: b: c\n",
        "a:\tb\n",
        "- a\nb: 1\n",
        "a: [b]: c\n",
        "a: 1\n...\n",
        "scalar\n",
        "a: <<\n",
        "<<: {a: b}\n",
        "- <<: {a: b}\n",
        "- <a>: b\n",
        "a: <b\n  c\n",
        "a: b\rc: d\n",
    ],
)
def test_the_fast_path_leaves_unusual_texts_to_the_exact_reader(text: str) -> None:
    assert read_fast(text, "kubernetes") is None


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ('a: [x, "y\\n", [z]]\n', True),
        ('a: "x\\ty"\n', True),
        ("a: <b>\n- c\n", False),
        ("a: <b> # c\nd:\n- <= 1 GB\n- <\n- e: <#f\n", True),
        ('a: ["x", &y z]\nb: [1, [2]]\n', True),
        ("a: [&x [1], *x]\n", False),
        ("a: [[b]]\x85...\nc: 1\n", False),
        ('a: ["\udc80", [b]]\n', False),
        (f"a: {'[' * 51}{']' * 51}\n", False),
        ("".join(f"{' ' * depth}a:\n" for depth in range(49)), True),
        ("".join(f"{' ' * depth}a:\n" for depth in range(50)), False),
    ],
)
def test_the_fast_path_accepts_a_text_only_if_the_exact_reader_agrees(text: str, taken: bool) -> None:
    assert (read_fast(text, "kubernetes") is not None) is taken
    assert not taken or assert_same(text, "kubernetes")


@pytest.mark.parametrize("depth", [99, 100, 101])
def test_lines_are_nested_as_deep_as_the_exact_reader_allows(depth: int) -> None:
    documents, findings = read_documents("".join(f"{' ' * at}a:\n" for at in range(depth)), "a.yaml")

    assert (len(documents), [finding.rule for finding in findings]) == ((1, []) if depth <= 100 else (0, ["SYN016"]))
