"""A file of the cache: read as it was written, or not at all."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from platformdirs.macos import MacOS

from mcpcfg.compiler.disk import cache_file

if TYPE_CHECKING:
    from pathlib import Path

PARTS = [b"first", b"", b"third"]
PIECES = [[b"fi", b"rst"], [], [b"third"]]
BASIS = b"basis"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the path of a file that has been written."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    path = os.path.join(cache_file.folder(), "a")
    cache_file.write(path, BASIS, PIECES)
    return path


def test_parts_come_back_as_they_were(file: str) -> None:
    assert cache_file.read(file, BASIS) == PARTS
    assert cache_file.read(file, BASIS, first_alone=True) == PARTS[:1]
    assert sorted(os.listdir(os.path.dirname(file))) == ["a", "key"]


def test_a_changed_cache_file_is_not_read(file: str) -> None:
    with open(file, "rb") as stream:
        good = stream.read()
    flipped = [bytes((*good[:at], good[at] ^ 1, *good[at + 1 :])) for at in range(len(good))]
    for bad in (b"", good[:-1], good + b"x", *flipped):
        with open(file, "wb") as stream:
            stream.write(bad)
        assert cache_file.read(file, BASIS) is None, bad
    assert cache_file.read(file + "-gone", BASIS) is None


def test_too_many_parts_are_not_written(file: str) -> None:
    cache_file.write(file, BASIS, [[b"x"]] * 9)
    assert cache_file.read(file, BASIS) == PARTS
    cache_file.write(file, BASIS, [[b"x"]] * 8)
    assert cache_file.read(file, BASIS) == [b"x"] * 8


def test_the_folder_is_that_of_the_user_where_no_other_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    for value in ("", "relative"):
        monkeypatch.setenv("XDG_CACHE_HOME", value)
        assert cache_file.folder() == "/home/me/.cache/mcpcfg"
    monkeypatch.setattr("platformdirs.PlatformDirs", MacOS)
    assert cache_file.folder() == "/home/me/Library/Caches/mcpcfg"
    monkeypatch.setenv("XDG_CACHE_HOME", "/var/cache")
    assert cache_file.folder() == "/var/cache/mcpcfg"


def test_parts_of_another_write_basis_or_file_are_refused(file: str) -> None:
    with open(file, "rb") as stream:
        good = stream.read()
    other = f"{file}-other"
    with open(other, "wb") as stream:
        stream.write(good)
    assert cache_file.read(other, BASIS) is None
    assert cache_file.read(file, b"another") is None
    cache_file.write(file, BASIS, [[b"FIRST"], [], [b"third"]])
    with open(file, "rb") as stream:
        later = stream.read()
    at = good.index(b"first")
    mixed = (later[:at] + good[at : at + 5] + later[at + 5 :], good[:at] + later[at : at + 5] + good[at + 5 :])
    for bad in mixed:
        with open(file, "wb") as stream:
            stream.write(bad)
        assert cache_file.read(file, BASIS) is None


@pytest.mark.parametrize("key", [b"", b"short", b"x" * 33])
def test_without_a_whole_key_nothing_is_read_and_a_new_one_is_made(file: str, key: bytes) -> None:
    with open(os.path.join(os.path.dirname(file), "key"), "wb") as stream:
        stream.write(key)
    assert cache_file.read(file, BASIS) is None
    cache_file.write(file, BASIS, PIECES)
    assert cache_file.read(file, BASIS) == PARTS
