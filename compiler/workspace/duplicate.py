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
    from .external import GivenNames
    from .layout import Layout
    from .resource import Resource

DUPLICATE = rule(
    "ADM090",
    "duplicate-resource",
    "Two resources have the same kind, namespace and name",
    stage="admission",
    unmodelled="all",
    checks="The second of two MCP resources, in the order of files and documents, where both are in one file or under"
    " one kustomization (which lists them, or lists a kustomization that does), or state the same namespace in files of"
    " one folder that no kustomization lists. The `namespace` of a kustomization, of `--namespace` or of the"
    " configuration counts as stated. With `--closed` all files are applied to one cluster, and what states no"
    " namespace is in `default`.\n\nNot reported: resources in folders or under kustomizations of their own, which may"
    " be for different clusters; files that are `isolated`; Namespaces, Secrets, ConfigMaps and ServiceAccounts, which"
    " are often declared in several places: any of them that has the key satisfies a reference.",
    why="The API server has only one object with these, so the one applied later silently replaces the other; kustomize"
    " refuses to build.",
    example="""
        # tools.yaml and staging.yaml, in one folder
        kind: MCPToolConfig
        metadata: {name: read-only}
        """,
    fix="Rename one of them or remove it. Move alternatives for different clusters to separate folders. To check"
    " examples in one folder independently, use `--isolated`, or `isolated` in the configuration.",
    source="Kubernetes API conventions, names.",
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
        layout: The files that are applied together.
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
    """Return the finding that ``resource`` repeats ``first``."""
    message = f'{resource.kind} "{resource.name}" is declared a second time'
    hint = "rename or remove one of the two"
    if resource.namespace is None:
        message += ", and nothing states that the two are in different namespaces"
        hint += "; or state their namespaces"
    else:
        message += f' in namespace "{resource.namespace}"'
    return resource.finding(
        DUPLICATE,
        ("metadata", "name"),
        message,
        hint=hint,
        notes=(first.note("the first one is here"),),
    )
