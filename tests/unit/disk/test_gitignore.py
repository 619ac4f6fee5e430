"""Patterns in the manner of ``.gitignore``."""

import random
import shutil
import time
from pathlib import Path

import pytest
from repository import git

from mcpcfg.compiler.disk.files import find_files
from mcpcfg.compiler.disk.gitignore import is_ignored, patterns


@pytest.mark.parametrize(
    ("line", "path", "ignored"),
    [
        ("*.yaml", "a/b/c.yaml", True),
        ("*.yaml", "a/b/c.yml", None),
        ("/*.yaml", "a/c.yaml", None),
        ("/*.yaml", "c.yaml", True),
        ("a/b", "a/b", True),
        ("a/b", "x/a/b", None),
        ("**/b", "b", True),
        ("**/b", "x/a/b", True),
        ("a/**", "a/x/y", True),
        ("a/**", "a", None),
        ("a/**/b", "a/b", True),
        ("a/**/b", "a/x/y/b", True),
        ("a/**/**/b", "a/x/b", True),
        ("a?c", "abc", True),
        ("a?c", "a/c", None),
        ("[a-c]x", "bx", True),
        ("[!a-c]x", "bx", None),
        ("[]a]x", "]x", True),
        ("[[]x", "[x", True),
        ("\\*", "*", True),
        ("\\*", "a", None),
        ("!a", "a", False),
        ("\\!a", "!a", True),
        ("# a", "# a", None),
        ("a  ", "a", True),
        ("a\\ ", "a ", True),
        ("", "a", None),
        ("/", "a", None),
        ("a//b", "a/b", None),
        ("[b-a]", "a", None),
        ("[b-a]", "b", True),
        ("[\\]a]", "]", True),
        ("[a\\-c]", "b", None),
        ("[a-\\c]", "b", True),
        ("[[:digit:]x]", "7", True),
        ("[[:digit:]x]", "y", None),
        ("[^[:digit:]]", "y", True),
        ("[[:nothing:]]", "n", None),
        ("[[:alpha]", ":", True),
        ("[a", "[a", None),
        ("a\\", "a\\", None),
        ("a[/]b", "a/b", None),
        ("*/**", "a", None),
        ("*/**", "a/b", True),
        ("a/**", "a/", None),
        ("**", "a", True),
        ("a*b*c", "a-b-b-c", True),
        ("**/a/**/b/*c", "x/a/b/y/a/b/b/abc", True),
        ("**/a/**/b/*c", "x/a/y/abc", None),
        ("a.c", "abc", None),
    ],
)
def test_a_pattern_matches_as_in_git(line: str, path: str, ignored: bool | None) -> None:
    assert is_ignored(path, patterns([line]), is_folder=False) is ignored


def test_a_slash_at_the_end_matches_folders_only() -> None:
    known = patterns(["out/\n"])

    assert is_ignored("a/out", known, is_folder=True)
    assert is_ignored("a/out", known, is_folder=False) is None


def test_the_last_pattern_that_matches_decides() -> None:
    known = patterns(["*.yaml", "!keep.yaml", "/sub/keep.yaml"])

    assert is_ignored("keep.yaml", known, is_folder=False) is False
    assert is_ignored("sub/keep.yaml", known, is_folder=False) is True


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("*a" * 60 + "b", "a" * 250),
        ("**/a/" * 300 + "b", "a/" * 1500 + "c"),
        ("**/*a*a*a/" * 50 + "b", "/".join(["a" * 200] * 20)),
        ("a*" * 100 + "b", "a" * 4000),
        ("*" * 5000, "a"),
    ],
)
def test_no_pattern_takes_long(line: str, path: str) -> None:
    begin = time.process_time()

    assert not is_ignored(path, patterns([line]), is_folder=False)
    assert time.process_time() - begin < 2


ATOMS = (
    *("a", "b", "ab", "x", ".yaml", "keep.yaml", "*", "?", "[ab]", "[!a]", "[^a-c]", "[]a]", "[", "[b-a]", "[a-]", "-"),
    *("\\a", "\\*", "\\[", "\\", "[[:alpha:]]", "[[:alpha:]_]", "[\\]a]", "!", "#", " ", "\\ ", "."),
)
NAMES = ("a", "b", "ab", "a b", "x.yaml", "keep.yaml", "[a", "a]", "!a", "#a", "-", "a\\b", "z*")


def _line(chance: random.Random) -> str:
    parts = ["".join(chance.choices(ATOMS, k=chance.choice((1, 1, 2)))) for _ in range(chance.choice((1, 1, 2, 3)))]
    parts = [chance.choice((part, part, part, "**")) for part in parts]
    start = chance.choice(("", "", "", "!", "/", "!/", "**/"))
    return start + "/".join(parts) + chance.choice(("", "", "", "/", "/**", "/*"))


def _grow(folder: Path, chance: random.Random, depth: int = 0) -> None:
    folder.mkdir()
    for name in chance.sample(NAMES, 5):
        if depth < 3 and chance.random() < 0.3:
            _grow(folder / name, chance, depth + 1)
        else:
            (folder / name).touch()


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
@pytest.mark.parametrize("seed", range(3))
def test_ignore_files_mean_what_they_mean_in_git(tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(seed)
    root = tmp_path / "repository"
    root.mkdir()
    git(root, "init", "-q")
    stated = {f"case{number}": [_line(chance) for _ in range(chance.choice((1, 2, 3)))] for number in range(50)}
    for name, lines in stated.items():
        _grow(root / name, chance)
        (root / name / ".gitignore").write_text("\n".join(lines) + "\n")
    listed = git(root, "ls-files", "-z", "--others", "--exclude-standard").split("\0")
    monkeypatch.chdir(root)
    monkeypatch.setenv("PATH", "")

    found = [one.path for one in find_files(["."], wanted=lambda name: not name.startswith("."))]

    by_git = sorted(path for path in listed if path and not path.endswith("/.gitignore"))
    differ = sorted({path.split("/")[0] for path in {*found} ^ {*by_git}})
    assert not differ, {name: stated[name] for name in differ}
    assert len(found) > 100
