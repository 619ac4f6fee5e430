"""All resources of a call, indexed; every reference of every kind resolved, once, here."""

from __future__ import annotations

from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from .inventory import Inventory
from .reading.placeholder import is_placeholder
from .reference import Reference, has_key
from .world import World

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from .inventory import Identity
    from .reference import Problem
    from .resource import Resource
    from .source import Path
    from .spelling import Spelling

Looked = TypeVar("Looked")
_ByTarget: TypeAlias = "dict[str | None, dict[tuple[str, str], list[int]]]"

CORE_KINDS = frozenset({"ConfigMap", "Secret", "ServiceAccount", "Namespace"})
"""Kinds of Kubernetes itself that references lead to; undeclared ones are taken to exist in an open world."""

MEMBER_KINDS = frozenset({"MCPServer", "MCPRemoteProxy", "MCPServerEntry"})
"""Kinds that join a group by ``spec.groupRef``, the only field by which they name one."""

_MOST_RESOLVED = 10_000
"""Resources whose references are remembered: of more than that they are resolved again where they are asked for."""

UNREADABLE = frozenset({"ADM010", "DEC001", "RLM001"})
"""Rules of stored values that the operator's types do not hold: it cannot read the resource, which is then no member
and no referrer of anything.
"""


class Workspace:
    """The resources of one call and the graph between them.

    Args:
        resources: All of them, in reading order.
        world: What the call says about others.

    Attributes:
        is_watched: Whether it notes what it is asked.
        inventory: The resources.
        world: As the argument.
        refused: Position of a resource to the rule by which the operator refuses it, as far as rules have run.
        unreadable: Those of them that admission found.
        own: Positions of the resources that are judged here one after the other; ``None`` for all.
        sees: Tells of a position that is not among them whether rules have run about its resource.
        reported: Positions of the resources about which surveys are to tell something; ``None`` for all.
    """

    is_watched = False

    def __init__(self, resources: Iterable[Resource] | Inventory, world: World = World()) -> None:  # noqa: B008 - immutable
        self.world = world
        self.inventory = resources if isinstance(resources, Inventory) else Inventory.of(resources)
        self.refused: dict[int, str] = {}
        self.unreadable: dict[int, str] = {}
        self._all_readable = True
        self.own: frozenset[int] | None = None
        self.sees: Callable[[int], bool] = lambda _: True
        self.reported: frozenset[int] | None = None
        inventory = self.inventory
        self._alike: dict[Identity, list[int]] = {}
        self._by_kind: dict[str, list[int]] = {}
        self._by_name: dict[tuple[str, str], list[int]] | None = None
        self._named_so: dict[str, list[int]] | None = None
        self._spellings: dict[str, Spelling] = {}
        self._members: dict[int, tuple[Sequence[int], list[Resource]]] = {}
        self._references: dict[int, tuple[Reference, ...]] = {}
        self._at: dict[int, dict[Path, Reference]] = {}
        self._by_target: dict[tuple[bool, bool], _ByTarget] = {}
        self._has_unknown_group: bool | None = None
        self._referring: set[int] | None = None
        """Ids of resources whose references were asked for, where that is noted."""
        identities = inventory.identities()
        self._first: dict[Identity, int] = dict(
            zip(reversed(identities), range(len(identities) - 1, -1, -1), strict=True)
        )
        for position, identity in enumerate(identities) if len(self._first) < len(identities) else ():
            first = self._first[identity]
            if first != position:
                self._alike.setdefault(identity, [first]).append(position)
        for position, kind in enumerate(inventory.kinds):
            self._by_kind.setdefault(kind, []).append(position)

    def watch(self, work: Callable[[], Looked], own: int | None = None) -> tuple[Looked, Sequence[str]]:
        """Do ``work``; give its result, and the keys of all that it asked: none here, see `validators.recall.Watched`.

        Args:
            work: What to do.
            own: The position of the resource that it is about: it, and what it refers to, are not among the keys.
        """
        del own
        return work(), ()

    @property
    def resources(self) -> Sequence[Resource]:
        """All resources, in reading order."""
        return self.inventory

    # --- looking up -------------------------------------------------------------------------------------------

    def positions(self, kind: str) -> list[int]:
        """Give the positions of the admitted resources of ``kind``, in reading order."""
        admitted = self.inventory.admitted
        return [position for position in self._by_kind.get(kind, ()) if admitted[position]]

    def read_positions(self, kind: str) -> Sequence[int]:
        """Return the positions of all resources of ``kind``, admitted or not, in reading order."""
        return self._by_kind.get(kind, ())

    def of_kind(self, kind: str) -> list[Resource]:
        """Give the admitted resources of ``kind``, in reading order."""
        return [self.inventory[position] for position in self.positions(kind)]

    def has_any(self, kinds: Iterable[str]) -> bool:
        """Tell whether there is an admitted resource of one of ``kinds``."""
        return any(self.positions(kind) for kind in kinds)

    def turned_away(self) -> list[int]:
        """Give the positions of the resources that the API server would refuse, in reading order."""
        return [position for position, is_in in enumerate(self.inventory.admitted) if not is_in]

    def tells(self, position: int) -> bool:
        """Tell whether surveys are to tell something about the resource at a position: another process may do that."""
        return self.reported is None or position in self.reported

    def nearest(self, kind: str, name: str) -> str | None:
        """Give the name of an admitted resource of ``kind`` that was probably meant by ``name``."""
        if kind not in self._spellings:
            from .spelling import Spelling

            self._spellings[kind] = Spelling([self.inventory.names[position] for position in self.positions(kind)])
        return self._spellings[kind].nearest(name)

    def kinds(self) -> frozenset[str]:
        """Give the kinds that occur."""
        return frozenset(self._by_kind)

    def find(self, kind: str, namespace: str | None, name: str) -> Resource | None:
        """Give the resource of that identity, admitted or not; an unknown namespace fits any.

        Where several fit, an admitted one of exactly that namespace comes first; of two alike, the first read.
        """
        position = self._find(kind, namespace, name)
        return None if position is None else self.inventory[position]

    def has(self, kind: str, namespace: str | None, name: str) -> bool:
        """Tell whether there is an admitted resource of exactly that identity."""
        return any(self.inventory.admitted[position] for position in self.alike(kind, namespace, name))

    def _find(self, kind: str, namespace: str | None, name: str) -> int | None:
        """Give the position of what `find` gives."""
        admitted = self.inventory.admitted
        first = self._first.get((kind, namespace, name))
        if first is not None and admitted[first]:
            return first
        if kind not in self._by_kind:
            return None
        for position in self.alike(kind, namespace, name):
            if admitted[position]:
                return position
        fitting: Sequence[int] = () if first is None else (first,)
        if namespace is None:
            fitting = self._called(kind, name)
        elif unstated := self.alike(kind, None, name):
            fitting = sorted((*fitting, *unstated))
        return next((one for one in fitting if admitted[one]), fitting[0] if fitting else None)

    def alike(self, kind: str, namespace: str | None, name: str) -> Sequence[int]:
        """Give the positions of all resources of exactly that identity."""
        identity = (kind, namespace, name)
        first = self._first.get(identity)
        return () if first is None else self._alike.get(identity) or (first,)

    def _called(self, kind: str, name: str) -> Sequence[int]:
        """Give the positions of the resources of that kind and name in all namespaces."""
        if self._by_name is None:
            self._by_name = {}
            for position, called in enumerate(zip(self.inventory.kinds, self.inventory.names, strict=True)):
                self._by_name.setdefault(called, []).append(position)
        return self._by_name.get((kind, name), ())

    def refuse(self, position: int, rule: str) -> None:
        """Note a resource that the operator refuses; the first rule by which it does counts."""
        self.refused.setdefault(position, rule)
        if rule in UNREADABLE:
            self._all_readable = False

    def refuse_unreadable(self, position: int, rule: str) -> None:
        """Note a resource that the API server stores and the operator cannot read."""
        self.unreadable[position] = self.refused[position] = rule
        self._all_readable = False

    def look_again(self, position: int) -> None:
        """Forget why the operator refuses the resource at a position, but for what admission found."""
        self.refused.pop(position, None)
        if position in self.unreadable:
            self.refused[position] = self.unreadable[position]

    def is_refused(self, resource: Resource | None) -> bool:
        """Tell whether the operator refuses ``resource``; the rules of referenced kinds have run before."""
        return self.refused_by(resource) is not None

    def refused_by(self, resource: Resource | None) -> str | None:
        """Give the rule by which the operator refuses ``resource``, ``None`` where it does not."""
        return None if resource is None else self._refused_at(self.inventory.position(resource))

    def _refused_at(self, position: int) -> str | None:
        if self.own is None or position in self.own or self.sees(position):
            return self.refused.get(position)
        return self.unreadable.get(position)

    # --- references -------------------------------------------------------------------------------------------

    def references(self, resource: Resource) -> tuple[Reference, ...]:
        """Give every reference of ``resource``, resolved, in the order of its kind's fields."""
        identity = id(resource)
        if self._referring is not None:
            self._referring.add(identity)
        known = self._references.get(identity)
        if known is None:
            if len(self._references) >= _MOST_RESOLVED:
                self._references.clear()
                self._at.clear()
            known = self._references[identity] = tuple([self.resolve(resource, *one) for one in resource.named])
        return known

    def reference(self, resource: Resource, *path: str | int) -> Reference | None:
        """Give the reference whose name stands at ``path`` (``"spec", "oidcConfigRef", "name"``), or ``None``."""
        identity = id(resource)
        if self._referring is not None:
            self._referring.add(identity)
        at = self._at.get(identity)
        if at is None:
            at = self._at[identity] = {one.path: one for one in reversed(self.references(resource))}
        return at.get(path)

    def target(self, resource: Resource, *path: str | int) -> Resource | None:
        """Give what the reference at ``path`` leads to, ``None`` where there is none or it leads nowhere."""
        reference = self.reference(resource, *path)
        return None if reference is None or reference.problem is not None else reference.target

    def leading(self, resource: Resource, *path: str | int) -> tuple[Reference, Resource] | None:
        """Give the reference at ``path`` with what it leads to, ``None`` where there is none or it leads nowhere."""
        reference = self.reference(resource, *path)
        if reference is None or reference.problem is not None or reference.target is None:
            return None
        return reference, reference.target

    def referrers(self, resource: Resource) -> list[Reference]:
        """Give the references of admitted resources that lead to ``resource``, or would if it were admitted."""
        found: list[Reference] = []
        for position in self._naming(resource.kind, resource.namespace, resource.name):
            for reference in self.references(self.inventory[position]):
                if reference.means(resource):
                    found.append(reference)  # noqa: PERF401 - two loops read better
        return found

    def is_referred(self, resource: Resource) -> bool:
        """Tell whether any admitted resource refers to ``resource``, admitted or not."""
        for position in self._naming(resource.kind, resource.namespace, resource.name):
            for reference in self.references(self.inventory[position]):
                if reference.means(resource):
                    return True
        return False

    def _naming(self, kind: str, namespace: str | None, name: str) -> Sequence[int]:
        """Give the positions of the resources that the operator sees and that name ``kind`` ``name``.

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
        if self._all_readable and (self.own is None or self.own.issuperset(found)):
            return found
        return [source for source in found if self._refused_at(source) not in UNREADABLE]

    def may_have_other_members(self) -> bool:
        """Tell whether a member says by a placeholder of which group it is: that may be any."""
        if self._has_unknown_group is None:
            self._has_unknown_group = any(
                target == "MCPGroup" and is_placeholder(name)
                for kind in MEMBER_KINDS
                for position in self.positions(kind)
                for target, name in self.inventory.targets[position]
            )
        return self._has_unknown_group

    def _index_targets(self, *, core: bool, in_namespaces: bool) -> _ByTarget:
        """Give the admitted resources by their namespace, or all together, and by what they name, in reading order.

        Objects of Kubernetes itself are named most and hardly ever asked for: they have an index of their own.
        """
        found: _ByTarget = {}
        inventory = self.inventory
        rows = zip(inventory.admitted, inventory.namespaces, inventory.targets, strict=True)
        for position, (is_admitted, namespace, targets) in enumerate(rows):
            if is_admitted and targets:
                own = found.setdefault(namespace if in_namespaces else None, {})
                for target in targets:
                    if (target[0] in CORE_KINDS) is core:
                        sources = own.setdefault(target, [])
                        if not sources or sources[-1] != position:
                            sources.append(position)
        return found

    def members(self, group: Resource) -> list[Resource]:
        """Give the admitted members of ``group`` (MCPServer, MCPRemoteProxy, MCPServerEntry), sorted by name."""
        naming = self._naming("MCPGroup", group.namespace, group.name)
        seen, found = self._members.get(id(group), ([], []))
        if seen != naming:
            kinds = self.inventory.kinds
            found = [self.inventory[position] for position in naming if kinds[position] in MEMBER_KINDS]
            found.sort(key=attrgetter("name", "kind"))
            self._members[id(group)] = naming, found
        return found

    def within_reach(self, own: Collection[int]) -> list[int]:
        """Give those of the positions ``own`` whose resources rules about all others probably look into.

        That is what they name, the members of groups that virtual servers name, and what these name; in any namespace.
        """
        inventory = self.inventory
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

    def resolve(
        self,
        source: Resource,
        path: Path,
        kind: str,
        name: str,
        key: str | None = None,
        key_path: Path | None = None,
    ) -> Reference:
        """Resolve one name that ``source`` gives at ``path``; ``key`` is the key asked for, ``key_path`` its place."""
        position = self._find(kind, source.namespace, name)
        target = None if position is None else self.inventory[position]
        problem: Problem | None = None
        rival: Resource | None = None
        if is_placeholder(name):
            target = None
        elif target is None:
            problem, rival = self._why_missing(source, kind, name)
        elif not target.admitted:
            problem = "not-admitted"
        elif key is not None and not is_placeholder(key) and not has_key(target, key):
            problem = "key-missing"
        if problem is None and key == "":  # whatever the object is, it has no such key
            problem = "key-missing"
        return Reference(source, path, kind, name, key, key_path, target, problem, rival)

    def _why_missing(self, source: Resource, kind: str, name: str) -> tuple[Problem | None, Resource | None]:
        if (kind in CORE_KINDS and not self.world.closed) or self.world.has(kind, name):
            return None, None
        elsewhere = self._called(kind, name)
        if elsewhere:
            return "other-namespace", self.inventory[elsewhere[0]]
        if kind not in CORE_KINDS:
            kinds = self.inventory.kinds
            for other in self._of_name(name):
                if kinds[other] not in CORE_KINDS and kinds[other] != source.kind:
                    return "wrong-kind", self.inventory[other]
        return "missing", None

    def _of_name(self, name: str) -> Sequence[int]:
        """Give the positions of the resources of that name, of any kind."""
        if self._named_so is None:
            self._named_so = {}
            for position, other in enumerate(self.inventory.names):
                self._named_so.setdefault(other, []).append(position)
        return self._named_so.get(name, ())
