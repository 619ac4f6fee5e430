"""Runs the rules over a workspace: referenced kinds first, and for each resource in the order of the registry.

So a rule may ask whether what its resource refers to is refused, and whether an earlier rule refused the resource.
"""

from __future__ import annotations

from bisect import insort
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from . import registry
from .rule import Verdict
from .unknown_value import leads_to_unknown, with_dots

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from ..compiler.diagnostics.finding import Finding
    from ..compiler.workspace.resource import Resource
    from ..compiler.workspace.workspace import Workspace
    from .custom_rule_definition import CustomRule
    from .registry import Checks
    from .rule import Noted, Survey

Notes: TypeAlias = "dict[str, dict[str, list[tuple[int, Any]]]]"
"""What surveys noted, by their names, then by the kind of resources; each note with the position of its resource."""

_RANKS = {kind: rank for rank, kind in enumerate(registry.ORDER)}
_TRIPPED = (AttributeError, LookupError, TypeError, ValueError)
"""What a check raises that takes an unknown value for a number, a list or an object."""
_SILENT = Verdict(())
"""About a resource of which there is nothing to tell."""


class Rules:
    """The rules as they run over one workspace; they fill ``workspace.run`` with what the operator refuses.

    They look at every resource: of one that the API server refuses at what is sound of it, and what a check finds at a
    place where admission has found something is left out. A check relies on the shapes that admission guarantees; it
    may trip over an unknown value, of its resource or of one that this leads to, and then knows nothing.
    What a check finds lies in the file of the resource that it looks at: what is told of other files stands without it.

    Attributes:
        surveys: The rules about all resources together.

    Args:
        workspace: The resources.
        custom_rules: The project's own rules.
    """

    def __init__(self, workspace: Workspace, custom_rules: tuple[CustomRule, ...] = ()) -> None:
        self._workspace = workspace
        kinds = workspace.kinds()
        self.surveys = _surveys(kinds, custom_rules)
        self._checks: dict[str, Checks] = {kind: registry.Checks(kind) for kind in registry.ORDER if kind in kinds}
        self._noting = {kind: tuple(survey for survey in self.surveys if kind in survey.kinds) for kind in self._checks}
        self._at = (-1, -1)
        self._own: frozenset[int] = frozenset()
        self._asked: set[int] = set()

    def judge(self, due: Sequence[int] | None = None) -> dict[int, Verdict]:
        """Return the verdicts about resources by their positions, those first that others refer to.

        Those that have nothing to tell are left out, unless it is noted what they looked at.

        Args:
            due: The positions of those that are asked for; ``None`` for all. Others are judged where somebody asks
                whether they are refused.
        """
        own = None if due is None else frozenset(due)
        run = self._workspace.run
        run.own, run.sees = own, self._sees
        self._own = own or frozenset()
        for position in self._own & self._asked:  # while others were judged: now it is as if nobody had
            self._workspace.look_again(position)
        verdicts: dict[int, Verdict] = {}
        for kind in self._checks:
            for position in self._workspace.read_positions(kind) if self._looks_at(kind) else ():
                if own is None or position in own:
                    self._at = (_RANKS[kind], position)
                    verdict = self._verdict(position)
                    if verdict is not _SILENT:
                        verdicts[position] = verdict
        self._asked |= self._own
        run.own = None
        return verdicts

    def judge_anew(
        self, due: Iterable[int], known: Mapping[int, str], learn: Callable[[int, Verdict | None], Iterable[int]]
    ) -> dict[int, Verdict | None]:
        """Return the verdicts about resources of which nothing is known, and about those that this shakes.

        Args:
            due: Their positions.
            known: Position of each resource that the operator refused last time to the rule by which it did.
            learn: Takes a new verdict, and gives the positions of those that may be others with it.

        Returns:
            Position to verdict; ``None`` for what no rule looks at.
        """
        inventory, workspace = self._workspace.inventory, self._workspace
        waiting = sorted((_RANKS[inventory.kinds[position]], position) for position in due)
        refused = sorted(((_RANKS[inventory.kinds[position]], position) for position in known), reverse=True)
        verdicts: dict[int, Verdict | None] = {}
        for at in waiting:  # what is shaken is put in further on
            position = at[1]
            if position in verdicts:
                continue
            while refused and refused[-1] < at:  # what comes later is not known yet in a check of all either
                _, other = refused.pop()
                if other not in verdicts:
                    workspace.refuse(other, known[other])
            is_looked_at = self._looks_at(inventory.kinds[position])
            verdict = verdicts[position] = self._verdict(position) if is_looked_at else None
            for other in learn(position, verdict):
                if (later := (_RANKS[inventory.kinds[other]], other)) > at:
                    insort(waiting, later)
        return verdicts

    def noted(self, verdicts: Mapping[int, Verdict]) -> Notes:
        """Return what surveys noted about resources, in reading order."""
        kinds = self._workspace.inventory.kinds
        noted: Notes = {survey.name: {} for survey in self.surveys}
        for position in sorted([one for one, verdict in verdicts.items() if verdict.notes]):
            kind = kinds[position]
            for name, note in verdicts[position].notes.items():
                noted[name].setdefault(kind, []).append((position, note))
        return noted

    def survey(self, noted: Notes, known: Mapping[str, Verdict] | None = None) -> dict[str, Verdict]:
        """Return what surveys say, by their names, from what was noted about all resources.

        Args:
            noted: As `noted` gave it; nothing need have been noted for those that are known.
            known: What those said last time that say it again.
        """
        said: dict[str, Verdict] = {}
        for survey in self.surveys:
            if known is not None and survey.name in known:
                said[survey.name] = known[survey.name]
                continue
            findings, keys = self._workspace.watch(partial(self._told, survey, noted[survey.name]))
            said[survey.name] = Verdict(findings, keys=keys)
        return said

    def _told(self, survey: Survey, noted: Noted) -> list[Finding]:
        found = [one for own, workspace in self._apart(noted) for one in survey.tell(own, workspace)]
        inventory = self._workspace.inventory
        if not (found and any(inventory.unknown)):
            return found
        positions = [position for of_kind in noted.values() for position, _ in of_kind if inventory.unknown[position]]
        unknown = [inventory[position] for position in positions if self._workspace.tells(position)]
        return [one for one in found if not any(_is_about(one, each) and each.is_in_doubt(one) for each in unknown)]

    def _apart(self, noted: Noted) -> Iterator[tuple[Noted, Workspace]]:
        """Yield the notes about resources that see one another, with what they see."""
        if not self._workspace.is_divided:
            yield noted, self._workspace
            return
        files = self._workspace.inventory.files
        views: dict[int, tuple[dict[str, list[tuple[int, Any]]], Workspace]] = {}
        for kind, notes in noted.items():
            for position, note in notes:
                view = self._workspace.around(files[position])
                own = views.setdefault(id(view), ({}, view))[0]
                own.setdefault(kind, []).append((position, note))
        yield from views.values()

    def _looks_at(self, kind: str) -> bool:
        return bool(self._checks.get(kind) or self._noting.get(kind))

    def _sees(self, position: int) -> bool:
        """Return whether rules run about a resource before the one at hand; run them now if it is judged elsewhere."""
        inventory = self._workspace.inventory
        kind = inventory.kinds[position]
        at = (_RANKS[kind], position)
        if at > self._at:
            return False
        if position not in self._own and position not in self._asked:
            self._asked.add(position)
            if self._looks_at(kind):
                run = self._workspace.run
                outer = self._at, run.own
                self._at, run.own = at, frozenset()  # of the own ones those count now that come before
                self._verdict(position)
                self._at, run.own = outer
        return True

    def _verdict(self, position: int) -> Verdict:
        """Return the verdict about a resource; ``_SILENT`` where there is none and nobody notes what it looked at."""
        workspace = self._workspace
        if workspace.is_watched:
            (findings, notes), keys = workspace.watch(partial(self._judged, position), position)
            return Verdict(findings, workspace.run.refused.get(position), notes, keys)
        findings, notes = self._judged(position)
        refused = workspace.run.refused.get(position)
        return Verdict(findings, refused, notes) if findings or notes or refused else _SILENT

    def _judged(self, position: int) -> tuple[list[Finding], dict[str, Any]]:
        """Return the findings of the rules about one resource, and what surveys note about it."""
        inventory = self._workspace.inventory
        resource = inventory[position]
        workspace = self._workspace.around(inventory.files[position])
        kind = resource.kind
        findings: list[Finding] = []
        known = 0
        checks = self._checks.get(kind)
        for check in checks.due(resource.spec, later=resource.is_later) if checks else ():
            try:
                for finding in check(resource, workspace):
                    findings.append(finding)  # noqa: PERF402 - nearly all give nothing, which is told soonest so
            except _TRIPPED:
                if not leads_to_unknown(resource, workspace):
                    raise
            if len(findings) > known:
                if resource.has_unknown_values:
                    findings[known:] = [with_dots(one) for one in findings[known:] if not resource.is_in_doubt(one)]
                self._mark_refused(position, findings[known:])
                known = len(findings)
        notes: dict[str, Any] = {}
        for survey in () if self._is_repetition(position) else self._noting.get(kind, ()):
            note = _note(survey, resource, workspace)
            if note is not None:
                notes[survey.name] = note
        return findings, notes

    def _is_repetition(self, position: int) -> bool:
        """Return whether a resource is refused for what it has in common with another: collisions follow from that."""
        return not self._workspace.inventory.admitted[position] and self._workspace.is_repetition(position)

    def _mark_refused(self, position: int, findings: list[Finding]) -> None:
        for finding in findings:
            if finding.stage == "operator" and finding.severity == "error":
                self._workspace.refuse(position, finding.rule)


def _surveys(kinds: Iterable[str], custom_rules: tuple[CustomRule, ...]) -> tuple[Survey, ...]:
    surveys = registry.surveys(kinds)
    if custom_rules:
        from .custom_rule import as_surveys

        surveys += as_surveys(custom_rules)
    return surveys


def _is_about(finding: Finding, resource: Resource) -> bool:
    return finding.subject == resource.subject and finding.span.file == resource.document.file


def _note(survey: Survey, resource: Resource, workspace: Workspace) -> Any:
    """Return what a survey notes about a resource; nothing where it trips over an unknown value."""
    try:
        return survey.note(resource, workspace)
    except _TRIPPED:
        if not leads_to_unknown(resource, workspace):
            raise
        return None
