"""The facts of all files together: namespaces from outside of the documents, and identities that are declared twice."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from ..diagnostics.budget import OF_PROJECT, Budget
from ..diagnostics.placeholder import is_placeholder
from ..project import kustomize
from ..project.discovery import STANDARD_INPUT
from ..toolhive.profile import profile_of_release
from ..workspace.external import World
from ..workspace.index import CORE_KINDS
from ..workspace.layout import Layout
from .facts import with_namespace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ..diagnostics.finding import Finding
    from ..diagnostics.span import Path
    from ..disk.files import Texts
    from ..project.discovery import Project
    from ..project.kustomization import Kustomization
    from ..project.overlay import OverlayNames
    from ..project.placement import Placement
    from ..project.settings import Options
    from ..reading.document import Document
    from ..reading.suppression_comment import Ignore
    from ..toolhive.profile import Profile
    from ..workspace.resource import Resource
    from .copies import CopiesOf, Copy, Occurrence
    from .facts import Facts
    from .substitute import Values


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
        copied: What belongs to the copies of resources that are applied in several ways.
        found_in: The copies that a finding which is reported once was found of.
        layout: How the files stand to one another.
        unapplied: The files that nothing applies, each with the reason.
        suspended: Those of them that are applied where nobody has that suspended: they may be there.
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
    copied: CopiesOf
    found_in: dict[Occurrence, frozenset[Copy]]
    layout: Layout
    unapplied: Mapping[str, str]
    suspended: frozenset[str]
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
    stream = read.get(STANDARD_INPUT)
    written = [one for facts in stated for one in facts.delivery.kustomizations]
    budget = Budget(OF_PROJECT)
    kustomizations = _with_deliveries(written, stated, read, budget)
    made, placed = _overlays(kustomizations, budget)
    patches = kustomize.patches(written)
    unasked = _unasked_skills(stated, project, options)
    asked = [facts for facts in stated if facts.file not in unasked]
    suspended = _suspended(kustomizations, asked)
    loaded = Loaded(
        facts=read,
        resources=[],
        records={},
        findings=[],
        texts=texts,
        files=sum(bool(facts.documents or not facts.delivery.templates) for facts in asked),
        documents=sum(facts.documents for facts in asked),
        templates=sum(facts.delivery.templates for facts in (stated if stream is None else [stream])),
        ignores={},
        made=made,
        reaches_out=bool(written) and _reaches_out(written, project),
        copied={},
        found_in={},
        layout=_layout(kustomizations, placed, stated, project, options, budget),
        unapplied=(_unapplied(kustomizations, read) if written else {}) | suspended,
        suspended=frozenset(suspended),
        project=project,
    )
    values = _values(stated, kustomizations, project, options, budget)
    unstated = options.namespace or project.settings.namespace or ("default" if options.closed else None)
    for facts in asked:
        if facts.file in patches:
            # A part of a resource, which the kustomization that takes it decides the kind of.
            loaded.findings.extend(one for one in facts.findings if one.stage == "syntax")
        else:
            profile = project.settings.profile
            if profile.release not in {None, facts.judgment.release} and facts.is_judged:
                profile = profile_of_release(profile, facts.judgment.release)
            placement = _affordable(placed.get(facts.file), facts, budget)
            if placement is None:
                _take(facts, loaded, unstated, profile)
            else:
                _take_copies(facts, loaded, placement, unstated, profile, values)
    if stream is not None and len(read) > 1:
        from .stream import without_sources

        loaded.resources[:] = without_sources(loaded.resources, stream.file, made)
    if any(one.patched for one in written):
        _take_patches(written, loaded, project.settings.profile)
    if made is not None:
        for one in loaded.resources:
            made.add(one.document.file, one.kind)
    if placed:
        from .copies import report_namespaces

        loaded.findings.extend(report_namespaces(loaded.resources))
    loaded.findings.extend(_refuse_duplicates(loaded))
    if budget.refused:
        loaded.findings.append(_report_refusal(budget, stated))
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
        unapplied={file: why for file, why in loaded.unapplied.items() if file not in loaded.suspended},
        whole=_whole(project, loaded),
    )


def _whole(project: Project, loaded: Loaded) -> str:
    deliveries = [one for facts in loaded.facts.values() if facts is not None for one in facts.delivery.controllers]
    if not deliveries or project.settings.file:
        return ""
    from ..project.delivery import whole_of

    return whole_of(deliveries, loaded.facts, [path for path in project.asked if os.path.isdir(path)])


def _with_deliveries(
    written: list[Kustomization], stated: Sequence[Facts], files: Iterable[str], budget: Budget
) -> list[Kustomization]:
    """Return the kustomizations of a project and what controllers apply, as one chain."""
    deliveries = [one for facts in stated for one in facts.delivery.controllers]
    if not deliveries:
        return written
    from ..project.delivery import as_kustomizations

    return as_kustomizations(deliveries, written, files, budget)


def _suspended(kustomizations: list[Kustomization], stated: Sequence[Facts]) -> dict[str, str]:
    """Return the files that only suspended objects of controllers apply, each with the reason."""
    if not any(one.is_suspended for one in kustomizations):
        return {}
    from ..project.unapplied import suspended

    reasons = suspended(kustomizations)
    found = {facts.file: reasons.get(os.path.normpath(facts.file)) for facts in stated}
    return {file: why for file, why in found.items() if why is not None}


def _unapplied(kustomizations: list[Kustomization], read: Mapping[str, Facts | None]) -> dict[str, str]:
    from ..project.unapplied import unapplied

    # What is piped is no file of the folder that it is named for.
    files = [one.file for path, one in read.items() if one is not None and one.resources and path != STANDARD_INPUT]
    return unapplied(kustomizations, files)


def _overlays(
    kustomizations: list[Kustomization], budget: Budget
) -> tuple[OverlayNames | None, Mapping[str, Placement]]:
    """Return the names that kustomizations make, and where the files go that they list."""
    if not kustomizations:
        return None, {}
    from ..project.overlay import OverlayNames
    from ..project.placement import placements, with_components

    whole = with_components(kustomizations, budget)
    return OverlayNames(whole), placements(whole, budget)


def _layout(
    kustomizations: list[Kustomization],
    placed: Mapping[str, Placement],
    stated: Sequence[Facts],
    project: Project,
    options: Options,
    budget: Budget,
) -> Layout:
    """Return how the files stand to one another."""
    is_isolated = kustomize.isolation(project, is_each=options.isolated)
    if not kustomizations:
        return Layout(is_isolated=is_isolated, closed=options.closed)
    from ..project.placement import roots_of

    clusters: frozenset[frozenset[str]] = frozenset()
    if not options.closed and any(len(one.roots) > 1 for one in placed.values()):
        from .copies import apart

        clusters = apart(placed, stated)
    return Layout(roots_of(kustomizations, budget), is_isolated, apart=clusters, closed=options.closed)


def _values(
    stated: Sequence[Facts], kustomizations: list[Kustomization], project: Project, options: Options, budget: Budget
) -> Values | None:
    """Return what deliveries put in place of variables; ``None`` where none does."""
    stating = (one for facts in stated for one in facts.delivery.controllers if one.variables or one.sources)
    altering = (one for found in kustomizations for one in (*found.altering, *found.altered) if one.fills)
    if not (any(True for _ in stating) or any(True for _ in altering)):
        return None
    from .substitute import Values

    return Values(stated, project.settings.profile, reference=options.reference, budget=budget)


def _unasked_skills(stated: Sequence[Facts], project: Project, options: Options) -> frozenset[str]:
    """Return the ``SKILL.md`` files that are probably of other programs."""
    found = [facts.file for facts in stated if any(kind == "skill" for kind, _ in facts.records)]
    if not found:
        return frozenset()
    from ..project.skill import unasked_skills

    recorded = {folder for facts in stated for folder in facts.skills}
    return unasked_skills(found, recorded, project, options.first if options.read_as == "skill" else None)


def _take(facts: Facts, loaded: Loaded, unstated: str | None, profile: Profile) -> None:
    """Add the facts of a file; its resources get the namespace that the call states."""
    loaded.resources.extend([one.placed(one.namespace or unstated, profile) for one in facts.resources])
    loaded.findings.extend(with_namespace(facts.findings, unstated))
    _take_rest(facts, loaded)


def _affordable(placement: Placement | None, facts: Facts, budget: Budget) -> Placement | None:
    """Return where a file goes; an unknown place if that makes more copies of its resources than the budget grants."""
    if placement is None or budget.grants(facts.file, objects=len(facts.resources) * (len(placement.ways) - 1)):
        return placement
    return placement.unknown()


def _take_copies(
    facts: Facts, loaded: Loaded, placement: Placement, unstated: str | None, profile: Profile, values: Values | None
) -> None:
    """Add the facts of a file as kustomizations and controllers apply it."""
    from .copies import placed_copies

    others = set(loaded.layout.roots(facts.file)).difference(placement.roots)
    resources, findings, copied = placed_copies(
        facts,
        placement,
        unstated,
        profile,
        values.of if values is not None else lambda facts, _: facts,
        tuple(sorted(others)) if placement.roots else (),
    )
    loaded.resources.extend(resources)
    loaded.findings.extend(findings)
    loaded.copied.update(copied)
    _take_rest(facts, loaded)


def _take_rest(facts: Facts, loaded: Loaded) -> None:
    if facts.ignores:
        loaded.ignores[facts.file] = facts.ignores
    for kind, document in facts.records:
        loaded.records.setdefault(kind, []).append(document)


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
    reported: set[tuple[str, int, Path]] = set()
    for number, one in enumerate([*loaded.resources]):
        if one.kind in CORE_KINDS or is_placeholder(one.name):
            continue
        file = one.document.file
        places = loaded.layout.namespace_places(file, one.namespace, one.roots)
        keys = [(*one.identity, place) for place in places]
        _, first = min([seen.get(key, (number, one)) for key in keys])
        for key in keys if one.admitted else ():
            seen.setdefault(key, (number, one))
        is_same = first is one or _place(first) == _place(one)
        if is_same or (loaded.made is not None and loaded.made.differ(file, first.document.file)):
            continue
        # Before rules run: references lead to the first one alone.
        loaded.resources[number] = one.repeated()
        if _place(one) not in reported:
            yield duplicate(one, first)
            reported.add(_place(one))


def _place(resource: Resource) -> tuple[str, int, Path]:
    """Return what copies of one resource have in common: where it is declared."""
    document = resource.document
    return document.file, document.index, document.prefix


def _reaches_out(kustomizations: list[Kustomization], project: Project) -> bool:
    read = {os.path.normpath(file.path) for file in project.files}
    folders = [path for path in project.asked if os.path.isdir(path)]
    if project.reported is not None:
        folders.append(project.root)
    return any(path not in read for path in kustomize.outside(kustomizations, folders))


def _report_refusal(budget: Budget, stated: Sequence[Facts]) -> Finding:
    """Return the finding that files of a project make more of one another than its budget has.

    Args:
        budget: The budget of the project, after it has refused something.
        stated: The facts of all files.
    """
    from ..diagnostics.span import Span
    from ..reading.rules import BEYOND_BOUNDS

    files = {os.path.normpath(facts.file): facts.file for facts in stated}
    files |= {
        os.path.normpath(one.folder or "."): facts.file for facts in stated for one in facts.delivery.kustomizations
    }
    at = os.path.normpath(budget.refused_at)
    file = files.get(at) or files.get(at.rpartition("#")[0]) or at
    message = (
        f"the files of the project expand to more than {budget.take_refusal()} here, so namespaces and values that come"
        " from kustomizations, Flux or Argo CD are not all known"
    )
    hint = "apply this file in fewer ways, or check its folder alone"
    return BEYOND_BOUNDS.finding(Span(file, 1, 1, 1, 1), message, hint=hint)
