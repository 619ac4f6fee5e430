"""Lines fit the terminal, and the caret stands below what it is about."""

from __future__ import annotations

from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpcfg.compiler.report.terminal import columns, excerpt, folded

CHARACTERS = st.sampled_from([*"ab :{}\"'\t\x1b\x00", "é", "e\u0301", "字", "ｱ", "한", "\u1112\u1161\u11ab", "…", "😀"])


def visible(text: str) -> str:
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)


@pytest.mark.parametrize(
    ("text", "width"),
    [("", 0), ("abc", 3), ("é", 1), ("e\u0301", 1), ("字", 2), ("ｱ", 1), ("😀", 2), (normalize("NFD", "한"), 2)],
)
def test_columns_are_those_of_a_terminal(text: str, width: int) -> None:
    assert columns(text) == width


def test_lines_are_folded_between_words_and_no_word_is_broken() -> None:
    words = [(word, word.upper()) for word in ("a", "name", "that-is-not-broken", "字字", "is", "it")]

    assert folded(words, 12, 2) == "A NAME\n  THAT-IS-NOT-BROKEN\n  字字 IS IT"
    assert folded(words, None, 2) == "A NAME THAT-IS-NOT-BROKEN 字字 IS IT"


@pytest.mark.parametrize(
    ("line", "part", "room", "shown", "carets"),
    [
        ("  name: gone", "gone", 80, "  name: gone", "        ^^^^"),
        ("\tname: gone", "gone", 80, "    name: gone", "          ^^^^"),
        ("描述: gone", "gone", 80, "描述: gone", "      ^^^^"),
        ("name: 描述x", "描述", 80, "name: 描述x", "      ^^^^"),
        ("cafe\u0301: gone", "gone", 80, "cafe\u0301: gone", "      ^^^^"),
        ("a" * 30 + "gone" + "b" * 30, "gone", 20, "…aaaaaagonebbbbbbbb…", "       ^^^^"),
        ("gone" + "b" * 30, "gone", 20, "gonebbbbbbbbbbbbbb…", "^^^^"),
        ("a" * 30 + "gone", "gone", 20, "…aaaaaaaaaaaaaagone", "               ^^^^"),
        ("a" * 30 + "x" * 40 + "b", "x" * 40, 20, "…aaaaaaxxxxxxxxxxxx…", "       ^^^^^^^^^^^^"),
        ("字" * 30 + "gone" + "字" * 30, "gone", 20, "…字字字gone字字字字…", "       ^^^^"),
    ],
)
def test_the_caret_is_below_the_marked_part(line: str, part: str, room: int, shown: str, carets: str) -> None:
    start = line.index(part)

    assert excerpt(line, start, start + len(part), room, visible) == (shown, carets)


@given(
    st.lists(CHARACTERS, max_size=60).map("".join),
    st.integers(0, 70),
    st.integers(1, 30),
    st.integers(20, 60),
)
def test_any_line_fits_and_the_caret_is_where_the_part_begins(line: str, start: int, size: int, room: int) -> None:
    shown, carets = excerpt(line, start, start + size, room, visible)

    assert columns(shown) <= room
    assert shown.isprintable()
    begin = columns(carets.rstrip("^"))
    assert carets.lstrip(" ").strip("^") == ""
    assert carets.endswith("^")
    whole = visible(line.replace("\t", "    "))
    if shown == whole:
        assert begin == columns(visible(line[:start].replace("\t", "    ")))
    else:
        assert shown.startswith("…") or shown.endswith("…")
    if start < len(line) and line[start].isascii() and line[start] not in "\t\x1b\x00":
        at = next(number for number in range(len(shown)) if columns(shown[:number]) == begin and columns(shown[number]))
        assert shown[at] == line[start]


def test_a_line_of_millions_of_characters_is_cut_at_once() -> None:
    line = '{"a": 1, ' * 1_000_000 + "\u0301" * 1_000_000

    shown, _ = excerpt(line, 4_000_000, 8_000_000, 80, visible)

    assert columns(shown) <= 80
    assert len(shown) <= 2 * 4 * 80 + 2
