"""``mcpcfg init`` in a repository that has files of pre-commit and CI."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from calling import call
from laying import lay
from sample import resource

MCPCFG = str(Path(sys.executable).with_name("mcpcfg"))
HOOKS = """\
# our hooks
repos:
  - repo: https://example.com/yamllint
    rev: v1.0   # pinned
    hooks:
      - id: yamllint
"""
WORKFLOW = """\
name: lint
on: [pull_request]
jobs:
    yaml:
        runs-on: ubuntu-latest
        steps:
            - run: yamllint .
# the end
"""
GITLAB = "stages: [test]\n\ninclude:\n  - local: other.yml\n"


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_the_hook_joins_the_others() -> None:
    lay({".pre-commit-config.yaml": HOOKS})
    refused = call("init", "--kind", "none")
    assert (refused.status, "--yes adds the hook or the job" in refused.err) == (2, True)
    assert call("init", "--kind", "none", "--yes").out == "changed .pre-commit-config.yaml\n"
    text = Path(".pre-commit-config.yaml").read_text()
    assert text.startswith(HOOKS + "  - repo: local\n    hooks:\n    - id: mcpcfg-check\n")
    assert [repo["repo"] for repo in yaml.safe_load(text)["repos"]] == ["https://example.com/yamllint", "local"]
    again = call("init", "--kind", "none", "--yes")
    assert (again.out, ".pre-commit-config.yaml has mcpcfg already" in again.err) == ("", True)
    assert os.listdir() == [".pre-commit-config.yaml"]


def test_the_job_joins_those_of_a_workflow() -> None:
    lay({".github/workflows/lint.yaml": WORKFLOW})
    outcome = call("init", "--kind", "none", "--no-hook", "--workflow", ".github/workflows/lint.yaml", "--yes")
    assert outcome.out == "changed .github/workflows/lint.yaml\n", outcome.err
    text = Path(".github/workflows/lint.yaml").read_text()
    assert text.startswith(WORKFLOW.removesuffix("# the end\n") + "    mcpcfg:\n")
    assert text.endswith("# the end\n")
    jobs = yaml.safe_load(text)["jobs"]
    assert list(jobs) == ["yaml", "mcpcfg"]
    assert jobs["mcpcfg"]["steps"][-1]["name"] == "check"


def test_a_pipeline_of_gitlab_includes_the_job() -> None:
    lay({".gitlab-ci.yml": GITLAB})
    outcome = call("init", "--kind", "none", "--no-hook", "--ci", "gitlab", "--yes")
    assert outcome.out == "wrote .gitlab/mcpcfg.yml\nchanged .gitlab-ci.yml\n", outcome.err
    assert Path(".gitlab-ci.yml").read_text() == GITLAB + "  - local: .gitlab/mcpcfg.yml\n"
    assert "mcpcfg" in yaml.safe_load(Path(".gitlab/mcpcfg.yml").read_text())
    Path(".gitlab/mcpcfg.yml").unlink()
    Path(".gitlab-ci.yml").write_text("stages: [test]")
    assert call("init", "--kind", "none", "--no-hook", "--ci", "gitlab", "--yes").status == 0
    assert Path(".gitlab-ci.yml").read_text() == "stages: [test]\n\ninclude:\n- local: .gitlab/mcpcfg.yml\n"


@pytest.mark.parametrize(
    ("file", "text", "options", "why"),
    [
        (".pre-commit-config.yaml", "repos: []\n", [], "has no list repos with items on lines of their own"),
        (".pre-commit-config.yaml", "[a, b]\n", [], "is no YAML document that can be changed"),
        ("lint.yaml", "on: push\n", ["--workflow", "lint.yaml"], "lint.yaml has no jobs"),
        ("a", "", ["--workflow", "none.yaml"], "there is no file none.yaml"),
    ],
)
def test_a_file_that_cannot_be_changed_stays(file: str, text: str, options: list[str], why: str) -> None:
    lay({file: text})
    outcome = call("init", "--kind", "server", "--yes", *options)
    assert (outcome.status, why in outcome.err) == (2, True), outcome.err
    assert os.listdir() == [file]


def test_on_a_terminal_the_change_is_shown_first() -> None:
    lay({".pre-commit-config.yaml": HOOKS, ".github/workflows/lint.yaml": WORKFLOW})
    for answer in ("n", "y"):
        terminal, inner = pty.openpty()
        os.write(terminal, f"none\ny\ngithub\nlint.yaml\n{answer}\n".encode())
        done = subprocess.run([MCPCFG, "init"], stdin=inner, capture_output=True, text=True, check=False, timeout=60)
        os.close(terminal)
        os.close(inner)
        assert "+  - repo: local\n" in done.stderr
        assert "+    mcpcfg:\n" in done.stderr
        assert ("mcpcfg" in Path(".github/workflows/lint.yaml").read_text()) is (answer == "y")
    assert sorted(os.listdir()) == [".github", ".pre-commit-config.yaml"]


def test_resources_have_the_comment_that_others_of_the_repository_have() -> None:
    comment = "# yaml-language-server: $schema=https://example.com/toolhive.stacklok.dev/{}_v1alpha1.json\n"
    lay({"apps/git.yaml": comment.format("mcpserver") + resource("MCPServer", "git")})
    assert call("init", "new", "--kind", "virtual-server").status == 0
    assert "yaml-language-server" not in Path("new/deploy/fetch.yaml").read_text()
    Path(".git").mkdir()
    assert call("init", "other", "--kind", "virtual-server").status == 0
    for file, kind in (("fetch", "mcpserver"), ("group", "mcpgroup"), ("gateway", "virtualmcpserver")):
        assert Path(f"other/deploy/{file}.yaml").read_text().startswith(comment.format(kind) + "apiVersion:")
    for file in ("deploy/kustomization.yaml", "mcpcfg.yaml"):
        assert "yaml-language-server" not in Path("other", file).read_text()
