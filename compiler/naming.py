"""What a resource names: its references as it states them, before anybody looks whether they lead anywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from .tables import reference_fields

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .source import Path


class Named(NamedTuple):
    """One name that a resource gives.

    Attributes:
        path: The field that holds the name.
        kind: The kind that it must lead to.
        name: The name.
        key: The key of the Secret or ConfigMap that is asked for, where one is.
        key_path: The field that holds the key.
    """

    path: Path
    kind: str
    name: str
    key: str | None
    key_path: Path | None


def names_in(kind: str, data: Any) -> tuple[Named, ...]:
    """Give what an object of ``kind`` names, in the order of its kind's fields."""
    return tuple(_names_in(kind, data))


def _names_in(kind: str, data: Any) -> Iterator[Named]:
    for field in reference_fields(kind):
        for path, name in walk(data, field.steps):
            if not isinstance(name, str) or not name or not _counts(data, path, field.when):
                continue
            key = None if field.key is None else key_of(data, path, field.key, field.key_default)
            yield Named(path, field.kind, name, *(key or (None, None)))


def walk(data: Any, steps: tuple[str, ...], at: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Give every value under ``steps``, with its path; ``*`` stands for each item of a list or value of a mapping."""
    if not steps:
        yield at, data
        return
    step, rest = steps[0], steps[1:]
    if step != "*":
        if isinstance(data, dict) and step in data:
            yield from walk(data[step], rest, (*at, step))
    elif isinstance(data, list):
        for i, item in enumerate(data):
            yield from walk(item, rest, (*at, i))
    elif isinstance(data, dict):
        for key, value in data.items():
            yield from walk(value, rest, (*at, key))


def key_of(data: Any, path: Path, field: str, default: str | None) -> tuple[str, Path] | None:
    """Give the key that stands beside the name at ``path``, and its place; the default where it is missing or empty."""
    parent = data
    for step in path[:-1]:
        parent = parent[step]
    key = parent.get(field) if isinstance(parent, dict) else None
    if isinstance(key, str) and key:
        return key, (*path[:-1], field)
    return (default, path) if default is not None else None


def _counts(data: Any, path: Path, when: tuple[str, str] | None) -> bool:
    """Tell whether the field beside a name, on which it depends whether the name refers to anything, says so."""
    if when is None:
        return True
    parent = data
    for step in path[:-1]:
        parent = parent[step]
    return bool(parent.get(when[0]) == when[1])
