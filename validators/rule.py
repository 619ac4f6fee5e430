"""Run the rules: first for each resource, kind by kind, then for all resources together.

Kinds run after the kinds that they refer to. A rule may therefore ask whether a referenced resource is refused, and
whether an earlier rule refused its own resource.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from ..compiler.diagnostics.finding import Finding, Rule, rule
from ..compiler.diagnostics.placeholder import PLACEHOLDER_ERRORS
from ..compiler.diagnostics.span import Path
from ..compiler.diagnostics.timing import step
from ..compiler.toolhive.release import holds
from ..compiler.toolhive.unmodelled import downgrade_unmodelled
from ..compiler.workspace.resource import Resource
from ..compiler.workspace.workspace import Workspace
from .registry import MODULES, ORDER, ROOM, rules_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..compiler.workspace.resource import SpecT
    from .registry import Module

Check: TypeAlias = Callable[["Resource[Any]", "Workspace"], Iterator[Finding]]
"""A function that yields the findings of one resource. The workspace resolves its references and its referrers."""

ProjectRule: TypeAlias = Callable[["Workspace"], Iterator[Finding]]
"""A function that yields findings about all resources together, such as collisions or unused configurations.

It runs after the checks of each resource.
"""

Fact = TypeVar("Fact")

_FIELDS: dict[Check, tuple[str, ...]] = {}
_OF_EMPTY: set[Check] = set()


def reads(*fields: str) -> Callable[[Check], Check]:
    """Return a decorator that limits a check to resources whose ``spec`` has at least one of these fields."""

    def mark(check: Check) -> Check:
        _FIELDS[check] = fields
        return check

    return mark


def for_empty_spec(check: Check) -> Check:
    """Mark a check to run only if ``spec`` is missing or empty, and return the check. This is a decorator."""
    _OF_EMPTY.add(check)
    return check


def is_due(check: Check, spec: Mapping[str, object]) -> bool:
    """Return whether a check applies to a resource with this ``spec``, by its `reads` and `for_empty_spec`."""
    fields = fields_of(check)
    if spec and check in _OF_EMPTY:
        return False
    return not fields or any(field in spec for field in fields)


def fields_of(check: Check) -> tuple[str, ...]:
    """Return the fields given to `reads`. An empty tuple means that the check runs for every resource of its kind."""
    return _FIELDS.get(check, ())


def facts_of(
    kinds: Iterable[str], fact: Callable[[Resource[SpecT], Workspace], Fact | None], workspace: Workspace
) -> Iterator[tuple[Resource[SpecT], Fact]]:
    """Yield each resource for which ``fact`` returns a value, together with the value.

    Rules about all resources together use this function. A resource is skipped if its fact depends on an unknown value.
    So is a refused copy of a resource that another file declares, because both have the same facts.

    Args:
        kinds: The kinds in the order in which resources are yielded.
        fact: Returns the fact about a resource, or ``None`` to skip the resource.
    """
    for kind in kinds:
        read: Sequence[Any] = workspace.read_of_kind(kind)
        for resource in read:
            if workspace.is_repetition(resource):
                continue
            try:
                result = fact(resource, workspace)
            except PLACEHOLDER_ERRORS:
                from .unknown_value import reaches_unknown

                if not reaches_unknown(resource, workspace):
                    raise
                continue
            if result is not None:
                yield resource, result


def run_rules(workspace: Workspace, project_own: Iterable[ProjectRule] = ()) -> list[Finding]:
    """Return the findings of all rules, and record which resources the operator refuses.

    If the API server refuses a resource, the rules check its valid fields, and their findings at the refused fields are
    dropped. Rules rely on the types that admission guarantees. If a rule fails because of an unknown value, in the
    resource or in a related one, its remaining findings are skipped.

    Args:
        project_own: The rules from the project's configuration.
    """
    findings: list[Finding] = []
    for kind in ORDER:
        checks = KindChecks(kind)
        resources = workspace.read_of_kind(kind) if checks else ()
        for number, resource in enumerate(resources):
            step("run rules", number, len(resources))
            due = checks.due(resource.spec, resource.release)
            findings += _run(due, resource, workspace.around(resource.document.file))
    rules = [*project_rules(workspace), *project_own]
    for view in workspace.views():
        findings += _project_findings(rules, view)
    return findings


class KindChecks:
    """The checks of a kind, in the order of ``MODULES``. The instance is false if no module checks the kind.

    A module is imported when the first resource needs it.
    """

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._modules = tuple(module for module in MODULES if kind in module.kinds and module.scope != "project")
        self._due: dict[tuple[object, ...], tuple[Check, ...]] = {}

    def __bool__(self) -> bool:
        return bool(self._modules)

    def due(self, spec: Mapping[str, object], release: str) -> tuple[Check, ...]:
        """Return the checks that apply to a resource.

        The result is cached by release and field names, because many resources have the same fields.

        Args:
            release: The judging release. Rules about faults that this release does not have are left out.
        """
        fields = (release, *spec)
        due = self._due.get(fields)
        if due is None:
            due = self._due[fields] = tuple(self._applicable(spec, release))
        return due

    def _applicable(self, spec: Mapping[str, object], release: str) -> Iterator[Check]:
        for module in self._modules:
            if not holds(module.since, None, release):
                continue
            if not module.fields or any(field in spec for field in module.fields):
                loaded = _imported(module)
                outdated = _outdated_rules(rules_of(loaded), release)
                for check in loaded.CHECKS.get(self._kind, ()):
                    if is_due(check, spec):
                        yield partial(_without, check, outdated) if outdated else check


def project_rules(workspace: Workspace) -> list[ProjectRule]:
    """Return the rules about all resources together that apply to a workspace."""
    kinds = workspace.kinds() | {resource.kind for resource in workspace.context.others}
    due = (
        module
        for module in MODULES
        if module.scope != "resource" and not kinds.isdisjoint(module.kinds) and _applies(module, workspace)
    )
    return [rule for module in due for rule in _imported(module).PROJECT_RULES]


def _applies(module: Module, workspace: Workspace) -> bool:
    """Return whether the project passes the module's test, if any, and a resource has one of its fields, if any."""
    if module.applies is not None and not module.applies(workspace):
        return False
    if not module.fields:
        return True
    read = (resource for kind in module.kinds for resource in workspace.read_of_kind(kind))
    return any(field in resource.spec for resource in read for field in module.fields)


