"""A rule states the models of all kinds that it is registered for."""

from __future__ import annotations

from importlib import import_module

import pytest

from mcpcfg.compiler.models import spec
from mcpcfg.validators.registry import MODULES

ALIASES = vars(spec)
STATED = [
    pytest.param(kind, check, id=f"{module.name}.{check.__name__}-{kind}")
    for module in MODULES
    for kind, checks in getattr(import_module(f"mcpcfg.validators.rules.{module.name}"), "CHECKS", {}).items()
    for check in checks
    if check.__annotations__["resource"] not in {"Resource", "Resource[Any]"}
]


@pytest.mark.parametrize(("kind", "check"), STATED)
def test_a_rule_states_the_model_of_its_kind(kind: str, check: object) -> None:
    stated = check.__annotations__["resource"].removeprefix("Resource[").removesuffix("]").split(" | ")
    models = {model.__name__ for name in stated for model in getattr(ALIASES.get(name), "__args__", ())}
    assert f"{kind}Spec" in models | set(stated)
