"""Whatever stands in files and in their names: nothing of it acts on a terminal, a CI log, a page or a comment."""

from __future__ import annotations

import json
import os
import re
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING, NamedTuple
from unittest import mock

import every_string
import pytest
from calling import call
from known_key import unknown_keys_dropped

from mcpcfg.compiler.check import full
from mcpcfg.compiler.cli.call import rendered
from mcpcfg.compiler.cli.option import ReportCall
from mcpcfg.compiler.diff import report
from mcpcfg.compiler.graph import page as graph_page
from mcpcfg.compiler.graph import text as graph_text
from mcpcfg.compiler.graph.graph import graph
from mcpcfg.compiler.project.discovery import Project, discover
from mcpcfg.compiler.project.suppression import merge_by_change
from mcpcfg.compiler.report.format import FORMATS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from mcpcfg.compiler.diff.difference import ObjectChange
    from mcpcfg.compiler.report.format import Format

HOSTILE = (
    "\x1b[31m\r\n::error::x%0A::error::y\x07\x7f\x9b2J\u202e\u2028##[error]z"
    "|`[x](javascript:alert(1))<script>alert(1)</script>]]>@user"
)
NAME = "\x1b[31m\n::error::x%0A\x9b\u202e##[error]|`[x](javascript:1)<script>@user"
ALL = ReportCall("text", "error", "info", color=None, outputs=())


class Checked(NamedTuple):
    """A project of hostile files, and what a check reports of it."""

    folder: Path
    project: Project
    outcome: full.Report


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checked]:
    folder = tmp_path_factory.mktemp("hostile")
    every_string.write(folder, HOSTILE, NAME)
    here = os.getcwd()
    os.chdir(folder)
    try:
        project = discover(("after",))
        with unknown_keys_dropped():
            yield Checked(folder, project, full.check(project, full.Options()))
    finally:
        os.chdir(here)


def assert_harmless(text: str) -> None:
    """Nothing in ``text`` acts on a terminal, and no line is a command of a CI system."""
    raw = sorted({char for char in text if not char.isprintable() and char != "\n"})
    assert not raw
    commands = [line for line in text.split("\n") if line.lstrip().startswith("::") or "##[" in line]
    assert not commands


@pytest.mark.parametrize("form", FORMATS)
def test_no_format_shows_what_acts_on_a_terminal_or_a_log(checked: Checked, form: Format) -> None:
    text = rendered(checked.outcome, ALL, form)

    assert len(checked.outcome.findings) > 1_000
    if form == "github":
        own = re.compile("::(?:error|warning|notice) file=after/d[^:,]*,line=")
        *lines, notice = text.splitlines()
        assert [bool(own.match(line)) for line in lines] == [True] * len(merge_by_change(checked.outcome.findings))
        assert "judged by operator release" in notice
        text = own.sub("", text)
    if form == "text":
        assert_harmless(rendered(checked.outcome, ALL._replace(width=30), form))
    assert_harmless(text)


def test_messages_for_people_hold_no_control_characters_when_json_is_decoded(checked: Checked) -> None:
    forms: tuple[Format, ...] = ("json", "sarif", "gitlab")
    shaped = {form: json.loads(rendered(checked.outcome, ALL, form)) for form in forms}
    reported = [one[key] for one in shaped["json"]["findings"] for key in ("message", "hint") if key in one]
    reported += [note["message"] for one in shaped["json"]["findings"] for note in one.get("notes", ())]
    reported += [one["description"] for one in shaped["gitlab"]]
    results = shaped["sarif"]["runs"][0]["results"]
    in_sarif = [one["message"]["text"] for one in results]

    assert all(text.isprintable() for text in (*reported, *in_sarif))
    assert any("javascript" in text for text in in_sarif)
    assert not [text for text in in_sarif if re.search(r"(?<!\\)\]\(", text)]
    assert any("\x1b" in one["file"] for one in shaped["json"]["findings"])


