"""From paths to files and their bytes."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from repository import IDENTITY, commit

from mcpcfg.compiler.diagnostics.finding import Finding
from mcpcfg.compiler.diagnostics.span import InputError
from mcpcfg.compiler.disk import files
from mcpcfg.compiler.disk.files import FoundFile, find_files, read_file, read_stdin

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is walked from inside, so that paths are short."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _write(root: Path, *names: str, text: str = "a: 1\n") -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def _names(*paths: str, exclude: tuple[str, ...] = (), base: str | None = None) -> list[str]:
    return [found.path for found in find_files(paths, exclude, base=base)]


def _git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(root), *IDENTITY, *arguments], check=True, capture_output=True)


def test_a_folder_is_walked_in_one_order(tree: Path) -> None:
    _write(tree, "b.yaml", "a.yml", "c/d.json", "c/e/f.yaml", "README.md", ".hidden/x.yaml", "c/.git/x.yaml", ".a.yaml")

    assert _names(".") == [".a.yaml", "a.yml", "b.yaml", "c/d.json", "c/e/f.yaml"]
    assert _names("c", "b.yaml") == _names("b.yaml", "c") == ["b.yaml", "c/d.json", "c/e/f.yaml"]


def test_each_file_counts_once_under_its_plainest_path(tree: Path) -> None:
    _write(tree, "a.yaml", "c/b.yaml")
    (tree / "link.yaml").symlink_to("a.yaml")

    assert _names(".", "./a.yaml", str(tree / "c")) == ["a.yaml", "c/b.yaml"]
    assert find_files([".", "link.yaml"]) == [FoundFile("a.yaml", is_named=True), FoundFile("c/b.yaml", is_named=False)]
    assert find_files(["link.yaml"]) == [FoundFile("link.yaml", is_named=True)]


def test_a_named_file_is_taken_whatever_it_is_called(tree: Path) -> None:
    _write(tree, "server", ".hidden/a.txt")

    assert find_files(["server", ".hidden/a.txt", "-"]) == [
        FoundFile("-", is_named=True),
        FoundFile(".hidden/a.txt", is_named=True),
        FoundFile("server", is_named=True),
    ]


def test_other_files_of_interest_are_found_by_a_filter(tree: Path) -> None:
    _write(tree, "a.yaml", "skills/x/SKILL.md", "skills/x/notes.md")

    assert [found.path for found in find_files(["."], wanted=lambda name: name == "SKILL.md")] == ["skills/x/SKILL.md"]


def test_excluded_files_are_left_out(tree: Path) -> None:
    _write(tree, "a.yaml", "gen/b.yaml", "x/gen/c.yaml", "x/keep.yaml", "x/y/z.json")

    assert _names(".", exclude=("gen/", "*.json")) == ["a.yaml", "x/keep.yaml"]
    assert _names(".", exclude=("/gen", "x/**/z.json")) == ["a.yaml", "x/gen/c.yaml", "x/keep.yaml"]
    assert _names("x", exclude=("x/gen",), base=".") == ["x/keep.yaml", "x/y/z.json"]
    assert _names("x", "x/gen/c.yaml", exclude=("gen",)) == ["x/gen/c.yaml", "x/keep.yaml", "x/y/z.json"]


def test_links_to_folders_are_not_followed_and_loops_end(tree: Path) -> None:
    _write(tree, "a/b.yaml")
    (tree / "a/loop").symlink_to(tree / "a")
    (tree / "a/self.yaml").symlink_to("self.yaml")

    found = find_files(["."])

    assert [one.path for one in found] == ["a/b.yaml", "a/self.yaml"]
    assert isinstance(read_file(found[1]), Finding)
    assert _names("a/loop") == ["a/loop/b.yaml", "a/loop/self.yaml"]


def test_links_out_of_the_folder_are_not_followed(tree: Path) -> None:
    _write(tree, "outside.yaml", "in/a.yaml")
    (tree / "in/out.yaml").symlink_to("../outside.yaml")
    (tree / "in/inner.yaml").symlink_to("a.yaml")

    assert _names("in") == ["in/a.yaml"]
    assert _names(".") == ["in/a.yaml", "outside.yaml"]


IGNORED = {
    ".gitignore": "*.tmp.yaml\n/out/\n!kept.tmp.yaml\n# comment\nbuild\ndeep/**/x.yaml\n[ab]?.yaml\n\\!odd.yaml\n"
    "end \n",
    "sub/.gitignore": "*.yaml\n!good.yaml\n",
    "sub/inner/.gitignore": "!*.yaml\nvendor/\n",
}
TREE = (
    *(
        "a.yaml",
        "x.tmp.yaml",
        "kept.tmp.yaml",
        "out/a.yaml",
        "sub/out/good.yaml",
        "build/a.yaml",
        "sub/build/good.yaml",
    ),
    *("deep/x.yaml", "deep/1/2/x.yaml", "deep/1/y.yaml", "a1.yaml", "b2.yaml", "c3.yaml", "a.b.yaml", "!odd.yaml"),
    *("sub/bad.yaml", "sub/good.yaml", "sub/inner/any.yaml", "sub/inner/vendor/any.yaml", "end/a.yaml"),
    *("forced/x.tmp.yaml", "local.yaml"),
)


def _repository(root: Path) -> None:
    _git(root, "init", "-q")
    _write(root, *TREE)
    for name, text in IGNORED.items():
        _write(root, name, text=text)
    (root / ".git/info/exclude").write_text("local.yaml\n")


@needs_git
@pytest.mark.parametrize("start", [".", "sub", "sub/inner", "deep", "out", "sub/inner/vendor"])
def test_without_git_its_files_are_read_to_the_same_effect(
    tree: Path, start: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _repository(tree)
    by_git = _names(start)
    monkeypatch.setenv("PATH", "")

    assert _names(start) == by_git
    assert by_git


@needs_git
def test_ignored_files_are_skipped_but_tracked_files_are_not(tree: Path) -> None:
    _repository(tree)
    _git(tree, "add", "-f", "forced/x.tmp.yaml")

    found = _names(".")

    assert "forced/x.tmp.yaml" in found
    assert set(found).isdisjoint({"x.tmp.yaml", "out/a.yaml", "build/a.yaml", "sub/bad.yaml", "local.yaml", "a1.yaml"})
    assert {"kept.tmp.yaml", "sub/out/good.yaml", "sub/inner/any.yaml", "c3.yaml"} <= set(found)


@needs_git
def test_the_environment_of_a_hook_does_not_affect_git(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _repository(tree)
    expected = _names(".")
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    monkeypatch.setenv("GIT_INDEX_FILE", "/nowhere/index")

    assert _names(".") == expected


@needs_git
def test_a_link_may_leave_the_folder_within_its_repository(tree: Path) -> None:
    _git(tree, "init", "-q")
    _write(tree, "shared/a.yaml", "app/b.yaml")
    (tree / "app/a.yaml").symlink_to("../shared/a.yaml")

    assert _names("app") == ["app/a.yaml", "app/b.yaml"]


@needs_git
def test_a_link_into_the_git_folder_is_not_followed(tree: Path) -> None:
    _git(tree, "init", "-q")
    _write(tree, "app/b.yaml", ".git/c.yaml")
    (tree / "app/config.yaml").symlink_to("../.git/config")
    (tree / "app/c.yaml").symlink_to("../.git/c.yaml")

    assert _names("app") == _names(".") == ["app/b.yaml"]


@needs_git
def test_tracked_files_in_an_ignored_folder_are_found(tree: Path) -> None:
    _repository(tree)
    _git(tree, "add", "-f", "out/a.yaml", "sub/inner/vendor/any.yaml")
    _write(tree, "out/b.yaml", "out/deep/c.yaml")

    assert {"out/a.yaml", "sub/inner/vendor/any.yaml"} <= set(_names("."))
    assert {"out/b.yaml", "out/deep/c.yaml"}.isdisjoint(_names("."))
    assert _names("out") == ["out/a.yaml"]
    assert _names("out/deep") == ["out/deep/c.yaml"]


@needs_git
def test_an_ignored_folder_that_is_named_is_read(tree: Path) -> None:
    _repository(tree)
    _write(tree, "out/deep/c.tmp.yaml")

    assert _names("out") == ["out/a.yaml", "out/deep/c.tmp.yaml"]
    assert _names("out/deep") == ["out/deep/c.tmp.yaml"]


@needs_git
@pytest.mark.parametrize("path", [".", "sub", "../linked", "../linked/sub"])
def test_a_linked_work_tree_is_a_repository_like_any_other(
    tmp_path: Path, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    main = tmp_path / "main"
    _write(main, "sub/a.yaml", "b.yaml")
    _write(main, ".gitignore", text="*.tmp.yaml\n")
    commit(main)
    _git(main, "worktree", "add", "-q", "../linked")
    monkeypatch.chdir(main)
    (tmp_path / "linked/sub/x.tmp.yaml").write_text("a: 1\n")
    (main / "sub/x.tmp.yaml").write_text("a: 1\n")

    names = {name.removeprefix(path + "/") for name in _names(path)}

    assert names == ({"a.yaml"} if path.endswith("sub") else {"sub/a.yaml", "b.yaml"})


@needs_git
def test_a_submodule_and_a_work_tree_within_have_their_own_ignore_files(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write(tree / "main", "b.yaml")
    _write(tree / "other", "a.yaml")
    _write(tree / "other", ".gitignore", text="*.tmp.yaml\n")
    commit(tree / "main")
    commit(tree / "other")
    main = tree / "main"
    _git(main, "-c", "protocol.file.allow=always", "submodule", "add", "-q", "../other", "sub")
    _git(main, "worktree", "add", "-q", "work")
    monkeypatch.chdir(main)
    _write(main, "sub/x.tmp.yaml")
    _write(main, "work/.gitignore", text="b.yaml\n*.tmp.yaml\n")
    _write(main, "work/x.tmp.yaml")

    assert _names("sub") == ["sub/a.yaml"]
    assert _names("work") == ["work/b.yaml"]


@needs_git
def test_files_hidden_by_ignore_files_are_reported_if_git_is_missing(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _repository(tree)
    reported: dict[str, str | None] = {}
    find_files(["."], left_out=reported)
    assert reported == {}

    monkeypatch.setenv("PATH", "")
    find_files(["."], left_out=reported)

    assert {str(tree / name) for name in ("x.tmp.yaml", "out", "sub/bad.yaml")} <= reported.keys()
    assert set(reported.values()) == {"git is not installed"}


@needs_git
def test_a_repository_that_git_refuses_is_read_by_its_ignore_files(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _repository(tree)
    expected = _names(".")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "0")
    (tree / ".git/config").write_text("[core]\n\trepositoryformatversion = 99\n")
    reported: dict[str, str | None] = {}

    assert [one.path for one in find_files(["."], left_out=reported)] == expected
    (why,) = set(reported.values())
    assert why is not None
    assert why.startswith("git ls-files: ")
    assert "\n" not in why


@needs_git
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_an_ignore_file_that_is_not_a_regular_file_is_ignored(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _git(tree, "init", "-q")
    _write(tree, "a/x.yaml", "b/x.yaml", "c/x.yaml")
    _write(tree, "list", text="*\n")
    os.mkfifo(tree / "a/.gitignore")
    (tree / "b/.gitignore").symlink_to("/dev/zero")
    (tree / "c/.gitignore").symlink_to("../list")
    (tree / ".gitignore").mkdir()
    monkeypatch.setenv("PATH", "")

    assert _names(".") == ["a/x.yaml", "b/x.yaml", "c/x.yaml"]


def test_a_folder_that_only_looks_like_a_repository_is_refused(tree: Path) -> None:
    _write(tree, ".git/config", "app/a.yaml", "app/.git")
    _write(tree, ".gitignore", text="*\n")
    reported: dict[str, str | None] = {}

    assert [one.path for one in find_files(["."], left_out=reported)] == ["app/a.yaml"]
    assert reported == {}


def test_excluded_files_and_folders_are_recorded(tree: Path) -> None:
    _write(tree, "a.yaml", "gen/b.yaml", "x/gen/c.yaml", "x/keep.yaml", "x/README.md")
    reported: dict[str, str | None] = {}

    find_files(["."], ("gen", "keep.yaml", "*.md"), left_out=reported)

    assert reported == {str(tree / name): None for name in ("gen", "x/gen", "x/keep.yaml")}


@pytest.mark.parametrize("path", ["missing.yaml", "missing/", "a.yaml/b"])
def test_a_named_path_that_is_not_there_is_a_fault_of_the_call(tree: Path, path: str) -> None:
    _write(tree, "a.yaml")

    with pytest.raises(InputError, match=path):
        find_files(["a.yaml", path])


def test_a_file_is_read(tree: Path) -> None:
    _write(tree, "a.yaml", text="é: 1\n")

    assert read_file(FoundFile("a.yaml", is_named=True)) == "é: 1\n".encode()


def test_an_empty_file_is_read(tree: Path) -> None:
    _write(tree, "a.yaml", text="")

    assert read_file(FoundFile("a.yaml", is_named=False)) == b""


def _unreadable(root: Path) -> list[str]:
    os.mkfifo(root / "pipe.yaml")
    (root / "folder.yaml").mkdir()
    (root / "dangling.yaml").symlink_to("nothing")
    return ["pipe.yaml", "folder.yaml", "dangling.yaml", "vanished.yaml"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_special_file_in_a_folder_is_a_finding(tree: Path) -> None:
    for name in _unreadable(tree):
        finding = read_file(FoundFile(name, is_named=False))

        assert isinstance(finding, Finding)
        assert (finding.rule, finding.span.file, finding.document) == ("SYN019", name, None)

    assert _names(".") == ["dangling.yaml", "pipe.yaml"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_named_special_file_is_an_error_of_the_call(tree: Path) -> None:
    for name in _unreadable(tree):
        with pytest.raises(InputError, match=name):
            read_file(FoundFile(name, is_named=True))


def test_a_file_beyond_the_bound_is_reported(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_FILE_BYTES", 4)
    _write(tree, "a.yaml", text="abcd")
    _write(tree, "b.yaml", text="abcde")

    assert read_file(FoundFile("a.yaml", is_named=True)) == b"abcd"
    finding = read_file(FoundFile("b.yaml", is_named=True))
    assert isinstance(finding, Finding)
    assert finding.rule == "SYN016"


def test_standard_input_is_read_within_the_bound(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(b"a: 1\n")
    with (tmp_path / "in").open() as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        assert read_stdin("server.yaml") == b"a: 1\n"


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="nothing is forbidden to root")
def test_files_without_permission_are_findings(tree: Path) -> None:
    _write(tree, "a.yaml", "sub/b.yaml")
    (tree / "a.yaml").chmod(0)
    (tree / "sub").chmod(0)
    try:
        found = find_files(["."])
        assert [one.path for one in found] == ["a.yaml", "sub"]
        assert all(isinstance(read_file(one), Finding) for one in found)
    finally:
        (tree / "sub").chmod(0o700)
