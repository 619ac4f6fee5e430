"""A file of the cache: read as it was written, or not at all."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from mcpcfg.compiler.speed import cache_file

if TYPE_CHECKING:
    from pathlib import Path

PARTS = [b"first", b"", b"third"]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the path of a file that has been written."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    path = os.path.join(cache_file.folder(), "a")
    cache_file.write(path, PARTS)
    return path


def test_parts_come_back_as_they_were(file: str) -> None:
    assert cache_file.read(file) == PARTS
    assert cache_file.read(file, first_alone=True) == PARTS[:1]
    assert os.listdir(os.path.dirname(file)) == ["a"]


def test_a_file_that_is_another_is_not_read(file: str) -> None:
    with open(file, "rb") as stream:
        good = stream.read()
    flipped = [bytes((*good[:at], good[at] ^ 1, *good[at + 1 :])) for at in range(len(good))]
    for bad in (b"", good[:-1], good + b"x", *flipped):
        with open(file, "wb") as stream:
            stream.write(bad)
        assert cache_file.read(file) is None, bad
    assert cache_file.read(file + "-gone") is None


def test_too_many_parts_are_not_written(file: str) -> None:
    cache_file.write(file, [b"x"] * 9)
    assert cache_file.read(file) == PARTS
    cache_file.write(file, [b"x"] * 8)
    assert cache_file.read(file) == [b"x"] * 8


def test_the_folder_is_that_of_the_user_where_no_other_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    for value in ("", "relative"):
        monkeypatch.setenv("XDG_CACHE_HOME", value)
        assert cache_file.folder() == "/home/me/.cache/mcpcfg"
    monkeypatch.setenv("XDG_CACHE_HOME", "/var/cache")
    assert cache_file.folder() == "/var/cache/mcpcfg"
