"""Tool filters and overrides of proxies, from an MCPToolConfig."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .build import Object, omit_empty

if TYPE_CHECKING:
    from ..models.mcptoolconfig import MCPToolConfigSpec, ToolOverride
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace


class Tools(NamedTuple):
    """The tool settings of a proxy.

    Attributes:
        filter: The tools that are offered, in the stated order.
        overrides: The overrides by the tool's original name, sorted.
    """

    filter: list[str]
    overrides: dict[str, ToolOverride]

    def __bool__(self) -> bool:
        return bool(self.filter or self.overrides)


def of_proxy(workspace: Workspace, resource: Resource) -> Tools:
    """Return the tool settings that a proxy's ``toolConfigRef`` refers to; empty without a reference."""
    config: Resource[MCPToolConfigSpec] | None = workspace.target(resource, "spec", "toolConfigRef", "name")
    if config is None:
        return Tools([], {})
    overrides = config.spec.get("toolsOverride") or {}
    ordered = {name: overrides[name] for name in sorted(overrides, key=str.encode)}
    return Tools(list(config.spec.get("toolsFilter") or ()), ordered)


def run_config(tools: Tools) -> Object:
    """Return ``tools_filter`` and ``tools_override`` of a RunConfig. The operator drops the annotations."""
    overrides = {
        name: omit_empty({"name": override.get("name"), "description": override.get("description")})
        for name, override in tools.overrides.items()
    }
    return omit_empty({"tools_filter": tools.filter, "tools_override": overrides or None})


def middleware_parameters(tools: Tools) -> Object:
    """Return the parameters of the tool filter middleware. Empty values are written too."""
    return {
        "filter_tools": tools.filter or None,
        "tools_override": {
            name: {"name": override.get("name", ""), "description": override.get("description", "")}
            for name, override in tools.overrides.items()
        },
    }
