"""A clone without the texts of old files: what is needed is read, and nothing else."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from calling import call
from drawing import resource as text_of
from repository import arm, commit, git, trap

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

SOUND = text_of("MCPServer", "fetch", "{image: 'ghcr.io/acme/fetch:1.0'}")
GROUP = text_of("MCPGroup", "tools", "{description: a}")
USER = text_of("MCPServer", "user", "{image: 'ghcr.io/acme/user:1.0', groupRef: {name: tools}}")
OLD = text_of("MCPServer", "old", "{imagee: 'ghcr.io/acme/user:1.0'}")


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A blobless clone of a history of two commits: the second changes what is no configuration."""
    origin = tmp_path / "origin"
    (origin / "deploy").mkdir(parents=True)
    for name, text in (("fetch", SOUND), ("group", GROUP), ("user", USER), ("old", OLD)):
        (origin / "deploy" / f"{name}.yaml").write_text(text)
    (origin / "other.yaml").write_text("a: 1\n")
    (origin / "deploy" / "README.md").write_text("one\n")
    commit(origin)
    (origin / "other.yaml").write_text("a: 2\n")
    (origin / "deploy" / "README.md").write_text("two\n")
    commit(origin)
    git(origin, "config", "uploadpack.allowFilter", "true")
    git(origin, "config", "uploadpack.allowAnySHA1InWant", "true")
    git(tmp_path, "clone", "-q", "--filter=blob:none", f"file://{origin}", "clone")
    monkeypatch.chdir(tmp_path / "clone")
    return tmp_path / "clone"


def _lose_the_remote(clone: Path) -> None:
    shutil.rmtree(clone.parent / "origin")


def _missing(clone: Path) -> int:
    listed = git(clone, "rev-list", "--objects", "--missing=print", "--all")
    return sum(line.startswith("?") for line in listed.splitlines())


def test_files_in_the_work_tree_are_not_fetched_from_the_remote(clone: Path) -> None:
    _lose_the_remote(clone)
    (clone / "deploy" / "group.yaml").unlink()
    (clone / "deploy" / "fetch.yaml").write_text(SOUND.replace("1.0", "1.1"))

    since = call("check", "--changed-since", "HEAD~1", "--", "deploy")
    diff = call("diff", "--against", "HEAD~1", "deploy")

    assert since.status == 1
    assert "deploy/user.yaml" in since.out
    assert "deploy/old.yaml" not in since.out
    assert diff.status == 0
    assert "~ StatefulSet default/fetch" in diff.out


def test_only_the_needed_objects_are_fetched(clone: Path) -> None:
    (clone / "other.yaml").write_text("a: 3\n")
    before = _missing(clone)

    call("diff", "--against", "HEAD~1", "deploy")
    assert _missing(clone) == before == 2
    call("diff", "--against", "HEAD~1")
    assert _missing(clone) == before - 1


def test_the_command_in_the_error_fetches_the_missing_objects(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_NO_LAZY_FETCH", "1")
    done = call("diff", "--against", "HEAD~1")
    assert done.status == 2
    monkeypatch.delenv("GIT_NO_LAZY_FETCH")

    git(clone, *done.err.split("`")[1].split()[1:])
    monkeypatch.setenv("GIT_NO_LAZY_FETCH", "1")

    outcome = call("diff", "--against", "HEAD~1")
    assert outcome.status == 0
    assert "git fetch" not in outcome.err


def test_without_a_remote_the_error_says_how_to_fetch_the_objects(clone: Path) -> None:
    _lose_the_remote(clone)

    for words in (["diff", "--against", "HEAD~1"], ["check", "--changed-since", "HEAD~1"]):
        done = call(*words)
        assert done.status == 2
        assert done.out == ""
        assert len(done.err.splitlines()) == 1
        assert "where a clone is partial, `git diff " in done.err


def test_nothing_is_fetched_where_the_user_forbids_it(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_NO_LAZY_FETCH", "1")

    assert call("diff", "--against", "HEAD~1").status == 2
    assert _missing(clone) == 2


@pytest.mark.parametrize("key", ["remote.origin.uploadpack", "core.sshCommand", "credential.helper"])
def test_nothing_is_fetched_by_a_program_of_the_repository(clone: Path, tmp_path: Path, key: str) -> None:
    program, mark = trap(tmp_path)
    git(clone, "config", key, program)
    if key == "core.sshCommand":
        git(clone, "config", "remote.origin.url", "ssh://localhost/nowhere")

    assert call("diff", "--against", "HEAD~1").status == 2
    assert not mark.exists()


def test_nothing_is_run_where_everything_names_a_program(clone: Path, tmp_path: Path) -> None:
    program, mark = trap(tmp_path)
    arm(clone / ".git" / "config", program)
    (clone / ".gitattributes").write_text("* filter=evil diff=evil merge=evil\n")

    assert call("diff", "--against", "HEAD~1").status == 2
    assert call("check", "--changed-since", "HEAD~1").status == 2
    assert call("check").status == 1
    assert not mark.exists(), mark.read_text()


def test_an_address_that_is_a_program_is_not_run(clone: Path, tmp_path: Path) -> None:
    program, mark = trap(tmp_path)
    git(clone, "config", "remote.origin.url", f"ext::{program}")
    git(clone, "config", "protocol.ext.allow", "always")

    assert call("diff", "--against", "HEAD~1").status == 2
    assert not mark.exists()
