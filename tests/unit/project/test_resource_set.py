"""What the Flux operator makes of a ResourceSet is checked as far as its inputs are known."""

from __future__ import annotations

from textwrap import indent
from typing import TYPE_CHECKING

import pytest
from calling import call

from mcpcfg.compiler import api

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "apiVersion: fluxcd.controlplane.io/v1\nkind: ResourceSet\nmetadata: {name: servers, namespace: ai}\nspec:\n"
GROUP = "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPGroup\nmetadata: {name: tools, namespace: ai}\n"
SERVER = """\
apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPServer
metadata:
  name: mcp-<< inputs.name >>
  namespace: ai
spec:
  image: << inputs.image.name >>:<< inputs.image.tag >>
  mcpPort: << inputs.port >>
  groupRef:
    name: tools
  args: [<< inputs.name | quote >>]
"""
INPUTS = "  inputs:\n  - {name: notes, port: 8000, image: {name: ghcr.io/a/notes, tag: '1'}}\n"
OTHER = "  - {name: search, port: 8001, image: {name: ghcr.io/a/search, tag: '2'}}\n"


def resource_set(inputs: str, server: str = SERVER) -> dict[str, str]:
    listed = "  resources:\n  - " + indent(server, "    ").strip() + "\n"
    return {"set.yaml": f"{HEAD}{inputs}{listed}", "group.yaml": GROUP}


def template(inputs: str, text: str) -> dict[str, str]:
    written = "  resourcesTemplate: |\n" + indent(text, "    ")
    return {"set.yaml": f"{HEAD}{inputs}{written}", "group.yaml": GROUP}


def servers(files: dict[str, str]) -> list[tuple[str, object]]:
    found = api.check(files=files).loaded.resources
    return [(one.name, one.data["spec"].get("mcpPort")) for one in found if one.kind == "MCPServer"]


def reported(files: dict[str, str]) -> list[tuple[str, str, int]]:
    found = api.check(files=files).findings
    return [(one.rule, one.span.file, one.span.line) for one in found if one.severity != "info"]


def test_each_set_of_inputs_generates_a_resource() -> None:
    files = resource_set(INPUTS + OTHER)

    assert servers(files) == [("mcp-notes", 8000), ("mcp-search", 8001)]
    assert reported(files) == []
    assert servers(template(INPUTS + OTHER, SERVER)) == [("mcp-notes", 8000), ("mcp-search", 8001)]
    assert reported(template(INPUTS + OTHER, SERVER)) == []


def test_a_fault_of_generated_resources_is_reported_once_in_the_template() -> None:
    assert reported(resource_set(INPUTS + OTHER, SERVER.replace("name: tools", "name: tool"))) == [
        ("REF001", "set.yaml", 18),
    ]
    assert reported(resource_set(INPUTS.replace("8000", "'80000'") + OTHER)) == [("ADM006", "set.yaml", 16)]
    assert reported(template(INPUTS.replace("8000", "none"), SERVER)) == [("ADM002", "set.yaml", 7)]


@pytest.mark.parametrize("inputs", ["", "  inputsFrom: [{kind: ResourceSetInputProvider, name: x}]\n"])
def test_inputs_from_other_objects_are_unknown(inputs: str) -> None:
    files = resource_set(inputs)

    assert reported(files) == []
    assert servers(files)[0][1] != 8000


LISTED = "  inputs:\n  - {names: [notes, search], port: 8000, isOn: true, image: {name: ghcr.io/a/b, tag: '1'}}\n"
EACH = """\
<<- range $n := inputs.names >>
---
apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPServer
metadata:
  name: mcp-<< $n >>
  namespace: ai
spec:
  image: << inputs.image.name >>:<< inputs.image.tag >>
  mcpPort: <<- if inputs.isOn >> << inputs.port >> <<- else >> 1 <<- end >>
  groupRef:
    name: tools
  env:
    - {name: TEXT, value: "{{ inputs }}"}
<<- end >>
"""


def test_loops_and_conditions_of_templates_are_executed() -> None:
    files = template(LISTED, EACH)

    assert servers(files) == [("mcp-notes", 8000), ("mcp-search", 8000)]
    assert reported(files) == []
    assert servers(template(LISTED.replace("true", "false"), EACH))[0][1] == 1
    (one, _) = [one for one in api.check(files=files).loaded.resources if one.kind == "MCPServer"]
    assert one.data["spec"]["env"][0]["value"] == "{{ inputs }}"
    assert reported(template(LISTED, EACH.replace("name: tools", "name: tool"))) == [("REF001", "set.yaml", 7)]


REFERRING = SERVER.replace("<< inputs.name >>", "own").replace("<< inputs.image.name >>:<< inputs.image.tag >>", "a:1")
MADE_GROUP = "---\n" + GROUP.replace("name: tools", "name: << inputs.name >>-tools")


@pytest.mark.parametrize(
    "text",
    [
        "<<- range $one := inputs.list >>\n" + MADE_GROUP + "<<- end >>\n",
        "<< if inputs.name >>\nnot: [yaml\nkind: MCPGroup\n<< end >>\n",
        MADE_GROUP.replace("inputs.name", "inputs.name | upper | lower"),
        "<< if inputs.other | default true >>\n" + MADE_GROUP + "<< end >>\n",
    ],
)
def test_objects_of_an_unsupported_template_are_not_reported_as_missing(text: str) -> None:
    files = template(INPUTS, text) | {
        "server.yaml": REFERRING.replace("<< inputs.port >>", "80").replace("tools", "x-tools")
    }

    assert reported(files) == []
    files["set.yaml"] = files["set.yaml"].replace("MCPGroup", "MCPToolConfig")
    assert [rule for rule, _, _ in reported(files)] == ["REF001"]


def test_nested_loops_end_at_the_budget() -> None:
    many = (
        "  inputs:\n"
        + f"  - {{names: [{', '.join(['a'] * 500)}], port: 1, isOn: true, image: {{name: a, tag: b}}}}\n" * 200
    )
    body = "<<- range inputs.names >>" * 3 + "x" + "<<- end >>" * 3 + "\n"

    assert servers(template(many, body)) == []


def test_a_kustomization_of_a_resource_set_applies_its_folder() -> None:
    flux = (
        "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n"
        "metadata: {name: << inputs.name >>, namespace: flux-system}\n"
        "spec: {path: ./apps, targetNamespace: << inputs.name >>}\n"
    )
    quoted = flux.replace("<< inputs.name >>", "'<< inputs.name >>'")
    files = resource_set(INPUTS + OTHER, quoted) | {"apps/group.yaml": GROUP.replace(", namespace: ai", "")}

    made = [(one.document.file, one.namespace) for one in api.check(files=files).loaded.resources]
    assert sorted(namespace or "" for file, namespace in made if file == "apps/group.yaml") == ["notes", "search"]


def test_a_check_with_the_cache_has_the_same_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    files = resource_set(INPUTS + OTHER, SERVER.replace("name: tools", "name: tool"))
    files |= {f"many/{number}.yaml": GROUP.replace("tools", f"t{number}") for number in range(70)}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)

    first = call("check")
    (tmp_path / "many" / "0.yaml").write_text(GROUP.replace("tools", "other"))
    assert call("check").out == first.out == call("check", "--no-cache").out
    assert "REF001" in first.out
