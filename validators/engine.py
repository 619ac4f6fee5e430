"""Runs the rules over a workspace: kind by kind, those first that others refer to, then over all resources together.

So a rule may ask whether what its resource refers to is refused, and whether an earlier rule refused the resource.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import registry
from .rule import TRIPPED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..compiler.diagnostics.finding import Finding
    from ..compiler.workspace.resource import Resource
    from ..compiler.workspace.workspace import Workspace
    from .custom_rule_definition import CustomRule
    from .rule import Check, ProjectRule


def run_rules(workspace: Workspace, custom_rules: tuple[CustomRule, ...] = ()) -> list[Finding]:
    """Return what the rules find in the resources of a workspace, and mark those that the operator refuses.

    Rules run over every resource: of one that the API server refuses over what is sound of it, and what a rule finds at
    a place where admission has found something is left out. A rule relies on the shapes that admission guarantees; it
    may trip over an unknown value, of its resource or of one that this leads to, and then reports nothing more.

    Args:
        workspace: The resources.
        custom_rules: The project's own rules.
    """
    findings: list[Finding] = []
    kinds = workspace.kinds()
    for kind in registry.ORDER:
        checks = registry.Checks(kind)
        for resource in workspace.read_of_kind(kind) if checks else ():
            due = checks.due(resource.spec, resource.release)
            findings += _run(due, resource, workspace.around(resource.document.file))
    rules = registry.project_rules(kinds)
    if custom_rules:
        from .custom_rule import as_project_rules

        rules += as_project_rules(custom_rules)
    for view in workspace.views():
        findings += _of_project(rules, view)
    return findings


def _run(checks: Iterable[Check], resource: Resource, workspace: Workspace) -> list[Finding]:
    """Return what the checks find in one resource."""
    findings: list[Finding] = []
    known = 0
    for check in checks:
        try:
            for finding in check(resource, workspace):
                findings.append(finding)  # noqa: PERF402 - what was found before a check trips counts
        except TRIPPED:
            from .unknown_value import leads_to_unknown

            if not leads_to_unknown(resource, workspace):
                raise
        if len(findings) > known:  # of nearly all checks there are none
            if resource.has_unknown_values:
                from .unknown_value import with_dots

                findings[known:] = [with_dots(one) for one in findings[known:] if not resource.is_in_doubt(one)]
            if resource.refused is None:
                resource.refused = _refusing(findings[known:])
            resource.errors += tuple([one.path for one in findings[known:] if one.severity == "error" and one.path])
            known = len(findings)
    return findings


def _refusing(findings: list[Finding]) -> str | None:
    """Return the first rule among those of ``findings`` by which the operator refuses the resource."""
    return next((one.rule for one in findings if one.stage == "operator" and one.severity == "error"), None)


def _of_project(rules: Iterable[ProjectRule], workspace: Workspace) -> Iterator[Finding]:
    """Yield what the rules about all resources together find."""
    # Admission has reported what is wrong at these places: a rule's finding there would be a second one.
    doubtful = [one for one in workspace.resources if one.doubts]
    for rule in rules:
        for finding in rule(workspace):
            if not any(one.is_in_doubt(finding) for one in doubtful if _is_about(finding, one)):
                yield finding


def _is_about(finding: Finding, resource: Resource) -> bool:
    return finding.subject == resource.subject and finding.span.file == resource.document.file
