"""What a release publishes: distributions with the same bytes, notes from the changelog, workflows whose shell runs."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest
import yaml
from distributions import normalize
from notes import notes

from mcpcfg.compiler.toolhive.release import NEWEST_KNOWN

ROOT = Path(__file__).parents[3]
WORKFLOWS = ROOT / ".github" / "workflows"
PINNED = re.compile(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")
RELEASE = "build/release/bin"
PROGRAMS = (
    "python",
    "make",
    "gh",
    "git",
    "helm",
    "cosign",
    ".venv/bin/python",
    f"{RELEASE}/python",
    f"{RELEASE}/cyclonedx-py",
)
VERSION = "0.1.0"
CALLS = {
    "test/test/install": [
        "python -m venv .venv",
        ".venv/bin/python -m pip install --require-hashes --requirement requirements-dev.txt",
        ".venv/bin/python -m pip install --no-deps --no-build-isolation --editable .",
    ],
    "test/test/test": [".venv/bin/python -P -m pytest -q -n auto"],
    "test/test/check": ["make check"],
    "action/examples/it did fail": [],
    "docs/docs/build": ["make docs"],
    "fuzz/fuzz/fuzz": ["make fuzz"],
    "releases/take-in/look for a release that is not known": [
        (
            "gh release list --repo stacklok/toolhive --limit 30 --exclude-drafts --exclude-pre-releases "
            '--json tagName,publishedAt --jq .[] | .tagName + " " + .publishedAt'
        )
    ],
    "releases/take-in/fetch its charts": [
        f"helm pull oci://ghcr.io/stacklok/toolhive/{chart} --version 0.70.0 --untar --untardir build/charts"
        for chart in ("toolhive-operator-crds", "toolhive-operator")
    ],
    "releases/take-in/take it in": [
        (
            "make release VERSION=0.70.0 DATE=2026-12-01 CRDS=build/charts/toolhive-operator-crds/files/crds"
            " CHART=build/charts/toolhive-operator PAGE=build/page.md"
        ),
        "git add --all -- compiler docs fixtures schemas",
        "git diff --cached --binary",
    ],
    "releases/propose/open the pull request": [
        "git checkout -b release-0.70.0",
        "git apply --index build/release.patch",
        ("git -c user.name=releases -c user.email=releases@localhost commit --message models: take in release 0.70.0"),
        "gh auth setup-git",
        "git push origin release-0.70.0",
        "gh pr create --head release-0.70.0 --title models: take in release 0.70.0 --body-file build/page.md",
    ],
    "release/build/compare the tag with the version": [],
    "release/build/check": ["make release-check"],
    "release/build/build": ["build/release/bin/python tests/release/distributions.py dist"],
    "release/build/list what the program is made of": [
        "build/release/bin/cyclonedx-py requirements requirements.txt --output-file mcpcfg.cdx.json"
    ],
    "release/build/take the notes from the changelog": ["build/release/bin/python tests/release/notes.py"],
    "release/image/name the image": [],
    "release/image/sign the image": ["cosign sign --yes ghcr.io/some-one/mcpcfg@sha256:1"],
    "release/announce/make the release": [
        (
            f"gh release create v{VERSION} --verify-tag --title v{VERSION} --notes-file notes.md "
            "mcpcfg.cdx.json ./a.whl ./a.tar.gz"
        )
    ],
}
"""The programs that each step calls, by workflow, job and name of the step."""
GIVEN = {
    "TAG": f"v{VERSION}",
    "REPOSITORY": "Some-One/mcpcfg",
    "OUTCOME": "failure",
    "RELEASE": "0.70.0",
    "DATE": "2026-12-01",
    "IMAGE": "ghcr.io/some-one/mcpcfg@sha256:1",
}


def archive(mtime: int, user: str, *names: str) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as target:
        for name in names:
            member = tarfile.TarInfo(name)
            member.mtime, member.uname, member.size = mtime, user, len(name)
            target.addfile(member, io.BytesIO(name.encode()))
    return packed.getvalue()


def test_the_same_files_give_the_same_source_distribution() -> None:
    first = normalize(archive(1_700_000_000, "a", "m-1/a", "m-1/b"), 5)
    assert first == normalize(archive(1_800_000_000, "b", "m-1/b", "m-1/a"), 5)
    assert first != normalize(archive(1_700_000_000, "a", "m-1/a", "m-1/c"), 5)
    with tarfile.open(fileobj=io.BytesIO(first)) as source:
        assert [(member.name, member.mtime, member.uname) for member in source] == [("m-1/a", 5, ""), ("m-1/b", 5, "")]
        content = source.extractfile("m-1/b")
        assert content is not None
        assert content.read() == b"m-1/b"


def test_notes_are_the_section_of_the_version() -> None:
    changelog = "# Changelog\n\n## Unreleased\n\n- new\n\n## 0.2.0 - 2027-01-01\n\n- a\n- b\n\n## 0.1.0\n\n- old\n"
    assert notes(changelog, "0.2.0") == "- a\n- b\n"
    assert notes(changelog, "0.1.0") == "- old\n"
    with pytest.raises(SystemExit, match=r"says nothing about 0\.3\.0"):
        notes(changelog, "0.3.0")


def steps() -> dict[str, dict[str, str]]:
    """Return the steps of all workflows that run a shell, by workflow, job and name."""
    return {
        f"{file.stem}/{job}/{step['name']}": step
        for file in sorted(WORKFLOWS.glob("*.yml"))
        for job, data in yaml.safe_load(file.read_text(encoding="utf-8"))["jobs"].items()
        for step in data["steps"]
        if "run" in step
    }


def test_each_step_that_runs_a_shell_is_tried() -> None:
    assert set(steps()) == set(CALLS)


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize("name", CALLS)
def test_a_step_calls_its_programs(name: str, tmp_path: Path) -> None:
    calls, output = tmp_path / "calls", tmp_path / "output"
    calls.touch()
    for program in PROGRAMS:
        path = tmp_path / (program if "/" in program else f"stubs/{program}")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'#!/bin/sh\necho "{program} $*" >> "{calls}"\n')
        path.chmod(0o755)
    for file in ("a.whl", "a.tar.gz"):
        (tmp_path / file).touch()
    (tmp_path / "build").mkdir(exist_ok=True)
    (tmp_path / "compiler" / "diagnostics").mkdir(parents=True)
    (tmp_path / "compiler" / "toolhive").mkdir(parents=True)
    shutil.copy(ROOT / "compiler" / "toolhive" / "release.py", tmp_path / "compiler" / "toolhive")
    (tmp_path / "compiler" / "diagnostics" / "version.py").write_text(f'VERSION = "{VERSION}"\n')
    step = steps()[name]
    assert "${{" not in step["run"], "an expression in a script is shell text that others write"
    search_path = f"{tmp_path}/stubs{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, **GIVEN, "GITHUB_OUTPUT": str(output), "PATH": search_path}
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert calls.read_text().splitlines() == CALLS[name]
    if name.endswith("name the image"):
        assert output.read_text() == f"image=ghcr.io/some-one/mcpcfg\nversion={VERSION}\n"


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize(
    ("published", "branches", "release"),
    [
        ([NEWEST_KNOWN, "0.51.4"], [], ""),
        (["0.100.0", "0.99.1", "0.99.0", NEWEST_KNOWN], [], "0.99.0"),
        (["0.100.0", "0.99.1", "0.99.0", NEWEST_KNOWN], ["0.99.0"], "0.99.1"),
        (["0.99.0-rc.1", "0.99.0;reboot", "0.20.0"], [], ""),
    ],
)
def test_the_oldest_release_that_is_not_known_is_taken_in(
    published: list[str], branches: list[str], release: str, tmp_path: Path
) -> None:
    names = "\n".join(f"v{name} 2026-12-01T10:00:00Z" for name in published)
    found = "|".join(f"*/release-{name}" for name in branches) or "none"
    stub = f"#!/bin/sh\ncase $1 in release) echo '{names}';; api) case $2 in {found}) ;; *) exit 1;; esac;; esac\n"
    (tmp_path / "gh").write_text(stub)
    (tmp_path / "gh").chmod(0o755)
    (tmp_path / "compiler" / "toolhive").mkdir(parents=True)
    shutil.copy(ROOT / "compiler" / "toolhive" / "release.py", tmp_path / "compiler" / "toolhive")
    output = tmp_path / "output"
    output.touch()
    environment = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "GITHUB_OUTPUT": str(output)}
    script = steps()["releases/take-in/look for a release that is not known"]["run"]
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    done = subprocess.run(
        command, cwd=tmp_path, env={**environment, "REPOSITORY": "a/b"}, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
    assert output.read_text() == (f"release={release}\ndate=2026-12-01\n" if release else "")


def test_workflows_ask_for_few_permissions_and_pin_actions() -> None:
    for file in WORKFLOWS.glob("*.yml"):
        text = file.read_text(encoding="utf-8")
        data = yaml.safe_load(text)
        assert data["permissions"] == {}, file
        assert all("permissions" in job and "timeout-minutes" in job for job in data["jobs"].values()), file
        used = [line.split("uses: ")[1].strip() for line in text.splitlines() if "uses: " in line]
        assert [action for action in used if not action.startswith("./ ") and not PINNED.fullmatch(action)] == [], file
