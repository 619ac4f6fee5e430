"""The steps of the GitHub action, of the GitLab job and of what ``init`` writes run as they stand."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from calling import call
from repository import commit, git

ROOT = Path(__file__).parents[3]
MCPCFG = Path(sys.executable).with_name("mcpcfg")
SOUND = "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPGroup\nmetadata: {name: tools}\n"
BROKEN = SOUND.replace("metadata", "metdata")
NASTY = ("a b", "*", "-n", "--fix", "$(touch x)", "`touch x`", "a;touch x", "${IFS}", "'\"", "\\")
"""Names that a shell, or an option parser, might take for more than names."""
PINNED = re.compile(r"uses: ([\w-]+/[\w-]+)(?:/[\w-]+)?@([0-9a-f]{40}) # (v\d+\.\d+\.\d+)")
EXPRESSION = re.compile(r"\$\{\{ (.*?) \}\}")
pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")


def run(script: str, folder: Path, shell: tuple[str, ...], **given: str) -> subprocess.CompletedProcess[str]:
    """Run a script as runners do: from a file of its own, without what the machine sets for CI."""
    file = folder.parent / "script"
    file.write_text(script)
    own = {key: value for key, value in os.environ.items() if not key.startswith(("GITHUB_", "MCPCFG_", "XDG_"))}
    return subprocess.run(
        [*shell, str(file)], cwd=folder, env={**own, **given}, capture_output=True, text=True, check=False
    )


def stub_python(folder: Path) -> Path:
    """Write a Python that notes its calls; ``venv`` makes a copy, and what ``pip`` installs is the real program."""
    folder.mkdir()
    python = folder / "python"
    python.write_text(
        f"""#!{shutil.which("bash")}
printf '%s\\n' "$*" >> {shlex.quote(str(folder / "calls"))}
for last; do :; done
case "$*" in
  "-I -m venv "*) mkdir -p "$last/bin"; cp "$0" "$last/bin/python" ;;
  "-I -m pip install "*) ln -sf {shlex.quote(str(MCPCFG))} "$(dirname "$0")/mcpcfg" ;;
  *) exit 9 ;;
esac
"""
    )
    python.chmod(0o755)
    return python


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a project in whose folder nothing but what it holds may ever appear."""
    deploy = tmp_path / "work space" / "deploy"
    deploy.mkdir(parents=True)
    (deploy / "group.yaml").write_text(SOUND)
    return deploy.parent


class Action:
    """One run of the action, its own steps done for real, those of others by their outputs."""

    def __init__(self, folder: Path, **inputs: str) -> None:
        self.folder = folder
        self.temp = folder.parent / "runner temp"
        self.temp.mkdir(exist_ok=True)
        self.python = folder.parent / "tool cache" / "python"
        if not self.python.exists():
            stub_python(self.python.parent)
        data = yaml.safe_load((ROOT / "action.yml").read_text())
        self.inputs = {name: one["default"] for name, one in data["inputs"].items()} | inputs
        self.outputs: dict[str, dict[str, str]] = {}
        self.keys: list[str] = []
        self.done: dict[str, subprocess.CompletedProcess[str]] = {}
        for step in data["runs"]["steps"]:
            if "run" in step:
                self._run(step)
            else:
                self._use(step)
            if step.get("id") in self.done and self.done[step["id"]].returncode:
                break

    @property
    def check(self) -> subprocess.CompletedProcess[str]:
        return self.done["check"]

    @property
    def summary(self) -> str:
        return (self.temp / "summary").read_text()

    def _use(self, step: dict[str, Any]) -> None:
        given = {key: self._value(value) for key, value in step["with"].items()}
        if step["uses"].startswith("actions/setup-python@"):
            self.outputs[step["id"]] = {"python-path": str(self.python), "python-version": "3.13.1"}
        elif step["uses"].startswith("actions/cache/restore@"):
            self.keys = [given["key"], given["restore-keys"]]
            self.outputs[step["id"]] = {"cache-hit": "", "cache-primary-key": given["key"]}

    def _run(self, step: dict[str, Any]) -> None:
        files = {name: self.temp / name for name in ("output", "summary")}
        files["output"].write_text("")
        self.done[step["id"]] = run(
            step["run"],
            self.folder,
            ("bash", "--noprofile", "--norc", "-eo", "pipefail"),
            **{key: self._value(value) for key, value in step["env"].items()},
            RUNNER_TEMP=str(self.temp),
            GITHUB_ACTION_PATH=str(ROOT),
            GITHUB_OUTPUT=str(files["output"]),
            GITHUB_STEP_SUMMARY=str(files["summary"]),
        )
        self.outputs[step["id"]] = dict(line.split("=", 1) for line in files["output"].read_text().splitlines())

    def _value(self, text: Any) -> Any:
        return EXPRESSION.sub(lambda found: self._expression(found[1]), text) if isinstance(text, str) else text

    def _expression(self, text: str) -> str:
        """Evaluate what the action uses of the language of expressions, and nothing else."""
        if text.startswith("hashFiles("):
            found = sorted({path for one in re.findall(r"'(.*?)'", text) for path in self.folder.glob(one)})
            return hashlib.sha256(b"\0".join(path.read_bytes() for path in found)).hexdigest()
        first, *rest = text.split(".")
        if first == "inputs":
            return str(self.inputs[rest[0]])
        if first == "steps":
            return self.outputs[rest[0]].get(rest[2], "")
        assert text == "runner.os", f"{text} is nothing that the action is given"
        return "Linux"


