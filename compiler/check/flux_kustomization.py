"""Report Flux Kustomizations that apply nothing, because a dependency, a folder or a namespace is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..admission.table import KINDS
from ..diagnostics import file_path
from ..diagnostics.finding import rule
from ..diagnostics.placeholder import is_placeholder
from ..diagnostics.plain import listed, mapping
from ..diagnostics.shown import shown
from ..diagnostics.suggestion import as_question, nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..diagnostics.finding import Finding
    from ..project.delivery import Delivery
    from ..project.kustomization import Kustomization
    from ..workspace.resource import Resource
    from .merge import Loaded

LOST_DEPENDENCY = rule("REF029 dependency-on-nothing", "lint", "Flux waits for a Kustomization that no file declares")
NO_NAMESPACE = rule(
    "REF031 resource-without-namespace", "lint", "Flux applies a resource for which nothing states a namespace"
)
_CLUSTER_WIDE: Final = frozenset({"ClusterRoleBinding", "Namespace"})
"""Kinds without a namespace among those that references or lints read."""
_MOST_NOTES: Final = 3
"""Maximum number of resources that a finding about a namespace lists."""


def find_flux_faults(loaded: Loaded) -> Iterator[Finding]:
    """Yield the faults of Flux Kustomizations that concern resources of the operator.

    Nothing is reported about a Kustomization that nothing applies, or that is suspended.
    """
    controllers = [
        each
        for facts in loaded.facts.values()
        if facts is not None
        for each in facts.delivery.controllers
        if each.document.data.get("kind") in ("Kustomization", "FluxInstance")
    ]
    if not controllers:
        return
    from .flux_folder import find_lost_folders

    yield from find_lost_folders(loaded, [each for each in controllers if not is_idle(each, loaded)])
    if loaded.plan.placements:
        applying = _applying(loaded)
        acting = {
            key: each for each in controllers if (key := file_path.normpath(f"{each.file}#{each.name}")) in applying
        }
        yield from _find_lost_dependencies(loaded, controllers, acting)
        yield from _find_lost_namespaces(loaded, acting)


def is_idle(controller: Delivery, loaded: Loaded) -> bool:
    """Return whether a Kustomization is suspended, or nothing applies it."""
    return controller.applied.is_suspended or controller.file in loaded.plan.unapplied


def _applying(loaded: Loaded) -> frozenset[str]:
    """Return the file and the name of each delivery that applies resources of the operator, joined by ``#``."""
    files = {resource.document.file for resource in loaded.resources if resource.kind in KINDS}
    placements = [loaded.plan.placements.get(file) for file in files - loaded.plan.unapplied.keys()]
    routes = [route for placement in placements if placement is not None for route in placement.routes]
    return frozenset(route.delivery.rpartition(".")[0] for route in routes if route.delivery)


def _find_lost_dependencies(
    loaded: Loaded, controllers: list[Delivery], acting: dict[str, Delivery]
) -> Iterator[Finding]:
    """Yield a finding for each entry of ``dependsOn`` that names a Kustomization which no file declares.

    Nothing is reported if a name of a Kustomization is unknown, or if kustomizations change such names.
    """
    names = {controller.applied.object_name for controller in controllers} - {""}
    renaming = any(each.prefix or each.suffix for each in loaded.plan.kustomizations)
    if renaming or any(is_placeholder(name) or "*" in name for name in names):
        return
    for controller in acting.values():
        yield from _lost_dependencies(controller, names)


def _lost_dependencies(controller: Delivery, names: set[str]) -> Iterator[Finding]:
    spec = mapping(controller.document.data.get("spec"))
    for number, dependency in enumerate(listed(spec.get("dependsOn"))):
        name = mapping(dependency).get("name")
        if not isinstance(name, str) or is_placeholder(name) or name in names:
            continue
        near = nearest(name, sorted(names))
        span = controller.document.span(("spec", "dependsOn", number, "name"))
        hint = as_question(near) if near else "declare it, or remove the entry"
        message = f"no file declares a Kustomization {shown(name)}, so Flux never applies this one"
        yield LOST_DEPENDENCY.finding(span, message, document=controller.document.index, hint=hint)


def _find_lost_namespaces(loaded: Loaded, acting: dict[str, Delivery]) -> Iterator[Finding]:
    """Yield a finding for each Kustomization that applies resources for which nothing states a namespace.

    A file that patches, names or variables may change is left out.
    """
    lost: dict[str, dict[Resource, None]] = {}
    for facts in loaded.in_scope:
        placement = loaded.plan.placements.get(facts.file)
        if placement is None or facts.file in loaded.plan.unapplied or facts.file in loaded.plan.patches:
            continue
        resources = [each for each in (*facts.resources, *facts.others) if _lacks_namespace(each)]
        for route in placement.routes if resources else ():
            key = route.delivery.rpartition(".")[0]
            if key in acting and route.namespace is None and route.is_plain and not route.is_unknown:
                lost.setdefault(key, {}).update(dict.fromkeys(resources))
    for key, resources_of_key in lost.items():
        controller, (first, *others) = acting[key], [*resources_of_key]
        if _may_get_namespace(controller, loaded.plan.kustomizations):
            continue
        more = f" and {len(others)} more" if others else ""
        kind = first.document.data.get("kind")
        message = (
            f"nothing states a namespace for {kind} {shown(first.name)}{more}, so Flux refuses all that this applies"
        )
        hint = "state the namespace in each resource, or in a kustomization"
        if controller.document.data.get("kind") == "Kustomization":
            hint = "set targetNamespace, or state the namespace in each resource"
        notes = tuple(
            each.note(f"{each.document.data.get('kind')} {shown(each.name)} is here")
            for each in (first, *others)[:_MOST_NOTES]
        )
        span = controller.document.span(("metadata", "name"))
        yield NO_NAMESPACE.finding(span, message, document=controller.document.index, hint=hint, notes=notes)


def _may_get_namespace(controller: Delivery, kustomizations: Iterable[Kustomization]) -> bool:
    """Return whether a kustomization above an object of Flux may change it, for example by replacements."""
    links = {file_path.normpath(link.folder or "."): link for link in kustomizations}
    waiting = [file_path.normpath(controller.file)]
    above: dict[str, Kustomization] = {}
    while waiting:
        path = waiting.pop()
        new = {folder: link for folder, link in links.items() if path in link.listed and folder not in above}
        above |= new
        waiting += new
    changing = [*above.values(), *(links[path] for link in above.values() for path in link.components if path in links)]
    return any(link.transformers or not link.is_plain for link in changing)


def _lacks_namespace(resource: Resource) -> bool:
    """Return whether a resource states no namespace. A Helm chart or a ResourceSet may give one to its own objects."""
    is_namespaced = resource.kind not in _CLUSTER_WIDE and not resource.is_file
    return is_namespaced and not resource.document.prefix and not resource.metadata.get("namespace")
