"""A fault that is gone by the first release which serves v1beta1 is not reported for a resource of that version."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from declared import resource_rules

from mcpcfg.compiler.check.full import Options, check
from mcpcfg.compiler.project.discovery import discover
from mcpcfg.compiler.records.finding import RULE_MODULES
from mcpcfg.compiler.toolhive.profile import LATER_VERSION, TOOLHIVE
from mcpcfg.compiler.toolhive.release import OLDEST, SECOND_VERSION_SINCE, holds
from mcpcfg.validators.registry import MODULES, ROOM, all_rules, rules_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcpcfg.compiler.diagnostics.finding import Finding

FOLDER = Path(__file__).parents[3] / "fixtures" / "rules"
DATED = {id_: rule.until for id_, rule in all_rules().items() if rule.until is not None}
GONE = {id_ for id_, until in DATED.items() if not holds(None, until, SECOND_VERSION_SINCE)}
FILES = sorted(file for id_ in GONE for file in (FOLDER / id_).glob("invalid-*.yaml"))


def findings(file: Path) -> Sequence[Finding]:
    release = SECOND_VERSION_SINCE if LATER_VERSION in file.read_text() else OLDEST
    return check(discover((str(file),), release=release)._replace(complete=True), Options(closed=True)).findings


def test_two_rules_do_not_apply_to_v1beta1() -> None:
    assert {"AUT042", "EAS004"} == GONE


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_resource_of_v1beta1_has_the_same_findings_except_for_rules_that_changed(file: Path, tmp_path: Path) -> None:
    later = tmp_path / "later.yaml"
    text = file.read_text()
    later.write_text(text.replace(f"/{TOOLHIVE.versions[0]}", f"/{LATER_VERSION}"))

    new = {id_ for id_, rule in all_rules().items() if rule.since is not None}
    before = [(one.rule, one.path, one.message) for one in findings(file) if one.rule not in GONE]
    after = [(one.rule, one.path, one.message) for one in findings(later) if one.rule not in new]

    assert after == before


def test_only_checks_of_one_resource_and_of_records_are_dated() -> None:
    """Surveys and admission do not ask for it; records are held against their dates in ``test_rule_fixture.py``."""
    records = {id_ for id_ in DATED if id_.startswith(tuple(RULE_MODULES))}
    whole = {
        rule.id for one in MODULES if one.scope != "resource" for rule in rules_of(import_module(f"{ROOM}.{one.name}"))
    }
    assert DATED.keys() - records <= resource_rules().keys() - whole
