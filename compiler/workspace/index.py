"""Where to find resources: those of a whole call, or those of them that an isolated file sees."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from ..diagnostics.placeholder import is_placeholder, may_be
from .namesake import Namesakes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from .layout import Layout
    from .resource import Identity, Resource

_ByTarget: TypeAlias = "dict[str | None, dict[tuple[str, str], list[Resource]]]"

CORE_KINDS = frozenset({"ConfigMap", "Secret", "ServiceAccount", "Namespace"})
"""Kinds of Kubernetes itself that references lead to; undeclared ones are taken to exist in an open world."""

SECRET_MAKERS = frozenset(
    {
        *("ExternalSecret", "SealedSecret", "SopsSecret", "InfisicalSecret"),
        *("VaultStaticSecret", "VaultDynamicSecret", "Certificate"),
    }
)
"""Kinds of objects of which a controller may make Secrets (`project/generated_secret.py`)."""

MEMBER_KINDS = frozenset({"MCPServer", "MCPRemoteProxy", "MCPServerEntry"})
"""Kinds that join a group by ``spec.groupRef``, the only field by which they name one."""


class Index:
    """Where to find some resources, by what distinguishes them and by what they name.

    Attributes:
        resources: They, in reading order.

    Args:
        resources: They, in reading order.
        layout: How files stand to one another.
    """

    def __init__(self, resources: Sequence[Resource], layout: Layout) -> None:
        self.resources = resources
        self._layout = layout
        self._alike: dict[Identity, list[Resource]] = {}
        self._by_kind: dict[str, list[Resource]] = {}
        self._by_name: dict[tuple[str, str], list[Resource]] = {}
        self._named_so: dict[str, list[Resource]] | None = None
        self._namesakes: dict[tuple[str | None, ...], Namesakes] = {}
        self._by_target: dict[tuple[bool, bool], _ByTarget] = {}
        self._unnamed: dict[str, frozenset[str]] = {}
        self._first_in_place: dict[Identity, dict[str, Resource]] = {}
        self._positions: dict[Resource, int] = {}
        self._meaning: dict[tuple[str, str], dict[Resource, list[Resource]]] = {}
        for one in resources:
            self._alike.setdefault(one.identity, []).append(one)
            self._by_kind.setdefault(one.kind, []).append(one)
            self._by_name.setdefault((one.kind, one.name), []).append(one)

    def position(self, resource: Resource) -> int:
        """Return the place of a resource in the reading order."""
        if not self._positions:
            self._positions = {one: number for number, one in enumerate(self.resources)}
        return self._positions[resource]

    def kinds(self) -> frozenset[str]:
        """Return the kinds that occur."""
        return frozenset(self._by_kind)

    def of_kind(self, kind: str) -> Sequence[Resource]:
        """Return all resources of ``kind``, admitted or not, in reading order."""
        return self._by_kind.get(kind, ())

    def alike(self, kind: str, namespace: str | None, name: str) -> Sequence[Resource]:
        """Return all resources of exactly that identity, in reading order."""
        return self._alike.get((kind, namespace, name), ())

    def is_repetition(self, resource: Resource) -> bool:
        """Return whether another stands for a resource: of its identity, and known to be applied together with it.

        That is the one that the API server admits, else the first.
        """
        alike = self._alike[resource.identity]
        if len(alike) < 2:
            return False
        firsts = self._first_in_place.get(resource.identity)
        if firsts is None:
            firsts = self._first_in_place[resource.identity] = {}
            for one in sorted(alike, key=lambda one: not one.admitted):
                for place in self._layout.namespace_places(one.document.file, one.namespace, one.roots):
                    firsts.setdefault(place, one)
        places = self._layout.namespace_places(resource.document.file, resource.namespace, resource.roots)
        return any(firsts[place] is not resource for place in places)

    def called(self, kind: str, name: str) -> Sequence[Resource]:
        """Return the resources of that kind and name in all namespaces, in reading order."""
        return self._by_name.get((kind, name), ())

    def of_name(self, name: str) -> Sequence[Resource]:
        """Return the resources of that name, of any kind, in reading order."""
        if self._named_so is None:
            self._named_so = {}
            for one in self.resources:
                self._named_so.setdefault(one.name, []).append(one)
        return self._named_so.get(name, ())

    def may_be_called(self, kind: str, name: str) -> bool:
        """Return whether a resource of ``kind`` may get a name: its own has a placeholder."""
        if kind not in self._unnamed:
            self._unnamed[kind] = frozenset(one.name for one in self.of_kind(kind) if is_placeholder(one.name))
        return any(may_be(one, name) for one in self._unnamed[kind])

    def find(
        self, kind: str, namespace: str | None, name: str, file: str, own: tuple[str, ...] = ()
    ) -> Resource | None:
        """Return what a name means in ``file``; an unknown namespace fits any. ``own`` as of `Layout.roots`.

        Admitted resources of exactly that namespace come before others that fit it; of several see `Namesakes`.
        """
        roots = self._layout.roots(file, own)
        exact = self._alike.get((kind, namespace, name), ())
        if len(exact) == 1 and exact[0].admitted and not self._are_apart(exact[0], roots):
            return exact[0]
        found: Resource | None = None
        for fitting in self.fitting(kind, namespace, name, roots):
            if fitting.has_admitted:
                return fitting.nearest(file, own)
            found = fitting.nearest(file, own) if found is None else found
        return found

    def fitting(self, kind: str, namespace: str | None, name: str, roots: tuple[str, ...] = ()) -> Iterator[Namesakes]:
        """Yield the resources that a name may mean: those of exactly that namespace, then others that fit it.

        Those of other clusters than ``roots`` are left out.
        """
        if kind not in self._by_kind:
            return
        if exact := self.alike(kind, namespace, name):
            yield from self._together((kind, namespace, name), exact, roots)
        if namespace is not None:
            if unstated := self.alike(kind, None, name):
                yield from self._together((kind, None, name), unstated, roots)
        elif called := self.called(kind, name):
            yield from self._together((kind, name), called, roots)

    def _are_apart(self, resource: Resource, roots: tuple[str, ...]) -> bool:
        """Return whether a resource is known to be in other clusters than what comes from ``roots``."""
        return bool(roots) and self._layout.are_apart(self.roots(resource), roots)

    def roots(self, resource: Resource) -> tuple[str, ...]:
        """Return the outermost kustomizations that lead to a resource."""
        return self._layout.roots(resource.document.file, resource.roots)

    def reached(self, resources: Iterable[Resource], seen_from: Resource) -> list[Resource]:
        """Return those that are not known to be in other clusters than a resource."""
        roots = self.roots(seen_from)
        return [one for one in resources if not self._are_apart(one, roots)] if roots else list(resources)

    def naming(self, kind: str, namespace: str | None, name: str) -> Sequence[Resource]:
        """Return the admitted resources that name ``kind`` ``name``, in reading order.

        Those of other namespaces than ``namespace``, where it is known, mean another and are left out.
        """
        which = (kind in CORE_KINDS, namespace is None)
        index = self._by_target.get(which)
        if index is None:
            index = self._by_target[which] = self._index_targets(core=which[0], in_namespaces=namespace is not None)
        target = (kind, name)
        found: Sequence[Resource] = index[namespace].get(target, ()) if namespace in index else ()
        if namespace is not None and None in index and (unstated := index[None].get(target)):
            found = sorted((*found, *unstated), key=self.position)
        return found

    def meaning(self, resource: Resource) -> Sequence[Resource]:
        """Return the admitted resources that name ``resource`` and mean it, in reading order.

        Of objects of Kubernetes itself these are all that name it: which is meant depends on the key.
        """
        kind, namespace, name = resource.identity
        if kind in CORE_KINDS or len(self.called(kind, name)) < 2:
            return self.reached(self.naming(kind, namespace, name), resource)
        if (kind, name) not in self._meaning:
            found = self._meaning[kind, name] = {}
            for source in self.naming(kind, None, name):
                meant = self.find(kind, source.namespace, name, source.document.file, source.roots)
                if meant is not None:
                    found.setdefault(meant, []).append(source)
        return self._meaning[kind, name].get(resource, ())

    def _together(
        self, which: tuple[str | None, ...], resources: Sequence[Resource], roots: tuple[str, ...]
    ) -> Iterator[Namesakes]:
        reached = [one for one in resources if not self._are_apart(one, roots)]
        if len(reached) < len(resources):
            which = (*which, *roots)
        if reached and which not in self._namesakes:
            self._namesakes[which] = Namesakes(reached, self._layout)
        if reached:
            yield self._namesakes[which]

    def _index_targets(self, *, core: bool, in_namespaces: bool) -> _ByTarget:
        """Return the admitted resources by their namespace, or all together, and by what they name.

        Objects of Kubernetes itself are named most and hardly ever asked for: they have an index of their own.
        """
        found: _ByTarget = {}
        for one in self.resources:
            targets = one.targets if one.admitted else ()
            if targets:
                own = found.setdefault(one.namespace if in_namespaces else None, {})
                for target in targets:
                    if (target[0] in CORE_KINDS) is core:
                        sources = own.setdefault(target, [])
                        if not sources or sources[-1] is not one:
                            sources.append(one)
        return found
