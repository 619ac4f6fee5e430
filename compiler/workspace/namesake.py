"""Resources of one kind and name: which of them is meant by a reference from a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .layout import folders_above
from .reference import held_keys

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .layout import Layout
    from .resource import Resource


class Namesakes:
    """Resources of one kind and name that a reference may mean.

    Meant is the one in the same file, else under the same kustomization, else in the nearest folder, else the first
    read. Of those equally near, and of those that are not known to be applied together with the file, one that the
    API server admits comes first.

    Attributes:
        has_admitted: Whether the API server admits one of them.

    Args:
        resources: They, in reading order.
        layout: How files stand to one another.
    """

    def __init__(self, resources: Sequence[Resource], layout: Layout) -> None:
        admitted = [one for one in resources if one.admitted]
        self.has_admitted = bool(admitted)
        self._resources = admitted or resources
        self._layout = layout
        self._together: dict[str, tuple[int, Resource]] = {}
        """By files, and by kustomizations; the number is smaller for the resource that comes first."""
        self._nearby: dict[str, Resource] = {}
        """By folders that they lie in or below."""
        self._holding: dict[str | None, Namesakes | None] | None = None
        if len(resources) < 2:
            return
        # Admitted ones first: setdefault keeps them.
        for number, one in enumerate((*admitted, *resources)):
            file = one.document.file
            for place in (file, *layout.roots(file, one.roots)):
                self._together.setdefault(place, (number, one))
        for one in self._resources:
            for folder in folders_above(one.document.file):
                if folder in self._nearby:
                    break
                self._nearby[folder] = one

    def nearest(self, file: str, roots: tuple[str, ...] = ()) -> Resource:
        """Return the one that is meant in ``file``, by a copy of what it holds where that is for some ``roots``.

        One that is refused for being declared twice, and for nothing else, is the same as the first.
        """
        found = self._nearest(file, roots)
        if self.has_admitted and not (found.admitted or found.has_unknown_values):
            return self._resources[0]
        return found

    def _nearest(self, file: str, roots: tuple[str, ...]) -> Resource:
        if file in self._together:
            return self._together[file][1]
        built = [self._together[root] for root in self._layout.roots(file, roots) if root in self._together]
        if built:
            return min(built)[1]
        for folder in folders_above(file) if self._nearby else ():
            if folder in self._nearby:
                return self._nearby[folder]
        return self._resources[0]

    def holding(self, key: str) -> Namesakes | None:
        """Return those admitted Secrets or ConfigMaps that hold a key, else those that may come to; ``None``: none."""
        if self._holding is None:
            self._holding = self._by_key()
        return self._holding.get(key) or self._holding.get(None)

    def admitted(self) -> Sequence[Resource]:
        """Return those that the API server admits, in reading order."""
        return self._resources if self.has_admitted else ()

    def _by_key(self) -> dict[str | None, Namesakes | None]:
        """Return by key those that hold it, and under ``None`` those whose content is unknown."""
        if not self.has_admitted:
            return {}
        found: dict[str | None, list[Resource]] = {}
        for one in self._resources:
            keys = held_keys(one)
            for key in (None,) if keys is None else keys:
                found.setdefault(key, []).append(one)
        return {key: Namesakes(own, self._layout) for key, own in found.items()}
