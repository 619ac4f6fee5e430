"""What is compiled for Kubernetes passes the check of its own kind in silence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from recorded import ROOT, cases, checked

from mcpcfg.compiler import inputs
from mcpcfg.compiler.cli.build import without_errors
from mcpcfg.compiler.document import read_documents
from mcpcfg.compiler.emit.build import Build
from mcpcfg.compiler.emit.compilation import artifacts
from mcpcfg.compiler.pipeline import Options, check
from mcpcfg.compiler.project.discovery import discover
from mcpcfg.compiler.project.settings import OperatorSettings

if TYPE_CHECKING:
    from pathlib import Path

    from recorded import Case

    from mcpcfg.compiler.pipeline import Report

CASES = cases("operator")
PROJECTS = sorted((ROOT / "fixtures" / "projects").iterdir())


def findings_of_runconfigs(outcome: Report) -> list[tuple[str, str, str]]:
    resources, _ = without_errors(outcome)
    made, _ = artifacts("runconfig", Build(outcome.workspace, OperatorSettings()), resources)
    found = []
    for one in made:
        documents, faults = read_documents(one.text, one.path)
        kind = inputs.recognise(documents[0].data)
        assert not faults
        assert kind is not None
        assert kind.name == "runconfig"
        told = inputs.checker(kind)(documents[0], {"runconfig": documents}, inputs.Surroundings(closed=True))
        found += [(one.path, finding.rule, finding.message) for finding in told]
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.folder.name)
def test_a_run_configuration_written_for_kubernetes_has_no_finding(case: Case) -> None:
    assert findings_of_runconfigs(checked(case)) == []


@pytest.mark.parametrize("project", PROJECTS, ids=lambda path: path.name)
def test_nor_has_one_of_an_example_project(project: Path) -> None:
    assert findings_of_runconfigs(check(discover((str(project),)), Options())) == []
