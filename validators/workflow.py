"""Composite tools as rules judge them: those of a definition once, whichever rule asks."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any, Final, cast

from ..compiler.diagnostics.plain import value_at
from .placeholder import is_unfilled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..compiler.diagnostics.fault import Fault
    from ..compiler.diagnostics.span import Path
    from ..compiler.models.composite import CompositeToolConfig, VirtualMCPCompositeToolDefinitionSpec
    from ..compiler.workflow.judge import CheckedWorkflow
    from ..compiler.workspace.resource import Resource
    from ..compiler.workspace.workspace import Workspace


DECISIVE: Final = frozenset({"id", "dependsOn", "type", "action", "name", "steps"})
"""Fields of a composite tool on which the rest of it depends: if one is unknown, nothing is reported of the tool."""


def judged(tool: CompositeToolConfig) -> CheckedWorkflow:
    """Read a composite tool, and find what refuses it."""
    from ..compiler.workflow.judge import CheckedWorkflow

    return CheckedWorkflow(tool)


def judged_definition(definition: Resource[VirtualMCPCompositeToolDefinitionSpec]) -> CheckedWorkflow:
    """Return what a definition holds; for `Resource.once`."""
    return judged(definition.spec)


def is_sound(definition: Resource[VirtualMCPCompositeToolDefinitionSpec], workspace: Workspace) -> bool:
    """Return whether nothing refuses a definition: what the operator makes of it is then as sound as itself."""
    return not workspace.is_refused(definition) and not definition.once(judged_definition).refusals


def known_refusals(found: CheckedWorkflow, wrong: Sequence[Path] = ()) -> list[Fault]:
    """Return what refuses a composite tool, without what follows from values that are unknown.

    Args:
        found: The tool.
        wrong: Places in it that are reported already; what they should hold is unknown too.
    """
    tool = found.workflow.raw
    gaps = [*wrong, *(_unknown_places(tool) if is_unfilled(tool) else ())]
    if not gaps:
        return found.refusals
    if any(is_decisive(gap) for gap in gaps):
        return []
    rest = cast("CompositeToolConfig", deepcopy(tool))
    for gap in gaps:
        holder: Any = value_at(rest, gap[:-1])
        if isinstance(holder, dict):
            holder.pop(gap[-1], None)
        elif isinstance(holder, list):
            holder[gap[-1]] = None
    return [fault for fault in judged(rest).refusals if not follows(fault.path, gaps)]


def is_decisive(gap: Path) -> bool:
    """Return whether a place in a composite tool decides what the rest of the tool means."""
    field = next((step for step in reversed(gap) if isinstance(step, str)), "steps")
    return field in DECISIVE or any(isinstance(step, str) and "${" in step for step in gap)


def follows(path: Path, gaps: Iterable[Path]) -> bool:
    """Return whether a fault may come from one of ``gaps``: it is at the gap, below, or at what holds the gap."""
    return any(path in (gap, gap[:-1]) or path[: len(gap)] == gap for gap in gaps)


def _unknown_places(tool: Any) -> Iterator[Path]:
    """Yield the places of unknown texts and keys."""
    items: list[tuple[Path, Any]] = [((), tool)]
    for path, item in items:  # which grows by what is within
        if isinstance(item, dict):
            items += [((*path, key), value) for key, value in item.items()]
            yield from ((*path, key) for key in item if "${" in key)
        elif isinstance(item, list):
            items += [((*path, i), value) for i, value in enumerate(item)]
        elif isinstance(item, str) and is_unfilled(item):
            yield path
