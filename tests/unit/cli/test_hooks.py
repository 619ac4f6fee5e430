"""The hooks work with the real pre-commit, on a repository as people have it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[3]
PRE_COMMIT = Path(sys.executable).with_name("pre-commit")
pytestmark = pytest.mark.skipif(
    not PRE_COMMIT.exists() or shutil.which("git") is None, reason="pre-commit or git is not installed"
)
SOUND = """\
apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPServer
metadata: {name: fetch, namespace: tools}
spec: {image: "ghcr.io/acme/fetch:1.2.0", transport: stdio}
"""
BROKEN = SOUND.replace("image:", "imagee:")
BUILD = ("--target", "kubernetes", "--check", "compiled")


def run(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "PRE_COMMIT_HOME": str(folder.parent / "cache"),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        **{f"GIT_{who}_{what}": "test@example.com" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    }
    return subprocess.run(args, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Make a repository with our hooks, run from this environment: nothing is installed."""
    folder = tmp_path / "project"
    folder.mkdir()
    hooks: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    local = [{**hook, "language": "system"} for hook in hooks if hook["id"] != "mcpcfg-fix"]
    local[-1]["args"] = list(BUILD)
    config = {"repos": [{"repo": "local", "hooks": local}]}
    (folder / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    (folder / "mcpcfg.yaml").write_text("exclude: [compiled/]\n")
    (folder / "server.yaml").write_text(SOUND)
    run(folder, "git", "init", "-q")
    assert run(folder, "mcpcfg", "build", "--target", "kubernetes", "-o", "compiled").returncode == 0
    run(folder, "git", "add", ".")
    installed = run(folder, str(PRE_COMMIT), "install")
    assert installed.returncode == 0, installed.stderr
    return folder


def commit(folder: Path) -> subprocess.CompletedProcess[str]:
    run(folder, "git", "add", ".")
    return run(folder, "git", "commit", "-m", "change")


def test_a_sound_commit_passes(repository: Path) -> None:
    done = commit(repository)

    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr.count("Passed") == 2


def test_a_broken_commit_is_held_up_and_its_fault_shown(repository: Path) -> None:
    (repository / "server.yaml").write_text(BROKEN)

    done = commit(repository)

    assert done.returncode == 1
    assert "server.yaml:4:8: error[ADM001]" in done.stderr
    assert 'did you mean "image"?' in done.stderr


def test_a_commit_that_breaks_another_file_is_held_up(repository: Path) -> None:
    (repository / "server.yaml").write_text(SOUND.replace("stdio}", "stdio, groupRef: {name: tools}}"))
    (repository / "group.yaml").write_text(
        "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPGroup\nmetadata: {name: tools, namespace: tools}\n"
    )
    run(repository, "mcpcfg", "build", "--target", "kubernetes", "-o", "compiled")
    assert commit(repository).returncode == 0

    group = repository / "group.yaml"
    group.write_text(group.read_text().replace("name: tools,", "name: tool,"))
    done = commit(repository)

    assert done.returncode == 1
    assert "server.yaml:4:78: error[REF001]" in done.stderr


def test_output_that_is_not_up_to_date_is_held_up(repository: Path) -> None:
    (repository / "server.yaml").write_text(SOUND.replace("1.2.0", "1.3.0"))

    done = commit(repository)

    assert done.returncode == 1
    assert done.stderr.count("Passed") == 1
    assert "deployment-fetch.yaml: differs" in done.stderr


def test_a_commit_of_other_files_runs_nothing(repository: Path) -> None:
    assert commit(repository).returncode == 0
    (repository / "main.py").write_text("print()\n")

    assert commit(repository).stderr.count("Skipped") == 2


def test_the_hook_of_init_is_that_of_the_manifest_and_runs(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    assert run(tmp_path, "mcpcfg", "init", str(folder), "--kind", "server").returncode == 0
    (own,) = yaml.safe_load((folder / ".pre-commit-config.yaml").read_text())["repos"]
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    kept = {key: value for key, value in hooks[0].items() if key != "description"}
    assert own == {"repo": "local", "hooks": [{**kept, "language": "system"}]}

    run(folder, "git", "init", "-q")
    run(folder, "git", "add", ".")
    done = run(folder, str(PRE_COMMIT), "run")

    assert done.returncode == 0, done.stdout + done.stderr
    assert "Passed" in done.stdout
