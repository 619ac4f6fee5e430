"""A fault does not hide the other faults of its object, and none is reported that only follows from it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcpcfg.compiler.api import check
from mcpcfg.compiler.project.settings import Options

STEPS: list[dict[str, Any]] = [
    {"id": "a", "tool": "fetch.x", "dependsOn": ["b"], "arguments": {"q": "{{ .params.x"}},
    {"id": "b", "tool": "fetch.y", "dependsOn": ["a"]},
]
UNDECODABLE = {"id": "c", "type": "forEach", "collection": "{{ .params.l }}", "step": {"id": "d", "tool": ["x"]}}
CYCLE, TEMPLATE = "CMP011", "CMP009"


def tool(**fields: Any) -> dict[str, Any]:
    return {"name": "report", "description": "Report.", "steps": STEPS, **fields}


def element(kind: str, name: str, /, **spec: Any) -> dict[str, Any]:
    head = {"apiVersion": "toolhive.stacklok.dev/v1beta1", "kind": kind}
    return {**head, "metadata": {"name": name, "namespace": "n"}, "spec": spec}


def reported(file: str, data: Any, **options: Any) -> list[str]:
    report = check(files={file: json.dumps(data)}, options=Options(release="0.44.0", **options))
    return sorted({finding.rule for finding in report.findings if finding.severity == "error"})


def errors(spec: dict[str, Any], *, group: str = "g") -> tuple[list[str], list[str]]:
    """Return the errors of a definition, and of a virtual server with the same tool."""
    config = {"compositeTools": [spec]}
    server = element(
        "VirtualMCPServer", "v", groupRef={"name": group}, incomingAuth={"type": "anonymous"}, config=config
    )
    items = [
        element("MCPGroup", "g"),
        element("MCPServer", "fetch", image="i:1", groupRef={"name": "g"}),
        server,
    ]
    definition = element("VirtualMCPCompositeToolDefinition", "report", **spec)
    return reported("a.json", definition), reported("b.json", {"apiVersion": "v1", "kind": "List", "items": items})


def test_a_refused_value_of_a_composite_tool_hides_no_other_fault() -> None:
    expected = ["ADM005", TEMPLATE, CYCLE]
    assert errors(tool(timeout="2 min")) == (expected, expected)


def test_an_undecodable_value_of_a_composite_tool_hides_no_other_fault() -> None:
    expected = [TEMPLATE, CYCLE, "DEC001"]
    assert errors(tool(steps=[*STEPS, UNDECODABLE])) == (expected, expected)


def test_a_dangling_group_hides_no_fault_of_a_composite_tool() -> None:
    config = {"compositeTools": [tool()]}
    server = element("VirtualMCPServer", "v", groupRef={"name": "x"}, incomingAuth={"type": "anonymous"}, config=config)
    assert reported("a.json", server, closed=True) == [TEMPLATE, CYCLE, "REF001"]


@pytest.mark.parametrize(
    "step", [{"id": "${ID}"}, {"type": "${TYPE}"}, {"dependsOn": ["${STEP}"]}, {"arguments": {"${KEY}": "{{"}}]
)
def test_nothing_is_reported_of_a_composite_tool_whose_steps_are_unknown(step: dict[str, Any]) -> None:
    assert errors(tool(steps=[STEPS[0] | step, STEPS[1]]))[0] == []


def test_a_fault_that_may_follow_from_an_unknown_value_is_not_reported() -> None:
    steps = [{"id": "a", "tool": "${TOOL}"}, {"id": "b", "tool": "fetch.y", "arguments": {"x": "${X}"}}]
    assert errors(tool(steps=steps, description="${TEXT}"))[0] == []


def test_a_value_that_does_not_decode_hides_no_other_fault_of_a_file() -> None:
    file = {
        "name": "desk",
        "groupRef": "g",
        "incomingAuth": {"type": "anonymous"},
        "outgoingAuth": {"source": "discovered"},
        "aggregation": {"conflictResolution": "manual", "tools": [{"workload": "a"}, {"workload": "a"}]},
        "operational": {"timeouts": {"default": "2 min"}},
        "compositeTools": [tool(timeout=[2]), tool(name="other", steps=[{"id": ["a"], "dependsOn": ["x"]}, *STEPS])],
    }
    report = check(files={"vmcp.json": json.dumps(file)}, options=Options(release="0.44.0", read_as="vmcp"))
    found = {(finding.rule, finding.path or ()) for finding in report.findings}
    assert {rule for rule, path in found if path[:2] == ("compositeTools", 0)} == {"VMC120", TEMPLATE, CYCLE}
    assert {rule for rule, path in found if path[:2] == ("compositeTools", 1)} == {"VMC120"}
    assert {rule for rule, path in found if path[:1] == ("aggregation",)} == {"VMC105", "VMC106"}


def test_a_required_field_that_is_misspelled_is_not_reported_as_missing() -> None:
    file = {
        "name": "desk",
        "groupRef": "g",
        "incomingAuth": {"type": "anonymous"},
        "outgoingAth": {},
        "aggregation": {},
    }
    report = check(files={"vmcp.json": json.dumps(file)}, options=Options(release="0.44.0", read_as="vmcp"))
    assert "VMC101" not in {finding.rule for finding in report.findings}
