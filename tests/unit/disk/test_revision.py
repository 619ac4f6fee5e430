"""What a revision holds is written as it is, and nothing of it leads elsewhere."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
from repository import commit, git

from mcpcfg.compiler.diagnostics.span import InputError
from mcpcfg.compiler.disk import revision

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The work tree of a repository; what is written goes beside it."""
    made = tmp_path / "tree"
    made.mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "secret.yaml").write_text("secret: 1\n")
    git(made, "init", "-q")
    monkeypatch.chdir(made)
    return made


def _written(tree: Path, *paths: str, at: str = "HEAD") -> dict[str, str]:
    """Return what a revision has under some paths: contents, and ``-> target`` of links."""
    repository = revision.repository_of(["."])
    id_ = revision.commit_of(repository, at)
    known = revision.entries(repository, id_, revision.inside(repository, paths or ["."]))
    out = tree.parent / "out"
    revision.extract(repository, id_, known, str(out), hint="")
    files = [path for path in sorted(out.rglob("*")) if path.is_symlink() or path.is_file()]
    return {
        path.relative_to(out).as_posix(): f"-> {os.readlink(path)}" if path.is_symlink() else path.read_text()
        for path in files
    }


def _raw_commit(tree: Path, *entries: tuple[str, str, str]) -> str:
    """Write a commit of entries (mode, name, content) that no Git would add."""
    lines = b""
    for mode, name, text in entries:
        made = subprocess.run(
            ["git", "hash-object", "-w", "--stdin"], cwd=tree, input=text.encode(), capture_output=True, check=True
        )
        lines += mode.encode() + b" " + name.encode() + b"\0" + bytes.fromhex(made.stdout.decode().strip())
    command = ["git", "hash-object", "-w", "--stdin", "-t", "tree", "--literally"]
    made = subprocess.run(command, cwd=tree, input=lines, capture_output=True, check=True)
    return git(tree, "commit-tree", "-m", "raw", made.stdout.decode().strip()).strip()


def test_files_have_the_content_of_the_revision_not_the_work_tree(tree: Path) -> None:
    (tree / "a").mkdir()
    texts = {
        "same.yaml": "same\n",
        "changed.yaml": "old\n",
        "a/gone.yaml": "gone\n",
        "a/é b\t.yaml": "é\n",
        "empty": "",
    }
    for name, text in texts.items():
        (tree / name).write_text(text)
    commit(tree)
    (tree / "changed.yaml").write_text("new\n")
    (tree / "new.yaml").write_text("new\n")
    (tree / "a" / "gone.yaml").unlink()

    assert _written(tree) == texts


def test_only_files_below_the_paths_are_written(tree: Path) -> None:
    for name in ("a", "ab", "c"):
        (tree / name).mkdir()
        (tree / name / "x.yaml").write_text(name)
    commit(tree)

    assert _written(tree, "a", "c/x.yaml", "new.yaml") == {"a/x.yaml": "a", "c/x.yaml": "c"}


@pytest.mark.parametrize("is_changed", [False, True])
def test_links_lead_to_files_of_the_revision_alone(tree: Path, is_changed: bool) -> None:
    (tree / "app" / "deep").mkdir(parents=True)
    (tree / "shared").mkdir()
    (tree / "app" / "file.yaml").write_text("file\n")
    (tree / "shared" / "other.yaml").write_text("other\n")
    links = {
        "inner.yaml": "file.yaml",
        "deep/up.yaml": "../file.yaml",
        "again.yaml": "inner.yaml",
        "shared.yaml": "../shared/other.yaml",
        "way": "../shared",
        "by-way.yaml": "way/other.yaml",
        "out.yaml": "../../secret.yaml",
        "whole.yaml": str(tree.parent / "secret.yaml"),
        "asset": "../../secret.yaml",
        "loop.yaml": "loop.yaml",
        "nowhere.yaml": "missing.yaml",
        "kept.yaml": "../.git/config",
    }
    for name, target in links.items():
        (tree / "app" / name).symlink_to(target)
    commit(tree)
    if is_changed:
        shutil.rmtree(tree / "app")
        (tree / "app").mkdir()

    assert _written(tree, "app") == {
        "app/file.yaml": "file\n",
        "app/inner.yaml": "-> file.yaml",
        "app/deep/up.yaml": "-> ../file.yaml",
        "app/again.yaml": "-> file.yaml",
        "app/shared.yaml": "other\n",
        "app/by-way.yaml": "other\n",
        "app/way": "-> .mcpcfg-leads-nowhere",
        "app/asset": "-> .mcpcfg-leads-nowhere",
    }


