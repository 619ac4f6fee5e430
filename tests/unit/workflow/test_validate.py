import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpcfg.compiler.diagnostics.fault import Flaw
from mcpcfg.compiler.workflow.model import read
from mcpcfg.compiler.workflow.serve import serving_faults
from mcpcfg.compiler.workflow.validate import loading_faults, validation_faults

_TOOL: dict[str, Any] = {
    "name": "flow",
    "description": "does things",
    "parameters": {"type": "object", "properties": {"q": {"type": "string"}}},
    "steps": [
        {"id": "find", "type": "tool", "tool": "github.search", "arguments": {"q": "{{.params.q}}"}},
        {
            "id": "ask",
            "type": "elicitation",
            "message": "Go on with {{.params.q}}?",
            "schema": {"type": "object"},
            "dependsOn": ["find"],
            "onDecline": {"action": "abort"},
        },
        {
            "id": "each",
            "type": "forEach",
            "collection": "{{json .steps.find.output.items}}",
            "dependsOn": ["ask"],
            "step": {"id": "one", "tool": "github.get", "arguments": {"id": "{{.forEach.item}}"}},
        },
    ],
    "output": {"properties": {"n": {"type": "integer", "description": "d", "value": "{{.steps.each.output.count}}"}}},
}


def changed(**changes: Any) -> dict[str, Any]:
    """The sound tool with values put at paths such as ``steps/0/tool``; None takes the key away."""
    tool = copy.deepcopy(_TOOL)
    for path, value in changes.items():
        *way, last = (int(part) if part.isdigit() else part for part in path.split("/"))
        node: Any = tool
        for part in way:
            node = node[part]
        if value is None:
            del node[last]
        else:
            node[last] = value
    return tool


def found(faults: list[Flaw]) -> list[tuple[str, str]]:
    return [("/".join(map(str, fault.path)), fault.code) for fault in faults]


def test_a_sound_tool_has_no_faults() -> None:
    workflow = read(_TOOL)
    assert validation_faults(workflow) == []
    assert serving_faults(workflow) == []
    assert loading_faults(workflow) == []


@pytest.mark.parametrize(
    ("changes", "path", "code"),
    [
        ({"name": None}, "", "tool-name-missing"),
        ({"name": ""}, "name", "tool-name-missing"),
        ({"description": None}, "", "tool-description-missing"),
        ({"steps": [], "output": None}, "steps", "steps-missing"),
        ({"timeout": "-1s"}, "timeout", "timeout-negative"),
        ({"parameters/type": None}, "parameters", "parameters-type"),
        ({"parameters/type": "array"}, "parameters/type", "parameters-type"),
        ({"parameters/properties/q/type": "text"}, "parameters/properties/q/type", "parameters-schema"),
        ({"steps/2/id": ""}, "steps/2/id", "step-id-missing"),
        ({"steps/2/id": "ask"}, "steps/2/id", "step-id-duplicate"),
        ({"steps/0/type": None, "steps/0/message": "m"}, "steps/0", "step-ambiguous"),
        ({"steps/0/type": "shell"}, "steps/0/type", "step-type-unknown"),
        ({"steps/0/tool": None}, "steps/0", "step-tool-missing"),
        ({"steps/0/tool": "a b"}, "steps/0/tool", "step-tool-name"),
        ({"steps/0/tool": "a\n"}, "steps/0/tool", "step-tool-name"),
        ({"steps/1/message": None}, "steps/1", "message-missing"),
        ({"steps/2/tool": "x"}, "steps/2/tool", "foreach-field"),
        ({"steps/2/collection": None}, "steps/2", "collection-missing"),
        ({"steps/2/step": None}, "steps/2", "inner-step-missing"),
        ({"steps/2/step/type": "elicitation"}, "steps/2/step/type", "inner-step-type"),
        ({"steps/2/step/tool": None}, "steps/2/step", "step-tool-missing"),
        ({"steps/2/step/arguments/id": "{{nope}}"}, "steps/2/step/arguments/id", "template-syntax"),
        ({"steps/2/itemVar": "index"}, "steps/2/itemVar", "item-variable"),
        ({"steps/2/itemVar": "1st"}, "steps/2/itemVar", "item-variable"),
        ({"steps/2/maxParallel": 51}, "steps/2/maxParallel", "foreach-limit"),
        ({"steps/2/maxIterations": -1}, "steps/2/maxIterations", "foreach-limit"),
        ({"steps/0/arguments/q": "{{.a.b-c}}"}, "steps/0/arguments/q", "template-syntax"),
        ({"steps/0/condition": "{{"}, "steps/0/condition", "template-syntax"),
        ({"steps/1/message": "{{end}}"}, "steps/1/message", "template-syntax"),
        ({"steps/2/collection": "{{"}, "steps/2/collection", "template-syntax"),
        ({"steps/1/schema": {"type": "objekt"}}, "steps/1/schema/type", "answer-schema"),
        ({"steps/1/dependsOn": ["fnid"]}, "steps/1/dependsOn/0", "dependency-unknown"),
        ({"steps/0/onError": {"action": "ignore"}}, "steps/0/onError/action", "error-action"),
        ({"steps/0/onError": {"action": "retry"}}, "steps/0/onError", "retry-count"),
        ({"steps/1/onDecline": {}}, "steps/1/onDecline", "response-action"),
        ({"steps/1/onCancel": {"action": "retry"}}, "steps/1/onCancel/action", "response-action"),
        ({"steps/0/dependsOn": ["find"]}, "steps/0/dependsOn", "dependency-cycle"),
        ({"steps/0/dependsOn": ["each"]}, "steps/0/dependsOn", "dependency-cycle"),
        ({"steps/2/condition": "true"}, "steps/2", "default-result-missing"),
        (
            {"steps/2/onError": {"action": "continue"}, "steps/2/defaultResults": {"other": None}},
            "steps/2/defaultResults",
            "default-result-missing",
        ),
        (
            {"steps/0/condition": "true", "output/properties/n/value": "{{"},
            "output/properties/n/value",
            "template-syntax",
        ),
        (
            {"steps/1/condition": "true", "steps/0/arguments/q": '{{if true}}{{template "none"}}{{end}}'},
            "steps/0/arguments/q",
            "template-call-bare",
        ),
    ],
)
def test_what_the_validation_refuses_is_one_fault_at_its_place(changes: dict[str, Any], path: str, code: str) -> None:
    assert found(validation_faults(read(changed(**changes)))) == [(path, code)]


