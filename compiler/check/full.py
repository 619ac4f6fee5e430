"""The whole check, in order, and nothing else: files → facts → resources → workspace → findings."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from ...validators.rule import run_rules
from ..diagnostics.timing import stage
from ..diagnostics.version import RELEASE
from ..disk.files import Texts
from ..project import suppression
from ..project.settings import Options
from ..workspace.external import ProjectContext
from ..workspace.workspace import Workspace
from .load import judged
from .merge import Loaded, merge

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ...validators.rule import ProjectRule
    from ..diagnostics.finding import Finding
    from ..disk.files import FoundFile
    from ..project.discovery import Project
    from ..workspace.resource import Resource
    from .copies import Copy, Occurrence
    from .facts import Facts

__all__ = ["Loaded", "Options", "Report", "check", "read"]


class Report(NamedTuple):
    """The outcome of a check.

    Attributes:
        findings: What is reported, sorted by place.
        loaded: What was read.
        workspace: The resources with what they refer to.
        nothing: Whether there was nothing to check.
        project: The files and their configuration.
        found_in: The copies of resources of which a finding that is reported once was found.
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
    known: Mapping[str, Facts | None] | None = None,
    texts: Texts | None = None,
    *,
    keep: bool = False,
) -> Report:
    """Check the files of a call: read, admit, resolve, run rules, suppress and sort.

    Args:
        project: The files.
        options: How they are read.
        known: The facts of files that need not be read, by path.
        texts: The texts that ``known`` leans on.
        keep: Whether the facts are kept for later calls.
    """
    loaded = read(project, options, known, texts, keep=keep)
    project = loaded.project
    with stage("resolve references"):
        workspace = Workspace(loaded.resources, _world(project, options, loaded))
    with stage("run rules"):
        findings = run_rules(workspace, _own_rules(project))
    found_in: dict[Occurrence, frozenset[Copy]] = {}
    if loaded.copied:
        from .copies import reported_once

        findings = reported_once(findings, loaded.copied, found_in, loaded.texts)
    with stage("check records"):
        findings += _of_records(loaded, project, options)
    profile = project.settings.profile
    profiles = {one.document.file: one.profile for one in loaded.resources}
    if {one.installed_release for one in (profile, *profiles.values())} != {RELEASE}:
        from .verified import softened as verified

        findings = [*verified(findings, profiles, profile)]
    findings = [*loaded.findings, *findings]  # admission has softened what it found
    if loaded.plan.unapplied and (options.unused or project.settings.unused) != "error":
        from ..project.unapplied import downgrade_unapplied

        findings = [*downgrade_unapplied(findings, loaded.plan.unapplied, loaded.plan.suspended)]
    if loaded.plan.kustomizations:
        from .left_out import find_left_out

        findings += find_left_out(loaded, {finding.span.file for finding in findings})
    with stage("suppress and sort"):
        settled = suppression.reported_findings(findings, loaded.ignores, project)
    return Report(settled, loaded, workspace, not (settled or _has_own(loaded, project)), project, found_in)


def read(
    project: Project,
    options: Options,
    known: Mapping[str, Facts | None] | None = None,
    texts: Texts | None = None,
    *,
    keep: bool = False,
) -> Loaded:
    """Read and admit the files of a call. Arguments as of `check`."""
    texts = Texts(options.buffers) if texts is None else texts
    with stage("read and admit files"):
        project, facts = judged(project, options, texts, known or {}, keep=keep)
    with stage("merge"):
        loaded = merge(facts, texts, project, options)
    crds = project.settings.profile.crds
    return loaded if crds is None else loaded._replace(findings=[*crds.findings, *loaded.findings])


def _world(project: Project, options: Options, loaded: Loaded) -> ProjectContext:
    """Return what the call states about resources outside its files."""
    unstated = options.namespace or project.settings.namespace or ("default" if options.closed else None)
    return ProjectContext(
        closed=options.closed,
        external=project.settings.external,
        complete=project.complete and not loaded.plan.reaches_out,
        overlays=loaded.plan.overlays,
        layout=loaded.plan.layout,
        unapplied={file: why for file, why in loaded.plan.unapplied.items() if file not in loaded.plan.suspended},
        whole=loaded.plan.whole,
        others=loaded.plan.place_others(loaded.asked, unstated, project.settings.profile),
        mentions=partial(_is_mentioned, project.files, options.buffers),
    )


def _is_mentioned(found: Sequence[FoundFile], buffers: Mapping[str, bytes], resource: Resource) -> bool:
    """Return whether a text other than the declaration of a resource contains its name.

    A variable before an end of the name, such as ``${APP}-secret``, counts as the name.
    """
    from ..disk.files import read_file

    name = resource.name.encode()
    words = name.split(b"-")
    ends = [b"}-" + b"-".join(words[start:]) for start in range(1, len(words))]
    most = 1 if resource.document.data.get("kind") == resource.kind else 2  # what makes it has a name, too
    for file in found:
        text = buffers[file.path] if file.path in buffers else read_file(file)
        allowed = most if file.path == resource.document.file else 0
        if not isinstance(text, bytes) or text.count(name) > allowed or any(end in text for end in ends):
            return True
    return False


def _own_rules(project: Project) -> list[ProjectRule]:
    """Return the rules that the configuration of the project declares."""
    if not project.settings.custom_rules:
        return []
    from ...validators.custom_rule import as_project_rules

    return as_project_rules(project.settings.custom_rules)


def _of_records(loaded: Loaded, project: Project, options: Options) -> Iterator[Finding]:
    """Yield what is wrong with the records of the management API."""
    if not loaded.records:
        return
    from ..project.input_kind import record_findings

    settings = project.settings
    for records in loaded.records_apart():
        yield from record_findings(
            records, closed=options.closed, secrets_provider=settings.secrets_provider, profile=settings.profile
        )


def _has_own(loaded: Loaded, project: Project) -> bool:
    """Return whether the files that are reported on hold anything to check."""
    if project.settings.profile.crds is not None and loaded.documents:
        return True
    documents = [one for found in loaded.records.values() for one in found]
    documents += [one.document for one in loaded.resources]
    return any(project.reported is None or one.file in project.reported for one in documents)