def test_a_link_through_other_links_is_written_as_a_link_to_the_file(tree: Path) -> None:
    (tree / "shared" / "deep").mkdir(parents=True)
    (tree / "shared" / "other.yaml").write_text("other\n")
    (tree / "way").symlink_to("shared/deep")
    (tree / "by-way.yaml").symlink_to("way/../other.yaml")
    (tree / "again.yaml").symlink_to("./shared//../by-way.yaml")
    commit(tree)

    written = _written(tree)

    assert written["by-way.yaml"] == written["again.yaml"] == "-> shared/other.yaml"


def test_names_that_no_work_tree_has_are_left_out(tree: Path) -> None:
    id_ = _raw_commit(
        tree,
        ("100644", "..", "1"),
        ("100644", ".git", "1"),
        ("100644", "../out.yaml", "1"),
        ("100644", "/root.yaml", "1"),
        ("100644", "a\nb.yaml", "1"),
        ("100644", "good.yaml", "good"),
    )

    assert _written(tree, at=id_) == {"good.yaml": "good"}


def test_files_of_submodules_are_not_part_of_the_revision(tree: Path) -> None:
    other = tree.parent / "other"
    other.mkdir()
    (other / "a.yaml").write_text("a\n")
    commit(other)
    git(tree, "-c", "protocol.file.allow=always", "submodule", "add", "-q", "../other", "sub")
    commit(tree)

    assert set(_written(tree)) == {".gitmodules"}


def test_line_ends_of_the_work_tree_do_not_count(tree: Path) -> None:
    (tree / "a.yaml").write_text("a: 1\nb: 2\n")
    commit(tree)
    (tree / "a.yaml").write_bytes(b"a: 1\r\nb: 2\r\n")
    repository = revision.repository_of(["."])
    known = revision.entries(repository, "HEAD", ["."])

    assert revision.is_unchanged(repository, "a.yaml", known["a.yaml"])
    (tree / "a.yaml").write_bytes(b"a: 1\r\nb: 3\r\n")
    assert not revision.is_unchanged(repository, "a.yaml", known["a.yaml"])


def test_a_repository_of_longer_ids_is_read_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(tmp_path, "init", "-q", "--object-format=sha256", "tree")
    (tmp_path / "out").mkdir()
    monkeypatch.chdir(tmp_path / "tree")
    (tmp_path / "tree" / "a.yaml").write_text("a\n")
    (tmp_path / "tree" / "b.yaml").write_text("b\n")
    commit(tmp_path / "tree")
    (tmp_path / "tree" / "b.yaml").write_text("c\n")

    assert _written(tmp_path / "tree") == {"a.yaml": "a\n", "b.yaml": "b\n"}


def test_a_revision_that_is_too_large_is_refused(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tree / "a.yaml").write_text("a" * 100)
    commit(tree)
    monkeypatch.setattr(revision, "MOST_BYTES", 99)

    with pytest.raises(InputError, match="too much"):
        _written(tree)


def test_a_large_file_is_read_as_far_as_shows_that_it_is(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tree / "a.yaml").write_text("a" * 100)
    (tree / "b.yaml").write_text("b")
    commit(tree)
    (tree / "a.yaml").unlink()
    (tree / "b.yaml").unlink()
    monkeypatch.setattr(revision, "MAX_FILE_BYTES", 9)

    assert _written(tree) == {"a.yaml": "a" * 10, "b.yaml": "b"}


@pytest.mark.parametrize(
    ("paths", "message"),
    [(["tree", "secret.yaml"], "all paths must lie"), (["secret.yaml"], "no Git repository holds")],
)
def test_paths_have_to_lie_in_one_repository(
    tree: Path, paths: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tree.parent)

    with pytest.raises(InputError, match=message):
        revision.inside(revision.repository_of(paths), paths)