def test_the_action_installs_itself_outside_of_the_workspace(folder: Path) -> None:
    action = Action(folder)

    assert action.done["install"].returncode == 0, action.done["install"].stderr
    *made, installed = (action.python.parent / "calls").read_text().splitlines()
    assert made == [f"-I -m venv --clear {action.temp}/mcpcfg"]
    assert installed == f"-I -m pip install --quiet --disable-pip-version-check -- {ROOT}"
    assert action.outputs["install"]["version"] == call("--version").out.split()[-1]
    assert [path.name for path in folder.rglob("*")] == ["deploy", "group.yaml"]


def test_the_action_annotates_and_sums_up_and_writes_sarif_in_one_run(folder: Path) -> None:
    assert Action(folder, sarif="out.sarif").check.returncode == 0
    (folder / "deploy" / "group.yaml").write_text(BROKEN)

    action = Action(folder, sarif="out.sarif", paths="deploy")

    assert action.check.returncode == 1
    assert action.check.stdout.startswith("::error file=deploy/group.yaml,line=")
    assert "deploy/group.yaml" in action.summary
    sarif = json.loads((folder / "out.sarif").read_text())
    annotations = [line for line in action.check.stdout.splitlines() if line.startswith(("::error", "::warning"))]
    assert len(sarif["runs"][0]["results"]) == len(annotations) > 0
    assert (ROOT / "action.yml").read_text().count('"$MCPCFG" check') == 1


def test_the_action_fails_from_the_severity_on_that_is_asked_for(folder: Path) -> None:
    (folder / "deploy" / "group.yaml").write_text(BROKEN)

    action = Action(folder, **{"fail-on": "never"})

    assert action.check.returncode == 0
    assert "::error file=" in action.check.stdout


@pytest.mark.parametrize("name", NASTY)
def test_names_reach_the_program_unchanged(folder: Path, name: str) -> None:
    (folder / name).mkdir()
    (folder / name / "group.yaml").write_text(BROKEN)
    before = {path.name for path in folder.iterdir()}

    action = Action(folder, paths=f"deploy\n{name}", sarif=f"{name}.sarif", args="--closed\n--namespace\na-b")

    assert action.check.returncode == 1, action.check.stderr
    assert {path.name for path in folder.iterdir()} == before | {f"{name}.sarif"}
    result = json.loads((folder / f"{name}.sarif").read_text())["runs"][0]["results"][0]
    assert result["locations"]


