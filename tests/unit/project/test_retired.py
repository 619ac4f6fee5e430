"""Ids of retired rules still work where users wrote them, and say which rule took over."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mcpcfg.compiler.cli.main import program
from mcpcfg.compiler.diagnostics.retired import RETIRED
from mcpcfg.validators.registry import all_rules

FIXTURE = Path(__file__).parents[3] / "fixtures/rules/AUT044/invalid-memory-of-virtual-server.yaml"
OLD, NEW = "VMC221", "AUT044"


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in a folder with one resource that AUT044 reports."""
    (tmp_path / "a.yaml").write_text(FIXTURE.read_text("utf-8"), "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(*arguments: str) -> Result:
    return CliRunner().invoke(program, ["check", "a.yaml", "--format", "json", *arguments])


def rules(result: Result) -> set[str]:
    return {finding["rule"] for finding in json.loads(result.stdout)["findings"]}


def test_select_and_ignore_accept_a_retired_id() -> None:
    selected = check("--select", OLD)
    assert rules(selected) == {NEW}
    assert f"--select: {OLD} is now {NEW}" in selected.stderr
    assert NEW not in rules(check("--ignore", OLD))


def test_the_configuration_accepts_a_retired_id(project: Path) -> None:
    (project / "mcpcfg.yaml").write_text(f"rules: {{{OLD}: 'off'}}\n", "utf-8")
    result = check()
    assert NEW not in rules(result)
    assert f"{OLD} is now {NEW}" in result.stderr


def test_a_comment_accepts_a_retired_id(project: Path) -> None:
    text = FIXTURE.read_text("utf-8").replace("  authServerConfig:", f"  authServerConfig:  # mcpcfg: ignore[{OLD}]")
    (project / "a.yaml").write_text(text, "utf-8")
    result = check()
    assert NEW not in rules(result)
    found = json.loads(result.stdout)["findings"]
    said = [(one["severity"], one["message"]) for one in found if one["rule"] == "CFG001"]
    assert said == [("info", f"{OLD} is now {NEW}")]


def test_a_baseline_accepts_a_retired_id(project: Path) -> None:
    check("--write-baseline", "known.json")
    file = project / "known.json"
    file.write_text(file.read_text("utf-8").replace(NEW, OLD), "utf-8")
    result = check("--baseline", "known.json")
    assert NEW not in rules(result)
    assert f"known.json: {OLD} is now {NEW}" in result.stderr


def test_explain_says_which_rule_took_over() -> None:
    assert CliRunner().invoke(program, ["explain", OLD]).stdout.startswith(f"{OLD} is now {NEW}.\n")
    assert "no rule took over" in CliRunner().invoke(program, ["explain", "SYN011"]).stdout


def test_retired_ids_are_not_used_again_and_lead_to_rules() -> None:
    assert not set(RETIRED) & set(all_rules())
    assert {successor for successor in RETIRED.values() if successor} <= set(all_rules())


def test_no_two_rules_have_the_same_title() -> None:
    pairs = combinations(all_rules().values(), 2)
    assert [(one.id, other.id) for one, other in pairs if one.title.lower() == other.title.lower()] == []
