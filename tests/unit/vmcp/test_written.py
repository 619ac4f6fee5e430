"""The configuration of the vMCP process as the operator writes it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from known_key import unknown_keys_dropped

from mcpcfg.compiler.golang.value import SortedMap
from mcpcfg.compiler.golang.yaml.v3 import dump
from mcpcfg.compiler.reading.document import read_documents
from mcpcfg.compiler.vmcp.codec import loaded, written
from mcpcfg.compiler.vmcp.workflow.model import read
from mcpcfg.compiler.vmcp.workflow.serve import serving_faults
from mcpcfg.compiler.vmcp.workflow.validate import validation_faults


def _config(**fields: Any) -> Any:
    return written(fields)


def test_keys_are_in_the_order_of_declaration() -> None:
    assert list(_config(metadata={"a": "b"}, groupRef="g", name="n")) == ["name", "groupRef", "metadata"]


def test_empty_values_are_left_out() -> None:
    assert _config(name="", groupRef=None, backends=[], metadata={}) == {}


def test_fields_without_omitempty_are_written_even_if_empty() -> None:
    assert _config(backends=[{"name": "a"}]) == {"backends": [{"name": "a", "url": "", "transport": ""}]}


def test_an_empty_struct_behind_a_pointer_is_written() -> None:
    assert _config(optimizer={}) == {"optimizer": {}}


def test_keys_that_the_model_does_not_have_are_left_out() -> None:
    with unknown_keys_dropped():
        assert _config(name="n", bogus=1) == {"name": "n"}


@pytest.mark.parametrize(("given", "written"), [("90s", "1m30s"), ("1h", "1h0m0s"), ("1.5s", "1.5s")])
def test_durations_get_their_normal_form(given: str, written: str) -> None:
    assert _config(operational={"timeouts": {"default": given}}) == {"operational": {"timeouts": {"default": written}}}


@pytest.mark.parametrize(
    "path",
    [
        "operational.timeouts.default",
        "operational.failureHandling.healthCheckInterval",
        "operational.failureHandling.healthCheckTimeout",
        "operational.failureHandling.statusReportingInterval",
        "operational.failureHandling.circuitBreaker.timeout",
        "optimizer.embeddingServiceTimeout",
        "codeMode.toolCallTimeout",
    ],
)
def test_a_duration_of_zero_is_left_out_as_omitempty_has_it(path: str) -> None:
    *above, field = path.split(".")
    for value, kept in (("0s", set()), ("1s", {field})):
        config: dict[str, Any] = {field: value}
        for step in reversed(above):
            config = {step: config}
        shaped = written(config, "0.44.0")
        for step in above:
            shaped = shaped[step]
        assert set(shaped) & {field} == kept


def test_free_values_are_decoded_as_json_and_maps_are_sorted() -> None:
    (tool,) = _config(compositeTools=[{"name": "a", "parameters": {"b": 1, "a": [2]}, "steps": []}])["compositeTools"]

    assert isinstance(tool["parameters"], SortedMap)
    assert repr(tool["parameters"]) == "{'b': 1.0, 'a': [2.0]}"


def test_pointers_keep_zero_values() -> None:
    overrides = {"t": {"annotations": {"title": "", "readOnlyHint": False}}}
    shaped = _config(aggregation={"tools": [{"workload": "w", "overrides": overrides}]})

    assert shaped["aggregation"]["tools"][0]["overrides"] == overrides


_WRITTEN = sorted((Path(__file__).parents[3] / "fixtures" / "models" / "written").glob("vmcp*"))


@pytest.mark.parametrize("file", _WRITTEN, ids=lambda file: file.stem)
def test_a_file_that_the_operator_wrote_is_written_the_same(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    (document,), _ = read_documents(text, file.name, dialect="vmcp")
    assert dump(written(document.data)) == text


_TIMES = ("", "0s", "90s", "1h", "-1s", "1.5h")
_TEXTS = ("", "{{.params.q}}", "{{.steps.a.output.x}}", "{{", "true")
_TOOL = st.fixed_dictionaries(
    {
        "name": st.just("t"),
        "description": st.sampled_from(("", "d")),
        "steps": st.lists(
            st.fixed_dictionaries(
                {"id": st.sampled_from(("a", "b"))},
                optional={
                    "type": st.sampled_from(("tool", "elicitation", "forEach")),
                    "tool": st.sampled_from(("x.y", "")),
                    "message": st.sampled_from(_TEXTS),
                    "condition": st.sampled_from(_TEXTS),
                    "collection": st.sampled_from(_TEXTS),
                    "arguments": st.sampled_from(({}, {"z": "{{.params.q}}", "a": 1}, {"n": {"m": ["{{"]}})),
                    "schema": st.sampled_from(({}, {"type": "object"}, {"type": 1, "required": ["a", "a"]})),
                    "dependsOn": st.sampled_from(([], ["a"], ["c"])),
                    "timeout": st.sampled_from(_TIMES),
                    "maxParallel": st.sampled_from((0, 5, 51, 60.0, 2.0)),
                    "maxIterations": st.sampled_from((0, 1000, 2000.0, -1)),
                    "defaultResults": st.sampled_from(({}, {"x": None}, {"x": 1})),
                    "onError": st.fixed_dictionaries(
                        {"action": st.sampled_from(("abort", "continue", "retry"))},
                        optional={"retryCount": st.sampled_from((0, 1, 1.0)), "retryDelay": st.sampled_from(_TIMES)},
                    ),
                    "onDecline": st.sampled_from(({"action": "abort"}, {"action": "skip_remaining"})),
                    "step": st.sampled_from(({"id": "i", "type": "tool", "tool": "x.y"}, {"tool": "x.y"})),
                },
            ),
            max_size=3,
        ),
    },
    optional={
        "timeout": st.sampled_from(_TIMES),
        "parameters": st.sampled_from(({}, {"type": "object", "properties": {"q": {"type": "string"}}}, {"type": "a"})),
        "output": st.sampled_from(
            (
                {},
                {"properties": {"r": {"type": "integer", "description": "d", "value": "{{.steps.a.output.x}}"}}},
                {"properties": {"r": {"type": "integer", "description": "d", "value": "1", "default": 1}}},
                {"properties": {"r": {"type": "object", "description": "", "properties": {}}}, "required": ["s"]},
            )
        ),
    },
)


@given(_TOOL)
def test_a_compiled_tool_is_refused_only_if_its_source_is_refused(tool: dict[str, Any]) -> None:
    compiled = read(_config(compositeTools=[tool])["compositeTools"][0])
    workflow = read(tool)
    refused = [*validation_faults(workflow), *serving_faults(workflow)]
    assert bool(refused) == bool([*validation_faults(compiled), *serving_faults(compiled)])


def test_empty_free_json_is_left_out_by_the_operator_and_null_for_the_process() -> None:
    tool = {"name": "a", "description": "d", "parameters": {}, "steps": []}
    assert "parameters" not in _config(compositeTools=[tool])["compositeTools"][0]
    config, misfits, _ = loaded({"compositeTools": [tool]})
    assert not misfits
    assert config["compositeTools"][0]["parameters"] is None


def test_null_in_a_list_of_texts_becomes_an_empty_text() -> None:
    order = {"conflictResolutionConfig": {"priorityOrder": ["a", None]}}
    assert _config(metadata={"a": "b", "c": None})["metadata"] == {"a": "b", "c": ""}
    assert _config(aggregation=order)["aggregation"]["conflictResolutionConfig"] == {"priorityOrder": ["a", ""]}


def test_the_process_reads_an_unquoted_number_as_the_text_in_the_file() -> None:
    assert loaded({"name": 1.1}, lambda _: "1.10")[0]["name"] == "1.10"
    assert loaded({"name": 1.1})[0]["name"] == "1.1"


def test_a_placeholder_in_place_of_a_struct_list_or_map_stays() -> None:
    given = {
        "operational": {"timeouts": {"default": "${D}"}},
        "compositeTools": "${B}",
        "audit": "${A}",
        "metadata": "${C}",
    }
    assert _config(**given) == given
