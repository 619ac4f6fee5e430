"""Two resources of one identity."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnostics.finding import rule

if TYPE_CHECKING:
    from ..diagnostics.finding import Finding
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
RULES = (DUPLICATE,)


def duplicate(resource: Resource, first: Resource) -> Finding:
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
