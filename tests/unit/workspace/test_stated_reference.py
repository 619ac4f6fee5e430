"""What a resource names, as its data states it."""

from __future__ import annotations

from typing import Any

from mcpcfg.compiler.workspace.stated_reference import StatedReference, reference_fields, stated_references


def named(spec: Any, kind: str = "MCPServer") -> list[StatedReference]:
    return list(stated_references(kind, {"spec": spec}))


def test_a_stated_reference_has_the_path_of_the_name() -> None:
    path = ("spec", "groupRef", "name")
    assert named({"groupRef": {"name": "tools"}}) == [StatedReference(path, "MCPGroup", "tools", None, None)]


def test_references_in_lists_have_their_index_and_key() -> None:
    found = named({"secrets": [{"name": "a", "key": "k"}, {"key": "no name"}, {"name": "b", "key": "l"}]})
    assert found == [
        StatedReference(("spec", "secrets", 0, "name"), "Secret", "a", "k", ("spec", "secrets", 0, "key")),
        StatedReference(("spec", "secrets", 2, "name"), "Secret", "b", "l", ("spec", "secrets", 2, "key")),
    ]


def test_a_missing_key_has_the_default_and_the_path_of_the_name() -> None:
    path = ("spec", "authzConfig", "configMap", "name")
    for given in ({}, {"key": ""}):
        found = named({"authzConfig": {"configMap": {"name": "policies"} | given}})
        assert found == [StatedReference(path, "ConfigMap", "policies", "authz.json", path)]


def test_a_key_without_a_default_is_none_if_missing_and_empty_if_empty() -> None:
    (missing,) = named({"secrets": [{"name": "a"}]})
    assert (missing.key, missing.key_path) == (None, None)
    (empty,) = named({"secrets": [{"name": "a", "key": ""}]})
    assert (empty.key, empty.key_path) == ("", ("spec", "secrets", 0, "key"))


def test_a_name_that_depends_on_a_type_is_only_a_reference_with_that_type() -> None:
    assert [one.name for one in named({"permissionProfile": {"type": "configmap", "name": "p", "key": "k"}})] == ["p"]
    assert named({"permissionProfile": {"type": "builtin", "name": "network"}}) == []


def test_references_are_in_the_order_of_the_fields_of_the_kind() -> None:
    found = named({"groupRef": {"name": "g"}, "serviceAccount": "s", "oidcConfigRef": {"name": "o"}})
    assert [one.kind for one in found] == ["ServiceAccount", "MCPOIDCConfig", "MCPGroup"]


def test_values_that_are_no_names_are_no_references() -> None:
    assert named({"groupRef": {"name": ""}, "serviceAccount": 5, "oidcConfigRef": "o", "secrets": {"a": "b"}}) == []
    assert named(None) == []
    assert named({"groupRef": {"name": "g"}}, kind="Secret") == []


def test_reference_fields_have_path_kind_key_and_condition() -> None:
    fields = {one.steps: one for one in reference_fields("MCPServer")}

    assert fields["spec", "oidcConfigRef", "name"].kind == "MCPOIDCConfig"
    assert fields["spec", "secrets", "*", "name"][1:3] == ("Secret", "key")
    assert fields["spec", "authzConfig", "configMap", "name"].key_default == "authz.json"
    assert fields["spec", "permissionProfile", "name"].when == ("type", "configmap")
    assert reference_fields("Secret") == ()
