"""Which files are applied together, as kustomizations state, and which are projects of their own."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from ..workspace.layout import Layout

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from .discovery import Project
    from .kustomization import Kustomization
    from .options import Options

_MOST_ROOTS: Final = 32
"""Of what more kustomizations lead to, the others are left out: their files are not known to go together."""


def layout_of(kustomizations: Sequence[Kustomization], project: Project, options: Options) -> Layout:
    """Return how the files of a call stand to one another."""
    roots = roots_of(kustomizations) if kustomizations else {}
    return Layout(roots, _isolated(project, options), closed=options.closed)


def roots_of(kustomizations: Iterable[Kustomization]) -> dict[str, tuple[str, ...]]:
    """Return for each file that kustomizations list the outermost ones that lead to it, by their files, sorted."""
    by_folder = {os.path.normpath(one.folder or "."): one for one in kustomizations}
    listed = {path for one in by_folder.values() for path in one.listed}
    found: dict[str, list[str]] = {}
    # What no other lists comes first; the rest is left where kustomizations list each other in a circle.
    for start in sorted(by_folder, key=lambda folder: (folder in listed, folder)):
        if start in listed and start in found:
            continue
        root = os.path.join(start, "kustomization.yaml")
        waiting = [start]
        while waiting:
            path = waiting.pop()
            own = found.setdefault(path, [])
            if root not in own and len(own) < _MOST_ROOTS:
                own.append(root)
                waiting += by_folder[path].listed if path in by_folder else ()
    return {path: tuple(sorted(roots)) for path, roots in found.items() if path not in by_folder}


def _isolated(project: Project, options: Options) -> Callable[[str], bool] | None:
    """Return the test for a file that is a project of its own, ``None`` where none is."""
    if options.isolated:
        return lambda _: True
    if not project.settings.isolated:
        return None
    from ..disk.gitignore import is_ignored, patterns

    known = patterns(project.settings.isolated)
    root = os.path.realpath(project.root)
    folders: dict[str, bool] = {}
    files: dict[str, bool] = {}

    def below_root(path: str) -> str:
        return os.path.relpath(os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path)), root)

    def matches(below: str) -> bool:
        """Return whether a folder, or one above it, is matched; as in a walk, nothing within it is let out again."""
        if below in ("", ".") or below.startswith(".."):
            return False
        if below not in folders:
            folders[below] = matches(os.path.dirname(below)) or bool(is_ignored(below, known, is_folder=True))
        return folders[below]

    def is_isolated(file: str) -> bool:
        if file not in files:
            below = below_root(file).replace(os.sep, "/")
            files[file] = matches(os.path.dirname(below)) or bool(is_ignored(below, known, is_folder=False))
        return files[file]

    return is_isolated
