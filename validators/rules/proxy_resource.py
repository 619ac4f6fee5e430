"""Computing resources that were meant for a server and go to its proxy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcpcfg.compiler.finding import Rule
from mcpcfg.validators.pod import server_has
from mcpcfg.validators.rule import reads

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcpcfg.compiler.finding import Finding
    from mcpcfg.compiler.models.mcpserver import MCPServerSpec
    from mcpcfg.compiler.resource import Resource
    from mcpcfg.compiler.workspace import Workspace
    from mcpcfg.validators.rule import Check

PROXY_ONLY = Rule(
    id="RES002",
    name="resources-of-proxy-only",
    stage="lint",
    severity="warning",
    title="spec.resources limit the proxy, and the server has no limits.",
    doc="""`spec.resources` of MCPServers are set, and their `podTemplateSpec` sets none for the container `mcp`.

Flagged: an MCPServer that has `spec.resources` and no `resources` for the container `mcp` of its `podTemplateSpec`.

Why it bites: these amounts go to the small proxy in front. The server itself runs without requests and limits; it may
use all memory of its node, and is the first to be evicted. The CRD's own text says otherwise.

Example: `resources: {limits: {memory: 2Gi}}` for a server that needs two gigabytes.

Cure: set `podTemplateSpec.spec.containers` with `name: mcp` and its `resources`; leave `spec.resources` for the proxy.

Source: the Deployment and the backend of an MCPServer, v0.21.0.
""",
    is_one_change=True,
)
RULES = (PROXY_ONLY,)

FIELD = ("spec", "resources")


@reads("resources")
def check(resource: Resource[MCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report resources of an MCPServer that are those of its proxy alone."""
    del workspace
    if resource.spec["resources"] and not server_has(resource.spec, "resources"):
        message = "spec.resources are those of the proxy, the server has none"
        hint = "set resources of the container mcp in podTemplateSpec"
        yield resource.finding(PROXY_ONLY, FIELD, message, hint=hint, on="key")


CHECKS: dict[str, tuple[Check, ...]] = {"MCPServer": (check,)}
