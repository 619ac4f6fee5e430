from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpcfg.compiler.check import full
from mcpcfg.compiler.project.discovery import discover
from mcpcfg.compiler.reading.fault import ReadError
from mcpcfg.compiler.records.skill import front_matter
from mcpcfg.compiler.records.skill.check import CheckedSkill, check_skill, name_fault
from mcpcfg.compiler.records.skill.folder import read_skill_folder
from mcpcfg.compiler.records.skill.front_matter import FrontMatter, UnfitError
from mcpcfg.compiler.records.skill.list import (
    SkillRoots,
    installed_skills,
    skill_content,
    skill_details,
    skill_validation,
)

from .conftest import CONFORMANCE, fixture_rows

if TYPE_CHECKING:
    from pathlib import Path

GOOD = "---\nname: pdf\ndescription: Reads PDF files\n---\n# How\n"


def write(folder: Path, text: str = GOOD, name: str = "pdf") -> Path:
    skill = folder / name
    skill.mkdir(parents=True, exist_ok=True)
    (skill / "SKILL.md").write_bytes(text.encode())
    return skill


def check(folder: Path, text: str = GOOD, name: str = "pdf") -> CheckedSkill:
    return check_skill(read_skill_folder(str(write(folder, text, name))))


def rules(checked: CheckedSkill) -> list[str]:
    return [finding.rule for finding in checked.findings]


def front(text: str) -> FrontMatter:
    parts = front_matter.split(text.encode())
    assert parts.fault is None
    return front_matter.read(text.encode()[parts.start : parts.end].decode())


def _folder_of(row: dict[str, Any], tmp_path: Path) -> Path:
    folder = tmp_path / str(row["folder"])
    folder.mkdir()
    for name, text in row["files"].items():
        (folder / name).write_text(text)
    return folder


@pytest.mark.parametrize("row", fixture_rows("skill"), ids=lambda row: row["name"])
def test_a_skill_is_valid_or_not_as_recorded(row: dict[str, Any], tmp_path: Path) -> None:
    folder = _folder_of(row, tmp_path)
    checked = check_skill(read_skill_folder(str(folder)))
    result = skill_validation(checked)
    assert result["valid"] == row["valid"]
    assert len(result.get("errors", ())) == row["errors"]
    assert len(result.get("warnings", ())) == row["warnings"]
    assert rules(checked) == row["rules"]


def test_every_recorded_skill_folder_is_judged_as_recorded() -> None:
    recorded = CONFORMANCE / "files" / "skill.jsonl"
    if not recorded.is_file():
        pytest.skip("the recorded cases are not here; set MCPCFG_CONFORMANCE")
    for line in recorded.read_text().splitlines():
        row = json.loads(line)
        result = skill_validation(check_skill(read_skill_folder(str(recorded.parent / row["dir"]))))
        counted = {key: len(value) if isinstance(value, list) else value for key, value in result.items()}
        expected = {key: len(value) if isinstance(value, list) else value for key, value in row["result"].items()}
        assert counted == expected, row["dir"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\r\n---\r\nname: pdf\r\ndescription: d\r\n---\r\n", []),
        ("\n\n  ---\nname: pdf\ndescription: d\nextra: [1]\n---", ["SKL023"]),
        ("---\n---", ["SKL007", "SKL010"]),
        ("", ["SKL004"]),
        ("\ufeff---\nname: pdf\n---", ["SKL004"]),
        ("---\nname: pdf\n", ["SKL004"]),
        ("---\nname: pdf\ndescription: a --- b\n---\n", ["SKL022"]),
        ("---\nname: pdf\ndescription: [a]\n---\n", ["SKL005"]),
        ("---\nname: pdf\nname: pdf\n---\n", ["SYN010"]),
        ("---\nname: pdf\ndescription: d\nallowed-tools: {a: b}\n---\n", ["SKL005"]),
        ("---\nname: pdf\ndescription: d\nmetadata: {a: {b: c}}\n---\n", ["SKL005"]),
        ("---\nname: pdf\ndescription: d\nallowed_tools: Read\n---\n", ["SKL023"]),
        ("---\nname: pdf\ndescripton: d\n---\n", ["SKL010"]),
        ("---\nnmae: pdf\nDescription: d\n---\n", ["SKL007", "SKL010"]),
        ("---\nname: pdf\ndescription: ''\ndescripton: d\n---\n", ["SKL010", "SKL023"]),
        ("---\nname: pdf\ndescription: d\nallowed-tools: Read, Glob Grep\n---\n", ["SKL020", "SKL026"]),
        ("---\nname: pdf\ndescription: d, e\nallowed-tools: Read Grep\n---\n", ["SKL020"]),
        ("---\nname: pdf\ndescription: d\ntoolhive.requires: ['PDF Tools']\n---\n", ["SKL024"]),
        (f"---\nname: pdf\ndescription: {'é' * 600}\n---\n", ["SKL011"]),
        (f"---\nname: pdf\ndescription: d\ncompatibility: {'x' * 501}\n---\n", ["SKL012"]),
        (f"---\nname: pdf\ndescription: d\nx: {'x' * 70000}\n---\n", ["SKL004"]),
        (f"---\nname: pdf\ndescription: d\ntoolhive.requires: [{'a.io/b/c, ' * 101}]\n---\n", ["SKL006"]),
    ],
)
def test_front_matter_is_read_as_the_service_reads_it(text: str, expected: list[str], tmp_path: Path) -> None:
    assert rules(check(tmp_path, text)) == expected


