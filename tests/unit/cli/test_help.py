"""The help of the program and of its commands."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from calling import call

from mcpcfg.compiler.cli.main import GROUPS


def titles(text: str) -> list[str]:
    return re.findall(r"^(\w[^:]*):$", text, re.MULTILINE)


def test_the_help_lists_commands_in_groups() -> None:
    outcome = call("--help")
    assert titles(outcome.out) == ["Options", *GROUPS]
    assert all(f"\n  {name} " in outcome.out for commands in GROUPS.values() for name in commands)


@pytest.mark.parametrize(
    ("command", "sections"),
    [
        ("check", ["Input", "Report", "Limits of the report", "Fixes", "Run"]),
        ("build", ["Output", "Input", "Report", "Environment of the operator", "Workload requests"]),
        ("graph", ["Output", "Input"]),
    ],
)
def test_options_are_in_sections(command: str, sections: list[str]) -> None:
    outcome = call(command, "--help")
    assert titles(outcome.out) == [*sections, "Other options"]
    assert re.findall(r"^  -.*", outcome.out.partition("Other options:")[2], re.MULTILINE) == [
        "  -h, --help  Show this message and exit."
    ]


@pytest.mark.parametrize("option", ["--limit", "--page"])
def test_a_page_of_a_registry_is_a_number(option: str) -> None:
    outcome = call("registry", "search", "registry.json", option, "many")
    assert outcome.status == 2
    assert f"Invalid value for '{option}': 'many' is not a valid integer" in outcome.err


def test_the_help_imports_no_command() -> None:
    code = "import sys; sys.argv[1:] = ['--help']; from mcpcfg.compiler.cli.main import main\ntry: main()\nfinally: "
    code += "print('modules:', *sorted(name for name in sys.modules if name.startswith('mcpcfg.compiler.')))"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    imported = done.stdout.partition("modules: ")[2].split()
    assert {name.removeprefix("mcpcfg.compiler.") for name in imported} == {
        "cli",
        "cli.main",
        "cli.status",
        "diagnostics",
        "diagnostics.named_tuple",
        "diagnostics.span",
        "diagnostics.version",
    }
