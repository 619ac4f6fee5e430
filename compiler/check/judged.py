"""The rules over what was read: which are to run, and what comes out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ...validators.engine import Rules
from ..diagnostics.timing import stage
from ..workspace.workspace import Workspace
from .join import told_once, world_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from ...validators.rule import Verdict
    from ..diagnostics.finding import Finding
    from ..diagnostics.span import Path
    from ..intake.memory import Kept
    from ..intake.stored import Plain, Texts
    from ..project.discovery import Project
    from ..project.options import Options
    from ..reading.suppression_comment import Ignore
    from .join import Loaded


Words: TypeAlias = "Callable[[Sequence[Finding], Texts], dict[str, Plain]]"
"""Puts findings, sorted by place, into words: returns by file, as plain data, what is reported of it."""


class Judged(NamedTuple):
    """What was read, and what rules said about it.

    Attributes:
        loaded: What the files say.
        workspace: Their resources.
        verdicts: About single resources, by position; those that have nothing to tell may be missing.
        surveys: About all together, by the names of surveys.
        kept: What is to be kept for the next time, where that was asked for.
        told: By file, what several processes have put into words, each about its share: then verdicts and surveys are
            there about the share of this one alone.
        touched: The files about which something else may be told than last time, also those that are gone; ``None``
            where that may be any.
    """

    loaded: Loaded
    workspace: Workspace
    verdicts: Mapping[int, Verdict]
    surveys: Mapping[str, Verdict]
    kept: Kept | None = None
    touched: Collection[str] | None = None
    told: dict[str, Plain] | None = None

    def findings(self, files: Collection[str] | None = None) -> Iterator[Finding]:
        """Yield what the rules found, in all files or in some."""
        of_resources = self.loaded.resources.files
        for position, verdict in self.verdicts.items():
            if files is None or of_resources[position] in files:
                yield from verdict.findings
        for survey in self.surveys.values():
            yield from _within(survey.findings, files)


def settled(judged: Judged, project: Project, options: Options, files: Collection[str] | None = None) -> list[Finding]:
    """Return what is told, of all files or of some: what is reported of one is settled without a look at others."""
    from ..project import suppression

    loaded = judged.loaded
    findings = [*_within(loaded.findings, files), *told_once(list(judged.findings(files)), loaded)]
    ignores: Mapping[str, Sequence[Ignore]] = loaded.ignores
    if files is not None:
        ignores = {file: found for file, found in ignores.items() if file in files}
    with stage("records"):
        findings += _record_findings(loaded, project, options)
    with stage("settle"):
        return suppression.settle(findings, ignores, project)


def _within(findings: Iterable[Finding], files: Collection[str] | None) -> Iterator[Finding]:
    """Yield those of some findings that lie in one of ``files``, or all."""
    return (finding for finding in findings if files is None or finding.span.file in files)


def judge_loaded(loaded: Loaded, project: Project, options: Options) -> Judged:
    """Judge all that was read, in this process."""
    workspace, rules = rules_over(loaded, project, options)
    with stage("rules"):
        verdicts = rules.judge()
        return Judged(loaded, workspace, verdicts, rules.survey(rules.noted(verdicts)))


def rules_over(loaded: Loaded, project: Project, options: Options, *, watched: bool = False) -> tuple[Workspace, Rules]:
    """Make the workspace of what was read, and the rules that are to run over it."""
    world = world_of(project, options, loaded)
    if watched:
        from ...validators.recall import Watched

        workspace: Workspace = Watched(loaded.resources, world)
    else:
        workspace = Workspace(loaded.resources, world)
    _mark_unreadable(workspace, loaded.findings)
    return workspace, Rules(workspace, project.settings.custom_rules)


def _mark_unreadable(workspace: Workspace, findings: Iterable[Finding]) -> None:
    """Record the resources that the API server stores and the operator cannot read, as admission found."""
    places: dict[tuple[str, str, str], dict[tuple[int | None, Path], str]] = {}
    for one in findings:
        if one.stage == "operator" and one.subject is not None:
            rules = places.setdefault((one.subject.kind, one.subject.name, one.span.file), {})
            path = one.path or ()
            # Elements of one List may have one name in several namespaces: where an element begins tells them apart.
            rules.update({(one.document, path[:length]): one.rule for length in range(len(path) + 1)})
    inventory = workspace.inventory
    for kind in {place[0] for place in places}:
        for position in workspace.positions(kind):
            found = places.get((kind, inventory.names[position], inventory.files[position]))
            if found is not None:
                document = inventory[position].document
                rule = found.get((document.index, document.prefix))
                if rule is not None:
                    workspace.refuse_unreadable(position, rule)


def _record_findings(loaded: Loaded, project: Project, options: Options) -> list[Finding]:
    if not loaded.records:
        return []
    from ..project import input_kind
    from ..records.environment import Environment

    findings: list[Finding] = []
    around = Environment(options.closed, project.settings.secrets_provider)
    for records in loaded.records_apart():
        for kind in input_kind.KINDS:
            documents = records.get(kind.name)
            if documents:
                check_record = input_kind.checker(kind)
                for document in documents:
                    findings.extend(check_record(document, records, around))
    return findings
