"""Changes of compiled objects are reported field by field, with what they do in words."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcpcfg.compiler.diff.difference import MISSING, ObjectChange, ValueChange, compare, effects, effects_of_new
from mcpcfg.compiler.diff.report import as_json, as_markdown, as_text


def deployment(image: str = "a:1", **spec: Any) -> dict[str, Any]:
    container = {"name": "toolhive", "image": image, "ports": [{"name": "http", "containerPort": 8080}]}
    template = {"metadata": {"annotations": {"x/runconfig-checksum": image}}, "spec": {"containers": [container]}}
    return {
        "kind": "Deployment",
        "metadata": {"namespace": "ns", "name": "fetch"},
        "spec": {"template": template, **spec},
    }


def run_config(**config: Any) -> dict[str, Any]:
    return {
        "kind": "ConfigMap",
        "metadata": {"namespace": "ns", "name": "fetch-runconfig"},
        "data": {"runconfig.json": json.dumps(config)},
    }


def test_equal_objects_have_no_differences() -> None:
    assert compare([deployment()], [deployment()]) == []


def test_an_image_change_is_reported_once_and_restarts_the_pods() -> None:
    (change,) = compare([deployment("a:1")], [deployment("a:2")])

    assert [(field.pointer, field.old, field.new) for field in change.fields] == [
        ("/spec/template/spec/containers/toolhive/image", "a:1", "a:2")
    ]
    assert change.effects == ("image changes: a:1 to a:2", "pods restart")


def test_files_inside_a_config_map_are_compared_field_by_field() -> None:
    (change,) = compare([run_config(oidc_config={"Audience": "a"})], [run_config(oidc_config={"Audience": "b"})])

    assert [field.pointer for field in change.fields] == ["/data/runconfig.json/oidc_config/Audience"]
    assert change.effects == ("auth changes: oidc_config",)


def test_wider_network_permission_is_reported() -> None:
    narrow, wide = ({"network": {"outbound": outbound}} for outbound in ({}, {"insecure_allow_all": True}))

    (change,) = compare([run_config(permission_profile=narrow)], [run_config(permission_profile=wide)])

    assert change.effects == ("permission widens: all hosts can be reached",)


def test_added_and_removed_objects_are_reported_with_their_effect() -> None:
    changes = compare([deployment()], [])

    assert [(change.change, change.effects) for change in changes] == [("removed", ("pods stop",))]
    assert [change.effects for change in compare([], [deployment()])] == [("pods start",)]


@pytest.mark.parametrize("kind", ["Role", "ClusterRole"])
def test_a_new_role_widens_what_is_permitted(kind: str) -> None:
    role = {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": kind, "metadata": {"name": "a"}, "rules": []}

    assert effects_of_new(role) == ("permission widens: a new role",)


def test_every_format_names_the_object_and_the_effect() -> None:
    changes = compare([deployment("a:1")], [deployment("a:2")])

    for render in (as_text, as_json, as_markdown):
        rendered = render(changes)
        assert "Deployment" in rendered
        assert "pods restart" in rendered


def test_long_values_are_cut_to_where_they_differ() -> None:
    same = ["run", "x" * 200]

    old, new = ValueChange(("args",), [*same, "image:1.0"], [*same, "image:2.0"]).shown

    assert "image:1.0" in old
    assert "image:2.0" in new
    assert max(len(old), len(new)) <= 120


def test_a_long_added_value_is_cut_at_its_end() -> None:
    assert ValueChange(("a",), MISSING, "x" * 200).shown == ("nothing", "x" * 119 + "…")


def test_markdown_escapes_the_name_of_a_field() -> None:
    field = ValueChange(("env_vars", "A|B`C"), "1", "2")

    rendered = as_markdown([ObjectChange(("ns", "ConfigMap", "a"), "changed", (field,), ())])

    assert "| `/env_vars/A\\|B\N{MODIFIER LETTER GRAVE ACCENT}C` | 1 | 2 |" in rendered


@pytest.mark.parametrize("field", ["hostNetwork", "hostPID"])
def test_changed_rights_of_a_pod_on_its_node_are_named(field: str) -> None:
    def pod(*, allowed: bool) -> dict[str, Any]:
        made = deployment()
        made["spec"]["template"]["spec"][field] = allowed
        return made

    (wider,) = compare([pod(allowed=False)], [pod(allowed=True)])
    (narrower,) = compare([pod(allowed=True)], [pod(allowed=False)])
    assert f"permission widens: {field}" in wider.effects
    assert f"permission narrows: {field}" in narrower.effects


def test_markdown_has_a_section_per_namespace_and_a_table_of_links() -> None:
    changes = [
        ObjectChange((namespace, "Deployment", name), "changed", (), ("pods restart",))
        for namespace, name in (("ai", "a"), ("ai", "b"), ("home", "c"))
    ]
    changes.append(ObjectChange(("home", "Service", "d"), "removed", (), ()))
    rendered = as_markdown(changes)

    assert '| <a href="#changes-1">ai</a> | 2 changed | pods restart (2) |' in rendered
    assert '| <a href="#changes-2">home</a> | 1 removed, 1 changed | pods restart |' in rendered
    assert rendered.index('<a id="changes-1"></a>ai') < rendered.index("ai/b") < rendered.index('id="changes-2"')
    assert "changes-" not in as_markdown(changes[:2])


CONFIG = ("data", "runconfig.json")
POD = ("spec", "template", "spec")


@pytest.mark.parametrize(
    ("kind", "path", "old", "new", "expected"),
    [
        ("Role", ("rules",), [], [{}], ["permission changes: rules differ"]),
        ("Role", ("rules", 0, "verbs"), ["get"], ["list"], ["permission changes: /rules/0/verbs"]),
        ("Role", ("metadata", "labels"), {}, {"a": "b"}, []),
        ("ConfigMap", ("rules",), [], [{}], []),
        ("ConfigMap", (*CONFIG, "insecure_allow_all"), True, False, ["permission narrows"]),
        (
            "ConfigMap",
            (*CONFIG, "permission_profile", "read"),
            [],
            ["/"],
            ["permission changes: the permission profile differs"],
        ),
        ("ConfigMap", (*CONFIG, "permission_profile", "name"), "a", "b", []),
        ("Deployment", (*POD, "securityContext", "privileged"), False, True, ["permission widens: privileged"]),
        ("StatefulSet", (*POD, "hostPID"), True, MISSING, ["permission narrows: hostPID"]),
        (
            "Deployment",
            (*POD, "volumes", "a", "hostPath", "path"),
            "/a",
            "/b",
            ["permission changes: a path of the node is mounted otherwise"],
        ),
        ("ConfigMap", (*CONFIG, "upstreams", 0, "name"), "a", "b", ["auth changes: upstreams"]),
        ("ConfigMap", ("data", "authz.json"), "a", "b", ["auth changes: the authorization policies"]),
        ("Secret", (*CONFIG, "upstreams", 0, "name"), "a", "b", []),
        ("Deployment", (*POD, "containers", "mcp", "image"), MISSING, "b:2", ["image changes: nothing to b:2"]),
        ("Service", ("spec", "ports"), [{"port": 1}, {"port": 2}], [{"port": 3}], ["port changes: 1, 2 to 3"]),
        ("Service", ("spec", "ports", "http", "port"), 8080, MISSING, ["port changes: 8080 to none"]),
        (
            "Deployment",
            (*POD, "containers", "mcp", "ports"),
            MISSING,
            [{"containerPort": 1}],
            ["port changes: none to 1"],
        ),
        ("Deployment", (*POD, "containers", "mcp", "ports", "http", "name"), "a", "b", []),
        ("ConfigMap", ("spec", "ports"), [{"port": 1}], [{"port": 3}], []),
        ("Deployment", ("spec", "replicas"), 1, MISSING, ["replicas change: 1 to nothing"]),
        ("StatefulSet", ("spec", "replicas"), 1, 2, ["replicas change: 1 to 2"]),
        ("Deployment", (*POD, "replicas"), 1, 2, []),
        ("Role", ("spec", "replicas"), 1, 2, []),
    ],
)
def test_the_effect_of_a_changed_field_is_described(
    kind: str, path: tuple[str | int, ...], old: Any, new: Any, expected: list[str]
) -> None:
    compiled = {"kind": kind, "spec": {"template": {}}}
    restarts = ["pods restart"] if path[:2] == POD[:2] else []
    assert list(effects(("ns", kind, "a"), [ValueChange(path, old, new)], compiled)) == expected + restarts


def test_effects_are_listed_once_with_the_most_severe_first() -> None:
    compiled = {
        "kind": "Deployment",
        "spec": {"template": {"metadata": {"annotations": {"x/runconfig-checksum": "1"}}}},
    }
    fields = [
        ValueChange(("spec", "replicas"), 1, 2),
        ValueChange((*POD, "volumes", "a", "hostPath", "path"), "a", "b"),
        ValueChange((*POD, "volumes", "b", "hostPath", "path"), "a", "b"),
    ]
    mounted = "permission changes: a path of the node is mounted otherwise"
    assert list(effects(("ns", "Deployment", "a"), fields, compiled)) == [
        mounted,
        "replicas change: 1 to 2",
        "pods restart",
    ]
    # A difference that is not reported is one of the checksum.
    assert list(effects(("ns", "Deployment", "a"), [], compiled)) == ["pods restart"]
    assert list(effects(("ns", "Service", "a"), [], compiled)) == []


def test_added_and_removed_objects_are_counted_by_kind() -> None:
    service = {"kind": "Service", "metadata": {"name": "a"}, "spec": {"ports": [{"port": 1}, {"port": 2}]}}
    account = {"kind": "ServiceAccount", "metadata": {"name": "a"}}
    came, went = compare([], [service, account]), compare([service, account], [])
    assert [one.effects for one in came] == [("port changes: 1, 2 opens",), ()]
    assert [one.effects for one in went] == [("port changes: the address goes",), ()]


def test_lists_are_compared_by_unique_names_or_types() -> None:
    def changed(old: list[Any], new: list[Any]) -> list[str]:
        (change,) = compare(*([{"kind": "Role", "metadata": {"name": "a"}, "x": one}] for one in (old, new)))
        return [field.pointer for field in change.fields]

    assert changed([{"name": "a", "v": 1}, {"name": "b", "v": 1}], [{"name": "b", "v": 2}]) == ["/x/a", "/x/b/v"]
    assert changed([{"type": "a", "v": 1}], [{"type": "a", "v": 2}]) == ["/x/a/v"]
    assert changed([{"name": "a"}, {"name": "a"}], [{"name": "a"}]) == ["/x"]
    assert changed([{"name": "a"}, "b"], [{"name": "a"}]) == ["/x"]
    assert changed([{"name": 1}], [{"name": 2}]) == ["/x"]


@pytest.mark.parametrize(
    ("name", "old", "new", "pointers"),
    [
        ("a.yaml", "b: 1\nc: 2\n", "b: 1\nc: 3\n", ["/data/a.yaml/c"]),
        ("a.yml", "b: 1\n", "b: 2\n", ["/data/a.yml/b"]),
        ("a.yaml", "b: 1\n---\nc: 1\n", "b: 2\n", ["/data/a.yaml"]),
        ("a.yaml", "b: [\n", "b: 2\n", ["/data/a.yaml"]),
        ("a.json", "{", '{"b": 1}', ["/data/a.json"]),
        ("a.txt", "b: 1\n", "b: 2\n", ["/data/a.txt"]),
    ],
)
def test_a_file_that_cannot_be_read_is_compared_as_a_text(name: str, old: str, new: str, pointers: list[str]) -> None:
    (change,) = compare(
        *([{"kind": "ConfigMap", "metadata": {"name": "a"}, "data": {name: one}}] for one in (old, new))
    )
    assert [field.pointer for field in change.fields] == pointers
