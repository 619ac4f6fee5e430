"""The facts of all files together: namespaces from outside of the documents, and identities that are declared twice."""

from __future__ import annotations

import os
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from ..diagnostics.budget import OF_PROJECT, Budget
from ..diagnostics.placeholder import is_placeholder
from ..project.discovery import STANDARD_INPUT
from ..toolhive.profile import profile_of_release
from ..workspace.external import World
from ..workspace.index import CORE_KINDS
from .delivery_plan import plan_delivery, report_expansion
from .facts import with_namespace

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..diagnostics.finding import Finding
    from ..diagnostics.span import Path
    from ..disk.files import Texts
    from ..project.discovery import Project
    from ..project.settings import Options
    from ..reading.document import Document
    from ..reading.suppression_comment import Ignore
    from ..toolhive.profile import Profile
    from ..workspace.resource import Resource
    from .copies import CopiesOf
    from .delivery_plan import DeliveryPlan
    from .facts import Facts


class Loaded(NamedTuple):
    """The input of a call, read and admitted.

    Attributes:
        facts: The facts of each file, by path and in reading order; ``None`` of one with nothing of ours.
        asked: The facts of all files but skills that are probably of other programs.
        resources: Kubernetes objects of our kinds and of those that references lead to, in reading order.
        findings: What the reader and admission found.
        texts: File as findings name it to its text, for source lines.
        ignores: What comments silence, by file.
        copied: What belongs to the copies of resources that are applied in several ways.
        plan: How the project is delivered.
        project: The files, with the release that judges them.
    """

    facts: Mapping[str, Facts | None]
    asked: Sequence[Facts]
    resources: Sequence[Resource]
    findings: Sequence[Finding]
    texts: Texts
    ignores: Mapping[str, Sequence[Ignore]]
    copied: CopiesOf
    plan: DeliveryPlan
    project: Project

    @property
    def files(self) -> int:
        """The number of files that hold something of what was read."""
        return sum(bool(facts.documents or not facts.delivery.templates) for facts in self.asked)

    @property
    def documents(self) -> int:
        """The number of non-empty documents that were read."""
        return sum(facts.documents for facts in self.asked)

    @property
    def templates(self) -> int:
        """The number of templates, which are not read; of standard input alone if it is read."""
        stream = self.facts.get(STANDARD_INPUT)
        stated = self.facts.values() if stream is None else [stream]
        return sum(facts.delivery.templates for facts in stated if facts is not None)

    @property
    def records(self) -> dict[str, list[Document]]:
        """The documents of each kind of record."""
        found: dict[str, list[Document]] = {}
        for facts in self.asked:
            for kind, document in facts.records if facts.file not in self.plan.patches else ():
                found.setdefault(kind, []).append(document)
        return found

    def records_apart(self) -> list[dict[str, list[Document]]]:
        """Return the records that see one another together: those of each isolated file, and all others."""
        found: dict[str | None, dict[str, list[Document]]] = {}
        for kind, documents in self.records.items():
            for document in documents:
                file = document.file if self.plan.layout.is_isolated(document.file) else None
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
    unasked = _unasked_skills(stated, project, options)
    asked = [facts for facts in stated if facts.file not in unasked]
    plan = plan_delivery(read, asked, project, options, Budget(OF_PROJECT))
    unstated = options.namespace or project.settings.namespace or ("default" if options.closed else None)
    whole = [facts for facts in asked if facts.file not in plan.patches]
    placed = [plan.place(facts, unstated, _profile(facts, project)) for facts in whole]
    # A patch is a part of a resource, which the kustomization that takes it decides the kind of.
    syntax = [one for facts in asked if facts.file in plan.patches for one in facts.findings if one.stage == "syntax"]
    resources: Sequence[Resource] = [one for resources, _, _ in placed for one in resources]
    stream = read.get(STANDARD_INPUT)
    if stream is not None and len(read) > 1:
        from .stream import without_sources

        resources = without_sources(resources, stream.file, plan.overlays)
    if plan.overlays is not None:
        for one in resources:
            plan.overlays.add(one.document.file, one.kind)
    of_patches = _patch_findings(plan, read, texts, project.settings.profile)
    findings = [*chain.from_iterable(admission for _, admission, _ in placed), *syntax, *of_patches]
    if plan.placements:
        from .copies import report_namespaces

        findings += report_namespaces(resources)
    resources, duplicates = _refuse_duplicates(resources, plan)
    findings += duplicates
    if plan.budget.refused:
        findings.append(report_expansion(plan.budget, stated))
    return Loaded(
        facts=read,
        asked=asked,
        resources=resources,
        findings=findings,
        texts=texts,
        ignores={facts.file: facts.ignores for facts in whole if facts.ignores} | _patch_ignores(of_patches, read),
        copied={copy: copies for _, _, copied in placed for copy, copies in copied.items()},
        plan=plan,
        project=project,
    )


