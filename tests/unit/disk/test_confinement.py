"""A server reads files only below its root."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

from mcpcfg.compiler.diagnostics.span import InputError
from mcpcfg.compiler.disk import confinement
from mcpcfg.compiler.disk.files import FoundFile, read_file, read_named, read_whole

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Path]:
    """Return the folder that files are confined to, beside one that has nearly its name."""
    for name in ("root", "rooted", "root/.git", "root/.github"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.yaml").write_text("a: 1\n", "utf-8")
    confinement.confine(str(tmp_path / "root"))
    yield tmp_path / "root"
    confinement._folders.clear()


def test_files_below_the_root_are_read(root: Path) -> None:
    for name in ("a.yaml", ".github/a.yaml", "gone.yaml", "gone/a.yaml"):
        assert confinement.may_be_read(str(root / name))
    assert confinement.may_be_read(str(root))
    assert read_whole(str(root / "a.yaml")) == b"a: 1\n"


def test_files_outside_of_the_root_are_refused(root: Path) -> None:
    outside = str(root.parent / "rooted" / "a.yaml")
    for path in (outside, str(root.parent), str(root / ".git" / "a.yaml"), str(root / ".." / "rooted" / "a.yaml")):
        assert not confinement.may_be_read(path)
    for read in (read_whole, read_named):
        with pytest.raises(InputError, match="it is outside of"):
            read(outside)
    found = read_file(FoundFile(outside, is_named=False))
    assert not isinstance(found, bytes)
    assert found.rule == "SYN019"


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege")
def test_links_count_as_what_they_lead_to(root: Path) -> None:
    os.symlink(root.parent / "rooted", root / "folder")
    os.symlink("a.yaml", root / "inside.yaml")

    assert not confinement.may_be_read(str(root / "folder" / "a.yaml"))
    assert confinement.may_be_read(str(root / "inside.yaml"))


def test_another_folder_is_open_for_a_while(root: Path) -> None:
    outside = str(root.parent / "rooted" / "a.yaml")

    with confinement.opened_to(str(root.parent / "rooted")):
        assert confinement.may_be_read(outside)
        assert confinement.may_be_read(str(root / "a.yaml"))

    assert not confinement.may_be_read(outside)


def test_without_a_root_any_file_is_read(tmp_path: Path) -> None:
    with confinement.opened_to(str(tmp_path / "other")):
        assert confinement.may_be_read(str(tmp_path / ".git" / "config"))
    assert confinement.confinement() is None
