"""Parse and check composite tools for rules."""

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
    from ..compiler.vmcp.workflow.judge import CheckedWorkflow
    from ..compiler.workspace.resource import Resource
    from ..compiler.workspace.workspace import Workspace


DECISIVE: Final = frozenset({"id", "dependsOn", "type", "action", "name", "steps"})
"""Fields on which other fields of a composite tool depend. If one is unknown, nothing is reported about the tool."""


def checked_tool(tool: CompositeToolConfig) -> CheckedWorkflow:
    """Return the parsed composite tool with its faults."""
    from ..compiler.vmcp.workflow.judge import CheckedWorkflow

    return CheckedWorkflow(tool)


def checked_definition(definition: Resource[VirtualMCPCompositeToolDefinitionSpec]) -> CheckedWorkflow:
    """Return the parsed composite tool of a definition with its faults. Call it by `Resource.once`, which caches it."""
    return checked_tool(definition.spec)


def is_sound(definition: Resource[VirtualMCPCompositeToolDefinitionSpec], workspace: Workspace) -> bool:
    """Return whether both the operator and the start of the vMCP process accept a definition."""
    return not workspace.is_refused(definition) and not definition.once(checked_definition).refusals


def certain_refusals(checked: CheckedWorkflow, wrong: Sequence[Path] = ()) -> list[Fault]:
    """Return the faults that refuse a composite tool, without those that an unknown value may cause.

    The list is empty if the other fields of the tool depend on an unknown value.

    Args:
        wrong: Paths in the tool that are already reported. Their correct values are unknown too.
    """
    tool = checked.workflow.raw
    gaps = [*wrong, *(_unknown_places(tool) if is_unfilled(tool) else ())]
    if not gaps:
        return checked.refusals
    if any(is_decisive(gap) for gap in gaps):
        return []
    rest = cast("CompositeToolConfig", deepcopy(tool))
    for gap in gaps:
        holder: Any = value_at(rest, gap[:-1])
        if isinstance(holder, dict):
            holder.pop(gap[-1], None)
        elif isinstance(holder, list):
            holder[gap[-1]] = None
    return [fault for fault in checked_tool(rest).refusals if not follows(fault.path, gaps)]


def is_decisive(gap: Path) -> bool:
    """Return whether other fields of a composite tool depend on the value at the path ``gap``."""
    field = next((step for step in reversed(gap) if isinstance(step, str)), "steps")
    return field in DECISIVE or any(isinstance(step, str) and "${" in step for step in gap)


def follows(path: Path, gaps: Iterable[Path]) -> bool:
    """Return whether one of ``gaps`` may cause a fault: its path is at the gap, inside it, or directly above it."""
    return any(path in (gap, gap[:-1]) or path[: len(gap)] == gap for gap in gaps)


def _unknown_places(tool: Any) -> Iterator[Path]:
    items: list[tuple[Path, Any]] = [((), tool)]
    for path, item in items:  # the list grows by the values inside each item
        if isinstance(item, dict):
            items += [((*path, key), value) for key, value in item.items()]
            yield from ((*path, key) for key in item if "${" in key)
        elif isinstance(item, list):
            items += [((*path, i), value) for i, value in enumerate(item)]
        elif isinstance(item, str) and is_unfilled(item):
            yield path
