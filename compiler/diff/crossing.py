"""Find the effects of another release of the operator on a project, and the release in which each effect starts.

Both releases check the project. If a rule does not state in which release it changed, releases in between check the
project too.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

from ...validators.registry import all_rules
from ...validators.rule import PLACEHOLDER_ERRORS
from ...validators.unknown_value import reaches_unknown
from ..diagnostics.named_tuple import NamedTuple
from ..emit.change import CHANGES
from ..emit.output_change import STARTED
from ..toolhive.release import holds, release_key, releases_after

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..check.full import Report
    from ..diagnostics.finding import Finding, Subject
    from ..diagnostics.span import Path, Span
    from ..emit.output_change import OutputChange
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace

Sort: TypeAlias = Literal["acts", "refused", "warned", "accepted", "restarts"]
"""The type of an effect: a setting takes effect; a value is refused, warned about or accepted; or pods only restart."""
SORTS: Final[tuple[Sort, ...]] = get_args(Sort)

_FindingKey: TypeAlias = "tuple[str, str, Subject | None, Path | None]"
"""The identity of a finding, which is the same in every release: rule, file, resource and path."""

_OWN_IMAGES: Final = "the operator's chart brings images of its own release: the pods restart"


class Case(NamedTuple):
    """A resource that an event affects.

    Attributes:
        span: Position of the resource, or of the finding about the resource.
        subject: Identity of the resource; ``None`` for a file without a resource.
        message: Message of the finding; empty for a change of the compiled output.
        hint: Hint of the finding, or ``None``.
    """

    span: Span
    subject: Subject | None
    message: str = ""
    hint: str | None = None


class Event(NamedTuple):
    """An effect of another release on a project.

    Attributes:
        message: The effect as one clause without a full stop.
        cases: The affected resources.
        restarts: True if the pods of the affected resources restart.
        rule: Rule of the findings that appear or disappear; empty for a change of the compiled output.
    """

    release: str
    sort: Sort
    message: str
    cases: tuple[Case, ...] = ()
    restarts: bool = False
    rule: str = ""


def crossing(before: Report, after: Report, to: str, at: Callable[[str], Report]) -> list[Event]:
    """Return the effects of another release, in the order of their releases.

    The list is empty if no modelled release lies after the current release up to the target release.

    Args:
        at: Returns the report of the rewritten project by a release in between.
    """
    release_of_file = {resource.document.file: resource.release for resource in before.loaded.resources}
    earliest = min(release_of_file.values(), key=release_key, default=to)
    between = [release for release in releases_after(earliest) if holds(release, None, to)]
    if not between:
        return []
    cases_of = {
        **_output_events(after, release_of_file, to),
        **_finding_events(before, after, _ReleaseSearch(between, at)),
    }
    order = {sort: number for number, sort in enumerate(SORTS)}
    events = [event._replace(cases=_distinct(cases)) for event, cases in cases_of.items()]
    return sorted(events, key=lambda event: (release_key(event.release), order[event.sort], event.rule))


def _distinct(cases: list[Case]) -> tuple[Case, ...]:
    """Return the first case of each position and message: overlays create several resources from one document."""
    by_place: dict[tuple[Span, str], Case] = {}
    for case in cases:
        by_place.setdefault((case.span, case.message), case)
    return tuple(by_place.values())


def _output_events(after: Report, release_of_file: dict[str, str], to: str) -> dict[Event, list[Case]]:
    """Return an event for each change of the compiled output up to release ``to``, with the affected resources."""
    cases_of: dict[Event, list[Case]] = {}
    reported = after.project.reported
    for resource in after.loaded.resources:
        file = resource.document.file
        if not resource.admitted or after.workspace.is_refused(resource) or (reported and file not in reported):
            continue
        for event in _crossed(after, resource, release_of_file.get(file, to), to):
            cases_of.setdefault(event, []).append(Case(resource.at(("metadata", "name")), resource.subject))
    return cases_of


def _crossed(after: Report, resource: Resource, since: str, to: str) -> Iterator[Event]:
    for change in CHANGES:
        is_crossed = not holds(change.since, None, since) and holds(change.since, None, to)
        if not is_crossed or resource.kind not in change.kinds or not (change.means or change.restarts):
            continue
        if _concerns(change, after.workspace, resource):
            sort: Sort = "acts" if change.means else "restarts"
            yield Event(change.since, sort, change.means or change.name, (), change.restarts)
    if resource.kind in STARTED and since != to:
        yield Event(to, "restarts", _OWN_IMAGES, restarts=True)


def _concerns(change: OutputChange, workspace: Workspace, resource: Resource) -> bool:
    try:
        return change.concerns(workspace, resource)
    except PLACEHOLDER_ERRORS:
        if not reaches_unknown(resource, workspace):
            raise
        return False


class _ReleaseSearch:
    """Finds the release in which a finding appears or disappears.

    Args:
        between: The releases after the old one up to the new one, oldest first.
    """

    def __init__(self, between: list[str], at: Callable[[str], Report]) -> None:
        self._between = between
        self._keys = cache(lambda release: frozenset(_findings_by_key(at(release))))

    def first(self, key: _FindingKey, dated: str | None, *, comes: bool) -> str:
        """Return the first release in which a finding appears, or the first release in which it is gone.

        If ``dated`` is not one of the releases, a binary search checks the project with several releases.

        Args:
            dated: The release that the rule states for the change, or ``None``.
            comes: True to search for the first release with the finding, false for the first without it.
        """
        if dated in self._between:
            return str(dated)
        low, high = 0, len(self._between) - 1
        while low < high:
            middle = (low + high) // 2
            if (key in self._keys(self._between[middle])) == comes:
                high = middle
            else:
                low = middle + 1
        return self._between[low]


def _finding_events(before: Report, after: Report, dating: _ReleaseSearch) -> dict[Event, list[Case]]:
    """Return an event for each rule and release with findings that appear or disappear, with the affected resources.

    Only errors count, and findings of rules that state the release of the change.
    """
    rules = all_rules()
    cases_of: dict[Event, list[Case]] = {}
    old, new = _findings_by_key(before), _findings_by_key(after)
    refused: set[tuple[Subject | None, Path | None]] = set()
    for key, finding in new.items():
        rule = rules.get(finding.rule)
        since = rule.since if rule else None
        if key not in old and (finding.severity == "error" or since is not None):
            is_refused = finding.severity == "error"
            release = dating.first(key, since, comes=True)
            sort: Sort = "refused" if is_refused else "warned"
            event = Event(release, sort, rule.title if rule else finding.name, rule=finding.rule)
            cases_of.setdefault(event, []).append(Case(finding.span, finding.subject, finding.message, finding.hint))
            refused |= {(finding.subject, finding.path)} if is_refused else set()
    for key, finding in old.items():
        rule = rules.get(finding.rule)
        until = rule.until if rule else None
        is_gone = key not in new and (finding.subject, finding.path) not in refused
        if is_gone and (finding.severity == "error" or until is not None):
            release = dating.first(key, until, comes=False)
            sort = "accepted" if finding.severity == "error" else "acts"
            event = Event(release, sort, f"no longer: {rule.title if rule else finding.name}", rule=finding.rule)
            cases_of.setdefault(event, []).append(Case(finding.span, finding.subject, finding.message))
    return cases_of


def _findings_by_key(report: Report) -> dict[_FindingKey, Finding]:
    return {(finding.rule, finding.span.file, finding.subject, finding.path): finding for finding in report.findings}


def already_refused(before: Report, after: Report) -> list[Finding]:
    """Return the errors of the new release that the old release also reports, as an error or a warning."""
    old = _findings_by_key(before)
    return [finding for key, finding in _findings_by_key(after).items() if finding.severity == "error" and key in old]
