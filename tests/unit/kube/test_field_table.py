"""The field table of the pod template."""

import os
import subprocess
from pathlib import Path

import pytest

from mcpcfg.compiler.generate import pod_table
from mcpcfg.compiler.generate.pod_table.__main__ import main
from mcpcfg.compiler.kube.field_table import GoStruct, StructField, struct, struct_names

_FIXTURES = Path(__file__).parents[3] / "fixtures" / "kube"
_WITHOUT_NOTATION = {"Quantity", "Time", "IntOrString", "FieldsV1"}  # they are read and written by code of their own


def _known(name: str) -> GoStruct:
    found = struct(name)
    assert found is not None
    return found


def _noted(field: StructField) -> str:
    kind = "int" if field.kind in {"int32", "int64"} else field.kind
    kind = {"one": kind, "list": f"[]{kind}", "map": f"map<{kind}>"}[field.shape]
    marks = "!" * field.always + "*" * field.pointer
    return field.name + marks + ("" if kind == "string" else f":{kind}")


def test_the_table_holds_what_was_read_from_the_operators_source() -> None:
    recorded = (_FIXTURES / "pod-fields.txt").read_text(encoding="utf-8").splitlines()
    structs = (_known(name) for name in struct_names() if name not in _WITHOUT_NOTATION)
    noted = [f"{known.name}: {', '.join(map(_noted, known.fields))}" for known in structs]
    assert sorted(noted) == sorted(recorded)


def test_every_struct_that_is_nested_is_in_the_table() -> None:
    kinds = {field.kind for name in struct_names() for field in _known(name).fields}
    assert kinds - set(struct_names()) == {"string", "bool", "int32", "int64"}


@pytest.mark.parametrize(
    ("owner", "list_name", "merge_key"),
    [
        ("PodSpec", "containers", "name"),
        ("PodSpec", "initContainers", "name"),
        ("PodSpec", "volumes", "name"),
        ("PodSpec", "imagePullSecrets", "name"),
        ("PodSpec", "hostAliases", "ip"),
        ("PodSpec", "topologySpreadConstraints", "topologyKey"),
        ("PodSpec", "tolerations", None),
        ("Container", "env", "name"),
        ("Container", "volumeMounts", "mountPath"),
        ("Container", "ports", "containerPort"),
        ("Container", "args", None),
        ("ObjectMeta", "finalizers", ""),
    ],
)
def test_lists_are_merged_by_their_key(owner: str, list_name: str, merge_key: str | None) -> None:
    field = _known(owner).find(list_name)
    assert field is not None
    assert (field.merge_key if field.merged else None) == merge_key


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("hostNetwork", "hostNetwork"),
        ("HostNetwork", "hostNetwork"),
        ("HOSTNETWORK", "hostNetwork"),
        ("hostIPC", "hostIPC"),
        ("ho\u017ftIPC", "hostIPC"),  # the long s is an s
        ("host\u0130PC", None),
        ("hostNetworks", None),
        ("", None),
    ],
)
def test_field_names_match_in_any_case(name: str, found: str | None) -> None:
    field = _known("PodSpec").find(name)
    assert (field.name if field else None) == found


def test_exact_names_match_exactly() -> None:
    assert _known("PodSpec").find("HostNetwork", exact=True) is None
    assert _known("PodSpec").find("hostNetwork", exact=True) is not None


def test_a_type_that_is_not_a_struct_has_no_fields() -> None:
    assert struct("string") is None
    assert struct("Pod") is None


def _go_with_modules() -> str | None:
    go = pod_table.go_program()
    if go is None:
        return None
    command = [go, "list", "-deps", "."]
    offline = os.environ | {"GOPROXY": "off"}
    listed = subprocess.run(command, cwd=pod_table.HERE, env=offline, capture_output=True, check=False)
    return go if listed.returncode == 0 else None


def test_the_committed_table_is_up_to_date() -> None:
    if _go_with_modules() is None:
        pytest.skip("Go or Kubernetes' modules are not at hand")
    assert main(["--check"]) == 0


def test_rendering_keeps_the_order_of_fields_and_sorts_structs() -> None:
    row = {"shape": "one", "kind": "string", "pointer": False, "always": True, "strategy": "", "mergeKey": ""}
    text = pod_table.render({"B": [{"name": "z", **row}, {"name": "a", **row}], "A": []})
    scope: dict[str, str] = {}
    exec(text, scope)
    assert scope["STRUCTS"] == "A\nB z!:string a!:string\n"
