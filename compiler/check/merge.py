"""Merge the facts of all files: place resources into namespaces, and find identities that are declared twice."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from ..diagnostics.named_tuple import NamedTuple
from ..project.discovery import STANDARD_INPUT
from ..toolhive.profile import profile_of_release
from .delivery_plan import plan_delivery, report_expansion

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..diagnostics.finding import Finding
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
        facts: The facts of each file, by path and in reading order; ``None`` for a file with nothing to check.
        in_scope: The facts of all files except skills that probably belong to other programs.
        resources: Objects of the operator and of kinds that references name, in reading order.
        ignores: The findings that comments suppress, by file.
        copied: The copies of each resource that several routes apply differently.
    """

    facts: Mapping[str, Facts | None]
    in_scope: Sequence[Facts]
    resources: Sequence[Resource]
    findings: Sequence[Finding]
    texts: Texts
    ignores: Mapping[str, Sequence[Ignore]]
    copied: CopiesOf
    plan: DeliveryPlan
    project: Project

    @property
    def files(self) -> int:
        """The number of files with something to check."""
        return sum(bool(facts.documents or not facts.delivery.templates) for facts in self.in_scope)

    @property
    def documents(self) -> int:
        """The number of non-empty documents that were read."""
        return sum(facts.documents for facts in self.in_scope)

    @property
    def templates(self) -> int:
        """The number of templates, which cannot be checked. If standard input is read, only its templates count."""
        piped = self.facts.get(STANDARD_INPUT)
        stated = self.facts.values() if piped is None else [piped]
        return sum(facts.delivery.templates for facts in stated if facts is not None)

    @property
    def records(self) -> dict[str, list[Document]]:
        """The documents of each kind of record, without patches."""
        documents_by_kind: dict[str, list[Document]] = {}
        for facts in self.in_scope:
            for kind, document in facts.records if facts.file not in self.plan.patches else ():
                documents_by_kind.setdefault(kind, []).append(document)
        return documents_by_kind

    def records_apart(self) -> list[dict[str, list[Document]]]:
        """Return groups of records that are checked together: one for each isolated file, and one for the rest."""
        groups: dict[str | None, dict[str, list[Document]]] = {}
        for kind, documents in self.records.items():
            for document in documents:
                file = document.file if self.plan.layout.is_isolated(document.file) else None
                groups.setdefault(file, {}).setdefault(kind, []).append(document)
        return [*groups.values()]


def merge(read: Mapping[str, Facts | None], texts: Texts, project: Project, options: Options) -> Loaded:
    """Merge the facts of the files of a project.

    Args:
        read: The facts of each file, by path and in reading order; ``None`` for a file with nothing to check.
        texts: Receives the texts of patches.
    """
    in_scope = _without_foreign_skills([facts for facts in read.values() if facts is not None], project, options)
    plan = plan_delivery(read, in_scope, project, options)
    relevant = [facts for facts in in_scope if facts.resources or facts.findings]  # most files have neither
    placed_files = [plan.place(facts, _profile(facts, project)) for facts in relevant]
    # Placed before duplicates are sought: a kustomization may give one name two namespaces.
    resources: Sequence[Resource] = [resource for resources, _, _ in placed_files for resource in resources]
    piped = read.get(STANDARD_INPUT)
    if piped is not None and len(read) > 1:
        # Rendered standard input replaces the files that it was rendered from; else each resource would be a duplicate.
        from .stream import without_sources

        resources = without_sources(resources, piped.file, plan.overlays)
    if plan.overlays is not None:
        for resource in resources:
            plan.overlays.add(resource.document.file, resource.kind)
    findings = [*chain.from_iterable(admission for _, admission, _ in placed_files)]
    ignores = {facts.file: facts.ignores for facts in in_scope if facts.ignores and facts.file not in plan.patches}
    if any(kustomization.patched for kustomization in plan.kustomizations):
        from .patch_fault import report_files

        comments = {path: facts.ignores if facts is not None else () for path, facts in read.items()}
        patch_findings, patch_ignores = report_files(plan.kustomizations, comments, texts, project.settings.profile)
        findings += patch_findings
        ignores |= patch_ignores
    if plan.placements:
        # Here and not at admission: only the placement of all files shows the namespace of a resource.
        from ..admission.identity import report_namespaces

        findings += report_namespaces(resources)
    if len({resource.identity for resource in resources}) < len(resources):
        from ..workspace.duplicate import refuse_duplicates

        resources, duplicates = refuse_duplicates(resources, plan.layout, plan.overlays)
        findings += duplicates
    if plan.budget.refused:
        findings.append(report_expansion(plan.budget, read.values()))
    return Loaded(
        facts=read,
        in_scope=in_scope,
        resources=resources,
        findings=findings,
        texts=texts,
        ignores=ignores,
        copied={copy: copies for _, _, copied in placed_files for copy, copies in copied.items()},
        plan=plan,
        project=project,
    )


def _profile(facts: Facts, project: Project) -> Profile:
    profile, release = project.settings.profile, facts.release
    if profile.release in {None, release} or not facts.depends_on_release:
        return profile
    return profile_of_release(profile, release)


def _without_foreign_skills(stated: Sequence[Facts], project: Project, options: Options) -> Sequence[Facts]:
    skill_files = [facts.file for facts in stated if any(kind == "skill" for kind, _ in facts.records)]
    if not skill_files:
        return stated
    from ..project.skill import unrequested_skills

    recorded = {folder for facts in stated for folder in facts.skills}
    first = options.first if options.read_as == "skill" else None
    foreign = unrequested_skills(skill_files, recorded, project, first)
    return [facts for facts in stated if facts.file not in foreign]
