"""The configuration is a mapping, and what it sets the severity of has to be a rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_type_hints

import pytest

from mcpcfg.compiler.check.full import Options, check
from mcpcfg.compiler.diagnostics.span import InputError
from mcpcfg.compiler.models.settings import SettingsFile
from mcpcfg.compiler.project.discovery import discover
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


def test_built_in_and_custom_rules_may_have_a_severity(tmp_path: Path) -> None:
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
        ("{id: OWN001, kind: Pod, expression: 'true', message: m}", 22, '"Pod" is not a kind that rules can check'),
    ],
)
def test_a_fault_of_a_custom_rule_is_at_its_field(tmp_path: Path, row: str, column: int, message: str) -> None:
    file = tmp_path / "mcpcfg.yaml"
    file.write_text(f"customRules:\n- {row}\n")

    with pytest.raises(InputError) as raised:
        read_settings(str(file))

    assert str(raised.value).splitlines()[1:] == [f"  {file}:2:{column}: {message}"]


FIELDS = sorted(get_type_hints(SettingsFile))


@pytest.mark.parametrize("field", FIELDS)
def test_an_empty_section_equals_a_missing_one(tmp_path: Path, field: str) -> None:
    file = tmp_path / "mcpcfg.yaml"
    file.write_text(f"{field}:\n")

    assert read_settings(str(file)) == read_settings(settings_file(tmp_path, ""))._replace(file=str(file))


@pytest.mark.parametrize("field", [one for one in FIELDS if one != "proxyHost"])
@pytest.mark.parametrize("value", ["$X", "${X}"])
def test_placeholders_in_a_configuration_are_ordinary_texts(tmp_path: Path, field: str, value: str) -> None:
    file = tmp_path / "mcpcfg.yaml"
    file.write_text(f"{field}: {value}\n")
    if field == "baseline":  # any text is the name of a file
        assert read_settings(str(file)).baseline == value
        return

    with pytest.raises(InputError) as raised:
        read_settings(str(file))

    assert value in str(raised.value)


@pytest.mark.parametrize(
    "text",
    [
        b"[tool.mcpcfg]\n\xff = 1\n",
        b"[tool.mcpcfg]\na = " + b"[" * 5000 + b"]" * 5000,
        b"[tool.mcpcfg]\na = " + b"9" * 5000,
        b"[tool.mcpcfg]\nfailOn = '${X}'\n",
        b"[tool.mcpcfg]\nimages = 'x'\n",
        b"[tool.mcpcfg]\ncustomRules = '${X}'\n",
        b"[tool]\nmcpcfg = 'word'\n",
    ],
)
def test_a_table_that_cannot_be_used_is_a_fault_of_the_configuration(tmp_path: Path, text: bytes) -> None:
    file = tmp_path / "pyproject.toml"
    file.write_bytes(text)

    with pytest.raises(InputError):
        read_settings(str(file))


@pytest.mark.parametrize("text", ["tool = 1\n", "tool = ['a']\n", "# [tool.mcpcfg]\n"])
def test_tables_of_other_programs_in_pyproject_are_ignored(tmp_path: Path, text: str) -> None:
    file = tmp_path / "pyproject.toml"
    file.write_text(text)

    assert read_settings(str(file)).rules == {}


def test_a_configuration_can_be_checked_as_an_input(tmp_path: Path) -> None:
    file = tmp_path / "team.yaml"
    file.write_text("namspace: tools\nrules: {REF001: warning}\n")

    (found,) = check(discover((str(file),)), Options(first=str(file), read_as="mcpcfg")).findings

    assert (found.rule, found.span.line, found.hint) == ("CFG011", 1, 'did you mean "namespace"?')
    file.write_text("namespace: tools\nrules: {REF001: warning}\n")
    assert check(discover((str(file),)), Options(first=str(file), read_as="mcpcfg")).findings == []
