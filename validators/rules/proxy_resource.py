"""Computing resources that were meant for a server and go to its proxy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcpcfg.compiler.finding import Rule
from mcpcfg.compiler.source import Span
from mcpcfg.validators.pod import server_has
from mcpcfg.validators.rule import Survey

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcpcfg.compiler.finding import Finding
    from mcpcfg.compiler.resource import Resource
    from mcpcfg.compiler.workspace import Workspace
    from mcpcfg.validators.rule import Check, Noted

PROXY_ONLY = Rule(
    id="RES002",
    name="resources-of-proxy-only",
    stage="lint",
    severity="warning",
    title="spec.resources limit the proxy, and the server has no limits.",
    doc="""`spec.resources` of MCPServers are set, and their `podTemplateSpec` sets none for the container `mcp`.

Flagged: once in each file, at the first MCPServer that has `spec.resources` and no `resources` for the container `mcp`
of its `podTemplateSpec`.

Why it bites: these amounts go to the small proxy in front. The server itself runs without requests and limits; it may
use all memory of its node, and is the first to be evicted. The CRD's own text says otherwise.

Example: `resources: {limits: {memory: 2Gi}}` for a server that needs two gigabytes.

Cure: set `podTemplateSpec.spec.containers` with `name: mcp` and its `resources`; leave `spec.resources` for the proxy.

Source: the Deployment and the backend of an MCPServer, v0.21.0.
""",
)
RULES = (PROXY_ONLY,)

FIELD = ("spec", "resources")


def note_proxy_only(resource: Resource, workspace: Workspace) -> tuple[Any, ...] | None:
    """Note where a server has resources for its proxy alone."""
    del workspace
    if not resource.spec.get("resources") or server_has(resource.spec, "resources"):
        return None
    return (tuple(resource.at(FIELD, "key")), resource.document.index, resource.pointer(FIELD))


def tell_proxy_only(noted: Noted, workspace: Workspace) -> Iterator[Finding]:
    """Tell, once in each file, that the resources of MCPServers are those of their proxies.

    Where many do that nobody looks into all of them again: what a finding takes was noted.
    """
    first: dict[str, tuple[int, Any]] = {}
    others: dict[str, int] = {}
    for position, note in noted.get("MCPServer", ()):
        file = note[0][0]
        others[file] = others.get(file, -1) + 1
        first.setdefault(file, (position, note))
    for file, (position, (place, document, path)) in first.items():
        if not workspace.tells(position):
            continue
        more = f" (and of {others[file]} more in this file)" if others[file] else ""
        message = f"spec.resources are those of the proxy, the server{more} has none"
        hint = "set resources of the container mcp in podTemplateSpec"
        subject = workspace.inventory.subject(position)
        yield PROXY_ONLY.finding(Span(*place), message, document=document, subject=subject, path=path, hint=hint)


CHECKS: dict[str, tuple[Check, ...]] = {}
SURVEYS: tuple[Survey, ...] = (Survey("resources-of-proxy-only", ("MCPServer",), note_proxy_only, tell_proxy_only),)
