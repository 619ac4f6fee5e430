"""What is compiled for Kubernetes passes the check of its own kind in silence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from recorded import ROOT, cases, checked

from mcpcfg.compiler.check.compilable import compilable
from mcpcfg.compiler.check.full import Options, check
from mcpcfg.compiler.emit.build import Build
from mcpcfg.compiler.emit.compilation import artifacts
from mcpcfg.compiler.project import input_kind
from mcpcfg.compiler.project.discovery import discover
from mcpcfg.compiler.reading.document import read_documents
from mcpcfg.compiler.records.environment import Environment
from mcpcfg.compiler.toolhive.operator import OperatorSettings

if TYPE_CHECKING:
    from pathlib import Path

    from recorded import Case

    from mcpcfg.compiler.check.full import Report

TOLD_OF_RESOURCES = {"RUN018": "HDR002", "RUN025": "AUT048"}
"""What stops the runner, though the recorded start went on without secrets and Redis: of resources a lint tells it."""

CASES = cases("operator")
PROJECTS = sorted((ROOT / "fixtures" / "projects").iterdir())


def findings_of_runconfigs(outcome: Report) -> list[tuple[str, str, str]]:
    made, _ = artifacts("runconfig", Build(outcome.workspace, OperatorSettings()), compilable(outcome).resources)
    found = []
    for one in made:
        documents, faults = read_documents(one.text, one.path)
        kind = input_kind.recognise(documents[0].data)
        assert not faults
        assert kind is not None
        assert kind.name == "runconfig"
        told = input_kind.checker(kind)(documents[0], {"runconfig": documents}, Environment(closed=True))
        found += [(one.path, finding.rule, finding.message) for finding in told]
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.folder.name)
def test_a_run_configuration_written_for_kubernetes_has_no_finding(case: Case) -> None:
    outcome = checked(case)
    told = {finding.rule for finding in outcome.findings}

    assert [one for one in findings_of_runconfigs(outcome) if TOLD_OF_RESOURCES.get(one[1]) not in told] == []


@pytest.mark.parametrize("project", PROJECTS, ids=lambda path: path.name)
def test_nor_has_one_of_an_example_project(project: Path) -> None:
    assert findings_of_runconfigs(check(discover((str(project),)), Options())) == []
