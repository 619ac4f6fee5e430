"""Surveys note the same about a resource whichever part of the files it is judged with."""

from __future__ import annotations

from importlib import import_module

import pytest

from mcpcfg.validators.registry import MODULES, ORDER, Module, surveys

WHOLE = [module for module in MODULES if module.whole]


@pytest.mark.parametrize("module", WHOLE, ids=lambda module: module.name)
def test_a_survey_is_made_wherever_a_kind_occurs_that_it_notes_something_of(module: Module) -> None:
    for survey in import_module(f"mcpcfg.validators.rules.{module.name}").SURVEYS:
        assert set(survey.kinds) <= set(module.kinds), survey.name
        assert set(survey.kinds) <= set(ORDER), survey.name


def test_surveys_are_told_from_one_another_by_their_names() -> None:
    names = [survey.name for survey in surveys(ORDER)]
    assert len(names) >= len(WHOLE)
    assert len(names) == len(set(names))
