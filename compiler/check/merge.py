"""The facts of all files together: namespaces from outside of the documents, and identities that are declared twice."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from ..diagnostics.budget import OF_PROJECT, Budget
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
        read: The facts of each file, by path and in reading order; ``None`` of a file with nothing of ours.
        texts: The texts of the files; takes up patches.
        project: The files of the call.
        options: The options of the call.
    """
    stated = [facts for facts in read.values() if facts is not None]
    unasked = _unasked_skills(stated, project, options)
    asked = [facts for facts in stated if facts.file not in unasked]
    plan = plan_delivery(read, asked, project, options, Budget(OF_PROJECT))
    unstated = options.namespace or project.settings.namespace or ("default" if options.closed else None)
    whole = [facts for facts in asked if facts.file not in plan.patches]
    holding = [facts for facts in whole if facts.resources or facts.findings]  # few of a project's files do
    placed = [plan.place(facts, unstated, _profile(facts, project)) for facts in holding]
    # The kustomization that takes a patch decides the kind of the resource, so admission has nothing to say about it.
    syntax = [one for facts in asked if facts.file in plan.patches for one in facts.findings if one.stage == "syntax"]
    resources: Sequence[Resource] = [one for resources, _, _ in placed for one in resources]
    stream = read.get(STANDARD_INPUT)
    if stream is not None and len(read) > 1:
        from .stream import without_sources

        resources = without_sources(resources, stream.file, plan.overlays)
    if plan.overlays is not None:
        for one in resources:
            plan.overlays.add(one.document.file, one.kind)
    of_patches: Sequence[Finding] = ()
    patch_ignores: Mapping[str, Sequence[Ignore]] = {}
    if any(kustomization.patched for kustomization in plan.kustomizations):
        from .patch import report_files

        comments = {path: facts.ignores if facts is not None else () for path, facts in read.items()}
        of_patches, patch_ignores = report_files(plan.kustomizations, comments, texts, project.settings.profile)
    findings = [*chain.from_iterable(admission for _, admission, _ in placed), *syntax, *of_patches]
    if plan.placements:
        from ..admission.identity import report_namespaces

        findings += report_namespaces(resources)
    if len({one.identity for one in resources}) < len(resources):
        from ..workspace.duplicate import refuse_duplicates

        resources, duplicates = refuse_duplicates(resources, plan.layout, plan.overlays)
        findings += duplicates
    if plan.budget.refused:
        findings.append(report_expansion(plan.budget, stated))
    return Loaded(
        facts=read,
        asked=asked,
        resources=resources,
        findings=findings,
        texts=texts,
        ignores={facts.file: facts.ignores for facts in whole if facts.ignores} | dict(patch_ignores),
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


def _unasked_skills(stated: Sequence[Facts], project: Project, options: Options) -> frozenset[str]:
    """Return the ``SKILL.md`` files that are probably of other programs."""
    found = [facts.file for facts in stated if any(kind == "skill" for kind, _ in facts.records)]
    if not found:
        return frozenset()
    from ..project.skill import unrequested_skills

    recorded = {folder for facts in stated for folder in facts.skills}
    return unrequested_skills(found, recorded, project, options.first if options.read_as == "skill" else None)
