"""Where to find resources: those of a whole call, or those of them that an isolated file sees."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

from .namesake import Namesakes

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from .layout import Layout
    from .resource_table import Identity, Inventory

_ByTarget: TypeAlias = "dict[str | None, dict[tuple[str, str], list[int]]]"

CORE_KINDS = frozenset({"ConfigMap", "Secret", "ServiceAccount", "Namespace"})
"""Kinds of Kubernetes itself that references lead to; undeclared ones are taken to exist in an open world."""

MEMBER_KINDS = frozenset({"MCPServer", "MCPRemoteProxy", "MCPServerEntry"})
"""Kinds that join a group by ``spec.groupRef``, the only field by which they name one."""


class Index:
    """Where to find some resources of an inventory, by what tells them apart and by what they name.

    Attributes:
        positions: Theirs, in reading order.

    Args:
        inventory: Holds them.
        positions: Theirs, in reading order.
        layout: How files stand to one another.
    """

    def __init__(self, inventory: Inventory, positions: Sequence[int], layout: Layout) -> None:
        self.positions = positions
        self._inventory = inventory
        self._layout = layout
        self._alike: dict[Identity, list[int]] = {}
        self._by_kind: dict[str, list[int]] = {}
        self._by_name: dict[tuple[str, str], list[int]] | None = None
        self._named_so: dict[str, list[int]] | None = None
        self._namesakes: dict[tuple[str | None, ...], Namesakes] = {}
        self._by_target: dict[tuple[bool, bool], _ByTarget] = {}
        self._first_in_place: dict[Identity, dict[str, int]] = {}
        self._meaning: dict[tuple[str, str], dict[int, list[int]]] = {}
        is_whole = len(positions) == len(inventory)
        identities = inventory.identities() if is_whole else [inventory.identity(one) for one in positions]
        self._first: dict[Identity, int] = dict(zip(reversed(identities), reversed(positions), strict=True))
        if len(self._first) < len(identities):
            for position, identity in zip(positions, identities, strict=True):
                first = self._first[identity]
                if first != position:
                    self._alike.setdefault(identity, [first]).append(position)
        for position, (kind, _, _) in zip(positions, identities, strict=True):
            self._by_kind.setdefault(kind, []).append(position)

    def kinds(self) -> frozenset[str]:
        """Return the kinds that occur."""
        return frozenset(self._by_kind)

    def of_kind(self, kind: str) -> Sequence[int]:
        """Return the positions of all resources of ``kind``, admitted or not, in reading order."""
        return self._by_kind.get(kind, ())

    def admitted(self, kind: str) -> list[int]:
        """Return the positions of the admitted resources of ``kind``, in reading order."""
        admitted = self._inventory.admitted
        return [position for position in self._by_kind.get(kind, ()) if admitted[position]]

    def alike(self, kind: str, namespace: str | None, name: str) -> Sequence[int]:
        """Return the positions of all resources of exactly that identity."""
        identity = (kind, namespace, name)
        first = self._first.get(identity)
        return () if first is None else self._alike.get(identity) or (first,)

    def is_repetition(self, position: int) -> bool:
        """Return whether another before a resource has its identity, and is known to be applied together with it."""
        identity = self._inventory.identity(position)
        if identity not in self._alike:
            return False
        if identity not in self._first_in_place:
            firsts = self._first_in_place[identity] = {}
            for one in self._alike[identity]:
                for place in self._layout.namespace_places(self._inventory.files[one], identity[1]):
                    firsts.setdefault(place, one)
        firsts = self._first_in_place[identity]
        places = self._layout.namespace_places(self._inventory.files[position], identity[1])
        return any(firsts[place] < position for place in places)

    def called(self, kind: str, name: str) -> Sequence[int]:
        """Return the positions of the resources of that kind and name in all namespaces."""
        if self._by_name is None:
            self._by_name = {}
            kinds, names = self._inventory.kinds, self._inventory.names
            for position in self.positions:
                self._by_name.setdefault((kinds[position], names[position]), []).append(position)
        return self._by_name.get((kind, name), ())

    def of_name(self, name: str) -> Sequence[int]:
        """Return the positions of the resources of that name, of any kind."""
        if self._named_so is None:
            self._named_so = {}
            for position in self.positions:
                self._named_so.setdefault(self._inventory.names[position], []).append(position)
        return self._named_so.get(name, ())

    def find(self, kind: str, namespace: str | None, name: str, file: str) -> int | None:
        """Return the position of what a name means in ``file``; an unknown namespace fits any.

        Admitted resources of exactly that namespace come before others that fit it; of several see `Namesakes`.
        """
        identity = (kind, namespace, name)
        first = self._first.get(identity)
        if first is not None and identity not in self._alike and self._inventory.admitted[first]:
            return first
        found: int | None = None
        for fitting in self.fitting(kind, namespace, name):
            if fitting.has_admitted:
                return fitting.nearest(file)
            found = fitting.nearest(file) if found is None else found
        return found

    def fitting(self, kind: str, namespace: str | None, name: str) -> Iterator[Namesakes]:
        """Yield the resources that a name may mean: those of exactly that namespace, then others that fit it."""
        if kind not in self._by_kind:
            return
        if exact := self.alike(kind, namespace, name):
            yield self._together((kind, namespace, name), exact)
        if namespace is not None:
            if unstated := self.alike(kind, None, name):
                yield self._together((kind, None, name), unstated)
        elif called := self.called(kind, name):
            yield self._together((kind, name), called)

    def naming(self, kind: str, namespace: str | None, name: str) -> Sequence[int]:
        """Return the positions of the admitted resources that name ``kind`` ``name``, in reading order.

        Those of other namespaces than ``namespace``, where it is known, mean another and are left out.
        """
        which = (kind in CORE_KINDS, namespace is None)
        index = self._by_target.get(which)
        if index is None:
            index = self._by_target[which] = self._index_targets(core=which[0], in_namespaces=namespace is not None)
        target = (kind, name)
        found: Sequence[int] = index[namespace].get(target, ()) if namespace in index else ()
        if namespace is not None and None in index and (unstated := index[None].get(target)):
            found = sorted((*found, *unstated))
        return found

    def meaning(self, position: int) -> Sequence[int]:
        """Return the positions of the admitted resources that name what stands at ``position`` and mean it.

        Of objects of Kubernetes itself these are all that name it: which is meant depends on the key.
        """
        kind, namespace, name = self._inventory.identity(position)
        if kind in CORE_KINDS or len(self.called(kind, name)) < 2:
            return self.naming(kind, namespace, name)
        if (kind, name) not in self._meaning:
            found = self._meaning[kind, name] = {}
            for source in self.naming(kind, None, name):
                meant = self.find(kind, self._inventory.namespaces[source], name, self._inventory.files[source])
                if meant is not None:
                    found.setdefault(meant, []).append(source)
        return self._meaning[kind, name].get(position, ())

    def _together(self, which: tuple[str | None, ...], positions: Sequence[int]) -> Namesakes:
        known = self._namesakes.get(which)
        if known is None:
            known = self._namesakes[which] = Namesakes(positions, self._inventory, self._layout)
        return known

    def _index_targets(self, *, core: bool, in_namespaces: bool) -> _ByTarget:
        """Return the admitted resources by their namespace, or all together, and by what they name.

        Objects of Kubernetes itself are named most and hardly ever asked for: they have an index of their own.
        """
        found: _ByTarget = {}
        inventory = self._inventory
        for position in self.positions:
            targets = inventory.targets[position]
            if inventory.admitted[position] and targets:
                own = found.setdefault(inventory.namespaces[position] if in_namespaces else None, {})
                for target in targets:
                    if (target[0] in CORE_KINDS) is core:
                        sources = own.setdefault(target, [])
                        if not sources or sources[-1] != position:
                            sources.append(position)
        return found


def within_reach(inventory: Inventory, own: Collection[int]) -> list[int]:
    """Return those of the positions ``own`` whose resources rules about all others probably look into.

    That is what they name, the members of groups that virtual servers name, and what these name; in any namespace.
    """
    kinds, names, targets = inventory.kinds, inventory.names, inventory.targets
    others = [position for position in range(len(inventory)) if position not in own]
    named = set(chain.from_iterable([targets[position] for position in others]))
    found = {position for position in own if (kinds[position], names[position]) in named}
    of_servers = [targets[position] for position in others if kinds[position] == "VirtualMCPServer"]
    groups = {target for target in chain.from_iterable(of_servers) if target[0] == "MCPGroup"}
    if groups:
        servers = [position for position in own if kinds[position] in MEMBER_KINDS]
        members = [position for position in servers if not groups.isdisjoint(targets[position])]
        named = set(chain.from_iterable([targets[position] for position in members]))
        found.update(members, [one for one in own if (kinds[one], names[one]) in named] if named else ())
    return sorted(found)
