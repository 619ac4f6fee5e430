"""Rules about a virtual server and the members of its group: unknown names, transports and tools."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from ...compiler.diagnostics.named_tuple import NamedTuple
from ...compiler.diagnostics.plain import mapping
from ...compiler.diagnostics.suggestion import VAGUE, as_question, nearest
from ...compiler.emit import vmcpauth
from ...compiler.toolhive.release import PRIORITY_NEEDS_ALL_SINCE
from ...compiler.vmcp.backend import (
    UNKNOWN_WORKLOAD,
    UNROUTABLE,
    called_tools,
    is_routable,
    named_backends,
    tool_prefixes,
)
from ...compiler.workspace.workspace import MEMBER_KINDS
from ..membership import MOST_LISTED, are_members_known, listing, members_by_name
from ..placeholder import has_placeholder
from ..rule import rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ...compiler.models.composite import CompositeToolConfig, VirtualMCPCompositeToolDefinitionSpec
    from ...compiler.models.mcpserver import MCPServerSpec
    from ...compiler.models.spec import MemberSpec
    from ...compiler.models.virtualmcpserver import VirtualMCPServerSpec
    from ...compiler.models.vmcp import AggregationConfig
    from ..rule import Check, Finding, Path, Resource, Workspace

EMPTY_GROUP = rule("VMC216 empty-group", "lint", "The group of a virtual server has no members")

SSE = rule(
    "VMC217 sse-backend", "lint", "A virtual server treats a server that speaks sse as one that speaks streamable-http"
)

UNORDERED = rule(
    "VMC219 member-without-priority",
    "lint",
    "A member of the group is missing from the order of priority",
    severity="info",
)

EXCHANGED_TWICE = rule(
    "VMC245 token-exchanged-twice",
    "lint",
    "The proxy of a group member repeats the token exchange of the virtual server",
)

CONFIG: Path = ("spec", "config")

AGGREGATION: Path = (*CONFIG, "aggregation")

_WITH_PROXY = frozenset({"MCPServer", "MCPRemoteProxy"})
"""Kinds of members whose requests pass a proxy."""

MOST_COMPARED = 200
"""Maximum number of members with which an unknown name is compared, because each comparison takes time."""


class _Group(NamedTuple):
    """The members of a virtual server's group.

    Attributes:
        complete: True if the group surely has no other members.
    """

    members: Mapping[str, Resource[MemberSpec]]
    complete: bool
    named: list[tuple[Path, str]]


def _group(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> _Group:
    group = workspace.target(resource, "spec", "groupRef", "name")
    members = members_by_name(resource, workspace)
    named = list(_named(resource))
    static = bool((resource.spec.get("config") or {}).get("backends"))
    is_complete = (
        group is not None and not static and are_members_known(workspace) and not has_placeholder(list(members))
    )
    is_complete = is_complete and not _has_refused_member(resource, workspace)
    unknown = [name for _, name in named if name not in members] if is_complete else ()
    is_complete = is_complete and not any(_is_kept_out(workspace, resource, name) for name in unknown)
    return _Group(members, is_complete, named)


def _has_refused_member(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> bool:
    return not MEMBER_KINDS.isdisjoint(workspace.refused_referrer_kinds("MCPGroup", resource.spec["groupRef"]["name"]))


def _is_kept_out(workspace: Workspace, resource: Resource, name: str) -> bool:
    """Return whether an error keeps a workload called ``name`` out of the group. A finding shows the error."""
    for kind in sorted(MEMBER_KINDS):
        workload: Resource[Any] | None = workspace.find(kind, resource.namespace, name, resource.document.file)
        if workload is not None:
            joins = isinstance(workload.spec.get("groupRef"), dict)
            return not workload.admitted or (joins and workspace.target(workload, "spec", "groupRef", "name") is None)
    return False


def check(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report group members that a virtual server names but that do not exist, and members that it cannot use.

    Also report composite tools that call tools of no member.
    """
    group = _group(resource, workspace)
    if group.complete:
        yield from _unknown_names(resource, group)
    yield from _transports(resource, group)
    if group.complete and group.members:
        yield from _routes(resource, workspace, group)


