"""Hints about fields that earlier versions had otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mcpcfg.compiler.check.full import Options, check
from mcpcfg.compiler.project.discovery import discover

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: {kind}\nmetadata: {{name: a}}\n{rest}\n"


@pytest.mark.parametrize(
    ("kind", "rest", "hint"),
    [
        (
            "VirtualMCPServer",
            "spec: {incomingAuth: {type: anonymous}, config: {groupRef: team}}",
            "required since v0.21.0: write groupRef: {name: …}; config.groupRef does not count",
        ),
        (
            "VirtualMCPServer",
            "spec: {groupRef: {name: team}}",
            "required since v0.6.12: write incomingAuth: {type: anonymous}, or oidc",
        ),
        (
            "VirtualMCPServer",
            (
                "spec: {groupRef: {name: t}, incomingAuth: {type: anonymous}, config: {operational: {failureHandling:"
                " {partialFailureMode: bestEffort}}}}"
            ),
            "write fail: the process accepts no other",
        ),
        (
            "VirtualMCPCompositeToolDefinition",
            (
                "spec: {name: t, description: d, parameters: {url: {type: string}}, steps: [{id: a, tool: a.b,"
                ' arguments: {u: "{{.params.url}}"}}]}'
            ),
            "a JSON Schema since v0.6.9: write {type: object, properties: {…}}",
        ),
        ("EmbeddingServer", "spec: {model: m, image: i, resourceOverrides: {deployment: {}}}", "use statefulSet"),
        ("MCPServer", "spec: {image: a, env: [{key: A, value: b}]}", "use name"),
        ("MCPServer", "spec: {image: a, secrets: [{secretName: s, key: k}]}", "use name"),
        ("MCPRegistry", "spec: {source: {type: git}}", "required since v0.18.0"),
    ],
)
def test_a_field_of_an_earlier_version_is_reported_with_its_replacement(
    tmp_path: Path, kind: str, rest: str, hint: str
) -> None:
    file = tmp_path / "a.yaml"
    file.write_text(HEAD.format(kind=kind, rest=rest))

    hints = [finding.hint or "" for finding in check(discover((str(file),)), Options()).findings]

    assert any(one.startswith(hint) for one in hints), hints


@pytest.mark.parametrize(
    ("group", "kind", "reported"),
    [
        ("toolhive.stacklok.com", "MCPConfigOIDC", ["ADM032"]),
        ("toolhive.stacklok.com", "Deployment", []),
        ("mcp.example.com", "MCPConfigOIDC", []),
    ],
)
def test_a_group_that_is_nearly_ours_is_reported_for_kinds_that_are_nearly_ours(
    tmp_path: Path, group: str, kind: str, reported: list[str]
) -> None:
    file = tmp_path / "a.yaml"
    file.write_text(f"apiVersion: {group}/v1alpha1\nkind: {kind}\nmetadata: {{name: a}}\n")

    assert [finding.rule for finding in check(discover((str(file),)), Options()).findings] == reported
