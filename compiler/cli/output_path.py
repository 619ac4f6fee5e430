"""Where compiled output goes below the output folder: that of an isolated file, or a cluster, into one of its own."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ..diagnostics.span import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..emit.target import Artifact
    from ..project.discovery import Project
    from ..workspace.layout import Layout
    from ..workspace.resource import Resource


def apart(
    made: Iterable[Artifact], layout: Layout, project: Project, of_cluster: Mapping[Resource, tuple[str, ...]]
) -> list[Artifact]:
    """Return artifacts with those of each isolated file in a folder that has the file's path in the project.

    What is for one of several clusters goes into a folder of its name, what is for more into that of each.

    Args:
        made: What was compiled.
        layout: Of the files.
        project: The files.
        of_cluster: The clusters of each resource, where there are several.

    Raises:
        InputError: Two isolated files lead to one folder.
    """
    out: list[Artifact] = []
    files: dict[str, str] = {}
    for artifact in made:
        file = artifact.file if artifact.source is None else artifact.source.document.file
        if layout.is_isolated(file):
            folder = _folder(file, project)
            other = files.setdefault(folder, file)
            if other != file:
                raise InputError(f"{other} and {file} would both be written into {folder}: build them one by one")
            out.append(artifact._replace(path=f"{folder}/{artifact.path}"))
            continue
        names = of_cluster.get(artifact.source, ()) if artifact.source is not None else ()
        out += [artifact._replace(path=f"{_below(name)}/{artifact.path}") for name in names]
        out += () if names else (artifact,)
    return out


def kustomizations(made: Iterable[Artifact]) -> list[Artifact]:
    """Return a kustomization.yaml for each folder of `apart`, which lists the objects below it."""
    from ..emit.target import Artifact, object_path
    from ..golang.yaml.sigs import dump

    listed: dict[str, list[str]] = {}
    for artifact in made:
        if artifact.compiled is not None:
            inner = object_path(artifact.compiled)
            listed.setdefault(artifact.path.removesuffix(inner), []).append(inner)
    head = {"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization"}
    return [
        Artifact(f"{folder}kustomization.yaml", dump({**head, "resources": sorted(paths)}))
        for folder, paths in listed.items()
    ]


def in_several(made: Iterable[Artifact], of_cluster: Mapping[Resource, tuple[str, ...]]) -> str:
    """Return the clusters that two artifacts of one path are for, named in a sentence; nothing where none are."""
    names: dict[str, list[str]] = {}
    for artifact in made:
        if artifact.source is not None:
            names.setdefault(artifact.path, []).extend(of_cluster.get(artifact.source, ()))
    found = next((sorted(set(own)) for own in names.values() if len(own) > 1), [])
    return f"the clusters {', '.join(found[:-1])} and {found[-1]}" if found else ""


def _below(cluster: str) -> str:
    """Return the folder of a cluster, whose name may hold anything that an object of a controller states."""
    return "/".join(step for step in cluster.split("/") if step not in {"", os.curdir, os.pardir}) or "cluster"


def _folder(file: str, project: Project) -> str:
    """Return the path of a file below the root of its project; of one outside, below the path that the call names."""
    bases = (project.root, *project.asked)
    below = [os.path.relpath(file, base) for base in bases]
    found = next((path for path in below if path.split(os.sep)[0] not in (os.curdir, os.pardir)), None)
    return (found or os.path.basename(file)).replace(os.sep, "/")
