"""What a resource names: its references as it states them, before anybody looks whether they lead anywhere."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

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


Tree: TypeAlias = "dict[str, Tree | list[tuple[int, ReferenceField]]]"
"""Fields by the steps to them, each with its number: what an object lacks is passed by at once. ``""`` ends a path."""

_trees: dict[str, Tree] = {}


def names_in(kind: str, data: Any) -> tuple[Named, ...]:
    """Give what an object of ``kind`` names, in the order of its kind's fields."""
    tree = _trees.get(kind)
    if tree is None:
        tree = _trees[kind] = _tree(kind)
    found: list[tuple[int, Named]] = []
    _walk(data, tree, (), None, found)
    if len(found) > 1:
        found.sort(key=itemgetter(0))
    return tuple([one for _, one in found])


def _tree(kind: str) -> Tree:
    tree: Tree = {}
    for number, field in enumerate(reference_fields(kind)):
        below: Any = tree
        for step in field.steps:
            below = below.setdefault(step, {})
        below.setdefault("", []).append((number, field))
    return tree


def _walk(data: Any, tree: Any, path: Path, parent: Any, found: list[tuple[int, Named]]) -> None:
    """Collect the names in ``data``; ``*`` in the tree stands for each item of a list or value of a mapping."""
    for step, below in tree.items():
        if step == "":
            if isinstance(data, str) and data:
                for number, field in below:
                    if field.when is None or parent.get(field.when[0]) == field.when[1]:
                        key = None if field.key is None else _key_beside(parent, path, field)
                        found.append((number, Named(path, field.kind, data, *(key or (None, None)))))
        elif step != "*":
            if isinstance(data, dict) and step in data:
                _walk(data[step], below, (*path, step), data, found)
        elif isinstance(data, list):
            for number, item in enumerate(data):
                _walk(item, below, (*path, number), data, found)
        elif isinstance(data, dict):
            for name, item in data.items():
                _walk(item, below, (*path, name), data, found)


def _key_beside(parent: Any, path: Path, field: ReferenceField) -> tuple[str, Path] | None:
    """Give the key that stands beside the name at ``path``, and its place; the default where it is missing or empty."""
    key = parent.get(field.key) if isinstance(parent, dict) else None
    if isinstance(key, str) and key and field.key is not None:
        return key, (*path[:-1], field.key)
    return (field.key_default, path) if field.key_default is not None else None
