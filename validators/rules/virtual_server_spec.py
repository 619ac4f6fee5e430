"""Rules about faults in the spec of a VirtualMCPServer that the operator refuses before it resolves references."""

from __future__ import annotations

from functools import partial
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

SOURCE = "Validation of VirtualMCPServer in the operator, v0.21.0."
FAILED = "The API server stores the resource; the operator then sets it to Failed and starts no pod."
NAME_IT = "name one, or remove the reference"

operator_rule = partial(rule, stage="operator", why=FAILED, source=SOURCE)
SPEC_MISSING = operator_rule(
    "VMC001",
    "virtual-server-without-spec",
    "A VirtualMCPServer has no spec, or no group",
    checks="A VirtualMCPServer without `spec`. The schema does not require it.",
    example="""
        kind: VirtualMCPServer
        metadata: {name: team}
        """,
    fix="Add a spec with `groupRef` and `incomingAuth`.",
)
AUTH_REF_MISSING = operator_rule(
    "VMC002",
    "backend-auth-without-reference",
    "The reference for backend authentication is missing",
    checks="`outgoingAuth.default` or an entry of `outgoingAuth.backends` of type `externalAuthConfigRef` that names"
    " no MCPExternalAuthConfig.",
    example="""
        outgoingAuth:
          backends:
            github: {type: externalAuthConfigRef}
        """,
    fix="Name the MCPExternalAuthConfig under `externalAuthConfigRef.name`, or use type `discovered`.",
)
ORDER_MISSING = operator_rule(
    "VMC003",
    "priority-without-order",
    "Conflicts between tool names are resolved by priority, but no order is set",
    checks="`aggregation.conflictResolution: priority` with a `conflictResolutionConfig` whose `priorityOrder` is"
    " empty.",
    example="""
        aggregation:
          conflictResolution: priority
          conflictResolutionConfig: {}
        """,
    fix="List the backends under `priorityOrder`, highest priority first.",
)
NAME_EMPTY = operator_rule(
    "VMC004",
    "empty-name",
    "A field that must name something is empty",
    checks="An empty `aggregation.tools[].workload`, `toolConfigRef.name`, `embeddingServerRef.name` or"
    " `compositeToolRefs[].name`. The schema accepts the empty string.",
    example='embeddingServerRef: {name: ""}',
    fix="Fill in the name, or remove the reference.",
)
DUPLICATE_TOOL = operator_rule(
    "VMC005",
    "duplicate-composite-tool",
    "Two composite tools of one virtual server have the same name",
    checks="A name that occurs twice among `config.compositeTools` and the definitions that `compositeToolRefs` name;"
    " also a definition that is referred to twice.",
    example="""
        compositeTools:
        - name: report
          …
        - name: report
          …
        """,
    fix="Rename one of the tools, or remove it.",
)
NO_EMBEDDING = operator_rule(
    "VMC006",
    "optimizer-without-embedding",
    "The optimizer is on, but nothing computes embeddings for it",
    checks="`config.optimizer` with neither `spec.embeddingServerRef` nor `config.optimizer.embeddingService`.",
    example="""
        config:
          optimizer: {maxToolsToReturn: 8}
        """,
    fix="Refer to an EmbeddingServer under `spec.embeddingServerRef`, or set the URL of an embedding service under"
    " `embeddingService`.",
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
