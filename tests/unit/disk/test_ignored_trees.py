"""Whole trees of ignore files hide the same from a walk that Git answers and from one that it does not."""

from __future__ import annotations

import random
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from mcpcfg.compiler.diagnostics.span import InputError
from mcpcfg.compiler.disk import git
from mcpcfg.compiler.disk.files import find_files

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

FOLDERS = ("a", "b", "ab", "c d")
FILES = ("x.yaml", "a.yaml", "b.yaml", "ab.yaml")
PATTERNS = (
    *("a", "b", "*", "ab", "a*", "*.yaml", "a.yaml", "**", "a/b", "a/**", "**/b", "**/a/", "/a", "/a/", "/*", "a/*"),
    *("[ab]", "?", "*/b", "b/", "/x.yaml", "**/*.yaml", "\\a", "a\\ ", "c d/", "*/", "/**/", "a/**/b", "#a", "\\!a"),
    *("a ", "a\t", " a", "", ".", "./a", "a//b", "/", "b/..", "*a", "a**", "/**", "a/."),
)


def _pattern(rng: random.Random) -> str:
    return ("!" if rng.random() < 0.3 else "") + rng.choice(PATTERNS)


def _plant(rng: random.Random, folder: Path, depth: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for _ in range(rng.randint(1, 4)):
        (folder / rng.choice(FILES)).touch()
        if depth < 3 and rng.random() < 0.6:
            _plant(rng, folder / rng.choice(FOLDERS), depth + 1)
    if rng.random() < (0.9 if depth == 0 else 0.3):
        line_end = rng.choice(("\n", "\r\n"))
        lines = [_pattern(rng) for _ in range(rng.randint(1, 4))]
        (folder / ".gitignore").write_bytes((rng.choice(("", "\ufeff")) + line_end.join(lines)).encode())


@pytest.mark.parametrize("seed", range(25))
def test_a_walk_without_git_finds_what_one_with_it_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    rng = random.Random(seed)
    tree = tmp_path / "tree"
    _plant(rng, tree, 0)
    subprocess.run(["git", "init", "-q", str(tree)], check=True)
    (tree / ".git" / "info" / "exclude").write_text(_pattern(rng))
    folders = [tree, *sorted(one for one in tree.rglob("*") if one.is_dir() and ".git" not in one.parts)]
    for folder in rng.sample(folders, min(3, len(folders))):
        monkeypatch.chdir(folder)
        with_git = find_files(["."])
        with monkeypatch.context() as without:
            without.setattr(git, "ask", _refuse)
            assert find_files(["."]) == with_git


def _refuse(*_: object, **__: object) -> bytes:
    raise InputError("no answer")


def test_a_folder_of_nothing_but_ignored_files_is_not_ignored_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "secret.yaml").touch()
    (tmp_path / ".gitignore").write_text("secret.yaml\n")
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    monkeypatch.chdir(tmp_path)

    assert find_files(["a"]) == []
    (tmp_path / ".gitignore").write_text("a/\n")
    assert [one.path for one in find_files(["a"])] == ["a/secret.yaml"]
