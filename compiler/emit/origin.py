"""Find the field that a compiled value comes from, in the compiled resource or in a resource that it refers to.

Compile steps do not record the field. They keep most values unchanged, under the same key or in an element with the
same name, so the field can be searched for. It is needed only for values that are refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.plain import walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ..diagnostics.span import Path
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace
    from .build import Object

ABSENT: Final = object()
"""The value at a path that an object does not have."""
IDENTITIES: Final = ("name", "mountPath", "containerPort", "key", "ip", "topologyKey")
"""Fields that distinguish the elements of a list."""
RENAMED: Final = {"serviceAccountName": "serviceAccount", "secretName": "name", "claimName": "name", "storage": "size"}
"""Fields of Kubernetes objects, with their names in the operator's models."""
GROUP: Final[Path] = ("spec", "groupRef", "name")
_MOST_REFERENCED: Final = 200
"""Maximum number of referenced resources that are searched, because a group may have any number of members."""
_DISTINCTIVE_LENGTH: Final = 4
"""The minimum length of a text that is unlikely to appear under another key by chance."""
Places: TypeAlias = "Mapping[tuple[str, ...], Sequence[tuple[int, Path]]]"
"""Paths grouped by their keys, without list indexes: the first and last path, each after its ordinal number."""


class Origin(NamedTuple):
    """The field that a compiled value comes from.

    Attributes:
        path: The path in the compiled resource, of the field or of the reference to ``target``.
        target: The referenced resource with the field, or ``None`` if the compiled resource has it.
        place: The path of the field in ``target``; empty without a target.
    """

    path: Path
    target: Resource | None = None
    place: Path = ()


def origin(
    workspace: Workspace, resource: Resource, compiled: Object, path: Path, *, last: bool = False
) -> Origin | None:
    """Return the field that the value at ``path`` of a compiled object comes from, or ``None`` if it is not found.

    Args:
        path: The path in the object. The value there may be missing.
        last: True to prefer the last of several equally likely fields to the first.
    """
    if path in {("metadata", "name"), ("metadata", "namespace")}:
        return Origin(path)
    place_in_resource = _source_path(resource, compiled, path, last=last)
    if place_in_resource is not None:
        return Origin(place_in_resource)
    for reference, target in _referenced(workspace, resource):
        place = _source_path(target, compiled, path, exactly=True)
        if place is not None:
            return Origin(reference, target, place)
    value = _at(compiled, path)
    return Origin(("metadata", "name")) if isinstance(value, str) and resource.name in value else None


def _referenced(workspace: Workspace, resource: Resource) -> Iterator[tuple[Path, Resource]]:
    """Yield the resources that a resource refers to, each with the path of the reference.

    The group of a virtual server is followed by its members and the resources that these refer to. They come with the
    path of the reference to the group.
    """
    for reference in workspace.references(resource):
        if reference.target is None or reference.problem is not None:
            continue
        yield reference.path, reference.target
        if reference.path == GROUP and resource.kind == "VirtualMCPServer":
            for member in cast("list[Resource]", workspace.members(reference.target, resource))[:_MOST_REFERENCED]:
                yield reference.path, member
                for member_reference in workspace.references(member):
                    if member_reference.target is not None and member_reference.problem is None:
                        yield reference.path, member_reference.target


def _source_path(
    resource: Resource, compiled: Object, path: Path, *, exactly: bool = False, last: bool = False
) -> Path | None:
    """Return the path in a resource that the compiled value at ``path`` most likely comes from, or ``None``.

    If ``exactly`` is true, only fields with the same value are considered.
    """
    value, keys = _at(compiled, path), _keys(path)
    by_value = resource.once(_paths_by_value)
    if isinstance(value, (str, int)) and value != "":
        is_distinctive = isinstance(value, str) and len(value) >= _DISTINCTIVE_LENGTH
        best = _most_alike(by_value.get((type(value), value), {}), keys, least=0 if is_distinctive else 1, last=last)
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
    # Quantities and similar values change their notation, so only the keys can be compared.
    return _most_alike(by_value[ABSENT], keys, least=2)


