"""Every format reports the same findings, and none lets the input break out of it."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest

from mcpcfg.compiler.diagnostics.finding import Finding, Note, Subject
from mcpcfg.compiler.diagnostics.secret.text import Shown
from mcpcfg.compiler.diagnostics.span import Span
from mcpcfg.compiler.report import github, gitlab, junit, markdown, sarif, text
from mcpcfg.compiler.toolhive.profile import TOOLHIVE, ReleaseChoice, profile_of_release
from mcpcfg.compiler.toolhive.release import NEWEST_MODELLED

if TYPE_CHECKING:
    from mcpcfg.compiler.diagnostics.finding import Severity

PLAIN = Finding(
    rule="REF004",
    name="dangling-oidc-config",
    severity="error",
    stage="operator",
    span=Span("servers.yaml", 12, 11, 12, 22),
    message=Shown('MCPOIDCConfig "no-such-oidc" does not exist in namespace "default"'),
    document=0,
    subject=Subject("MCPServer", "default", "fetch"),
    path=("spec", "oidcConfigRef", "name"),
    hint=Shown('did you mean "shared-oidc"?'),
    notes=(Note("it is here", Span("shared.yaml", 3, 9, 3, 20)),),
)
HOSTILE = Finding(
    rule="ADM001",
    name="unknown-field",
    severity="warning",
    stage="admission",
    span=Span("a,b:c%.yaml", 1, 1, 2, 1),
    message=Shown('field "\x1b[2J<script>|]]>\r\n::error::x" is unknown'),
    document=0,
)
CHOICE = ReleaseChoice(profile_of_release(TOOLHIVE, "0.60.0"), "a,b.yaml:12", "pin", "")


def test_text_shows_the_source_line_with_carets_below_the_value() -> None:
    line = "    name: no-such-oidc"

    rendered = text.render([PLAIN], lambda file, number: line if (file, number) == ("servers.yaml", 12) else None)

    assert rendered == (
        'servers.yaml:12:11: error[REF004] (operator) MCPServer/fetch: MCPOIDCConfig "no-such-oidc" '
        'does not exist in namespace "default"\n'
        "   12 |     name: no-such-oidc\n"
        "      |           ^^^^^^^^^^^\n"
        '      = hint: did you mean "shared-oidc"?\n'
        "      = note: it is here (shared.yaml:3:9)\n"
        "\n"
    )


def test_text_lets_no_control_character_reach_the_terminal() -> None:
    rendered = text.render([HOSTILE], lambda _file, _number: "\x1b[2J: x\x07")

    assert "\x1b" not in rendered
    assert "\x07" not in rendered


def test_json_has_the_structure_of_the_contract() -> None:
    shaped = PLAIN.as_json()

    assert shaped == {
        "rule": "REF004",
        "name": "dangling-oidc-config",
        "severity": "error",
        "stage": "operator",
        "file": "servers.yaml",
        "document": 0,
        "line": 12,
        "column": 11,
        "end_line": 12,
        "end_column": 22,
        "kind": "MCPServer",
        "namespace": "default",
        "resource": "fetch",
        "path": "/spec/oidcConfigRef/name",
        "message": 'MCPOIDCConfig "no-such-oidc" does not exist in namespace "default"',
        "hint": 'did you mean "shared-oidc"?',
        "notes": [{"message": "it is here", "file": "shared.yaml", "line": 3, "column": 9}],
    }


def test_github_escapes_what_would_end_a_command() -> None:
    lines = github.render([HOSTILE], CHOICE).splitlines()

    assert len(lines) == 2
    assert lines[0].startswith("::warning file=a%2Cb%3Ac%25.yaml,line=1,endLine=2,title=")
    assert r"\r\n::error::x" in lines[0]


def test_sarif_counts_code_points_and_points_to_related_places() -> None:
    run = json.loads(sarif.render([PLAIN, HOSTILE], {}, "0.1.0"))["runs"][0]

    assert run["columnKind"] == "unicodeCodePoints"
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["ADM001", "REF004"]
    assert [result["ruleIndex"] for result in run["results"]] == [1, 0]
    assert run["results"][0]["relatedLocations"][0]["physicalLocation"]["region"]["startLine"] == 3
    assert run["results"][1]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a%2Cb%3Ac%25.yaml"


def test_fingerprint_stays_when_lines_move() -> None:
    moved = PLAIN._replace(span=Span("servers.yaml", 40, 1, 40, 9))

    assert sarif.fingerprint(moved) == sarif.fingerprint(PLAIN)


def test_junit_is_xml_whatever_the_input_holds() -> None:
    root = ET.fromstring(junit.render([PLAIN, HOSTILE], ["clean.yaml"], lambda f: f.severity == "error", CHOICE))

    suites = {suite.get("name"): suite.get("failures") for suite in root}
    assert suites == {"a,b:c%.yaml": "0", "clean.yaml": "0", "servers.yaml": "1"}


def test_gitlab_distinguishes_findings_that_are_alike() -> None:
    entries = json.loads(gitlab.render([PLAIN, PLAIN], CHOICE))

    assert len({entry["fingerprint"] for entry in entries}) == 3
    assert entries[0]["location"] == {"path": "servers.yaml", "lines": {"begin": 12, "end": 12}}


@pytest.mark.parametrize("failed", [True, False])
def test_markdown_keeps_hostile_text_in_its_cell(failed: bool) -> None:
    rendered = markdown.render([HOSTILE], "1 warning", failed=failed)

    rows = [line for line in rendered.splitlines() if line.startswith("| ⚠️")]
    assert len(rows) == 1
    assert "<script>" not in rows[0]
    assert "\\|" in rows[0]


def test_every_format_says_which_release_judges() -> None:
    sentence = f"release 0.60.0 (a,b.yaml:12) is known in part; judged by {NEWEST_MODELLED}"
    sentence += " and what is documented of later releases"
    suite = ET.fromstring(junit.render([], ["clean.yaml"], bool, CHOICE))[0]
    (entry,) = json.loads(gitlab.render([], CHOICE))
    counts: dict[Severity, int] = {"error": 0, "warning": 0, "info": 0}

    assert github.render([], CHOICE).startswith(f"::notice file=a%2Cb.yaml,line=12,title=mcpcfg::{sentence} (hint: ")
    assert suite[0][0].get("value", "").startswith(f"{sentence} (hint: ")
    assert json.loads(sarif.render([], {}, "0.1.0", {}, CHOICE))["runs"][0]["properties"]["operatorRelease"] == {
        "version": "0.60.0",
        "from": "a,b.yaml:12",
        "judged_by": NEWEST_MODELLED,
        "statement": CHOICE.text,
    }
    assert (entry["severity"], entry["location"]) == ("info", {"path": "a,b.yaml", "lines": {"begin": 12, "end": 12}})
    assert entry["description"] == CHOICE.text
    first, second = text.summary(counts, 1, 1, release=CHOICE).splitlines()
    assert first == f"no findings; checked 1 file, 1 document; {sentence}"
    assert second.startswith("hint: check --crds crds.yaml admits by the schema of release 0.60.0; ")
    assert sentence in markdown.render([], f"{first}\n{second}", failed=False)


def test_a_report_on_no_file_has_no_entry_about_the_release() -> None:
    assert json.loads(gitlab.render([], CHOICE._replace(source="default", reason="default"))) == []
