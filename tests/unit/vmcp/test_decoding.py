"""Stored values that the operator cannot decode."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpcfg.compiler.vmcp import codec


def _misfits(kind: str, spec: dict[str, Any]) -> list[tuple[Any, str]]:
    return [(misfit.path, misfit.expected) for misfit in codec.misfits(kind, spec)]


def _of_step(step: dict[str, Any]) -> list[tuple[Any, str]]:
    return _misfits("VirtualMCPCompositeToolDefinition", {"name": "n", "steps": [{"id": "a", "step": step}]})


LONGEST = "a duration of at most 292 years, such as 30s"


@pytest.mark.parametrize(
    ("step", "field", "expected"),
    [
        ({"tool": ["a"]}, "tool", "a string"),
        ({"arguments": []}, "arguments", "an object"),
        ({"arguments": {"a": 10**400}}, "arguments", '"an integer of 1329 bits" is out of range for a 64-bit float'),
        ({"dependsOn": "a"}, "dependsOn", "a list"),
        ({"onError": []}, "onError", "an object"),
        ({"timeout": 30}, "timeout", "a duration such as 30s"),
        ({"timeout": None}, "timeout", "a duration such as 30s"),
        ({"timeout": "400000000h"}, "timeout", LONGEST),
        ({"maxParallel": 2.5}, "maxParallel", "a whole number"),
        ({"maxParallel": 1 << 63}, "maxParallel", "a whole number"),
    ],
)
def test_a_value_of_the_wrong_type_does_not_fit(step: dict[str, Any], field: str, expected: str) -> None:
    assert _of_step(step) == [(("steps", 0, "step", field), expected)]


@pytest.mark.parametrize(
    "step",
    [
        {"tool": None, "arguments": None, "dependsOn": None, "onError": None, "maxParallel": None},
        {"arguments": {"a": [1, {"b": 2.5}]}, "unknown": 1, "timeout": "-1h"},
        {"maxParallel": 3.0, "maxIterations": 1e3},
        {"Tool": 1, "MaxParallel": "many"},
    ],
)
def test_null_free_json_unknown_keys_and_whole_floats_fit(step: dict[str, Any]) -> None:
    assert _of_step(step) == []


@pytest.mark.parametrize(("replicas", "fits"), [(2**31 - 1, True), (2**31, False), (3.0, True), (1e300, False)])
def test_a_count_has_32_bits(replicas: Any, *, fits: bool) -> None:
    found = _misfits("VirtualMCPServer", {"replicas": replicas})
    assert found == ([] if fits else [(("replicas",), "a whole number of 32 bits")])


_JUNK = (
    st.none()
    | st.booleans()
    | st.sampled_from([0, 3.0, 2.5, 1e300, 10**400, "", "a", "30s", "400000000h"])
    | st.lists(st.sampled_from(["a", 1, None]), max_size=2)
    | st.dictionaries(st.sampled_from(["id", "tool", "Tool", "timeout", "x"]), st.sampled_from(["a", 1, None, 10**400]))
)
_FIELDS = ("id", "type", "tool", "arguments", "dependsOn", "onError", "timeout", "schema", "defaultResults", "Message")


@given(st.dictionaries(st.sampled_from(_FIELDS), _JUNK, max_size=4))
def test_each_field_is_taken_or_refused_on_its_own(step: dict[str, Any]) -> None:
    assert _of_step(step) == [misfit for key, value in step.items() for misfit in _of_step({key: value})]
