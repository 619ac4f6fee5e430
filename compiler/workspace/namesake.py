"""Choose the target of a reference among resources of one kind and name: the resource nearest to its file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .context import folders_above
from .reference import declared_keys

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .context import Layout
    from .resource import Resource


class Namesakes:
    """Resources of one kind and name that a reference may mean.

    A reference means the resource in the same file, else under the same root, else in the nearest folder, else the
    first resource. Of equally near resources, an admitted resource is preferred. Admitted resources are also preferred
    if no resource is known to be applied together with the file.

    Attributes:
        has_admitted: True if the API server admits at least one of them.

    Args:
        resources: One or more resources, in reading order.
        layout: The files that are applied together.
    """

    def __init__(self, resources: Sequence[Resource], layout: Layout) -> None:
        admitted = [resource for resource in resources if resource.admitted]
        self.has_admitted = bool(admitted)
        self._resources = admitted or resources
        self._layout = layout
        self._together: dict[str, tuple[int, Resource]] = {}
        """The preferred resource of each file and each root, with its rank; a smaller rank is preferred."""
        self._nearby: dict[str, Resource] = {}
        """The preferred resource in or below each folder."""
        self._holding: dict[str | None, Namesakes | None] | None = None
        if len(resources) < 2:
            return
        # Admitted resources come first, because setdefault keeps the first.
        for rank, resource in enumerate((*admitted, *resources)):
            file = resource.document.file
            for file_or_root in (file, *layout.roots(file, resource.roots)):
                self._together.setdefault(file_or_root, (rank, resource))
        for resource in self._resources:
            for folder in folders_above(resource.document.file):
                if folder in self._nearby:
                    break
                self._nearby[folder] = resource

    def nearest(self, file: str, roots: tuple[str, ...] = ()) -> Resource:
        """Return the resource that a reference in ``file`` means.

        If the nearest resource is refused only because it repeats another, the first admitted resource is returned,
        since both declare the same object. ``roots`` are the roots of a copy, as for `Layout.roots`.
        """
        resource = self._nearest(file, roots)
        if self.has_admitted and not (resource.admitted or resource.has_unknown_values):
            return self._resources[0]
        return resource

    def _nearest(self, file: str, roots: tuple[str, ...]) -> Resource:
        """Return the nearest resource, even if it is refused as a repetition."""
        if file in self._together:
            return self._together[file][1]
        ranked = [self._together[root] for root in self._layout.roots(file, roots) if root in self._together]
        if ranked:
            return min(ranked)[1]
        for folder in folders_above(file) if self._nearby else ():
            if folder in self._nearby:
                return self._nearby[folder]
        return self._resources[0]

    def holding(self, key: str) -> Namesakes | None:
        """Return the admitted Secrets or ConfigMaps that contain a key, or ``None`` if no object can.

        If no object contains the key, the objects with unknown content are returned, because they may get it.
        """
        if self._holding is None:
            self._holding = self._by_key()
        return self._holding.get(key) or self._holding.get(None)

    def admitted(self) -> Sequence[Resource]:
        """Return the admitted resources, in reading order."""
        return self._resources if self.has_admitted else ()

    def _by_key(self) -> dict[str | None, Namesakes | None]:
        """Return the admitted resources by the keys that they contain; under ``None``, those with unknown content."""
        if not self.has_admitted:
            return {}
        resources_by_key: dict[str | None, list[Resource]] = {}
        for resource in self._resources:
            keys = declared_keys(resource)
            for key in (None,) if keys is None else keys:
                resources_by_key.setdefault(key, []).append(resource)
        return {key: Namesakes(resources, self._layout) for key, resources in resources_by_key.items()}
