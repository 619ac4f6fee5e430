"""Run the whole check: files → facts → resources → workspace → findings."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from ...validators.rule import run_rules
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.timing import stage
from ..disk.files import Texts
from ..project import suppression
from ..project.settings import Options
from ..toolhive.release import NEWEST_MODELLED
from ..workspace.context import ProjectContext
from ..workspace.workspace import Workspace
from .load import load_judged
from .merge import Loaded, merge

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from ...validators.rule import ProjectRule
    from ..diagnostics.finding import Finding
    from ..project.discovery import Project
    from ..workspace.resource import Resource
    from .copies import Copy, Occurrence
    from .facts import Facts
    from .mention import Statements

__all__ = ["Loaded", "Options", "Report", "check", "read"]


class Report(NamedTuple):
    """The result of a check.

    Attributes:
        findings: The reported findings, sorted by place.
        loaded: The files that were read, with their resources and records.
        workspace: The resources, with their references resolved.
        nothing: True if the files contain no resource and no record.
        project: The files and their configuration.
        found_in: The copies of a resource that a finding is about, if it is reported once for several copies.
    """

    findings: Sequence[Finding]
    loaded: Loaded
    workspace: Workspace
    nothing: bool
    project: Project
    found_in: Mapping[Occurrence, frozenset[Copy]] = {}


def check(
    project: Project,
    options: Options,
    reusable: Mapping[str, Facts | None] | None = None,
    texts: Texts | None = None,
) -> Report:
    """Check the files of a call, and return the report.

    Args:
        reusable: Facts that are already known, by path. These files are not read.
    """
    loaded = read(project, options, reusable, texts)
    project = loaded.project
    declared: Mapping[str, Mapping[str, set[str]]] = {}
    if any(finding.stage == "syntax" for finding in loaded.findings):
        from .seeming import seeming_names, with_notes

        declared = seeming_names(loaded.findings, loaded.texts, project.settings.profile)
        loaded = loaded._replace(findings=with_notes(loaded.findings, declared))
    with stage("index resources"):
        workspace = Workspace(loaded.resources, _context(project, options, loaded, declared))
    with stage("run rules"):
        findings = run_rules(workspace, _configured_rules(project))
    found_in: dict[Occurrence, frozenset[Copy]] = {}
    if loaded.copied:
        # Before severities change, because the errors as rules report them decide what holds for all copies.
        from .copies import reported_once

        findings = reported_once(findings, loaded.copied, found_in, loaded.texts)
    with stage("check records"):
        findings += _record_findings(loaded, project, options)
    profile = project.settings.profile
    profiles = {resource.document.file: resource.profile for resource in loaded.resources}
    if {judging.installed_release for judging in (profile, *profiles.values())} != {NEWEST_MODELLED}:
        from .verified import downgrade_unverified

        findings = [*downgrade_unverified(findings, profiles, profile)]
    admission = loaded.findings  # already downgraded
    if any(finding.stage == "admission" and finding.severity != "info" for finding in admission):
        from .candidate import name_candidates

        admission = [*name_candidates(admission, workspace)]
    findings = [*admission, *findings]
    if loaded.plan.unapplied and (options.unused or project.settings.unused) != "error":
        from ..project.unapplied import downgrade_unapplied

        findings = [*downgrade_unapplied(findings, loaded.plan.unapplied, loaded.plan.suspended)]
    if loaded.plan.kustomizations:
        # After the rules: a file that is left out is reported if it has findings.
        from .left_out import find_left_out

        findings += find_left_out(loaded, {finding.span.file for finding in findings})
    if loaded.plan.is_delivered and project.complete and not loaded.plan.reaches_out and not loaded.plan.whole:
        from .flux_kustomization import find_flux_faults

        findings += find_flux_faults(loaded)
    # Last, because a comment or a setting may suppress any of the findings above.
    with stage("suppress and sort"):
        reported = suppression.reported_findings(findings, loaded.ignores, project)
    return Report(reported, loaded, workspace, not (reported or _has_input(loaded, project)), project, found_in)


def read(
    project: Project,
    options: Options,
    reusable: Mapping[str, Facts | None] | None = None,
    texts: Texts | None = None,
) -> Loaded:
    """Read and admit the files of a call, and return them. The arguments are those of `check`."""
    texts = Texts(options.buffers) if texts is None else texts
    with stage("read and admit files"):
        project, facts = load_judged(project, options, texts, reusable or {})
    with stage("merge"):
        loaded = merge(facts, texts, project, options)
    crds = project.settings.profile.crds
    return loaded if crds is None else loaded._replace(findings=[*crds.findings, *loaded.findings])


def _context(
    project: Project, options: Options, loaded: Loaded, declared: Mapping[str, Mapping[str, set[str]]]
) -> ProjectContext:
    """Return the context of the rules. ``declared`` has the names that unreadable files declare, by file and kind."""
    texts = _AskedTexts(project, options)
    external = dict(project.settings.external)
    for names_by_kind in declared.values():
        for kind, names in names_by_kind.items():
            external[kind] = external.get(kind, frozenset()) | names
    return ProjectContext(
        closed=options.closed,
        external=external,
        complete=project.complete and not loaded.plan.reaches_out,
        overlays=loaded.plan.overlays,
        layout=loaded.plan.layout,
        unapplied={file: why for file, why in loaded.plan.unapplied.items() if file not in loaded.plan.suspended},
        whole=loaded.plan.whole,
        others=loaded.plan.place_others(loaded.in_scope, project.settings.profile),
        mentions=texts.mentions,
        states=texts.states,
        names=texts.names,
    )


class _AskedTexts:
    """The texts of a project. Few checks ask about them, so what searches them is imported when one does."""

    def __init__(self, project: Project, options: Options) -> None:
        self._files, self._buffers = project.files, options.buffers

    def mentions(self, name: str, declaring: Resource, *, with_variables: bool) -> bool:
        from .mention import is_mentioned

        return is_mentioned(self._files, self._buffers, name, declaring, with_variables=with_variables)

    def states(self, pairs: tuple[tuple[str, str], ...], *, kinds: tuple[str, ...] = ()) -> bool:
        return self._statements(pairs, kinds=kinds)

    def names(self, text: str, *, besides: Collection[str]) -> bool:
        from .mention import is_named

        return is_named(self._files, self._buffers, text, besides=besides)

    @cached_property
    def _statements(self) -> Statements:
        from .mention import Statements

        return Statements(self._files, self._buffers)


def _configured_rules(project: Project) -> list[ProjectRule]:
    if not project.settings.custom_rules:
        return []
    from ...validators.custom_rule import as_project_rules

    return as_project_rules(project.settings.custom_rules)


def _record_findings(loaded: Loaded, project: Project, options: Options) -> Iterator[Finding]:
    if not loaded.records:
        return
    from .record import record_findings

    settings = project.settings
    for records in loaded.records_apart():
        yield from record_findings(
            records, closed=options.closed, secrets_provider=settings.secrets_provider, profile=settings.profile
        )


def _has_input(loaded: Loaded, project: Project) -> bool:
    """Return whether the reported files contain a resource or a record; with custom CRDs, any document is enough."""
    if project.settings.profile.crds is not None and loaded.documents:
        return True
    documents = [document for of_kind in loaded.records.values() for document in of_kind]
    documents += [resource.document for resource in loaded.resources]
    return any(project.reported is None or document.file in project.reported for document in documents)
