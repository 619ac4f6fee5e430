"""Runs the rules over a workspace, referenced kinds first."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from . import registry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcpcfg.compiler.finding import Finding
    from mcpcfg.compiler.resource import Resource
    from mcpcfg.compiler.workspace import Workspace

    from .recall import Recall
    from .rule import Check, ProjectCheck

ORDER = (
    "ConfigMap",
    "Secret",
    "ServiceAccount",
    "Namespace",
    "MCPOIDCConfig",
    "MCPTelemetryConfig",
    "MCPToolConfig",
    "MCPExternalAuthConfig",
    "MCPGroup",
    "VirtualMCPCompositeToolDefinition",
    "EmbeddingServer",
    "MCPRegistry",
    "MCPServer",
    "MCPRemoteProxy",
    "MCPServerEntry",
    "VirtualMCPServer",
)
"""A kind comes after the kinds that it refers to, so that a rule can ask whether its target is refused."""


def run(workspace: Workspace, recall: Recall | None = None) -> list[Finding]:
    """Give the findings of all rules. Fills ``workspace.refused`` with what the operator refuses.

    Only admitted resources are looked at: rules rely on the shapes that admission guarantees.

    Args:
        workspace: The resources.
        recall: What the rules found last time.
    """
    findings: list[Finding] = []
    checks = registry.checks(workspace.kinds())
    for kind in ORDER:
        functions = checks.get(kind)
        if functions:
            for resource in workspace.of_kind(kind):
                judge = partial(_judged, resource, functions, workspace)
                findings += judge() if recall is None else recall.about(resource, judge)
    for check in registry.project_checks():
        judge = partial(_listed, check, workspace)
        findings += judge() if recall is None else recall.about_all(judge)
    return findings


def _judged(resource: Resource, functions: tuple[Check, ...], workspace: Workspace) -> list[Finding]:
    findings: list[Finding] = []
    for check in functions:
        for finding in _results(check, resource, workspace):
            findings.append(finding)
            if finding.stage == "operator" and finding.severity == "error":
                workspace.refused.setdefault(id(resource), finding.rule)
    return findings


def _listed(check: ProjectCheck, workspace: Workspace) -> list[Finding]:
    return list(check(workspace))


def _results(check: Check, resource: Resource, workspace: Workspace) -> Iterator[Finding]:
    if not resource.has_unknown_values:
        yield from check(resource, workspace)
        return
    # A placeholder may stand where a number or an object belongs. A check that trips over it knows nothing.
    try:
        yield from check(resource, workspace)
    except (AttributeError, KeyError, TypeError, ValueError):
        return
