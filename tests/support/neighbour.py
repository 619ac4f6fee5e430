"""Lists in plain data, and what one entry more does to paths into them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Place: TypeAlias = tuple[str | int, ...]


def lists(value: Any, path: Place = ()) -> Iterator[tuple[Place, list[Any]]]:
    """Yield all lists of plain data, each with the path to it."""
    if isinstance(value, list):
        yield path, value
    inner = enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
    for step, one in inner:
        yield from lists(one, (*path, step))


def unnumbered(path: Place) -> Place:
    return tuple("" if isinstance(step, int) else step for step in path)


def moved(path: Place, below: Place) -> Place:
    """Return a path once there is one entry more at the beginning of a list."""
    step = path[len(below)] if path[: len(below)] == below and len(path) > len(below) else None
    return (*below, step + 1, *path[len(below) + 1 :]) if isinstance(step, int) else path


def lists_around(paths: Iterable[Place]) -> list[Place]:
    """Return the lists that paths lead through."""
    return sorted({path[:end] for path in paths for end in range(len(path)) if isinstance(path[end], int)}, key=str)
