"""What a kustomization.yaml says about the files that it lists: their namespace and the names of their resources."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_LISTS = ("resources", "components", "bases")
_PATCHES = ("patches", "patchesStrategicMerge", "patchesJson6902")
_MOST_WAYS = 10_000
_LONGEST_NAME = 253
FILE_NAMES = ("kustomization.yaml", "kustomization.yml", "Kustomization")


class Kustomization(NamedTuple):
    """One kustomization file.

    Attributes:
        folder: Where it lies; the paths that it lists are relative to it.
        namespace: What it sets on every resource that it lists, where it does.
        listed: Files and folders that it lists, normalised.
        prefix: What it puts before the name of every resource that it lists.
        suffix: What it puts after it.
        patches: Files that it takes as patches, normalised: parts of resources, which are none themselves.
    """

    folder: str
    namespace: str | None
    listed: frozenset[str]
    prefix: str = ""
    suffix: str = ""
    patches: frozenset[str] = frozenset()


def is_file_name(file: str) -> bool:
    """Tell whether a file is a kustomization by its name alone."""
    return os.path.basename(file) in FILE_NAMES


def is_kustomization(file: str, data: Any) -> bool:
    """Tell whether a document is a kustomization: by the name of its file or by its kind."""
    if not isinstance(data, dict):
        return False
    if is_file_name(file):
        return True
    return data.get("kind") == "Kustomization" and str(data.get("apiVersion", "")).startswith(
        "kustomize.config.k8s.io/"
    )


def read(file: str, data: Mapping[str, Any]) -> Kustomization:
    """Read what counts for us from a kustomization document."""
    folder = os.path.dirname(file)
    namespace = data.get("namespace")
    listed = _files(folder, (entry for field in _LISTS for entry in _entries(data, field)))
    patches = _files(folder, (entry for field in _PATCHES for entry in _entries(data, field)))
    prefix, suffix = data.get("namePrefix"), data.get("nameSuffix")
    return Kustomization(
        folder,
        namespace if isinstance(namespace, str) else None,
        listed,
        prefix if isinstance(prefix, str) else "",
        suffix if isinstance(suffix, str) else "",
        patches,
    )


def _entries(data: Mapping[str, Any], field: str) -> list[Any]:
    entries = data.get(field)
    return entries if isinstance(entries, list) else []


def _files(folder: str, entries: Iterable[Any]) -> frozenset[str]:
    """Give the files and folders of a list: texts, or objects with a path. Patches may be written out instead."""
    paths = (entry.get("path") if isinstance(entry, dict) else entry for entry in entries)
    return frozenset(
        os.path.normpath(os.path.join(folder, path))
        for path in paths
        if isinstance(path, str) and "://" not in path and "\n" not in path
    )


def patches(kustomizations: list[Kustomization]) -> frozenset[str]:
    """Give the files that are parts of resources alone; one that is listed as a resource as well is a resource."""
    return frozenset(path for one in kustomizations for path in one.patches) - {
        path for one in kustomizations for path in one.listed
    }


def respellings(kustomizations: list[Kustomization]) -> dict[str, set[tuple[str, str]]]:
    """Give what may come before and after the names of each file's resources, in any of the overlays that take it."""
    by_folder = {os.path.normpath(k.folder or "."): k for k in kustomizations}
    found: dict[str, set[tuple[str, str]]] = {}
    done: set[tuple[str, str, str]] = set()
    waiting = [(folder, "", "") for folder in by_folder]
    while waiting:
        folder, prefix, suffix = waiting.pop()
        if (folder, prefix, suffix) in done or len(done) > _MOST_WAYS:
            continue
        done.add((folder, prefix, suffix))
        # The outer kustomization renames last: its prefix comes before that of those that it lists.
        one = by_folder[folder]
        prefix, suffix = prefix + one.prefix, one.suffix + suffix
        for path in one.listed:
            if path in by_folder:
                if len(prefix) + len(suffix) <= _LONGEST_NAME:
                    waiting.append((path, prefix, suffix))
            elif prefix or suffix:
                found.setdefault(path, set()).add((prefix, suffix))
    return found


def namespaces(kustomizations: list[Kustomization]) -> dict[str, str]:
    """Give the namespace that each file or folder gets: the outermost kustomization that sets one wins."""
    by_folder = {os.path.normpath(k.folder or "."): k for k in kustomizations}
    found: dict[str, str] = {}

    def descend(kustomization: Kustomization, namespace: str | None, seen: frozenset[str]) -> None:
        # An outer kustomization sets its namespace last, so it wins over those that it lists.
        inherited = namespace or kustomization.namespace
        for path in sorted(kustomization.listed):
            inner = by_folder.get(path)
            if inner is not None and path not in seen:
                descend(inner, inherited, seen | {path})
            elif inherited is not None:
                found.setdefault(path, inherited)

    listed = {path for k in kustomizations for path in k.listed}
    outer_first = sorted(by_folder.items(), key=lambda item: (item[0] in listed, item[0]))
    for folder, kustomization in outer_first:
        descend(kustomization, None, frozenset({folder}))
    return found
