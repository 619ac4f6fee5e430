"""Compute the order in which the steps of a composite tool run."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .model import Step, Workflow


def levels(workflow: Workflow) -> list[list[Step]]:
    """Return the groups of steps that run at the same time, in the order of the groups.

    A step runs as early as its dependencies allow, independently of its position in the list. Steps in a cycle, and
    steps that wait for them, are left out.
    """
    depth = workflow.depths
    groups: list[list[Step]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for step in workflow.by_id.values():
        if step.id in depth:
            groups[depth[step.id]].append(step)
    return groups


def cycle(workflow: Workflow) -> list[str]:
    """Return the ids of steps that each wait for the next, and the last for the first, or an empty list."""
    if _is_in_order(workflow):
        return []
    depth = workflow.depths
    name = next((name for name in workflow.by_id if name not in depth), None)
    # Whatever cannot run waits for something that cannot run: walking along comes back to itself.
    visited: dict[str, None] = {}
    while name is not None and name not in visited:
        visited[name] = None
        name = next(
            other for other in workflow.by_id[name].depends_on if other in workflow.by_id and other not in depth
        )
    return [] if name is None else list(visited)[list(visited).index(name) :]


def _is_in_order(workflow: Workflow) -> bool:
    """Return whether each step is listed after the steps that it waits for, so there is no cycle."""
    before: set[str] = set()
    for name, step in workflow.by_id.items():
        for other in step.depends_on:
            if other not in before and other in workflow.by_id:
                return False
        before.add(name)
    return True
