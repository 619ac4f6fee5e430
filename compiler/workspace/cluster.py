"""The clusters of a project, as far as the folders tell from which Flux or Argo CD have it applied."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .resource import Resource
    from .workspace import Workspace


def clusters(workspace: Workspace) -> Mapping[Resource, str]:
    """Return for each resource the clusters that it is for; nothing where there is one.

    Copies of a resource that are the same in several clusters are for all of these.
    """
    own = clusters_of_each(workspace)
    found: dict[Resource, str] = {}
    for same in _alike(workspace.resources) if own else ():
        names = sorted({name for one in same for name in own[one]})
        found |= dict.fromkeys(same, ", ".join(names))
    return found


def clusters_of_each(workspace: Workspace) -> Mapping[Resource, tuple[str, ...]]:
    """Return for each resource, each copy on its own, the clusters that it is for; nothing where there is one."""
    layout = workspace.world.layout
    applied = {one: layout.applied_from(one.document.file, one.roots) for one in workspace.resources}
    starts = {root for roots in applied.values() for root in roots}
    if len(starts - layout.left_out_roots or starts) < 2:
        return {}
    names = told_apart(starts)
    return {one: tuple(sorted({names[root] for root in roots})) for one, roots in applied.items()}


def _alike(resources: Iterable[Resource]) -> list[list[Resource]]:
    """Return resources with copies of one that are the same together."""
    of_one: dict[tuple[object, ...], list[list[Resource]]] = {}
    for one in resources:
        key = (*one.identity, one.document.file, one.document.index, one.document.prefix)
        groups = of_one.setdefault(key, [])
        same = next((group for group in groups if group[0].data == one.data), None)
        if same is None:
            groups.append([one])
        else:
            same.append(one)
    return [group for groups in of_one.values() for group in groups]


def told_apart(paths: Iterable[str]) -> dict[str, str]:
    """Return what is left of each path without the folders that all of them begin and end with."""
    ordered = sorted(paths)
    split = [path.strip("/").split("/") for path in ordered]
    fewest = min(map(len, split), default=0)
    before = next((n for n in range(fewest) if len({one[n] for one in split}) > 1), 0)
    after = next((n for n in range(fewest - before) if len({one[-1 - n] for one in split}) > 1), 0)
    return {path: "/".join(one[before : len(one) - after]) for path, one in zip(ordered, split, strict=True)}
