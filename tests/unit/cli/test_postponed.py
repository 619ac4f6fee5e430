"""Modules that are imported late are the real ones as soon as something asks for more than the start needs."""

from __future__ import annotations

import inspect
import platform
import sys
from typing import Any

import pytest

from mcpcfg.compiler.cli.postponed import postpone

DOCS = ["", "Text.", "  Text. ", "\tText\tafter a tab.", "Text.\n\n    More text.\n      Indented.\n", "\n  Text.\n"]


@pytest.fixture
def postponed(monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Any]:
    """Return ``inspect`` and ``platform`` as a new process finds them after ``postpone``."""
    for name in ("inspect", "platform"):
        monkeypatch.delitem(sys.modules, name)
    postpone()
    return sys.modules["inspect"], sys.modules["platform"]


@pytest.mark.parametrize("doc", DOCS)
def test_a_help_text_is_cleaned_as_inspect_does(doc: str, postponed: tuple[Any, Any]) -> None:
    assert postponed[0].cleandoc(doc) == inspect.cleandoc(doc)


@pytest.mark.skipif(sys.platform == "win32", reason="os.uname is not there, and nothing is postponed")
def test_the_system_is_the_one_that_platform_names(postponed: tuple[Any, Any]) -> None:
    assert postponed[1].system() == platform.system()


def test_one_line_imports_nothing_and_any_other_function_imports_the_module(postponed: tuple[Any, Any]) -> None:
    stand_in = postponed[0]
    assert stand_in.cleandoc("Text.") == "Text."
    assert sys.modules["inspect"] is stand_in
    assert stand_in.isfunction(test_a_help_text_is_cleaned_as_inspect_does)
    assert sys.modules["inspect"] is not stand_in
    assert stand_in.cleandoc is sys.modules["inspect"].cleandoc
    assert stand_in.__file__ == sys.modules["inspect"].__file__


def test_a_name_that_a_module_has_not_is_an_attribute_error(postponed: tuple[Any, Any]) -> None:
    assert not hasattr(postponed[0], "no_such_function")
    assert not hasattr(postponed[1], "__path__")


def test_modules_that_are_imported_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "inspect", inspect)
    postpone()
    assert sys.modules["inspect"] is inspect
