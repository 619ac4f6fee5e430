"""The registry sends each resource to every check that applies to it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from mcpcfg.compiler.workspace.chart_release import FILES, INSTALLING
from mcpcfg.compiler.workspace.other_kind import GROUPS
from mcpcfg.validators.registry import MODULES, ORDER, Module
from mcpcfg.validators.rule import fields_of


def _code(module: Module) -> Any:
    return import_module(f"mcpcfg.validators.rules.{module.name}")


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)
def test_a_module_lists_every_kind_that_it_has_checks_for(module: Module) -> None:
    code = _code(module)

    assert hasattr(code, "PROJECT_RULES") is (module.scope != "resource")
    assert hasattr(code, "CHECKS") is (module.scope != "project")
    assert set(module.kinds) <= {*ORDER, *GROUPS, *FILES}
    assert set(getattr(code, "CHECKS", module.kinds)) == set(module.kinds)


@pytest.mark.parametrize("module", [one for one in MODULES if one.fields], ids=lambda module: module.name)
def test_a_module_lists_every_field_that_its_checks_read(module: Module) -> None:
    checks = [check for of_kind in getattr(_code(module), "CHECKS", {}).values() for check in of_kind]

    assert {field for check in checks for field in fields_of(check)} <= set(module.fields)


def test_each_module_is_listed_once() -> None:
    assert len({module.name for module in MODULES}) == len(MODULES)


@pytest.mark.parametrize("name", ["chart_value", "release_skew"])
def test_rules_about_charts_list_every_kind_that_installs_charts(name: str) -> None:
    [module] = [one for one in MODULES if one.name == name]

    assert set(module.kinds) == set(INSTALLING)
