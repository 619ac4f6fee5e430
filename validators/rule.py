"""What a rule module offers, and how rules run: kind by kind, those first that others refer to, then over all together.

So a rule may ask whether what its resource refers to is refused, and whether an earlier rule refused the resource.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from ..compiler.diagnostics.finding import Finding, Rule, rule
from ..compiler.diagnostics.span import Path
from ..compiler.toolhive.release import holds
from ..compiler.toolhive.unmodelled import softened
from ..compiler.workspace.resource import Resource
from ..compiler.workspace.workspace import Workspace
from .registry import MODULES, ORDER, ROOM, rules_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..compiler.workspace.resource import SpecT
    from .registry import Module

Check: TypeAlias = Callable[["Resource[Any]", "Workspace"], Iterator[Finding]]
"""Looks at one resource; the workspace answers what it refers to and what refers to it."""

ProjectRule: TypeAlias = Callable[["Workspace"], Iterator[Finding]]
"""Looks at all resources that see one another: what collides, what nothing uses. All other rules have run before."""

Fact = TypeVar("Fact")

TRIPPED = (AttributeError, LookupError, TypeError, ValueError)
"""What a rule raises that takes an unknown value for a number, a list or an object."""

_FIELDS: dict[Check, tuple[str, ...]] = {}
_OF_EMPTY: set[Check] = set()


def reads(*fields: str) -> Callable[[Check], Check]:
    """Mark a check as one about these fields of ``spec``: it is not run where none of them is there."""

    def mark(check: Check) -> Check:
        _FIELDS[check] = fields
        return check

    return mark


def of_empty(check: Check) -> Check:
    """Mark a check as one about resources whose spec is missing or empty: it is run on no others."""
    _OF_EMPTY.add(check)
    return check


def is_due(check: Check, spec: Mapping[str, object]) -> bool:
    """Return whether a check applies to a resource with the fields of ``spec``."""
    fields = fields_of(check)
    if spec and check in _OF_EMPTY:
        return False
    return not fields or any(field in spec for field in fields)


def fields_of(check: Check) -> tuple[str, ...]:
    """Return the fields that a check is about; empty: it is run on every resource of its kind."""
    return _FIELDS.get(check, ())


def facts_of(
    kinds: Iterable[str], fact: Callable[[Resource[SpecT], Workspace], Fact | None], workspace: Workspace
) -> Iterator[tuple[Resource[SpecT], Fact]]:
    """Yield the resources of some kinds, each with a fact about it, for a rule about all of them together.

    Left out are those of which there is no such fact or it hangs on an unknown value, and those that repeat another:
    what they have in common with it follows from that.

    Args:
        kinds: In the order in which they are looked at.
        fact: Returns the fact, or ``None`` where there is none.
        workspace: Holds the resources.
    """
    for kind in kinds:
        read: Sequence[Any] = workspace.read_of_kind(kind)
        for resource in read:
            if workspace.is_repetition(resource):
                continue
            try:
                found = fact(resource, workspace)
            except TRIPPED:
                from .unknown_value import leads_to_unknown

                if not leads_to_unknown(resource, workspace):
                    raise
                continue
            if found is not None:
                yield resource, found


def run_rules(workspace: Workspace, own: Iterable[ProjectRule] = ()) -> list[Finding]:
    """Return what the rules find in the resources of a workspace, and mark those that the operator refuses.

    Rules run over every resource: of one that the API server refuses over what is sound of it, and what a rule finds at
    a place where admission has found something is left out. A rule relies on the shapes that admission guarantees; it
    may trip over an unknown value, of its resource or of one that this leads to, and then reports nothing more.

    Args:
        workspace: The resources.
        own: The project's own rules.
    """
    findings: list[Finding] = []
    for kind in ORDER:
        checks = Checks(kind)
        for resource in workspace.read_of_kind(kind) if checks else ():
            due = checks.due(resource.spec, resource.release)
            findings += _run(due, resource, workspace.around(resource.document.file))
    rules = [*project_rules(workspace), *own]
    for view in workspace.views():
        findings += _of_project(rules, view)
    return findings


class Checks:
    """The checks about one kind, in the order of ``MODULES``; a module is imported when the first resource needs it."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._modules = tuple(module for module in MODULES if kind in module.kinds)
        self._due: dict[tuple[object, ...], tuple[Check, ...]] = {}

    def __bool__(self) -> bool:
        return bool(self._modules)

    def due(self, spec: Mapping[str, object], release: str) -> tuple[Check, ...]:
        """Return the checks that apply to a resource with the fields of ``spec``.

        Resources of one kind are much alike: what is due is worked out once for each set of fields.

        Args:
            spec: Of the resource.
            release: The release that judges it: what no such operator refuses is not reported.
        """
        fields = (release, *spec)
        due = self._due.get(fields)
        if due is None:
            due = self._due[fields] = tuple(self._looking_at(spec, release))
        return due

    def _looking_at(self, spec: Mapping[str, object], release: str) -> Iterator[Check]:
        for module in self._modules:
            if not holds(module.since, None, release):
                continue
            if not module.fields or any(field in spec for field in module.fields):
                loaded = _imported(module)
                gone = _gone(rules_of(loaded), release)
                for check in loaded.CHECKS.get(self._kind, ()):
                    if is_due(check, spec):
                        yield partial(_without, check, gone) if gone else check


