"""Check the ``aggregation`` block of a vMCP configuration like the validator of the process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.fault import Fault
from ..diagnostics.finding import rule
from ..diagnostics.plain import listed, mapping
from ..diagnostics.shown import shown
from ..diagnostics.version import RECORDED
from .authentication import one_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ..diagnostics.span import Path

RESOLUTION = rule(
    "VMC105 conflict-resolution-incomplete",
    "process",
    "The resolution of tool name conflicts is incomplete",
    verified=RECORDED,
)
WORKLOAD = rule(
    "VMC106 duplicate-workload-entry",
    "process",
    "Two entries of aggregation.tools name the same backend, or one names none",
    verified=RECORDED,
)
OVERRIDE = rule(
    "VMC107 override-of-annotations-only",
    "process",
    "An override of a tool sets neither a name nor a description",
    verified=RECORDED,
)
HIDDEN_WINNER = rule(
    "VMC236 hidden-priority-winner",
    "process",
    "A backend has priority for tool names, but exposes no tools",
    since="0.42.1",
    verified=("0.42.1", "0.44.0"),
)


RESOLUTIONS: Final = ("prefix", "priority", "manual")
VISIBILITIES: Final = ("allow", "deny")


def aggregation_faults(given: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield the faults of ``aggregation`` that the validator refuses. Paths begin with ``aggregation``."""
    path: Path = ("aggregation",)
    strategy = given.get("conflictResolution")
    yield from one_of((*path, "conflictResolution"), strategy, RESOLUTIONS, RESOLUTION)
    detail, tools = given.get("conflictResolutionConfig"), listed(given.get("tools"))
    place = (*path, "conflictResolutionConfig")
    if detail is None:
        hint = "write conflictResolutionConfig, at least {}"
        yield Fault(place, RESOLUTION, "conflictResolutionConfig is missing", hint)
    elif strategy == "prefix" and not detail.get("prefixFormat"):
        message = "names are prefixed, but prefixFormat is empty"
        yield Fault((*place, "prefixFormat"), RESOLUTION, message, 'write prefixFormat: "{workload}_"')
    elif strategy == "priority" and not detail.get("priorityOrder"):
        message = "conflicts are resolved by priority, but there is no priorityOrder"
        yield Fault((*place, "priorityOrder"), RESOLUTION, message, "list the backends, highest priority first")
    if strategy == "manual" and not tools:
        message = "conflicts are resolved manually, but no tools are listed"
        yield Fault((*path, "tools"), RESOLUTION, message, "list the renamed tools under tools")
    visibility = given.get("defaultToolVisibility")
    if visibility:
        yield from one_of((*path, "defaultToolVisibility"), visibility, VISIBILITIES, RESOLUTION)
    if strategy == "priority" and visibility == "deny":
        yield from _hidden_backend_faults(
            listed(mapping(detail).get("priorityOrder")), tools, (*place, "priorityOrder")
        )
    yield from _tools(tools, (*path, "tools"))


def _hidden_backend_faults(order: Sequence[Any], tools: Sequence[Mapping[str, Any]], path: Path) -> Iterator[Fault]:
    """Yield a fault for each backend in ``priorityOrder`` whose tools are hidden, as they are by default."""
    listing = [entry.get("workload") for entry in tools]
    for number, workload in enumerate(order):
        if workload not in listing:
            message = f"{shown(workload)} has priority, but exposes no tools: defaultToolVisibility is deny"
            hint = "add an entry for it under aggregation.tools, or remove it from priorityOrder"
            yield Fault((*path, number), HIDDEN_WINNER, message, hint)


def _tools(tools: Sequence[Mapping[str, Any]], path: Path) -> Iterator[Fault]:
    seen: dict[str, int] = {}
    for i, entry in enumerate(tools):
        workload = entry.get("workload")
        if not workload:
            message = f"entry {i} of tools names no workload"
            yield Fault((*path, i, "workload"), WORKLOAD, message, "name a backend")
        elif seen.setdefault(workload, i) != i:
            message = f"{shown(workload)} already has an entry: tools[{seen[workload]}]"
            yield Fault((*path, i, "workload"), WORKLOAD, message, "merge the two entries")
        for name, override in mapping(entry.get("overrides")).items():
            if not override or not (override.get("name") or override.get("description")):
                message = f"the override of {shown(name)} sets neither a name nor a description"
                hint = "repeat the tool's own name or description: annotations alone are refused"
                yield Fault((*path, i, "overrides", name), OVERRIDE, message, hint)
