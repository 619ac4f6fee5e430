"""``mcpcfg simulate`` as people call it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import sample
from calling import call

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

ROOT = Path(__file__).parents[3]
PROJECT = "fixtures/projects/virtual-server"
GIVEN = "fixtures/simulations/call"


@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


WORKFLOW = ("workflow", "triage", PROJECT, "--params", f"{GIVEN}/params.yaml", "--results", f"{GIVEN}/results.yaml")
AUTHZ = ("authz", f"{GIVEN}/authz.json", "--claims", f"{GIVEN}/claims.yaml")
CALLS = {
    "tools-as-given": ("tools", "desk", PROJECT, "--backend-tools", f"{GIVEN}/backend-tools.yaml"),
    "tools-of-registry": ("tools", "desk", PROJECT, f"{GIVEN}/registry.json"),
    "tools-as-configured": ("tools", f"{PROJECT}/desk.yaml"),
    "workflow": WORKFLOW,
    "workflow-of-server": ("workflow", "desk", PROJECT, "--tool", "triage_ticket"),
    "authz-allowed": (*AUTHZ, "--resource", "report", "--argument", "pages=4.5"),
    "authz-forbidden": (*AUTHZ, "--resource", "drop_table"),
    "authz-failing-policy": (*AUTHZ, "--resource", "report"),
    "authz-list": (*AUTHZ, "--action", "list_tools"),
    "authz-none": ("authz", "tickets", PROJECT, "--principal", "alice", "--resource", "search"),
    "role": ("role", f"{GIVEN}/role.yaml", "--claims", f"{GIVEN}/claims.yaml"),
    "rate-limit": ("rate-limit", "search", GIVEN, "--users", "50"),
    "rate-limit-alone": ("rate-limit", f"{GIVEN}/limits.yaml"),
}


@pytest.mark.parametrize("name", CALLS)
def test_the_text_output_of_a_simulation(name: str, snapshot: SnapshotAssertion) -> None:
    outcome = call("simulate", *CALLS[name])
    assert outcome.err == ""
    assert outcome.status == 0
    assert outcome.out == snapshot


@pytest.mark.parametrize("name", CALLS)
def test_an_answer_in_json_has_the_recorded_data(name: str, snapshot: SnapshotAssertion) -> None:
    outcome = call("simulate", *CALLS[name], "--format", "json")
    assert outcome.status == 0
    assert json.loads(outcome.out) == snapshot


FAULTS = {
    "nothing named": ("tools",),
    "unknown name": ("tools", "dek", PROJECT),
    "no such resource": ("rate-limit", "nothing", PROJECT),
    "file without any": ("workflow", f"{GIVEN}/limits.yaml"),
    "missing file": ("tools", "desk", "no-such-folder"),
    "missing values": ("role", f"{GIVEN}/role.yaml"),
    "values are a list": ("workflow", "triage", PROJECT, "--params", "list.yaml"),
    "values are broken": ("workflow", "triage", PROJECT, "--params", "broken.yaml"),
    "unknown backend": ("tools", "desk", PROJECT, "--backend-tools", "backends.yaml"),
    "backend without list": ("tools", "desk", PROJECT, "--backend-tools", "scalar.yaml"),
    "no limits": ("rate-limit", "tickets", PROJECT),
    "no tool of that name": ("workflow", "desk", PROJECT, "--tool", "triag"),
    "nobody asks": ("authz", f"{GIVEN}/authz.json", "--resource", "x"),
    "nothing asked for": ("authz", f"{GIVEN}/authz.json", "--principal", "x"),
    "bad argument": ("authz", f"{GIVEN}/authz.json", "--principal", "x", "--resource", "x", "--argument", "x"),
    "another type": ("role", "wiki-token", PROJECT, "--claims", f"{GIVEN}/claims.yaml"),
    "not admitted": ("rate-limit", "refused.yaml"),
    "no ConfigMap": ("authz", "unreadable.yaml", "--principal", "x", "--resource", "x"),
    "no MCPAuthzConfig": ("authz", "shared.yaml", "--principal", "x", "--resource", "x"),
}
FILES = {
    "list.yaml": "- 1\n",
    "broken.yaml": "a: [1\n",
    "backends.yaml": "tickts: [get]\n",
    "scalar.yaml": "tickets: get\n",
    "refused.yaml": (
        "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPServer\nmetadata: {name: x}\nspec: {imag: y}\n"
    ),
    "unreadable.yaml": (
        "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPServer\nmetadata: {name: x}\n"
        "spec: {image: z, authzConfig: {type: configMap, configMap: {name: policies}}}\n"
    ),
    "shared.yaml": (
        "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPServer\nmetadata: {name: x}\n"
        "spec: {image: z, authzConfigRef: {name: policies}}\n"
    ),
}
SHARED = """\
---
apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPAuthzConfig
metadata: {name: policies}
spec:
  type: cedarv1
  config: {policies: ['permit(principal, action, resource in MCP::"x") when { resource.name == "a" };']}
