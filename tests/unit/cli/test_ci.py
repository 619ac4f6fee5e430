"""The scripts of the GitHub action and of the GitLab template run as they stand."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[3]
SOUND = "apiVersion: toolhive.stacklok.dev/v1alpha1\nkind: MCPGroup\nmetadata: {name: tools}\n"
pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")


def run(script: str, folder: Path, **given: str) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-eo", "pipefail", "-c", script],
        cwd=folder,
        env={**os.environ, "PATH": path, **given},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a b").mkdir()
    (tmp_path / "deploy").mkdir()
    (tmp_path / "deploy" / "group.yaml").write_text(SOUND)
    return tmp_path


def action(folder: Path, **given: str) -> subprocess.CompletedProcess[str]:
    steps: list[dict[str, Any]] = yaml.safe_load((ROOT / "action.yml").read_text())["runs"]["steps"]
    script = steps[-1]["run"]
    empty = dict.fromkeys(steps[-1]["env"], "")
    return run(script, folder, **{**empty, "PATHS": ".", "GITHUB_STEP_SUMMARY": str(folder / "summary.md"), **given})


def test_the_action_annotates_and_sums_up(folder: Path) -> None:
    assert action(folder).returncode == 0
    (folder / "deploy" / "group.yaml").write_text(SOUND.replace("metadata", "metdata"))

    done = action(folder, SARIF="out.sarif", PATHS="deploy")

    assert done.returncode == 1
    assert done.stdout.startswith("::error file=deploy/group.yaml,line=")
    assert "deploy/group.yaml" in (folder / "summary.md").read_text()
    assert json.loads((folder / "out.sarif").read_text())["version"] == "2.1.0"


def test_the_values_of_the_action_are_no_shell_text(folder: Path) -> None:
    done = action(folder, PATHS="deploy;touch${IFS}x $(touch y) `touch z`")

    assert done.returncode == 2
    assert sorted(path.name for path in folder.iterdir()) == ["a b", "deploy"]


def test_the_gitlab_job_leaves_its_reports(folder: Path) -> None:
    template = yaml.safe_load((ROOT / "docs" / "ci" / "gitlab.yml").read_text())
    (folder / "deploy" / "group.yaml").write_text(SOUND.replace("metadata", "metdata"))

    done = run("\n".join(template["mcpcfg"]["script"]), folder, MCPCFG_OPTIONS="", MCPCFG_PATHS="deploy")

    assert done.returncode == 1, done.stderr
    assert "<testsuite" in (folder / "mcpcfg-junit.xml").read_text()
    assert json.loads((folder / "mcpcfg-quality.json").read_text())[0]["location"]["path"] == "deploy/group.yaml"
