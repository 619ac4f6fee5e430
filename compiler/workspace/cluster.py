"""Find the clusters of each resource. A cluster is named after the folder that its Flux or Argo CD object applies."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .resource import Resource
    from .workspace import Workspace


def cluster_labels(workspace: Workspace) -> Mapping[Resource, str]:
    """Return the clusters of each resource as a text, separated by commas; empty if the project has one cluster.

    Copies of a resource with the same data are labeled with all of their clusters.
    """
    names_by_resource = clusters_by_resource(workspace)
    labels: dict[Resource, str] = {}
    for group in _group_equal_copies(workspace.resources) if names_by_resource else ():
        names = sorted({name for resource in group for name in names_by_resource[resource]})
        labels |= dict.fromkeys(group, ", ".join(names))
    return labels


def clusters_by_resource(workspace: Workspace) -> Mapping[Resource, tuple[str, ...]]:
    """Return the names of the clusters of each resource, each copy on its own; empty if the project has one cluster."""
    layout = workspace.context.layout
    roots_by_resource = {
        resource: layout.delivery_folders(resource.document.file, resource.roots) for resource in workspace.resources
    }
    starts = {root for roots in roots_by_resource.values() for root in roots}
    if len(starts - layout.left_out_roots or starts) < 2:
        return {}
    names = distinct_parts(starts)
    return {resource: tuple(sorted({names[root] for root in roots})) for resource, roots in roots_by_resource.items()}


def _group_equal_copies(resources: Iterable[Resource]) -> list[list[Resource]]:
    groups_by_declaration: dict[tuple[object, ...], list[list[Resource]]] = {}
    for resource in resources:
        key = (*resource.identity, resource.document.file, resource.document.index, resource.document.prefix)
        groups = groups_by_declaration.setdefault(key, [])
        equal_group = next((group for group in groups if group[0].data == resource.data), None)
        if equal_group is None:
            groups.append([resource])
        else:
            equal_group.append(resource)
    return [group for groups in groups_by_declaration.values() for group in groups]


def distinct_parts(paths: Iterable[str]) -> dict[str, str]:
    """Return for each path a shorter name: the path without the folders at both ends that all paths share.

    For ``clusters/prod/apps`` and ``clusters/test/apps``, the names are ``prod`` and ``test``.
    """
    sorted_paths = sorted(paths)
    split = [path.strip("/").split("/") for path in sorted_paths]
    fewest = min(map(len, split), default=0)
    prefix = next((number for number in range(fewest) if len({parts[number] for parts in split}) > 1), 0)
    suffix = next((number for number in range(fewest - prefix) if len({parts[-1 - number] for parts in split}) > 1), 0)
    return {
        path: "/".join(parts[prefix : len(parts) - suffix]) for path, parts in zip(sorted_paths, split, strict=True)
    }
