"""Find duplicates in lists whose ``x-kubernetes-list-type`` is ``set`` or ``map``."""

from __future__ import annotations

from typing import Any


def repeated(items: list[Any], keys: tuple[str, ...]) -> list[tuple[int, int]]:
    """Return a pair of zero-based positions for each repeated entry: its own, and that of the first equal entry.

    Source: Kubernetes 1.35, apiextensions-apiserver: pkg/apiserver/schema/listtype.

    Args:
        keys: The keys that identify an entry. Without keys, whole entries are compared.
    """
    if len(keys) == 1:
        key = keys[0]
        try:
            names = [item[key] for item in items]
            if len(set(names)) == len(names):
                return []
        except (KeyError, TypeError):
            pass  # an entry is not as it should be, which has its own fault
    elif not keys:
        try:
            if len(set(items)) == len(items):
                return []
        except TypeError:
            pass
    return _repeated(items, keys)


def _repeated(items: list[Any], keys: tuple[str, ...]) -> list[tuple[int, int]]:
    from ..diagnostics.placeholder import is_placeholder

    seen: dict[Any, int] = {}
    out = []
    for i, item in enumerate(items):
        parts = [item.get(key) for key in keys] if keys and isinstance(item, dict) else [] if keys else [item]
        if not parts or not all(isinstance(part, (str, int, float)) for part in parts):
            continue  # has its own fault
        if any(isinstance(part, str) and is_placeholder(part) for part in parts):
            continue
        identity = tuple((type(part), part) for part in parts)
        first = seen.setdefault(identity, i)
        if first != i:
            out.append((i, first))
    return out
