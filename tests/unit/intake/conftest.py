"""A folder whose checks are kept and shared however few its files are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mcpcfg.compiler.intake import keeping, worker

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder of its own, with a cache and several processes for few files."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr(keeping, "FEWEST", 1)
    monkeypatch.setattr(worker, "FEWEST", 4)
    folder = tmp_path / "tree"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder
