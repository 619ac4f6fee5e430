"""What is checked may look like a repository, or lie in one with a hostile setup: no program that it names is run."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
from calling import call
from drawing import resource as text_of
from repository import PROGRAMS, arm, commit, disguise, git, trap

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

SOUND = text_of("MCPServer", "fetch", "{image: 'ghcr.io/acme/fetch:1.0'}")
GROUP = text_of("MCPGroup", "tools", "{description: a}")
USER = text_of("MCPServer", "user", "{image: 'ghcr.io/acme/user:1.0', groupRef: {name: tools}}")


class Trapped:
    """A repository with a folder ``deploy``, and what would note that a program was run."""

    def __init__(self, root: Path) -> None:
        self.top = root / "repository"
        self.deploy = self.top / "deploy"
        self.deploy.mkdir(parents=True)
        self.program, self.mark = trap(root)
        for name, text in (("fetch", SOUND), ("group", GROUP), ("user", USER)):
            (self.deploy / f"{name}.yaml").write_text(text)
        commit(self.top)

    def change(self) -> None:
        """Leave the user without its group, and make all stamps other ones."""
        (self.deploy / "group.yaml").unlink()
        (self.deploy / "fetch.yaml").write_text(SOUND.replace("1.0", "1.1"))
        os.utime(self.deploy / "user.yaml", (1, 1))

    def attribute(self) -> None:
        """Put every file behind the filters and drivers of the hostile setup."""
        (self.top / ".gitattributes").write_text("* filter=evil diff=evil merge=evil\n")


@pytest.fixture
def trapped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Trapped:
    made = Trapped(tmp_path)
    monkeypatch.chdir(made.top)
    return made


def _as_a_bare_repository(trapped: Trapped) -> None:
    disguise(trapped.deploy, trapped.program)


def _as_an_inner_repository(trapped: Trapped) -> None:
    inner = trapped.deploy / ".git"
    inner.mkdir()
    disguise(inner, trapped.program)


def _in_the_repository_itself(trapped: Trapped) -> None:
    arm(trapped.top / ".git" / "config", trapped.program)


SETUPS = [_as_a_bare_repository, _as_an_inner_repository, _in_the_repository_itself]


def test_git_itself_runs_the_programs_of_the_hostile_repository(trapped: Trapped) -> None:
    disguise(trapped.deploy, trapped.program)

    subprocess.run(["git", "status"], cwd=trapped.deploy, check=False, capture_output=True)

    assert trapped.mark.exists()


@pytest.mark.parametrize("setup", SETUPS)
def test_findings_are_found_and_nothing_is_run(trapped: Trapped, setup: Callable[[Trapped], None]) -> None:
    trapped.attribute()
    setup(trapped)
    trapped.change()

    plain = call("check", "deploy")
    since = call("check", "--changed-since", "HEAD", "--", "deploy")
    diff = call("diff", "--against", "HEAD", "deploy")

    assert plain.status == since.status == 1
    assert "deploy/user.yaml" in plain.out
    assert "deploy/user.yaml" in since.out
    assert "~ StatefulSet default/fetch" in diff.out
    assert not trapped.mark.exists(), trapped.mark.read_text()


@pytest.mark.parametrize(
    ("setup", "where"),
    [
        (setup, where)
        for setup in SETUPS
        for where in ("inside", "above", "beside")
        # From outside, and from within, an inner repository is the nearest.
        if setup is not _as_an_inner_repository or where == "inside"
    ],
)
def test_the_result_does_not_depend_on_the_current_folder(
    trapped: Trapped, setup: Callable[[Trapped], None], where: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    trapped.attribute()
    setup(trapped)
    trapped.change()
    beside = tmp_path / "beside"
    beside.mkdir()
    folder, path = {
        "inside": (
            trapped.top / "deploy" if setup is not _as_an_inner_repository else trapped.top,
            str(trapped.deploy),
        ),
        "above": (tmp_path, "repository/deploy"),
        "beside": (beside, "../repository/deploy"),
    }[where]
    monkeypatch.chdir(folder)

    assert call("check", path).status == 1
    assert call("check", "--changed-since", "HEAD", "--", path).status == 1
    assert "~ StatefulSet default/fetch" in call("diff", "--against", "HEAD", path).out
    assert not trapped.mark.exists(), trapped.mark.read_text()


@pytest.mark.parametrize("name", ["GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_SSH_COMMAND", "GIT_ASKPASS", "GIT_EDITOR"])
def test_programs_of_the_environment_are_not_run(trapped: Trapped, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, trapped.program)
    trapped.change()

    assert call("check", "--changed-since", "HEAD", "--", "deploy").status == 1
    assert "~ StatefulSet default/fetch" in call("diff", "--against", "HEAD", "deploy").out
    assert not trapped.mark.exists()


def test_the_environment_of_a_hook_does_not_redirect_git(trapped: Trapped, monkeypatch: pytest.MonkeyPatch) -> None:
    trapped.change()
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_CEILING_DIRECTORIES"):
        monkeypatch.setenv(name, "/nowhere")

    assert "deploy/user.yaml" in call("check", "--changed-since", "HEAD", "--", "deploy").out


def test_git_configuration_of_the_environment_does_not_override_ours(
    trapped: Trapped, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = [key for key in PROGRAMS if not key.startswith("alias.")]
    monkeypatch.setenv("GIT_CONFIG_COUNT", str(len(keys)))
    for number, key in enumerate(keys):
        monkeypatch.setenv(f"GIT_CONFIG_KEY_{number}", key)
        monkeypatch.setenv(f"GIT_CONFIG_VALUE_{number}", trapped.program)
    trapped.change()

    assert call("check", "--changed-since", "HEAD", "--", "deploy").status == 1
    assert not trapped.mark.exists()


def test_ignore_files_of_an_inner_repository_hide_nothing(trapped: Trapped) -> None:
    trapped.change()
    inner = trapped.deploy / "vendor"
    inner.mkdir()
    (trapped.deploy / "user.yaml").rename(inner / "user.yaml")
    git(inner, "init", "-q")
    (inner / ".gitignore").write_text("*\n")
    (inner / ".git" / "info" / "exclude").write_text("*\n")

    for path in (".", "deploy", "deploy/vendor"):
        assert "deploy/vendor/user.yaml" in call("check", path).out
