"""The configuration is a mapping, and what it sets the severity of has to be a rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mcpcfg.compiler.diagnostics.span import InputError
from mcpcfg.compiler.project.settings_file import read_settings

if TYPE_CHECKING:
    from pathlib import Path


def settings_file(folder: Path, rules: str) -> str:
    file = folder / "mcpcfg.yaml"
    file.write_text(f"rules:\n{rules}")
    return str(file)


@pytest.mark.parametrize(
    ("id_", "hint"),
    [
        ("img001", " (did you mean IMG001?)"),
        ("untagged-image", " (did you mean IMG001?)"),
        ("IMG1", " (did you mean IMG001?)"),
        ("zzzzzz", ""),
    ],
)
def test_an_id_that_no_rule_has_is_reported_with_its_place(tmp_path: Path, id_: str, hint: str) -> None:
    file = settings_file(tmp_path, f"  {id_}: off\n")

    with pytest.raises(InputError) as raised:
        read_settings(file)

    assert str(raised.value).splitlines()[1] == f'  {file}:2:3: there is no rule "{id_}"{hint}'


def test_rules_of_ours_and_of_the_project_may_have_a_severity(tmp_path: Path) -> None:
    own = "customRules:\n- {id: OWN001, kind: MCPServer, expression: 'true', message: never}\n"
    file = settings_file(tmp_path, f"  PRF003: warning\n  OWN001: off\n{own}")

    assert read_settings(file).rules == {"PRF003": "warning", "OWN001": "off"}


def test_a_configuration_that_is_a_text_is_a_fault_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "mcpcfg.yaml"
    file.write_text("some text\n")

    with pytest.raises(InputError) as raised:
        read_settings(str(file))

    assert str(raised.value).splitlines()[1] == f'  {file}:1:1: the file must be a mapping, not "some text"'


@pytest.mark.parametrize(
    ("row", "column", "message"),
    [
        ("{id: IMG001, kind: MCPServer, expression: 'true', message: m}", 8, "IMG001 is a rule of mcpcfg already"),
        ("{id: OWN001, kind: Pod, expression: 'true', message: m}", 22, '"Pod" is no kind that rules can look at'),
    ],
)
def test_a_fault_of_an_own_rule_stands_at_its_field(tmp_path: Path, row: str, column: int, message: str) -> None:
    file = tmp_path / "mcpcfg.yaml"
    file.write_text(f"customRules:\n- {row}\n")

    with pytest.raises(InputError) as raised:
        read_settings(str(file))

    assert str(raised.value).splitlines()[1:] == [f"  {file}:2:{column}: {message}"]
