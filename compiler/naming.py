"""What a resource names: its references as it states them, before anybody looks whether they lead anywhere."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from .tables import reference_fields

if TYPE_CHECKING:
    from .source import Path
    from .tables import ReferenceField


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


class _Tree:
    """Where names may stand: what an object lacks is passed by at once.

    Attributes:
        path: How to get here from the root, where that is the same in all objects: not by way of an item of a list.
        fields: What lies below a field of a mapping.
        each: What lies below every item of a list, or every value of a mapping.
        names: What a text here names, each with its number in the order of the kind's fields.
    """

    __slots__ = ("each", "fields", "names", "path")

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.fields: dict[str, _Tree] = {}
        self.each: _Tree | None = None
        self.names: list[tuple[int, ReferenceField]] = []


_trees: dict[str, _Tree] = {}


def names_in(kind: str, data: Any) -> tuple[Named, ...]:
    """Give what an object of ``kind`` names, in the order of its kind's fields."""
    tree = _trees.get(kind)
    if tree is None:
        tree = _trees[kind] = _tree(kind)
    if not tree.fields:
        return ()
    found: list[tuple[int, Named]] = []
    _walk(data, tree, (), found)
    if len(found) > 1:
        found.sort(key=itemgetter(0))
    return tuple([one for _, one in found])


def _tree(kind: str) -> _Tree:
    tree = _Tree(())
    for number, field in enumerate(reference_fields(kind)):
        below = tree
        for step in field.steps:
            if step == "*":
                below.each = below.each or _Tree(None)
                below = below.each
            else:
                path = None if below.path is None else (*below.path, step)
                below = below.fields.setdefault(step, _Tree(path))
        below.names.append((number, field))
    return tree


def _walk(data: Any, tree: _Tree, path: Path, found: list[tuple[int, Named]]) -> None:
    """Collect the names in a mapping or list that stands at ``path``."""
    if isinstance(data, dict):
        for step, below in tree.fields.items():
            value = data.get(step)
            if value is not None:
                _take(value, below, below.path or (*path, step), data, found)
        if tree.each is not None:
            for name, item in data.items():
                _take(item, tree.each, (*path, name), data, found)
    elif isinstance(data, list) and tree.each is not None:
        for number, item in enumerate(data):
            _take(item, tree.each, (*path, number), data, found)


def _take(value: Any, tree: _Tree, path: Path, parent: Any, found: list[tuple[int, Named]]) -> None:
    """Collect the name that ``value`` is, or those in it."""
    if not isinstance(value, str):
        _walk(value, tree, path, found)
        return
    for number, field in tree.names if value else ():
        if field.when is None or parent.get(field.when[0]) == field.when[1]:
            key, key_path = (None, None) if field.key is None else _key_beside(parent, path, field)
            found.append((number, Named(path, field.kind, value, key, key_path)))


def _key_beside(parent: Any, path: Path, field: ReferenceField) -> tuple[str | None, Path | None]:
    """Give the key that stands beside the name at ``path``, and its place; the default where it is missing or empty."""
    key = parent.get(field.key) if isinstance(parent, dict) else None
    if isinstance(key, str) and key and field.key is not None:
        return key, (*path[:-1], field.key)
    return (field.key_default, path) if field.key_default is not None else (None, None)
