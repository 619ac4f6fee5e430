"""Read plain data (mappings, lists and scalars) whose values may be missing or of another type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .span import Path


def mapping(value: Any) -> Mapping[str, Any]:
    """Return ``value`` if it is a mapping, otherwise an empty mapping."""
    return value if isinstance(value, dict) else {}


def text_at(data: Mapping[str, Any], key: str) -> str:
    """Return the string at ``key``, or an empty string if there is no string."""
    value = data.get(key)
    return value if isinstance(value, str) else ""


def listed(value: Any) -> list[Any]:
    """Return ``value`` if it is a list, otherwise an empty list."""
    return value if isinstance(value, list) else []


def value_at(data: Any, path: Path) -> Any:
    """Return the value at ``path``, or ``None`` if the data has no such path."""
    for step in path:
        if isinstance(data, dict):
            data = data.get(step)
        elif isinstance(data, list) and isinstance(step, int) and step < len(data):
            data = data[step]
        else:
            return None
    return data


def expanded(data: Any, path: Path) -> list[Path]:
    """Return the paths that match ``path`` and have a value other than null. ``*`` matches any entry of a list."""
    if "*" not in path:
        return [path] if value_at(data, path) is not None else []
    above, below = path[: path.index("*")], path[path.index("*") + 1 :]
    entries = range(len(listed(value_at(data, above))))
    return [each for number in entries for each in expanded(data, (*above, number, *below))]


def walk(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield path and value of ``value`` itself, and then of each value inside it, in the order of the text."""
    yield path, value
    if isinstance(value, dict):
        for key, item in value.items():
            yield from walk(item, (*path, key))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from walk(item, (*path, i))


def written_path(value: Any, path: Path) -> Path:
    """Return the longest beginning of ``path`` that exists in ``value``, with keys as ``value`` spells them.

    A key of ``path`` also matches a key that differs only in case.
    """
    out: list[str | int] = []
    for step in path:
        if isinstance(value, dict) and isinstance(step, str):
            key = step if step in value else next((name for name in value if str(name).lower() == step.lower()), None)
            if key is None:
                break
        elif isinstance(value, list) and isinstance(step, int) and 0 <= step < len(value):
            key = step
        else:
            break
        out.append(key)
        value = value[key]
    return tuple(out)
