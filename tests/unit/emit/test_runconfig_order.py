"""What compile steps write stands in the order that the models declare."""

from __future__ import annotations

import pytest
from recorded import Case, cases, checked

from mcpcfg.compiler.emission import shape
from mcpcfg.compiler.emit import runconfig
from mcpcfg.compiler.emit.build import Build
from mcpcfg.compiler.emit.runconfig_target import STEPS
from mcpcfg.compiler.project.settings import OperatorSettings


@pytest.mark.parametrize("case", cases("operator")[::7], ids=lambda case: case.folder.name)
def test_every_run_config_is_already_in_the_shape_of_its_model(case: Case) -> None:
    outcome = checked(case)
    build = Build(outcome.workspace, OperatorSettings())
    for resource in outcome.loaded.resources:
        if resource.kind in STEPS and (resource.kind, resource.printed_namespace, resource.name) in case.accepted:
            config = STEPS[resource.kind](build, resource)
            # An authorization document is passed on as the user wrote it; everything else is ours.
            given = config.get("authz_config")
            shaped = shape(config, "RunConfig")
            if given is not None:
                shaped["authz_config"] = given

            assert runconfig.text(shaped) == runconfig.text(config)
