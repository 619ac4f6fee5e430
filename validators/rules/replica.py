"""Replicas that share no sessions, or that the operator does not start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.diagnostics.finding import rule
from ...compiler.diagnostics.placeholder import is_placeholder
from ..rule import reads

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.diagnostics.finding import Finding
    from ...compiler.models.mcpserver import MCPServerSpec
    from ...compiler.workspace.resource import Resource
    from ...compiler.workspace.workspace import Workspace
    from ..rule import Check

NO_STORAGE = rule(
    "SES001",
    "replicas-without-session-storage",
    "Several replicas of a proxy do not share their sessions",
    stage="operator",
    severity="warning",
    checks="`replicas` above 1 on an MCPServer whose `sessionStorage` is missing or not of provider `redis`.",
    why="A client whose next request reaches another replica gets the answer that its session does not exist. The"
    " operator records it as a warning (SessionStorageWarning) and goes on.",
    example="replicas: 3   # and no sessionStorage",
    fix="Set `sessionStorage` with provider `redis` and its address.",
    source="The controller of MCPServer in the operator, v0.21.0.",
)
CAPPED = rule(
    "SES002",
    "capped-stdio-replicas",
    "A server with transport stdio gets one replica, whatever is configured",
    stage="operator",
    severity="warning",
    checks="`replicas` above 1 on an MCPServer with transport `stdio`, also where the transport is not stated.",
    why="The proxy is attached to the one process behind it. The operator starts one replica, and records it"
    " (StdioReplicaCapped).",
    example="replicas: 2   # and no transport, which is stdio then",
    fix="Remove `replicas`, or use a transport over HTTP.",
    source="The controller of MCPServer in the operator, v0.21.0.",
)
UNUSED_PASSWORD = rule(
    "SES003",
    "unused-redis-password",
    "The Redis password of an MCPServer's session storage is never used",
    stage="lint",
    checks="`sessionStorage.passwordRef` of an MCPServer with provider `redis`.",
    why="The operator puts the address into the configuration, but the password neither there nor into the proxy's"
    " environment (it does so for VirtualMCPServer). A Redis that asks for one refuses the proxy.",
    example='sessionStorage: {provider: redis, address: "redis:6379", passwordRef: {name: redis, key: password}}',
    fix="Use a Redis that needs no password and that only the proxies can reach, and remove `passwordRef`.",
    source="The Deployment of an MCPServer, v0.21.0.",
    is_one_change=True,
)
RULES = (NO_STORAGE, CAPPED, UNUSED_PASSWORD)


@reads("replicas")
def check_replicas(resource: Resource[MCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report replicas that share no sessions, and those that are not started."""
    del workspace
    spec = resource.spec
    replicas = spec["replicas"]
    transport = spec.get("transport") or "stdio"
    if replicas <= 1 or is_placeholder(transport):
        return
    path = ("spec", "replicas")
    if transport == "stdio":
        message = f"{replicas} replicas are asked for, but transport stdio gets one"
        yield resource.finding(CAPPED, path, message, hint="remove replicas, or use a transport over HTTP")
        return
    provider = (spec.get("sessionStorage") or {}).get("provider") or ""
    if provider != "redis" and not is_placeholder(provider):
        message = f"{replicas} replicas have no session storage in common"
        yield resource.finding(NO_STORAGE, path, message, hint="set sessionStorage with provider redis")


@reads("sessionStorage")
def check_password(resource: Resource[MCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report a password that reaches no process."""
    del workspace
    storage = resource.spec["sessionStorage"]
    if storage.get("provider") == "redis" and "passwordRef" in storage:
        path = ("spec", "sessionStorage", "passwordRef")
        message = "the proxy of an MCPServer is not given this password"
        hint = "use a Redis without password that proxies alone can reach"
        yield resource.finding(UNUSED_PASSWORD, path, message, hint=hint, on="key")


CHECKS: dict[str, tuple[Check, ...]] = {"MCPServer": (check_replicas, check_password)}
