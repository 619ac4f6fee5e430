"""What is offered to do about findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sample import resource

from mcpcfg.compiler.check import full
from mcpcfg.compiler.disk.files import FoundFile
from mcpcfg.compiler.editor.action import CodeAction, actions, fix_all, silencing_edit
from mcpcfg.compiler.editor.line_map import LineMap
from mcpcfg.compiler.fix.edit import apply_edits
from mcpcfg.compiler.fix.fix import fix_file, kinds_of
from mcpcfg.compiler.project.discovery import Project
from mcpcfg.compiler.project.settings import ProjectSettings

if TYPE_CHECKING:
    from mcpcfg.compiler.check.full import Report

FILE = "a.yaml"
SERVER = resource("MCPServer", "one", "imag: ghcr.io/acme/one:1.0", "transport: stdio")
PROJECT = Project((FoundFile(FILE, is_named=True),), None, complete=True, settings=ProjectSettings(), root=".")


def checked(text: str, file: str = FILE) -> Report:
    project = PROJECT._replace(files=(FoundFile(file, is_named=True),))
    return full.check(project, full.Options(buffers={file: text.encode()}))


def offered(text: str, file: str = FILE) -> list[CodeAction]:
    report = checked(text, file)
    kind = kinds_of(report.loaded.records).get(file)
    return actions(LineMap(text), report.findings, PROJECT, file, kind)


def applied(text: str, action: CodeAction) -> str:
    return apply_edits(text, action.edits)


@pytest.mark.parametrize("text", [SERVER, SERVER.replace("\n", "\r\n"), "\ufeff" + SERVER, "# 😀\n---\n" + SERVER])
def test_a_fix_is_offered_before_a_suppression(text: str) -> None:
    fix, ignore = offered(text)
    assert (fix.sort, fix.is_safe, ignore.sort) == ("fix", True, "ignore")
    assert applied(text, fix) == text.replace("imag:", "image:")


def test_the_name_that_a_reference_probably_means_is_offered() -> None:
    text = SERVER.replace("imag:", "image:") + "  groupRef: {name: toolz}  # ours\n---\n"
    text += resource("MCPGroup", "tools")
    fix, _ = offered(text)
    assert (fix.title, fix.is_safe) == ("Write tools for spec.groupRef.name", False)
    assert applied(text, fix) == text.replace("toolz", "tools")


def test_one_action_applies_all_safe_fixes() -> None:
    text = SERVER.replace("transport", "transprot") + "# the end"
    found = fix_all(text, PROJECT, FILE)
    assert found is not None
    assert applied(text, found).encode() == fix_file(text.encode(), FILE, PROJECT).text
    assert len(found.edits) == 2
    assert fix_all(applied(text, found), PROJECT, FILE) is None


def test_quotes_that_are_missing_are_offered_though_the_text_cannot_be_read() -> None:
    text = SERVER.replace("imag: ghcr.io/acme/one:1.0", "image: x") + "  args: ['a']\n  endpointPrefix: @x\n"
    [fix] = offered(text)
    assert applied(text, fix) == text.replace("@x", '"@x"')


def test_records_are_fixed_as_what_they_are() -> None:
    text = '{"schema_version": "v0.1.0", "name": "x", "image": "y", "transprot": "stdio"}'
    fixes = [one for one in offered(text, "run.json") if one.sort == "fix"]
    assert [applied(text, one) for one in fixes] == [text.replace("transprot", "transport")]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("imag: x", ["  imag: x  # mcpcfg: ignore[ADM001]"]),
        ("imag: x  ", ["  imag: x  # mcpcfg: ignore[ADM001]"]),
        ("imag: x # a remark", ["  # mcpcfg: ignore[ADM001]", "  imag: x # a remark"]),
        ("imag: x # mcpcfg: ignore[REF001]", ["  imag: x # mcpcfg: ignore[REF001, ADM001]"]),
        ("imag: 'a #b'", ["  # mcpcfg: ignore[ADM001]", "  imag: 'a #b'"]),
        ("imag: |\n    text", ["  imag: |  # mcpcfg: ignore[ADM001]", "    text"]),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_rule_is_silenced_at_its_line(line: str, expected: list[str], newline: str) -> None:
    text = SERVER.replace("imag: ghcr.io/acme/one:1.0", line).replace("\n", newline)
    found = [one for one in checked(text).findings if one.rule == "ADM001"]
    edit = silencing_edit(LineMap(text), found[0])
    assert edit is not None
    after = apply_edits(text, [edit])
    before = f"  {line}".replace("\n", newline)
    assert after == text.replace(before + newline, newline.join((*expected, "")))
    assert not [one for one in checked(after).findings if one.rule in {"ADM001", "CFG001"} and "ADM001" in one.message]


def test_a_byte_order_mark_does_not_move_the_comment() -> None:
    text = "\ufeffapiVersion: toolhive.stacklok.com/v1alpha1\nkind: MCPGroup\nmetadata: {name: x}\n"
    [finding] = checked(text).findings
    edit = silencing_edit(LineMap(text), finding)
    assert edit is not None
    assert apply_edits(text, [edit]) == text.replace("v1alpha1", f"v1alpha1  # mcpcfg: ignore[{finding.rule}]")


def test_other_documents_of_the_file_do_not_matter() -> None:
    text = f"kind: [\n---\n{SERVER}---\nkind: [\n"
    [finding] = [one for one in checked(text).findings if one.rule == "ADM001"]
    edit = silencing_edit(LineMap(text), finding)
    assert edit is not None
    assert apply_edits(text, [edit]) == text.replace("one:1.0", "one:1.0  # mcpcfg: ignore[ADM001]")


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (
            '{"apiVersion": "toolhive.stacklok.dev/v1beta1", "kind": "MCPGroup", "metadata": {"name": "x"}, "x": 1}',
            "ADM001",
        ),
        ("apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPGroup\nmetadata: [\n", "SYN004"),
    ],
)
def test_no_comment_is_offered_if_it_has_no_effect(text: str, rule: str) -> None:
    [finding] = [one for one in checked(text).findings if one.rule == rule]
    assert silencing_edit(LineMap(text), finding) is None


def test_a_text_that_is_too_long_has_no_actions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcpcfg.compiler.editor.action.MOST_CHARACTERS", 10)
    assert offered(SERVER) == []
    assert fix_all(SERVER, PROJECT, FILE) is None
