"""Typed pod templates, beside the recorded results of Kubernetes' own types."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpcfg.compiler.golang import json as go_json
from mcpcfg.compiler.kube.field_table import struct, struct_names
from mcpcfg.compiler.kube.scalar import SCALARS
from mcpcfg.compiler.kube.typed import decode, empty, encode, is_plain

_FIXTURE = Path(__file__).parents[3] / "fixtures" / "kube" / "pod-decode.jsonl"
_ROWS = [json.loads(line) for line in _FIXTURE.read_text(encoding="utf-8").split("\n") if line]


@pytest.mark.parametrize("row", _ROWS, ids=range(len(_ROWS)))
def test_the_text_is_the_recorded_one(row: dict[str, Any]) -> None:
    decoded = decode(row["value"])
    if row.get("refused"):
        assert decoded.faults
    else:
        assert decoded.faults == ()
        assert go_json.compact(decoded.value) == row["text"]


@pytest.mark.parametrize("row", [row for row in _ROWS if is_plain(row["value"])], ids=str)
def test_of_a_plain_template_nothing_is_lost_or_refused(row: dict[str, Any]) -> None:
    decoded = decode(row["value"])
    assert (decoded.faults, decoded.unknown, decoded.unfilled) == ((), (), ())
    assert _bare(decoded.value) == _bare(row["value"])


@pytest.mark.parametrize(
    "container",
    [
        {},
        {"name": "mcp", "Image": "x"},
        {"name": "mcp", "image": None},
        {"name": "mcp", "stdin": "${STDIN}"},
        {"name": "mcp", "ports": [{"containerPort": "80"}]},
        {"name": "mcp", "resources": {"limits": {"cpu": "much"}}},
        {"name": "mcp", "imagePullPolice": "Always"},
    ],
)
def test_a_template_that_needs_a_closer_look_is_not_plain(container: dict[str, Any]) -> None:
    assert is_plain({"spec": {"containers": [{"name": "mcp", "resources": {"limits": {"cpu": "0.5"}}}]}})
    assert not is_plain({"spec": {"containers": [container]}})


def _bare(value: Any) -> Any:
    """Leave out what is empty, and amounts, which may be written in another form."""
    if isinstance(value, dict):
        bare = {key: _bare(child) for key, child in value.items() if key not in ("limits", "requests", "sizeLimit")}
        return {key: child for key, child in bare.items() if child not in (None, "", 0, [], {})}
    return [_bare(child) for child in value] if isinstance(value, list) else value


def _text(template: Any) -> str:
    return go_json.compact(decode(template).value)


def _patch_text(template: dict[str, Any], account: str) -> str:
    template["spec"]["serviceAccountName"] = account
    return go_json.compact(encode(template))


def test_a_pod_patch_without_a_template() -> None:
    template = empty()
    template["spec"]["containers"] = []
    assert (
        _patch_text(template, "minimal-sa")
        == '{"metadata":{},"spec":{"containers":[],"serviceAccountName":"minimal-sa"}}'
    )


def test_a_pod_patch_of_an_empty_template() -> None:
    assert (
        _patch_text(decode({}).value, "x-sa")
        == '{"metadata":{},"spec":{"containers":null,"serviceAccountName":"x-sa"}}'
    )


def test_a_pod_patch_with_a_field_that_is_unknown() -> None:
    decoded = decode({"spec": {"hostNetwork": True, "hostNetwrk": True}})
    assert decoded.unknown == (("spec", "hostNetwrk"),)
    assert (
        _patch_text(decoded.value, "x-sa")
        == '{"metadata":{},"spec":{"containers":null,"serviceAccountName":"x-sa","hostNetwork":true}}'
    )


def test_a_pod_patch_with_a_secret_and_a_toleration() -> None:
    template = decode({"spec": {"tolerations": [{"operator": "Exists", "key": "k"}]}}).value
    variable = {"name": "k", "valueFrom": {"secretKeyRef": {"key": "k", "name": "s"}}}
    template["spec"]["containers"] = [{"name": "mcp", "env": [variable]}]
    assert _patch_text(template, "x-sa") == (
        '{"metadata":{},"spec":{"containers":[{"name":"mcp","env":[{"name":"k","valueFrom":{"secretKeyRef":'
        '{"name":"s","key":"k"}}}],"resources":{}}],"serviceAccountName":"x-sa",'
        '"tolerations":[{"key":"k","operator":"Exists"}]}}'
    )


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ({"hostNetwork": False, "shareProcessNamespace": False}, '"containers":null,"shareProcessNamespace":false'),
        ({"nodeName": "", "terminationGracePeriodSeconds": 0}, '"containers":null,"terminationGracePeriodSeconds":0'),
        ({"affinity": {}, "dnsConfig": None, "tolerations": [], "containers": []}, '"containers":[],"affinity":{}'),
        ({"nodeSelector": {"b": "1", "a": None}}, '"containers":null,"nodeSelector":{"a":"","b":"1"}'),
        ({"volumes": [{"emptyDir": {"sizeLimit": 1}}]},
         '"volumes":[{"name":"","emptyDir":{"sizeLimit":"1"}}],"containers":null'),
        ({"volumes": [None, {"scaleIO": {}}]},
         '"volumes":[{"name":""},{"name":"","scaleIO":{"gateway":"","system":"","secretRef":null}}],"containers":null'),
        ({"priority": 3.0, "Priority": 2}, '"containers":null,"priority":3'),
        ({"Affinity": {"nodeAffinity": {}}, "affinity": {"podAffinity": {}}},
         '"containers":null,"affinity":{"nodeAffinity":{},"podAffinity":{}}'),
    ],
)  # fmt: skip
def test_the_encoded_text_is_that_of_go(spec: dict[str, Any], text: str) -> None:
    assert _text({"spec": spec}) == f'{{"metadata":{{}},"spec":{{{text}}}}}'


@pytest.mark.parametrize(
    ("template", "path", "message"),
    [
        ([], (), "a list where a mapping is needed"),
        ({"spec": "x"}, ("spec",), '"x" where a mapping is needed'),
        ({"Spec": {"Containers": "x"}}, ("Spec", "Containers"), '"x" where a list is needed'),
        ({"spec": {"hostname": 5}}, ("spec", "hostname"), "5 where a string is needed"),
        ({"spec": {"hostNetwork": "true"}}, ("spec", "hostNetwork"), '"true" where true or false is needed'),
        ({"spec": {"priority": 2**31}}, ("spec", "priority"), "2147483648 does not fit into 32 bits"),
        ({"spec": {"priority": 1.5}}, ("spec", "priority"), "1.5 where a whole number is needed"),
        ({"spec": {"priority": "1"}}, ("spec", "priority"), '"1" where a whole number is needed'),
        (
            {"spec": {"activeDeadlineSeconds": 1e19}},
            ("spec", "activeDeadlineSeconds"),
            "10000000000000000000 does not fit into 64 bits",
        ),
        ({"spec": {"nodeSelector": {"disk": True}}}, ("spec", "nodeSelector", "disk"), "true where a string is needed"),
        ({"spec": {"overhead": {"cpu": "500 Mi"}}}, ("spec", "overhead", "cpu"), '"500 Mi" is not a quantity'),
        ({"spec": {"overhead": {"cpu": {}}}}, ("spec", "overhead", "cpu"), "a mapping where a quantity is needed"),
        (
            {"metadata": {"creationTimestamp": "today"}},
            ("metadata", "creationTimestamp"),
            '"today" is not a time stamp',
        ),
        (
            {"spec": {"containers": [{}, {"livenessProbe": {"httpGet": {"port": True}}}]}},
            ("spec", "containers", 1, "livenessProbe", "httpGet", "port"),
            "true where a number or a name is needed",
        ),
    ],
)
def test_a_value_that_go_cannot_decode_is_a_fault(template: Any, path: tuple[str | int, ...], message: str) -> None:
    (fault,) = decode(template).faults
    assert (fault.path, fault.message, fault.code) == (path, message, "type")


def test_every_fault_is_reported() -> None:
    faults = decode({"metadata": {"labels": {"a": 1, "b": "x", "c": 2}}, "spec": 5}).faults
    assert [fault.path for fault in faults] == [("metadata", "labels", "a"), ("metadata", "labels", "c"), ("spec",)]


@pytest.mark.parametrize(
    ("given_time", "kept"),
    [
        ("2026-01-31T12:00:00Z", "2026-01-31T12:00:00Z"),
        ("2026-01-31T12:00:00.987+02:00", "2026-01-31T10:00:00Z"),
        ("2024-02-29T23:59:59-00:30", "2024-03-01T00:29:59Z"),
        ("9999-12-31T23:30:00-01:00", "10000-01-01T00:30:00Z"),
        ("0000-01-01T00:30:00+01:00", "-0001-12-31T23:30:00Z"),
        ("0001-01-01T00:00:00Z", None),
        (None, None),
    ],
)
def test_time_stamps_are_kept_in_utc(given_time: str | None, kept: str | None) -> None:
    decoded = decode({"metadata": {"creationTimestamp": given_time}})
    assert decoded.faults == ()
    assert decoded.value["metadata"].get("creationTimestamp") == kept


@pytest.mark.parametrize(
    "text",
    ["2025-02-29T00:00:00Z", "2025-01-01T24:00:00Z", "2025-01-01", "2025-01-01T00:00:00", "2025-01-01T00:00:60Z", ""],
)
def test_other_time_stamps_are_faults(text: str) -> None:
    assert decode({"metadata": {"creationTimestamp": text}}).faults


def test_other_structs_are_decoded_too() -> None:
    assert decode({"mountPath": "/x", "Name": "v"}, "VolumeMount").value == {"name": "v", "mountPath": "/x"}
    assert empty("Container") == {"name": "", "resources": {}}


@pytest.mark.parametrize("name", ["Pod", "Quantity", "string", ""])
def test_an_unknown_type_is_the_callers_fault(name: str) -> None:
    with pytest.raises(KeyError):
        decode({}, name)


@pytest.mark.parametrize("typed", [{"spec": {"hostname": 5}}, {"Spec": {}}, []])
def test_encoding_what_does_not_fit_is_the_callers_fault(typed: Any) -> None:
    with pytest.raises(ValueError, match="no PodTemplateSpec"):
        encode(typed)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@st.composite
def _values(draw: st.DrawFn, kind: str, depth: int = 0) -> Any:
    """Values that often fit a type, and now and then do not."""
    known = struct(kind)
    if known is None or not known.fields or depth > 5 or draw(st.integers(0, 9)) == 0:
        return draw(_JSON)
    out = {}
    for field in draw(st.lists(st.sampled_from(known.fields), max_size=4)):
        name = draw(st.sampled_from([field.name, field.name.upper(), field.name + "x"]))
        one = draw(_values(field.kind, depth + 1))
        out[name] = {"one": one, "list": [one], "map": {"k": one}}[field.shape]
    return out


@given(_values("PodTemplateSpec"))
def test_any_value_is_decoded_and_what_was_decoded_is_stable(value: Any) -> None:
    decoded = decode(value)
    assert all(fault.message for fault in decoded.faults)
    assert encode(decoded.value) == decoded.value
    assert list(encode(decoded.value)) == list(decoded.value)


@pytest.mark.parametrize("name", sorted(set(struct_names()) - SCALARS.keys()))
def test_empty_structs_are_stable(name: str) -> None:
    assert encode(empty(name), name) == empty(name)