def test_junit_is_xml(checked: Checked) -> None:
    suites = ET.fromstring(rendered(checked.outcome, ALL, "junit"))

    assert len(suites) == len(checked.outcome.loaded.texts)


def test_markdown_stays_a_table_without_links_markup_and_mentions(
    checked: Checked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mcpcfg.compiler.report.markdown.MOST_ROWS", 100_000)
    text = rendered(checked.outcome, ALL, "markdown")
    rows = [line for line in text.splitlines() if line.startswith("| ") and not line.startswith("| |")]

    assert len(rows) == len(merge_by_change(checked.outcome.findings)) + 1
    assert all(len(re.findall(r"(?<!\\)\|", row)) == 5 for row in rows)
    assert_no_markup(text)


def assert_no_markup(text: str) -> None:
    """Beside code there is no link, no element of HTML but ours, and no user is mentioned."""
    plain = re.sub("`[^`]*`", "", re.sub(r"\\`", "", text))
    assert "javascript" in plain
    assert not re.search(r"(?<!\\)\]\(", plain)
    plain = re.sub(r'<a (?:href="#|id=")changes-[0-9]+">|</a>', "", plain)
    assert not re.search(r"<(?!br>|!-- -->|/?(details|summary|code|b)\b)", plain)
    assert not re.search(r"@\w", plain)


@pytest.mark.parametrize("form", ["mermaid", "dot", "html"])
def test_no_picture_shows_what_acts_on_a_terminal_or_a_page(checked: Checked, form: str) -> None:
    drawn = graph(checked.outcome.workspace, checked.outcome.findings, all_kinds=True)
    if form == "html":
        text = graph_page.render(drawn, NAME)
        assert "<script>alert" not in text
        assert len(re.findall("<script", text)) == 2
    else:
        text = graph_text.mermaid(drawn) if form == "mermaid" else graph_text.dot(drawn)
    assert "alert" in text
    assert_harmless(text)


def test_an_upgrade_reports_nothing_that_acts(checked: Checked) -> None:
    del checked
    outcome = call("upgrade", "after", "--release", "0.42.0", "--to", "0.42.1", "--diff")

    assert "ADM004" in outcome.err
    assert_harmless(outcome.err)


@pytest.fixture(scope="module")
def changes(checked: Checked) -> Sequence[ObjectChange]:
    """What the texts change in what is compiled."""
    del checked
    found: list[Sequence[ObjectChange]] = []

    def keep(changes: Sequence[ObjectChange]) -> str:
        found.append(changes)
        return ""

    with mock.patch.dict(report.FORMATS, {"text": keep}):
        outcome = call("diff", "before", "after")
    assert_harmless(outcome.err)
    assert outcome.status == 0
    return found[0]


@pytest.mark.parametrize("form", ["text", "json", "markdown"])
def test_the_compiled_diff_shows_nothing_that_acts(changes: Sequence[ObjectChange], form: str) -> None:
    text = report.FORMATS[form](changes)

    assert "alert" in text
    assert_harmless(text)
    if form == "json":
        json.loads(text)
    if form == "markdown":
        assert_no_markup(text)


REGISTRY = {
    "version": HOSTILE,
    "last_updated": HOSTILE,
    "servers": {HOSTILE: {"description": HOSTILE, "image": HOSTILE, "transport": HOSTILE, "tools": [HOSTILE]}},
    "remote_servers": {"x": {"description": HOSTILE, "url": HOSTILE, "tags": [HOSTILE], "metadata": {"a": HOSTILE}}},
}
RUN = {"schema_version": "v0.1.0", "name": HOSTILE, "image": HOSTILE, "transport": "stdio", "env_vars": {"A": HOSTILE}}
TOOL = {
    "name": HOSTILE,
    "steps": [{"id": "a", "type": "tool", "tool": HOSTILE, "arguments": {"x": HOSTILE}, "condition": "{{eq 1 2}}"}],
}
VMCP = {
    "name": HOSTILE,
    "incomingAuth": {"type": "anonymous"},
    "aggregation": {"conflictResolution": "prefix"},
    "backends": [{"name": HOSTILE}],
}
SKILL = f"---\nname: {json.dumps(HOSTILE)}\ndescription: {json.dumps(HOSTILE)}\n---\n\nBody\x1b[31m\n::error::x\n"
SERVER = {
    "apiVersion": "toolhive.stacklok.dev/v1beta1",
    "kind": "MCPServer",
    "metadata": {"name": "a"},
    "spec": {"image": HOSTILE, "transport": "stdio", "env": [{"name": "A", "value": HOSTILE}]},
}
COMMANDS = [
    ["check", "."],
    ["check", f"missing{NAME}"],
    ["check", "--config", f"bad{NAME}.yaml", "."],
    ["check", "--as", HOSTILE, "."],
    [HOSTILE],
    ["explain", HOSTILE],
    ["explain", f"MCPServer.spec.{HOSTILE}"],
    ["build", ".", "--target", "kubernetes", "--output-dir", f"out{NAME}"],
    ["build", "registry.json", "--target", "runconfig", "--output-dir", f"out{NAME}"],
    ["graph", "."],
    ["graph", f"missing{NAME}"],
    ["diff", f"missing{NAME}", "."],
    ["diff", "--against", HOSTILE, "."],
    ["upgrade", "--to", HOSTILE, "."],
    ["upgrade", "--to", "0.44.0", "."],
    ["upgrade", "--to", "0.44.0", ".", "--diff", "--format", "json"],
    ["check", "--changed-since", HOSTILE, "."],
    ["schema", HOSTILE],
    *(
        [*words, "--format", form]
        for form in ("text", "json")
        for words in (
            ["registry", "list", "registry.json"],
            ["registry", "list", "registry.json", "--servers"],
            ["registry", "show", "registry.json"],
            ["registry", "show", "registry.json", HOSTILE],
            ["registry", "show", "registry.json", "x"],
            ["registry", "show", "registry.json", f"x{NAME}"],
            ["registry", "search", "registry.json"],
            ["registry", "skills", "registry.json", HOSTILE],
            ["workload", "show", "run.json"],
            ["workload", "list", "runs"],
            ["skill", "validate", "skill"],
            ["skill", "show", "skill"],
            ["simulate", "workflow", "tool.json"],
            ["simulate", "workflow", HOSTILE, "."],
            ["simulate", "tools", "vmcp.json"],
            ["simulate", "tools", HOSTILE, "."],
            ["simulate", "rate-limit", "a", "."],
            ["simulate", "role", HOSTILE, "."],
        )
    ),
    ["client", "config", HOSTILE],
    ["client", "config", "cursor", ".", "--server", f"x{HOSTILE}"],
    ["convert", HOSTILE],
    ["merge", f"missing{NAME}"],
    ["init", "new", "--kind", "server", "--name", HOSTILE],
]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words[:3]).encode("unicode_escape").decode())
def test_no_command_shows_what_acts(tmp_path: Path, words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    texts = {"registry": REGISTRY, "run": RUN, "runs/x": RUN, "tool": TOOL, "vmcp": VMCP, f"server{NAME}": SERVER}
    for name, data in texts.items():
        (tmp_path / f"{name}.json").parent.mkdir(exist_ok=True)
        (tmp_path / f"{name}.json").write_text(json.dumps(data))
    (tmp_path / "skill").mkdir()
    (tmp_path / "skill" / "SKILL.md").write_text(SKILL)
    (tmp_path / f"bad{NAME}.yaml").write_text(f"{json.dumps(HOSTILE)}: 1\nexclude: {json.dumps(HOSTILE)}\n")

    outcome = call(*words)

    assert outcome.status in (0, 1, 2)
    assert outcome.out or outcome.err
    assert_harmless(outcome.out)
    assert_harmless(outcome.err)
