"""Compute the names that objects may have after overlays are applied: generated names, prefixes and suffixes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .kustomization import ANY, by_folder

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .kustomization import Kustomization


class OverlayNames:
    """The names that objects may have after kustomizations are applied.

    Overlays of overlays can give an object very many names, so names with affixes are not listed. Instead, every name
    that begins with a prefix and ends with the suffix of the same kustomization may exist.
    """

    def __init__(self, kustomizations: Iterable[Kustomization] = ()) -> None:
        self._by_folder = by_folder(kustomizations)
        self._generated = {identity for link in self._by_folder.values() for identity in link.generated}
        self._affixes = {(link.prefix, link.suffix) for link in self._by_folder.values()} - {("", "")}
        self._renamed = self._renamed_paths()
        self._kinds: set[str] = set()
        self._listers: dict[str, set[str]] | None = None

    def add(self, file: str, kind: str) -> None:
        """Record that ``file`` declares a resource of ``kind``. Files whose resources are not renamed are ignored."""
        if file in self._renamed:
            self._kinds.add(kind)

    def may_differ(self, file: str, other: str) -> bool:
        """Return whether resources with the same name in two files may get different names."""
        if file == other or not (file in self._renamed or other in self._renamed):
            return False
        listers = self._listers_by_path()
        return listers.get(file) != listers.get(other)

    def altering_folders(self, files: Iterable[str]) -> list[str]:
        """Return the folders of kustomizations that may change the resources in the files, sorted.

        For a delivery, the file that declares it is returned instead.
        """
        listers = self._listers_by_path()
        reached = set(files)
        waiting = list(reached)
        while waiting:
            new = listers.get(waiting.pop(), set()) - reached
            reached |= new
            waiting += new
        return sorted(
            {
                folder.rpartition("#")[0] if link.applied_by else folder
                for folder, link in self._by_folder.items()
                if folder in reached and not link.is_plain
            }
        )

    def sources(self, name: str) -> set[str]:
        """Return the names that may become ``name`` when an overlay adds a prefix and suffix, and ``name`` itself."""
        affixes = self._affixes | {("", "")}
        return {
            name[len(prefix) : len(name) - len(suffix)]
            for prefix, suffix in affixes
            if name.startswith(prefix) and name.endswith(suffix)
        }

    def is_renamed(self, file: str) -> bool:
        """Return whether a kustomization adds a prefix or suffix to the names of the resources in a file."""
        return file in self._renamed

    def kinds(self) -> frozenset[str]:
        """Return the kinds of generated objects and of renamed resources."""
        return frozenset(kind for kind, _ in self._generated) | self._kinds

    def may_have(self, kind: str, name: str) -> bool:
        """Return whether an object of this kind may have this name after kustomizations are applied.

        The outermost kustomization renames last, so its prefix and suffix are at the ends.
        """
        if (kind, name) in self._generated or (kind, ANY) in self._generated:
            return True
        return kind in self._kinds and any(
            name.startswith(prefix) and name.endswith(suffix) for prefix, suffix in self._affixes
        )

    def _listers_by_path(self) -> dict[str, set[str]]:
        if self._listers is None:
            self._listers = {}
            for folder, link in self._by_folder.items():
                for path in link.listed:
                    self._listers.setdefault(path, set()).add(folder)
        return self._listers

    def _renamed_paths(self) -> set[str]:
        waiting = [folder for folder, link in self._by_folder.items() if link.prefix or link.suffix]
        reached: set[str] = set(waiting)
        renamed: set[str] = set()
        while waiting:
            link = self._by_folder[waiting.pop()]
            renamed |= link.listed
            waiting += [path for path in link.listed if path in self._by_folder and path not in reached]
            reached |= link.listed
        return renamed
