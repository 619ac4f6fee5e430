"""Kinds that later releases of the operator deprecate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.diagnostics.finding import rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.diagnostics.finding import Finding
    from ...compiler.workspace.resource import Resource
    from ...compiler.workspace.workspace import Workspace
    from ..rule import Check

REGISTRY = rule(
    "MRG014",
    "deprecated-registry",
    "MCPRegistry is deprecated",
    stage="lint",
    checks="Every MCPRegistry.",
    why="The API server warns whenever one is applied: a later release of the operator no longer has the kind. Until"
    " then it works.",
    example="kind: MCPRegistry",
    fix="Install the registry server by its own Helm chart, toolhive-registry-server.",
    source="The CustomResourceDefinition of MCPRegistry, v0.29.2.",
    is_one_change=True,
    since="0.29.2",
)
RULES = (REGISTRY,)


def check(resource: Resource, workspace: Workspace) -> Iterator[Finding]:
    """Report a kind that is deprecated."""
    del workspace
    message = "MCPRegistry is deprecated: a later release of the operator no longer has it"
    hint = "install the registry server by its own Helm chart"
    yield resource.finding(REGISTRY, ("kind",), message, hint=hint)


CHECKS: dict[str, tuple[Check, ...]] = {"MCPRegistry": (check,)}
