"""What is written as SARIF is what the published schema of SARIF 2.1.0 asks for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft4Validator

from mcpcfg.compiler.cli.main import main

FIXTURES = Path(__file__).parents[3] / "fixtures"
SCHEMA = json.loads((FIXTURES / "sarif" / "sarif-schema-2.1.0.json").read_text())


def sarif(capsys: pytest.CaptureFixture[str], *paths: str) -> dict[str, Any]:
    with pytest.raises(SystemExit):
        main(["check", "--format", "sarif", "--no-color", *paths])
    log: dict[str, Any] = json.loads(capsys.readouterr().out)
    return log


@pytest.mark.parametrize("folder", ["fix", "admission", "rules", "projects/first-server"])
def test_a_log_keeps_to_the_schema(
    folder: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(FIXTURES)

    log = sarif(capsys, folder)

    assert [error.message for error in Draft4Validator(SCHEMA).iter_errors(log)] == []


def test_rules_have_their_pages_and_findings_their_fixes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(FIXTURES / "fix")

    run = sarif(capsys, "request.json")["runs"][0]

    assert all(rule["help"]["text"] for rule in run["tool"]["driver"]["rules"])
    assert run["results"][0]["fixes"] == [
        {
            "description": {"text": "add apiVersion"},
            "artifactChanges": [
                {
                    "artifactLocation": {"uri": "request.json"},
                    "replacements": [
                        {
                            "deletedRegion": {"startLine": 2, "startColumn": 3, "endLine": 2, "endColumn": 3},
                            "insertedContent": {"text": '"apiVersion": "toolhive.stacklok.dev/v1beta1",\n  '},
                        }
                    ],
                }
            ],
        }
    ]


def test_quotes_that_make_a_text_readable_are_offered(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(FIXTURES / "fix")
    results = sarif(capsys, "unquoted.yaml")["runs"][0]["results"]
    lines = Path("unquoted.yaml").read_text().splitlines()
    written = {}
    for one in results:
        for fix in one.get("fixes", ()):
            [replacement] = fix["artifactChanges"][0]["replacements"]
            region = replacement["deletedRegion"]
            line = lines[region["startLine"] - 1]
            new = replacement["insertedContent"]["text"]
            written[one["ruleId"]] = line[: region["startColumn"] - 1] + new + line[region["endColumn"] - 1 :]
    assert written == {
        "SYN006": '  description: "Warning: experimental"   # for now',
        "SYN008": '    owner: "@platform"',
    }


def test_a_record_has_the_fixes_of_what_it_is_read_as(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.json"
    file.write_text('{"read": "/etc/hosts"}')
    (result,) = sarif(capsys, "--as", "permission-profile", str(file))["runs"][0]["results"]

    assert [one["description"]["text"] for one in result["fixes"]] == ["write read as a list"]
