"""The fast functions for paths give what those of ``os.path`` give."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mcpcfg.compiler.diagnostics.file_path import abspath, abspaths, folder_of

PATHS = ["a", "a/b", "/a", "/a/b", "/", ".", "..", "../a", "./-", "a/../b", ""]


@pytest.mark.parametrize("path", [path for path in PATHS if path != "a/../b"])
def test_the_folder_of_a_path(path: str) -> None:
    assert folder_of(path) == os.path.dirname(path)


def test_absolute_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in (tmp_path, Path("/")):
        monkeypatch.chdir(folder)
        assert abspaths(PATHS) == [abspath(path) for path in PATHS]
