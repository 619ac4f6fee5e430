"""The skill for agents passes our own check, and what it recommends works."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

import click
import pytest
from calling import call

from mcpcfg.compiler.cli.main import program

FOLDER = Path(__file__).parents[1] / "skills" / "mcpcfg"
TEXTS = {path.relative_to(FOLDER).as_posix(): path.read_text("utf-8") for path in sorted(FOLDER.rglob("*.md"))}
BLOCKS = [
    (name, dedent(block))
    for name, text in TEXTS.items()
    for block in re.findall(r"^ *```yaml\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL)
]


def test_the_skill_passes_the_check_of_skills() -> None:
    outcome = call("check", "--as", "skill", str(FOLDER), "--fail-on", "info", "--format", "json")
    assert outcome.status == 0
    assert call("skill", "validate", str(FOLDER)).out == "valid\n"


def test_every_reference_is_named_and_there() -> None:
    named = set(re.findall(r"\]\((references/[^)]+)\)", TEXTS["SKILL.md"]))

    assert named == TEXTS.keys() - {"SKILL.md"}


@pytest.mark.parametrize(("name", "block"), [case for case in BLOCKS if case[1].startswith("apiVersion")])
def test_the_resources_of_a_recipe_have_no_errors(name: str, block: str, tmp_path: Path) -> None:
    (tmp_path / "resource.yaml").write_text(block, "utf-8")

    outcome = call("check", str(tmp_path))

    assert outcome.status == 0, (name, outcome.out)


def test_the_recipe_for_oidc_works_as_a_whole(tmp_path: Path) -> None:
    provider, reference, policies = (block for name, block in BLOCKS if name == "references/oidc.md")
    server = "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPServer\nmetadata: {name: fetch, namespace: tools}\n"
    spec = f"{reference}  image: a:1\n  transport: stdio\n{policies.removeprefix('spec:' + chr(10))}"
    (tmp_path / "all.yaml").write_text(f"{provider}---\n{server}{spec}", "utf-8")

    assert call("check", str(tmp_path)).status == 0
    asked = ("simulate", "authz", "fetch", str(tmp_path), "--principal", "alice", "--resource", "fetch")
    pytest.importorskip("cedarpy")
    assert call(*asked).out.startswith("allowed")


def test_every_command_and_option_of_the_skill_exists() -> None:
    calls = [span for text in TEXTS.values() for span in re.findall(r"`mcpcfg ([a-z][^`]*)`", text)]
    assert len(calls) > 20
    for words in map(str.split, calls):
        command: click.Command = program
        context = click.Context(program)
        while words and isinstance(command, click.Group):
            inner = command.get_command(context, words.pop(0))
            assert inner is not None, words
            command = inner
        options = {option for parameter in command.params for option in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= options, words
