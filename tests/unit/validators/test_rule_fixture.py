"""Every rule about virtual servers and composite tools flags what its fixtures state, and nothing else beside it."""

from __future__ import annotations

from pathlib import Path

import pytest
from judging import release_of

from mcpcfg.compiler.check.full import Options, check
from mcpcfg.compiler.project.discovery import discover
from mcpcfg.validators.registry import all_rules

FOLDER = Path(__file__).parents[3] / "fixtures" / "rules"
TOPICS = ("VMC", "CMP", "DEC", "EAS")
RULES = {rule: one for rule, one in all_rules().items() if rule.startswith(TOPICS)}
FILES = sorted(file for rule in RULES for file in (FOLDER / rule).glob("*.yaml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_valid_fixture_has_no_finding_of_its_rule_and_an_invalid_one_has(file: Path) -> None:
    rule = file.parent.name
    findings = check(discover((str(file),), release=release_of(file)), Options(closed=True)).findings
    own = [finding for finding in findings if finding.rule == rule]

    if file.stem.startswith("valid-"):
        assert not own
        assert [finding for finding in findings if finding.severity == "error"] == []
        return
    assert own
    subjects = {finding.subject for finding in own}
    others = [f for f in findings if f.severity == "error" and f.rule != rule and f.subject in subjects]
    assert others == []


@pytest.mark.parametrize(
    ("written", "broken", "rule"),
    [("    name: team\n---", "    name: taem\n---", "REF001"), ("image:", "imagee:", "ADM001")],
)
def test_a_member_with_an_error_of_its_own_is_not_missed_in_its_group(
    tmp_path: Path, written: str, broken: str, rule: str
) -> None:
    text = (FOLDER / "VMC212" / "valid-member.yaml").read_text()
    file = tmp_path / "a.yaml"
    file.write_text(text.replace(written, broken, 1))

    assert [one.rule for one in check(discover((str(file),)), Options(closed=True)).findings] == [rule]
