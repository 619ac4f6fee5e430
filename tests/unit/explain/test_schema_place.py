"""Places in the schemas of kinds, pod templates among them."""

from __future__ import annotations

import pytest

from mcpcfg.compiler.explain.field_page import field_page
from mcpcfg.compiler.explain.schema_place import schema_place
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
def test_a_path_leads_to_what_may_stand_there(path: tuple[str | int, ...], type_: str) -> None:
    kind = schema_place("MCPServer")
    place = kind.at(path) if kind is not None else None
    assert place is not None
    assert place.type == type_


@pytest.mark.parametrize("path", [("spec", "imagee"), ("spec", 0), ("spec", "env", "name"), ("spec", "image", "x")])
def test_a_path_that_leads_nowhere_says_so(path: tuple[str | int, ...]) -> None:
    kind = schema_place("MCPServer")
    assert kind is not None
    assert kind.at(path) is None


@pytest.mark.parametrize("kind", ["MCPServer", "MCPRegistry", "VirtualMCPServer", "EmbeddingServer"])
def test_the_pod_template_of_every_kind_is_known_to_the_last_field(kind: str) -> None:
    top = schema_place(kind)
    place = top.at(("spec", "podTemplateSpec")) if top is not None else None
    assert place is not None
    assert "container is called" in place.description
    waiting, seen = [place], set()
    while waiting:
        for name, one in waiting.pop().fields().items():
            assert one.type
            if one.shown.count(".") < 9 and (name, one.type) not in seen:
                seen.add((name, one.type))
                waiting.append(one)
    assert {"containers", "securityContext", "topologyKey"} <= {name for name, _ in seen}


def test_the_step_within_a_step_is_one() -> None:
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


def test_there_is_no_place_for_what_has_no_schema() -> None:
    assert schema_place("Nothing") is None


@pytest.mark.parametrize("field", ["MCPServer.spec.bogus.image", "MCPServer.bogus.spec"])
def test_no_field_is_left_out_on_the_way_to_another(field: str) -> None:
    assert field_page(field)[0] is None
