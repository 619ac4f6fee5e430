"""Many findings, or many resources that share something: each costs no more than the first, and reports are bounded."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from calling import call
from counting import counted

from mcpcfg.compiler.diagnostics.suggestion import nearest
from mcpcfg.compiler.graph import graph
from mcpcfg.compiler.project.suppression import MOST_ALIKE
from mcpcfg.compiler.workspace.workspace import Workspace
from mcpcfg.validators import authz_document
from mcpcfg.validators.rules import authorization, tool_config, virtual_server_member

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

API = "apiVersion: toolhive.stacklok.dev/v1beta1\n"
MANY = 150


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def checked(path: Path, *documents: str) -> list[dict[str, Any]]:
    (path / "all.yaml").write_text("---\n".join(documents))
    findings: list[dict[str, Any]] = json.loads(call("check", "--format", "json", "--no-cache").out)["findings"]
    return findings


def resource(kind: str, name: str, spec: str) -> str:
    return f"{API}kind: {kind}\nmetadata: {{name: {name}, namespace: prod}}\nspec:\n{spec}"


def servers(spec: str, count: int = MANY) -> list[str]:
    image = "  image: ghcr.io/acme/fetch:1.2.0\n"
    return [resource("MCPServer", f"server-{number}", image + spec) for number in range(count)]


def authorization_map(policies: list[str]) -> str:
    document = json.dumps({"version": "1.0", "type": "cedarv1", "cedar": {"policies": policies, "entities_json": ""}})
    head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: authz, namespace: prod}\ndata:\n"
    return f"{head}  authz.json: |\n    {document}\n"


AUTHZ = "  authzConfig: {type: configMap, configMap: {name: authz}}\n"


def test_an_authorization_document_that_many_share_is_judged_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads = counted(monkeypatch, authz_document, "read_loosely")
    judgements = counted(monkeypatch, authorization, "_faults")
    policies = [f'permit(principal, action == Action::"call_tool", resource == Tool::"own-{i}");' for i in range(20)]

    found = checked(tmp_path, authorization_map(policies), *servers(AUTHZ))

    assert not [one for one in found if one["rule"].startswith("AZN")]
    assert len(reads) == 1
    assert len(judgements) == len(policies)


def test_each_resource_reports_a_bounded_number_of_faults_of_a_shared_document(tmp_path: Path) -> None:
    found = checked(tmp_path, authorization_map([f"permit({i}" for i in range(MANY)]), *servers(AUTHZ, 2))

    assert len([one for one in found if one["rule"] == authorization.INVALID_POLICY.id]) == 2 * 100


def test_each_resource_reports_a_bounded_number_of_faults_of_a_shared_tool_configuration(tmp_path: Path) -> None:
    listed = "".join(f'  - "a,{number}"\n' for number in range(MANY))
    config = resource("MCPToolConfig", "tools", f"  toolsFilter:\n{listed}")

    found = checked(tmp_path, config, *servers("  toolConfigRef: {name: tools}\n", 2))

    assert len([one for one in found if one["rule"] == tool_config.FILTER.id]) == 2 * 100


def test_the_users_of_a_tool_configuration_are_looked_up_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = counted(monkeypatch, Workspace, "referrers")
    tools = "".join(f"    t{i}: {{name: n{i}, annotations: {{readOnlyHint: true}}}}\n" for i in range(MANY))
    config = resource("MCPToolConfig", "tools", f"  toolsOverride:\n{tools}")

    found = checked(tmp_path, config, *servers("  toolConfigRef: {name: tools}\n", 3))

    assert len([one for one in found if one["rule"] == tool_config.ANNOTATIONS.id]) == MOST_ALIKE
    assert len([args for args in asked if args[1].kind == "MCPToolConfig"]) == 1


def test_a_name_is_compared_with_a_bounded_number_of_members(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[int] = []

    def counted(word: str, known: Iterable[str], likeness: float) -> str | None:
        names = list(known)
        compared.append(len(names))
        return nearest(word, names, likeness=likeness)

    monkeypatch.setattr(virtual_server_member, "nearest", counted)
    group = resource("MCPGroup", "group", "  description: x\n")
    virtual = (
        "  groupRef: {name: group}\n  incomingAuth: {type: anonymous}\n"
        "  config: {aggregation: {conflictResolution: prefix, tools: [{workload: servr-7, filter: [a]}]}}\n"
    )

    found = checked(
        tmp_path,
        group,
        resource("VirtualMCPServer", "all", virtual),
        *servers("  groupRef: {name: group}\n", 2 * MANY),
    )

    assert [one["rule"] for one in found if "servr-7" in one["message"]] == ["VMC212"]
    assert compared == [200]


def test_a_hint_lists_a_bounded_number_of_keys(tmp_path: Path) -> None:
    head = "apiVersion: v1\nkind: Secret\nmetadata: {name: keys, namespace: prod}\nstringData:\n"
    secret = head + "".join(f"  key-{number:03d}: x\n" for number in range(MANY))

    found = checked(tmp_path, secret, *servers("  secrets: [{name: keys, key: absent}]\n", 1))

    (hint,) = [one["hint"] for one in found if "absent" in one["message"]]
    assert hint.startswith("it has: key-000, key-001, ")
    assert hint.endswith("key-049 and 100 more")


def test_a_resource_that_many_refer_to_is_drawn_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = counted(monkeypatch, graph, "_node")
    many = servers("  groupRef: {name: group}\n", 40)
    (tmp_path / "all.yaml").write_text("---\n".join([resource("MCPGroup", "group", "  description: x\n"), *many]))

    assert call("graph").status == 0
    assert len(drawn) == 41
