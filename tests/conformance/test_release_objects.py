"""Objects that are compiled for a later release equal those that its operator created."""

from __future__ import annotations

import pytest
from recorded import SHARED, Case, first_difference, identity, read_all

from mcpcfg.compiler.check.full import Options, check
from mcpcfg.compiler.emit.build import Build
from mcpcfg.compiler.emit.target import artifacts, stream
from mcpcfg.compiler.project.discovery import discover
from mcpcfg.compiler.toolhive.operator import OperatorSettings

RECORDED = SHARED.parent / "conformance-0.44.0" / "operator"
EXACT = ("MCPServer", "MCPRemoteProxy", "VirtualMCPServer", "EmbeddingServer")
"""Kinds of which every object is compared."""
STORED = ("stored", "process-refuses")
CASES = [Case(folder) for folder in sorted(RECORDED.iterdir())[::4]] if RECORDED.is_dir() else []


def accepted(case: Case) -> set[tuple[str, str, str]]:
    rows = (row for row in case.verdicts if row["verdict"] in STORED and row["kind"] in EXACT)
    return {(row["kind"], row["namespace"], row["name"]) for row in rows}


@pytest.mark.skipif(not CASES, reason="the recorded cases of 0.44.0 are not on this machine")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.folder.name)
def test_every_object_of_a_workload_equals_the_recorded_one_of_release_0_44_0(case: Case) -> None:
    outcome = check(discover((str(case.input),), release="0.44.0"), Options(closed=True))
    own = accepted(case)
    refused = {
        (r.kind, r.printed_namespace, r.name) for r in outcome.loaded.resources if outcome.workspace.is_refused(r)
    }
    resources = [
        r
        for r in outcome.loaded.resources
        if (r.kind, r.printed_namespace, r.name) in own - refused and not outcome.workspace.verdicts.errors(r)
    ]
    compiled = {(r.kind, r.printed_namespace, r.name) for r in resources}
    made, collisions = artifacts("kubernetes", Build(outcome.workspace, OperatorSettings()), resources)
    have = {identity(one): one for one in read_all(stream("kubernetes", made))}
    want = {
        key: one
        for key, one in case.objects("objects.yaml").items()
        if any(
            (owner["kind"], key[1], owner["name"]) in compiled for owner in one["metadata"].get("ownerReferences", [])
        )
    }

    assert not collisions
    assert set(have) == set(want)
    differences = {key: first_difference(want[key], have[key]) for key in want}
    assert not {key: found for key, found in differences.items() if found}
