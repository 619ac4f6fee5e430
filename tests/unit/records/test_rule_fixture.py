"""Each rule of records over an example that it reports, made by a patch of one in which nothing is reported."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from merge_patch import merged

from mcpcfg.compiler.check.record import checker
from mcpcfg.compiler.diagnostics.finding import Rule
from mcpcfg.compiler.project.input_kind import kind_named, recognize
from mcpcfg.compiler.reading.document import read_documents
from mcpcfg.compiler.records.finding import RULE_MODULES
from mcpcfg.compiler.toolhive.machine import Environment
from mcpcfg.compiler.toolhive.profile import TOOLHIVE, profile_of_release
from mcpcfg.compiler.toolhive.release import OLDEST, RELEASES, holds
from mcpcfg.validators.registry import all_rules

from .conftest import FIXTURES

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

    from mcpcfg.compiler.diagnostics.finding import Finding

EXAMPLES = json.loads((FIXTURES / "rules.json").read_text("utf-8"))
BASES: dict[str, Any] = EXAMPLES["bases"]
ROWS: dict[str, Any] = EXAMPLES["rules"]
"""Examples by the id of their rule; a further example of a rule has a word behind it."""
RULES = {id_: rule for id_, rule in all_rules().items() if id_.startswith(tuple(RULE_MODULES)) or id_ in ROWS}
ELSEWHERE = ("SKL", "FIL003", "FIL05", "WRK018")
"""What is no matter of one JSON document; see test_skill, test_env_file and test_document_check."""

WITHOUT = {
    "the message says what is missing": ("REG001",),
    "the message says what the field takes": (
        *("REG003", "REG005", "REG007"),
        "CAT033",
        *("PRM001", "PRM025", "FIL001", "WRK001", "WRK003", "WRK004", "WRK006", "WRK009"),
        *("RUN006", "RUN023", "RUN050", "RUN053"),
    ),
    "the message says which is there twice": ("REG006",),
    "the message says what should stand there, or which there are": ("REG010", "FIL013", "AZN006"),
}
"""Why the findings of some rules have no hint."""

INFOS = {"registry-legacy": {"REG011"}}


def findings(kind: str, data: Any, beside: Any, release: str = OLDEST) -> list[Any]:
    """Check a document by a release, with the registry beside it where it is a workload."""
    text = json.dumps(data, indent=2)
    documents, faults = read_documents(text, f"{kind}.json")
    assert not faults
    registry = read_documents(json.dumps(beside), "registry.json")[0]
    found = kind_named(kind)
    assert found is not None
    records = {kind: documents} | ({"registry": registry} if kind == "workload" else {})
    environment = Environment(closed=True, profile=profile_of_release(TOOLHIVE, release))
    return checker(found)(documents[0], records, environment)


@pytest.mark.parametrize("base", BASES)
def test_a_sound_example_has_no_findings(base: str) -> None:
    example = BASES[base]
    found = findings(example["kind"], example["document"], EXAMPLES["beside"])
    assert {one.rule for one in found} == INFOS.get(base, set())
    kind = recognize(example["document"])
    assert kind is not None
    assert kind.name == example["kind"]


@pytest.mark.parametrize("rule", ROWS)
def test_the_fault_of_an_example_is_found_at_its_position(rule: str) -> None:
    row = ROWS[rule]
    base = BASES[row["base"]]
    data = merged(base["document"], row["patch"])
    beside = merged(EXAMPLES["beside"], row.get("beside", {}))
    found = findings(base["kind"], data, beside, RULES[rule[:6]].since or OLDEST)
    own = [one for one in found if one.rule == rule[:6]]
    assert own, [(one.rule, one.message) for one in found]
    assert {one.severity for one in own} <= {RULES[rule[:6]].severity, "info"}
    others = {one.rule for one in found if one.severity == "error" and one.stage != "lint"} - {rule[:6]}
    assert RULES[rule[:6]].severity == "error" or not others
    lines = json.dumps(data, indent=2).split("\n")
    for one in found:
        assert one.message == one.message.strip(". ")
        assert 1 <= one.span.line <= len(lines)
        assert (one.span.line, one.span.column) < (one.span.end_line, one.span.end_column)


@pytest.mark.parametrize("rule", ROWS)
def test_a_finding_says_what_to_do_or_its_message_does(rule: str) -> None:
    base = BASES[ROWS[rule]["base"]]
    beside = merged(EXAMPLES["beside"], ROWS[rule].get("beside", {}))
    data = merged(base["document"], ROWS[rule]["patch"])
    found = findings(base["kind"], data, beside, RULES[rule[:6]].since or OLDEST)
    says_it = any(rule[:6] in rules for rules in WITHOUT.values())

    assert any(one.hint for one in found if one.rule == rule[:6]) is not says_it


@pytest.mark.parametrize("rule", [one for one in ROWS if RULES[one[:6]].since or RULES[one[:6]].until])
def test_a_fault_of_some_releases_is_found_only_in_these_releases(rule: str) -> None:
    base = BASES[ROWS[rule]["base"]]
    data = merged(base["document"], ROWS[rule]["patch"])
    for release in RELEASES:
        found = {one.rule for one in findings(base["kind"], data, EXAMPLES["beside"], release)}
        assert (rule[:6] in found) == holds(RULES[rule[:6]].since, RULES[rule[:6]].until, release), release


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_an_example(rule: str) -> None:
    assert rule in ROWS or rule.startswith(ELSEWHERE)


def test_rules_keep_to_the_letters_of_their_modules() -> None:
    for letters, names in RULE_MODULES.items():
        for name in names:
            module = import_module(f"mcpcfg.compiler.records.{name}")
            assert any(isinstance(value, Rule) and value.id[:3] == letters for value in vars(module).values()), name


def test_every_rule_of_the_fixture_exists() -> None:
    assert {row[:6] for row in ROWS} <= set(RULES)
    assert Path(FIXTURES / "rules.json").is_file()


@pytest.mark.parametrize("rule", ROWS)
def test_the_findings_of_an_example_are_unchanged(rule: str, snapshot: SnapshotAssertion) -> None:
    base = BASES[ROWS[rule]["base"]]
    data = merged(base["document"], ROWS[rule]["patch"])
    beside = merged(EXAMPLES["beside"], ROWS[rule].get("beside", {}))
    found = findings(base["kind"], data, beside, RULES[rule[:6]].since or OLDEST)
    assert sorted(map(said, found)) == snapshot


def said(finding: Finding) -> str:
    """Return what a report tells of a finding, but for the page of its rule."""
    place = f"{finding.span.line}:{finding.span.column}-{finding.span.end_line}:{finding.span.end_column}"
    notes = "".join(f"; note {one.span and one.span.line}: {one.message}" for one in finding.notes)
    return f"{place} {finding.severity}[{finding.rule}] {finding.message}{notes}; hint: {finding.hint}"
