"""No object is compiled in silence that Kubernetes would send back, and none is called so that it would take."""

from __future__ import annotations

import copy
import random
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from recorded import ROOT, beyond, cases, checked

from mcpcfg.compiler.api import check
from mcpcfg.compiler.check.compilable import compilable
from mcpcfg.compiler.emit.build import Build
from mcpcfg.compiler.emit.target import OBJECT_STEPS, compiled_objects
from mcpcfg.compiler.kube.validation.object import object_faults
from mcpcfg.validators.registry import rules_of
from mcpcfg.validators.rules import refused_object

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcpcfg.compiler.check.full import Report

GROUPS = ("operator", "openshift", "composites")
IDS = {rule.id for rule in rules_of(refused_object)}
ODD: tuple[Any, ...] = (
    "A b",
    "",
    "x" * 70,
    "../..",
    "-1",
    "a/b",
    "..",
    ".a",
    "A=B",
    "-x",
    -1,
    70000,
    True,
    None,
    [],
    {},
)
"""Values that some field does not take."""
SAMPLE = 400


def refused(report: Report) -> list[str]:
    """Name the compiled objects of a report that Kubernetes refuses, with the first reason."""
    build = Build(report.workspace, report.project.settings.operator)
    resources = compilable(report).resources
    return [
        f"{compiled['kind']} {compiled['metadata']['name']}: {fault.path} {fault.message}"
        for target in OBJECT_STEPS
        for _, compiled in compiled_objects(target, build, resources)
        for fault in object_faults(compiled)
    ]


def test_recorded_cases_could_show_none_of_these_faults() -> None:
    assert beyond().keys() >= IDS


def test_the_operators_own_objects_are_refused_where_a_check_says_so() -> None:
    """What is recorded as created and Kubernetes takes has no finding; the recordings kept what it would refuse."""
    for group in GROUPS:
        for case in cases(group):
            report = checked(case)
            assert refused(report) == []
            wrong = {finding.subject for finding in report.findings if finding.rule in IDS and finding.subject}
            for subject in wrong & case.accepted:
                made = {**case.objects("objects.yaml"), **case.objects("backend.yaml")}
                assert any(any(object_faults(made[one])) for one in made if one[1] == subject[1]), case.folder


@pytest.mark.parametrize("folder", sorted((ROOT / "fixtures" / "projects").iterdir()), ids=lambda folder: folder.name)
def test_no_project_compiles_to_what_kubernetes_refuses(folder: Any) -> None:
    assert refused(check(folder)) == []


def test_no_odd_value_gets_into_an_object_in_silence() -> None:
    jobs = list(odd_projects())
    drawn = random.Random(0).sample(jobs, SAMPLE)
    reports = [check(files={"all.yaml": yaml.safe_dump_all(documents, sort_keys=False)}) for documents in drawn]
    found = {rule.id for rule in rules_of(refused_object)} & {
        finding.rule for report in reports for finding in report.findings
    }
    assert [reason for report in reports for reason in refused(report)] == []
    assert len(found) >= 3


def odd_projects() -> Iterator[list[dict[str, Any]]]:
    """Yield sound projects in which one value, or one key, is replaced by an odd one."""
    texts = [path.read_text("utf-8") for path in sorted((ROOT / "fixtures" / "sound").glob("*.yaml"))]
    texts += [case.input.read_text("utf-8") for case in cases("operator") if len(case.accepted) == len(case.verdicts)][
        :60
    ]
    seen: set[tuple[Any, ...]] = set()
    for text in texts:
        documents = [one for one in yaml.safe_load_all(text) if one]
        for place, path, is_key in ((i, *leaf) for i, one in enumerate(documents) for leaf in leaves(one.get("spec"))):
            kind = documents[place]["kind"], tuple(step for step in path if isinstance(step, str)), is_key
            if kind in seen:
                continue
            seen.add(kind)
            for odd in ODD:
                if isinstance(odd, str) or not is_key:
                    yield replaced(documents, place, ("spec", *path), odd, is_key=is_key)


def leaves(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], bool]]:
    """Yield the paths of single values, and of keys."""
    if isinstance(value, dict):
        for key, held in value.items():
            yield (*path, key), True
            yield from leaves(held, (*path, key))
    elif isinstance(value, list):
        for i, held in enumerate(value):
            yield from leaves(held, (*path, i))
    else:
        yield path, False


def replaced(
    documents: list[dict[str, Any]], place: int, path: tuple[str | int, ...], odd: Any, *, is_key: bool
) -> list[dict[str, Any]]:
    changed = copy.deepcopy(documents)
    holder: Any = changed[place]
    for step in path[:-1]:
        holder = holder[step]
    if is_key:
        holder[odd] = holder.pop(path[-1])
    else:
        holder[path[-1]] = odd
    return changed
