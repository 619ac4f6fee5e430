"""Plan the delivery of a project: compute the kustomizations, deliveries, namespaces and clusters of each file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ..admission.admit import with_namespace
from ..diagnostics import file_path
from ..diagnostics.budget import OF_PROJECT, Budget
from ..diagnostics.named_tuple import NamedTuple
from ..disk.files import lies_in
from ..project import kustomize
from ..project.discovery import STANDARD_INPUT
from ..workspace.context import Layout
from ..workspace.other_kind import PATCH
from ..workspace.resource import Resource

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ..diagnostics.finding import Finding
    from ..project.delivery import Delivery
    from ..project.discovery import Project
    from ..project.kustomization import Kustomization
    from ..project.overlay import OverlayNames
    from ..project.placement import Placement
    from ..project.settings import Options
    from ..project.unapplied import Unapplied
    from ..toolhive.profile import Profile
    from .copies import CopiesOf
    from .facts import Facts
    from .readmission import VariableValues


class DeliveryPlan(NamedTuple):
    """The delivery of a project by kustomizations, Flux and Argo CD.

    Attributes:
        overlays: The names that kustomizations give to resources, or ``None`` without kustomizations.
        placements: The clusters and namespaces of each file that a kustomization or a controller applies, by path.
        kustomizations: The kustomizations, as files state them.
        patches: The files that are patches, so they contain parts of resources.
        unapplied: The files that nothing applies, each with the reason.
        left_out: The unapplied files that are not suspended, each with the folder of the kustomization that could list
            it.
        switched_off: The files that only a delivery in ``left_out`` would apply, each with the file of that delivery.
        suspended: The files that only suspended objects apply. Their resources may be in the cluster.
        reaches_out: True if a kustomization lists files outside the folders that were read.
        substitutions: The values of Flux variables; ``None`` if no variable gets a value.
        budget: The budget of the project, for what its files expand to together.
        whole: The folder of the configuration, or else the folder that controllers apply, if only a part of it is
            checked; else empty.
        namespace: The namespace of resources that neither state nor get one; ``None`` if it is unknown.
        is_delivered: True if the files declare objects of Flux or Argo CD that apply folders.
    """

    layout: Layout
    overlays: OverlayNames | None
    placements: Mapping[str, Placement]
    kustomizations: Sequence[Kustomization]
    patches: frozenset[str]
    unapplied: Mapping[str, str]
    left_out: Mapping[str, str]
    switched_off: Mapping[str, str]
    suspended: frozenset[str]
    reaches_out: bool
    substitutions: VariableValues | None
    budget: Budget
    whole: str
    namespace: str | None
    is_delivered: bool

    def place(self, facts: Facts, profile: Profile) -> tuple[Sequence[Resource], Sequence[Finding], CopiesOf]:
        """Return the resources of a file as they are applied, the findings about the file, and the copies.

        If the budget of the project is too small for all copies, the result has one copy with an unknown namespace.
        """
        if facts.file in self.patches:
            # A patch is only a part of a resource, so findings of admission do not count (see `patch_fault.py`).
            return (), [finding for finding in facts.findings if finding.stage == "syntax"], {}
        placement = self.placements.get(facts.file)
        if placement is None:
            resources = [resource.placed(resource.namespace or self.namespace, profile) for resource in facts.resources]
            return resources, with_namespace(facts.findings, self.namespace), {}
        from ..project.placement import UNKNOWN_PLACEMENT
        from .copies import placed_copies

        if not self.budget.grants(facts.file, objects=len(facts.resources) * (len(placement.routes) - 1)):
            placement = UNKNOWN_PLACEMENT
        plain_roots = set(self.layout.roots(facts.file)).difference(placement.roots)
        return placed_copies(
            facts,
            placement,
            self.namespace,
            profile,
            self.substitutions.of if self.substitutions is not None else lambda facts, _: facts,
            tuple(sorted(plain_roots)) if placement.roots else (),
        )

    def place_others(self, stated: Sequence[Facts], profile: Profile) -> Sequence[Resource]:
        """Return the objects of other programs, one copy for each route that applies them.

        Objects in patch files come first, with the kind `PATCH`. Objects in an isolated file without resources of the
        operator are left out, because no rule reads them.
        """
        plan = self._replace(substitutions=None)
        patches = [
            Resource(other.document, {**other.data, "kind": other.kind}, PATCH, other.name, None, stated_references=())
            for facts in stated
            if facts.others and facts.file in self.patches
            for other in facts.others
        ]
        return patches + [
            other
            for facts in stated
            if facts.others and facts.file not in self.patches
            if facts.resources or not self.layout.is_isolated(facts.file)
            for other in plan.place(facts._replace(resources=facts.others, findings=()), profile)[0]
        ]


def plan_delivery(
    read: Mapping[str, Facts | None], in_scope: Sequence[Facts], project: Project, options: Options
) -> DeliveryPlan:
    """Return the plan for delivering a project to clusters.

    Args:
        read: The facts of each file, by path and in reading order.
        in_scope: The facts of all files except skills of other programs.
    """
    budget = Budget(OF_PROJECT)
    stated = [facts for facts in read.values() if facts is not None]
    stated_kustomizations = [kustomization for facts in stated for kustomization in facts.delivery.kustomizations]
    controllers = [delivery for facts in stated for delivery in facts.delivery.controllers]
    folders = [path for path in project.asked if os.path.isdir(path)]
    kustomizations, whole = stated_kustomizations, _configured_root_above(project, folders)
    if controllers:
        from ..project.delivery import as_kustomizations, repository_root_above
        from ..project.delivery_start import own_deliveries

        controllers = own_deliveries(controllers)
        kustomizations = as_kustomizations(controllers, stated_kustomizations, read, budget)
        whole = whole if project.settings.file else repository_root_above(controllers, read, folders)
    # From here on, a delivery counts as a kustomization that lists the files of its folder.
    overlays, placements = _overlays(kustomizations, budget)
    separate_roots = frozenset[frozenset[str]]() if options.closed else _separate_roots(placements, stated)
    suspended = _suspended(kustomizations, in_scope)
    left_out = _left_out(kustomizations)
    unapplied = _unapplied(kustomizations, left_out, read) if stated_kustomizations else {}
    return DeliveryPlan(
        layout=_layout(kustomizations, left_out, separate_roots, project, options, budget),
        overlays=overlays,
        placements=placements,
        kustomizations=stated_kustomizations,
        patches=kustomize.patch_files(stated_kustomizations),
        unapplied={file: unapplied_file.reason for file, unapplied_file in unapplied.items()} | suspended,
        left_out={file: unapplied_file.folder for file, unapplied_file in unapplied.items() if file not in suspended},
        switched_off={file: unapplied_file.switched_off for file, unapplied_file in unapplied.items()},
        suspended=frozenset(suspended),
        reaches_out=bool(stated_kustomizations) and _reaches_out(stated_kustomizations, project),
        substitutions=_variable_values(controllers, kustomizations, stated, project, options, budget),
        budget=budget,
        whole=whole,
        namespace=options.namespace or project.settings.namespace or ("default" if options.closed else None),
        is_delivered=bool(controllers),
    )


def _suspended(kustomizations: list[Kustomization], stated: Sequence[Facts]) -> dict[str, str]:
    if not any(kustomization.is_suspended for kustomization in kustomizations):
        return {}
    from ..project.unapplied import suspended

    reasons = suspended(kustomizations)
    by_file = {facts.file: reasons.get(file_path.normpath(facts.file)) for facts in stated}
    return {file: reason for file, reason in by_file.items() if reason is not None}


def _left_out(kustomizations: list[Kustomization]) -> dict[str, str]:
    if not any(kustomization.applied_by for kustomization in kustomizations):
        return {}
    from ..project.delivery_start import left_out_deliveries

    return left_out_deliveries(kustomizations)


def _unapplied(
    kustomizations: list[Kustomization], left_out: Mapping[str, str], read: Mapping[str, Facts | None]
) -> dict[str, Unapplied]:
    from ..project.unapplied import unapplied

    # Standard input has no folder, so no kustomization can list it.
    stated = [facts for path, facts in read.items() if facts is not None and path != STANDARD_INPUT]
    files = [facts.file for facts in stated if facts.resources or not all(other.is_file for other in facts.others)]
    return unapplied(kustomizations, left_out, files)


def _configured_root_above(project: Project, folders: Sequence[str]) -> str:
    """Return the configuration's folder, relative to here, if the call names only folders below it, or empty."""
    root = file_path.abspath(project.root)
    is_above = all(lies_in(os.path.dirname(file_path.abspath(folder)), root) for folder in folders)
    return file_path.relpath(root) if project.settings.file and folders and is_above else ""


