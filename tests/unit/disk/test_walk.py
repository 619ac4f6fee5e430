"""Folders that cannot be listed, on the way through a tree."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from mcpcfg.compiler.disk.walk import walk

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_a_folder_that_cannot_be_listed_is_yielded_and_hides_none_beside_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in "abc":
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.yaml").touch()
    scandir = os.scandir

    def forbidding(folder: Any) -> Any:
        if os.path.basename(folder.rstrip("/")) in {"b", "c"}:
            raise PermissionError(folder)
        return scandir(folder)

    monkeypatch.setattr(os, "scandir", forbidding)
    found = walk(str(tmp_path), [], str(tmp_path), lambda name: name.endswith(".yaml"), {})
    assert sorted(os.path.relpath(shown, tmp_path) for shown, _, _ in found) == ["a/x.yaml", "b", "c"]
