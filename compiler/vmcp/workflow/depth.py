"""Compute the order in which steps that wait for one another can run."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping


def depths(dependencies: Mapping[str, Collection[str]]) -> dict[str, int]:
    """Return the zero-based number of the group in which each step can run, by name of the step.

    Steps in a cycle, and steps that wait for them, are left out.

    Args:
        dependencies: The steps that each step waits for, by name. Unknown names are ignored.
    """
    waiting: dict[str, set[str]] = {}
    followers: dict[str, list[str]] = {}
    ready: list[str] = []
    for name, others in dependencies.items():
        needed = {other for other in others if other in dependencies} if others else None
        if not needed:
            ready.append(name)
            continue
        waiting[name] = needed
        for other in sorted(needed):
            followers.setdefault(other, []).append(name)
    depth: dict[str, int] = {}
    level = 0
    while ready:
        depth.update(dict.fromkeys(ready, level))
        following = []
        for done in ready:
            for name in followers.get(done, ()):
                waiting[name].discard(done)
                if not waiting[name]:
                    following.append(name)
        ready = following
        level += 1
    return depth
