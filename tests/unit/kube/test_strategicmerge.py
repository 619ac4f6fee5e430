"""Strategic merge patches, beside the recorded results of Kubernetes' own library."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpcfg.compiler.kube.strategicmerge import merge

_FIXTURE = Path(__file__).parents[3] / "fixtures" / "kube" / "strategic-merge.jsonl"
_ROWS = [json.loads(line) for line in _FIXTURE.read_text(encoding="utf-8").split("\n") if line]

_DIRECTIVES = ["$patch", "$retainKeys", "$setElementOrder/containers", "$deleteFromPrimitiveList/finalizers"]
_FIELDS = ["spec", "metadata", "containers", "volumes", "name", "env", "finalizers", "labels", "nodeSelector", "x"]

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from([*_FIELDS, *_DIRECTIVES]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=25,
)


def _same(left: Any, right: Any) -> bool:
    return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)


@pytest.mark.parametrize("row", _ROWS, ids=range(len(_ROWS)))
def test_the_result_is_the_recorded_one(row: dict[str, Any]) -> None:
    merged = merge(row["original"], row["patch"])
    if row.get("refused"):
        assert merged.faults
        assert merged.value == row["original"]
    else:
        assert merged.faults == ()
        assert _same(merged.value, row["merged"])


def _containers(*containers: dict[str, Any]) -> dict[str, Any]:
    return {"spec": {"containers": list(containers)}}


def test_elements_of_the_patch_alone_come_first_and_matched_ones_are_merged() -> None:
    original = _containers({"name": "vmcp", "image": "a", "env": [{"name": "HOME", "value": "/tmp"}]})
    patch = _containers(
        {"name": "vmcp", "env": [{"name": "EXTRA", "value": "1"}, {"name": "HOME", "value": "/home"}]},
        {"name": "sidecar", "image": "b"},
    )
    assert merge(original, patch).value["spec"]["containers"] == [
        {"name": "vmcp", "image": "a", "env": [{"name": "EXTRA", "value": "1"}, {"name": "HOME", "value": "/home"}]},
        {"name": "sidecar", "image": "b"},
    ]


def test_the_originals_elements_follow_where_the_patch_has_none_of_them() -> None:
    merged = merge(_containers({"name": "vmcp"}), _containers({"name": "z"}, {"name": "a"}))
    assert [container["name"] for container in merged.value["spec"]["containers"]] == ["z", "a", "vmcp"]


def test_null_deletes_a_field() -> None:
    assert merge({"spec": {"hostname": "a", "nodeName": "b"}}, {"spec": {"hostname": None}}).value == {
        "spec": {"nodeName": "b"}
    }


def test_lists_without_strategy_are_replaced() -> None:
    merged = merge({"spec": {"tolerations": [{"key": "a"}]}}, {"spec": {"tolerations": [{"key": "b"}]}})
    assert merged.value == {"spec": {"tolerations": [{"key": "b"}]}}


def test_an_element_without_merge_key_is_refused_at_its_place() -> None:
    patch = _containers({"name": "a", "$patch": "delete"}, {"name": "b"}, {"image": "c"})
    merged = merge(_containers({"name": "a"}), patch)
    assert [fault.path for fault in merged.faults] == [("spec", "containers", 2)]
    assert "name" in merged.faults[0].message


def test_numbers_are_compared_as_they_are_stored() -> None:
    original = _containers({"name": "a", "ports": [{"containerPort": 80, "name": "http"}]})
    patch = _containers({"name": "a", "ports": [{"containerPort": 80.0, "hostPort": 8080}]})
    assert merge(original, patch).value["spec"]["containers"][0]["ports"] == [
        {"containerPort": 80, "name": "http", "hostPort": 8080}
    ]


def test_true_is_not_one() -> None:
    original = _containers({"name": "a", "ports": [{"containerPort": 1}]})
    patch = _containers({"name": "a", "ports": [{"containerPort": True}]})
    assert len(merge(original, patch).value["spec"]["containers"][0]["ports"]) == 2


def test_merging_nothing_gives_an_empty_mapping() -> None:
    assert merge(None, None).value == {}


@pytest.mark.parametrize("value", [[], "text", 1, True])
def test_a_patch_that_is_not_a_mapping_is_refused(value: Any) -> None:
    merged = merge({}, value)
    assert [fault.code for fault in merged.faults] == ["type"]
    assert merged.faults[0].path == ()


def test_deep_nesting_is_refused() -> None:
    deep: Any = {}
    for _ in range(100_000):
        deep = {"x": deep}
    assert merge({}, deep).faults[0].message == "the patch is nested too deeply"


def test_an_unknown_type_is_the_callers_fault() -> None:
    with pytest.raises(KeyError):
        merge({}, {}, "Pod")


def test_long_lists_are_merged_in_little_time() -> None:
    many = [{"name": f"v{i}"} for i in range(20_000)]
    doomed = [{"name": f"v{i}", "$patch": "delete"} for i in range(0, 20_000, 2)]
    merged = merge({"spec": {"volumes": many}}, {"spec": {"volumes": doomed}})
    assert len(merged.value["spec"]["volumes"]) == 10_000
    repeated = {"metadata": {"finalizers": ["a", "b"] * 20_000}}
    assert merge(repeated, repeated).value == {"metadata": {"finalizers": ["a", "b"]}}


_POD_TEMPLATES = st.dictionaries(st.sampled_from(["spec", "metadata"]), _JSON)


@given(_POD_TEMPLATES, _POD_TEMPLATES)
def test_any_patch_is_merged_or_refused(original: dict[str, Any], patch: dict[str, Any]) -> None:
    before = copy.deepcopy((original, patch))
    merge(original, patch)
    assert _same(before, (original, patch)), "what was given has been changed"


@pytest.mark.parametrize(
    ("patch", "order", "expected"),
    [
        (["b"], ["b"], ["a", "b", "c"]),
        (["n", "b"], ["n", "b"], ["n", "a", "b", "c"]),
        ([], ["c", "a"], ["b", "c", "a"]),
    ],
)
def test_items_that_the_order_lacks_keep_their_place(patch: list[str], order: list[str], expected: list[str]) -> None:
    def containers(names: list[str]) -> list[dict[str, Any]]:
        return [{"name": name, "image": "i"} for name in names]

    stated = {"containers": containers(patch)} if patch else {}
    stated["$setElementOrder/containers"] = [{"name": name} for name in order]
    merged = merge({"spec": {"containers": containers(["a", "b", "c"])}}, {"spec": stated})
    assert [one["name"] for one in merged.value["spec"]["containers"]] == expected
