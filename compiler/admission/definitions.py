"""Admit objects with the CRDs of the user, which also replace the built-in models of their kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnostics.shown import shown
from ..diagnostics.suggestion import nearest
from .admit import Admission
from .explain import Judge, explain
from .identity import UNKNOWN_KIND, UNKNOWN_VERSION, subject_of
from .shape import Checks
from .sound import sound
from .table import Table, spellings
from .violation import Sort, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..diagnostics.finding import Finding, Rule, Subject
    from ..diagnostics.span import Path
    from ..reading.document import Document
    from ..toolhive.profile import Profile
    from .definition import Definition
    from .evaluation import Evaluation


class Definitions:
    """Compiled CRDs by the kinds that they define. If two CRDs define a kind, the first one applies.

    Attributes:
        findings: The faults of the CRDs themselves.
    """

    def __init__(self, definitions: Iterable[Definition], digest: str, findings: tuple[Finding, ...] = ()) -> None:
        self.digest = digest
        self.findings = findings
        self._definitions: dict[tuple[str, str], Definition] = {}
        for definition in definitions:
            self._definitions.setdefault((definition.group, definition.kind), definition)
        self._checks_by_shape: dict[tuple[int, int, int], tuple[Table, Checks, Evaluation]] = {}
        self.groups = frozenset(group for group, _ in self._definitions)
        self._marks = tuple(group.encode() for group in sorted(self.groups))

    def __repr__(self) -> str:
        return f"Definitions({self.digest})"

    def may_judge(self, text: bytes) -> bool:
        """Return whether a text mentions an API group of the CRDs, so it may contain an object of their kinds."""
        return any(mark in text for mark in self._marks)

    def declares(self, group: str, kind: str, path: Path) -> bool:
        """Return whether a CRD of the kind names the field at ``path`` in a version that is served."""
        definition = self._definitions.get((group, kind))
        if definition is None:
            return False
        positions = [position for is_served, position in definition.versions.values() if is_served]
        return any(Table(definition.shapes, {kind: position}).at(kind, path) is not None for position in positions)

    def admission(self, document: Document, profile: Profile, namespace: str, most: int) -> Admission | None:
        """Return the admission of a document by the CRD of its kind, or with a finding about a misspelled kind.

        Return ``None`` if no CRD defines the kind or a similar kind.

        Args:
            profile: The API group and names of the operator's edition. Only objects of that group become resources.
            namespace: The namespace that findings print if the document states none.
            most: The maximum number of faults that get a finding.
        """
        data = document.data
        kind, api_version = data.get("kind"), data.get("apiVersion")
        if not isinstance(kind, str) or not isinstance(api_version, str):
            return None
        group, _, version = api_version.rpartition("/")
        if group not in self.groups:
            return None
        definition = self._definitions.get((group, kind))
        if definition is None:
            return None if group == profile.api_group else self._misspelled_kind(document, group, kind, namespace)
        served, position = definition.versions.get(version, (False, -1))
        if not served:
            return Admission(None, data, [_unserved(document, definition, version, namespace)])
        subject = subject_of(data, namespace)
        return self._admitted(document, definition, position, profile, subject, most)

    def _admitted(
        self, document: Document, definition: Definition, position: int, profile: Profile, subject: Subject, most: int
    ) -> Admission:
        is_ours = definition.group == profile.api_group
        table, checks, evaluation = self._checks(definition, position, profile, is_ours=is_ours)
        evaluation.begin()
        faults: list[Violation] = []
        stored = checks.check(position)(document.data, faults)
        if not is_ours:  # other operators may use other number widths
            faults = [fault for fault in faults if fault.sort is not Sort.WIDTH]
        kind = definition.kind if is_ours else None
        if not faults:
            return Admission(kind, stored, [])
        judge = Judge(_lookup(definition, is_ours=is_ours), table, profile.judging_release, is_certain=True)
        findings = explain(document, subject, faults, profile, judge, most=most)
        if not is_ours:
            return Admission(None, stored, findings)
        remains = sound(definition.kind, stored, faults, checks, table)
        unknown = bool(remains.doubts) or any(fault.sort is Sort.PLACEHOLDER for fault in faults)
        return Admission(kind, remains.data, findings, unknown, remains.renamed, remains.doubts)

    def _checks(
        self, definition: Definition, position: int, profile: Profile, *, is_ours: bool
    ) -> tuple[Table, Checks, Evaluation]:
        key = (id(definition), position, id(profile))
        if key not in self._checks_by_shape:
            from .evaluation import Evaluation

            table = Table(definition.shapes, {_lookup(definition, is_ours=is_ours): position})
            evaluation = Evaluation(table)
            names = spellings(profile) if is_ours else {}
            self._checks_by_shape[key] = table, Checks(table.shapes, names, profile, evaluation.function), evaluation
        return self._checks_by_shape[key]

    def _misspelled_kind(self, document: Document, group: str, kind: str, namespace: str) -> Admission | None:
        """Return an admission with a finding if a kind resembles a kind of the CRDs in its API group, or ``None``.

        The finding is a warning because the cluster may have CRDs that were not given.
        """
        kinds = [name for other_group, name in self._definitions if other_group == group]
        match = nearest(kind, kinds)
        lists = {self._definitions[group, name].list_kind for name in kinds}
        if match is None or kind in lists:
            return None
        message = f"none of the given CRDs has {shown(kind)} of {group}"
        hint = f'did you mean "{match}"?'
        finding = _finding(document, UNKNOWN_KIND, message, hint, namespace)
        return Admission(None, document.data, [finding._replace(severity="warning")])


def unevaluated(definition: Definition) -> list[tuple[str, str]]:
    """Return the text of each CEL rule of a CRD that mcpcfg cannot evaluate, with the reason."""
    from .evaluation import Evaluation

    return list(dict(Evaluation(Table(definition.shapes, {})).faults()).items())


def _lookup(definition: Definition, *, is_ours: bool) -> str:
    """Return the name under which hints for a kind are looked up.

    A kind of another API group gets a name with the group, for which no hint is stored.
    """
    return definition.kind if is_ours else f"{definition.kind}.{definition.group}"


def _unserved(document: Document, definition: Definition, version: str, namespace: str) -> Finding:
    served = [name for name, (is_served, _) in definition.versions.items() if is_served]
    what = "is not served" if version in definition.versions else "is not in its CRD"
    message = f"version {shown(version)} of {definition.kind} {what}"
    hint = f"write apiVersion: {' or '.join(f'{definition.group}/{name}' for name in served)}" if served else None
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
