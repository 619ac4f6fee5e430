import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpcfg.compiler.diagnostics.fault import Fault
from mcpcfg.compiler.vmcp.workflow.model import read
from mcpcfg.compiler.vmcp.workflow.serve import serving_faults
from mcpcfg.compiler.vmcp.workflow.validate import loading_faults, validation_faults

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


def found(faults: list[Fault]) -> list[tuple[str, str]]:
    return [("/".join(map(str, fault.path)), fault.rule.id) for fault in faults]


def test_a_sound_tool_has_no_faults() -> None:
    workflow = read(_TOOL)
    assert validation_faults(workflow) == []
    assert serving_faults(workflow) == []
    assert loading_faults(workflow) == []


@pytest.mark.parametrize(
    ("changes", "path", "rule"),
    [
        ({"name": None}, "", "CMP001"),
        ({"name": ""}, "name", "CMP001"),
        ({"description": None}, "", "CMP001"),
        ({"steps": [], "output": None}, "steps", "CMP001"),
        ({"timeout": "-1s"}, "timeout", "CMP002"),
        ({"parameters/type": None}, "parameters", "CMP003"),
        ({"parameters/type": "array"}, "parameters/type", "CMP003"),
        ({"parameters/properties/q/type": "text"}, "parameters/properties/q/type", "CMP003"),
        ({"steps/2/id": ""}, "steps/2/id", "CMP004"),
        ({"steps/2/id": "ask"}, "steps/2/id", "CMP004"),
        ({"steps/0/type": None, "steps/0/message": "m"}, "steps/0", "CMP005"),
        ({"steps/0/type": "shell"}, "steps/0/type", "CMP005"),
        ({"steps/0/tool": None}, "steps/0", "CMP006"),
        ({"steps/0/tool": "a b"}, "steps/0/tool", "CMP006"),
        ({"steps/0/tool": "a\n"}, "steps/0/tool", "CMP006"),
        ({"steps/1/message": None}, "steps/1", "CMP007"),
        ({"steps/2/tool": "x"}, "steps/2/tool", "CMP008"),
        ({"steps/2/collection": None}, "steps/2", "CMP008"),
        ({"steps/2/step": None}, "steps/2", "CMP008"),
        ({"steps/2/step/type": "elicitation"}, "steps/2/step/type", "CMP008"),
        ({"steps/2/step/tool": None}, "steps/2/step", "CMP006"),
        ({"steps/2/step/arguments/id": "{{nope}}"}, "steps/2/step/arguments/id", "CMP009"),
        ({"steps/2/itemVar": "index"}, "steps/2/itemVar", "CMP008"),
        ({"steps/2/itemVar": "1st"}, "steps/2/itemVar", "CMP008"),
        ({"steps/2/maxParallel": 51}, "steps/2/maxParallel", "CMP008"),
        ({"steps/2/maxIterations": -1}, "steps/2/maxIterations", "CMP008"),
        ({"steps/0/arguments/q": "{{.a.b-c}}"}, "steps/0/arguments/q", "CMP009"),
        ({"steps/0/condition": "{{"}, "steps/0/condition", "CMP009"),
        ({"steps/1/message": "{{end}}"}, "steps/1/message", "CMP009"),
        ({"steps/2/collection": "{{"}, "steps/2/collection", "CMP009"),
        ({"steps/1/schema": {"type": "objekt"}}, "steps/1/schema/type", "CMP007"),
        ({"steps/1/dependsOn": ["fnid"]}, "steps/1/dependsOn/0", "CMP010"),
        ({"steps/0/onError": {"action": "ignore"}}, "steps/0/onError/action", "CMP012"),
        ({"steps/0/onError": {"action": "retry"}}, "steps/0/onError", "CMP012"),
        ({"steps/1/onDecline": {}}, "steps/1/onDecline", "CMP007"),
        ({"steps/1/onCancel": {"action": "retry"}}, "steps/1/onCancel/action", "CMP007"),
        ({"steps/0/dependsOn": ["find"]}, "steps/0/dependsOn", "CMP011"),
        ({"steps/0/dependsOn": ["each"]}, "steps/0/dependsOn", "CMP011"),
        ({"steps/2/condition": "true"}, "steps/2", "CMP013"),
        (
            {"steps/2/onError": {"action": "continue"}, "steps/2/defaultResults": {"other": None}},
            "steps/2/defaultResults",
            "CMP013",
        ),
        (
            {"steps/0/condition": "true", "output/properties/n/value": "{{"},
            "output/properties/n/value",
            "CMP009",
        ),
        (
            {"steps/1/condition": "true", "steps/0/arguments/q": '{{if true}}{{template "none"}}{{end}}'},
            "steps/0/arguments/q",
            "CMP202",
        ),
    ],
)
def test_a_refused_value_is_reported_once_at_its_path(changes: dict[str, Any], path: str, rule: str) -> None:
    assert found(validation_faults(read(changed(**changes)))) == [(path, rule)]


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
def test_an_unusual_tool_that_the_validation_accepts_has_no_fault(changes: dict[str, Any]) -> None:
    assert validation_faults(read(changed(**changes))) == []


