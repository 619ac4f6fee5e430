"""How the files of a call stand to one another: which stand alone, and which are applied together."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_EVERYWHERE: Final = ("*",)
_BUILT: Final = "/kustomization.yaml"


def folders_above(file: str) -> list[str]:
    """Return the folder of a file and those above it as its path names them, the innermost first."""
    found: list[str] = []
    folder = os.path.dirname(file)
    while folder not in ("", *found[-1:]):
        found.append(folder)
        folder = os.path.dirname(folder)
    return [*found, ""]


class Layout:
    """How the files of a call stand to one another.

    A *place* is what is applied as one: a kustomization that no other lists, or a folder with the files that none
    lists. An isolated file is a place of its own, and in a closed world there is one place alone. Resources in one
    place are known to be in one cluster; of those in different places that is unknown.

    Args:
        roots: The outermost kustomizations that lead to a file, for the files that a kustomization lists.
        apart: Pairs of them that are for different clusters.
        is_isolated: Returns whether a file is a project of its own.
        left_out_roots: Those of ``roots`` that nothing applies, so they start no cluster.
        closed: Whether the files are all there is.
    """

    def __init__(
        self,
        roots: Mapping[str, tuple[str, ...]] | None = None,
        is_isolated: Callable[[str], bool] | None = None,
        *,
        apart: frozenset[frozenset[str]] = frozenset(),
        left_out_roots: frozenset[str] = frozenset(),
        closed: bool = False,
    ) -> None:
        self.left_out_roots = left_out_roots
        self._roots = roots or {}
        self._apart = apart
        self._is_isolated = is_isolated
        self._closed = closed

    def is_isolated(self, file: str) -> bool:
        """Return whether a file is a project of its own."""
        return self._is_isolated is not None and self._is_isolated(file)

    def places(self, file: str, own: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Return the places that a file is in, one at least; ``own`` as of `roots`."""
        if self.is_isolated(file):
            return (file,)
        return _EVERYWHERE if self._closed else self.roots(file, own) or (os.path.dirname(file) + "/",)

    def namespace_places(self, file: str, namespace: str | None, own: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Return the places in which a resource of a file is in one namespace with others of the same ``namespace``.

        Where nothing states it the files of a folder may be applied one by one, each into another: then that is the
        file itself. ``own`` as of `roots`.
        """
        return (file,) if namespace is None and self._is_plain(file) else self.places(file, own)

    def roots(self, file: str, own: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Return the outermost kustomizations that lead to a file: ``own`` where a resource is a copy for these."""
        return own or self._roots.get(file, ())

    def are_apart(self, roots: tuple[str, ...], others: tuple[str, ...]) -> bool:
        """Return whether what comes from ``roots`` is known to be in other clusters than what comes from ``others``."""
        if not self._apart or not roots or not others:
            return False
        return all(frozenset((one, other)) in self._apart for one in roots for other in others)

    def applied_from(self, file: str, own: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Return the folders of the controllers' objects that lead to a file, each for a cluster of its own.

        ``own`` as of `roots`.
        """
        return tuple(root for root in self.roots(file, own) if not root.endswith(_BUILT))

    def _is_plain(self, file: str) -> bool:
        return not (self._closed or self._roots.get(file) or self.is_isolated(file))
