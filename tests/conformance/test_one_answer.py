"""One input has one answer: what is refused in a compiled text is refused in its resources, and the other way.

Held over the recorded cases, the fixtures of rules, the example projects, and projects drawn from the models. Of those
a sample is taken; with ``MCPCFG_THOROUGH`` in the environment all of them.
"""

from __future__ import annotations

import os
from collections import defaultdict
from typing import TYPE_CHECKING

import pytest
from recorded import ROOT, cases
from varied import varied

from mcpcfg.compiler import api
from mcpcfg.compiler.emit.build import Build
from mcpcfg.compiler.emit.target import artifacts
from mcpcfg.compiler.project.settings import Options
from mcpcfg.compiler.toolhive.operator import OperatorSettings
from mcpcfg.compiler.toolhive.release import OLDEST

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from mcpcfg.compiler.check.full import Report
    from mcpcfg.compiler.diagnostics.finding import Finding
    from mcpcfg.compiler.emit.target import Artifact, Target

THOROUGH = "MCPCFG_THOROUGH" in os.environ
SAMPLE = None if THOROUGH else 600
PARTS = 40 if THOROUGH else 4
FILES = (
    *(case.input for group in ("operator", "openshift", "composites") for case in cases(group)),
    *sorted((ROOT / "fixtures" / "rules").glob("*/*.yaml")),
)
PROJECTS = sorted((ROOT / "fixtures" / "projects").iterdir())
TARGETS: tuple[Target, ...] = ("runconfig", "vmcp")
ELSEWHERE = {
    "AUT041": "the variable with the token is missing in the pod",
    "CRT001": "the bundle stands in another object",
    "CRT002": "certificate and key stand in another object",
    "CRT003": "the key stands in another object",
    "EAS007": "the secret stands in another object",
    "ENV003": "variables are set twice in the pod",
    "ENV004": "variables that cannot be set are in the pod",
    "IMG003": "the image is an argument of the pod's command",
    "IMG004": "the kubelet reads the image after the objects are stored",
    "MRG008": "the arguments are those of the pod",
    "MRG010": "the registry server has a file of its own, which is checked as such",
    "MRG015": "the registry server has a file of its own, which is checked as such",
    "NAM001": "the name is that of a Service",
    "NAM003": "Kubernetes refuses the object",
    "OID003": "the file is missing in the pod",
    "OID016": "the file is missing in the pod",
    "POD003": "entries stand twice in the pod",
    "POD004": "the pod has no such volume or container",
    "POD007": "a control character reaches the pod alone",
    "POD005": "Kubernetes refuses the pod",
    "POD006": "Kubernetes refuses the pod",
    "REF010": "the Secret or its key is missing",
    "REF028": "the value stands in another object",
    "REF014": "the pod refers to nothing",
    "RES003": "the resources are those of the pod",
    "RES005": "the resources are those of the pod",
    "VMC013": "the backends are discovered when the process starts",
    "VMC224": "the variable is missing in the pod",
    "VOL004": "the volumes are those of the pod",
}
"""Rules about programs that do not start for another reason than the text that they read."""


def errors(made: Iterable[Artifact], report: Report) -> Iterator[str]:
    """Yield what the release that judges a report refuses in compiled texts."""
    release = report.project.settings.profile.judging_release
    for one in made:
        compiled = api.check(files={one.path: one.text}, options=Options(closed=True, release=release))
        assert not compiled.nothing, f"{one.path} is not recognised"
        yield from (f"{one.path}: {found.rule}: {found.message}" for found in compiled.findings if is_error(found))


def is_error(found: Finding) -> bool:
    return found.severity == "error"


def refused_later(report: Report) -> list[str]:
    """Return what is refused in the texts that are compiled of what a check takes."""
    if any(one.release != OLDEST for one in report.loaded.resources):
        return []  # another release runs these, and compiles them otherwise
    made = (one for target in TARGETS for one in api.build(report, target, keep_going=True).files)
    return list(errors(made, report))


def refused_alone(report: Report) -> set[str]:
    """Return the rules by which a program would not start, though all that it reads is compiled without an error."""
    stages = defaultdict(set)
    for one in report.findings:
        if is_error(one) and one.stage != "lint":
            stages[one.subject].add(one.stage)
    if None in stages or set().union(*stages.values()) != {"process"}:
        return set()  # a text that stands alone, or what is not compiled for another reason
    admitted = [one for one in report.loaded.resources if one.admitted]
    surroundings = Build(report.workspace, OperatorSettings())
    made = (one for target in TARGETS for one in artifacts(target, surroundings, admitted)[0])
    rules = {one.rule for one in report.findings if is_error(one) and one.stage == "process"}
    return set() if rules <= ELSEWHERE.keys() or any(errors(made, report)) else rules - ELSEWHERE.keys()


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_compiled_output_of_accepted_fixtures_is_accepted_by_its_own_checks(file: Path) -> None:
    report = api.check(file, options=Options(release=OLDEST))

    assert refused_later(report) == []
    assert refused_alone(report) == set()


@pytest.mark.parametrize("project", PROJECTS, ids=lambda path: path.name)
def test_so_have_example_projects(project: Path) -> None:
    assert refused_later(api.check(project, options=Options(release=OLDEST))) == []


@pytest.mark.parametrize("part", range(PARTS))
def test_so_have_projects_drawn_from_the_models(part: int) -> None:
    drawn = [one for position, one in enumerate(varied(SAMPLE)) if position % PARTS == part]
    options = Options(release=OLDEST)
    reports = {one.name: api.check(files={"project.yaml": one.text}, options=options) for one in drawn}

    assert len(reports) == len(drawn) > 0
    assert {name: found for name, report in reports.items() if (found := refused_later(report))} == {}
    assert {name: rules for name, report in reports.items() if (rules := refused_alone(report))} == {}
