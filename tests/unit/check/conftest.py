"""A folder of its own to check."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder of its own."""
    folder = tmp_path / "tree"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder
