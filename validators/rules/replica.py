"""Rules about replicas that do not share sessions or do not start, and session stores that the proxy refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.diagnostics.shown import shown
from ...compiler.diagnostics.version import RECORDED
from ...compiler.toolhive.connection import REDIS_BLOCK, key_prefix_fault, redis_fault
from ...compiler.toolhive.release import SESSION_PASSWORD_SINCE
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.models.mcpserver import MCPServerSpec
    from ...compiler.models.spec import ProxySpec
    from ...compiler.models.virtualmcpserver import VirtualMCPServerSpec
    from ..rule import Check, Finding, Resource, Workspace

NO_STORAGE = rule(
    "SES001 replicas-without-session-storage",
    "operator",
    "Several replicas do not share their sessions",
    severity="warning",
)
CAPPED = rule(
    "SES002 capped-stdio-replicas",
    "operator",
    "A server with transport stdio gets one replica, whatever replicas says",
    severity="warning",
)

UNUSED_PASSWORD = rule(
    "SES003 unused-redis-password",
    "lint",
    "The Redis password of an MCPServer's session storage is never used",
    is_one_change=True,
    until=SESSION_PASSWORD_SINCE,
)
REFUSED = rule(
    "SES004 refused-session-storage",
    "process",
    "The proxy of an MCPServer refuses the configuration of its session storage",
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
        yield resource.finding(NO_STORAGE, path, message, hint=f"write {REDIS_BLOCK}")


@reads("replicas")
def check_virtual_server(resource: Resource[VirtualMCPServerSpec], _: Workspace) -> Iterator[Finding]:
    """Report replicas of a virtual server that do not share sessions."""
    replicas = resource.spec["replicas"]
    if isinstance(replicas, int) and replicas > 1 and _forgets_sessions(resource.spec):
        message = f"{replicas} replicas do not share their sessions without Redis"
        yield resource.finding(NO_STORAGE, ("spec", "replicas"), message, hint=f"write {REDIS_BLOCK}")


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
