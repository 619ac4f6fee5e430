"""What is told of projects that a cluster accepts is listed, and defended, in docs/lints.md.

``MCPCFG_REWRITE=1 pytest tests/conformance/test_lints.py`` writes the table anew, from all recorded projects.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from declared import resource_rules
from recorded import ROOT, SHARED, beyond, cases, checked

from mcpcfg.compiler.diagnostics.finding import OPT_IN

if TYPE_CHECKING:
    from mcpcfg.compiler.diagnostics.finding import Rule

PAGE = ROOT / "docs" / "lints.md"
HEAD = "| rule | level | projects | what is wrong | why this matters |\n| --- | --- | --- | --- | --- |\n"


def lints() -> list[Rule]:
    """Return the rules of resources that are no errors, by id."""
    return [rule for rule in resource_rules().values() if rule.severity != "error"]


def accepted_projects() -> tuple[int, Counter[str]]:
    """Count the recorded projects that are accepted as a whole, and in how many of them each rule tells something."""
    projects = [
        case
        for group in ("operator", "composites")
        for case in cases(group)
        if all(row["verdict"].startswith("accepted") for row in case.verdicts)
    ]
    return len(projects), Counter(
        rule for case in projects for rule in {finding.rule for finding in checked(case).findings}
    )


def reason(rule: Rule) -> str:
    """Return the page's reason in one line."""
    return rule.page.why.partition("\n\n")[0].replace("|", "\\|")


def title(rule: Rule) -> str:
    return rule.title.replace("|", "\\|")


def shown() -> dict[str, tuple[str, int, str, str]]:
    """Read the table: rule to level, projects, title and reason."""
    rows = (line.strip("| ").split(" | ", 4) for line in PAGE.read_text("utf-8").split(HEAD)[1].splitlines() if line)
    return {rule: (level, int(count), what, why) for rule, level, count, what, why in rows}


def rewrite() -> None:
    """Write the table anew; the figures stay where the recorded projects are not there."""
    before = {rule: row[1] for rule, row in shown().items()}
    counts = accepted_projects()[1] if SHARED.is_dir() else before
    rows = (
        (rule.id, OPT_IN.get(rule.id, rule.severity), str(counts.get(rule.id, 0)), title(rule), reason(rule))
        for rule in lints()
    )
    table = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    PAGE.write_text(PAGE.read_text("utf-8").split(HEAD)[0] + HEAD + table, "utf-8")


def test_every_lint_is_listed_with_its_reason() -> None:
    if os.environ.get("MCPCFG_REWRITE"):
        rewrite()
    listed = {rule.id: (OPT_IN.get(rule.id, rule.severity), title(rule), reason(rule)) for rule in lints()}
    assert {rule: (level, what, why) for rule, (level, _, what, why) in shown().items()} == listed


def test_the_rules_that_one_change_satisfies_in_many_places_are_listed() -> None:
    page = PAGE.read_text("utf-8")
    listed = page.partition("The rules:\n\n")[2].partition(".\n")[0]
    assert re.split(r",\s", listed) == [rule.id for rule in lints() if rule.is_one_change]


def test_nothing_that_is_accepted_gets_an_error() -> None:
    unseen = beyond()
    errors = [
        f"{case.folder.name}: {finding.message}"
        for group in ("operator", "composites")
        for case in cases(group)
        for finding in checked(case).findings
        if finding.severity == "error"
        and finding.rule not in unseen
        and finding.subject is not None
        and (finding.subject.kind, finding.subject.namespace, finding.subject.name) in case.accepted
    ]
    assert errors == []


@pytest.mark.skipif(not SHARED.is_dir(), reason="the recorded projects are not there")
def test_the_figures_are_those_of_the_recorded_projects() -> None:
    total, counts = accepted_projects()
    assert f"{total} recorded projects" in PAGE.read_text("utf-8")
    assert {rule: count for rule, (_, count, _, _) in shown().items()} == {rule.id: counts[rule.id] for rule in lints()}
