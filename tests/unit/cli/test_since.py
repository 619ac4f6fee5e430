"""``--changed-since`` tells what a change touches, wherever that shows."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from mcpcfg.compiler.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
HEAD = "apiVersion: toolhive.stacklok.dev/v1alpha1\n"
SERVER = HEAD + "kind: MCPServer\nmetadata: {name: NAME}\nspec: {image: a, groupRef: {name: tools}}\n"
GROUP = HEAD + "kind: MCPGroup\nmetadata: {name: tools}\n"


def git(folder: Path, *args: str) -> None:
    identity = ("-c", "user.name=test", "-c", "user.email=test@example.com")
    subprocess.run(["git", *identity, *args], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "deploy"
    folder.mkdir()
    (folder / "old.yaml").write_text(SERVER.replace("NAME", "old").replace("image", "imagee"))
    (folder / "user.yaml").write_text(SERVER.replace("NAME", "user"))
    (folder / "group.yaml").write_text(GROUP)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    monkeypatch.chdir(folder)
    return folder


def told(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, list[str]]:
    with pytest.raises(SystemExit) as exit_:
        main(["check", "--no-color", "--changed-since", "HEAD", *args])
    out = capsys.readouterr().out
    return int(exit_.value.code or 0), [line.split(" ", 1)[0] for line in out.splitlines() if "[" in line[:60]]


def test_findings_of_old_are_not_told(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys) == (0, [])


def test_a_new_file_is_told(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (repository / "new.yaml").write_text(SERVER.replace("NAME", "new").replace("image", "immage"))

    assert told(capsys) == (1, ["new.yaml:4:8:"])


def test_a_changed_file_is_told_in_full(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (repository / "old.yaml").open("a") as file:
        file.write("# changed\n")

    assert told(capsys) == (1, ["old.yaml:4:8:"])


def test_what_a_removal_breaks_elsewhere_is_told(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (repository / "group.yaml").unlink()

    status, places = told(capsys)

    assert status == 1
    assert "user.yaml:4:35:" in places
    assert "old.yaml:4:8:" not in places


def test_a_folder_from_elsewhere_gives_the_same(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository / "group.yaml").unlink()
    monkeypatch.chdir(repository.parent)

    assert "deploy/user.yaml:4:35:" in told(capsys, "deploy")[1]


def test_an_unknown_revision_is_a_wrong_call(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(["check", "--changed-since", "no-such-branch"])

    assert exit_.value.code == 2
    assert "no-such-branch" in capsys.readouterr().err
