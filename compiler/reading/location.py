"""Find the node of the value at a path of the data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .data import key_name
from .node import Location

if TYPE_CHECKING:
    from ..diagnostics.span import Path
    from .node import Dialect, Node


def locate(root: Node, path: Path, dialect: Dialect) -> Location:
    """Return the location at ``path``, or at its longest existing part. Aliases and merges are followed."""
    location = Location(root, root, is_whole=True)
    for step in path:
        target = target_of(location.value)
        inner = _item(target, step) if target.kind == "sequence" else _entry(target, step, dialect)
        if inner is None:
            return location._replace(is_whole=False)
        location = inner
    return location


def target_of(node: Node) -> Node:
    """Return the node that an alias refers to, or the node itself."""
    target: Node = node.value if node.kind == "alias" else node
    return target


def _item(node: Node, step: str | int) -> Location | None:
    if not isinstance(step, int) or not 0 <= step < len(node.value):
        return None
    item: Node = node.value[step]
    return Location(item, item, is_whole=True)


def _entry(node: Node, step: str | int, dialect: Dialect) -> Location | None:
    if node.kind != "mapping" or not isinstance(step, str):
        return None
    if node.entries is None:
        node.entries = {}
        for key, value in node.value:
            name = _name(key, dialect)
            if name is not None:
                node.entries[name] = (key, value)  # of a key that stands twice the last one counts, if any does
    pair = node.entries.get(step)
    if pair is not None:
        return Location(pair[1], pair[0], is_whole=True)
    for source in _merged(node):
        location = _entry(target_of(source), step, dialect)
        if location is not None:
            return location
    return None


def _merged(node: Node) -> list[Node]:
    """Return the mappings that are merged into ``node``, by decreasing precedence of their keys."""
    merged: list[Node] = []
    for key, value in reversed(node.value):
        if key.kind == "scalar" and key.plain and key.value == "<<":
            merged.extend(value.value if value.kind == "sequence" else [value])
    return merged


def _name(key: Node, dialect: Dialect) -> str | None:
    target = target_of(key)
    return key_name(target, dialect) if target.kind == "scalar" else None
