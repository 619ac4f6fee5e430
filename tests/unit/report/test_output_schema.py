"""The JSON that commands write fits its published schema, which names every field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from calling import call
from drawing import resource

from mcpcfg.compiler.generate.record import OUTPUTS
from mcpcfg.compiler.generate.schema_file import schema_text
from mcpcfg.compiler.toolhive.release import NEWEST_MODELLED

ROOT = Path(__file__).parents[3]
GIVEN = "fixtures/simulations/call"
PROJECT = "fixtures/projects/virtual-server"
WORKFLOW = ("workflow", "triage", PROJECT, "--params", f"{GIVEN}/params.yaml", "--results", f"{GIVEN}/results.yaml")
AUTHZ = ("authz", f"{GIVEN}/authz.json", "--claims", f"{GIVEN}/claims.yaml", "--resource")
CALLS: dict[str, list[tuple[str, ...]]] = {
    "check": [
        ("check", f"fixtures/{folder}")
        for folder in ("fix", "projects", "rendered", "rules/ADM001", "rules/SYN006", "rules/SYN008", "records")
    ]
    + [("check", PROJECT), ("check", "--release", "0.60.0", "fixtures/fix")],
    "diff": [
        ("diff", "fixtures/projects/first-server", PROJECT),
        ("diff", PROJECT, PROJECT),
        ("diff", "--from-release", "0.21.0", "--to-release", NEWEST_MODELLED, "fixtures/projects/broken-references"),
    ],
    "explain": [("explain", what) for what in ("REF004", "dangling-oidc-config", "MCPServer.spec.image", "CAT001")],
    "release": [("releases",)],
    "release-crds": [("releases", "--from-crds", "fixtures/rendered/crds.yaml")],
    "rule": [("rules",)],
    "simulate-authz": [
        ("simulate", *AUTHZ, "report", "--argument", "pages=4.5"),
        ("simulate", *AUTHZ, "drop_table"),
        ("simulate", *AUTHZ, "report"),
        ("simulate", "authz", "tickets", PROJECT, "--principal", "alice", "--resource", "search"),
    ],
    "simulate-rate-limit": [
        ("simulate", "rate-limit", "search", GIVEN, "--users", "50"),
        ("simulate", "rate-limit", f"{GIVEN}/limits.yaml"),
    ],
    "simulate-role": [("simulate", "role", f"{GIVEN}/role.yaml", "--claims", f"{GIVEN}/claims.yaml")],
    "simulate-tools": [
        ("simulate", "tools", "desk", PROJECT, "--backend-tools", f"{GIVEN}/backend-tools.yaml"),
        ("simulate", "tools", "desk", PROJECT, f"{GIVEN}/registry.json"),
        ("simulate", "tools", f"{PROJECT}/desk.yaml"),
    ],
    "simulate-workflow": [
        ("simulate", *WORKFLOW),
        ("simulate", "workflow", "desk", PROJECT, "--tool", "triage_ticket"),
    ],
    "upgrade": [
        ("upgrade", "--to", "0.69.1", "--diff", f"fixtures/{folder}", *release)
        for folder, *release in (("projects",), ("fix", "--release", "0.21.0"))
    ],
}
LISTED = {"release", "rule"}
"""Schemas of the elements of a list."""


@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def _schema(name: str) -> dict[str, Any]:
    """Return a schema that refuses fields it does not name."""
    text = schema_text(f"output-{name}")
    assert text is not None
    schema: dict[str, Any] = json.loads(text)
    for definition in (schema, *schema.get("$defs", {}).values()):
        assert "additionalProperties" not in definition, "an older client must accept later fields"
        definition["additionalProperties"] = False
    return schema


@pytest.mark.parametrize("name", CALLS)
def test_real_output_fits_its_schema(name: str) -> None:
    validator = jsonschema.Draft202012Validator(_schema(name))
    for arguments in CALLS[name]:
        written = json.loads(call(*arguments, "--format", "json").out)
        for output in written if name in LISTED else (written,):
            validator.validate(output)


@pytest.mark.parametrize("name", sorted(CALLS.keys() - LISTED))
def test_output_of_another_version_does_not_fit_the_schema(name: str) -> None:
    arguments = CALLS[name][0]
    later = json.loads(call(*arguments, "--format", "json").out) | {"version": 2}

    assert not jsonschema.Draft202012Validator(_schema(name)).is_valid(later)


def test_limits_that_cannot_be_used_fit_the_schema(tmp_path: Path) -> None:
    (tmp_path / "limits.yaml").write_text("shared: {maxTokens: 0, refillPeriod: 1m}\n", "utf-8")

    answer = json.loads(call("simulate", "rate-limit", str(tmp_path / "limits.yaml"), "--format", "json").out)

    assert answer.keys() == {"version", "error"}
    jsonschema.validate(answer, _schema("simulate-rate-limit"))


def test_every_output_with_a_schema_has_a_call_or_a_tool() -> None:
    of_server_alone = {"build", "fix", "graph", "search-registry"}

    assert {name.removeprefix("output-") for name in OUTPUTS} == CALLS.keys() | of_server_alone


def test_a_finding_has_the_edits_of_its_fix(tmp_path: Path) -> None:
    file = tmp_path / "fetch.yaml"
    file.write_text(resource("MCPServer", "fetch", "{imagee: 'ghcr.io/acme/fetch:1.0', transport: STDIO}"), "utf-8")

    findings = json.loads(call("check", str(file), "--format", "json").out)["findings"]

    edits = [edit for finding in findings for edit in finding.get("fix", {}).get("edits", ())]
    lines = file.read_text("utf-8").splitlines(keepends=True)
    for edit in sorted(edits, key=lambda edit: (-edit["line"], -edit["column"])):
        assert edit["line"] == edit["end_line"]
        line = lines[edit["line"] - 1]
        lines[edit["line"] - 1] = line[: edit["column"] - 1] + edit["text"] + line[edit["end_column"] - 1 :]
    file.write_text("".join(lines), "utf-8")
    assert edits
    assert not [
        finding
        for finding in json.loads(call("check", str(file), "--format", "json").out)["findings"]
        if finding["severity"] == "error"
    ]


def test_a_fix_that_would_show_a_secret_is_left_out(tmp_path: Path) -> None:
    secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
    (tmp_path / "fetch.yaml").write_text(
        resource("MCPServer", "fetch", f"{{image: 'a:1', env: [{{nam: TOKEN, value: {secret}}}]}}"), "utf-8"
    )

    written = call("check", str(tmp_path), "--format", "json").out

    assert "ADM001" in written
    assert '"fix"' not in written
    assert secret not in written