def project_rules(workspace: Workspace) -> list[ProjectRule]:
    """Return the rules about all resources together that look at any of a workspace."""
    kinds = workspace.kinds() | {one.kind for one in workspace.world.others}
    due = (one for one in MODULES if one.whole and not kinds.isdisjoint(one.kinds) and _has_field(one, workspace))
    return [rule for module in due for rule in _imported(module).PROJECT_RULES]


def _has_field(module: Module, workspace: Workspace) -> bool:
    """Return whether any resource has one of the fields without which a module does not apply."""
    if not module.fields:
        return True
    read = (one for kind in module.kinds for one in workspace.read_of_kind(kind))
    return any(field in one.spec for one in read for field in module.fields)


def _imported(module: Module) -> Any:
    return import_module(f"{ROOM}.{module.name}")


def _gone(rules: Iterable[Rule], release: str) -> frozenset[str]:
    """Return the rules about faults that a release does not have."""
    return frozenset(rule.id for rule in rules if not holds(rule.since, rule.until, release))


def _without(check: Check, rules: frozenset[str], resource: Resource, workspace: Workspace) -> Iterator[Finding]:
    """Yield what a check finds, but for the findings of ``rules``."""
    for finding in check(resource, workspace):
        if finding.rule not in rules:
            yield finding


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
            if not resource.profile.is_modelled:  # before others ask whether the resource is refused
                findings[known:] = [softened(one, resource.profile) for one in findings[known:]]
            if resource.has_unknown_values:
                from .unknown_value import with_dots

                findings[known:] = [with_dots(one) for one in findings[known:] if not resource.is_in_doubt(one)]
            workspace.verdicts.record(resource, findings[known:])
            known = len(findings)
    return findings


def _of_project(rules: Iterable[ProjectRule], workspace: Workspace) -> Iterator[Finding]:
    """Yield what the rules about all resources together find."""
    # Admission has reported what is wrong at these places: a rule's finding there would be a second one.
    doubtful = [one for one in workspace.resources if one.doubts]
    for find in rules:
        for finding in find(workspace):
            if not any(one.is_in_doubt(finding) for one in doubtful if _is_about(finding, one)):
                yield finding


def _is_about(finding: Finding, resource: Resource) -> bool:
    return finding.subject == resource.subject and finding.span.file == resource.document.file


__all__ = [
    "TRIPPED",
    "Check",
    "Finding",
    "Path",
    "ProjectRule",
    "Resource",
    "Rule",
    "Workspace",
    "facts_of",
    "fields_of",
    "is_due",
    "of_empty",
    "reads",
    "rule",
    "run_rules",
]
