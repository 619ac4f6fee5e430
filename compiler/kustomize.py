"""What a kustomization.yaml says about the files that it lists: their namespace and the names of their resources."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

FILE_NAMES = ("kustomization.yaml", "kustomization.yml", "Kustomization")


class Kustomization(NamedTuple):
    """One kustomization file.

    Attributes:
        folder: Where it lies; the paths that it lists are relative to it.
        namespace: What it sets on every resource that it lists, where it does.
        listed: Files and folders that it lists, normalised.
    """

    folder: str
    namespace: str | None
    listed: frozenset[str]


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
    listed: set[str] = set()
    for field in ("resources", "components", "bases"):
        entries = data.get(field)
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, str) and "://" not in entry:
                listed.add(os.path.normpath(os.path.join(folder, entry)))
    return Kustomization(folder, namespace if isinstance(namespace, str) else None, frozenset(listed))


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
