"""Places in the schemas of kinds, pod templates among them."""

from __future__ import annotations

from typing import Any

import pytest

from mcpcfg.compiler.generate.explain.field_page import field_page
from mcpcfg.compiler.generate.explain.schema_place import SchemaPlace, schema_place
from mcpcfg.compiler.generate.schema_file import SINCE
from mcpcfg.compiler.toolhive.profile import TOOLHIVE

POD = ("spec", "podTemplateSpec", "spec")
CONTAINER = (*POD, "containers", 0)


@pytest.mark.parametrize(
    ("path", "type_"),
    [
        (("spec", "image"), "string"),
        (("spec", "env"), "object[]"),
        (("spec", "env", 3, "name"), "string"),
        (("metadata", "labels"), "map of string"),
        (("metadata", "labels", "any"), "string"),
        ((*CONTAINER, "ports", 0, "containerPort"), "integer"),
        ((*CONTAINER, "resources", "limits", "cpu"), "number/string"),
        ((*CONTAINER, "livenessProbe", "httpGet", "port"), "integer/string"),
        ((*POD, "affinity", "nodeAffinity"), "object"),
        ((*POD, "nodeSelector"), "map of string"),
    ],
)
def test_a_path_has_the_type_of_its_schema(path: tuple[str | int, ...], type_: str) -> None:
    kind = schema_place("MCPServer")
    place = kind.at(path) if kind is not None else None
    assert place is not None
    assert place.type == type_


@pytest.mark.parametrize("path", [("spec", "imagee"), ("spec", 0), ("spec", "env", "name"), ("spec", "image", "x")])
def test_an_unknown_path_has_no_place(path: tuple[str | int, ...]) -> None:
    kind = schema_place("MCPServer")
    assert kind is not None
    assert kind.at(path) is None


@pytest.mark.parametrize("kind", ["MCPServer", "MCPRegistry", "VirtualMCPServer", "EmbeddingServer"])
def test_the_pod_template_of_every_kind_is_known_to_the_last_field(kind: str) -> None:
    top = schema_place(kind)
    place = top.at(("spec", "podTemplateSpec")) if top is not None else None
    assert place is not None
    assert "container is named" in place.description
    waiting, seen = [place], set()
    while waiting:
        for name, one in waiting.pop().fields().items():
            assert one.type
            if one.shown.count(".") < 9 and (name, one.type) not in seen:
                seen.add((name, one.type))
                waiting.append(one)
    assert {"containers", "securityContext", "topologyKey"} <= {name for name, _ in seen}


def test_fields_of_the_step_in_a_for_each_step_are_found() -> None:
    kind = schema_place("VirtualMCPCompositeToolDefinition")
    place = kind.at(("spec", "steps", 0, "step", "onError", "action")) if kind is not None else None
    assert place is not None
    assert "retry" in place.allowed


def test_fields_are_known_by_each_of_their_spellings() -> None:
    kind = schema_place("MCPExternalAuthConfig")
    own = TOOLHIVE._replace(cloud="acme")
    assert kind is not None
    for name, profile, is_known in (
        ("awsSts", TOOLHIVE, True),
        ("cloudSts", TOOLHIVE, True),
        ("acmeSts", own, True),
        ("acmeSts", TOOLHIVE, False),
    ):
        assert (kind.at(("spec", name, "region"), profile) is not None) is is_known


def test_a_name_without_schema_has_no_place() -> None:
    assert schema_place("Nothing") is None


@pytest.mark.parametrize("field", ["MCPServer.spec.bogus.image", "MCPServer.bogus.spec"])
def test_a_path_with_an_unknown_field_has_no_page(field: str) -> None:
    assert field_page(field)[0] is None


