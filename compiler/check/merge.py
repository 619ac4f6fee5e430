"""The facts of all files together: namespaces from outside of the documents, and identities that are declared twice."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from ..diagnostics.placeholder import is_placeholder
from ..project import kustomize
from ..project.applied import layout_of
from ..workspace.external import World
from ..workspace.index import CORE_KINDS
from .facts import with_namespace

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ..diagnostics.finding import Finding
    from ..project.discovery import Project
    from ..project.kustomization import Kustomization
    from ..project.options import Options
    from ..project.overlay import Identity, Occurrence, OverlayNames, Placement
    from ..reading.document import Document
    from ..reading.suppression_comment import Ignore
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
    kustomizations = [one for facts in stated for one in facts.kustomizations]
    made, placed = _overlays(kustomizations)
    patches = kustomize.patches(kustomizations)
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
        reaches_out=bool(kustomizations) and _reaches_out(kustomizations, project),
        copied={},
        found_in={},
        layout=layout_of(kustomizations, project, options),
    )
    unstated = options.namespace or project.settings.namespace or ("default" if options.closed else None)
    for facts in asked:
        if facts.file in patches:
            # A part of a resource: whether it is right shows only where it is laid over the rest.
            loaded.findings.extend(one for one in facts.findings if one.stage == "syntax")
        else:
            _take(facts, loaded, placed.get(facts.file), unstated)
    if made is not None:
        for one in loaded.resources:
            made.add(one.document.file, one.kind)
    loaded.findings.extend(_refuse_duplicates(loaded))
    loaded.findings.extend(_later_version(asked, loaded))
    return loaded


def world_of(project: Project, options: Options, loaded: Loaded) -> World:
    """Return what the call states about resources outside its files."""
    return World(
        closed=options.closed,
        external=project.settings.external,
        complete=project.complete and not loaded.reaches_out,
        made=loaded.made,
        layout=loaded.layout,
    )


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


def _take(facts: Facts, loaded: Loaded, placement: Placement | None, unstated: str | None) -> None:
    """Add the facts of a file; its resources get the namespaces that kustomizations or the call state."""
    # Of an overlay's namespaces the first is the resource's own, the others are those of its copies.
    namespace = unstated if placement is None else next(iter(placement.namespaces), None)
    for one in facts.resources:
        loaded.resources.append(one.placed(one.namespace or namespace))
    for one in facts.resources if placement is not None else ():
        if one.namespace is None and placement is not None:
            copies = [one.placed(copy) for copy in placement.namespaces[1:]]
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
    or a Secret stands in several places is usual. Of the copies of one resource the first stands for all.
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
        _, first = min([seen.setdefault((*one.identity, place), (number, one)) for place in places])
        if first is one or (loaded.made is not None and loaded.made.differ(file, first.document.file)):
            continue
        # Before rules run: references lead to the first one alone.
        one.admitted = False
        if _identity(one) not in reported:
            yield duplicate(one, first)
            reported.update({_identity(one)} & loaded.copied.keys())


def _later_version(stated: Sequence[Facts], loaded: Loaded) -> Iterator[Finding]:
    """Yield the finding about the first resource of a version that only later operators serve."""
    later = {facts.later.document for facts in stated if facts.later is not None}
    first = next((one for one in loaded.resources if one.document in later), None) if later else None
    if first is not None:
        from ..admission.identity import later_version_finding

        yield later_version_finding(first.document, first.printed_namespace)


def _reaches_out(kustomizations: list[Kustomization], project: Project) -> bool:
    read = {os.path.normpath(file.path) for file in project.files}
    folders = [path for path in project.asked if os.path.isdir(path)]
    if project.reported is not None:
        folders.append(project.root)
    return any(path not in read for path in kustomize.outside(kustomizations, folders))
