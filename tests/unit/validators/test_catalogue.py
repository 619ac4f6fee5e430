"""The catalogue as a whole: every rule has its page, an example that it reports and one that it does not.

An example is a file ``fixtures/rules/ID/invalid-….yaml`` or ``valid-….yaml``, or a folder so called. Examples of
records stand in ``fixtures/records/rules.json``; ``tests/unit/records`` looks at them.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from judging import is_open, release_of

from mcpcfg.compiler.check.full import Options, check
from mcpcfg.compiler.diagnostics.finding import LEVELS, OPT_IN, STAGES
from mcpcfg.compiler.emit.build import Build
from mcpcfg.compiler.emit.target import artifacts
from mcpcfg.compiler.fix.fixable import FIXABLE
from mcpcfg.compiler.project.discovery import discover
from mcpcfg.validators.registry import all_rules

if TYPE_CHECKING:
    from mcpcfg.compiler.diagnostics.finding import Finding, Rule
    from mcpcfg.compiler.project.settings import Level

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "fixtures" / "rules"
RULES = all_rules()
RECORDS = json.loads((ROOT / "fixtures" / "records" / "rules.json").read_text("utf-8"))["rules"]
ELSEWHERE = ("SYN019", "SKL", "FIL003", "FIL05", "WRK018", "CFG011", "ADM093", "ADM094", "ADM095")
"""What needs more than files that Git keeps, ``--as`` or ``--crds``: tests/unit/disk, records, project, admission."""
DIALECT = re.compile(r"\b(?:flag(?:s|ged)|bites|cures?|mend(?:s|ed)?|nobody looks|(?:is|are) told)\b", re.IGNORECASE)
EXAMPLES = sorted(path for path in FOLDER.glob("*/*") if path.suffix != ".out")


@cache
def findings(path: Path) -> list[Finding]:
    """Check an example as a whole project, in a closed world unless its first line states otherwise."""
    project = discover((str(path),), release=release_of(path))._replace(complete=True)
    switched_on: dict[str, Level] = {path.parent.name: "info"} if path.parent.name in OPT_IN else {}
    project = project._replace(settings=project.settings._replace(rules={**project.settings.rules, **switched_on}))
    report = check(project, Options(closed=not is_open(path)))
    built: list[Finding] = []
    if path.parent.name == "BLD001":
        build = Build(report.workspace, project.settings.operator)
        built = artifacts("kubernetes", build, report.loaded.resources)[1]
    return [*report.findings, *built]


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def test_every_rule_that_a_module_declares_is_in_the_list() -> None:
    texts = [path.read_text("utf-8") for room in ("compiler", "validators") for path in (ROOT / room).rglob("*.py")]
    assert set(re.findall(r'^[A-Z_]+ = rule\(\s*"([A-Z]{3}\d{3})"', "\n".join(texts), re.MULTILINE)) <= set(RULES)


@pytest.mark.parametrize("id_", RULES)
def test_every_rule_has_a_stage_and_a_severity(id_: str) -> None:
    assert RULES[id_].stage in STAGES
    assert RULES[id_].severity in LEVELS


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.id)
def test_every_rule_has_a_title_and_a_name(rule: Rule) -> None:
    assert re.search(r"[\w`\")'…]\Z", rule.title)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.name)


@pytest.mark.parametrize("id_", RULES)
def test_no_page_has_words_of_its_own_dialect(id_: str) -> None:
    rule = RULES[id_]
    found = DIALECT.findall(f"{rule.title} {rule.page.checks} {rule.page.why} {rule.page.fix}")
    assert found == []


@pytest.mark.parametrize("id_", [id_ for id_ in RULES if not id_.startswith(ELSEWHERE)])
def test_every_rule_has_examples(id_: str) -> None:
    sorts = {path.stem.partition("-")[0] for path in (FOLDER / id_).glob("*")}
    assert id_ in RECORDS or sorts == {"valid", "invalid"}


def test_every_folder_of_examples_has_the_id_of_a_rule() -> None:
    assert {path.parent.name for path in EXAMPLES} <= set(RULES)


@pytest.mark.parametrize("path", EXAMPLES, ids=name)
def test_only_an_invalid_fixture_has_a_finding_of_its_rule(path: Path) -> None:
    reported = {finding.rule for finding in findings(path)}
    assert (path.parent.name in reported) == path.stem.startswith("invalid-")


def test_rules_whose_findings_share_one_change_are_lints_without_mechanical_fixes() -> None:
    shared = {rule.id: rule for rule in RULES.values() if rule.is_one_change}
    assert {"RES002"} < shared.keys()
    assert {rule.stage for rule in shared.values()} == {"lint"}
    assert not FIXABLE & shared.keys()


def test_rules_that_are_opt_in_are_off_by_default() -> None:
    assert set(OPT_IN) <= set(RULES)
    assert set(OPT_IN.values()) == {"off"}


def test_the_rules_whose_findings_show_a_secret_are_known() -> None:
    """The lines of their findings are left out of reports and caches."""
    assert {rule.id for rule in RULES.values() if rule.is_secret} == {
        *("MRG013", "PRM020", "RUN045", "SEC001", "SEC002", "WRK038"),
    }
