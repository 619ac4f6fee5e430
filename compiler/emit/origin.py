"""Where a value of a compiled object comes from: the place in the resource, or in one that it refers to.

Compile steps do not record what they took from where. But what they take they leave as it is, under a key of the same
name or in an element of the same name, so that the place can be looked for: it is asked only of what is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from ..diagnostics.plain import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    spec: Any = resource.spec
    value, keys = _at(compiled, path), _keys(path)
    places = list(walk(spec, ("spec",)))
    if isinstance(value, (str, int)) and value != "":
        alike = [
            (_likeness(_keys(place), keys), place)
            for place, held in places
            if type(held) is type(value) and held == value
        ]
        telling = isinstance(value, str) and len(value) >= _TELLING
        best = _best(alike[::-1] if last else alike, least=0 if telling else 1)
        if best is not None:
            return best
    elif value is ABSENT or value == "":
        empty = [(_likeness(_keys(place), keys), place) for place, held in places if held is None or held == ""]
        best = _best(empty, least=1)
        if best is not None:
            return best
    if exactly:
        return None
    named = _element(places, compiled, path)
    if named is not None:
        return named
    # Quantities and the like are written anew, so the way there must do.
    return _best([(_likeness(_keys(place), keys), place) for place, _ in places], least=2)


def _element(places: list[tuple[Path, Any]], compiled: Object, path: Path) -> Path | None:
    """Return a place below the element of a list that has the name of the one around ``path``."""
    for end in range(len(path), 0, -1):
        if not isinstance(path[end - 1], int):
            continue
        element = _at(compiled, path[:end])
        if not isinstance(element, dict):
            continue
        field = next((field for field in IDENTITIES if element.get(field)), path[end] if end < len(path) else "")
        alike = [
            (_likeness(_keys(place), _keys(path[:end])) + _shared(held, element), place)
            for place, held in places
            # Of one that has no name, the one that is most like it.
            if isinstance(held, dict) and (held.get(field) or None) == (element.get(field) or None)
            if _likeness(_keys(place), _keys(path[:end]))
        ]
        best = _best(alike)
        if best is not None:
            return (*best, *path[end:])
    return None


def _shared(one: dict[str, Any], other: dict[str, Any]) -> int:
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


def _likeness(one: list[str], other: list[str]) -> int:
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
