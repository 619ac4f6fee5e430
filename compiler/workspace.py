"""All resources of a call, indexed; every reference of every kind resolved, once, here."""

from __future__ import annotations

from copy import copy
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

from .index import CORE_KINDS, MEMBER_KINDS, Index
from .inventory import Inventory
from .namesake import Namesakes
from .reading.placeholder import is_placeholder
from .reference import HOLDING_KEYS, Reference, holds
from .run import Run
from .world import World

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Self

    from .inventory import Identity
    from .models.spec import MemberSpec
    from .reference import Problem
    from .resource import Resource, SpecT
    from .source import Path
    from .spelling import Spelling

Looked = TypeVar("Looked")
__all__ = ["CORE_KINDS", "MEMBER_KINDS", "UNREADABLE", "Looked", "Workspace"]

_MOST_RESOLVED = 10_000
"""Resources whose references are remembered: of more than that they are resolved again where they are asked for."""

_MOST_OTHERS = 8
"""Namesakes of a Secret or ConfigMap to which a finding points, beside the nearest."""

UNREADABLE = frozenset({"ADM010", "DEC001", "RLM001"})
"""Rules of stored values that the operator's types do not hold: it cannot read the resource, which is then no member
and no referrer of anything.
"""


class Workspace:
    """The resources of one call and the graph between them.

    Isolated files see nothing but themselves, and no other sees them: `around` returns what a file sees. What is asked
    about a resource is answered as its file sees it.

    Args:
        resources: All of them, in reading order.
        world: What the call says about others.

    Attributes:
        is_watched: Whether it notes what it is asked.
        inventory: The resources.
        world: As the argument.
        run: How far rules have run.
    """

    is_watched = False

    def __init__(self, resources: Iterable[Resource] | Inventory, world: World = World()) -> None:  # noqa: B008 - immutable
        self.inventory = resources if isinstance(resources, Inventory) else Inventory.of(resources)
        self.run = Run()
        self._references: dict[int, tuple[Reference, ...]] = {}
        self._at: dict[int, dict[Path, Reference]] = {}
        isolated = filter(world.layout.is_isolated, dict.fromkeys(self.inventory.files))
        self._isolated: dict[str, list[int]] = {file: [] for file in isolated}
        self._views: dict[str | None, Self] = {}
        """What files see: isolated ones, and under ``None`` all others, where some are isolated."""
        for position, file in enumerate(self.inventory.files) if self._isolated else ():
            if file in self._isolated:
                self._isolated[file].append(position)
        self.look_at(range(len(self.inventory)), world)

    def look_at(self, positions: Sequence[int], world: World) -> None:
        """Look at the resources at ``positions`` alone."""
        self.world = world
        self._index = Index(self.inventory, positions, world.layout)
        self._spellings: dict[str, Spelling] = {}
        self._members: dict[tuple[int, str], tuple[Sequence[int], list[Resource[Any]]]] = {}
        self._has_unknown_group: bool | None = None

    @property
    def is_divided(self) -> bool:
        """Whether some files do not see others."""
        return bool(self._isolated)

    def around(self, file: str) -> Self:
        """Return what the resources of a file see: this workspace, or a part of it where some files are isolated."""
        if not self._isolated:
            return self
        place = file if file in self._isolated else None
        if place not in self._views:
            self._views[place] = self._view(place)
        return self._views[place]

    def _view(self, file: str | None) -> Self:
        """Return what an isolated file sees, or what all files see that are not isolated."""
        view = copy(self)
        vars(view).update(_isolated={}, _views={})
        if file is None:
            files = self.inventory.files
            view.look_at([at for at in self._index.positions if files[at] not in self._isolated], self.world)
        else:
            view.look_at(self._isolated[file], self.world._replace(complete=True, made=None))
        return view

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
        positions = self._index.positions
        return self.inventory if len(positions) == len(self.inventory) else [self.inventory[at] for at in positions]

    # --- looking up -------------------------------------------------------------------------------------------

    def positions(self, kind: str) -> list[int]:
        """Give the positions of the admitted resources of ``kind``, in reading order."""
        return self._index.admitted(kind)

    def read_positions(self, kind: str) -> Sequence[int]:
        """Return the positions of all resources of ``kind``, admitted or not, in reading order."""
        return self._index.of_kind(kind)

    def of_kind(self, kind: str) -> list[Resource[SpecT]]:
        """Give the admitted resources of ``kind``, in reading order; their model is the one that the caller states."""
        inventory: Sequence[Any] = self.inventory
        return [inventory[position] for position in self.positions(kind)]

    def has_any(self, kinds: Iterable[str]) -> bool:
        """Tell whether there is an admitted resource of one of ``kinds``."""
        return any(self.positions(kind) for kind in kinds)

    def turned_away(self) -> list[int]:
        """Give the positions of the resources that the API server would refuse, in reading order."""
        return [position for position in self._index.positions if not self.inventory.admitted[position]]

    def tells(self, position: int) -> bool:
        """Tell whether surveys are to tell something about the resource at a position: another process may do that."""
        return self.run.reported is None or position in self.run.reported

    def nearest(self, kind: str, name: str) -> str | None:
        """Give the name of an admitted resource of ``kind`` that was probably meant by ``name``."""
        if kind not in self._spellings:
            from .spelling import Spelling

            self._spellings[kind] = Spelling([self.inventory.names[position] for position in self.positions(kind)])
        return self._spellings[kind].nearest(name)

    def kinds(self) -> frozenset[str]:
        """Give the kinds that occur."""
        return self._index.kinds()

    def find(self, kind: str, namespace: str | None, name: str, file: str) -> Resource | None:
        """Return the resource of that identity, admitted or not, that ``file`` means; an unknown namespace fits any.

        Where several fit see `Index.find`.
        """
        if self._isolated:
            return self.around(file).find(kind, namespace, name, file)
        position = self._index.find(kind, namespace, name, file)
        return None if position is None else self.inventory[position]

    def has(self, kind: str, namespace: str | None, name: str) -> bool:
        """Tell whether there is an admitted resource of exactly that identity."""
        return any(self.inventory.admitted[position] for position in self.alike(kind, namespace, name))

    def alike(self, kind: str, namespace: str | None, name: str) -> Sequence[int]:
        """Give the positions of all resources of exactly that identity."""
        return self._index.alike(kind, namespace, name)

    def is_repetition(self, position: int) -> bool:
        """Return whether what stands at a position is one object with another before it."""
        return self._index.is_repetition(position)

    def refuse(self, position: int, rule: str) -> None:
        """Note a resource that the operator refuses; the first rule by which it does counts."""
        self.run.refused.setdefault(position, rule)
        if rule in UNREADABLE:
            self.run.all_readable = False

    def refuse_unreadable(self, position: int, rule: str) -> None:
        """Note a resource that the API server stores and the operator cannot read."""
        self.run.unreadable[position] = self.run.refused[position] = rule
        self.run.all_readable = False

    def look_again(self, position: int) -> None:
        """Forget why the operator refuses the resource at a position, but for what admission found."""
        run = self.run
        run.refused.pop(position, None)
        if position in run.unreadable:
            run.refused[position] = run.unreadable[position]

    def is_refused(self, resource: Resource | None) -> bool:
        """Tell whether the operator refuses ``resource``; the rules of referenced kinds have run before."""
        return self.refused_by(resource) is not None

    def refused_by(self, resource: Resource | None) -> str | None:
        """Give the rule by which the operator refuses ``resource``, ``None`` where it does not."""
        return None if resource is None else self._refused_at(self.inventory.position(resource))

    def _refused_at(self, position: int) -> str | None:
        run = self.run
        if run.own is None or position in run.own or run.sees(position):
            return run.refused.get(position)
        return run.unreadable.get(position)

    # --- references -------------------------------------------------------------------------------------------

    def references(self, resource: Resource) -> tuple[Reference, ...]:
        """Give every reference of ``resource``, resolved, in the order of its kind's fields."""
        identity = id(resource)
        if self.run.referring is not None:
            self.run.referring.add(identity)
        known = self._references.get(identity)
        if known is None:
            if len(self._references) >= _MOST_RESOLVED:
                self._references.clear()
                self._at.clear()
            view = self.around(self._file_of(resource)) if self._isolated else self
            known = self._references[identity] = tuple([view.resolve(resource, *one) for one in resource.named])
        return known

    def reference(self, resource: Resource, *path: str | int) -> Reference | None:
        """Give the reference whose name stands at ``path`` (``"spec", "oidcConfigRef", "name"``), or ``None``."""
        identity = id(resource)
        if self.run.referring is not None:
            self.run.referring.add(identity)
        at = self._at.get(identity)
        if at is None:
            at = self._at[identity] = {one.path: one for one in reversed(self.references(resource))}
        return at.get(path)

    def target(self, resource: Resource, *path: str | int) -> Resource[SpecT] | None:
        """Give what the reference at ``path`` leads to, ``None`` where there is none or it leads nowhere."""
        reference = self.reference(resource, *path)
        found: Any = None if reference is None or reference.problem is not None else reference.target
        target: Resource[SpecT] | None = found
        return target

    def leading(self, resource: Resource, *path: str | int) -> tuple[Reference, Resource[SpecT]] | None:
        """Give the reference at ``path`` with what it leads to, ``None`` where there is none or it leads nowhere."""
        reference = self.reference(resource, *path)
        if reference is None or reference.problem is not None or reference.target is None:
            return None
        target: Any = reference.target
        return reference, target

    def referrers(self, resource: Resource) -> list[Reference]:
        """Give the references of admitted resources that lead to ``resource``, or would if it were admitted."""
        if self._isolated:
            return self.around(self._file_of(resource)).referrers(resource)
        return list(self._leading_to(resource))

    def is_referred(self, resource: Resource) -> bool:
        """Tell whether any admitted resource refers to ``resource``, admitted or not, or to what may be the same."""
        if self._isolated:
            return self.around(self._file_of(resource)).is_referred(resource)
        if len(self.alike(resource.kind, resource.namespace, resource.name)) > 1:
            return any(map(self._is_readable, self._index.naming(resource.kind, resource.namespace, resource.name)))
        return any(True for _ in self._leading_to(resource))

    def _leading_to(self, resource: Resource) -> Iterator[Reference]:
        for position in self._naming(resource):
            for reference in self.references(self.inventory[position]):
                if reference.means(resource):
                    yield reference

    def _naming(self, resource: Resource) -> Sequence[int]:
        """Give the positions of the resources that the operator sees and that mean ``resource`` by a name.

        Those of other namespaces than its own, where it is known, mean another and are left out.
        """
        found = self._index.meaning(self.inventory.position(resource))
        if self.run.all_readable and (self.run.own is None or self.run.own.issuperset(found)):
            return found
        return [source for source in found if self._is_readable(source)]

    def _is_readable(self, position: int) -> bool:
        return self._refused_at(position) not in UNREADABLE

    def may_have_other_members(self) -> bool:
        """Tell whether a member says by a placeholder of which group it is: that may be any."""
        if self._has_unknown_group is None:
            self._has_unknown_group = any(
                target == "MCPGroup" and is_placeholder(name)
                for kind in MEMBER_KINDS
                for position in self.read_positions(kind)
                for target, name in self.inventory.targets[position]
            )
        return self._has_unknown_group

    def members(self, group: Resource, seen_from: Resource | None = None) -> list[Resource[MemberSpec]]:
        """Return the admitted members of ``group`` (MCPServer, MCPRemoteProxy, MCPServerEntry), sorted by name.

        Args:
            group: The group.
            seen_from: A resource that reaches them: of members of one identity the nearest to it counts, which is in
                its cluster where one is declared for each of several.
        """
        file = self._file_of(seen_from or group)
        if self._isolated:
            return self.around(file).members(group, seen_from)
        kinds = self.inventory.kinds
        joining = [position for position in self._naming(group) if kinds[position] in MEMBER_KINDS]
        if not joining:
            joining = [position for position in self._naming_namesake(group) if kinds[position] in MEMBER_KINDS]
        seen, found = self._members.get((id(group), file), ([], []))
        if seen != joining:
            found = [self.inventory[position] for position in self._nearest_of_each(joining, file)]
            found.sort(key=attrgetter("name", "kind"))
            self._members[id(group), file] = joining, found
        return found

    def _nearest_of_each(self, positions: Sequence[int], file: str) -> list[int]:
        """Return positions of resources of different identities: of those of one identity the nearest to a file."""
        alike: dict[Identity, list[int]] = {}
        for position in positions:
            alike.setdefault(self.inventory.identity(position), []).append(position)
        return [Namesakes(own, self.inventory, self.world.layout).nearest(file) for own in alike.values()]

    def _naming_namesake(self, group: Resource) -> Sequence[int]:
        """Return what `_naming` returns of a group that may be the same object as ``group``: one declared twice."""
        if len(self._index.called(group.kind, group.name)) < 2:
            return ()
        naming = self._index.naming(group.kind, group.namespace, group.name)
        return [source for source in naming if self._is_readable(source)]

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
        position = self._index.find(kind, source.namespace, name, self._file_of(source))
        target = None if position is None else self.inventory[position]
        problem: Problem | None = None
        rival: Resource | None = None
        others: tuple[Resource, ...] = ()
        if is_placeholder(name):
            target = None
        elif target is None:
            problem, rival = self._why_missing(source, kind, name)
        elif not target.admitted:
            problem = "not-admitted"
        elif key is not None and not is_placeholder(key) and kind in HOLDING_KEYS:
            holder = target if holds(target, key) else self._holder(source, kind, name, key)
            if holder is None:
                problem, others = "key-missing", self._others(source, target)
            target = holder or target
        if problem is None and key == "":  # whatever the object is, it has no such key
            problem = "key-missing"
        return Reference(source, path, kind, name, key, key_path, target, problem, rival, others)

    def _holder(self, source: Resource, kind: str, name: str, key: str) -> Resource | None:
        """Return the nearest Secret or ConfigMap of that name that holds a key, or may come to hold it."""
        for fitting in self._index.fitting(kind, source.namespace, name):
            holding = fitting.holding(key)
            if holding is not None:
                return self.inventory[holding.nearest(self._file_of(source))]
        return None

    def _others(self, source: Resource, target: Resource) -> tuple[Resource, ...]:
        """Return what else a reference to ``target`` may mean, in reading order, the first few."""
        fitting = self._index.fitting(target.kind, source.namespace, target.name)
        found = {position for one in fitting for position in one.admitted()}
        found.discard(self.inventory.position(target))
        return tuple(self.inventory[position] for position in sorted(found)[:_MOST_OTHERS])

    def _file_of(self, resource: Resource) -> str:
        return self.inventory.files[self.inventory.position(resource)]

    def _why_missing(self, source: Resource, kind: str, name: str) -> tuple[Problem | None, Resource | None]:
        if (kind in CORE_KINDS and not self.world.closed) or self.world.has(kind, name):
            return None, None
        elsewhere = self._index.called(kind, name)
        if elsewhere:
            return "other-namespace", self.inventory[elsewhere[0]]
        if kind not in CORE_KINDS:
            kinds = self.inventory.kinds
            for other in self._index.of_name(name):
                if kinds[other] not in CORE_KINDS and kinds[other] != source.kind:
                    return "wrong-kind", self.inventory[other]
        return "missing", None