def _overlays(
    kustomizations: list[Kustomization], budget: Budget
) -> tuple[OverlayNames | None, Mapping[str, Placement]]:
    if not kustomizations:
        return None, {}
    from ..project.overlay import OverlayNames
    from ..project.placement import placements, with_components

    with_included = with_components(kustomizations, budget)
    return OverlayNames(with_included), placements(with_included, budget)


def _separate_roots(file_placements: Mapping[str, Placement], stated: Sequence[Facts]) -> frozenset[frozenset[str]]:
    """Return the pairs of roots that are for different clusters."""
    if all(len(placement.roots) <= 1 for placement in file_placements.values()):
        return frozenset()
    from .copies import pair_clusters

    return pair_clusters(file_placements, stated)


def _layout(
    kustomizations: list[Kustomization],
    left_out: Mapping[str, str],
    separate_roots: frozenset[frozenset[str]],
    project: Project,
    options: Options,
    budget: Budget,
) -> Layout:
    is_isolated = kustomize.isolation_test(project, is_each=options.isolated)
    if not kustomizations:
        return Layout(is_isolated=is_isolated, closed=options.closed)
    from ..project.placement import roots_of

    roots_left_out = frozenset[str]()
    if left_out:
        from ..project.delivery_start import left_out_roots

        roots_left_out = left_out_roots(kustomizations, left_out)
    return Layout(
        roots_of(kustomizations, budget),
        is_isolated,
        separate_roots=separate_roots,
        left_out_roots=roots_left_out,
        closed=options.closed,
    )


