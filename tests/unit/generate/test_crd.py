"""CustomResourceDefinitions from models."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mcpcfg.compiler.generate import crd
from mcpcfg.compiler.generate.declaration import DeclarationReader
from mcpcfg.compiler.generate.model import ModelField, Value
from mcpcfg.compiler.models.kind import kinds_of
from mcpcfg.compiler.reading.document import read_documents
from mcpcfg.compiler.toolhive.profile import TOOLHIVE
from mcpcfg.compiler.toolhive.release import NEWEST_MODELLED, OLDEST

if TYPE_CHECKING:
    from collections.abc import Iterator

PROFILE = TOOLHIVE._replace(api_group="example.dev", versions=("v1",), product="all")
_CRDS = Path(__file__).parents[3] / "schemas" / "crds.yaml"


@pytest.fixture
def definition(kind: Any) -> dict[str, Any]:
    return crd.definition(kind, PROFILE, OLDEST)


@pytest.fixture
def spec(definition: dict[str, Any]) -> Any:
    return definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]


def test_a_definition_names_the_kind(definition: dict[str, Any]) -> None:
    assert definition["metadata"] == {"name": "samples.example.dev"}
    assert definition["spec"]["names"] == {
        "kind": "Sample",
        "listKind": "SampleList",
        "plural": "samples",
        "singular": "sample",
        "shortNames": ["smp"],
        "categories": ["all"],
    }
    (version,) = definition["spec"]["versions"]
    assert version["subresources"] == {"status": {}}
    assert version["additionalPrinterColumns"] == [
        {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"}
    ]


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("mode", {"type": "string", "enum": ["a", "b"], "default": "a", "description": "How it works."}),
        (
            "port",
            {"type": "integer", "format": "int32", "minimum": 1, "maximum": 65535, "description": "Its own port."},
        ),
        ("flag", {"type": "boolean", "default": False, "description": "A switch."}),
        (
            "tags",
            {
                "type": "object",
                "additionalProperties": {"type": "string"},
                "x-kubernetes-map-type": "atomic",
                "description": "Tags.",
            },
        ),
        ("free", {"type": "object", "x-kubernetes-preserve-unknown-fields": True, "description": "Free fields."}),
        ("old", {"type": "string", "description": "A former field.\n\nDeprecated: mode"}),
    ],
)
def test_a_field_is_written_as_the_api_server_reads_it(spec: Any, field: str, expected: Any) -> None:
    assert spec[field] == expected


def test_list_types_and_their_keys_are_written(spec: Any) -> None:
    assert spec["entries"]["x-kubernetes-list-type"] == "map"
    assert spec["entries"]["x-kubernetes-list-map-keys"] == ["name"]
    assert spec["words"]["x-kubernetes-list-type"] == "set"


def test_rules_are_written_for_objects_and_for_values(definition: dict[str, Any], spec: Any) -> None:
    whole = definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]

    assert [rule["message"] for rule in whole["x-kubernetes-validations"]] == [
        "mode b needs a port",
        "steps need an id",
    ]
    assert [rule["message"] for rule in spec["wait"]["x-kubernetes-validations"]] == ["wait is shorter than 1s"]


def test_a_model_that_contains_itself_is_refused(sample: Any, kind: Any) -> None:
    value = Value(type="object", model=DeclarationReader(of_crd=False, release=OLDEST).model(sample.Step))

    with pytest.raises(ValueError, match="Step contains itself"):
        crd.definition(
            replace(kind, parts=(ModelField(key="spec", value=value, description="Spec."),)), PROFILE, OLDEST
        )


def _schemas(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        yield schema
        for one in schema.get("properties", {}).values():
            yield from _schemas(one)
        yield from _schemas(schema.get("items"))
        yield from _schemas(schema.get("additionalProperties"))


def test_the_definitions_of_all_kinds_are_structural_and_sorted() -> None:
    documents, findings = read_documents(_CRDS.read_bytes(), "crds.yaml")
    names = [one.data["metadata"]["name"] for one in documents]

    assert not findings
    assert names == sorted(names)
    assert {one.data["spec"]["names"]["kind"] for one in documents} == {kind.name for kind in kinds_of(NEWEST_MODELLED)}
    for document in documents:
        for schema in _schemas(document.data["spec"]["versions"][0]["schema"]["openAPIV3Schema"]):
            assert "type" in schema or schema.get("x-kubernetes-preserve-unknown-fields") is True
            assert "$ref" not in schema
            assert not ("properties" in schema and "additionalProperties" in schema)
            for key in schema.get("x-kubernetes-list-map-keys", ()):
                items = schema["items"]
                assert key in items.get("required", ()) or "default" in items["properties"][key]
