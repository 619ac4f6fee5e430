"""What another release of the operator does to a project: what starts to act, what is refused, what restarts, and when.

The project is checked by both releases. A difference whose rule is not dated is looked for in the releases between.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias, get_args

from ...validators.registry import all_rules
from ...validators.rule import TRIPPED
from ...validators.unknown_value import leads_to_unknown
from ..emit.change import CHANGES, STARTED
from ..toolhive.release import holds, release_key, releases_after

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..check.full import Report
    from ..diagnostics.finding import Finding, Subject
    from ..diagnostics.span import Path, Span
    from ..emit.change import OutputChange
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace

Sort: TypeAlias = Literal["acts", "refused", "warned", "accepted", "restarts"]
SORTS: Final[tuple[Sort, ...]] = get_args(Sort)

_Key: TypeAlias = "tuple[str, str, Subject | None, Path | None]"
"""What a finding is known by under every release: rule, file, resource and path."""

_OWN_IMAGES: Final = "the operator's chart brings images of its own release: the pods restart"


class Case(NamedTuple):
    """A resource that is in question, and what is said of it.

    Attributes:
        span: Its place, or that of the finding about it.
        subject: What it is; ``None`` of a file that holds no resource.
        message: Of the finding; empty for a change of what is compiled.
        hint: What to do.
    """

    span: Span
    subject: Subject | None
    message: str = ""
    hint: str | None = None


class Event(NamedTuple):
    """One thing that is different from a release on.

    Attributes:
        release: The first release with it.
        sort: Whether something starts to act; is refused, warned of or accepted from now on; or only restarts.
        message: One clause without a full stop.
        cases: The resources in question.
        restarts: Whether their pods restart by it.
        rule: Of the findings that come or go; empty for a change of what is compiled.
    """

    release: str
    sort: Sort
    message: str
    cases: tuple[Case, ...] = ()
    restarts: bool = False
    rule: str = ""


def crossing(before: Report, after: Report, to: str, at: Callable[[str], Report]) -> list[Event]:
    """Return what is different under another release, in the order of the releases.

    Args:
        before: The check by the release, or the releases, that judge the project now.
        after: The check of the project, rewritten for the release to go to, by that one.
        to: That release.
        at: Returns the check of the project, rewritten for a release between, by that one.
    """
    judged = {one.document.file: one.release for one in before.loaded.resources}
    earliest = min(judged.values(), key=release_key, default=to)
    between = [one for one in releases_after(earliest) if holds(one, None, to)]
    if not between:
        return []
    found = {**_of_output(after, judged, to), **_of_findings(before, after, _Dating(between, at))}
    order = {sort: number for number, sort in enumerate(SORTS)}
    events = [one._replace(cases=_distinct(cases)) for one, cases in found.items()]
    return sorted(events, key=lambda one: (release_key(one.release), order[one.sort], one.rule))


def _distinct(cases: list[Case]) -> tuple[Case, ...]:
    """Return the cases without repetition: overlays make several resources of one place, which is rewritten once."""
    by_place: dict[tuple[Span, str], Case] = {}
    for case in cases:
        by_place.setdefault((case.span, case.message), case)
    return tuple(by_place.values())


def _of_output(after: Report, judged: dict[str, str], to: str) -> dict[Event, list[Case]]:
    """Return the changes of what is compiled, with the resources that they are about."""
    found: dict[Event, list[Case]] = {}
    reported = after.project.reported
    for resource in after.loaded.resources:
        file = resource.document.file
        if not resource.admitted or after.workspace.is_refused(resource) or (reported and file not in reported):
            continue
        for event in _crossed(after, resource, judged.get(file, to), to):
            found.setdefault(event, []).append(Case(resource.at(("metadata", "name")), resource.subject))
    return found


def _crossed(after: Report, resource: Resource, since: str, to: str) -> Iterator[Event]:
    """Yield what changes of one resource after ``since`` up to ``to``."""
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
    """Return whether a change is about a resource; where that is not known, as placeholders stand there, it is not."""
    try:
        return change.concerns(workspace, resource)
    except TRIPPED:
        if not leads_to_unknown(resource, workspace):
            raise
        return False


class _Dating:
    """Finds out from which release on a finding comes or goes.

    Args:
        between: The releases that are crossed, the last one among them.
        at: Returns the check by one of them.
    """

    def __init__(self, between: list[str], at: Callable[[str], Report]) -> None:
        self._between = between
        self._keys = cache(lambda release: frozenset(_keyed(at(release))))

    def first(self, key: _Key, dated: str | None, *, comes: bool) -> str:
        """Return the first release with a finding, or without it, from which on that stays so.

        Args:
            key: Of the finding.
            dated: What its rule states.
            comes: Whether it comes, or goes.
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


def _of_findings(before: Report, after: Report, dating: _Dating) -> dict[Event, list[Case]]:
    """Return what comes to be refused or accepted, and what lints report no longer, with the resources."""
    rules = all_rules()
    found: dict[Event, list[Case]] = {}
    old, new = _keyed(before), _keyed(after)
    refused: set[tuple[Subject | None, Path | None]] = set()
    for key, finding in new.items():
        rule = rules.get(finding.rule)
        since = rule.since if rule else None
        if key not in old and (finding.severity == "error" or since is not None):
            is_refused = finding.severity == "error"
            release = dating.first(key, since, comes=True)
            sort: Sort = "refused" if is_refused else "warned"
            event = Event(release, sort, rule.title if rule else finding.name, rule=finding.rule)
            found.setdefault(event, []).append(Case(finding.span, finding.subject, finding.message, finding.hint))
            refused |= {(finding.subject, finding.path)} if is_refused else set()
    for key, finding in old.items():
        rule = rules.get(finding.rule)
        until = rule.until if rule else None
        is_gone = key not in new and (finding.subject, finding.path) not in refused
        if is_gone and (finding.severity == "error" or until is not None):
            release = dating.first(key, until, comes=False)
            sort = "accepted" if finding.severity == "error" else "acts"
            event = Event(release, sort, f"no longer: {rule.title if rule else finding.name}", rule=finding.rule)
            found.setdefault(event, []).append(Case(finding.span, finding.subject, finding.message))
    return found


def _keyed(report: Report) -> dict[_Key, Finding]:
    return {(one.rule, one.span.file, one.subject, one.path): one for one in report.findings}


def already_refused(before: Report, after: Report) -> list[Finding]:
    """Return the errors that both releases report."""
    old = _keyed(before)
    return [one for key, one in _keyed(after).items() if one.severity == "error" and key in old]
