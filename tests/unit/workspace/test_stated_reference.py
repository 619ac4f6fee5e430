"""What a resource names, as its data states it."""

from __future__ import annotations

from typing import Any

from mcpcfg.compiler.workspace.stated_reference import StatedReference, reference_fields, stated_references


def named(spec: Any, kind: str = "MCPServer") -> list[StatedReference]:
    return list(stated_references(kind, {"spec": spec}))


def test_a_name_stands_with_its_place() -> None:
    path = ("spec", "groupRef", "name")
    assert named({"groupRef": {"name": "tools"}}) == [StatedReference(path, "MCPGroup", "tools", None, None)]


def test_names_in_lists_stand_with_their_number_and_key() -> None:
    found = named({"secrets": [{"name": "a", "key": "k"}, {"key": "no name"}, {"name": "b", "key": "l"}]})
    assert found == [
        StatedReference(("spec", "secrets", 0, "name"), "Secret", "a", "k", ("spec", "secrets", 0, "key")),
        StatedReference(("spec", "secrets", 2, "name"), "Secret", "b", "l", ("spec", "secrets", 2, "key")),
    ]


def test_a_missing_key_is_the_default_at_the_place_of_the_name() -> None:
    path = ("spec", "authzConfig", "configMap", "name")
    for given in ({}, {"key": ""}):
        found = named({"authzConfig": {"configMap": {"name": "policies"} | given}})
        assert found == [StatedReference(path, "ConfigMap", "policies", "authz.json", path)]


def test_a_key_that_has_no_default_may_be_missing_or_empty() -> None:
    (missing,) = named({"secrets": [{"name": "a"}]})
    assert (missing.key, missing.key_path) == (None, None)
    (empty,) = named({"secrets": [{"name": "a", "key": ""}]})
    assert (empty.key, empty.key_path) == ("", ("spec", "secrets", 0, "key"))


def test_a_name_that_depends_on_a_type_counts_with_that_type_alone() -> None:
    assert [one.name for one in named({"permissionProfile": {"type": "configmap", "name": "p", "key": "k"}})] == ["p"]
    assert named({"permissionProfile": {"type": "builtin", "name": "network"}}) == []


def test_names_come_in_the_order_of_the_kind() -> None:
    found = named({"groupRef": {"name": "g"}, "serviceAccount": "s", "oidcConfigRef": {"name": "o"}})
    assert [one.kind for one in found] == ["ServiceAccount", "MCPOIDCConfig", "MCPGroup"]


def test_what_is_no_name_is_left_out() -> None:
    assert named({"groupRef": {"name": ""}, "serviceAccount": 5, "oidcConfigRef": "o", "secrets": {"a": "b"}}) == []
    assert named(None) == []
    assert named({"groupRef": {"name": "g"}}, kind="Secret") == []


def test_reference_fields_lead_to_the_name() -> None:
    fields = {one.steps: one for one in reference_fields("MCPServer")}

    assert fields["spec", "oidcConfigRef", "name"].kind == "MCPOIDCConfig"
    assert fields["spec", "secrets", "*", "name"][1:3] == ("Secret", "key")
    assert fields["spec", "authzConfig", "configMap", "name"].key_default == "authz.json"
    assert fields["spec", "permissionProfile", "name"].when == ("type", "configmap")
    assert reference_fields("Secret") == ()