"""


@pytest.mark.parametrize("name", FAULTS)
def test_a_wrong_call_is_reported_with_what_to_do(
    name: str, snapshot: SnapshotAssertion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")
    for file, text in FILES.items():
        (tmp_path / file).write_text(text)
    monkeypatch.chdir(tmp_path)
    outcome = call("simulate", *FAULTS[name])
    assert outcome.status == 2
    assert outcome.out == ""
    assert outcome.err.splitlines()[-1] == snapshot


VIRTUAL = """\
apiVersion: toolhive.stacklok.dev/v1beta1
kind: VirtualMCPServer
metadata: {name: x}
spec:
  groupRef: {name: tools}
  incomingAuth: {type: anonymous, authzConfigRef: {name: policies}}
"""


@pytest.mark.parametrize("text", [FILES["shared.yaml"], VIRTUAL])
@pytest.mark.parametrize(("tool", "allowed"), [("a", True), ("b", False)])
def test_a_shared_authorization_decides(tmp_path: Path, text: str, tool: str, allowed: bool) -> None:
    (tmp_path / "x.yaml").write_text(text + SHARED)
    answer = call("simulate", "authz", "x", str(tmp_path), "--principal", "u", "--resource", tool, "--format", "json")
    assert json.loads(answer.out)["allowed"] is allowed


@pytest.mark.parametrize("subject", ["tools", "workflow", "authz", "role", "rate-limit"])
def test_a_line_that_is_not_a_question_does_not_affect_others(subject: str) -> None:
    outcome = call("simulate", subject, "--json-lines", stdin="{}\n\nnonsense\n[1]\n{}\n")
    answers = [json.loads(line) for line in outcome.out.splitlines()]
    assert outcome.status == 1
    assert [("line" in str(answer.get("error"))) for answer in answers] == [False, True, True, False]


def test_a_configuration_file_of_the_process_is_simulated_without_other_files(tmp_path: Path) -> None:
    file = tmp_path / "vmcp.yaml"
    file.write_text(
        "groupRef: g\nbackends: [{name: a, url: 'http://a', transport: sse}]\noptimizer: {}\n"
        "aggregation: {tools: [{workload: a, filter: [x]}, {workload: 5, filter: 7, overrides: []}]}\n"
    )
    outcome = call("simulate", "tools", str(file), "--format", "json")
    answer = json.loads(outcome.out)
    assert answer["visible"] == ["find_tool", "call_tool"]
    assert answer["routes"] == {"a_x": {"backend": "a", "tool": "x"}}


HOSTILE = {
    "filters that are no texts": ("tools", "groupRef: g\naggregation: {tools: [{workload: a, filter: [{}, [1], a]}]}"),
    "overrides that are no objects": (
        "tools",
        "groupRef: g\naggregation: {tools: [{workload: a, overrides: {b: []}}]}",
    ),
    "an override with an object as name": (
        "tools",
        "groupRef: g\naggregation: {tools: [{workload: a, overrides: {b: {name: {}}}}]}",
    ),
    "workloads and backends that are no names": (
        "tools",
        "groupRef: g\nbackends: [{name: {}}, 5]\naggregation: {tools: [{workload: []}]}",
    ),
    "an output whose value is a number": (
        "workflow",
        "{steps: [{id: a, tool: t}], output: {properties: {x: {value: 1.5, type: string, description: d}}}}",
    ),
    "an output whose type is a list": (
        "workflow",
        "{steps: [{id: a, tool: t}], output: {properties: {x: {value: y, type: [], default: 1}}}}",
    ),
    "steps that are none": ("workflow", "{steps: [5, null, {id: {}, tool: [], dependsOn: [{}]}]}"),
    "limits that are none": ("rate-limit", "{shared: {maxTokens: {}, refillPeriod: []}}"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_values_of_a_wrong_type_cause_no_internal_error(name: str, tmp_path: Path) -> None:
    subject, text = HOSTILE[name]
    (tmp_path / "file.yaml").write_text(text)
    for form in ("text", "json"):
        outcome = call("simulate", subject, str(tmp_path / "file.yaml"), "--format", form)
        assert "Traceback" not in outcome.err
        assert (outcome.status, bool(outcome.out)) in ((0, True), (2, False))


def test_a_name_is_looked_up_in_the_folder_of_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / PROJECT)
    assert call("simulate", "tools", "desk").out == call("simulate", "tools", "desk", ".").out != ""


def test_a_server_of_a_group_that_is_not_there_has_no_backends(tmp_path: Path) -> None:
    spec = ("groupRef: {name: nowhere}", "incomingAuth: {type: anonymous}")
    (tmp_path / "desk.yaml").write_text(sample.resource("VirtualMCPServer", "desk", *spec))
    outcome = call("simulate", "tools", "desk", str(tmp_path))
    assert "Traceback" not in outcome.err
    assert outcome.status in (0, 2)


@pytest.mark.parametrize("field", ["aggregation", "groupRef", "incomingAuth", "compositeTools"])
def test_each_distinctive_field_identifies_a_vmcp_configuration_file(field: str, tmp_path: Path) -> None:
    (tmp_path / "vmcp.yaml").write_text(f"name: desk\n{field}: {'[]' if field == 'compositeTools' else '{}'}\n")
    outcome = call("simulate", "tools", str(tmp_path / "vmcp.yaml"))
    assert (outcome.status, outcome.out.split()[0]) == (0, "desk:")
    (tmp_path / "vmcp.yaml").write_text("name: desk\n")
    outcome = call("simulate", "tools", str(tmp_path / "vmcp.yaml"))
    assert outcome.status == 2
    assert "holds nothing to simulate: no VirtualMCPServer" in outcome.err


@pytest.mark.parametrize("action", ["list_tools", "list_prompts", "list_resources"])
def test_a_list_action_needs_no_resource(action: str) -> None:
    outcome = call("simulate", *AUTHZ, "--action", action)
    assert (outcome.status, outcome.err) == (0, "")


def test_policies_of_a_config_map_are_read_as_the_operator_reads_them(tmp_path: Path) -> None:
    document = {"version": "1.0", "type": "cedarv1", "cedar": {"policies": ["permit(principal, action, resource);"]}}
    text = f"{FILES['unreadable.yaml']}---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: policies}}\n"
    file = tmp_path / "a.yaml"
    file.write_text(f"{text}data: {{authz.json: '{json.dumps(document)}'}}\n")
    outcome = call("simulate", "authz", "x", str(file), "--principal", "u", "--resource", "t", "--format", "json")

    assert json.loads(outcome.out)["allowed"] is True
