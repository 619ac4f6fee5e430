"""What compile steps write stands in the order that the models declare."""

from __future__ import annotations

import pytest
from recorded import Case, cases, checked

from mcpcfg.compiler.emit import runconfig
from mcpcfg.compiler.emit.build import Build
from mcpcfg.compiler.emit.runconfig_target import STEPS
from mcpcfg.compiler.records.shape import decode, encode
from mcpcfg.compiler.toolhive.operator import OperatorSettings

CASES = [case for case in cases("operator")[::7] if any(kind in STEPS for kind, _, _ in case.accepted)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.folder.name)
def test_every_run_config_reads_and_writes_back_the_same(case: Case) -> None:
    outcome = checked(case)
    build = Build(outcome.workspace, OperatorSettings())
    for resource in outcome.loaded.resources:
        if resource.kind in STEPS and (resource.kind, resource.printed_namespace, resource.name) in case.accepted:
            config = STEPS[resource.kind](build, resource)
            record, misfits, unknown = decode(config, "RunConfig")

            assert (misfits, unknown) == ([], [])
            assert runconfig.text(encode(record, "RunConfig")) == runconfig.text(config)
