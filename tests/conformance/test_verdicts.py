"""The verdict of every recorded resource is the one that the cluster gave, and what it accepts gets no error."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from recorded import SHARED, Case, beyond, cases, checked

from mcpcfg.compiler.diagnostics.finding import STAGES
from mcpcfg.validators.registry import all_rules

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mcpcfg.compiler.diagnostics.finding import Finding

UNSEEN = beyond()
REFUSES = {
    "syntax": "not-admitted",
    "admission": "not-admitted",
    "operator": "operator-refuses",
    "process": "process-refuses",
}


def verdicts(findings: Iterable[Finding]) -> dict[tuple[str, str], str]:
    """Return the verdict of every resource with an error: that of the first stage which has one."""
    stages: dict[tuple[str, str], set[str]] = {}
    for finding in findings:
        if finding.severity == "error" and finding.subject is not None and finding.stage in REFUSES:
            stages.setdefault((finding.subject.kind, finding.subject.name), set()).add(finding.stage)
    return {key: REFUSES[min(found, key=STAGES.index)] for key, found in stages.items()}


@pytest.mark.parametrize("group", ["operator", "composites"])
def test_every_verdict_is_the_recorded_one(group: str) -> None:
    different = []
    for case in cases(group):
        findings = checked(case).findings
        told = verdicts(findings)
        seen = verdicts(finding for finding in findings if finding.rule not in UNSEEN)
        for row in case.verdicts:
            want = row["verdict"].removesuffix("-with-warnings")
            key = (row["kind"], row["name"])
            have = (seen if want == "accepted" else told).get(key, "accepted")
            # What comes before the recorded verdict may be what the recordings could not see.
            if want not in {have, seen.get(key, "accepted")}:
                reasons = "; ".join(reason["message"] for reason in row.get("reasons", ()))
                different.append(
                    f"{case.folder.name}: {row['kind']} {row['name']} is {want}, told as {have}: {reasons}"
                )
    assert different == []


def test_every_rule_beyond_the_recordings_refuses_something_and_says_why_they_miss_it() -> None:
    rules = all_rules()
    assert all(reason.strip() for reason in UNSEEN.values())
    assert {rule: rules[rule].severity for rule in UNSEEN} == dict.fromkeys(UNSEEN, "error")


def test_no_finding_about_what_is_accepted_hides_as_a_refusal() -> None:
    """A warning of stage operator or process on an accepted resource is one that the operator survives."""
    survived = Counter(
        finding.rule
        for case in cases("operator")
        for finding in _about_accepted(case)
        if finding.stage in REFUSES and finding.severity != "error"
    )
    assert survived.keys() <= {"SES001", "SES002", "VMC014", "VMC015"}


def _about_accepted(case: Case) -> list[Finding]:
    accepted = {(row["kind"], row["name"]) for row in case.verdicts if row["verdict"].startswith("accepted")}
    findings = checked(case).findings
    return [one for one in findings if one.subject and (one.subject.kind, one.subject.name) in accepted]


@pytest.mark.skipif(not (SHARED / "operator").is_dir(), reason="the shared folder of recorded cases is not there")
def test_all_recorded_cases_are_looked_at() -> None:
    assert len(cases("operator")) >= 900
