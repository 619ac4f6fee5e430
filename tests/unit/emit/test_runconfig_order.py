"""Compile steps return fields in any order; the models decide how they are written."""

from __future__ import annotations

from typing import Any

import pytest
from recorded import Case, cases, checked

from mcpcfg.compiler.emit import runconfig
from mcpcfg.compiler.emit.build import Build
from mcpcfg.compiler.emit.runconfig import STEPS
from mcpcfg.compiler.records._structs import PARAMETERS
from mcpcfg.compiler.records.shape import decode
from mcpcfg.compiler.toolhive.operator import OperatorSettings
from mcpcfg.compiler.toolhive.release import NEWEST_KNOWN

CASES = [case for case in cases("operator")[::7] if any(kind in STEPS for kind, _, _ in case.accepted)]


def reversed_keys(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: reversed_keys(value[key]) for key in reversed(value)}
    return [reversed_keys(item) for item in value] if isinstance(value, list) else value


def assert_fields(data: Any, struct: str) -> None:
    _, misfits, unknown = decode(data, struct, NEWEST_KNOWN)
    # The operator drops the annotations of tools.
    assert (misfits, [path for path in unknown if path[::2] != ("tools_override", "annotations")]) == ([], [])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.folder.name)
def test_a_step_returns_only_fields_of_the_models_and_their_order_has_no_effect(case: Case) -> None:
    outcome = checked(case)
    build = Build(outcome.workspace, OperatorSettings())
    for resource in outcome.loaded.resources:
        if resource.kind in STEPS and (resource.kind, resource.printed_namespace, resource.name) in case.accepted:
            config = STEPS[resource.kind](build, resource)
            assert_fields(config, "RunConfig")
            for middleware in config["middleware_configs"]:
                if middleware["type"] in PARAMETERS:
                    assert_fields(middleware["parameters"], PARAMETERS[middleware["type"]])
            free = {"authz_config", "middleware_configs"}  # their documents keep the order of the user
            turned = {key: value if key in free else reversed_keys(value) for key, value in reversed(config.items())}
            assert runconfig.text(turned, resource) == runconfig.text(config, resource)
