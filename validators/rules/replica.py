"""Rules about replicas that do not share sessions or do not start, and session stores that the proxy refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.diagnostics.shown import shown
from ...compiler.diagnostics.version import RECORDED
from ...compiler.toolhive.connection import key_prefix_fault, redis_fault
from ...compiler.toolhive.release import SESSION_PASSWORD_SINCE
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.models.mcpserver import MCPServerSpec
    from ...compiler.models.spec import ProxySpec
    from ...compiler.models.virtualmcpserver import VirtualMCPServerSpec
    from ..rule import Check, Finding, Resource, Workspace

NO_STORAGE = rule(
    "SES001",
    "replicas-without-session-storage",
    "Several replicas do not share their sessions",
    stage="operator",
    severity="warning",
    checks="`replicas` above 1 on an MCPServer, MCPRemoteProxy or VirtualMCPServer whose `sessionStorage` is missing or"
    " has a provider other than `redis`.",
    why="A client whose next request reaches another replica has no session there. The operator records it as a warning"
    " (SessionStorageWarning) and goes on.",
    example="replicas: 3   # and no sessionStorage",
    fix="Set `sessionStorage` with provider `redis` and its address.",
    source="The controllers of MCPServer and VirtualMCPServer, v0.21.0, and of MCPRemoteProxy, v0.30.0, in the"
    " operator.",
)
CAPPED = rule(
    "SES002",
    "capped-stdio-replicas",
    "A server with transport stdio gets one replica, whatever replicas says",
    stage="operator",
    severity="warning",
    checks="`replicas` above 1 on an MCPServer with transport `stdio`, which is also the default.",
    why="The proxy is attached to the one process behind it. The operator starts one replica, and records that in a"
    " condition (StdioReplicaCapped).",
    example="replicas: 2   # and no transport, so it is stdio",
    fix="Remove `replicas`, or use a transport over HTTP.",
    source="The controller of MCPServer in the operator, v0.21.0.",
)

UNUSED_PASSWORD = rule(
    "SES003",
    "unused-redis-password",
    "The Redis password of an MCPServer's session storage is never used",
    stage="lint",
    checks="`sessionStorage.passwordRef` of an MCPServer with provider `redis`.",
    why="The operator writes the address into the configuration, but passes the password on neither there nor in the"
    " proxy's environment (for a VirtualMCPServer it does). A Redis that requires a password refuses the proxy.",
    example='sessionStorage: {provider: redis, address: "redis:6379", passwordRef: {name: redis, key: password}}',
    fix="Use a Redis that needs no password and that only the proxies can reach, and remove `passwordRef`.",
    source="The Deployment of an MCPServer, v0.21.0.",
    is_one_change=True,
    until=SESSION_PASSWORD_SINCE,
)
REFUSED = rule(
    "SES004",
    "refused-session-storage",
    "The proxy of an MCPServer refuses the configuration of its session storage",
    stage="process",
    checks="`sessionStorage` of an MCPServer with provider `redis`: an `address` that is not a host and a port, and a"
    " `keyPrefix` that does not end with a colon.",
    why="The operator does not check this. The proxy refuses it when it starts, before it connects, and its pod crashes"
    " in a loop.",
    example="sessionStorage: {provider: redis, address: redis, keyPrefix: fetch}",
    fix='Write `address: "redis:6379"` and `keyPrefix: "fetch:"`.',
    source="The session storage of the proxy, v0.21.0.",
    verified=RECORDED,
)

HINTS = {"address": "write HOST:PORT, such as redis:6379", "keyPrefix": "add a colon at its end"}


@reads("replicas")
def check_replicas(resource: Resource[ProxySpec], _: Workspace) -> Iterator[Finding]:
    """Report replicas that do not share sessions, and replicas that never start because stdio allows only one."""
    spec = resource.spec
    replicas = spec["replicas"]
    transport = spec.get("transport") or "stdio"
    if replicas <= 1 or is_placeholder(transport):
        return
    path = ("spec", "replicas")
    if transport == "stdio" and resource.kind == "MCPServer":
        message = f"{replicas} replicas are requested, but transport stdio gets one"
        yield resource.finding(CAPPED, path, message, hint="remove replicas, or use a transport over HTTP")
        return
    if _forgets_sessions(spec):
        message = f"{replicas} replicas have no shared session storage"
        yield resource.finding(NO_STORAGE, path, message, hint="set sessionStorage with provider redis")


@reads("replicas")
def check_virtual_server(resource: Resource[VirtualMCPServerSpec], _: Workspace) -> Iterator[Finding]:
    """Report replicas of a virtual server that do not share sessions."""
    replicas = resource.spec["replicas"]
    if isinstance(replicas, int) and replicas > 1 and _forgets_sessions(resource.spec):
        message = f"{replicas} replicas do not share their sessions without Redis"
        hint = "set sessionStorage.provider to redis"
        yield resource.finding(NO_STORAGE, ("spec", "replicas"), message, hint=hint)


def _forgets_sessions(spec: ProxySpec | VirtualMCPServerSpec) -> bool:
    provider = (spec.get("sessionStorage") or {}).get("provider") or ""
    return provider != "redis" and not is_placeholder(provider)


@reads("sessionStorage")
def check_password(resource: Resource[MCPServerSpec], _: Workspace) -> Iterator[Finding]:
    """Report a password of the session storage that no process receives."""
    storage = resource.spec["sessionStorage"]
    if storage.get("provider") == "redis" and "passwordRef" in storage:
        path = ("spec", "sessionStorage", "passwordRef")
        message = "the proxy of an MCPServer does not get this password"
        hint = "use a Redis without a password that only proxies can reach"
        yield resource.finding(UNUSED_PASSWORD, path, message, hint=hint, on="key")


@reads("sessionStorage")
def check_storage(resource: Resource[MCPServerSpec], _: Workspace) -> Iterator[Finding]:
    """Report a Redis address or a key prefix of the session storage that keeps the proxy from starting."""
    storage = resource.spec["sessionStorage"]
    if storage.get("provider") != "redis":
        return
    address, prefix = storage.get("address") or "", storage.get("keyPrefix") or ""
    for field, text, fault in (
        ("address", address, redis_fault(address)),
        ("keyPrefix", prefix, key_prefix_fault(prefix)),
    ):
        if fault is not None and not is_placeholder(text):
            path = ("spec", "sessionStorage", field)
            yield resource.finding(REFUSED, path, f"{field} {shown(text)} {fault}", hint=HINTS[field])


CHECKS: dict[str, tuple[Check, ...]] = {
    "MCPServer": (check_replicas, check_password, check_storage),
    "MCPRemoteProxy": (check_replicas,),
    "VirtualMCPServer": (check_virtual_server,),
}
