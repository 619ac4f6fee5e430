"""Index the resources that an isolated file sees, or that all other files see together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from ..diagnostics.placeholder import is_placeholder, may_be
from .namesake import Namesakes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..diagnostics.suggestion import Names
    from .context import Layout
    from .resource import Identity, Resource

_ByTarget: TypeAlias = "dict[str | None, dict[tuple[str, str], list[Resource]]]"
"""Resources by their own namespace, then by the kind and name that they refer to."""

CORE_KINDS = frozenset({"ConfigMap", "Secret", "ServiceAccount", "Namespace"})
"""Kubernetes kinds that references name. Unless the project is closed, undeclared objects are assumed to exist."""

SECRET_MAKERS = frozenset(
    {
        *("ExternalSecret", "SealedSecret", "SopsSecret", "InfisicalSecret"),
        *("VaultStaticSecret", "VaultDynamicSecret", "Certificate"),
    }
)
"""Kinds of objects from which a controller may create Secrets (`project/generated_secret.py`)."""

MEMBER_KINDS = frozenset({"MCPServer", "MCPRemoteProxy", "MCPServerEntry"})
"""Kinds that join a group. ``spec.groupRef`` is the only field in which they name a group."""


class Index:
    """Finds resources by identity, kind or name, and finds the resources that name a resource.

    Args:
        resources: The indexed resources, in reading order.
        layout: The files that are applied together.

    Attributes:
        resources: The indexed resources, in reading order.
    """

    def __init__(self, resources: Sequence[Resource], layout: Layout) -> None:
        self.resources = resources
        self._layout = layout
        self._by_identity: dict[Identity, list[Resource]] = {}
        self._by_kind: dict[str, list[Resource]] = {}
        self._by_name: dict[tuple[str, str], list[Resource]] = {}
        self._by_any_name: dict[str, list[Resource]] | None = None
        self._namesakes: dict[tuple[str | None, ...], Namesakes] = {}
        self._by_target: dict[tuple[bool, bool], _ByTarget] = {}
        self._name_patterns: dict[str, frozenset[str]] = {}
        self._first_by_unit: dict[Identity, dict[str, Resource]] = {}
        self._positions: dict[Resource, int] = {}
        self._sources_by_target: dict[tuple[str, str], dict[Resource, list[Resource]]] = {}
        self._spellings: dict[tuple[str, str | None], Names] = {}
        for resource in resources:
            self._by_identity.setdefault(resource.identity, []).append(resource)
            self._by_kind.setdefault(resource.kind, []).append(resource)
            self._by_name.setdefault((resource.kind, resource.name), []).append(resource)

    def position(self, resource: Resource) -> int:
        """Return the zero-based position of a resource in reading order."""
        if not self._positions:
            self._positions = {resource: position for position, resource in enumerate(self.resources)}
        return self._positions[resource]

    def kinds(self) -> frozenset[str]:
        """Return the kinds of all indexed resources."""
        return frozenset(self._by_kind)

    def of_kind(self, kind: str) -> Sequence[Resource]:
        """Return all resources of ``kind``, whether or not the API server admits them, in reading order."""
        return self._by_kind.get(kind, ())

    def with_identity(self, kind: str, namespace: str | None, name: str) -> Sequence[Resource]:
        """Return all resources with exactly this identity, in reading order; ``None`` is an unstated namespace."""
        return self._by_identity.get((kind, namespace, name), ())

    def is_repetition(self, resource: Resource) -> bool:
        """Return whether a resource repeats another: an earlier one with its identity that is applied together with it.

        Admitted resources come before refused ones; otherwise reading order decides.
        """
        same_identity = self._by_identity[resource.identity]
        if len(same_identity) < 2:
            return False
        first_by_unit = self._first_by_unit.get(resource.identity)
        if first_by_unit is None:
            first_by_unit = self._first_by_unit[resource.identity] = {}
            for first in sorted(same_identity, key=lambda first: not first.admitted):
                for unit in self._layout.namespace_units(first.document.file, first.namespace, first.roots):
                    first_by_unit.setdefault(unit, first)
        units = self._layout.namespace_units(resource.document.file, resource.namespace, resource.roots)
        return any(first_by_unit[unit] is not resource for unit in units)

    def with_name(self, kind: str, name: str) -> Sequence[Resource]:
        """Return the resources of ``kind`` that are called ``name``, in all namespaces, in reading order."""
        return self._by_name.get((kind, name), ())

    def with_name_of_any_kind(self, name: str) -> Sequence[Resource]:
        """Return the resources of all kinds that are called ``name``, in reading order."""
        if self._by_any_name is None:
            self._by_any_name = {}
            for resource in self.resources:
                self._by_any_name.setdefault(resource.name, []).append(resource)
        return self._by_any_name.get(name, ())

    def may_be_called(self, kind: str, name: str) -> bool:
        """Return whether a resource of ``kind`` has a name with a placeholder that may turn out to be ``name``."""
        if kind not in self._name_patterns:
            self._name_patterns[kind] = frozenset(
                pattern.name for pattern in self.of_kind(kind) if is_placeholder(pattern.name)
            )
        return any(may_be(pattern, name) for pattern in self._name_patterns[kind])

    def nearest(self, kind: str, namespace: str | None, name: str) -> str | None:
        """Return the name of the admitted resource of ``kind`` whose spelling is nearest to ``name``, or ``None``.

        Resources of other namespaces than ``namespace`` only count if no name there is near.
        """
        if (kind, namespace) not in self._spellings:
            from ..diagnostics.suggestion import Names

            self._spellings[kind, namespace] = Names(
                [
                    resource.name
                    for resource in self.of_kind(kind)
                    if resource.admitted and (namespace is None or resource.namespace in (namespace, None))
                ]
            )
        near = self._spellings[kind, namespace].nearest(name)
        return near if near is not None or namespace is None else self.nearest(kind, None, name)

    def find(
        self, kind: str, namespace: str | None, name: str, file: str, copy_roots: tuple[str, ...] = ()
    ) -> Resource | None:
        """Return the target of a reference in ``file``, or ``None`` if there is no such resource.

        An unknown namespace fits every namespace. Admitted resources of exactly that namespace are preferred, then
        admitted resources that fit it, then refused resources. Among several equally preferred resources, `Namesakes`
        chooses.

        Args:
            kind: The kind that the reference must point to.
            namespace: The namespace of the resource that refers; ``None`` if unknown.
        """
        roots = self._layout.roots(file, copy_roots)
        exact = self._by_identity.get((kind, namespace, name), ())
        if len(exact) == 1 and exact[0].admitted and not self._is_in_other_cluster(exact[0], roots):
            return exact[0]
        nearest_refused: Resource | None = None
        for namesakes in self.candidates(kind, namespace, name, roots):
            if namesakes.has_admitted:
                return namesakes.nearest(file, copy_roots)
            nearest_refused = namesakes.nearest(file, copy_roots) if nearest_refused is None else nearest_refused
        return nearest_refused

    def candidates(
        self, kind: str, namespace: str | None, name: str, roots: tuple[str, ...] = ()
    ) -> Iterator[Namesakes]:
        """Yield the possible targets of a reference: resources of exactly ``namespace``, then others that fit it.

        Resources without a known namespace fit every namespace, and all resources fit ``None``. Resources that are
        known to be in other clusters than the objects that ``roots`` apply are left out.
        """
        if kind not in self._by_kind:
            return
        if same_namespace := self.with_identity(kind, namespace, name):
            yield from self._namesakes_among((kind, namespace, name), same_namespace, roots)
        if namespace is not None:
            if unstated := self.with_identity(kind, None, name):
                yield from self._namesakes_among((kind, None, name), unstated, roots)
        elif all_namespaces := self.with_name(kind, name):
            yield from self._namesakes_among((kind, name), all_namespaces, roots)

    def _is_in_other_cluster(self, resource: Resource, roots: tuple[str, ...]) -> bool:
        return bool(roots) and self._layout.in_different_clusters(self.roots(resource), roots)

    def roots(self, resource: Resource) -> tuple[str, ...]:
        """Return the roots that reach a resource."""
        return self._layout.roots(resource.document.file, resource.roots)

    def in_same_cluster(self, resources: Iterable[Resource], seen_from: Resource) -> list[Resource]:
        """Return the resources that may be in the same cluster as ``seen_from``, in the given order."""
        roots = self.roots(seen_from)
        return (
            [resource for resource in resources if not self._is_in_other_cluster(resource, roots)]
            if roots
            else list(resources)
        )

    def nearest_of_each(self, resources: Iterable[Resource], seen_from: Resource) -> list[Any]:
        """Return the resources that may be in the same cluster as ``seen_from``, only the nearest of each identity."""
        by_identity: dict[Identity, list[Resource]] = {}
        for resource in self.in_same_cluster(resources, seen_from):
            by_identity.setdefault(resource.identity, []).append(resource)
        layout, file, roots = self._layout, seen_from.document.file, seen_from.roots
        return [
            same_identity[0] if len(same_identity) == 1 else Namesakes(same_identity, layout).nearest(file, roots)
            for same_identity in by_identity.values()
        ]

    def sources_by_name(self, kind: str, namespace: str | None, name: str) -> Sequence[Resource]:
        """Return the admitted resources that name a resource of that kind and name, in reading order.

        If ``namespace`` is known, resources of other namespaces are left out, because they name a different object.
        """
        index_key = (kind in CORE_KINDS, namespace is None)
        index = self._by_target.get(index_key)
        if index is None:
            index = self._by_target[index_key] = self._index_targets(
                core=index_key[0], in_namespaces=namespace is not None
            )
        target = (kind, name)
        sources: Sequence[Resource] = index[namespace].get(target, ()) if namespace in index else ()
        if namespace is not None and None in index and (unstated := index[None].get(target)):
            sources = sorted((*sources, *unstated), key=self.position)
        return sources

    def sources(self, resource: Resource) -> Sequence[Resource]:
        """Return the admitted resources with a reference to ``resource``, in reading order.

        For core kinds, these are all resources that name it. If several objects share the name, the key in a reference
        decides which of them it refers to.
        """
        kind, namespace, name = resource.identity
        if kind in CORE_KINDS or len(self.with_name(kind, name)) < 2:
            return self.in_same_cluster(self.sources_by_name(kind, namespace, name), resource)
        if (kind, name) not in self._sources_by_target:
            sources_by_target = self._sources_by_target[kind, name] = {}
            for source in self.sources_by_name(kind, None, name):
                target = self.find(kind, source.namespace, name, source.document.file, source.roots)
                if target is not None:
                    sources_by_target.setdefault(target, []).append(source)
        return self._sources_by_target[kind, name].get(resource, ())

    def _namesakes_among(
        self, cache_key: tuple[str | None, ...], resources: Sequence[Resource], roots: tuple[str, ...]
    ) -> Iterator[Namesakes]:
        """Yield a cached `Namesakes` of the resources that may be in a cluster of ``roots``, if there are any."""
        same_cluster = [resource for resource in resources if not self._is_in_other_cluster(resource, roots)]
        if len(same_cluster) < len(resources):
            cache_key = (*cache_key, *roots)
        if same_cluster and cache_key not in self._namesakes:
            self._namesakes[cache_key] = Namesakes(same_cluster, self._layout)
        if same_cluster:
            yield self._namesakes[cache_key]

    def _index_targets(self, *, core: bool, in_namespaces: bool) -> _ByTarget:
        """Return the admitted resources by their own namespace, then by the kind and name of each object they refer to.

        Args:
            core: True to index references to core kinds, false for all others. References to core kinds are the most
                frequent, but rarely looked up, so they have a separate index.
            in_namespaces: False to put all namespaces together, under ``None``.
        """
        index: _ByTarget = {}
        for resource in self.resources:
            targets = resource.targets if resource.admitted else ()
            if targets:
                sources_by_target = index.setdefault(resource.namespace if in_namespaces else None, {})
                for target in targets:
                    if (target[0] in CORE_KINDS) is core:
                        sources = sources_by_target.setdefault(target, [])
                        if not sources or sources[-1] is not resource:
                            sources.append(resource)
        return index