def test_no_input_is_taken_for_an_option(folder: Path) -> None:
    refusals = {"changed-since": "no Git repository", "fail-on": "--fix", "paths": "--fix"}
    for name, refusal in refusals.items():
        check = Action(folder, **{name: "--fix"}).check
        assert check.returncode == 2
        assert refusal in check.stderr


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_the_action_reports_only_what_a_change_touches(folder: Path) -> None:
    (folder / "deploy" / "old.yaml").write_text(BROKEN)
    who = ("-c", "user.name=a", "-c", "user.email=a@example.com")
    for command in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "first"]):
        subprocess.run(["git", *command], cwd=folder, check=True, capture_output=True)

    whole = Action(folder).check
    assert (whole.returncode, whole.stdout.count("::error file=deploy/old.yaml")) == (1, 1)
    change = Action(folder, **{"changed-since": "HEAD"}).check
    assert (change.returncode, change.stdout.count("::error")) == (0, 0)


def test_the_key_of_the_cache_is_that_of_the_content(folder: Path) -> None:
    key, prefix = Action(folder).keys
    assert Action(folder).keys == [key, prefix]
    assert key.startswith(prefix)
    assert call("--version").out.split()[-1] in prefix

    (folder / "deploy" / "group.yaml").write_text(BROKEN)
    after, same = Action(folder).keys

    assert (after != key, same) == (True, prefix)


def test_the_cache_of_the_check_is_outside_of_the_workspace(folder: Path) -> None:
    few = Action(folder)
    assert "kept" not in few.outputs["check"]
    for number in range(70):
        (folder / "deploy" / f"group-{number}.yaml").write_text(SOUND.replace("tools", f"tools-{number}"))

    many = Action(folder)

    assert many.check.returncode == 0, many.check.stdout
    assert many.outputs["check"] == {"kept": "true"}
    assert many.outputs["install"]["cache"].startswith(f"{many.temp}/")
    assert list((many.temp / "mcpcfg-cache").iterdir())


def init(service: str, folder: Path) -> str:
    """Write a starting project with CI, and return the CI's file."""
    shutil.rmtree(folder / "deploy")
    outcome = call("init", str(folder), "--kind", "server", "--ci", service)
    assert outcome.status == 0, outcome.err
    return (folder / {"github": ".github/workflows/mcpcfg.yaml", "gitlab": ".gitlab-ci.yml"}[service]).read_text()


def gitlab(folder: Path, shell: str, **given: str) -> subprocess.CompletedProcess[str]:
    """Run the job as GitLab does: the commands of both scripts, one after the other, in one shell."""
    template = yaml.safe_load((ROOT / "docs" / "ci" / "gitlab.yml").read_text())
    job = template["mcpcfg"]
    stub = folder.parent / "stub"
    if not stub.exists():
        stub_python(stub)
    variables = {**template["variables"], **job["variables"], "MCPCFG_SOURCE": "tools/mcpcfg", **given}
    path = f"{stub}{os.pathsep}{os.environ['PATH']}"
    return run("\n".join([*job["before_script"], *job["script"]]), folder, (shell, "-e"), **variables, PATH=path)


@pytest.mark.parametrize("shell", ["bash", "sh"])
def test_the_gitlab_job_leaves_its_reports_in_one_run(folder: Path, shell: str) -> None:
    (folder / "deploy" / "group.yaml").write_text(BROKEN)

    done = gitlab(folder, shell, MCPCFG_PATHS="deploy")

    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("deploy/group.yaml:3:1: error[ADM001]")
    assert "<testsuite" in (folder / "mcpcfg-junit.xml").read_text()
    assert json.loads((folder / "mcpcfg-quality.json").read_text())[0]["location"]["path"] == "deploy/group.yaml"
    calls = (folder.parent / "stub" / "calls").read_text().splitlines()
    assert [one.rpartition(" -- ")[2] for one in calls] == ["tools/mcpcfg"]
    assert all(one.startswith("-I -m pip install ") for one in calls)