def _variable_values(
    controllers: list[Delivery],
    kustomizations: list[Kustomization],
    stated: Sequence[Facts],
    project: Project,
    options: Options,
    budget: Budget,
) -> VariableValues | None:
    """Return the values that Flux gives to variables; ``None`` if no variable gets a value."""
    alterations = (patch for owner in kustomizations for patch in (*owner.alterations, *owner.self_alterations))
    is_stated = any(delivery.variables or delivery.sources for delivery in controllers)
    if not (is_stated or any(patch.changes_variables for patch in alterations)):
        return None
    from .readmission import VariableValues

    return VariableValues(stated, project.settings.profile, reference=options.schema_of, budget=budget)


def _reaches_out(kustomizations: list[Kustomization], project: Project) -> bool:
    read = {file_path.normpath(file.path) for file in project.files}
    folders = [path for path in project.asked if os.path.isdir(path)]
    if project.reported is not None:
        folders.append(project.root)
    return any(path not in read for path in kustomize.paths_outside(kustomizations, folders))


def report_expansion(budget: Budget, read: Iterable[Facts | None]) -> Finding:
    """Return the finding that the files of a project expand to more than its budget.

    Args:
        budget: The budget of the project, which has refused a request.
        read: The facts of all files; ``None`` for a file with nothing to check.
    """
    from ..diagnostics.span import Span
    from ..reading.bound import BEYOND_BOUNDS

    stated = [facts for facts in read if facts is not None]
    files = {file_path.normpath(facts.file): facts.file for facts in stated}
    files |= {
        file_path.normpath(kustomization.folder or "."): facts.file
        for facts in stated
        for kustomization in facts.delivery.kustomizations
    }
    refused_path = file_path.normpath(budget.refused_at)
    file = files.get(refused_path) or files.get(refused_path.rpartition("#")[0]) or refused_path
    message = (
        f"the files of the project expand to more than {budget.take_refusal()} here, so namespaces and values that come"
        " from kustomizations, Flux or Argo CD are not all known"
    )
    hint = "apply this file in fewer ways, or check its folder alone"
    return BEYOND_BOUNDS.finding(Span(file, 1, 1, 1, 1), message, hint=hint)
