"""The context of a project's resources: which files are applied together, and which objects exist elsewhere."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from ..diagnostics import file_path
from ..diagnostics.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from typing import Protocol

    from .resource import Resource

    class GivenNames(Protocol):
        """Names that kustomizations give to resources, by prefixes, suffixes, generators and patches."""

        def may_have(self, kind: str, name: str) -> bool:
            """Return whether a resource of ``kind`` may get the name ``name``."""

        def is_renamed(self, file: str) -> bool:
            """Return whether the resources of a file get a prefix or a suffix."""

        def may_differ(self, file: str, other: str) -> bool:
            """Return whether resources of one name in two files may get different names."""

        def kinds(self) -> frozenset[str]:
            """Return the kinds whose resources may get other names."""

        def altering_folders(self, files: Iterable[str]) -> Sequence[str]:
            """Return the folders of kustomizations that may change resources of ``files``."""

    class Mentions(Protocol):
        """Tells whether a name is mentioned in the project."""

        def __call__(self, name: str, declaring: Resource, *, with_variables: bool) -> bool:
            """Return whether a text outside of the document of ``declaring`` mentions ``name``.

            With ``with_variables``, a text such as ``${APP}-secret`` may be the name.
            """

    class States(Protocol):
        """Tells whether pairs of a key and a text are stated in the project."""

        def __call__(self, pairs: tuple[tuple[str, str], ...], *, kinds: tuple[str, ...] = ()) -> bool:
            """Return whether an object of another program that makes pods, or one of ``kinds``, may state all pairs."""

    class Names(Protocol):
        """Tells whether a text is contained in the project."""

        def __call__(self, text: str, *, besides: Collection[str]) -> bool:
            """Return whether an object of a kind other than ``besides`` contains ``text``."""


_EVERYWHERE: Final = ("*",)
"""The only unit of a closed project."""
_KUSTOMIZATION_SUFFIX: Final = "/kustomization.yaml"
"""Ending of roots that are kustomizations; other roots are folders that objects of Flux or Argo CD apply."""


def folders_above(file: str) -> list[str]:
    """Return the folder of a file and the folders above it in its path, innermost first; the last is ``""``."""
    folders: list[str] = []
    folder = file_path.folder_of(file)
    while folder and folder not in folders[-1:]:
        folders.append(folder)
        folder = file_path.folder_of(folder)
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

    def clusters(self, resources: Sequence[Resource]) -> Mapping[Resource, tuple[str, ...]]:
        """Return the names of the clusters of each resource; empty if the project has one cluster.

        A cluster is named after the folder that its Flux or Argo CD object applies. Each copy of a resource has its own
        clusters.
        """
        roots_by_resource = {
            resource: self.delivery_folders(resource.document.file, resource.roots) for resource in resources
        }
        starts = {root for roots in roots_by_resource.values() for root in roots}
        if len(starts - self.left_out_roots or starts) < 2:
            return {}
        names = distinct_parts(starts)
        return {
            resource: tuple(sorted({names[root] for root in roots})) for resource, roots in roots_by_resource.items()
        }

    def _is_plain(self, file: str) -> bool:
        return not (self._closed or self._roots.get(file) or self.is_isolated(file))


class ProjectContext(NamedTuple):
    """The context in which the resources of a project are checked.

    Attributes:
        closed: True if the given files are everything in the cluster, so every reference must resolve.
        external: Names that exist elsewhere, by kind; ``*`` stands for all names.
        complete: True if whole folders or a configured project are checked. Otherwise, a missing resource may be in a
            file that was not given.
        overlays: The names that kustomizations give to resources, if there are kustomizations.
        unapplied: The files that nothing applies, each with the reason.
        whole: The folder of the configuration, or else the folder that controllers apply, if only a part of it is
            checked; else empty.
        others: The objects of other programs that lints read, with a copy for each route that applies them.
        mentions: Returns whether any text of the project, apart from the document of a resource, may mention a name.
        states: Returns whether an object of another program may state labels or a name.
        names: Returns whether an object of other kinds than the given ones contains a text.
    """

    closed: bool = False
    external: Mapping[str, frozenset[str]] = {}
    complete: bool = True
    overlays: GivenNames | None = None
    layout: Layout = Layout()
    unapplied: Mapping[str, str] = {}
    whole: str = ""
    others: Sequence[Resource] = ()
    mentions: Mentions = lambda *_, **__: True
    states: States = lambda *_, **__: False
    names: Names = lambda *_, **__: False

    def has(self, kind: str, name: str) -> bool:
        """Return whether an object is configured as external, or may get this name from a kustomization."""
        names = self.external.get(kind)
        if names is not None and (name in names or "*" in names):
            return True
        return self.overlays is not None and self.overlays.may_have(kind, name)

    def may_have_any(self, kinds: frozenset[str]) -> bool:
        """Return whether resources of ``kinds`` may exist elsewhere, or get other names from a kustomization."""
        if any(names for kind, names in self.external.items() if kind in kinds):
            return True
        return self.overlays is not None and not kinds.isdisjoint(self.overlays.kinds())

    def may_alter(self, files: Iterable[str]) -> bool:
        """Return whether a kustomization may change resources of ``files``."""
        return self.overlays is not None and bool(self.overlays.altering_folders(files))


def distinct_parts(paths: Iterable[str]) -> dict[str, str]:
    """Return for each path a shorter name: the path without the folders at both ends that all paths share.

    For ``clusters/prod/apps`` and ``clusters/test/apps``, the names are ``prod`` and ``test``.
    """
    sorted_paths = sorted(paths)
    split = [path.strip("/").split("/") for path in sorted_paths]
    fewest = min(map(len, split), default=0)
    prefix = next((number for number in range(fewest) if len({parts[number] for parts in split}) > 1), 0)
    suffix = next((number for number in range(fewest - prefix) if len({parts[-1 - number] for parts in split}) > 1), 0)
    return {
        path: "/".join(parts[prefix : len(parts) - suffix]) for path, parts in zip(sorted_paths, split, strict=True)
    }
