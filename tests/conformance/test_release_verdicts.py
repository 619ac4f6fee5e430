"""What the operator of 0.44.0 refuses is refused by that release, and what it stored is not.

Of what it stored it was not recorded whether it starts, but for the configurations of virtual servers.
"""

from __future__ import annotations

import pytest
from recorded import SELECTION, SHARED, Case, beyond

from mcpcfg.compiler.check.full import Options, check
from mcpcfg.compiler.diagnostics.finding import STAGES
from mcpcfg.compiler.project.discovery import discover
from mcpcfg.validators.registry import all_rules

ALL = SHARED.parent / "conformance-0.44.0" / "operator"
CASES = [Case(folder) for folder in sorted((ALL if ALL.is_dir() else SELECTION / "operator-0.44.0").iterdir())]
UNSEEN = beyond()
WANTED = {"not-admitted": ("syntax", "admission"), "operator-refuses": ("operator",), "process-refuses": ("process",)}
PARTS = 16


def different(case: Case) -> list[str]:
    """Return the resources of a case whose verdict is another one than the recorded one."""
    findings = check(discover((str(case.input),), release="0.44.0"), Options(closed=True)).findings
    stages: dict[tuple[str, ...], set[str]] = {}
    for one in findings:
        if one.severity == "error" and one.subject is not None and one.stage != "lint":
            unseen = one.rule in UNSEEN
            stages.setdefault(tuple(one.subject), set()).add("process" if unseen else one.stage)
    found = []
    for row in case.verdicts:
        own = {
            stage
            for (kind, namespace, name), some in stages.items()
            if (kind, name) == (row["kind"], row["name"]) and row.get("namespace", namespace) == namespace
            for stage in some
        }
        first = min(own, key=STAGES.index, default="process")
        if first not in WANTED.get(row["verdict"], ("process",)):
            found.append(f"{case.folder.name}: {row['kind']} {row['name']} is {row['verdict']}, found {first}")
    return found


@pytest.mark.parametrize("part", range(PARTS))
def test_every_verdict_is_the_recorded_one_of_0_44_0(part: int) -> None:
    assert [one for case in CASES[part::PARTS] for one in different(case)] == []


def test_a_recorded_refusal_by_a_process_of_0_44_0_is_an_error_of_a_rule_verified_there() -> None:
    rules = all_rules()
    for case in CASES:
        refused = {
            (row["kind"], row["namespace"], row["name"]) for row in case.verdicts if row["verdict"] == "process-refuses"
        }
        findings = (
            check(discover((str(case.input),), release="0.44.0"), Options(closed=True)).findings if refused else ()
        )
        verified = {
            tuple(one.subject)
            for one in findings
            if one.subject and (one.stage, one.severity) == ("process", "error")
            if "0.44.0" in rules[one.rule].verified
        }
        assert refused <= verified
