"""All resources of a call in reading order, as columns: what tells them apart is known of each, without making it.

A resource that another process read, or that is known from the last check, is made when somebody asks for it: of most
nobody does. Its *position* is its place in the reading order, counted from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, overload

from ..diagnostics.finding import Subject
from .resource import UNKNOWN_NAMESPACE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from .resource import Resource

Targets: TypeAlias = "Sequence[tuple[str, str]]"
"""Kind and name of the objects that a resource names."""
Identity: TypeAlias = "tuple[str, str | None, str]"
"""Kind, namespace and name of a resource."""


class Columns(NamedTuple):
    """What is known of resources, one item for each in every column.

    Attributes:
        kinds: Their kinds.
        names: Their names.
        namespaces: Their namespaces, ``None`` where nothing states it.
        admitted: Whether the API server would store them.
        unknown: Whether a placeholder stands where its value decides.
        targets: What they name.
        files: The files that they come from.
    """

    kinds: list[str]
    names: list[str]
    namespaces: list[str | None]
    admitted: list[bool]
    unknown: list[bool]
    targets: list[Targets]
    files: list[str]

    @classmethod
    def of(cls, resources: Sequence[Resource]) -> Columns:
        """Return the columns about resources."""
        return cls(
            [one.kind for one in resources],
            [one.name for one in resources],
            [one.namespace for one in resources],
            [one.admitted for one in resources],
            [one.has_unknown_values for one in resources],
            [one.targets for one in resources],
            [one.document.file for one in resources],
        )


class Inventory(Sequence["Resource"]):
    """All resources of a call.

    Args:
        columns: What is known of each.
        make: Gives the resource at a position; it is asked once.
    """

    def __init__(self, columns: Columns, make: Callable[[int], Resource]) -> None:
        self.kinds, self.names, self.namespaces, self.admitted, self.unknown, self.targets, self.files = columns
        self._make = make
        self._made: list[Resource | None] = [None] * len(self.kinds)
        self._positions: dict[int, int] = {}

    @classmethod
    def of(cls, resources: Iterable[Resource]) -> Inventory:
        """Return an inventory of resources that are there already."""
        known = list(resources)
        inventory = cls(Columns.of(known), known.__getitem__)
        inventory._made = [*known]
        inventory._positions = {id(one): position for position, one in enumerate(known)}
        return inventory

    def __len__(self) -> int:
        return len(self.kinds)

    @overload
    def __getitem__(self, at: int) -> Resource: ...

    @overload
    def __getitem__(self, at: slice) -> list[Resource]: ...

    def __getitem__(self, at: int | slice) -> Resource | list[Resource]:
        if not isinstance(at, int):
            return [self[position] for position in range(*at.indices(len(self)))]
        if at < 0:
            raise IndexError(at)
        found = self._made[at]
        if found is None:
            found = self._made[at] = self._make(at)
            found.namespace, found.admitted = self.namespaces[at], self.admitted[at]
            self._positions[id(found)] = at
        return found

    def position(self, resource: Resource) -> int:
        """Return the position of a resource of this inventory."""
        return self._positions[id(resource)]

    def identities(self) -> list[Identity]:
        """Return kind, namespace and name of all resources."""
        return list(zip(self.kinds, self.namespaces, self.names, strict=True))

    def identity(self, position: int) -> Identity:
        """Return kind, namespace and name of the resource at a position."""
        return self.kinds[position], self.namespaces[position], self.names[position]

    def are_alike(self, position: int, other: int) -> bool:
        """Return whether two resources have one identity: they are one object, or one in each of two clusters."""
        return self.identity(position) == self.identity(other)

    def subject(self, position: int) -> Subject:
        """Return the identity that findings about the resource at a position carry."""
        return Subject(self.kinds[position], self.namespaces[position] or UNKNOWN_NAMESPACE, self.names[position])

    def position_of(self, identity: int) -> int:
        """Return the position of the resource of that `id`."""
        return self._positions[identity]

    def settle(self, position: int, namespace: str | None, *, admitted: bool) -> None:
        """Record what other files decide about a resource."""
        self.namespaces[position], self.admitted[position] = namespace, admitted
        made = self._made[position]
        if made is not None:
            made.namespace, made.admitted = namespace, admitted