SCHEMA: dict[str, Any] = {
    "$id": "x",
    "type": "object",
    "required": ["size"],
    "properties": {
        "size": {"type": "integer", "default": 1, "minimum": 1, "maximum": 9, "description": "How large."},
        "mode": {"type": ["string", "null"], "enum": ["a", "b"], "pattern": "é", SINCE: "0.30.0"},
        "sort": {"const": "c", "examples": ["c", "d"]},
        "open": {},
        "flag": {"type": ["boolean", "string"]},
        "either": {"anyOf": [{"$ref": "#/$defs/a~1b"}, {"type": "null"}], "description": "Or none."},
        "one": {"discriminator": {}, "anyOf": [{"$ref": "#/$defs/a~1b"}, {"properties": {"z": {"type": "number"}}}]},
        "lists": {"type": "array", "description": "Of lists.", "items": {"items": {"$ref": "#/$defs/a~1b"}}},
        "map": {"type": "object", "additionalProperties": {"$ref": "#/$defs/a~1b"}, "description": "Of objects."},
        "patterns": {"type": "object", "patternProperties": {"^a": {"type": "string", "minLength": 2, "maxLength": 3}}},
        "maps": {"type": "array", "items": {"type": "object", "additionalProperties": {"type": "string"}}},
        "both": {"properties": {"p": {"type": "string"}}, "additionalProperties": {"type": "number"}},
        "closed": {"type": "object", "additionalProperties": False},
    },
    "$defs": {"a/b": {"type": "object", "required": ["q"], "properties": {"p": {"type": "string"}, "q": {}}}},
}
ROOT = SchemaPlace(SCHEMA, SCHEMA, "X")
FIELDS = ROOT.fields()


def test_a_field_has_the_type_that_is_written_for_it() -> None:
    assert {name: one.type for name, one in FIELDS.items()} == {
        "size": "integer",
        "mode": "string",
        "sort": "any",
        "open": "any",
        "flag": "boolean",
        "either": "object",
        "one": "object",
        "lists": "object[][]",
        "map": "map of object",
        "patterns": "map of string",
        "maps": "map of string[]",
        "both": "any",
        "closed": "object",
    }


def test_a_field_has_the_facts_that_its_schema_states() -> None:
    assert {name: list(one.facts) for name, one in FIELDS.items() if list(one.facts)} == {
        "size": [("Default", "1"), ("Bounds", "minimum 1, maximum 9")],
        "mode": [("Since", "release 0.30.0"), ("Allowed", "a, b"), ("Pattern", '"é"')],
        "sort": [("Known", "c, d")],
    }
    inner = FIELDS["patterns"].entry()
    assert inner is not None
    assert list(inner.facts) == [("Bounds", "minLength 2, maxLength 3")]
    assert {name: one.allowed for name, one in FIELDS.items() if one.allowed} == {"mode": ("a", "b"), "sort": ("c",)}
    assert [name for name, one in FIELDS.items() if one.is_required] == ["size"]
    assert [one.is_root for one in (ROOT, FIELDS["size"])] == [True, False]
    assert (ROOT.name, FIELDS["size"].name, FIELDS["size"].shown) == ("X", "size", "X.size")


@pytest.mark.parametrize(
    ("field", "inner", "own"),
    [
        ("either", ["p", "q"], ["p", "q"]),
        ("one", ["p", "q", "z"], ["p", "q", "z"]),
        ("lists", ["p", "q"], []),
        ("map", ["p", "q"], []),
        ("both", ["p"], ["p"]),
        ("patterns", [], []),
        ("closed", [], []),
    ],
)
def test_fields_of_a_list_or_map_are_the_fields_of_its_elements(field: str, inner: list[str], own: list[str]) -> None:
    place = FIELDS[field]
    assert (list(place.fields()), list(place.own_fields())) == (inner, own)
    assert [name for name, one in place.fields().items() if one.is_required] == [name for name in inner if name == "q"]


@pytest.mark.parametrize(
    ("path", "found"),
    [
        (("either", "q"), ("any", "")),
        (("either",), ("object", "Or none.")),
        (("lists", 0), ("object[]", "Of lists.")),
        (("lists", 0, 1, "p"), ("string", "")),
        (("map", "any"), ("object", "Of objects.")),
        (("map", "any", "p"), ("string", "")),
        (("both", "p"), ("string", "")),
        (("both", "x"), ("number", "")),
        (("closed", "x"), None),
        (("size", 0), None),
        (("size", "x"), None),
        (("lists", "p"), None),
    ],
)
def test_the_place_at_a_path_is_found_step_by_step(path: tuple[str | int, ...], found: tuple[str, str] | None) -> None:
    place = ROOT.at(path)
    assert (None if place is None else (place.type, place.description)) == found


def test_only_maps_have_an_entry_schema() -> None:
    types = {name: one.entry() for name, one in FIELDS.items()}
    assert {name: one.type for name, one in types.items() if one is not None} == {
        "map": "object",
        "patterns": "string",
        "maps": "string",
    }
