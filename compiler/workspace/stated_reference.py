"""What a resource names: its references as it states them, before anybody looks whether they lead anywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from ..diagnostics.span import Path


class ReferenceField(NamedTuple):
    """A field that names another object.

    Attributes:
        steps: From the root of the object to the text that is the name; ``*`` stands for each item of a list or value
            of a map.
        kind: The kind that it names.
        key: The field beside it that names a key of a Secret or ConfigMap.
        key_default: The key that counts where that field is missing or empty.
        when: A field beside it, and the text that it must hold for the name to be a reference.
    """

    steps: tuple[str, ...]
    kind: str
    key: str | None
    key_default: str | None
    when: tuple[str, str] | None


class Named(NamedTuple):
    """One name that a resource states.

    Attributes:
        path: The field that holds the name.
        kind: The kind that it must lead to.
        name: The name.
        key: The key of the Secret or ConfigMap that is asked for, where one is; empty where the text says so and no
            default takes its place.
        key_path: The field that holds the key.
    """

    path: Path
    kind: str
    name: str
    key: str | None
    key_path: Path | None


class _Way(NamedTuple):
    """A way from a mapping to the names that one field holds.

    Attributes:
        field: What it names.
        steps: Down from mapping to mapping.
        each: The way on from every item of the list, or value of the mapping, that stands there; None: a name does.
        place: Where the name stands, if that is the same in all objects: the way leads through no list.
    """

    field: ReferenceField
    steps: tuple[str, ...]
    each: _Way | None
    place: Path | None = None


_SPEC: Final[Path] = ("spec",)
_ways: dict[str, dict[str, list[_Way]]] = {}


def reference_fields(kind: str) -> tuple[ReferenceField, ...]:
    """Return the fields of ``kind`` that name other objects, in the order of declaration; none for other kinds."""
    from ...schemas._reference import REFERENCES

    return tuple(ReferenceField(*row) for row in REFERENCES.get(kind, ()))


def names_in(kind: str, data: Any) -> tuple[Named, ...]:
    """Return what an object of ``kind`` names, in the order of its kind's fields."""
    ways = _ways.get(kind)
    if ways is None:
        ways = _ways[kind] = _ways_below_spec(kind)
    spec = data.get("spec") if ways else None
    if not isinstance(spec, dict):
        return ()
    found: list[Named] = []
    for field, below in ways.items():
        if field in spec:
            for way in below:
                _follow(way, spec, _SPEC, found)
    return tuple(found)


def _ways_below_spec(kind: str) -> dict[str, list[_Way]]:
    """Return the ways to all names of a kind, by the field of ``spec`` with which they begin.

    In the order of the kind's fields, of which those that begin alike stand together.
    """
    ways: dict[str, list[_Way]] = {}
    for field in reference_fields(kind):
        top, *_ = steps = field.steps[1:]
        way = _way(field, steps)
        ways.setdefault(top, []).append(way if way.each else way._replace(place=field.steps))
    return ways


def _way(field: ReferenceField, steps: tuple[str, ...]) -> _Way:
    if "*" not in steps:
        return _Way(field, steps, None)
    at = steps.index("*")
    return _Way(field, steps[:at], _way(field, steps[at + 1 :]))


def _follow(way: _Way, start: Any, path: Path, found: list[Named]) -> None:
    """Collect the names to which ``way`` leads from ``start``, which stands at ``path``."""
    field, steps, each, place = way
    value = holder = start
    for step in steps:
        if not isinstance(value, dict):
            return
        holder = value
        value = holder.get(step)
    if each is not None:
        items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, item in items:
            _follow(each, item, (*path, *steps, key), found)
    elif isinstance(value, str) and value:
        _, kind, asked, _, when = field
        if when is None or holder.get(when[0]) == when[1]:
            place = place or (*path, *steps)
            key, key_path = (None, None) if asked is None else _key_beside(holder, place, field)
            found.append(Named(place, kind, value, key, key_path))


def _key_beside(parent: Any, path: Path, field: ReferenceField) -> tuple[str | None, Path | None]:
    """Return the key that stands beside the name at ``path``, and its place; the default if it is missing or empty."""
    key = parent.get(field.key) if isinstance(parent, dict) else None
    if isinstance(key, str) and field.key is not None and (key or field.key_default is None):
        return key, (*path[:-1], field.key)
    return (field.key_default, path) if field.key_default is not None else (None, None)
