"""Rules about faults in the spec of a VirtualMCPServer that the operator refuses before it resolves references."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.diagnostics.fault_to_finding import finding_of, stated
from ...compiler.emit import vmcpauth
from ..placeholder import has_placeholder
from ..rule import rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.models.composite import VirtualMCPCompositeToolDefinitionSpec
    from ...compiler.models.embeddedauth import EmbeddedAuthServerConfig
    from ...compiler.models.virtualmcpserver import VirtualMCPServerSpec
    from ...compiler.models.vmcp import AggregationConfig, VMCPConfig
    from ..rule import Check, Finding, Path, Resource, Workspace

NAME_IT = "name one, or remove the reference"

SPEC_MISSING = rule("VMC001 virtual-server-without-spec", "operator", "A VirtualMCPServer has no spec, or no group")
AUTH_REF_MISSING = rule(
    "VMC002 backend-auth-without-reference", "operator", "The reference for backend authentication is missing"
)
ORDER_MISSING = rule(
    "VMC003 priority-without-order",
    "operator",
    "Conflicts between tool names are resolved by priority, but no order is set",
)
NAME_EMPTY = rule("VMC004 empty-name", "operator", "A field that must name something is empty")
DUPLICATE_TOOL = rule(
    "VMC005 duplicate-composite-tool", "operator", "Two composite tools of one virtual server have the same name"
)
NO_EMBEDDING = rule(
    "VMC006 optimizer-without-embedding", "operator", "The optimizer is on, but nothing computes embeddings for it"
)

CONFIG: Path = ("spec", "config")


def check(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report faults of a VirtualMCPServer that the operator's validation refuses."""
    if not resource.spec.get("groupRef"):
        yield resource.finding(SPEC_MISSING, stated(resource, ("spec",)), "no group is named", hint="add spec.groupRef")
        return
    yield from _backend_references(resource)
    config: VMCPConfig = resource.spec.get("config") or {}
    yield from _aggregation(resource, config.get("aggregation") or {})
    yield from _duplicates(resource, workspace, config)
    yield from _embedding(resource, config)
    server = resource.spec.get("authServerConfig")
    if server:
        yield from _storage(resource, server)


def _storage(resource: Resource, server: EmbeddedAuthServerConfig) -> Iterator[Finding]:
    from ...compiler.vmcp.auth_server import storage_faults

    for fault in storage_faults(server):
        if not has_placeholder(server["storage"]):
            yield finding_of(resource, fault, ("spec", "authServerConfig", *fault.path))


def _backend_references(resource: Resource[VirtualMCPServerSpec]) -> Iterator[Finding]:
    for place, entry in vmcpauth.entries(resource):
        wanted = entry.get("type") == "externalAuthConfigRef"
        if wanted and not (entry.get("externalAuthConfigRef") or {}).get("name"):
            at = stated(resource, (*place, "externalAuthConfigRef", "name"))
            message = f"{_entry_name(place)} refers to no MCPExternalAuthConfig"
            yield resource.finding(AUTH_REF_MISSING, at, message, hint="set externalAuthConfigRef.name")


def _entry_name(place: Path) -> str:
    return "the default" if place[-1] == "default" else f'the entry of "{place[-1]}"'


def _aggregation(resource: Resource, given: AggregationConfig) -> Iterator[Finding]:
    path: Path = (*CONFIG, "aggregation")
    detail = given.get("conflictResolutionConfig")
    if given.get("conflictResolution") == "priority" and detail is not None and not detail.get("priorityOrder"):
        at = stated(resource, (*path, "conflictResolutionConfig", "priorityOrder"))
        message = "conflicts are resolved by priority, but priorityOrder is empty"
        yield resource.finding(ORDER_MISSING, at, message, hint="list the backends, highest priority first")
    for i, entry in enumerate(given.get("tools") or ()):
        if not entry.get("workload"):
            message, at = f"entry {i} of tools names no workload", (*path, "tools", i, "workload")
            yield resource.finding(NAME_EMPTY, at, message, hint="name a member of the group")
        shared = entry.get("toolConfigRef")
        if shared is not None and not shared.get("name"):
            at = (*path, "tools", i, "toolConfigRef", "name")
            yield resource.finding(NAME_EMPTY, at, "the reference to an MCPToolConfig is empty", hint=NAME_IT)


def _duplicates(resource: Resource, workspace: Workspace, config: VMCPConfig) -> Iterator[Finding]:
    """Report names that two composite tools share. A referenced definition counts with the name in its spec."""
    first: dict[str, Path] = {}
    for i, tool in enumerate(config.get("compositeTools") or ()):
        path: Path = (*CONFIG, "compositeTools", i, "name")
        yield from _again(resource, tool.get("name") or "", path, first)
    for i, ref in enumerate(config.get("compositeToolRefs") or ()):
        path = (*CONFIG, "compositeToolRefs", i, "name")
        if not ref.get("name"):
            yield resource.finding(NAME_EMPTY, path, f"reference {i} to a composite tool is empty", hint=NAME_IT)
            continue
        definition: Resource[VirtualMCPCompositeToolDefinitionSpec] | None = workspace.target(resource, *path)
        if definition is not None:
            yield from _again(resource, definition.spec.get("name") or "", path, first)


def _again(resource: Resource, name: str, path: Path, first: dict[str, Path]) -> Iterator[Finding]:
    if not name or has_placeholder(name):
        return
    before = first.setdefault(name, path)
    if before != path:
        notes = (resource.note("the first is here", before),)
        message = f'two composite tools are called "{name}"'
        yield resource.finding(DUPLICATE_TOOL, path, message, hint="rename or remove one", notes=notes)


def _embedding(resource: Resource[VirtualMCPServerSpec], config: VMCPConfig) -> Iterator[Finding]:
    reference, optimizer = resource.spec.get("embeddingServerRef"), config.get("optimizer")
    if reference is not None and not reference.get("name"):
        path: Path = ("spec", "embeddingServerRef", "name")
        yield resource.finding(NAME_EMPTY, path, "the reference to an EmbeddingServer is empty", hint=NAME_IT)
    if optimizer is not None and reference is None and not optimizer.get("embeddingService"):
        message = "the optimizer is enabled, but there is no embedding service"
        hint = "set spec.embeddingServerRef or config.optimizer.embeddingService"
        yield resource.finding(NO_EMBEDDING, (*CONFIG, "optimizer"), message, hint=hint, on="key")


CHECKS: dict[str, tuple[Check, ...]] = {"VirtualMCPServer": (check,)}
