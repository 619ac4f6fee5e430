"""Which files are kustomizations, and which are no resources or lie elsewhere because of them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .kustomization import Kustomization

FILE_NAMES = ("kustomization.yaml", "kustomization.yml", "Kustomization")


def is_file_name(file: str) -> bool:
    """Return whether a file is a kustomization by its name alone."""
    return file.endswith(FILE_NAMES) and os.path.basename(file) in FILE_NAMES


def is_kustomization(file: str, data: Any) -> bool:
    """Return whether a document is a kustomization: by the name of its file or by its kind."""
    if not isinstance(data, dict):
        return False
    if is_file_name(file):
        return True
    return data.get("kind") == "Kustomization" and str(data.get("apiVersion", "")).startswith(
        "kustomize.config.k8s.io/"
    )


def outside(kustomizations: list[Kustomization], folders: Iterable[str]) -> list[str]:
    """Return what kustomizations list that lies in none of the ``folders``, sorted: the base of an overlay, mostly."""
    within = [os.path.abspath(folder) for folder in folders]
    listed = sorted({path for k in kustomizations for path in k.listed})
    return [path for path in listed if not any(_lies_in(os.path.abspath(path), folder) for folder in within)]


def _lies_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def patches(kustomizations: list[Kustomization]) -> frozenset[str]:
    """Return the files that are parts of resources alone; one that is listed as a resource as well is a resource."""
    return frozenset(path for one in kustomizations for path in one.patches) - {
        path for one in kustomizations for path in one.listed
    }
