"""Each rule over its fixtures: whole findings, word for word, beside each invalid one.

``MCPCFG_REWRITE=1 pytest tests/unit/validators/test_golden_findings.py`` writes the ``.out`` files anew.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from declared import resource_rules
from judging import is_open, release_of

from mcpcfg.compiler.check.full import Options, Report, check
from mcpcfg.compiler.diagnostics.finding import OPT_IN
from mcpcfg.compiler.project.discovery import discover

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcpcfg.compiler.diagnostics.finding import Finding
    from mcpcfg.compiler.project.settings import Level

FOLDER = Path(__file__).parents[3] / "fixtures" / "rules"
OWN_TEST = ("VMC", "CMP", "DEC")
"""Topics whose fixtures ``test_rule_fixture.py`` looks at."""
ALL = resource_rules()
RULES = {id_: rule for id_, rule in ALL.items() if not id_.startswith(OWN_TEST)}
VALID = sorted(file for id_ in RULES for file in (FOLDER / id_).glob("valid-*.yaml"))
INVALID = sorted(file for id_ in RULES for file in (FOLDER / id_).glob("invalid-*.yaml"))
REWRITE = bool(os.environ.get("MCPCFG_REWRITE"))


def name(file: Path) -> str:
    return f"{file.parent.name}/{file.stem}"


def checked(file: Path) -> Report:
    """Check a fixture as a whole project, in a closed world unless its first line states otherwise."""
    project = discover((str(file),), release=release_of(file))._replace(complete=True)
    switched_on: dict[str, Level] = {id_: "info" for id_ in OPT_IN if id_ == file.parent.name}
    project = project._replace(settings=project.settings._replace(rules=switched_on))
    return check(project, Options(closed=not is_open(file)))


def written(findings: Sequence[Finding]) -> str:
    lines = []
    for finding in findings:
        shaped = finding.as_json()
        del shaped["file"]
        for note in shaped.get("notes", ()):
            note.pop("file", None)
        lines.append(json.dumps(shaped, ensure_ascii=False, indent=1))
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("file", VALID, ids=name)
def test_a_valid_fixture_has_no_error(file: Path) -> None:
    findings = checked(file).findings

    assert file.parent.name not in {finding.rule for finding in findings}
    assert [finding for finding in findings if finding.severity == "error"] == []


@pytest.mark.parametrize("file", INVALID, ids=name)
def test_an_invalid_fixture_has_the_recorded_findings(file: Path) -> None:
    findings = checked(file).findings
    golden = file.with_suffix(".out")
    if REWRITE:
        golden.write_text(written(findings))

    assert file.parent.name in {finding.rule for finding in findings}
    assert written(findings) == golden.read_text()


@pytest.mark.parametrize("file", INVALID, ids=name)
def test_the_span_of_every_finding_is_within_the_text(file: Path) -> None:
    lines = file.read_text().split("\n")
    for finding in checked(file).findings:
        span = finding.span
        assert 1 <= span.line <= span.end_line <= len(lines)
        assert 1 <= span.column <= len(lines[span.line - 1]) + 1
        assert (span.line, span.column) < (span.end_line, span.end_column)
