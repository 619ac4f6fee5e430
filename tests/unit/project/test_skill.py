"""Skills of other programs are left alone; those that are asked for are checked."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from calling import call

if TYPE_CHECKING:
    from pathlib import Path

SKILL = "skills/pdf/SKILL.md"
CATALOG = {"namespace": "io.acme", "name": "csv", "description": "Reads tables.", "version": "1.0.0"}
INSTALLED = {
    "metadata": {"name": "pdf", "version": "1", "description": "", "author": ""},
    "scope": "project",
    "status": "installed",
    "installed_at": "2026-01-01T00:00:00Z",
}


@pytest.fixture(autouse=True)
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two skills that have no front matter, and one at its root."""
    for path in (SKILL, "other/agent/SKILL.md", "SKILL.md"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("# How to read\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def checked(*paths: str) -> set[str]:
    """Return the skills that have findings."""
    found = json.loads(call("check", "--no-cache", "--format", "json", *paths).out)["findings"]
    return {one["file"] for one in found if one["rule"].startswith("SKL")}


@pytest.mark.parametrize("paths", [(), (".",), ("skills", "other")])
def test_skills_in_a_checked_folder_are_not_checked(paths: tuple[str, ...]) -> None:
    outcome = call("check", *paths)

    assert checked(*paths) == set()
    assert (
        "checked 0 files, 0 documents; judged by operator release 0.51.4 (default)\nmcpcfg: nothing to check"
        in outcome.err
    )
    assert outcome.status == 0


@pytest.mark.parametrize("path", ["skills/pdf", "skills/pdf/", SKILL, f"./{SKILL}"])
def test_a_skill_that_is_named_is_checked(path: str) -> None:
    assert checked(path) == {SKILL}
    assert checked("other", path) == {SKILL}
    assert "checked 1 file, 1 document; judged by operator release 0.51.4 (default)" in call("check", "other", path).err


@pytest.mark.parametrize(
    ("pattern", "listed"),
    [
        ("skills", {SKILL}),
        ("/skills/*", {SKILL}),
        ("skills/pdf/SKILL.md", {SKILL}),
        ("pdf", {SKILL}),
        ("pd", set()),
        ("*", {SKILL, "other/agent/SKILL.md", "SKILL.md"}),
        ("agent/", {"other/agent/SKILL.md"}),
    ],
)
def test_a_skill_that_the_configuration_lists_is_checked(tree: Path, pattern: str, listed: set[str]) -> None:
    (tree / "mcpcfg.yaml").write_text(f"skills: ['{pattern}']\n")

    assert checked() == listed
    assert checked("skills") == listed & {SKILL}


@pytest.mark.parametrize(
    ("record", "named"),
    [
        (CATALOG, set()),
        ({**CATALOG, "name": "pdf"}, {SKILL}),
        ({**CATALOG, "packages": [{"registryType": "git", "subfolder": "./skills/pdf"}]}, {SKILL}),
        ({**CATALOG, "packages": [{"registryType": "git", "subfolder": "kills/pdf"}]}, set()),
        ({"skills": [CATALOG, {**CATALOG, "name": "agent"}]}, {"other/agent/SKILL.md"}),
        (INSTALLED, {SKILL}),
        ({"skills": [INSTALLED]}, {SKILL}),
        ({"metadata": {"name": "pdf"}, "kind": "Skill"}, set()),
    ],
)
def test_a_skill_that_a_record_names_is_checked(tree: Path, record: object, named: set[str]) -> None:
    (tree / "record.json").write_text(json.dumps(record))

    assert checked() == named


@pytest.mark.parametrize("record", [{"skills": [5, {"metadata": 5}]}, {"namespace": 5, "name": [], "description": 0}])
def test_records_of_other_formats_name_no_skills(tree: Path, record: dict[str, object]) -> None:
    (tree / "record.json").write_text(json.dumps({"apiVersion": "x", **CATALOG, **record}))

    assert checked() == set()
