"""Compiled objects equal those that the real operator and proxy runner created."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from recorded import Case, cases, checked, first_difference, identity, read_all

from mcpcfg.compiler.emit.build import Build
from mcpcfg.compiler.emit.target import artifacts, stream
from mcpcfg.compiler.toolhive.operator import OperatorSettings

if TYPE_CHECKING:
    from mcpcfg.compiler.toolhive.operator import Platform

CASES = [*cases("operator"), *cases("openshift")]
FILES = {"kubernetes": "objects.yaml", "backend": "backend.yaml"}


def owner_of(target: str, compiled: dict[str, Any], accepted: set[tuple[str, str, str]]) -> bool:
    namespace = compiled["metadata"].get("namespace", "default")
    if target == "backend":
        return ("MCPServer", namespace, compiled["metadata"]["labels"]["app"]) in accepted
    owners = compiled["metadata"].get("ownerReferences", [])
    return any((owner["kind"], namespace, owner["name"]) in accepted for owner in owners)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.folder.parent.name}/{case.folder.name}")
def test_every_object_of_an_accepted_resource_equals_the_recorded_one(case: Case) -> None:
    outcome = checked(case)
    platform: Platform = "openshift" if case.folder.parent.name == "openshift" else "kubernetes"
    build = Build(outcome.workspace, OperatorSettings(platform=platform))
    accepted = case.accepted
    resources = [r for r in outcome.loaded.resources if (r.kind, r.printed_namespace, r.name) in accepted]
    for target, file in FILES.items():
        made, collisions = artifacts(target, build, resources)
        have = {identity(one): one for one in read_all(stream(target, made))}
        want = {key: one for key, one in case.objects(file).items() if owner_of(target, one, accepted)}

        assert not collisions
        assert set(have) == set(want)
        differences = {key: first_difference(want[key], have[key]) for key in want}
        assert not {key: found for key, found in differences.items() if found}
