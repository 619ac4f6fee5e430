from __future__ import annotations

import pytest

from mcpcfg.compiler.golang.space import SPACE, fields, trim, trimmed


def test_there_are_25_characters_of_white_space() -> None:
    assert len(SPACE) == 25


@pytest.mark.parametrize("char", SPACE)
def test_each_white_space_character_is_trimmed_and_separates_fields(char: str) -> None:
    assert trim(f"{char}a{char}") == "a"
    assert fields(f"a{char}{char}b") == ["a", "b"]
    data = f"{char} a {char}".encode()
    start, end = trimmed(data)
    assert data[start:end] == b"a"


@pytest.mark.parametrize("text", ["\x1c", "\u200b", "\ufeff", "\x85"])
def test_characters_that_only_python_treats_as_white_space_stay(text: str) -> None:
    assert (trim(text) == "") == (text in SPACE)
    assert fields(f"a{text}b") == (["a", "b"] if text in SPACE else [f"a{text}b"])


def test_white_space_alone_leaves_nothing() -> None:
    start, end = trimmed(b" \n\xc2\xa0 ")
    assert start == end
    assert trimmed(b"") == (0, 0)
