"""Runs the rules over a workspace: referenced kinds first, and for each resource in the order of the registry.

So a rule may ask whether what its resource refers to is refused, and whether an earlier rule refused the resource.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from . import registry
from .rule import Judgement

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mcpcfg.compiler.finding import Finding
    from mcpcfg.compiler.project.settings import CustomRule
    from mcpcfg.compiler.resource import Resource
    from mcpcfg.compiler.workspace import Workspace

    from .recall import Recall, Verdict
    from .registry import Checks
    from .rule import Noted, Survey


def run(workspace: Workspace, recall: Recall | None = None, custom_rules: tuple[CustomRule, ...] = ()) -> list[Finding]:
    """Give the findings of all rules. Fills ``workspace.refused`` with what the operator refuses.

    Only admitted resources are looked at: rules rely on the shapes that admission guarantees.

    Args:
        workspace: The resources.
        recall: What the rules found before.
        custom_rules: The project's own rules.
    """
    findings: list[Finding] = []
    surveys = _surveys(workspace, custom_rules)
    cautious = is_cautious(workspace.resources)
    noted: dict[str, dict[str, list[tuple[Resource, Any]]]] = {survey.name: {} for survey in surveys}
    for resource, judgement in _judgements(workspace, recall, surveys, cautious=cautious):
        if judgement.findings:
            findings += judgement.findings
        for name, note in judgement.notes.items():
            noted[name].setdefault(resource.kind, []).append((resource, note))
    for survey in surveys:
        tell = partial(_told, survey, noted[survey.name], workspace, cautious=cautious)
        findings += tell() if recall is None else recall.about_all(survey.name, survey.kinds, tell)
    return findings


def judge(workspace: Workspace, recall: Recall, custom_rules: tuple[CustomRule, ...] = ()) -> None:
    """Judge single resources alone, as part of a larger workspace; ``recall`` takes what is found."""
    cautious = is_cautious(workspace.resources)
    for _ in _judgements(workspace, recall, _surveys(workspace, custom_rules), cautious=cautious):
        pass


def is_cautious(resources: Iterable[Resource]) -> bool:
    """Tell whether a placeholder stands anywhere where its value decides.

    A check also looks into what its resource refers to, so that one anywhere makes all of them cautious.
    """
    return any(resource.has_unknown_values for resource in resources)


def _surveys(workspace: Workspace, custom_rules: tuple[CustomRule, ...]) -> tuple[Survey, ...]:
    surveys = registry.surveys(workspace.kinds())
    if custom_rules:
        from .custom_rule import as_surveys

        surveys += as_surveys(custom_rules)
    return surveys


def _judgements(
    workspace: Workspace, recall: Recall | None, surveys: tuple[Survey, ...], *, cautious: bool
) -> Iterator[tuple[Resource, Judgement | Verdict]]:
    """Judge all resources, those first that others refer to."""
    kinds = workspace.kinds()
    for kind in registry.ORDER:
        checks = registry.Checks(kind) if kind in kinds else None
        own = tuple(survey for survey in surveys if kind in survey.kinds)
        if checks or own:
            for resource in workspace.of_kind(kind):
                if recall is None:
                    yield resource, _judged(resource, checks, own, workspace, cautious=cautious)
                elif (verdict := recall.standing(resource)) is not None:
                    yield resource, verdict
                else:
                    due = partial(_judged, resource, checks, own, workspace, cautious=cautious)
                    yield resource, recall.about(resource, due)


def _judged(
    resource: Resource,
    checks: Checks | None,
    surveys: tuple[Survey, ...],
    workspace: Workspace,
    *,
    cautious: bool,
) -> Judgement:
    findings: list[Finding] = []
    for check in checks.due(resource.spec) if checks else ():
        results = check(resource, workspace)
        found = list(_cautious(results) if cautious else results)
        if found:
            findings += found
            _mark_refused(resource, found, workspace)
    notes: dict[str, Any] = {}
    for survey in surveys:
        note = _note(survey, resource, workspace, cautious=cautious)
        if note is not None:
            notes[survey.name] = note
    return Judgement(findings, notes)


def _note(survey: Survey, resource: Resource, workspace: Workspace, *, cautious: bool) -> Any:
    try:
        return survey.note(resource, workspace)
    except (AttributeError, KeyError, TypeError, ValueError):
        if cautious:
            return None
        raise


def _told(survey: Survey, noted: Noted, workspace: Workspace, *, cautious: bool) -> list[Finding]:
    results = survey.tell(noted, workspace)
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