def _imported(module: Module) -> Any:
    return import_module(f"{ROOM}.{module.name}")


def _outdated_rules(rules: Iterable[Rule], release: str) -> frozenset[str]:
    return frozenset(rule.id for rule in rules if not holds(rule.since, rule.until, release))


def _without(check: Check, rules: frozenset[str], resource: Resource, workspace: Workspace) -> Iterator[Finding]:
    for finding in check(resource, workspace):
        if finding.rule not in rules:
            yield finding


def _run(checks: Iterable[Check], resource: Resource, workspace: Workspace) -> list[Finding]:
    """Return the findings of the checks for a resource, and record the findings that refuse it.

    If a check fails because of an unknown value, its findings up to that point are included.
    """
    findings: list[Finding] = []
    count = 0
    for check in checks:
        try:
            for finding in check(resource, workspace):
                findings.append(finding)  # noqa: PERF402 - what was found before a check trips counts
        except PLACEHOLDER_ERRORS:
            from .unknown_value import reaches_unknown

            if not reaches_unknown(resource, workspace):
                raise
        if len(findings) > count:  # nearly all checks find nothing
            if not resource.profile.is_modelled:  # before `record`, because errors would count as refusals
                findings[count:] = [downgrade_unmodelled(finding, resource.profile) for finding in findings[count:]]
            if resource.has_unknown_values:
                from .unknown_value import with_dots

                findings[count:] = [
                    with_dots(finding) for finding in findings[count:] if not resource.is_in_doubt(finding)
                ]
            workspace.verdicts.record(resource, findings[count:])
            count = len(findings)
    return findings


def _project_findings(rules: Iterable[ProjectRule], workspace: Workspace) -> Iterator[Finding]:
    # Admission has reported these fields, so a rule must not report them again.
    doubtful = [resource for resource in workspace.resources if resource.doubts]
    for find in rules:
        for finding in find(workspace):
            if not any(resource.is_in_doubt(finding) for resource in doubtful if _is_about(finding, resource)):
                yield finding


def _is_about(finding: Finding, resource: Resource) -> bool:
    return finding.subject == resource.subject and finding.span.file == resource.document.file


__all__ = [
    "PLACEHOLDER_ERRORS",
    "Check",
    "Finding",
    "Path",
    "ProjectRule",
    "Resource",
    "Rule",
    "Workspace",
    "facts_of",
    "fields_of",
    "for_empty_spec",
    "is_due",
    "reads",
    "rule",
    "run_rules",
]
