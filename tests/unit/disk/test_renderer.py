"""The copy of a folder that a program may write into."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mcpcfg.compiler.diagnostics.span import InputError
from mcpcfg.compiler.disk.renderer import _copy

if TYPE_CHECKING:
    from pathlib import Path


def test_a_copy_has_all_files_but_links_and_what_is_git_s(tmp_path: Path) -> None:
    source, copy = tmp_path / "source", tmp_path / "copy"
    (source / "a" / ".git").mkdir(parents=True)
    (source / "a" / ".git" / "config").write_text("x")
    (source / "a" / "b.yaml").write_text("b")
    (source / "c.yaml").write_text("c")
    (source / "a.link").symlink_to("a")
    (source / "c.link").symlink_to("c.yaml")
    _copy(str(source), str(copy))
    found = {str(path.relative_to(copy)) for path in copy.rglob("*")}
    assert found == {"a", "a/b.yaml", "c.yaml"}
    assert (copy / "a" / "b.yaml").read_text() == "b"


def test_a_folder_of_more_than_64_mib_is_not_copied(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    with (source / "large").open("wb") as file:
        file.truncate(64 * 1024 * 1024 + 1)
    with pytest.raises(InputError, match="holds more than 67,108,864 bytes"):
        _copy(str(source), str(tmp_path / "copy"))
