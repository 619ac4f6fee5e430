"""The names that overlays make: of what they generate, and of the resources of their bases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .kustomization import ANY, by_folder

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .kustomization import Kustomization


class OverlayNames:
    """The names that kustomizations make: what they generate, and those that resources get in any overlay.

    Names with a prefix or suffix are not worked out, as overlays upon overlays make of few names very many: any name
    that has them may be one.
    """

    def __init__(self, kustomizations: Iterable[Kustomization] = ()) -> None:
        self._by_folder = by_folder(kustomizations)
        self._generated = {one for found in self._by_folder.values() for one in found.generated}
        self._affixes = {(one.prefix, one.suffix) for one in self._by_folder.values()} - {("", "")}
        self._listed = self._renamed()
        self._kinds: set[str] = set()
        self._listers: dict[str, set[str]] | None = None

    def add(self, file: str, kind: str) -> None:
        """Record a resource that a file declares."""
        if file in self._listed:
            self._kinds.add(kind)

    def differ(self, file: str, other: str) -> bool:
        """Return whether resources of one name in two files may have different names in the end."""
        if file == other or not (file in self._listed or other in self._listed):
            return False
        listers = self._by_listed()
        return listers.get(file) != listers.get(other)

    def altering_folders(self, files: Iterable[str]) -> list[str]:
        """Return the folders, sorted, whose kustomization may make something else of what one of ``files`` declares.

        For what a controller applies on its own stands the file that has it do so.
        """
        listers = self._by_listed()
        reached = set(files)
        waiting = list(reached)
        while waiting:
            new = listers.get(waiting.pop(), set()) - reached
            reached |= new
            waiting += new
        return sorted(
            {
                folder.rpartition("#")[0] if one.applied_by else folder
                for folder, one in self._by_folder.items()
                if folder in reached and not one.is_plain
            }
        )

    def sources(self, name: str) -> set[str]:
        """Return the names from which one overlay makes ``name``."""
        affixes = self._affixes | {("", "")}
        return {
            name[len(prefix) : len(name) - len(suffix)]
            for prefix, suffix in affixes
            if name.startswith(prefix) and name.endswith(suffix)
        }

    def is_renamed(self, file: str) -> bool:
        """Return whether an overlay changes the names of what a file declares."""
        return file in self._listed

    def kinds(self) -> frozenset[str]:
        """Return the kinds of which names are made."""
        return frozenset(kind for kind, _ in self._generated) | self._kinds

    def have(self, kind: str, name: str) -> bool:
        """Return whether something of ``kind`` may be called ``name`` in an overlay.

        The outermost kustomization renames last, so its prefix and suffix are at the ends.
        """
        if (kind, name) in self._generated or (kind, ANY) in self._generated:
            return True
        return kind in self._kinds and any(
            name.startswith(prefix) and name.endswith(suffix) for prefix, suffix in self._affixes
        )

    def _by_listed(self) -> dict[str, set[str]]:
        """Return for each path that is listed the folders whose kustomization lists it."""
        if self._listers is None:
            self._listers = {}
            for folder, one in self._by_folder.items():
                for path in one.listed:
                    self._listers.setdefault(path, set()).add(folder)
        return self._listers

    def _renamed(self) -> set[str]:
        """Return what is listed by kustomizations that change names, or that such list in turn."""
        waiting = [folder for folder, one in self._by_folder.items() if one.prefix or one.suffix]
        reached: set[str] = set(waiting)
        listed: set[str] = set()
        while waiting:
            one = self._by_folder[waiting.pop()]
            listed |= one.listed
            waiting += [path for path in one.listed if path in self._by_folder and path not in reached]
            reached |= one.listed
        return listed