def _paths_by_value(resource: Resource) -> Mapping[Any, Places]:
    """Return the paths in a spec, grouped by the type and value of the scalar at the path.

    The group `ABSENT` has the paths of all values, and the group ``None`` the paths of null and empty texts. A spec may
    have thousands of paths and as many faults, so only the first and last path with the same keys are kept.
    """
    spec: Any = resource.spec
    groups: dict[Any, dict[tuple[str, ...], list[tuple[int, Path]]]] = {}
    for number, (path, value) in enumerate(walk(spec, ("spec",))):
        keys = tuple(_keys(path))
        scalar = ABSENT if isinstance(value, dict | list) else None if value in (None, "") else (type(value), value)
        for group in {ABSENT, scalar}:
            groups.setdefault(group, {}).setdefault(keys, [(number, path), (number, path)])[1] = (number, path)
    return groups


def _mappings(resource: Resource) -> Sequence[tuple[Path, Mapping[Any, Any]]]:
    spec: Any = resource.spec
    return [(path, value) for path, value in walk(spec, ("spec",)) if isinstance(value, dict)]


def _most_alike(places: Places, keys: Sequence[str], *, least: int, last: bool = False) -> Path | None:
    """Return the path that shares the most trailing keys with ``keys``, or ``None`` if it shares fewer than ``least``.

    Of paths that share equally many, the first is returned, or the last if ``last`` is true.
    """
    rated = [(*ends[last], _likeness(place_keys, keys)) for place_keys, ends in places.items()]
    rated.sort(key=lambda place: place[0], reverse=last)
    return _best([(rate, path) for _, path, rate in rated], least=least)


def _element(mappings: Sequence[tuple[Path, Mapping[Any, Any]]], compiled: Object, path: Path) -> Path | None:
    """Return the path in a resource that corresponds to ``path``, which leads into a list element of a compiled object.

    Elements correspond if they have the same name. The result is ``None`` if the resource has no such element.
    """
    for end in range(len(path), 0, -1):
        if not isinstance(path[end - 1], int):
            continue
        element = _at(compiled, path[:end])
        if not isinstance(element, dict):
            continue
        field = next((field for field in IDENTITIES if element.get(field)), path[end] if end < len(path) else "")
        keys = _keys(path[:end])
        alike = [
            (_likeness(_keys(place), keys) + _equality_score(mapping, element), place)
            for place, mapping in mappings
            # An element without a name corresponds to the most similar mapping without a name.
            if (mapping.get(field) or None) == (element.get(field) or None)
            if _likeness(_keys(place), keys)
        ]
        best = _best(alike)
        if best is not None:
            return (*best, *path[end:])
    return None


def _equality_score(mapping: Mapping[Any, Any], other: Mapping[Any, Any]) -> int:
    return sum(
        1 if other.get(key) == value else -1 for key, value in mapping.items() if not isinstance(value, list | dict)
    )


def _at(value: Any, path: Path) -> Any:
    for step in path:
        try:
            value = value[step]
        except (LookupError, TypeError):
            return ABSENT
    return value


def _keys(path: Path) -> list[str]:
    return [RENAMED.get(step, step) for step in path if isinstance(step, str)]


def _likeness(keys: Sequence[str], other: Sequence[str]) -> int:
    count = 0
    for mine, theirs in zip(reversed(keys), reversed(other), strict=False):
        if mine != theirs:
            break
        count += 1
    return count


def _best(rated: list[tuple[int, Path]], *, least: int | None = None) -> Path | None:
    highest = max((rate for rate, _ in rated), default=None)
    if highest is None or (least is not None and highest < least):
        return None
    return next(place for rate, place in rated if rate == highest)