def test_a_misspelt_required_key_is_reported_once_at_its_position(tmp_path: Path) -> None:
    (found,) = check(tmp_path, "---\nname: pdf\ndescripton: d\n---\n").findings

    assert (found.span.line, found.span.column, found.span.end_column) == (3, 1, 11)
    assert found.message == 'the skill has no description: the key "descripton" is not known'
    assert found.hint == 'did you mean "description"?'


def test_a_folder_with_the_name_of_the_file_gets_no_hint_about_spelling(tmp_path: Path) -> None:
    (tmp_path / "pdf" / "SKILL.md").mkdir(parents=True)

    (found,) = check_skill(read_skill_folder(str(tmp_path / "pdf"))).findings

    assert (found.rule, found.hint) == ("SKL002", None)


def test_a_comma_outside_allowed_tools_is_no_warning(tmp_path: Path) -> None:
    checked = check(tmp_path, "---\nname: pdf\ndescription: d, e\nallowed-tools: Read\n---\n")
    assert [finding.severity for finding in checked.findings] == ["info"]
    assert len(checked.warnings) == 1


def test_a_text_field_accepts_any_scalar_as_written() -> None:
    read = front("---\nname: 0x1F\nversion: 1.10\nlicense: ~\ndescription: !!binary aGk=\nmetadata: {a: yes, b: }\n---")
    assert read.texts["name"] == "0x1F"
    assert read.texts["version"] == "1.10"
    assert read.texts["license"] == ""
    assert read.texts["description"] == "hi"
    assert read.metadata == {"a": "yes", "b": ""}


@pytest.mark.parametrize(
    ("written", "items"),
    [
        ("Read Write", ["Read", "Write"]),
        ("Read,  Glob Grep,", ["Read", "Glob Grep"]),
        ("[a, ~, 3]", ["a", "3"]),
        ("~", []),
        ("''", []),
        ("|\n  a\n  b", ["a", "b"]),
    ],
)
def test_tools_are_one_text_or_a_list(written: str, items: list[str]) -> None:
    assert front(f"---\nallowed-tools: {written}\n---").lists["allowed-tools"] == items


def test_merged_keys_count_after_written_ones() -> None:
    read = front("---\nother: &o {name: a, version: 1}\n<<: *o\nname: b\n---")
    assert (read.texts["name"], read.texts["version"]) == ("b", "1")


