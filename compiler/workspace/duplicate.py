"""Find resources that are declared twice: same kind, namespace and name in the same cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnostics.finding import rule
from ..diagnostics.placeholder import is_placeholder
from .index import CORE_KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..diagnostics.finding import Finding
    from ..diagnostics.span import Path
    from .context import GivenNames, Layout
    from .resource import Resource

DUPLICATE = rule(
    "ADM090 duplicate-resource", "admission", "Two resources have the same kind, namespace and name", unmodelled="all"
)


def refuse_duplicates(
    resources: Sequence[Resource], layout: Layout, overlays: GivenNames | None
) -> tuple[list[Resource], list[Finding]]:
    """Return the resources with repeated ones marked as refused, and a finding for each repetition.

    A resource repeats another if both are applied together, so they get into one namespace of one cluster. Core kinds
    are skipped, because a Namespace or a Secret is often declared in several places. Copies of the same declaration do
    not repeat one another. Of resources with one name, the first that the API server admits counts as the first.

    Args:
        resources: All resources of a project, in reading order.
        overlays: The names that kustomizations give to resources. Resources that may get different names are skipped.
    """
    findings: list[Finding] = []
    checked = [*resources]
    seen: dict[tuple[str, str | None, str, str], tuple[int, Resource]] = {}
    reported: set[tuple[str, int, Path]] = set()
    for number, resource in enumerate(resources):
        if resource.kind in CORE_KINDS or is_placeholder(resource.name):
            continue
        file = resource.document.file
        units = layout.namespace_units(file, resource.namespace, resource.roots)
        keys = [(*resource.identity, unit) for unit in units]
        _, first = min([seen.get(key, (number, resource)) for key in keys])
        for key in keys if resource.admitted else ():
            seen.setdefault(key, (number, resource))
        is_same_declaration = first is resource or first.declared_at == resource.declared_at
        if is_same_declaration or (overlays is not None and overlays.may_differ(file, first.document.file)):
            continue
        # This happens before rules run, so references resolve to the first resource only.
        checked[number] = resource.repeated()
        if resource.declared_at not in reported:
            findings.append(_duplicate(resource, first))
            reported.add(resource.declared_at)
    return checked, findings


def _duplicate(resource: Resource, first: Resource) -> Finding:
    message = f'{resource.kind} "{resource.name}" is declared a second time'
    hint = "rename or remove one of the two"
    if resource.namespace is None:
        message += ", and nothing states that the two are in different namespaces"
        hint += "; or state their namespaces"
    else:
        message += f' in namespace "{resource.namespace}"'
    return resource.finding(
        DUPLICATE, ("metadata", "name"), message, hint=hint, notes=(first.note("the first one is here"),)
    )
