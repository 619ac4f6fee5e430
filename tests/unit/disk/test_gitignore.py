"""Patterns in the manner of ``.gitignore``."""

import pytest

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