def test_a_front_matter_of_repetition_is_refused_in_time() -> None:
    lines = ["a0: &a0 {x: y}"]
    lines += [f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}]}}" for n in range(1, 9)]
    with pytest.raises((ReadError, UnfitError)):
        front("---\n" + "\n".join(lines) + "\n<<: *a8\n---")
    deep = [f"a{n}: &a{n} {{<<: *a{n - 1}}}" for n in range(1, 2000)]
    with pytest.raises((ReadError, UnfitError)):
        front("---\na0: &a0 {x: y}\n" + "\n".join(deep) + "\n<<: *a1999\n---")


@settings(max_examples=200)
@given(
    st.binary(max_size=200) | st.text(max_size=100).map(lambda text: f"---\n{text}\n---\n".encode("utf-8", "replace"))
)
def test_any_bytes_are_judged(content: bytes) -> None:
    folder = read_skill_folder("no-such-folder")._replace(content=content)
    checked = check_skill(folder)

    assert checked.front is not None or checked.errors


def test_only_the_missing_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "pdf").mkdir()
    (tmp_path / "pdf" / "skill.md").write_text(GOOD)
    checked = check_skill(read_skill_folder(str(tmp_path / "pdf")))
    assert rules(checked) == ["SKL001"]
    assert "skill.md" in str(checked.findings[0].hint)


def test_a_link_is_refused_wherever_it_is(tmp_path: Path) -> None:
    skill = write(tmp_path)
    (skill / "a").mkdir()
    (skill / "a" / "link").symlink_to(tmp_path)
    checked = check_skill(read_skill_folder(str(skill)))
    assert rules(checked) == ["SKL003"]
    assert "a/link" in checked.findings[0].message
    (tmp_path / "link").symlink_to(skill)
    assert rules(check_skill(read_skill_folder(str(tmp_path / "link")))) == ["SKL003", "SKL009"]


def test_content_that_a_package_cannot_contain_is_reported(tmp_path: Path) -> None:
    skill = write(tmp_path)
    for number in range(1001):
        (skill / f"{number}.txt").touch()
    assert rules(check_skill(read_skill_folder(str(skill)))) == ["SKL025"]


@pytest.mark.parametrize(("name", "good"), [("ab", True), ("a", False), ("a" * 64, True), ("a" * 65, False)])
def test_names_have_2_to_64_letters(name: str, good: bool) -> None:
    assert (name_fault(name) is None) == good


def test_the_content_of_a_skill_lists_what_a_package_holds(tmp_path: Path) -> None:
    skill = write(tmp_path, GOOD.replace("---\n#", "license: MIT\n---\n\n#"))
    (skill / ".hidden").write_text("x")
    (skill / "b.txt").write_text("bb")
    (skill / "a").mkdir()
    (skill / "a" / "c.txt").write_text("")
    folder = read_skill_folder(str(skill))
    assert skill_content(folder, check_skill(folder)) == {
        "name": "pdf",
        "description": "Reads PDF files",
        "license": "MIT",
        "body": "\n# How",
        "files": [
            {"path": "SKILL.md", "size": (skill / "SKILL.md").stat().st_size},
            {"path": "a/c.txt", "size": 0},
            {"path": "b.txt", "size": 2},
        ],
    }


def test_installed_skills_are_listed_by_scope_client_and_group(tmp_path: Path) -> None:
    home, root = tmp_path / "home", tmp_path / "root"
    write(home / ".claude/skills")
    write(home / ".agents/skills", GOOD.replace("pdf", "csv"), "csv")
    write(root / ".claude/skills", GOOD.replace("name: pdf", "name: pdf\nmetadata: {author: Ann}"))
    places = SkillRoots(str(home), str(root))
    listed = installed_skills(places)
    assert [(one["metadata"]["name"], one["scope"], one["status"]) for one in listed] == [
        ("csv", "user", "installed"),
        ("pdf", "user", "installed"),
        ("pdf", "project", "installed"),
    ]
    assert listed[2]["project_root"] == str(root)
    assert listed[2]["metadata"]["author"] == "Ann"
    assert [one["scope"] for one in installed_skills(places, client="claude-code")] == ["user", "project"]
    assert [one["metadata"]["name"] for one in installed_skills(places, scope="user", names=frozenset({"csv"}))] == [
        "csv"
    ]
    details = skill_details(places, "pdf", scope="project")
    assert details is not None
    assert details["installed_skill"]["clients"] == ["claude-code"]
    assert skill_details(places, "no-such-skill") is None


