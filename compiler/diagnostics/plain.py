"""Plain data of which a part may be missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .span import Path


def mapping(value: Any) -> Mapping[str, Any]:
    """Take ``value`` for an empty mapping where it is none."""
    return value if isinstance(value, dict) else {}


def text_at(data: Mapping[str, Any], key: str) -> str:
    """Return the text at ``key``, an empty one where there is none."""
    value = data.get(key)
    return value if isinstance(value, str) else ""


def listed(value: Any) -> list[Any]:
    """Take ``value`` for an empty list where it is none."""
    return value if isinstance(value, list) else []


def value_at(data: Any, path: Path) -> Any:
    """Return the value at ``path``, ``None`` where there is none."""
    for step in path:
        if isinstance(data, dict):
            data = data.get(step)
        elif isinstance(data, list) and isinstance(step, int) and step < len(data):
            data = data[step]
        else:
            return None
    return data


def walk(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield all that a value holds, itself first, in the order of the text."""
    yield path, value
    if isinstance(value, dict):
        for key, held in value.items():
            yield from walk(held, (*path, key))
    elif isinstance(value, list):
        for i, held in enumerate(value):
            yield from walk(held, (*path, i))


def written_path(value: Any, path: Path) -> Path:
    """Return a path as the document spells its keys, which may be in any case, up to where it ends."""
    out: list[str | int] = []
    for step in path:
        if isinstance(value, dict) and isinstance(step, str):
            key = step if step in value else next((one for one in value if str(one).lower() == step.lower()), None)
            if key is None:
                break
        elif isinstance(value, list) and isinstance(step, int) and 0 <= step < len(value):
            key = step
        else:
            break
        out.append(key)
        value = value[key]
    return tuple(out)
