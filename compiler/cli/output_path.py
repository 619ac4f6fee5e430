"""Where compiled output goes below the output folder: that of an isolated file into a folder of its own."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ..diagnostics.span import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..emit.target import Artifact
    from ..project.discovery import Project
    from ..workspace.layout import Layout


def apart(made: Iterable[Artifact], layout: Layout, project: Project) -> list[Artifact]:
    """Return artifacts with those of each isolated file in a folder that has the file's path in the project.

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
            artifact = artifact._replace(path=f"{folder}/{artifact.path}")  # noqa: PLW2901 - the same one elsewhere
        out.append(artifact)
    return out


def _folder(file: str, project: Project) -> str:
    """Return the path of a file below the root of its project; of one outside, below the path that the call names."""
    bases = (project.root, *project.asked)
    below = [os.path.relpath(file, base) for base in bases]
    found = next((path for path in below if path.split(os.sep)[0] not in (os.curdir, os.pardir)), None)
    return (found or os.path.basename(file)).replace(os.sep, "/")