@pytest.mark.parametrize(
    "changes",
    [
        {"steps/0/type": None},
        {"steps/0/arguments/nested": {"deep": "{{nope}}"}},
        {"output/properties/n/value": "{{nope}}"},
        {"steps/2/condition": "true", "steps/2/defaultResults": {"count": None}},
        {"steps/1/condition": "true"},
        {"steps/0/onDecline": {"action": "nonsense"}},
        {"steps/0/arguments/q": 'text }} {{template "none"}}'},
        {"parameters": {}},
        {"parameters": None},
        {"steps/2/step/id": None},
        {"steps/1/schema": None},
        {"output/properties/n": {}},
        {"timeout": "0s"},
    ],
)
def test_what_the_validation_lets_pass_is_no_fault(changes: dict[str, Any]) -> None:
    assert validation_faults(read(changed(**changes))) == []


@pytest.mark.parametrize(
    ("changes", "path", "code"),
    [
        ({"steps/2/step/id": None}, "steps/2/step", "inner-step-id-missing"),
        ({"steps/1/schema": {}}, "steps/1", "answer-schema-missing"),
        ({"steps": [{"id": f"s{i}", "tool": "t"} for i in range(101)]}, "steps", "too-many-steps"),
        ({"output/properties": {}}, "output", "output-empty"),
        ({"output/required": ["m"]}, "output/required/0", "output-required-unknown"),
        ({"output/properties/n/type": None}, "output/properties/n", "output-type"),
        ({"output/properties/n/description": ""}, "output/properties/n", "output-description-missing"),
        ({"output/properties/n/value": None}, "output/properties/n", "output-value-missing"),
        ({"output/properties/n/value": "{{{.a}}}"}, "output/properties/n/value", "output-braces"),
        ({"output/properties/n/value": "a }}"}, "output/properties/n/value", "output-braces"),
        ({"output/properties/n/default": True}, "output/properties/n/default", "output-default"),
        (
            {"output/properties/n": {"type": "boolean", "description": "d", "value": "v", "default": 1.5}},
            "output/properties/n/default",
            "output-default",
        ),
        (
            {"output/properties/n": {"type": "object", "description": "d", "value": "v", "properties": {"a": {}}}},
            "output/properties/n/properties",
            "output-value-and-properties",
        ),
    ],
)
def test_what_the_start_refuses_is_reported(changes: dict[str, Any], path: str, code: str) -> None:
    faults = serving_faults(read(changed(**changes)))
    assert (path, code) in found(faults)
    assert {fault.stage for fault in faults} == {"process"}


def test_a_nested_output_may_be_ten_levels_deep() -> None:
    def nested(depth: int) -> dict[str, Any]:
        leaf: dict[str, Any] = {"type": "string", "description": "d", "value": "v"}
        for _ in range(depth):
            leaf = {"type": "object", "description": "d", "properties": {"p": leaf}}
        return changed(**{"output/properties/n": leaf})

    assert serving_faults(read(nested(10))) == []
    assert {fault.code for fault in serving_faults(read(nested(11)))} == {"output-too-deep"}


def test_the_reader_of_configuration_files_looks_closer_at_parameters() -> None:
    tool = changed(**{"parameters/properties": [], "parameters/required": "q"})
    assert [fault.code for fault in loading_faults(read(tool))] == ["parameters-properties", "parameters-required"]


_JUNK = st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.lists(st.integers(), max_size=2)
_PLACES = [
    "name", "description", "parameters", "steps", "steps/0", "steps/0/id", "steps/0/arguments", "steps/1/schema",
    "steps/1/dependsOn", "steps/1/onDecline", "steps/2/step", "steps/2/maxParallel", "output", "output/properties",
    "output/properties/n", "timeout",
]  # fmt: skip


@given(st.dictionaries(st.sampled_from(_PLACES), _JUNK.filter(lambda value: value is not None), max_size=3))
def test_values_of_the_wrong_type_break_nothing(changes: dict[str, Any]) -> None:
    ordered = dict(sorted(changes.items(), key=lambda item: -item[0].count("/")))
    workflow = read(changed(**ordered))
    assert isinstance(validation_faults(workflow) + serving_faults(workflow) + loading_faults(workflow), list)


def test_what_to_do_when_the_user_cancels_is_looked_at_beside_a_handler_that_is_none() -> None:
    changes = {"steps/1/onDecline": None, "steps/1/onCancel": {"action": "retry"}}

    assert found(validation_faults(read(changed(**changes)))) == [("steps/1/onCancel/action", "response-action")]
