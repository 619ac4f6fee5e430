"""The outline of a text: the places of a sound document, and some of any other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpcfg.compiler.editor import outline
from mcpcfg.compiler.editor.flow import unquoted
from mcpcfg.compiler.editor.outline import outline_at, outlines
from mcpcfg.compiler.fix.source_buffer import SourceBuffer, line_starts
from mcpcfg.compiler.reading.document import read_documents

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcpcfg.compiler.diagnostics.span import Path as DataPath
    from mcpcfg.compiler.editor.outline import Outline

FIXTURES = Path(__file__).parents[3] / "fixtures"
FOLDERS = sorted({path.relative_to(FIXTURES).parts[0] for path in FIXTURES.rglob("*.yaml")})


def inner(value: Any, path: DataPath = ()) -> Iterator[tuple[DataPath, Any]]:
    if path:
        yield path, value
    if isinstance(value, dict):
        for key, one in value.items():
            yield from inner(one, (*path, key))
    elif isinstance(value, list):
        for number, one in enumerate(value):
            yield from inner(one, (*path, number))


def respelt(path: DataPath) -> bool:
    """Return whether a key means another value than it shows: ``n: 1`` is ``false: 1``."""
    return any(step in ("true", "false") for step in path)


def is_elsewhere(path: DataPath, one: Outline) -> bool:
    """Return whether a value stands behind an alias or a merge."""
    if any(one.entry((*path[:length], "<<")) is not None for length in range(len(path))):
        return True
    above = [one.entry(path[:length]) for length in range(1, len(path))]
    return any((entry.text or "").startswith("*") for entry in above if entry is not None)


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_outline_of_a_sound_document_has_the_places_that_its_reader_gives(folder: str) -> None:
    compared = 0
    for file in sorted((FIXTURES / folder).rglob("*.[yj][as]*[ln]"))[:150]:
        text = file.read_bytes().decode("utf-8", "surrogateescape").removeprefix("\ufeff")
        documents, findings = read_documents(text, str(file))
        found = [one for one in outlines(text) if one.entries]
        if findings or len(found) != len(documents):
            continue
        starts = line_starts(text)
        for document, one in zip(documents, found, strict=True):
            page = SourceBuffer(text, document, starts)
            for path, value in inner(document.data):
                if respelt(path):
                    continue
                entry = one.entry(path)
                if entry is None and is_elsewhere(path, one):
                    continue
                assert entry is not None, (file, path)
                if isinstance(path[-1], str) and document.has(path):
                    assert entry.key == page.key(path), (file, path)
                start, end = page.value(path)
                is_plain = text[start : start + 1] not in {"&", "!"} and not set(text[start:end]) & {"\n", "\r"}
                if is_plain and entry.text is not None and not isinstance(value, (dict, list)):
                    assert entry.value == (start, end), (file, path)
                compared += 1
    assert compared


@given(st.text(st.sampled_from("a: -#'\"{}[],|>&*!\n\r\t\\\u00e9%?"), max_size=80))
def test_any_text_has_an_outline(text: str) -> None:
    for one in [*outlines(text), outline_at(text, len(text) // 2)]:
        for entry in one.entries:
            assert one.start <= entry.key[0] <= entry.key[1] <= one.end
            assert one.start <= entry.value[0] <= entry.value[1] <= one.end
            if entry.text is not None:
                assert text[slice(*entry.value)] == entry.text
        one.at(len(text) // 2)


def test_a_broken_entry_does_not_change_the_paths_of_other_entries() -> None:
    text = 'a:\n  b: [1, {c: 2\n  d: "x\n  e\n  f: 3\ng:\n- h: 4\n  - i\n'
    found = {one.path: one.text for one in outline_at(text, 0).entries}
    assert found[("a", "b", 1, "c")] == "2"
    assert found[("a", "d")] == '"x'
    assert found[("a", "f")] == "3"
    assert found[("g", 0, "h")] == "4"


def test_the_document_around_a_place_is_read() -> None:
    text = "a: 1\n---\nb: 2\n---\nc: 3\n"
    for offset, key in ((0, "a"), (6, "b"), (12, "b"), (20, "c"), (99, "c")):
        assert [one.path for one in outline_at(text, offset).entries] == [(key,)]


def test_block_scalars_and_quoted_strings_have_no_entries() -> None:
    text = "a: |\n  b: 1\n\n  c: 2\nd: >-\n e: 3\nf: 'g:\n  h: 1'\ni: 4\n"
    assert [one.path for one in outline_at(text, 0).entries] == [("a",), ("d",), ("f",), ("i",)]


def test_nesting_and_length_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(outline_at("- " * 100_000, 0).entries) < 300
    deep = "\n".join(" " * depth + "a:" for depth in range(2_000))
    assert len(outline_at(deep, 0).entries) < 300
    assert len(outline_at("[" * 100_000, 0).entries) < 300
    monkeypatch.setattr(outline, "MOST_CHARACTERS", 10)
    assert outline_at("aaaaaaaa: 1\n", 0).entries == []


@pytest.mark.parametrize(
    ("written", "expected"), [("a", "a"), ('"a"', "a"), ("'it''s'", "it's"), ('"a', "a"), ("'", ""), ("", "")]
)
def test_quotes_are_taken_off(written: str, expected: str) -> None:
    assert unquoted(written) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1 # one\nb:\t2\t# two\nc: x#y\n", {"a": "1", "b": "2", "c": "x#y"}),
        (
            "- a\n- - b\n  - c: 1\n    d: 2\n-\n  e: 3\n",
            {"0": "a", "1": "", "1.0": "b", "1.1": "", "1.1.c": "1", "1.1.d": "2", "2": "", "2.e": "3"},
        ),
        ("a:\n- b: 1\n  c: 2\n-\td: 3\n", {"a": "", "a.0": "", "a.0.b": "1", "a.0.c": "2", "a.1": "", "a.1.d": "3"}),
        ("'it''s': 'a''b' # c\n\"q\\\"\": \"x\\\"y\"\n", {"it's": "'a''b'", 'q"': '"x\\"y"'}),
        ("a: 'one\n  two'\nb: \"one\n\n  two\" # c\nc: 3\n", {"a": "'one\n  two'", "b": '"one\n\n  two"', "c": "3"}),
        (
            "a: {b: 1, 'c': [2, \"x\", {d: 3}], e: }\nf: 4\n",
            {
                "a": "{b: 1, 'c': [2, \"x\", {d: 3}], e: }",
                "a.b": "1",
                "a.c": "[",
                "a.c.0": "2",
                "a.c.1": '"x"',
                "a.c.2": "{",
                "a.c.2.d": "3",
                "a.e": "",
                "f": "4",
            },
        ),
        (
            '{"a": {"b": [1, {"c": "d"}]}, "e": null}\n',
            {"a": "{", "a.b": "[", "a.b.0": "1", "a.b.1": "{", "a.b.1.c": '"d"', "e": "null"},
        ),
        (
            "a: [1,\n  2,\n  # not: this\n  3]\nb: {c: 1,\n  d: 2}\n",
            {
                "a": "[1,\n  2,\n  # not: this\n  3]",
                "a.0": "1",
                "a.1": "2",
                "a.2": "3",
                "b": "{c: 1,\n  d: 2}",
                "b.c": "1",
                "b.d": "2",
            },
        ),
        ("a: |-2 # text\n    b: 1\n\n  c: 2\nd: >\n  e\n", {"a": "|-2 # text\n    b: 1\n\n  c: 2\n", "d": ">\n  e\n"}),
        ("%YAML 1.2\n---\n# only\na: &x !t 1\nb: *x\n? c\n: 2\n", {"a": "1", "b": "*x"}),
        ("a:\r\n  b: 1\r\n  c:\r\n  - d\r\n", {"a": "", "a.b": "1", "a.c": "", "a.c.0": "d"}),
        ('a: http://x:80/y\nb:c\nd : e\n"f" : g\n', {"a": "http://x:80/y", "d": "e", "f": "g"}),
        ("a:\n    b: 1\n  c: 2\n d: 3\ne: 4\n", {"a": "", "a.b": "1", "a.c": "2", "a.d": "3", "e": "4"}),
        ("a: 1\n...\nb: 2\n", {"a": "1", "b": "2"}),
        ("plain\ntext: 1\nmore text\n", {"text": "1"}),
        ("a: b\n  c: d\n  e\nf: 1\n", {"a": "b", "a.c": "d", "f": "1"}),
    ],
)
def test_entries_in_every_yaml_style_have_the_right_path_and_value(text: str, expected: dict[str, str]) -> None:
    found = outline_at(text, 0).entries
    assert {".".join(map(str, one.path)): text[slice(*one.value)] for one in found} == expected


def test_the_innermost_entry_is_found_at_each_place_of_its_key_and_of_its_value() -> None:
    text = "a:\n- bc: de # f\n  g: {h: i}\n- k\n"
    found: dict[tuple[str, str], str] = {}
    for offset in range(len(text)):
        at = outline_at(text, offset).at(offset)
        if at is not None:
            place = ".".join(map(str, at[0].path)), at[1]
            found[place] = found.get(place, "") + text[offset]
    assert found == {
        ("a", "key"): "a:",
        ("a.0.bc", "key"): "bc:",
        ("a.0.bc", "value"): "de ",
        ("a.0.g", "key"): "g:",
        ("a.0.g.h", "key"): "h:",
        ("a.0.g.h", "value"): "i}",
        ("a.1", "value"): "k\n",
    }