def _profile(facts: Facts, project: Project) -> Profile:
    """Return the names that the operator goes by in the release that judges a file."""
    profile, release = project.settings.profile, facts.judgment.release
    if profile.release in {None, release} or not facts.is_judged:
        return profile
    return profile_of_release(profile, release)


def _patch_findings(
    plan: DeliveryPlan, read: Mapping[str, Facts | None], texts: Texts, profile: Profile
) -> Sequence[Finding]:
    """Return what is wrong with the patches that kustomizations take from files."""
    if not any(one.patched for one in plan.kustomizations):
        return ()
    from .patch import of_files

    return with_namespace(list(of_files(plan.kustomizations, read, texts, profile)), None)


def _patch_ignores(findings: Sequence[Finding], read: Mapping[str, Facts | None]) -> dict[str, Sequence[Ignore]]:
    """Return the comments in patches that suppress a finding; one about the whole resource has no effect there."""
    rules = {(one.span.file, one.rule) for one in findings}
    ignores: dict[str, Sequence[Ignore]] = {}
    for file in {file for file, _ in rules}:
        facts = read[file]
        used = [one for one in facts.ignores if (file, one.rule) in rules] if facts is not None else []
        if used:
            ignores[file] = used
    return ignores


def world_of(project: Project, options: Options, loaded: Loaded) -> World:
    """Return what the call states about resources outside its files."""
    return World(
        closed=options.closed,
        external=project.settings.external,
        complete=project.complete and not loaded.plan.reaches_out,
        made=loaded.plan.overlays,
        layout=loaded.plan.layout,
        unapplied={file: why for file, why in loaded.plan.unapplied.items() if file not in loaded.plan.suspended},
        whole=_whole(project, loaded),
    )


def _whole(project: Project, loaded: Loaded) -> str:
    deliveries = [one for facts in loaded.facts.values() if facts is not None for one in facts.delivery.controllers]
    if not deliveries or project.settings.file:
        return ""
    from ..project.delivery import whole_of

    return whole_of(deliveries, loaded.facts, [path for path in project.asked if os.path.isdir(path)])


def _unasked_skills(stated: Sequence[Facts], project: Project, options: Options) -> frozenset[str]:
    """Return the ``SKILL.md`` files that are probably of other programs."""
    found = [facts.file for facts in stated if any(kind == "skill" for kind, _ in facts.records)]
    if not found:
        return frozenset()
    from ..project.skill import unasked_skills

    recorded = {folder for facts in stated for folder in facts.skills}
    return unasked_skills(found, recorded, project, options.first if options.read_as == "skill" else None)


def _refuse_duplicates(
    resources: Sequence[Resource], plan: DeliveryPlan
) -> tuple[Sequence[Resource], Sequence[Finding]]:
    """Return the resources, of which those that repeat another one are not admitted, and a finding about each repeat.

    Both are known to go into one namespace of one cluster. Objects of Kubernetes itself are left out: that a Namespace
    or a Secret stands in several places is usual. Of the copies of one resource the first stands for all. What the API
    server refuses takes no name: the next one is then the first.
    """
    # Nearly always: then the module that explains duplicates is not imported.
    if len({one.identity for one in resources}) == len(resources):
        return resources, ()
    from ..workspace.duplicate import duplicate

    findings: list[Finding] = []
    kept = [*resources]
    seen: dict[tuple[str, str | None, str, str], tuple[int, Resource]] = {}
    reported: set[tuple[str, int, Path]] = set()
    for number, one in enumerate(resources):
        if one.kind in CORE_KINDS or is_placeholder(one.name):
            continue
        file = one.document.file
        places = plan.layout.namespace_places(file, one.namespace, one.roots)
        keys = [(*one.identity, place) for place in places]
        _, first = min([seen.get(key, (number, one)) for key in keys])
        for key in keys if one.admitted else ():
            seen.setdefault(key, (number, one))
        is_same = first is one or _place(first) == _place(one)
        if is_same or (plan.overlays is not None and plan.overlays.differ(file, first.document.file)):
            continue
        # Before rules run: references lead to the first one alone.
        kept[number] = one.repeated()
        if _place(one) not in reported:
            findings.append(duplicate(one, first))
            reported.add(_place(one))
    return kept, findings


def _place(resource: Resource) -> tuple[str, int, Path]:
    """Return what copies of one resource have in common: where it is declared."""
    document = resource.document
    return document.file, document.index, document.prefix
