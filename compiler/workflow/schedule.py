"""In which order the steps of a composite tool run."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .model import Step, Workflow


def levels(workflow: Workflow) -> list[list[Step]]:
    """Give the steps in the groups that run at once, one group after the other.

    A step comes as early as its dependencies allow; its place in the list does not matter. Steps of a cycle, and those
    that wait for one, are left out.
    """
    depth = workflow.depths
    groups: list[list[Step]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for step in workflow.by_id.values():
        if step.id in depth:
            groups[depth[step.id]].append(step)
    return groups


def depths(steps: Mapping[str, Step]) -> Mapping[str, int]:
    """Give the number of the group of each step, by its id; steps that can never run are left out."""
    waiting = {step.id: {name for name in step.depends_on if name in steps} for step in steps.values()}
    followers: dict[str, list[str]] = {}
    for name, needed in waiting.items():
        for other in sorted(needed):
            followers.setdefault(other, []).append(name)
    depth: dict[str, int] = {}
    ready = [name for name, needed in waiting.items() if not needed]
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


def cycle(workflow: Workflow) -> list[str]:
    """Give the steps of a cycle of dependencies, each waiting for the next and the last for the first; or nothing."""
    depth = workflow.depths
    name = next((name for name in workflow.by_id if name not in depth), None)
    # Whatever cannot run waits for something that cannot run: walking along comes back to itself.
    way: dict[str, None] = {}
    while name is not None and name not in way:
        way[name] = None
        name = next(
            other for other in workflow.by_id[name].depends_on if other in workflow.by_id and other not in depth
        )
    return [] if name is None else list(way)[list(way).index(name) :]