@pytest.mark.parametrize("shell", ["bash", "sh"])
@pytest.mark.parametrize("name", NASTY)
def test_the_gitlab_job_passes_names_unchanged(folder: Path, shell: str, name: str) -> None:
    (folder / name).mkdir()
    (folder / name / "group.yaml").write_text(BROKEN)
    before = {path.name for path in folder.iterdir()}

    done = gitlab(folder, shell, MCPCFG_PATHS=f"deploy\n{name}", MCPCFG_OPTIONS="--namespace\na-b")

    assert done.returncode == 1, done.stderr
    reports = {"mcpcfg-junit.xml", "mcpcfg-quality.json"}
    assert {path.name for path in folder.iterdir()} == before | reports


def test_the_gitlab_job_reports_of_a_merge_request_what_it_changes(folder: Path) -> None:
    (folder / "deploy" / "old.yaml").write_text(BROKEN)
    commit(folder)
    base = git(folder, "rev-parse", "HEAD").strip()
    (folder / "deploy" / "new.yaml").write_text(BROKEN.replace("spec", "spce"))
    commit(folder)
    given = {"CI_PROJECT_DIR": str(folder), "HOME": str(folder.parent), "CI_MERGE_REQUEST_DIFF_BASE_SHA": base}

    done = gitlab(folder, "sh", MCPCFG_PATHS="deploy", **given)

    assert done.returncode == 1, done.stderr
    reported = json.loads((folder / "mcpcfg-quality.json").read_text())
    assert {one["location"]["path"] for one in reported if one["severity"] != "info"} == {"deploy/new.yaml"}


def test_the_gitlab_job_says_what_to_set(folder: Path) -> None:
    done = gitlab(folder, "sh", MCPCFG_SOURCE="")

    assert done.returncode == 2
    assert "set the CI/CD variable MCPCFG_SOURCE" in done.stdout


def test_the_gitlab_job_restores_nothing_into_the_checkout() -> None:
    job = yaml.safe_load((ROOT / "docs" / "ci" / "gitlab.yml").read_text())["mcpcfg"]

    assert "cache" not in job
    assert "--cache" not in str(job)


def test_init_writes_the_job_of_the_documentation(folder: Path) -> None:
    assert init("gitlab", folder) == (ROOT / "docs" / "ci" / "gitlab.yml").read_text()


def test_the_workflow_of_init_installs_what_is_set_and_checks(folder: Path) -> None:
    steps = yaml.safe_load(init("github", folder))["jobs"]["check"]["steps"]
    path = f"{stub_python(folder.parent / 'stub').parent}{os.pathsep}{os.environ['PATH']}"
    install, check = (step for step in steps if "run" in step)
    assert install["env"] == {"MCPCFG_SOURCE": "${{ vars.MCPCFG_SOURCE }}"}

    unset = run(install["run"], folder, ("bash", "-e"), PATH=path, MCPCFG_SOURCE="")
    done = run(install["run"], folder, ("bash", "-e"), PATH=path, MCPCFG_SOURCE="a b")
    summary = {"PATH": path, "GITHUB_STEP_SUMMARY": str(folder.parent / "summary"), "BASE": ""}
    checked = run(check["run"], folder, ("bash", "-e"), **summary)

    assert unset.returncode == 2
    assert "set the variable MCPCFG_SOURCE" in unset.stdout
    assert done.returncode == 0, done.stderr
    assert (folder.parent / "stub" / "calls").read_text().rstrip("\n").endswith(" -- a b")
    assert checked.returncode == 0, checked.stderr
    assert (folder.parent / "summary").exists()


def test_actions_are_pinned_by_commit_the_same_everywhere(folder: Path) -> None:
    files = [ROOT / "action.yml", ROOT / "docs" / "ci.md", *sorted((ROOT / ".github" / "workflows").glob("*.yml"))]
    texts = [file.read_text() for file in files] + [init("github", folder)]
    pins: dict[str, set[tuple[str, str]]] = {}
    for text in texts:
        foreign = re.findall(r"uses: (?!OWNER/|\./)\S+", text)
        found = PINNED.findall(text)
        assert len(found) == len(foreign) > 0, foreign
        for action, digest, version in found:
            pins.setdefault(action, set()).add((digest, version))
    assert all(len(versions) == 1 for versions in pins.values()), pins
