"""Objects that are nearly ours, and those that are not."""

from __future__ import annotations

from typing import Any

import pytest

OURS = "toolhive.stacklok.dev/v1beta1"


@pytest.mark.parametrize(
    ("head", "expected", "hint"),
    [
        (f"apiVersion: {OURS}\nkind: MCPConfigOIDC", ("unknown-kind", "kind"), 'did you mean "MCPOIDCConfig"?'),
        (f"apiVersion: {OURS}\nkind: mcpserver", ("unknown-kind", "kind"), 'did you mean "MCPServer"?'),
        (f"apiVersion: {OURS}\nkind: Deployment", ("unknown-kind", "kind"), "write apiVersion: apps/v1"),
        (
            "apiVersion: toolhive.stacklok.dev/v1\nkind: MCPServer",
            ("unknown-version", "apiVersion"),
            f"write apiVersion: {OURS}",
        ),
        (
            "apiVersion: toolhive.stacklok.com/v1beta1\nkind: MCPServer",
            ("wrong-api-group", "apiVersion"),
            f"write apiVersion: {OURS}",
        ),
        (
            "apiVersion: toolhive.stacklok.io/v1beta1\nkind: MCPGroup",
            ("wrong-api-group", "apiVersion"),
            f"write apiVersion: {OURS}",
        ),
        (
            "apiVersion: toolhive.stacklok.example/v1beta1\nkind: MCPGroup",
            ("wrong-api-group", "apiVersion"),
            f"write apiVersion: {OURS}",
        ),
        (
            "apiVersion: toolhive.stacklok.example/v1beta1\nkind: MCPProxy",
            ("wrong-api-group", "apiVersion"),
            f"write apiVersion: {OURS}",
        ),
        (
            "apiVersion: toolhive.stackloc.dev/v1beta1\nkind: MCPGroup",
            ("wrong-api-group", "apiVersion"),
            f"write apiVersion: {OURS}",
        ),
        ("apiVersion: v1beta1\nkind: MCPServer", ("wrong-api-group", "apiVersion"), f"write apiVersion: {OURS}"),
        ("kind: MCPServer", ("missing-kind-or-version", ""), f"write apiVersion: {OURS}"),
        ("apiVersion: 1\nkind: MCPServer", ("missing-kind-or-version", "apiVersion"), f"write apiVersion: {OURS}"),
        (f"apiVersion: {OURS}", ("missing-kind-or-version", ""), "add kind, such as MCPServer"),
    ],
)
def test_a_kind_or_group_that_is_nearly_ours_is_reported(
    admitted: Any, reported: Any, head: str, expected: Any, hint: str | None
) -> None:
    admission = admitted(f"{head}\nmetadata: {{name: a}}\n")

    assert reported(admission) == [expected]
    assert admission.findings[0].hint == hint
    assert admission.kind is None


@pytest.mark.parametrize(
    "head",
    [
        "apiVersion: v1\nkind: Secret",
        "apiVersion: apps/v1\nkind: Deployment",
        "apiVersion: kagent.dev/v1alpha1\nkind: MCPServer",
        "apiVersion: mcp.example.com/v1\nkind: MCPServer",
        "apiVersion: ${GROUP}/v1alpha1\nkind: MCPServer",
        f"apiVersion: {OURS}\nkind: ${{KIND}}",
        f"apiVersion: {OURS}\nkind: MCPServerList",
        "name: something else",
        "- a list",
    ],
)
def test_documents_of_other_kinds_are_not_admitted_and_have_no_finding(admitted: Any, head: str) -> None:
    admission = admitted(f"{head}\n")

    assert (admission.kind, admission.findings) == (None, [])
