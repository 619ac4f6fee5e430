"""JSON Schemas of the bodies of requests and answers, against a library that knows schemas."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from mcpcfg.compiler.check.record import checker
from mcpcfg.compiler.cli.main import main
from mcpcfg.compiler.generate.explain.schema_place import OTHER_NAMES
from mcpcfg.compiler.generate.record import ANSWERS, OUTPUTS, SCHEMAS, TOOLS
from mcpcfg.compiler.generate.schema_file import schema_names, schema_text
from mcpcfg.compiler.project.input_kind import KINDS, kind_named
from mcpcfg.compiler.reading.document import read_documents
from mcpcfg.compiler.toolhive.machine import Environment

from .conftest import FIXTURES

BODIES: dict[str, dict[str, list[Any]]] = json.loads((FIXTURES / "bodies.json").read_text("utf-8"))


def schema(name: str) -> Any:
    text = schema_text(name)
    assert text is not None
    return json.loads(text)


@pytest.mark.parametrize("name", SCHEMAS | ANSWERS)
def test_every_schema_is_a_valid_json_schema_with_title_and_description(name: str) -> None:
    found = schema(name)
    validator = jsonschema.validators.validator_for(found)
    validator.check_schema(found)
    assert found["title"]
    assert found["description"]


@pytest.mark.parametrize("name", BODIES)
def test_a_body_fits_its_schema(name: str) -> None:
    for body in BODIES[name]["valid"]:
        jsonschema.validate(body, schema(name))


@pytest.mark.parametrize("name", BODIES)
def test_a_wrong_body_does_not_fit_its_schema(name: str) -> None:
    for body in BODIES[name]["invalid"]:
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(body, schema(name))


def test_sound_examples_fit_their_schemas() -> None:
    examples = json.loads((FIXTURES / "rules.json").read_text("utf-8"))["bases"]
    names = {"registry-upstream": "registry", "registry-legacy": "registry-legacy", "profile": "permission-profile"}
    for base, example in examples.items():
        name = names.get(base) or {"workload": "workload-request"}.get(example["kind"], example["kind"])
        jsonschema.validate(example["document"], schema(name))


KIND_OF_SCHEMA = {"registry-legacy": "registry"} | {schema: kind for kind, schema in OTHER_NAMES.items()}
"""Schemas of a kind of input that has another name."""


@pytest.mark.parametrize("name", BODIES)
def test_a_body_is_checked_as_its_schema_says(name: str) -> None:
    kind = kind_named(KIND_OF_SCHEMA.get(name, name))
    assert kind is not None
    for is_sound, bodies in ((True, BODIES[name]["valid"]), (False, BODIES[name]["invalid"])):
        for body in bodies:
            documents, refused = read_documents(json.dumps(body), "body.json")
            found = checker(kind)(documents[0], {kind.name: documents}, Environment())
            assert not refused
            assert (not [one for one in found if one.severity != "info"]) == is_sound, (body, found)


def test_every_published_schema_of_a_file_is_a_kind_of_input() -> None:
    kinds = {kind.name for kind in KINDS}
    of_files = [name for name in schema_names() if name[0].islower() and name not in OUTPUTS | TOOLS]
    assert [name for name in of_files if KIND_OF_SCHEMA.get(name, name) not in kinds] == []


COMMANDS: dict[str, tuple[str, ...]] = {
    "client-status-list": ("client", "list", "--home", "home"),
    "registry-list": ("registry", "list", "registry.json", "upstream.json"),
    "registry-detail": ("registry", "show", "registry.json"),
    "registry-server-list": ("registry", "list", "registry.json", "--servers"),
    "registry-server-result": ("registry", "show", "registry.json", "fetch"),
    "server": ("registry", "show", "upstream.json", "weather", "--record"),
    "server-record-list": ("registry", "search", "upstream.json"),
    "registry-skill-list": ("registry", "skills", "upstream.json"),
    "installed-skill-list": ("skill", "list", "--home", "home"),
    "skill-details": ("skill", "show", "pdf", "--home", "home"),
    "skill-content": ("skill", "show", "skills/pdf"),
    "skill-validation": ("skill", "validate", "skills/pdf"),
    "workload-details": ("workload", "show", "runconfigs/weather.json"),
    "workload-list": ("workload", "list", "runconfigs", "--statuses", "statuses", "--all"),
}
"""Schema to the command whose answer it describes."""


@pytest.mark.parametrize("name", COMMANDS)
def test_the_output_of_a_command_fits_its_schema(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(FIXTURES / "project")
    with pytest.raises(SystemExit, match="0"):
        main([*COMMANDS[name], "--format", "json"])
    answer = json.loads(capsys.readouterr().out)
    assert answer
    jsonschema.validate(answer, schema(name))
