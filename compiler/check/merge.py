"""The facts of all files together: namespaces from outside of the documents, and identities that are declared twice."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from ..diagnostics.placeholder import is_placeholder
from ..project import kustomize
from ..toolhive.profile import profile_of_release
from ..workspace.external import World
from ..workspace.index import CORE_KINDS
from .facts import with_namespace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ..diagnostics.finding import Finding
    from ..project.discovery import Project
    from ..project.kustomization import Kustomization
    from ..project.options import Options
    from ..project.overlay import Identity, Occurrence, OverlayNames, Placement
    from ..reading.document import Document
    from ..reading.suppression_comment import Ignore
    from ..toolhive.profile import Profile
    from ..workspace.layout import Layout
    from ..workspace.resource import Resource
    from .facts import Facts
    from .texts import Texts


class Loaded(NamedTuple):
    """The input of a call, read and admitted.

    Attributes:
        facts: The facts of each file, by path and in reading order; ``None`` of one with nothing of ours.
        resources: Kubernetes objects of our kinds and of those that references lead to, in reading order.
        records: Input kind to the documents of that kind.
        findings: What the reader and admission found.
        texts: File as findings name it to its text, for source lines.
        files: How many files hold something of what was read.
        documents: How many non-empty documents were read.
        templates: How many templates there are, which were not read.
        ignores: What comments silence, by file.
        made: The names that kustomizations make: of those of resources, or of their own.
        reaches_out: Whether a kustomization lists what lies outside of the folders that were read.
        copied: The resources that overlays put into several namespaces: there is one for each.
        found_in: The namespaces of the copies that a finding which is reported once was found of.
        layout: How the files stand to one another.
        unapplied: The files that nothing applies, each with the reason.
        project: The files, with the release that judges them.
    """

    facts: Mapping[str, Facts | None]
    resources: list[Resource]
    records: dict[str, list[Document]]
    findings: list[Finding]
    texts: Texts
    files: int
    documents: int
    templates: int
    ignores: dict[str, Sequence[Ignore]]
    made: OverlayNames | None
    reaches_out: bool
    copied: dict[Identity, Placement]
    found_in: dict[Occurrence, frozenset[str]]
    layout: Layout
    unapplied: Mapping[str, str]
    project: Project

    def records_apart(self) -> list[dict[str, list[Document]]]:
        """Return the records that see one another together: those of each isolated file, and all others."""
        found: dict[str | None, dict[str, list[Document]]] = {}
        for kind, documents in self.records.items():
            for document in documents:
                file = document.file if self.layout.is_isolated(document.file) else None
                found.setdefault(file, {}).setdefault(kind, []).append(document)
        return [*found.values()]


def merge(read: Mapping[str, Facts | None], texts: Texts, project: Project, options: Options) -> Loaded:
    """Merge the facts of the files of a project.

    Args:
        read: The facts of each, by path and in reading order.
        texts: Their texts.
        project: The files.
        options: How they are read.
    """
    stated = [facts for facts in read.values() if facts is not None]
    written = [one for facts in stated for one in facts.kustomizations]
    kustomizations = _with_deliveries(written, stated, read)
    if any(one.variables or one.sources for facts in stated for one in facts.deliveries):
        from .substitute import with_values

        profile = project.settings.profile
        stated = with_values(stated, kustomizations, profile, reference=options.reference_engine)
    made, placed = _overlays(kustomizations)
    patches = kustomize.patches(written)
    unasked = _unasked_skills(stated, project, options)
    asked = [facts for facts in stated if facts.file not in unasked]
    loaded = Loaded(
        facts=read,
        resources=[],
        records={},
        findings=[],
        texts=texts,
        files=sum(bool(facts.documents or not facts.templates) for facts in asked),
        documents=sum(facts.documents for facts in asked),
        templates=sum(facts.templates for facts in stated),
        ignores={},
        made=made,
        reaches_out=bool(written) and _reaches_out(written, project),
        copied={},
        found_in={},
        layout=kustomize.layout_of(kustomizations, project, isolated=options.isolated, closed=options.closed),
        unapplied=_unapplied(kustomizations, asked) if written else {},
        project=project,
    )
    unstated = options.namespace or project.settings.namespace or ("default" if options.closed else None)
    for facts in asked:
        if facts.file in patches:
            # A part of a resource, which the kustomization that takes it decides the kind of.
            loaded.findings.extend(one for one in facts.findings if one.stage == "syntax")
        else:
            profile = project.settings.profile
            if profile.release not in {None, facts.release} and facts.is_judged:
                profile = profile_of_release(profile, facts.release)
            _take(facts, loaded, placed.get(facts.file), unstated, profile)
    if any(one.patched for one in written):
        _take_patches(written, loaded, project.settings.profile)
    if made is not None:
        for one in loaded.resources:
            made.add(one.document.file, one.kind)
    loaded.findings.extend(_refuse_duplicates(loaded))
    return loaded


def _take_patches(kustomizations: list[Kustomization], loaded: Loaded, profile: Profile) -> None:
    """Add what is wrong with the patches of kustomizations; whether what they make is right shows only in the whole."""
    from .patch import of_files

    found = with_namespace(list(of_files(kustomizations, loaded.facts, loaded.texts, profile)), None)
    loaded.findings.extend(found)
    rules = {(one.span.file, one.rule) for one in found}
    for file in {one.span.file for one in found}:
        facts = loaded.facts[file]
        # A comment about the whole resource stays without effect here, and is no fault.
        ignores = [one for one in facts.ignores if (file, one.rule) in rules] if facts is not None else []
        if ignores:
            loaded.ignores[file] = ignores


def world_of(project: Project, options: Options, loaded: Loaded) -> World:
    """Return what the call states about resources outside its files."""
    return World(
        closed=options.closed,
        external=project.settings.external,
        complete=project.complete and not loaded.reaches_out,
        made=loaded.made,
        layout=loaded.layout,
        unapplied=loaded.unapplied,
    )


def _with_deliveries(
    written: list[Kustomization], stated: Sequence[Facts], files: Iterable[str]
) -> list[Kustomization]:
    """Return the kustomizations of a project and what controllers apply, as one chain."""
    deliveries = [one for facts in stated for one in facts.deliveries]
    if not deliveries:
        return written
    from ..project.delivery import as_kustomizations

    return as_kustomizations(deliveries, written, files)


def _unapplied(kustomizations: list[Kustomization], stated: Sequence[Facts]) -> Mapping[str, str]:
    from ..project.unapplied import unapplied

    return unapplied(kustomizations, [facts.file for facts in stated if facts.resources])


def _overlays(kustomizations: list[Kustomization]) -> tuple[OverlayNames | None, Mapping[str, Placement]]:
    """Return the names that kustomizations make, and where the files go that they list."""
    if not kustomizations:
        return None, {}
    from ..project.overlay import OverlayNames, placements

    return OverlayNames(kustomizations), placements(kustomizations)


def _unasked_skills(stated: Sequence[Facts], project: Project, options: Options) -> frozenset[str]:
    """Return the ``SKILL.md`` files that are probably of other programs."""
    found = [facts.file for facts in stated if any(kind == "skill" for kind, _ in facts.records)]
    if not found:
        return frozenset()
    from ..project.skill import unasked_skills

    recorded = {folder for facts in stated for folder in facts.skills}
    return unasked_skills(found, recorded, project, options.first if options.read_as == "skill" else None)


def _take(facts: Facts, loaded: Loaded, placement: Placement | None, unstated: str | None, profile: Profile) -> None:
    """Add the facts of a file; its resources get the namespaces that kustomizations or the call state."""
    # Of an overlay's namespaces the first is the resource's own, the others are those of its copies.
    namespace = unstated if placement is None else next(iter(placement.namespaces), None)
    decided = placement.places.get(namespace or "") if placement is not None else None
    for one in facts.resources:
        loaded.resources.append(one.placed(one.namespace or namespace, profile, None if one.namespace else decided))
    for one in facts.resources if placement is not None else ():
        if one.namespace is None and placement is not None:
            copies = [one.placed(copy, profile, placement.places.get(copy)) for copy in placement.namespaces[1:]]
            loaded.resources.extend(copies)
            if copies:
                loaded.copied[_identity(one)] = placement
    loaded.findings.extend(with_namespace(facts.findings, namespace))
    if facts.ignores:
        loaded.ignores[facts.file] = facts.ignores
    for kind, document in facts.records:
        loaded.records.setdefault(kind, []).append(document)


def _identity(resource: Resource) -> Identity:
    """Return what identifies a resource, with its copies."""
    return resource.kind, resource.name, resource.document.file, resource.document.index


def _refuse_duplicates(loaded: Loaded) -> Iterator[Finding]:
    """Mark the resources that declare again what another one does as not admitted; yield a finding about each.

    Both are known to go into one namespace of one cluster. Objects of Kubernetes itself are left out: that a Namespace
    or a Secret stands in several places is usual. Of the copies of one resource the first stands for all. What the API
    server refuses takes no name: the next one is then the first.
    """
    # Nearly always: then the module that explains duplicates is not imported.
    if len({one.identity for one in loaded.resources}) == len(loaded.resources):
        return
    from ..workspace.duplicate import duplicate

    seen: dict[tuple[str, str | None, str, str], tuple[int, Resource]] = {}
    reported: set[Identity] = set()
    for number, one in enumerate(loaded.resources):
        if one.kind in CORE_KINDS or is_placeholder(one.name):
            continue
        file = one.document.file
        places = loaded.layout.namespace_places(file, one.namespace)
        keys = [(*one.identity, place) for place in places]
        _, first = min([seen.get(key, (number, one)) for key in keys])
        for key in keys if one.admitted else ():
            seen.setdefault(key, (number, one))
        if first is one or (loaded.made is not None and loaded.made.differ(file, first.document.file)):
            continue
        # Before rules run: references lead to the first one alone.
        one.admitted = False
        if _identity(one) not in reported:
            yield duplicate(one, first)
            reported.update({_identity(one)} & loaded.copied.keys())


def _reaches_out(kustomizations: list[Kustomization], project: Project) -> bool:
    read = {os.path.normpath(file.path) for file in project.files}
    folders = [path for path in project.asked if os.path.isdir(path)]
    if project.reported is not None:
        folders.append(project.root)
    return any(path not in read for path in kustomize.outside(kustomizations, folders))
