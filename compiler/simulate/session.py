"""What the clients of a virtual server see: the tools of its backends, and its composite tools."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.plain import listed, mapping
from ..diagnostics.shown import shown
from ..workflow.model import read
from .block import well_typed
from .tools import Aggregation, Tool, aggregate

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ..workflow.model import Workflow
    from .backend import Backend


@dataclass(frozen=True, slots=True)
class Offer:
    """What becomes of the composite tools.

    Attributes:
        offered: Their names, in order.
        withheld: The names of the others, and why.
    """

    offered: tuple[str, ...]
    withheld: Mapping[str, str]


def offer(aggregation: Aggregation, workflows: Iterable[Workflow]) -> Offer:
    """Return which composite tools are listed to clients.

    A composite tool is offered when every tool that it calls can be routed to; hidden tools can. When one of them has
    the name of a backend's tool, none of them is offered at all.
    """
    workflows = list(workflows)
    clash = next((workflow.name for workflow in workflows if workflow.name in aggregation.tools), None)
    if clash is not None:
        reason = f"a backend has a tool {shown(clash)} as well, which drops all composite tools"
        return Offer((), {workflow.name: reason for workflow in workflows})
    withheld = {}
    for workflow in workflows:
        missing = [tool for tool in _called(workflow) if not is_routable(aggregation, tool)]
        if missing:
            withheld[workflow.name] = f"no backend has the tool {shown(missing[0])}"
    return Offer(tuple(workflow.name for workflow in workflows if workflow.name not in withheld), withheld)


def is_routable(aggregation: Aggregation, tool: str) -> bool:
    """Return whether a step can call ``tool``: by its client's name, or as backend, dot and the backend's own name."""
    backend, _, own_name = tool.partition(".")
    return tool in aggregation.tools or any(
        found.backend == backend and found.own_name == own_name for found in aggregation.tools.values()
    )


def _called(workflow: Workflow) -> list[str]:
    called = []
    for step in workflow.steps:
        if step.kind == "tool":
            called.append(step.tool)
        elif step.kind == "forEach" and step.inner is not None:
            called.append(step.inner.tool)
    return called


OPTIMIZER_TOOLS: Final = ("find_tool", "call_tool")
"""All that clients see where the optimizer is on; the others are found and called through them."""


@dataclass(frozen=True, slots=True)
class Session:
    """A session of a client.

    Attributes:
        strategy: How tools of one name are resolved.
        backends: The backends and their tools.
        aggregation: What becomes of their tools.
        composites: Which composite tools are offered.
        has_optimizer: Clients see ``OPTIMIZER_TOOLS`` alone.
    """

    strategy: str
    backends: Sequence[Backend]
    aggregation: Aggregation
    composites: Offer
    has_optimizer: bool

    @property
    def is_certain(self) -> bool:
        """Whether the tools of every backend are known."""
        return all(backend.is_complete for backend in self.backends)

    @property
    def visible(self) -> tuple[str, ...]:
        """Return the names that ``tools/list`` returns, in order."""
        if self.has_optimizer:
            return OPTIMIZER_TOOLS
        return (*self.aggregation.advertised, *self.composites.offered)

    @property
    def hidden(self) -> tuple[str, ...]:
        """The names of tools that composite tools can call and clients do not see."""
        return tuple(name for name in self.aggregation.tools if name not in self.aggregation.advertised)

    @property
    def routed(self) -> Mapping[str, Tool]:
        """Every name that calls can be routed by, to the tool."""
        return self.aggregation.tools


def session(config: Mapping[str, Any], backends: Sequence[Backend]) -> Session:
    """Compute what the clients of a virtual server see.

    Args:
        config: The configuration of its process; as the operator writes it, or a file that stands alone.
        backends: Its backends; of two with one name the last counts.
    """
    aggregation = well_typed(mapping(config.get("aggregation")))
    found = aggregate(aggregation, {backend.name: backend.tools for backend in backends})
    workflows = [read(tool) for tool in listed(config.get("compositeTools")) if isinstance(tool, dict)]
    return Session(
        strategy=aggregation["conflictResolution"] or "prefix",
        backends=tuple(backends),
        aggregation=found,
        composites=offer(found, workflows),
        has_optimizer=isinstance(config.get("optimizer"), dict),
    )
