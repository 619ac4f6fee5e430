"""click is imported without what no command needs, and everybody else gets the real modules."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from typing import Any

import click
import pytest

from mcpcfg.compiler.cli import main, postponed

DOCS = ["", "Text.", "  Text. ", "\tText\tafter a tab.", "Text.\n\n    More text.\n      Indented.\n", "\n  Text.\n"]

PROGRAM = """\
import json, sys, typing
compiled = []
sys.addaudithook(lambda event, given: compiled.append(str(given[1])) if event == "compile" else None)
forward_ref = typing.ForwardRef
from mcpcfg.compiler.cli.postponed import import_click
import_click()
names = {"datetime", "gettext", "inspect", "threading", "uuid"}
import click.core
out = {"imported": sorted(names & {*sys.modules}), "compiled": compiled.count("<string>")}
real = [__import__(name) for name in sorted(names)]
out["real"] = [module.__name__ for module in real if not isinstance(module, click.core.inspect.__class__)]
out["files"] = [bool(module.__file__) for module in real]
out["restored"] = typing.ForwardRef is forward_ref
out["asked"] = click.core.inspect.isfunction(import_click)
print(json.dumps(out))
"""


def after_import() -> dict[str, Any]:
    """Import click in a new process, and return what the process has then."""
    done = subprocess.run([sys.executable, "-P", "-c", PROGRAM], capture_output=True, text=True, check=True, timeout=60)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def test_click_imports_none_of_the_modules_and_compiles_no_annotation() -> None:
    result = after_import()
    assert (result["imported"], result["compiled"]) == ([], 0)


def test_other_importers_get_the_real_modules() -> None:
    result = after_import()
    assert result["real"] == ["datetime", "gettext", "inspect", "threading", "uuid"]
    assert (all(result["files"]), result["restored"]) == (True, True)


def test_a_name_that_no_stand_in_has_is_that_of_the_real_module() -> None:
    assert after_import()["asked"] is True


@pytest.mark.parametrize("doc", DOCS)
def test_a_help_text_is_cleaned_as_inspect_does(doc: str) -> None:
    assert postponed._cleandoc(doc) == inspect.cleandoc(doc)


@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_number_of_things_is_named_in_english(number: int) -> None:
    assert postponed._untranslated("value", "values", number) == ("value" if number == 1 else "values")


def commands(command: click.Command) -> list[click.Command]:
    if not isinstance(command, click.Group):
        return [command]
    context = click.Context(command)
    below = [command.get_command(context, name) for name in command.list_commands(context)]
    return [one for inner in below if inner is not None for one in commands(inner)]


def test_no_option_is_a_date_or_a_uuid() -> None:
    types = {type(parameter.type) for command in commands(main.program) for parameter in command.params}
    assert len(types) > 3
    assert not types & {click.DateTime, type(click.UUID)}
