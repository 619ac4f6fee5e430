"""Runs the rules over a workspace: referenced kinds first, and for each resource in the order of the registry.

So a rule may ask whether what its resource refers to is refused, and whether an earlier rule refused the resource.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from . import registry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcpcfg.compiler.finding import Finding
    from mcpcfg.compiler.project.settings import CustomRule
    from mcpcfg.compiler.resource import Resource
    from mcpcfg.compiler.workspace import Workspace

    from .recall import Recall
    from .registry import Checks
    from .rule import ProjectCheck

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


def run(workspace: Workspace, recall: Recall | None = None, custom_rules: tuple[CustomRule, ...] = ()) -> list[Finding]:
    """Give the findings of all rules. Fills ``workspace.refused`` with what the operator refuses.

    Only admitted resources are looked at: rules rely on the shapes that admission guarantees.

    Args:
        workspace: The resources.
        recall: What the rules found last time.
        custom_rules: The project's own rules.
    """
    findings: list[Finding] = []
    kinds = workspace.kinds()
    # A check also looks into what its resource refers to, so one placeholder anywhere makes all of them cautious.
    cautious = any(resource.has_unknown_values for resource in workspace.resources)
    for kind in ORDER:
        checks = registry.Checks(kind) if kind in kinds else None
        if checks:
            for resource in workspace.of_kind(kind):
                if recall is None:
                    findings += _judged(resource, checks, workspace, cautious=cautious)
                else:
                    findings += recall.about(resource, partial(_judged, resource, checks, workspace, cautious=cautious))
    project_checks = registry.project_checks(kinds)
    if custom_rules:
        from .custom_rule import as_checks

        project_checks += as_checks(custom_rules)
    for project_check in project_checks:
        judge = partial(_listed, project_check, workspace, cautious=cautious)
        findings += judge() if recall is None else recall.about_all(judge)
    return findings


def _judged(resource: Resource, checks: Checks, workspace: Workspace, *, cautious: bool) -> list[Finding]:
    findings: list[Finding] = []
    for check in checks.due(resource.spec):
        results = check(resource, workspace)
        found = list(_cautious(results) if cautious else results)
        if found:
            findings += found
            _mark_refused(resource, found, workspace)
    return findings


def _listed(check: ProjectCheck, workspace: Workspace, *, cautious: bool) -> list[Finding]:
    results = check(workspace)
    return list(_cautious(results) if cautious else results)


def _mark_refused(resource: Resource, findings: list[Finding], workspace: Workspace) -> None:
    for finding in findings:
        if finding.stage == "operator" and finding.severity == "error":
            workspace.refused.setdefault(id(resource), finding.rule)


def _cautious(findings: Iterator[Finding]) -> Iterator[Finding]:
    """Give findings in a project where a placeholder may stand for a number or an object.

    A check that trips over one knows nothing.
    """
    try:
        yield from findings
    except (AttributeError, KeyError, TypeError, ValueError):
        return
