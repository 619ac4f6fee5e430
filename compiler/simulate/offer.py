"""Which composite tools a session offers beside the tools of its backends.

Source: docs/operator/virtual-server.md, "Composite tools of a session".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..diagnostics.shown import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..workflow.model import Workflow
    from .tools import Aggregation


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
