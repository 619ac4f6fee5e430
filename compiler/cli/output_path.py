"""Paths of compiled files below the output folder. Each isolated file and each cluster has its own folder."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ..diagnostics import file_path
from ..diagnostics.span import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..emit.target import Artifact
    from ..project.discovery import Project
    from ..workspace.context import Layout
    from ..workspace.resource import Resource


def in_folders(
    artifacts: Iterable[Artifact], layout: Layout, project: Project, clusters: Mapping[Resource, tuple[str, ...]]
) -> list[Artifact]:
    """Return the artifacts, with a folder before the path of those from isolated files and of those for clusters.

    The folder of an isolated file is the path of that file in the project. The folder of a cluster has its name, and
    an artifact for several clusters is copied to each.

    Args:
        clusters: Names of clusters by resource; empty if the project has one cluster.

    Raises:
        InputError: Two isolated files have the same folder.
    """
    out: list[Artifact] = []
    files: dict[str, str] = {}
    for artifact in artifacts:
        file = artifact.file if artifact.source is None else artifact.source.document.file
        if layout.is_isolated(file):
            folder = _file_folder(file, project)
            other = files.setdefault(folder, file)
            if other != file:
                raise InputError(f"{other} and {file} would both be written into {folder}: build them one by one")
            out.append(artifact._replace(path=f"{folder}/{artifact.path}"))
            continue
        names = clusters.get(artifact.source, ()) if artifact.source is not None else ()
        out += [artifact._replace(path=f"{_cluster_folder(name)}/{artifact.path}") for name in names]
        out += () if names else (artifact,)
    return out


def kustomizations(artifacts: Iterable[Artifact]) -> list[Artifact]:
    """Return a ``kustomization.yaml`` for each folder that `in_folders` added. It lists the objects in the folder."""
    from ..emit.target import Artifact
    from ..golang.yaml.sigs import dump

    listed: dict[str, list[str]] = {}
    for artifact in artifacts:
        if artifact.is_object:
            *_, namespace, name = artifact.path.split("/")
            listed.setdefault(artifact.path.removesuffix(f"{namespace}/{name}"), []).append(f"{namespace}/{name}")
    head = {"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization"}
    return [
        Artifact(f"{folder}kustomization.yaml", dump({**head, "resources": sorted(paths)}))
        for folder, paths in listed.items()
    ]


def in_several(artifacts: Iterable[Artifact], clusters: Mapping[Resource, tuple[str, ...]]) -> str:
    """Return a phrase that names clusters whose artifacts have an equal path; empty if there are none."""
    names: dict[str, list[str]] = {}
    for artifact in artifacts:
        if artifact.source is not None:
            names.setdefault(artifact.path, []).extend(clusters.get(artifact.source, ()))
    several = next((sorted(set(cluster_names)) for cluster_names in names.values() if len(cluster_names) > 1), [])
    return f"the clusters {', '.join(several[:-1])} and {several[-1]}" if several else ""


def _cluster_folder(cluster: str) -> str:
    """Return the cluster's name as a path without steps such as ``..``. A hostile file may state any cluster name."""
    return "/".join(step for step in cluster.split("/") if step not in {"", os.curdir, os.pardir}) or "cluster"


def _file_folder(file: str, project: Project) -> str:
    """Return the path of a file relative to the project's root, to a checked path above it, or else only its name."""
    bases = (project.root, *project.asked)
    below = [file_path.relpath(file, base) for base in bases]
    inside = next((path for path in below if path.split("/")[0] not in (os.curdir, os.pardir)), None)
    return inside or os.path.basename(file)
