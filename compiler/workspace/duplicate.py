"""Two resources of one identity."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnostics.finding import rule
from ..diagnostics.placeholder import is_placeholder
from .index import CORE_KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..diagnostics.finding import Finding
    from ..diagnostics.span import Path
    from .external import MadeNames
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
    resources: Sequence[Resource], layout: Layout, made: MadeNames | None
) -> tuple[list[Resource], list[Finding]]:
    """Return the resources, of which those that repeat another one are not admitted, and a finding about each repeat.

    Both are known to go into one namespace of one cluster. Objects of Kubernetes itself are left out: that a Namespace
    or a Secret stands in several places is usual. Of the copies of one resource the first stands for all. What the API
    server refuses takes no name: the next one is then the first.

    Args:
        resources: All resources of a project, in reading order.
        layout: How the files stand to one another.
        made: The names that overlays make.
    """
    findings: list[Finding] = []
    kept = [*resources]
    seen: dict[tuple[str, str | None, str, str], tuple[int, Resource]] = {}
    reported: set[tuple[str, int, Path]] = set()
    for number, one in enumerate(resources):
        if one.kind in CORE_KINDS or is_placeholder(one.name):
            continue
        file = one.document.file
        places = layout.namespace_places(file, one.namespace, one.roots)
        keys = [(*one.identity, place) for place in places]
        _, first = min([seen.get(key, (number, one)) for key in keys])
        for key in keys if one.admitted else ():
            seen.setdefault(key, (number, one))
        is_same = first is one or first.declared_at == one.declared_at
        if is_same or (made is not None and made.differ(file, first.document.file)):
            continue
        # Before rules run: references lead to the first one alone.
        kept[number] = one.repeated()
        if one.declared_at not in reported:
            findings.append(_duplicate(one, first))
            reported.add(one.declared_at)
    return kept, findings


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