@pytest.mark.parametrize(
    ("changes", "path", "rule"),
    [
        ({"steps/2/step/id": None}, "steps/2/step", "CMP020"),
        ({"steps/1/schema": {}}, "steps/1", "CMP021"),
        ({"steps": [{"id": f"s{i}", "tool": "t"} for i in range(101)]}, "steps", "CMP022"),
        ({"output/properties": {}}, "output", "CMP023"),
        ({"output/required": ["m"]}, "output/required/0", "CMP023"),
        ({"output/properties/n/type": None}, "output/properties/n", "CMP023"),
        ({"output/properties/n/description": ""}, "output/properties/n", "CMP023"),
        ({"output/properties/n/value": None}, "output/properties/n", "CMP023"),
        ({"output/properties/n/value": "{{{.a}}}"}, "output/properties/n/value", "CMP023"),
        ({"output/properties/n/value": "a }}"}, "output/properties/n/value", "CMP023"),
        ({"output/properties/n/default": True}, "output/properties/n/default", "CMP023"),
        (
            {"output/properties/n": {"type": "boolean", "description": "d", "value": "v", "default": 1.5}},
            "output/properties/n/default",
            "CMP023",
        ),
        (
            {"output/properties/n": {"type": "object", "description": "d", "value": "v", "properties": {"a": {}}}},
            "output/properties/n/properties",
            "CMP023",
        ),
    ],
)
def test_a_composite_tool_that_vmcp_refuses_at_start_is_reported(changes: dict[str, Any], path: str, rule: str) -> None:
    faults = serving_faults(read(changed(**changes)))
    assert (path, rule) in found(faults)
    assert {fault.stage for fault in faults} == {"process"}


def test_a_nested_output_may_be_ten_levels_deep() -> None:
    def nested(depth: int) -> dict[str, Any]:
        leaf: dict[str, Any] = {"type": "string", "description": "d", "value": "v"}
        for _ in range(depth):
            leaf = {"type": "object", "description": "d", "properties": {"p": leaf}}
        return changed(**{"output/properties/n": leaf})

    assert serving_faults(read(nested(10))) == []
    assert {fault.rule.id for fault in serving_faults(read(nested(11)))} == {"CMP023"}


def test_the_loader_of_configuration_files_refuses_wrong_parameters() -> None:
    tool = changed(**{"parameters/properties": [], "parameters/required": "q"})
    assert [fault.rule.id for fault in loading_faults(read(tool))] == ["CMP003", "CMP003"]


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


def test_on_cancel_is_checked_even_if_on_decline_is_null() -> None:
    changes = {"steps/1/onDecline": None, "steps/1/onCancel": {"action": "retry"}}

    assert found(validation_faults(read(changed(**changes)))) == [("steps/1/onCancel/action", "CMP007")]
