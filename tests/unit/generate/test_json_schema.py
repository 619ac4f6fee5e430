"""JSON Schemas from models."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from mcpcfg.compiler.generate.json_schema import Reading, file_schema, kind_schema, list_schema
from mcpcfg.compiler.generate.schema import OBJECT_METADATA

_SCHEMAS = Path(__file__).parents[3] / "schemas"


@pytest.fixture
def schema(kind: Any) -> dict[str, Any]:
    return kind_schema("Sample", "A kind.", kind.parts, OBJECT_METADATA, ["example.dev/v1"])


def _object(**spec: Any) -> dict[str, Any]:
    return {"apiVersion": "example.dev/v1", "kind": "Sample", "metadata": {"name": "a"}, "spec": spec}


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ({"mode": "a"}, None),
        ({"mode": "c"}, "'c' is not one of ['a', 'b']"),
        ({}, None),  # mode has a default, which is filled in first
        ({"steps": [{}]}, "'id' is a required property"),
        ({"mode": "a", "port": 0}, "0 is less than the minimum of 1"),
        ({"mode": "a", "words": ["x", "x"]}, "['x', 'x'] has non-unique elements"),
        ({"mode": "a", "bogus": 1}, "Additional properties are not allowed ('bogus' was unexpected)"),
        ({"mode": "a", "open": {"name": "a", "more": 1}}, None),
        ({"mode": "a", "free": {"more": 1}}, None),
        ({"mode": "a", "steps": [{"id": "a", "inner": {"anything": 1}}]}, None),
    ],
)
def test_the_json_schema_of_a_kind_accepts_what_admission_accepts(schema: Any, spec: Any, message: str | None) -> None:
    errors = {error.message for error in Draft202012Validator(schema).iter_errors(_object(**spec))}

    assert errors == set() if message is None else message in errors


def test_a_kind_has_the_descriptions_and_defaults_that_editors_show(schema: Any) -> None:
    model = schema["$defs"]["Sample"]

    assert model["properties"]["mode"]["description"] == "How it works."
    assert model["properties"]["mode"]["default"] == "a"
    assert model["properties"]["old"]["deprecated"] is True


def test_a_list_refers_to_its_kind_by_a_relative_name() -> None:
    assert list_schema("Sample", ["example.dev/v1"])["properties"]["items"]["items"] == {"$ref": "Sample.schema.json"}


def test_the_schema_of_a_file_that_go_reads_checks_only_names_and_types(file_model: Any) -> None:
    validator = Draft202012Validator(file_schema("sample", file_model, Reading(exact=False)))

    assert validator.is_valid({"mode": "anything", "port": 0})
    assert not validator.is_valid({"mode": 1})
    assert not validator.is_valid({"bogus": 1})
    assert not validator.is_valid({"steps": [{"inner": {"bogus": 1}}]})


def test_the_schema_of_a_leniently_read_file_allows_unknown_fields(file_model: Any) -> None:
    schema = file_schema("sample", file_model, Reading(exact=False, closed=False))

    assert Draft202012Validator(schema).is_valid({"bogus": 1})


@pytest.mark.parametrize("file", sorted(_SCHEMAS.glob("*.schema.json")), ids=lambda file: file.name)
def test_every_generated_schema_is_a_schema(file: Path) -> None:
    schema = json.loads(file.read_text(encoding="utf-8"))

    Draft202012Validator.check_schema(schema)
    assert schema["$id"].rpartition("/")[2] == file.name


@pytest.mark.parametrize(
    ("settings", "valid"),
    [
        ({}, True),
        ({"profile": "toolhive", "rules": {"ADM001": "off"}, "external": {"Secret": ["token"]}}, True),
        ({"rules": {"ADM001": "fatal"}}, False),
        ({"customRules": [{"id": "ORG001", "kind": "MCPServer", "expression": "true", "message": "no"}]}, True),
        ({"customRules": [{"id": "org1", "kind": "MCPServer", "expression": "true", "message": "no"}]}, False),
        ({"platform": "nomad"}, False),
        ({"bogus": 1}, False),
    ],
)
def test_the_configuration_has_a_schema(settings: Any, *, valid: bool) -> None:
    schema = json.loads((_SCHEMAS / "mcpcfg.schema.json").read_text(encoding="utf-8"))

    assert Draft202012Validator(schema).is_valid(settings) == valid