def _unknown_names(resource: Resource[VirtualMCPServerSpec], group: _Group) -> Iterator[Finding]:
    """Report names that match no member of the group, a group without members, and an incomplete ``priorityOrder``."""
    if not group.members:
        name = resource.spec["groupRef"]["name"]
        if not vmcpauth.is_inline(resource) and not has_placeholder(
            (resource.spec.get("outgoingAuth") or {}).get("source")
        ):
            message = f'group "{name}" has no members, so there is nothing to serve'
            hint = f"members join by groupRef: {{name: {name}}}"
            yield resource.finding(EMPTY_GROUP, ("spec", "groupRef", "name"), message, hint=hint)
        return
    for path, name in group.named:
        if name and name not in group.members and not has_placeholder(name):
            match = nearest(name, islice(group.members, MOST_COMPARED), likeness=VAGUE)
            hint = as_question(match) or f"members are {listing(list(group.members))}"
            message = f'"{name}" is not a member of the group'
            on: Any = "key" if path[-1] == name else "value"
            yield resource.finding(UNKNOWN_WORKLOAD, path, message, hint=hint, on=on)
    aggregation = (resource.spec.get("config") or {}).get("aggregation") or {}
    order = (aggregation.get("conflictResolutionConfig") or {}).get("priorityOrder") or []
    misspelt = [name for name in order if name and name not in group.members]  # VMC212 reports them
    ranked = {*order, *(nearest(name, islice(group.members, MOST_COMPARED), likeness=VAGUE) for name in misspelt)}
    unranked = [name for name in group.members if name not in ranked]
    if aggregation.get("conflictResolution") == "priority" and order and unranked and not has_placeholder(order):
        yield from _unordered(resource, unranked, aggregation)


def _unordered(
    resource: Resource[VirtualMCPServerSpec], unranked: list[str], aggregation: AggregationConfig
) -> Iterator[Finding]:
    """Report members without priority. From release 0.51.0 on, they cost others their tools, so it is a warning."""
    path = (*AGGREGATION, "conflictResolutionConfig", "priorityOrder")
    hint = "add them to priorityOrder"
    left_out = f"priorityOrder leaves out {listing(unranked)}"
    if not resource.is_judged(since=PRIORITY_NEEDS_ALL_SINCE):
        message = f"{left_out}: where tool names conflict, theirs are dropped"
        yield resource.finding(UNORDERED, path, message, hint=hint, on="key")
        return
    shared = _shared_tools(aggregation, frozenset(unranked))
    dropped = f"; {listing(shared)} {'is' if len(shared) == 1 else 'are'} dropped" if shared else ""
    message = f"{left_out}: a tool whose name they share with another member is dropped for both{dropped}"
    yield resource.finding(UNORDERED, path, message, hint=hint, on="key", severity="warning")


def _shared_tools(aggregation: AggregationConfig, unranked: frozenset[str]) -> list[str]:
    """Return the names of tools that filters state for several members, one of which has no priority."""
    members_by_tool: dict[str, list[str]] = {}
    for entry in aggregation.get("tools") or ():
        for name in dict.fromkeys(entry.get("filter") or ()):
            if not has_placeholder(name):
                members_by_tool.setdefault(name, []).append(entry.get("workload", ""))
    return [name for name, members in members_by_tool.items() if len(members) > 1 and not unranked.isdisjoint(members)]


def _named(resource: Resource[VirtualMCPServerSpec]) -> Iterator[tuple[Path, str]]:
    outgoing = resource.spec.get("outgoingAuth")
    config = {**mapping(resource.spec.get("config")), "outgoingAuth": outgoing}
    for path, name in named_backends(config):
        yield ("spec", *path) if path[0] == "outgoingAuth" else (*CONFIG, *path), name


