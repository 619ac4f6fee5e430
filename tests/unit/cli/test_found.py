"""A call reports which files it does not read, where the user may count on it."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from calling import call
from drawing import resource as text_of
from repository import commit

if TYPE_CHECKING:
    from pathlib import Path

FAULTY = text_of("MCPServer", "fetch", "{imagee: 'ghcr.io/acme/fetch:1.0'}")
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "deploy" / "gen").mkdir(parents=True)
    (tmp_path / "deploy" / "gen" / "a.yaml").write_text(FAULTY)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("pattern", ["*/**", "deploy", "**/gen/", "a.yaml"])
@pytest.mark.parametrize("command", [("check",), ("check", "--no-cache", "--format", "json"), ("graph",)])
def test_excluded_files_are_counted_if_no_file_is_left(project: Path, pattern: str, command: tuple[str, ...]) -> None:
    (project / "mcpcfg.yaml").write_text(f"exclude: ['{pattern}']\n")

    done = call(*command)

    counted = "1 file" if pattern == "a.yaml" else "1 folder"
    assert f"mcpcfg: no file is left to check: {counted} is left out by `exclude` in mcpcfg.yaml\n" in done.err
    assert "exclude" not in done.out


def test_excluded_files_are_not_counted_if_a_file_is_left(project: Path) -> None:
    (project / "mcpcfg.yaml").write_text("exclude: ['*/**']\n")
    (project / "b.yaml").write_text(FAULTY)

    done = call("check")

    assert done.out.startswith("b.yaml:")
    assert "left" not in done.err


def test_excluded_paths_are_relative_to_the_configuration(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "mcpcfg.yaml").write_text("exclude: [deploy/gen]\n")
    (project / "deploy" / "b.yaml").write_text(FAULTY)

    for path in (".", "deploy", str(project / "deploy")):
        assert "gen" not in call("check", path).out
    monkeypatch.chdir(project / "deploy")
    assert call("check").out.startswith("b.yaml:")


@needs_git
@pytest.mark.parametrize("command", [("check",), ("check", "--format", "sarif"), ("build", "-t", "runconfig")])
def test_without_git_the_files_that_ignore_files_hide_are_counted(
    project: Path, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / ".gitignore").write_text("gen/\nb.yaml\n")
    (project / "deploy" / "b.yaml").write_text(FAULTY)
    commit(project)
    assert "not read" not in call(*command).err

    monkeypatch.setenv("PATH", "")

    notice = "1 file and 1 folder are not read because ignore files match, tracked or not: Git gives no answer"
    assert f"mcpcfg: {notice} (git is not installed)\n" in call(*command).err
    assert call("check", "deploy/gen").status == 1


@needs_git
def test_with_git_a_tracked_file_is_read_though_ignore_files_match(project: Path) -> None:
    commit(project)
    (project / ".gitignore").write_text("*\n")

    done = call("check")

    assert (done.status, "not read" in done.err) == (1, False)
    assert done.out.startswith("deploy/gen/a.yaml:")


WRAPPED = "apiVersion: example.com/v1\nkind: Object\nspec: {manifest: {apiVersion: toolhive.stacklok.dev/v1beta1}}\n"


def test_files_that_mention_the_api_group_inside_of_something_else_are_counted(project: Path) -> None:
    (project / "deploy" / "gen" / "a.yaml").write_text("rules: [{apiGroups: [toolhive.stacklok.dev]}]\n")
    nothing = "mcpcfg: nothing to check: no resources or records of ours were found\n"
    assert call("check").err.endswith(nothing)

    (project / "object.yaml").write_text(WRAPPED)
    (project / "values.yaml").write_text("extraObjects:\n- |\n  apiVersion: toolhive.stacklok.dev/v1beta1\n")
    (project / "main.tf").write_text('manifest = { apiVersion = "toolhive.stacklok.dev/v1beta1" }\n')
    mentioned = (
        "mcpcfg: 3 files mention toolhive.stacklok.dev inside of something else: main.tf, object.yaml, values.yaml"
    )
    assert f"{nothing}{mentioned}; render it" in call("check").err
    assert "1 file mentions toolhive.stacklok.dev" in call("check", "-", stdin=WRAPPED).err

    (project / "server.yaml").write_text(FAULTY)
    assert "mention" not in call("check").err
