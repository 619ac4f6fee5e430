"""Rules about compute resources that were probably intended for the MCP server but apply to its proxy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..pod import server_has
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.models.mcpserver import MCPServerSpec
    from ..rule import Check, Finding, Resource, Workspace

PROXY_ONLY = rule(
    "RES002 resources-of-proxy-only",
    "lint",
    "spec.resources limits the proxy, and the server has no limits",
    is_one_change=True,
)

FIELD = ("spec", "resources")


@reads("resources")
def check(resource: Resource[MCPServerSpec], _: Workspace) -> Iterator[Finding]:
    """Report compute resources of an MCPServer that only apply to its proxy, because the server has none."""
    if resource.spec["resources"] and not server_has(resource.spec, "resources"):
        message = "spec.resources applies to the proxy, and the server has no limits"
        hint = "set resources of the container mcp in podTemplateSpec"
        yield resource.finding(PROXY_ONLY, FIELD, message, hint=hint, on="key")


CHECKS: dict[str, tuple[Check, ...]] = {"MCPServer": (check,)}
