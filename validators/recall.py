"""What rules looked at beside a resource itself: so it is known when what they found need not stand any longer.

A rule learns of other resources from the workspace alone. `Watched` is a workspace that notes what it is asked, as
*keys*: ``kind/namespace/name`` for a lookup, ``kind/*`` for all of a kind, ``>kind/namespace/name`` for all that refer
to something, ``&kind/namespace/name`` for what a resource refers to. A resource in turn bears on the keys under which
it can be come upon. What rules found about one resource stands as long as no resource that bears on one of the keys has
changed, come or gone. That rules look at the resource itself, and at what it refers to, goes without saying.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from mcpcfg.compiler.reading.placeholder import is_placeholder
from mcpcfg.compiler.workspace import Looked, Workspace
from mcpcfg.compiler.world import World

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from mcpcfg.compiler.inventory import Inventory, Targets
    from mcpcfg.compiler.resource import Resource, SpecT

ALL: Final = "*"
"""The key that every resource bears on; in place of a namespace, any."""
UNSTATED: Final = "?"
"""In place of a namespace: nothing states it."""
_MANY: Final = 4
"""So many questions are worth an index."""


class Changed(NamedTuple):
    """A resource that is new, gone, or another than it was.

    Attributes:
        kind: Its kind.
        namespace: Its namespace; ``None`` where nothing states it.
        name: Its name.
        targets: What it names.
    """

    kind: str
    namespace: str | None
    name: str
    targets: Targets


def key_of(kind: str, namespace: str | None, name: str) -> str:
    """Give the key of a resource itself."""
    return f"{kind}/{namespace or UNSTATED}/{name}"


def bears_on(kind: str, namespace: str | None, name: str, targets: Targets) -> set[str]:
    """Give the keys that a resource bears on: its own, and those of what it names."""
    place = namespace or UNSTATED
    keys = {ALL, f"{kind}/*", f"*/{name}", f"{kind}/{place}/{name}", f"{kind}/*/{name}", f"&{kind}/{place}/{name}"}
    for target, named in targets:
        keys.add(f">{target}/{place}/{named}")
        keys.add(f">{target}/*/{named}")
        if is_placeholder(named):
            keys.add(unknown_key(target))
    return keys


def unknown_key(kind: str) -> str:
    """Give the key that resources bear on that name some object of ``kind``, and nobody knows which."""
    return f">{kind}/$"


class _Noted:
    """What was asked of a workspace, and of what its files see.

    Attributes:
        keys: The keys.
        asked: Positions of resources of which it was asked whether they are refused.
    """

    def __init__(self) -> None:
        self.keys: set[str] = set()
        self.asked: set[int] = set()


class Watched(Workspace):
    """A workspace that notes what it is asked."""

    is_watched = True

    def __init__(self, resources: Iterable[Resource] | Inventory, world: World = World()) -> None:  # noqa: B008 - immutable
        super().__init__(resources, world)
        self.run.referring = set()
        self._noted = _Noted()

    def watch(self, work: Callable[[], Looked], own: int | None = None) -> tuple[Looked, Sequence[str]]:
        """As `Workspace.watch`: the keys are of nothing but what ``work`` asked."""
        run, noted = self.run, self._noted
        outer = noted.keys, run.referring, noted.asked
        keys: set[str] = set()
        referring: set[int] = set()
        asked: set[int] = set()
        noted.keys, run.referring, noted.asked = keys, referring, asked
        try:
            result = work()
        finally:
            noted.keys, run.referring, noted.asked = outer
        if own is not None:
            referring.discard(id(self.inventory[own]))
        if asked or referring:
            keys.update(self._as_keys(referring, asked, own))
        return result, sorted(keys)

    def _as_keys(self, referring: set[int], asked: set[int], own: int | None) -> Iterable[str]:
        inventory = self.inventory
        if own is not None:
            asked.discard(own)
            for one in self._references.get(id(inventory[own]), ()):
                if one.target is not None:
                    asked.discard(inventory.position(one.target))
        positions = [inventory.position_of(identity) for identity in referring]
        for mark, found in (("", asked), ("&", positions)):
            for position in found:
                yield mark + key_of(*inventory.identity(position))

    @property
    def resources(self) -> Sequence[Resource]:
        """As `Workspace.resources`."""
        self._noted.keys.add(ALL)
        return self.inventory

    def of_kind(self, kind: str) -> list[Resource[SpecT]]:
        """As `Workspace.of_kind`."""
        self._noted.keys.add(f"{kind}/*")
        return super().of_kind(kind)

    def has_any(self, kinds: Iterable[str]) -> bool:
        """As `Workspace.has_any`."""
        asked = list(kinds)
        self._noted.keys.update([f"{kind}/*" for kind in asked])
        return super().has_any(asked)

    def turned_away(self) -> list[int]:
        """As `Workspace.turned_away`."""
        self._noted.keys.add(ALL)
        return super().turned_away()

    def nearest(self, kind: str, name: str) -> str | None:
        """As `Workspace.nearest`."""
        self._noted.keys.add(f"{kind}/*")
        return super().nearest(kind, name)

    def kinds(self) -> frozenset[str]:
        """As `Workspace.kinds`."""
        self._noted.keys.add(ALL)
        return super().kinds()

    def find(self, kind: str, namespace: str | None, name: str, file: str) -> Resource | None:
        """As `Workspace.find`."""
        found = super().find(kind, namespace, name, file)
        if namespace is None:
            self._noted.keys.add(f"{kind}/*/{name}")
        else:
            self._noted.keys.add(key_of(kind, namespace, name))
            if found is None or not found.admitted or found.namespace != namespace:
                self._noted.keys.add(key_of(kind, None, name))
        return found

    def _refused_at(self, position: int) -> str | None:
        self._noted.asked.add(position)
        return super()._refused_at(position)

    def is_referred(self, resource: Resource) -> bool:
        """As `Workspace.is_referred`."""
        self._note_naming(resource)
        return super().is_referred(resource)

    def _naming(self, resource: Resource) -> Sequence[int]:
        self._note_naming(resource)
        return super()._naming(resource)

    def _is_readable(self, position: int) -> bool:
        asked, self._noted.asked = self._noted.asked, set()
        try:
            return super()._is_readable(position)
        finally:
            self._noted.asked = asked  # a source that is asked about bears on the keys below

    def _note_naming(self, resource: Resource) -> None:
        """Note that it was asked what means a resource by its name, which a nearer one of the name may decide."""
        kind, namespace, name = resource.kind, resource.namespace, resource.name
        places = (ALL,) if namespace is None else (namespace, UNSTATED)
        self._noted.keys.update([f">{kind}/{place}/{name}" for place in places])
        self._noted.keys.add(f"{kind}/*/{name}")

    def may_have_other_members(self) -> bool:
        """As `Workspace.may_have_other_members`."""
        self._noted.keys.add(unknown_key("MCPGroup"))
        return super().may_have_other_members()


class Dependents:
    """Tells by their keys which verdicts may be others when resources change.

    Args:
        workspace: The resources of now.
        keys: Position of a resource to the keys that rules looked at, for each verdict that is known.
    """

    def __init__(self, workspace: Workspace, keys: Mapping[int, Sequence[str]]) -> None:
        self._workspace = workspace
        self._inventory = workspace.inventory
        self._keys = keys
        self._asked = 0
        self._looking: dict[str, list[int]] = {}
        self._naming: dict[str, list[int]] = {}

    def of(self, changed: Sequence[Changed]) -> set[int]:
        """Give the positions of those that may have looked at one of the resources that have changed."""
        if not changed:
            return set()
        self._asked += 1
        if self._asked == _MANY:
            self._index()
        found = {position for one in changed for position in self._reached_by(one)}
        keys = {key for one in changed for key in bears_on(*one)}
        keys.update([f"&{self._key_at(position)}" for position in found])
        for one in changed:
            found.update(self._workspace.alike(one.kind, one.namespace, one.name))
        if self._asked < _MANY:
            found.update([position for position, looked in self._keys.items() if not keys.isdisjoint(looked)])
        else:
            for key in keys:
                found.update(self._looking.get(key, ()))
        return found

    def _index(self) -> None:
        """Index what is looked through as long as few ask."""
        for position, looked in self._keys.items():
            for key in looked:
                self._looking.setdefault(key, []).append(position)
        for position, targets in enumerate(self._inventory.targets):
            for _, name in targets:
                self._naming.setdefault(name, []).append(position)

    def _reached_by(self, changed: Changed) -> Iterator[int]:
        """Yield the positions of those that refer to something that depends on the one that has changed.

        A name that leads to something of its own kind and namespace depends on nothing else.
        """
        kind, namespace, name, _ = changed
        for position in self._naming_so(name):
            own = self._inventory.namespaces[position]
            kinds = [target for target, named in self._inventory.targets[position] if named == name]
            if (
                own is None
                or namespace is None
                or (own == namespace and kind in kinds)
                or not all(self._seen_by(position).has(target, own, name) for target in kinds)
            ):
                yield position

    def _naming_so(self, name: str) -> Iterable[int]:
        if self._asked >= _MANY:
            return self._naming.get(name, ())
        all_targets = enumerate(self._inventory.targets)
        return [position for position, targets in all_targets for _, named in targets if named == name]

    def _seen_by(self, position: int) -> Workspace:
        return self._workspace.around(self._inventory.files[position])

    def _key_at(self, position: int) -> str:
        return key_of(*self._inventory.identity(position))
