"""The way of the data, in order, and nothing else: files → documents → resources → workspace → findings."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from mcpcfg.compiler.intake.facts import with_namespace
from mcpcfg.compiler.intake.gather import Options, gather
from mcpcfg.compiler.intake.stored import StoredFindings, Texts, pack_findings

from . import inputs
from .duplicate import duplicate
from .progress import stage
from .project import kustomize
from .project.discovery import STANDARD_INPUT
from .reading.placeholder import is_placeholder
from .workspace import Workspace, World

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence

    from mcpcfg.compiler.intake.cache import Cache, Outcome
    from mcpcfg.compiler.intake.facts import Facts
    from mcpcfg.compiler.intake.gather import Gathered
    from mcpcfg.compiler.intake.kept import Kept
    from mcpcfg.compiler.intake.stored import Entry, Plain
    from mcpcfg.validators.recall import Recall, Watched

    from .document import Document
    from .finding import Finding
    from .project.discovery import Project
    from .project.kustomize import Kustomization
    from .project.overlay import Identity, OverlayNames, Placement
    from .reading.silence import Ignore
    from .resource import Resource


__all__ = ["Loaded", "Options", "Report", "check", "join", "load"]


FEWEST_KEPT = 64
"""Fewer files are checked sooner than a cache is opened."""


class Loaded(NamedTuple):
    """The input of a call, read and admitted.

    Attributes:
        resources: Kubernetes objects of our kinds and of those that references lead to.
        records: Input kind to the documents of that kind.
        findings: What the reader and admission found.
        texts: File as findings name it to its text, for source lines.
        documents: How many non-empty documents were read.
        ignores: What comments silence, by file.
        made: The names that kustomizations make: of those of resources, or of their own.
        reaches_out: Whether a kustomization lists what lies outside of the folders that were read.
        copied: The resources that overlays put into several namespaces: there is one for each.
    """

    resources: list[Resource]
    records: dict[str, list[Document]]
    findings: list[Finding]
    texts: Mapping[str, bytes]
    documents: int
    ignores: dict[str, Sequence[Ignore]]
    made: OverlayNames | None = None
    reaches_out: bool = False
    copied: Mapping[Identity, Placement] = {}


class Report(NamedTuple):
    """The outcome of a check.

    Attributes:
        findings: Sorted by place.
        loaded: What was read.
        workspace: The resources with what they refer to.
        nothing: Whether there was nothing to check.
        cache: Where it is kept.
    """

    findings: Sequence[Finding]
    loaded: Loaded
    workspace: Workspace
    nothing: bool
    cache: Cache | None = None


def check(
    project: Project,
    options: Options,
    *,
    keep: bool = False,
    findings_alone: bool = False,
    known: Mapping[str, Entry] | None = None,
    cache: Kept | None = None,
) -> Report:
    """Read, admit, resolve and judge the files of a call.

    Args:
        project: The files.
        options: How they are read.
        keep: Whether to use the cache.
        findings_alone: Whether the findings are all that is asked for: the report may hold no resources, or such as
            would have to be read again.
        known: Facts of files that need not be read; with them there is no cache.
        cache: The cache to use, in place of the one on the disk.
    """
    if findings_alone and known is None:
        return _check_findings(project, options, cache, keep=keep)
    loaded = load(project, options, known)
    return _judge(loaded, Workspace(loaded.resources, _world(project, options, loaded)), project, options)


def _check_findings(project: Project, options: Options, kept: Kept | None, *, keep: bool) -> Report:
    """Check in one process or several, with what is known from last time."""
    with stage("look into the cache"):
        on_disk = _cache(project, options) if keep and kept is None else None
    if on_disk is not None and on_disk.outcome is not None:
        return _again(on_disk, on_disk.outcome)
    cache = kept or on_disk
    is_cold = cache is None or 2 * len(cache.unchanged) < len(project.files)
    known: Mapping[str, Entry] = {}
    if cache is not None and not is_cold:
        with stage("read the cache"):
            known = cache.known()
    texts = Texts(project.settings.profile, options.buffers)
    judge = partial(_judge_part, project, options) if is_cold else None
    with stage("read and judge files" if is_cold else "read and admit files"):
        gathered = gather(project, options, texts, known=known, judge=judge, whole=False, keep=cache is not None)
    with stage("join"):
        loaded = join(gathered.facts, texts, project, options)
    world = _world(project, options, loaded)
    if cache is None and not gathered.memories:
        return _judge(loaded, Workspace(loaded.resources, world), project, options)
    from mcpcfg.validators.recall import Watched

    workspace = Watched(loaded.resources, world)
    with stage("recall"):
        recall = _recall(cache, gathered, workspace)
    report = _judge(loaded, workspace, project, options, recall)
    if cache is None:
        return report
    with stage("write the cache"):
        _keep(cache, report, recall, workspace, gathered, known)
    return report._replace(cache=on_disk)


def _recall(cache: Kept | None, gathered: Gathered, workspace: Watched) -> Recall:
    """Give what is known to stand: of what was found about each part, or else last time."""
    from mcpcfg.compiler.intake.memory import recollect, rejoin
    from mcpcfg.validators.recall import Recall

    if workspace.world.has_copies:
        return Recall(workspace)  # memory is of what files say, each once
    if cache is None or gathered.memories:
        return rejoin(gathered.memories, workspace, gathered.facts)
    return recollect(cache.memory, workspace, gathered.facts, cache.stale)


def _keep(
    cache: Kept, report: Report, recall: Recall, workspace: Watched, gathered: Gathered, known: Container[str]
) -> None:
    from mcpcfg.compiler.intake.memory import remember, touched

    new = touched(recall, gathered.facts, known)
    memory = remember(recall, workspace, gathered.facts, new)
    told = pack_findings(report.findings)
    cache.save(gathered.entries, told, report.loaded.documents, nothing=report.nothing, memory=memory, touched=new)


def _judge_part(project: Project, options: Options, found: list[Facts], texts: Texts) -> Plain:
    """Judge the resources of some files as if there were no others; the facts are left as they were."""
    from mcpcfg.compiler.intake.memory import remember
    from mcpcfg.validators import engine
    from mcpcfg.validators.recall import Recall, Watched

    stated = [(one, one.namespace, one.admitted) for facts in found for one in facts.resources]
    loaded = join(found, texts, project, options)
    workspace = Watched(loaded.resources, _world(project, options, loaded))
    _mark_unreadable(workspace, loaded.findings)
    recall = Recall(workspace)
    engine.judge(workspace, recall, project.settings.custom_rules)
    memory = remember(recall, workspace, found)
    for resource, namespace, admitted in stated:
        resource.namespace, resource.admitted = namespace, admitted
    return memory


def _judge(
    loaded: Loaded, workspace: Workspace, project: Project, options: Options, recall: Recall | None = None
) -> Report:
    from mcpcfg.validators import engine

    from . import verdict

    _mark_unreadable(workspace, loaded.findings)
    with stage("rules"):
        judged = engine.run(workspace, recall, project.settings.custom_rules)
        findings = loaded.findings + (_told_once(judged, loaded.copied) if loaded.copied else judged)
    with stage("records"):
        findings += _record_findings(loaded, project, options)
    with stage("settle"):
        settled = verdict.settle(findings, loaded.ignores, project)
    nothing = not (settled or _has_own(loaded, project.reported))
    return Report(settled, loaded, workspace, nothing)


def _has_own(loaded: Loaded, reported: Container[str] | None) -> bool:
    """Tell whether the files that are reported on hold anything to check."""
    if reported is None:
        return bool(loaded.resources or loaded.records)
    own = [one.document for one in loaded.resources]
    own += [document for found in loaded.records.values() for document in found]
    return any(document.file in reported for document in own)


def _cache(project: Project, options: Options) -> Cache | None:
    """Give the cache of a call, ``None`` where the call has none."""
    settings = project.settings
    is_plain = not (options.read_as or options.reference_engine)
    if len(project.files) < FEWEST_KEPT or not is_plain or any(file.path == STANDARD_INPUT for file in project.files):
        return None
    from mcpcfg.compiler.intake.cache import Cache

    external = sorted((kind, sorted(names)) for kind, names in settings.external.items())
    basis = (settings._replace(external={}), external, options.closed, options.namespace, project.complete)
    place = (os.getcwd(), project.root if settings.file else project.asked)
    return Cache(place, basis, project.files, None if project.reported is None else sorted(project.reported))


def _again(cache: Cache, outcome: Outcome) -> Report:
    """Give the report of a call when nothing has changed since the last one."""
    cache.renew()
    texts = Texts()
    texts.add_unread(cache.ours())
    loaded = Loaded([], {}, [], texts, outcome.documents, {})
    return Report(StoredFindings(outcome.findings), loaded, Workspace(()), outcome.nothing, cache)


def _mark_unreadable(workspace: Workspace, findings: Iterable[Finding]) -> None:
    """Note the resources that the API server stores and the operator cannot read, as admission found."""
    places = {
        (one.subject.kind, one.subject.name, one.span.file, one.document): one.rule
        for one in findings
        if one.stage == "operator" and one.subject is not None
    }
    for kind in {place[0] for place in places}:
        for resource in workspace.of_kind(kind):
            rule = places.get((kind, resource.name, resource.document.file, resource.document.index))
            if rule is not None:
                workspace.refused[id(resource)] = rule


def load(project: Project, options: Options, known: Mapping[str, Entry] | None = None) -> Loaded:
    """Read and admit the files of a call, but for those whose facts are known."""
    texts = Texts(project.settings.profile, options.buffers)
    with stage("read and admit files"):
        found = gather(project, options, texts, known=known).facts
    with stage("join"):
        return join(found, texts, project, options)


def join(found: list[Facts], texts: Mapping[str, bytes], project: Project, options: Options) -> Loaded:
    """Put the facts of all files together: namespaces from outside of the documents, and identities declared twice."""
    kustomizations = [one for facts in found for one in facts.kustomizations]
    reaches_out = bool(kustomizations) and _reaches_out(kustomizations, project)
    documents = sum(facts.documents for facts in found)
    made, placed = _overlays(kustomizations)
    copied: dict[Identity, Placement] = {}
    loaded = Loaded([], {}, [], texts, documents, {}, made, reaches_out, copied)
    patches = kustomize.patches(kustomizations)
    unstated = options.namespace or project.settings.namespace or ("default" if options.closed else None)
    seen: dict[tuple[str, str | None, str], Resource] = {}
    repeated: set[Identity] = set()
    later = False
    for facts in found:
        if facts.file in patches:
            # A part of a resource: whether it is right shows only where it is laid over the rest.
            loaded.findings.extend(one for one in facts.findings if one.stage == "syntax")
            continue
        placement = placed.get(facts.file)
        namespace = unstated if placement is None else next(iter(placement.namespaces), None)
        resources = facts.resources
        if placement is not None and len(placement.namespaces) > 1:
            resources = _in_each(placement, facts, copied)
        if facts.findings:
            loaded.findings.extend(with_namespace(facts.findings, namespace))
        if facts.ignores:
            loaded.ignores[facts.file] = facts.ignores
        for kind, document in facts.records:
            loaded.records.setdefault(kind, []).append(document)
        if made is not None:
            made.add(facts.file, facts.resources)
        for resource in resources:
            if resource.namespace is None:
                resource.namespace = namespace
            first = seen.setdefault((resource.kind, resource.namespace, resource.name), resource)
            if first is resource or is_placeholder(resource.name):
                continue
            if made is not None and made.differ(facts.file, first.document.file):
                continue
            resource.admitted = False
            identity = (resource.kind, resource.name, facts.file, resource.document.index)
            if identity not in repeated:
                loaded.findings.append(duplicate(resource, first))
                repeated.update({identity} & copied.keys())
        if facts.later is not None and not later:
            later = True
            from .admission.identity import later_version_finding

            loaded.findings.append(later_version_finding(facts.later.document, facts.later.printed_namespace))
        loaded.resources.extend(resources)
    return loaded


def _overlays(kustomizations: list[Kustomization]) -> tuple[OverlayNames | None, Mapping[str, Placement]]:
    """Give the names that kustomizations make, and where the files go that they list."""
    if not kustomizations:
        return None, {}
    from .project.overlay import OverlayNames, placements

    return OverlayNames(kustomizations), placements(kustomizations)


def _told_once(findings: list[Finding], copied: Mapping[Identity, Placement]) -> list[Finding]:
    from .project.overlay import told_once

    return told_once(findings, copied)


def _in_each(placement: Placement, facts: Facts, copied: dict[Identity, Placement]) -> list[Resource]:
    """Give the resources of a file, and a copy for each further namespace of those that state none."""
    resources = list(facts.resources)
    for resource in facts.resources:
        if resource.namespace is None:
            copied[resource.kind, resource.name, facts.file, resource.document.index] = placement
            resources += map(resource.copy_in, placement.namespaces[1:])
    return resources


def _reaches_out(kustomizations: list[Kustomization], project: Project) -> bool:
    read = {os.path.normpath(file.path) for file in project.files}
    folders = [path for path in project.asked if os.path.isdir(path)]
    if project.reported is not None:
        folders.append(project.root)
    return any(path not in read for path in kustomize.outside(kustomizations, folders))


def _world(project: Project, options: Options, loaded: Loaded) -> World:
    return World(
        closed=options.closed,
        external=project.settings.external,
        complete=project.complete and not loaded.reaches_out,
        made=loaded.made,
        has_copies=bool(loaded.copied),
    )


def _record_findings(loaded: Loaded, project: Project, options: Options) -> list[Finding]:
    findings: list[Finding] = []
    around = inputs.Surroundings(options.closed, project.settings.secrets_provider)
    for kind in inputs.KINDS:
        documents = loaded.records.get(kind.name)
        if documents:
            check_record = inputs.checker(kind)
            for document in documents:
                findings.extend(check_record(document, loaded.records, around))
    return findings
