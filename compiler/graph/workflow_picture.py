"""A drawing of a composite tool: steps from top to bottom, parallel steps side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnostics.named_tuple import NamedTuple

if TYPE_CHECKING:
    from .graph import ToolStep, WorkflowPicture

WIDTH, HEIGHT = 140, 50
"""The size of a step's box in pixels."""
GAP, LEVEL_GAP = 14, 34
"""Pixels between boxes side by side, and between rows, where arrows bend."""
MARGIN = 4
"""Pixels around the picture."""


class StepBox(NamedTuple):
    """A step and the position of its upper left corner, in pixels."""

    step: ToolStep
    x: int
    y: int


class Picture(NamedTuple):
    """A laid out composite tool: boxes of steps, and arrows as SVG paths from a step to the steps that depend on it."""

    name: str
    boxes: tuple[StepBox, ...]
    arrows: tuple[str, ...]
    width: int
    height: int


def picture(workflow: WorkflowPicture) -> Picture:
    """Return the layout of a composite tool's steps. Steps of a cycle are below all other steps."""
    rows = _levels(workflow)
    widest = max(map(len, rows), default=0)
    width = widest * (WIDTH + GAP) - GAP + 2 * MARGIN if widest else 0
    boxes = tuple(
        StepBox(
            step,
            MARGIN + place * (WIDTH + GAP) + (widest - len(row)) * (WIDTH + GAP) // 2,
            MARGIN + level * (HEIGHT + LEVEL_GAP),
        )
        for level, row in enumerate(rows)
        for place, step in enumerate(row)
    )
    by_id: dict[str, StepBox] = {}
    for box in boxes:
        by_id.setdefault(box.step.id, box)
    arrows = tuple(
        _arrow(by_id[other], box) for box in boxes for other in dict.fromkeys(box.step.depends_on) if other in by_id
    )
    height = len(rows) * (HEIGHT + LEVEL_GAP) - LEVEL_GAP + 2 * MARGIN if rows else 0
    return Picture(workflow.name, boxes, arrows, width, height)


def _levels(workflow: WorkflowPicture) -> list[list[ToolStep]]:
    """Return the steps in groups that run in parallel. The last group has the steps of cycles, and steps after them."""
    steps = workflow.steps
    step_ids = {step.id for step in steps}
    waiting = [{other for other in step.depends_on if other in step_ids} for step in steps]
    followers: dict[str, list[int]] = {}
    for number, others in enumerate(waiting):
        for other in others:
            followers.setdefault(other, []).append(number)
    rows: list[list[int]] = []
    row = [number for number, others in enumerate(waiting) if not others]
    placed: set[int] = set()
    while row:
        rows.append(row)
        placed.update(row)
        following: set[int] = set()
        for done in row:
            for number in followers.get(steps[done].id, ()):
                waiting[number].discard(steps[done].id)
                if not waiting[number] and number not in placed:
                    following.add(number)
        row = sorted(following)
    left = [number for number in range(len(steps)) if number not in placed]
    return [[steps[number] for number in row] for row in (*rows, left) if row]


def _arrow(source: StepBox, target: StepBox) -> str:
    x1, y1 = source.x + WIDTH // 2, source.y + HEIGHT
    x2, y2 = target.x + WIDTH // 2, target.y
    bend = (y1 + y2) // 2
    if source.y + HEIGHT + LEVEL_GAP < target.y and source.x == target.x:
        # Draw the arrow next to the boxes in between.
        side = source.x - MARGIN // 2
        # It starts and ends 10 pixels right of their left edge, and bends within 20 pixels, less than LEVEL_GAP.
        return f"M{source.x + 10},{y1} C{side},{y1 + 20} {side},{y2 - 20} {target.x + 10},{y2}"
    return f"M{x1},{y1} C{x1},{bend} {x2},{bend} {x2},{y2}"
