"""``--changed-since`` reports what a change touches, wherever that shows."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from mcpcfg.compiler.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
HEAD = "apiVersion: toolhive.stacklok.dev/v1beta1\n"
SERVER = HEAD + "kind: MCPServer\nmetadata: {name: NAME}\nspec: {image: a, groupRef: {name: tools}}\n"
GROUP = HEAD + "kind: MCPGroup\nmetadata: {name: tools}\n"


def git(folder: Path, *args: str) -> None:
    identity = ("-c", "user.name=test", "-c", "user.email=test@example.com")
    subprocess.run(["git", *identity, *args], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    tmp_path = tmp_path / "repository"
    folder = tmp_path / "deploy"
    folder.mkdir(parents=True)
    (folder / "old.yaml").write_text(SERVER.replace("NAME", "old").replace("image", "imagee"))
    (folder / "user.yaml").write_text(SERVER.replace("NAME", "user"))
    (folder / "group.yaml").write_text(GROUP)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    monkeypatch.chdir(folder)
    return folder


def checked(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, list[str]]:
    with pytest.raises(SystemExit) as exit_:
        main(["check", "--no-color", "--changed-since", "HEAD", *args])
    out = capsys.readouterr().out
    return int(exit_.value.code or 0), [line.split(" ", 1)[0] for line in out.splitlines() if ": error[" in line]


def test_findings_that_existed_before_are_not_reported(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert checked(capsys) == (0, [])


def test_a_new_file_is_reported(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (repository / "new.yaml").write_text(SERVER.replace("NAME", "new").replace("image", "immage"))

    assert checked(capsys) == (1, ["new.yaml:4:8:"])


def test_a_changed_file_is_reported_in_full(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (repository / "old.yaml").open("a") as file:
        file.write("# changed\n")

    assert checked(capsys) == (1, ["old.yaml:4:8:"])


def test_a_reference_that_a_removal_breaks_is_reported(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (repository / "group.yaml").unlink()

    status, places = checked(capsys)

    assert status == 1
    assert "user.yaml:4:35:" in places
    assert "old.yaml:4:8:" not in places


def test_the_same_is_reported_from_another_current_folder(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository / "group.yaml").unlink()
    monkeypatch.chdir(repository.parent)

    assert "deploy/user.yaml:4:35:" in checked(capsys, "deploy")[1]


def test_an_unknown_revision_is_a_wrong_call(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(["check", "--changed-since", "no-such-branch"])

    assert exit_.value.code == 2
    assert "no-such-branch" in capsys.readouterr().err


@pytest.mark.parametrize("where", ["deploy/deep", ".", "..", "elsewhere"])
def test_the_result_does_not_depend_on_the_current_folder(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], where: str
) -> None:
    (repository / "group.yaml").unlink()
    folder = repository.parent / where
    folder.mkdir(exist_ok=True)
    monkeypatch.chdir(folder)

    for path in (str(repository), os.path.relpath(repository)):
        places = [place.rpartition("/")[2] for place in checked(capsys, path)[1]]
        assert "user.yaml:4:35:" in places
        assert "old.yaml:4:8:" not in places


def test_a_linked_work_tree_is_compared_with_its_own_history(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    git(repository, "worktree", "add", "-q", "../linked")
    linked = repository.parent / "linked" / "deploy"
    (linked / "group.yaml").unlink()

    assert f"{linked}/user.yaml:4:35:" in checked(capsys, str(linked))[1]
    monkeypatch.chdir(linked)
    places = checked(capsys)[1]
    assert "user.yaml:4:35:" in places
    assert "old.yaml:4:8:" not in places
    monkeypatch.chdir(repository)
    assert checked(capsys) == (0, [])


def test_a_named_file_is_compared_within_the_project_at_that_revision(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository.parent / "mcpcfg.yaml").write_text("exclude: [drafts/]\n")
    git(repository, "add", "--all", ":/")
    git(repository, "commit", "-qm", "configuration")

    assert checked(capsys, "user.yaml") == (0, [])
    (repository / "group.yaml").unlink()
    assert checked(capsys, "user.yaml") == (1, ["user.yaml:4:35:"])


def test_a_link_is_unchanged_if_its_target_is(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shared = repository.parent / "shared.yaml"
    (repository / "old.yaml").rename(shared)
    (repository / "link.yaml").symlink_to("../shared.yaml")
    git(repository, "add", "--all", ":/")
    git(repository, "commit", "-qm", "link")

    assert checked(capsys) == (0, [])
    with shared.open("a") as file:
        file.write("# changed\n")
    assert checked(capsys) == (1, ["link.yaml:4:8:"])


def test_the_configuration_of_a_stranger_above_the_revision_s_files_is_not_read(
    repository: Path, capsys: pytest.CaptureFixture[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("temporary")
    (elsewhere / "mcpcfg.yaml").write_text("exclude: ['*']\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tempfile.tempdir", str(elsewhere))
        assert checked(capsys) == (0, [])


def test_all_findings_in_a_submodule_count_as_new(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = repository.parent.parent / "other"
    other.mkdir()
    (other / "bad.yaml").write_text(SERVER.replace("NAME", "bad").replace("image", "imagee"))
    git(other, "init", "-q")
    git(other, "add", ".")
    git(other, "commit", "-qm", "first")
    git(repository, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other), "sub")
    git(repository, "commit", "-qm", "submodule")

    assert "sub/bad.yaml:4:8:" in checked(capsys)[1]
    assert checked(capsys, "sub") == (0, [])