def test_listed_skills_are_found_in_a_folder_and_a_named_skill_is_read_alone(tmp_path: Path) -> None:
    skill = write(tmp_path, "---\nname: pdf\n---\n")
    (tmp_path / "mcpcfg.yaml").write_text("skills: ['*']\n")
    (skill / "example.yaml").write_text("apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPServer\n")
    found = full.check(discover((str(tmp_path),)), full.Options())
    assert "SKL010" in [one.rule for one in found.findings]
    assert len(found.findings) > 1
    alone = full.check(discover((str(skill),)), full.Options(read_as="skill", first=f"{skill}/"))
    assert [(one.rule, one.span.file) for one in alone.findings] == [("SKL010", str(skill / "SKILL.md"))]


@pytest.mark.parametrize("scope", ["user", "project"])
def test_only_a_skill_of_a_project_has_its_root(tmp_path: Path, scope: str) -> None:
    home, project = tmp_path / "home", tmp_path / "project"
    root = home if scope == "user" else project
    write(root / ".claude" / "skills")
    found = installed_skills(SkillRoots(str(home), str(project)))

    assert [(one["scope"], one.get("project_root", "")) for one in found] == [
        (scope, str(project) if scope == "project" else "")
    ]


@pytest.mark.parametrize(("needed", "expected"), [("", None), ("toolhive.requires: [a, b]\n", ["a", "b"])])
def test_the_dependencies_of_a_skill_are_listed(tmp_path: Path, needed: str, expected: list[str] | None) -> None:
    write(tmp_path / ".claude" / "skills", GOOD.replace("---\n#", f"{needed}---\n#"))
    (found,) = installed_skills(SkillRoots(str(tmp_path)))
    listed = found.get("dependencies")

    assert (listed and [one["reference"] for one in listed]) == expected


MESSAGE_SAYS_IT = {"SKL002", "SKL005", "SKL006", "SKL007", "SKL008", "SKL010", "SKL011", "SKL012", "SKL023"}
"""Rules whose findings say what is missing, what is allowed, or which key is skipped."""


@pytest.mark.parametrize("row", fixture_rows("skill"), ids=lambda row: row["name"])
def test_a_finding_says_what_to_do_or_its_message_does(row: dict[str, Any], tmp_path: Path) -> None:
    folder = _folder_of(row, tmp_path)

    found = check_skill(read_skill_folder(str(folder))).findings

    assert {one.rule for one in found if not one.hint} <= MESSAGE_SAYS_IT


def test_the_folder_of_a_checkout_may_have_any_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "SKILL.md").write_text("---\nname: report\ndescription: Writes a report\n---\nText.\n", "utf-8")
    assert rules(check_skill(read_skill_folder(str(tmp_path)))) == ["SKL009"]
    monkeypatch.chdir(tmp_path)
    assert rules(check_skill(read_skill_folder("."))) == []
    (tmp_path / ".git").mkdir()
    assert rules(check_skill(read_skill_folder(str(tmp_path)))) == []


def test_a_folder_of_a_repository_has_the_name_of_its_skill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "pdf").mkdir()
    (tmp_path / "pdf/SKILL.md").write_text("---\nname: report\ndescription: Writes a report\n---\nText.\n", "utf-8")
    monkeypatch.chdir(tmp_path / "pdf")
    assert rules(check_skill(read_skill_folder("."))) == ["SKL009"]


def test_a_value_of_the_wrong_type_hides_no_other_fault(tmp_path: Path) -> None:
    (tmp_path / "pdf").mkdir()
    (tmp_path / "pdf/SKILL.md").write_text("---\nname: Re_port\nmetadata: [a]\nlicense: {a: b}\n---\nText.\n", "utf-8")
    checked = check_skill(read_skill_folder(str(tmp_path / "pdf")))
    assert rules(checked) == ["SKL005", "SKL005", "SKL008", "SKL009", "SKL010"]
    assert len(checked.errors) == 1
