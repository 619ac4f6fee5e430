"""Where a value of a compiled object comes from: the place in the resource, or in one that it refers to.

Compile steps do not record what they took from where. But what they take they leave as it is, under a key of the same
name or in an element of the same name, so that the place can be looked for: it is asked only of what is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, cast

from ..diagnostics.plain import walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ..diagnostics.span import Path
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace
    from .build import Object

ABSENT: Final = object()
IDENTITIES: Final = ("name", "mountPath", "containerPort", "key", "ip", "topologyKey")
"""Fields by which the elements of a list differ."""
RENAMED: Final = {
    "serviceAccountName": "serviceAccount",
    "secretName": "name",
    "claimName": "name",
    "storage": "size",
}
"""Fields of objects that the models call otherwise."""
GROUP: Final[Path] = ("spec", "groupRef", "name")
_MOST_LED: Final = 200
"""Other resources that are looked through: a group may have any number of members."""
_TELLING: Final = 4
"""Characters from which on a text is hardly found by chance under another key."""
Places: TypeAlias = "Mapping[tuple[str, ...], Sequence[tuple[int, Path]]]"
"""By their keys, without the numbers of elements: the first and the last of such places, each with its ordinal."""


class Origin(NamedTuple):
    """A place that a value comes from.

    Attributes:
        path: In the resource: of the value, or of the name of the resource that has it.
        target: The other resource that has it.
        place: Of the value in ``target``.
    """

    path: Path
    target: Resource | None = None
    place: Path = ()


def origin(
    workspace: Workspace, resource: Resource, compiled: Object, path: Path, *, last: bool = False
) -> Origin | None:
    """Return where the value at ``path`` of a compiled object comes from, ``None`` where that is not to be found.

    Args:
        workspace: Leads to the resources that ``resource`` refers to.
        resource: What the object was compiled from.
        compiled: The object.
        path: In the object; of a value that is missing, too.
        last: Whether of several places that are as likely the last one is meant, not the first.
    """
    if path in {("metadata", "name"), ("metadata", "namespace")}:
        return Origin(path)
    own = _place(resource, compiled, path, last=last)
    if own is not None:
        return Origin(own)
    for reference, target in _led_to(workspace, resource):
        place = _place(target, compiled, path, exactly=True)
        if place is not None:
            return Origin(reference, target, place)
    value = _at(compiled, path)
    return Origin(("metadata", "name")) if isinstance(value, str) and resource.name in value else None


def _led_to(workspace: Workspace, resource: Resource) -> Iterator[tuple[Path, Resource]]:
    """Yield the resources that a resource refers to, and the members of its group with theirs, each with the path."""
    for reference in workspace.references(resource):
        if reference.target is None or reference.problem is not None:
            continue
        yield reference.path, reference.target
        if reference.path == GROUP and resource.kind == "VirtualMCPServer":
            for member in cast("list[Resource]", workspace.members(reference.target, resource))[:_MOST_LED]:
                yield reference.path, member
                for one in workspace.references(member):
                    if one.target is not None and one.problem is None:
                        yield reference.path, one.target


def _place(
    resource: Resource, compiled: Object, path: Path, *, exactly: bool = False, last: bool = False
) -> Path | None:
    """Return the place in a resource that is most like ``path``; ``exactly``: of the same value alone."""
    value, keys = _at(compiled, path), _keys(path)
    by_value = resource.once(_places_by_value)
    if isinstance(value, (str, int)) and value != "":
        telling = isinstance(value, str) and len(value) >= _TELLING
        best = _most_alike(by_value.get((type(value), value), {}), keys, least=0 if telling else 1, last=last)
        if best is not None:
            return best
    elif value is ABSENT or value == "":
        best = _most_alike(by_value.get(None, {}), keys, least=1)
        if best is not None:
            return best
    if exactly:
        return None
    named = _element(resource.once(_mappings), compiled, path)
    if named is not None:
        return named
    # Quantities and the like are written anew, so the way there must do.
    return _most_alike(by_value[ABSENT], keys, least=2)


def _places_by_value(resource: Resource) -> Mapping[Any, Places]:
    """Return the places of a spec by type and value of the scalar there.

    Under `ABSENT` are those of any value, under ``None`` those of nothing and of an empty text. There may be thousands
    of places, and as many faults: only the first and the last place with the same keys count.
    """
    spec: Any = resource.spec
    found: dict[Any, dict[tuple[str, ...], list[tuple[int, Path]]]] = {}
    for number, (path, value) in enumerate(walk(spec, ("spec",))):
        keys = tuple(_keys(path))
        scalar = ABSENT if isinstance(value, dict | list) else None if value in (None, "") else (type(value), value)
        for group in {ABSENT, scalar}:
            found.setdefault(group, {}).setdefault(keys, [(number, path), (number, path)])[1] = (number, path)
    return found


def _mappings(resource: Resource) -> Sequence[tuple[Path, Mapping[Any, Any]]]:
    spec: Any = resource.spec
    return [(path, value) for path, value in walk(spec, ("spec",)) if isinstance(value, dict)]


def _most_alike(places: Places, keys: Sequence[str], *, least: int, last: bool = False) -> Path | None:
    """Return the first, or else the last, of the places whose keys are most like ``keys``."""
    rated = [(*ends[last], _likeness(there, keys)) for there, ends in places.items()]
    rated.sort(key=lambda place: place[0], reverse=last)
    return _best([(rate, path) for _, path, rate in rated], least=least)


def _element(mappings: Sequence[tuple[Path, Mapping[Any, Any]]], compiled: Object, path: Path) -> Path | None:
    """Return a place below the element of a list that has the name of the one around ``path``."""
    for end in range(len(path), 0, -1):
        if not isinstance(path[end - 1], int):
            continue
        element = _at(compiled, path[:end])
        if not isinstance(element, dict):
            continue
        field = next((field for field in IDENTITIES if element.get(field)), path[end] if end < len(path) else "")
        keys = _keys(path[:end])
        alike = [
            (_likeness(_keys(place), keys) + _shared(held, element), place)
            for place, held in mappings
            # Of one that has no name, the one that is most like it.
            if (held.get(field) or None) == (element.get(field) or None)
            if _likeness(_keys(place), keys)
        ]
        best = _best(alike)
        if best is not None:
            return (*best, *path[end:])
    return None


def _shared(one: Mapping[Any, Any], other: Mapping[Any, Any]) -> int:
    """Count the values that two mappings have in common, less those of the first alone."""
    return sum(1 if other.get(key) == value else -1 for key, value in one.items() if not isinstance(value, list | dict))


def _at(value: Any, path: Path) -> Any:
    for step in path:
        try:
            value = value[step]
        except (LookupError, TypeError):
            return ABSENT
    return value


def _keys(path: Path) -> list[str]:
    return [RENAMED.get(step, step) for step in path if isinstance(step, str)]


def _likeness(one: Sequence[str], other: Sequence[str]) -> int:
    """Count the keys that two paths have in common at their end."""
    count = 0
    for mine, theirs in zip(reversed(one), reversed(other), strict=False):
        if mine != theirs:
            break
        count += 1
    return count


def _best(rated: list[tuple[int, Path]], *, least: int | None = None) -> Path | None:
    """Return the first place of those with the highest rate, which must be at least ``least``, if that is given."""
    highest = max((rate for rate, _ in rated), default=None)
    if highest is None or (least is not None and highest < least):
        return None
    return next(place for rate, place in rated if rate == highest)
