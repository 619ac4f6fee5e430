"""Compute which tools and composite tools the clients of a virtual server see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.plain import listed, mapping
from ..diagnostics.shown import shown
from ..toolhive.release import NEWEST_MODELLED
from ..vmcp.workflow.model import read
from .block import well_typed
from .tools import Aggregation, BackendTool, aggregate

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ..vmcp.workflow.model import Workflow
    from .backend import Backend


@dataclass(frozen=True, slots=True)
class Offer:
    """The offered and withheld composite tools.

    Attributes:
        offered: The names of offered tools, in the order of the configuration.
        withheld: The reason for each tool that is not offered, by its name.
    """

    offered: tuple[str, ...]
    withheld: Mapping[str, str]


def offer(aggregation: Aggregation, workflows: Iterable[Workflow]) -> Offer:
    """Return which composite tools clients can see.

    A composite tool is offered if every tool that it calls can be routed, including hidden tools. If a composite tool
    has the same name as a backend's tool, no composite tool is offered.
    """
    workflows = list(workflows)
    clash = next((workflow.name for workflow in workflows if workflow.name in aggregation.tools), None)
    if clash is not None:
        reason = f"a backend has a tool {shown(clash)} as well, which drops all composite tools"
        return Offer((), {workflow.name: reason for workflow in workflows})
    withheld = {}
    for workflow in workflows:
        missing = [tool for tool in _called_tools(workflow) if not is_routable(aggregation, tool)]
        if missing:
            withheld[workflow.name] = f"no backend has the tool {shown(missing[0])}"
    return Offer(tuple(workflow.name for workflow in workflows if workflow.name not in withheld), withheld)


def is_routable(aggregation: Aggregation, tool: str) -> bool:
    """Return whether a step can call ``tool``, which is a name for clients or ``BACKEND.TOOL``."""
    backend, _, called_name = tool.partition(".")
    return tool in aggregation.tools or any(
        routed_tool.backend == backend and routed_tool.called_name == called_name
        for routed_tool in aggregation.tools.values()
    )


def _called_tools(workflow: Workflow) -> list[str]:
    tools = []
    for step in workflow.steps:
        if step.kind == "tool":
            tools.append(step.tool)
        elif step.kind == "forEach" and step.inner is not None:
            tools.append(step.inner.tool)
    return tools


OPTIMIZER_TOOLS: Final = ("find_tool", "call_tool")
"""The only tools that clients see if the optimizer is enabled. Other tools are called through them."""


@dataclass(frozen=True, slots=True)
class Session:
    """A session of a client.

    Attributes:
        strategy: The strategy that resolves conflicts between tools with the same name.
        backends: The backends with their tools.
        aggregation: The aggregated tools of the backends.
        composites: The offered and withheld composite tools.
        has_optimizer: True if clients only see ``OPTIMIZER_TOOLS``.
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
        """The names of tools that composite tools can call but clients do not see."""
        return tuple(name for name in self.aggregation.tools if name not in self.aggregation.advertised)

    @property
    def routed(self) -> Mapping[str, BackendTool]:
        """The tool of a backend for each name that clients and composite tools can call."""
        return self.aggregation.tools


def session(config: Mapping[str, Any], backends: Sequence[Backend], release: str = NEWEST_MODELLED) -> Session:
    """Compute the tools and composite tools that the clients of a virtual server see.

    Args:
        config: The configuration of the vMCP process, from the operator or from a separate file.
        backends: The backends. If two have the same name, the last counts.
        release: The release of the operator.
    """
    aggregation = well_typed(mapping(config.get("aggregation")))
    aggregated = aggregate(aggregation, {backend.name: backend.tools for backend in backends}, release)
    workflows = [read(tool) for tool in listed(config.get("compositeTools")) if isinstance(tool, dict)]
    return Session(
        strategy=aggregation["conflictResolution"] or "prefix",
        backends=tuple(backends),
        aggregation=aggregated,
        composites=offer(aggregated, workflows),
        has_optimizer=isinstance(config.get("optimizer"), dict),
    )
