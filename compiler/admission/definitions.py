"""The CRDs that a call is given: they admit objects of their kinds, of ours too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnostics.shown import shown
from ..diagnostics.suggestion import nearest
from .admit import Admission
from .evaluation import Evaluation
from .explain import Judge, explain
from .fault import Sort, Violation
from .identity import UNKNOWN_KIND, UNKNOWN_VERSION, subject_of
from .shape import Checks
from .sound import sound
from .table import Table, spellings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..diagnostics.finding import Finding, Rule, Subject
    from ..reading.document import Document
    from ..toolhive.profile import Profile
    from .definition import Definition


class Definitions:
    """Compiled CRDs by the kinds that they define; of two for one kind the first counts.

    Attributes:
        digest: Of all their texts.
        findings: What is wrong with them.
        groups: The API groups of the kinds.
    """

    def __init__(self, definitions: Iterable[Definition], digest: str, findings: tuple[Finding, ...] = ()) -> None:
        self.digest = digest
        self.findings = findings
        self._known: dict[tuple[str, str], Definition] = {}
        for one in definitions:
            self._known.setdefault((one.group, one.kind), one)
        self._judges: dict[tuple[int, int, int], tuple[Table, Checks, Evaluation]] = {}
        self.groups = frozenset(group for group, _ in self._known)
        self._marks = tuple(group.encode() for group in sorted(self.groups))

    def __repr__(self) -> str:
        """Return what tells these CRDs from others."""
        return f"Definitions({self.digest})"

    def may_judge(self, text: bytes) -> bool:
        """Return whether a text may hold an object of one of the groups."""
        return any(mark in text for mark in self._marks)

    def admission(self, document: Document, profile: Profile, namespace: str, most: int) -> Admission | None:
        """Return what became of a document; ``None`` where no CRD is about it.

        Args:
            document: Any object.
            profile: The names that the operator goes by: its objects are more than admitted.
            namespace: How findings print a namespace that the document does not state.
            most: How many of its faults are put into words.
        """
        data = document.data
        kind, api_version = data.get("kind"), data.get("apiVersion")
        if not isinstance(kind, str) or not isinstance(api_version, str):
            return None
        group, _, version = api_version.rpartition("/")
        if group not in self.groups:
            return None
        definition = self._known.get((group, kind))
        if definition is None:
            return None if group == profile.api_group else self._of_no_kind(document, group, kind, namespace)
        served, position = definition.versions.get(version, (False, -1))
        if not served:
            return Admission(None, data, [_unserved(document, definition, version, namespace)])
        subject = subject_of(data, namespace)
        return self._judged(document, definition, position, profile, subject, most)

    def _judged(
        self, document: Document, definition: Definition, position: int, profile: Profile, subject: Subject, most: int
    ) -> Admission:
        is_ours = definition.group == profile.api_group
        table, checks, evaluation = self._checks(definition, position, profile, is_ours=is_ours)
        evaluation.begin()
        faults: list[Violation] = []
        stored = checks.check(position)(document.data, faults)
        if not is_ours:  # how wide the numbers of another program are, it alone knows
            faults = [one for one in faults if one.sort is not Sort.WIDTH]
        kind = definition.kind if is_ours else None
        if not faults:
            return Admission(kind, stored, [])
        judge = Judge(_lookup(definition, is_ours=is_ours), table, profile.judging_release, is_certain=True)
        findings = explain(document, subject, faults, profile, judge, most=most)
        if not is_ours:
            return Admission(None, stored, findings)
        left = sound(definition.kind, stored, faults, checks, table)
        unknown = bool(left.doubts) or any(fault.sort is Sort.PLACEHOLDER for fault in faults)
        return Admission(kind, left.data, findings, unknown, left.renamed, left.doubts)

    def _checks(
        self, definition: Definition, position: int, profile: Profile, *, is_ours: bool
    ) -> tuple[Table, Checks, Evaluation]:
        key = (id(definition), position, id(profile))
        if key not in self._judges:
            table = Table(definition.shapes, {_lookup(definition, is_ours=is_ours): position})
            evaluation = Evaluation(table)
            names = spellings(profile) if is_ours else {}
            self._judges[key] = table, Checks(table.shapes, names, profile, evaluation.function), evaluation
        return self._judges[key]

    def _of_no_kind(self, document: Document, group: str, kind: str, namespace: str) -> Admission | None:
        """Report a kind that is nearly one of a group's: there may be CRDs that were not given."""
        known = [one for of, one in self._known if of == group]
        meant = nearest(kind, known)
        lists = {self._known[group, one].list_kind for one in known}
        if meant is None or kind in lists:
            return None
        message = f"none of the given CRDs has {shown(kind)} of {group}"
        hint = f'did you mean "{meant}"?'
        finding = _finding(document, UNKNOWN_KIND, message, hint, namespace)
        return Admission(None, document.data, [finding._replace(severity="warning")])


def unevaluated(definition: Definition) -> list[tuple[str, str]]:
    """Return the text of each rule of a CRD that cannot be evaluated here, and why."""
    return list(dict(Evaluation(Table(definition.shapes, {})).faults()).items())


def _lookup(definition: Definition, *, is_ours: bool) -> str:
    """Return the name by which more is known of a kind: of another group than ours nothing is."""
    return definition.kind if is_ours else f"{definition.kind}.{definition.group}"


def _unserved(document: Document, definition: Definition, version: str, namespace: str) -> Finding:
    served = [name for name, (is_served, _) in definition.versions.items() if is_served]
    what = "is not served" if version in definition.versions else "is not in its CRD"
    message = f"version {shown(version)} of {definition.kind} {what}"
    hint = f"write apiVersion: {' or '.join(f'{definition.group}/{one}' for one in served)}" if served else None
    return _finding(document, UNKNOWN_VERSION, message, hint, namespace)


def _finding(document: Document, rule: Rule, message: str, hint: str | None, namespace: str) -> Finding:
    field = "kind" if rule is UNKNOWN_KIND else "apiVersion"
    return rule.finding(
        document.span((field,)),
        message,
        document=document.index,
        subject=subject_of(document.data, namespace),
        path=(*document.prefix, field),
        hint=hint,
    )
