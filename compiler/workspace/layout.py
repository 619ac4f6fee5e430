"""Compute which files of a project are applied together, and so get into the same cluster."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_EVERYWHERE: Final = ("*",)
"""The only unit of a closed project."""
_KUSTOMIZATION_SUFFIX: Final = "/kustomization.yaml"
"""Ending of roots that are kustomizations; other roots are folders that objects of Flux or Argo CD apply."""


def folders_above(file: str) -> list[str]:
    """Return the folder of a file and the folders above it in its path, innermost first; the last is ``""``."""
    folders: list[str] = []
    folder = os.path.dirname(file)
    while folder not in ("", *folders[-1:]):
        folders.append(folder)
        folder = os.path.dirname(folder)
    return [*folders, ""]


class Layout:
    """Tells which files of a project are applied together.

    A *root* is a kustomization that no other kustomization lists, or a folder that an object of Flux or Argo CD
    applies. A *unit* is a set of files that are applied together: all files that are reached from a root, or the files
    of a folder that no kustomization lists. An isolated file is a unit by itself, and a closed project is one unit.
    Resources of one unit get into the same cluster. Resources of different units may be in different clusters.

    Args:
        roots: The roots that reach each file that a kustomization lists.
        is_isolated: Returns whether a file is a project by itself.
        separate_roots: Pairs of roots that are for different clusters.
        left_out_roots: Roots that nothing applies, so they start no cluster.
        closed: True if the given files are everything in the cluster.
    """

    def __init__(
        self,
        roots: Mapping[str, tuple[str, ...]] | None = None,
        is_isolated: Callable[[str], bool] | None = None,
        *,
        separate_roots: frozenset[frozenset[str]] = frozenset(),
        left_out_roots: frozenset[str] = frozenset(),
        closed: bool = False,
    ) -> None:
        self.left_out_roots = left_out_roots
        self._roots = roots or {}
        self._separate_roots = separate_roots
        self._is_isolated = is_isolated
        self._closed = closed

    def is_isolated(self, file: str) -> bool:
        """Return whether a file is a project by itself."""
        return self._is_isolated is not None and self._is_isolated(file)

    def units(self, file: str, copy_roots: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Return the units of a file, at least one. ``copy_roots`` are the roots of a copy, as for `roots`."""
        if self.is_isolated(file):
            return (file,)
        return _EVERYWHERE if self._closed else self.roots(file, copy_roots) or (os.path.dirname(file) + "/",)

    def namespace_units(self, file: str, namespace: str | None, copy_roots: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Return the units in which resources with this stated ``namespace`` get into the same namespace.

        If ``namespace`` is ``None``, files of a folder without a kustomization may be applied to different namespaces,
        so such a file is its own unit. ``copy_roots`` are the roots of a copy, as for `roots`.
        """
        return (file,) if namespace is None and self._is_plain(file) else self.units(file, copy_roots)

    def roots(self, file: str, copy_roots: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Return the roots that reach a file.

        ``copy_roots`` are the roots of a copy that only some roots apply; if there are any, they are returned.
        """
        return copy_roots or self._roots.get(file, ())

    def in_different_clusters(self, roots: tuple[str, ...], others: tuple[str, ...]) -> bool:
        """Return whether resources of ``roots`` and resources of ``others`` are known to be in different clusters."""
        if not self._separate_roots or not roots or not others:
            return False
        return all(frozenset((root, other)) in self._separate_roots for root in roots for other in others)

    def delivery_folders(self, file: str, copy_roots: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Return the roots of a file that are folders of Flux or Argo CD objects. Each folder stands for one cluster.

        ``copy_roots`` are the roots of a copy, as for `roots`.
        """
        return tuple(root for root in self.roots(file, copy_roots) if not root.endswith(_KUSTOMIZATION_SUFFIX))

    def _is_plain(self, file: str) -> bool:
        return not (self._closed or self._roots.get(file) or self.is_isolated(file))