def _transports(resource: Resource, group: _Group) -> Iterator[Finding]:
    """Report MCPServers with the transport sse, but not ``proxyMode: sse``: virtual servers use streamable-http."""
    for member in group.members.values():
        if member.kind != "MCPServer":
            continue
        spec = cast("MCPServerSpec", member.spec)
        if spec.get("transport") == "sse" != spec.get("proxyMode") and not has_placeholder(spec.get("proxyMode")):
            notes = (member.note("its transport is stated here", ("spec", "transport")),)
            message = f'"{member.name}" speaks sse, but is treated as a server that speaks streamable-http'
            hint = "set proxyMode: sse on the server, or switch it to streamable-http"
            yield resource.finding(SSE, ("spec", "groupRef", "name"), message, hint=hint, notes=notes)


def _routes(resource: Resource[VirtualMCPServerSpec], workspace: Workspace, group: _Group) -> Iterator[Finding]:
    prefixes = _prefixes(resource, group)
    config = resource.spec.get("config") or {}
    for i, tool in enumerate(config.get("compositeTools") or ()):
        for path, name in _tool_calls(tool, (*CONFIG, "compositeTools", i)):
            if not is_routable(name, group.members, prefixes):
                yield resource.finding(UNROUTABLE, path, _unroutable(name), hint=_hint(group))
    for i, _ in enumerate(config.get("compositeToolRefs") or ()):
        reference: Path = (*CONFIG, "compositeToolRefs", i, "name")
        definition: Resource[VirtualMCPCompositeToolDefinitionSpec] | None = workspace.target(resource, *reference)
        if definition is not None:
            yield from _unroutable_definition(resource, definition, reference, group, prefixes)


def _unroutable_definition(
    resource: Resource,
    definition: Resource[VirtualMCPCompositeToolDefinitionSpec],
    reference: Path,
    group: _Group,
    prefixes: tuple[str, ...] | None,
) -> Iterator[Finding]:
    lost = [
        call for call in _tool_calls(definition.spec, ("spec",)) if not is_routable(call[1], group.members, prefixes)
    ]
    if lost:
        notes = tuple(definition.note(f'"{name}" is called here', path) for path, name in lost[:MOST_LISTED])
        yield resource.finding(UNROUTABLE, reference, _unroutable(lost[0][1]), hint=_hint(group), notes=notes)


def _unroutable(name: str) -> str:
    return f'no member of the group has a tool "{name}": the composite tool is not offered'


def _hint(group: _Group) -> str:
    return f"members are {listing(list(group.members))}"


def _prefixes(resource: Resource[VirtualMCPServerSpec], group: _Group) -> tuple[str, ...] | None:
    config = resource.spec.get("config") or {}
    return tool_prefixes(mapping(config.get("aggregation")), group.members)


def _tool_calls(tool: CompositeToolConfig, path: Path) -> Iterator[tuple[Path, str]]:
    for below, name in called_tools(mapping(tool)):
        yield (*path, *below), name


def check_exchanges(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report members whose proxies do the same token exchange for requests as the virtual server did before.

    Both read the ``externalAuthConfigRef`` of the member. Members of kind MCPServerEntry have no proxy.
    """
    source = (resource.spec.get("outgoingAuth") or {}).get("source")
    if (resource.spec.get("config") or {}).get("backends") or has_placeholder(source):
        return
    configs = vmcpauth.inherited_configs if vmcpauth.is_inline(resource) else vmcpauth.member_configs
    members = [
        member
        for member, config in configs(workspace, resource)
        if member.kind in _WITH_PROXY and config.spec.get("type") == "tokenExchange"
    ]
    if members:
        path: Path = ("spec", "groupRef", "name")
        verb = "exchanges" if len(members) == 1 else "exchange"
        names = listing([member.name for member in members])
        message = f"{names} {verb} tokens again that this virtual server has exchanged in the same way"
        hint = "name the configuration under outgoingAuth.backends, and remove externalAuthConfigRef of the member"
        notes = tuple(
            member.note(f'{member.kind} "{member.name}" names it', ("spec", "externalAuthConfigRef", "name"))
            for member in members[:MOST_LISTED]
        )
        yield resource.finding(EXCHANGED_TWICE, path, message, hint=hint, notes=notes)


CHECKS: dict[str, tuple[Check, ...]] = {"VirtualMCPServer": (check, check_exchanges)}
