"""Which tools a virtual server shows, and names that match no backend."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from mcpcfg.compiler.emit import vmcpauth, vmcpconfig
from mcpcfg.compiler.kube.fault import nearest
from mcpcfg.compiler.workspace import MEMBER_KINDS
from mcpcfg.validators.membership import knows_members
from mcpcfg.validators.told import has_placeholder

from . import virtual_server_tools_page as page

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mcpcfg.compiler.finding import Finding
    from mcpcfg.compiler.models.composite import CompositeToolConfig, VirtualMCPCompositeToolDefinitionSpec
    from mcpcfg.compiler.models.mcpserver import MCPServerSpec
    from mcpcfg.compiler.models.mcptoolconfig import MCPToolConfigSpec
    from mcpcfg.compiler.models.spec import MemberSpec
    from mcpcfg.compiler.models.virtualmcpserver import VirtualMCPServerSpec
    from mcpcfg.compiler.models.vmcp import AggregationConfig, WorkloadToolConfig
    from mcpcfg.compiler.reference import Reference
    from mcpcfg.compiler.resource import Resource
    from mcpcfg.compiler.source import Path
    from mcpcfg.compiler.workspace import Workspace
    from mcpcfg.validators.rule import Check

RULES = page.RULES
CONFIG: Path = ("spec", "config")
AGGREGATION: Path = (*CONFIG, "aggregation")
TIMEOUTS: Path = (*CONFIG, "operational", "timeouts", "perWorkload")
PLACEHOLDER = "{workload}"
SAFE_FORMS = ("", vmcpconfig.DEFAULT_PREFIX_FORMAT)
_PLAIN = re.compile(r"[A-Za-z0-9_-]*")
MOST_NAMED = 5
MOST_COMPARED = 200
ONE_PLACE = "keep it in one of the two places"


class _Group(NamedTuple):
    """The members of a virtual server's group.

    Attributes:
        members: By name.
        complete: Whether there can be no others.
        named: The names that the virtual server gives to members, with their places.
    """

    members: Mapping[str, Resource[MemberSpec]]
    complete: bool
    named: list[tuple[Path, str]]


def _group(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> _Group:
    group = workspace.target(resource, "spec", "groupRef", "name")
    members = {member.name: member for member in workspace.members(group, resource)} if group is not None else {}
    named = list(_named(resource))
    static = bool((resource.spec.get("config") or {}).get("backends"))
    known = group is not None and not static and knows_members(workspace) and not has_placeholder(list(members))
    known = known and not _has_refused_member(resource, workspace)
    unknown = [name for _, name in named if name not in members] if known else ()
    known = known and not any(_is_astray(workspace, resource, name) for name in unknown)
    return _Group(members, known, named)


def _has_refused_member(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> bool:
    """Return whether the API server refuses a member of the group: it is one as soon as it is fixed."""
    named = ("MCPGroup", resource.spec["groupRef"]["name"])
    inventory = workspace.inventory
    return any(
        not inventory.admitted[position] and named in inventory.targets[position]
        for kind in sorted(MEMBER_KINDS)
        for position in workspace.read_positions(kind)
    )


def _is_astray(workspace: Workspace, resource: Resource, name: str) -> bool:
    """Tell whether a workload has an error of its own for which it is no member: that is told already."""
    for kind in sorted(MEMBER_KINDS):
        one: Resource[Any] | None = workspace.find(kind, resource.namespace, name, resource.document.file)
        if one is not None:
            joins = isinstance(one.spec.get("groupRef"), dict)
            return not one.admitted or (joins and workspace.target(one, "spec", "groupRef", "name") is None)
    return False


def check(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Tell what becomes of the tools of a virtual server's members."""
    group = _group(resource, workspace)
    yield from _filters(resource, workspace, group)
    if group.complete:
        yield from _unknown_names(resource, group)
    yield from _transports(resource, group)
    if group.complete and group.members:
        yield from _routes(resource, workspace, group)


def _filters(resource: Resource[VirtualMCPServerSpec], workspace: Workspace, group: _Group) -> Iterator[Finding]:
    """Tell what a filter or prefix does that is hardly meant."""
    given: AggregationConfig = (resource.spec.get("config") or {}).get("aggregation") or {}
    tools = given.get("tools") or ()
    merged = vmcpconfig.aggregation(workspace, resource, given)["tools"] if tools else []
    for i, entry in enumerate(merged):
        yield from _old_names(resource, i, entry)
    for i, entry in enumerate(tools):
        yield from _shadowed(resource, workspace, (*AGGREGATION, "tools", i), entry)
    yield from _prefix(resource, given)
    if given.get("excludeAllTools") and not _composite_tools(resource):
        path = (*AGGREGATION, "excludeAllTools")
        yield resource.finding(page.NOTHING_SHOWN, path, "all tools are hidden, and there are no composite tools")
    listed = {entry.get("workload") for entry in tools}
    bare = [name for name in group.members if name not in listed]
    misspelt = any(name not in group.members for name in listed)  # VMC212
    if (
        bare
        and not misspelt
        and not given.get("excludeAllTools")
        and any(entry.get("filter") or entry.get("excludeAll") for entry in merged)
    ):
        message = f"all tools of {_names(bare)} are shown: a member without an entry is not restricted"
        hint = "add an entry for each member: with a filter, with excludeAll, or empty where all is meant"
        yield resource.finding(page.EXPOSED, (*AGGREGATION, "tools"), message, hint=hint, on="key")


def _composite_tools(resource: Resource[VirtualMCPServerSpec]) -> bool:
    config = resource.spec.get("config") or {}
    return bool(config.get("compositeTools") or config.get("compositeToolRefs"))


def _names(names: list[str]) -> str:
    shown = ", ".join(f'"{name}"' for name in names[:MOST_NAMED])
    return shown if len(names) <= MOST_NAMED else f"{shown} and {len(names) - MOST_NAMED} more"


def _old_names(resource: Resource, index: int, entry: WorkloadToolConfig) -> Iterator[Finding]:
    shown = entry.get("filter") or []
    for i, name in enumerate(shown):
        new = ((entry.get("overrides") or {}).get(name) or {}).get("name")
        if new and new != name and new not in shown and not has_placeholder([name, new, *shown]):
            path: Path = (*AGGREGATION, "tools", index, "filter", i)
            if not resource.states(*path):  # of the MCPToolConfig
                path = (*AGGREGATION, "tools", index, "toolConfigRef", "name")
            message = f'the filter lists "{name}", which is called "{new}" by then: the tool is hidden'
            yield resource.finding(page.OLD_NAME, path, message, hint=f'list "{new}"')


def _shadowed(resource: Resource, workspace: Workspace, path: Path, entry: WorkloadToolConfig) -> Iterator[Finding]:
    """Tell what of a shared tool configuration an entry replaces."""
    found: tuple[Reference, Resource[MCPToolConfigSpec]] | None = workspace.leading(
        resource, *path, "toolConfigRef", "name"
    )
    if found is None:
        return
    shared = found[1]
    if entry.get("filter") and shared.spec.get("toolsFilter"):
        message = f'this filter replaces that of MCPToolConfig "{shared.name}"'
        notes = (shared.note("the one that does not count is here", ("spec", "toolsFilter")),)
        yield resource.finding(page.SHADOWED, (*path, "filter"), message, hint=ONE_PLACE, notes=notes, on="key")
    theirs = shared.spec.get("toolsOverride") or {}
    for tool in entry.get("overrides") or {}:
        if tool in theirs:
            message = f'this override of "{tool}" replaces that of MCPToolConfig "{shared.name}"'
            notes = (shared.note("the one that does not count is here", ("spec", "toolsOverride", tool)),)
            place = (*path, "overrides", tool)
            yield resource.finding(page.SHADOWED, place, message, hint=ONE_PLACE, notes=notes, on="key")


def _prefix(resource: Resource, given: AggregationConfig) -> Iterator[Finding]:
    form = (given.get("conflictResolutionConfig") or {}).get("prefixFormat") or ""
    if (given.get("conflictResolution") or "prefix") != "prefix" or form in SAFE_FORMS or has_placeholder(form):
        return
    path = (*AGGREGATION, "conflictResolutionConfig", "prefixFormat")
    if PLACEHOLDER not in form:
        message = f'the prefix "{form}" is the same for every backend: tools of one name are dropped'
        yield resource.finding(page.PREFIX, path, message, hint=f'write "{PLACEHOLDER}_"')
    elif not _PLAIN.fullmatch(form.replace(PLACEHOLDER, "")):
        message = f'the prefix "{form}" gives names that clients refuse: letters, digits, _ and - are safe'
        yield resource.finding(page.PREFIX, path, message, hint=f'write "{PLACEHOLDER}_"')


def _unknown_names(resource: Resource[VirtualMCPServerSpec], group: _Group) -> Iterator[Finding]:
    """Tell names that match no member of the group, and members that a list leaves out."""
    if not group.members:
        name = resource.spec["groupRef"]["name"]
        if not vmcpauth.is_inline(resource) and not has_placeholder(
            (resource.spec.get("outgoingAuth") or {}).get("source")
        ):
            message = f'group "{name}" has no members, so there is nothing to serve'
            yield resource.finding(page.EMPTY_GROUP, ("spec", "groupRef", "name"), message)
        return
    for path, name in group.named:
        if name and name not in group.members and not has_placeholder(name):
            meant = nearest(name, islice(group.members, MOST_COMPARED))
            hint = f'did you mean "{meant}"?' if meant else f"members are {_names(list(group.members))}"
            message = f'"{name}" is no member of the group'
            on: Any = "key" if path[-1] == name else "value"
            yield resource.finding(page.UNKNOWN_WORKLOAD, path, message, hint=hint, on=on)
    aggregation = (resource.spec.get("config") or {}).get("aggregation") or {}
    order = (aggregation.get("conflictResolutionConfig") or {}).get("priorityOrder") or []
    ranked = frozenset(order)
    left = [name for name in group.members if name not in ranked]
    if aggregation.get("conflictResolution") == "priority" and order and left and not has_placeholder(order):
        path = (*AGGREGATION, "conflictResolutionConfig", "priorityOrder")
        message = f"{_names(left)} has no priority: of tools with one name theirs are dropped"
        yield resource.finding(page.UNORDERED, path, message, on="key")


def _named(resource: Resource[VirtualMCPServerSpec]) -> Iterator[tuple[Path, str]]:
    aggregation = (resource.spec.get("config") or {}).get("aggregation") or {}
    for i, entry in enumerate(aggregation.get("tools") or ()):
        yield (*AGGREGATION, "tools", i, "workload"), entry.get("workload") or ""
    if aggregation.get("conflictResolution") == "priority":
        for i, name in enumerate((aggregation.get("conflictResolutionConfig") or {}).get("priorityOrder") or ()):
            yield (*AGGREGATION, "conflictResolutionConfig", "priorityOrder", i), name
    for name in (resource.spec.get("outgoingAuth") or {}).get("backends") or ():
        yield ("spec", "outgoingAuth", "backends", name), name
    operational = (resource.spec.get("config") or {}).get("operational") or {}
    for name in (operational.get("timeouts") or {}).get("perWorkload") or ():
        yield (*TIMEOUTS, name), name


def _transports(resource: Resource, group: _Group) -> Iterator[Finding]:
    """Tell members that are taken for speaking another transport than they do."""
    for member in group.members.values():
        if member.kind != "MCPServer":
            continue
        spec = cast("MCPServerSpec", member.spec)
        if spec.get("transport") == "sse" != spec.get("proxyMode"):
            notes = (member.note("its transport is stated here", ("spec", "transport")),)
            message = f'"{member.name}" speaks sse, and is taken for a server that speaks streamable-http'
            hint = "set proxyMode: sse on the server, or let it speak streamable-http"
            yield resource.finding(page.SSE, ("spec", "groupRef", "name"), message, hint=hint, notes=notes)


def _routes(resource: Resource[VirtualMCPServerSpec], workspace: Workspace, group: _Group) -> Iterator[Finding]:
    """Tell steps of composite tools that no member can serve."""
    prefixes = _prefixes(resource, group)
    config = resource.spec.get("config") or {}
    for i, tool in enumerate(config.get("compositeTools") or ()):
        for path, name in _called(tool, (*CONFIG, "compositeTools", i)):
            if not _is_routable(name, group, prefixes):
                yield resource.finding(page.UNROUTABLE, path, _unroutable(name), hint=_hint(group))
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
    lost = [found for found in _called(definition.spec, ("spec",)) if not _is_routable(found[1], group, prefixes)]
    if lost:
        notes = tuple(definition.note(f'"{name}" is called here', path) for path, name in lost[:MOST_NAMED])
        yield resource.finding(page.UNROUTABLE, reference, _unroutable(lost[0][1]), hint=_hint(group), notes=notes)


def _unroutable(name: str) -> str:
    return f'no member of the group has a tool "{name}": the composite tool is not offered'


def _hint(group: _Group) -> str:
    return f"members are {_names(list(group.members))}"


def _prefixes(resource: Resource[VirtualMCPServerSpec], group: _Group) -> tuple[str, ...] | None:
    """Give the prefixes of the members' tools, ``None`` where tools keep their names."""
    given = (resource.spec.get("config") or {}).get("aggregation") or {}
    if (given.get("conflictResolution") or "prefix") != "prefix":
        return None
    form = (given.get("conflictResolutionConfig") or {}).get("prefixFormat") or vmcpconfig.DEFAULT_PREFIX_FORMAT
    return tuple(form.replace(PLACEHOLDER, name) for name in group.members)


def _is_routable(name: str, group: _Group, prefixes: tuple[str, ...] | None) -> bool:
    workload, dot, _ = name.partition(".")
    if (dot and workload in group.members) or not name or has_placeholder(name):
        return True
    # A tool's own name may hold dots, so without prefixes nothing is certain.
    return prefixes is None or name.startswith(prefixes)


def _called(tool: CompositeToolConfig, path: Path) -> Iterator[tuple[Path, str]]:
    for i, step in enumerate(tool.get("steps") or ()):
        kind, inner = step.get("type") or "tool", step.get("step")
        if kind == "tool" and isinstance(step.get("tool"), str):
            yield (*path, "steps", i, "tool"), step["tool"]
        elif kind == "forEach" and isinstance(inner, dict) and isinstance(inner.get("tool"), str):
            yield (*path, "steps", i, "step", "tool"), inner["tool"]


CHECKS: dict[str, tuple[Check, ...]] = {"VirtualMCPServer": (check,)}
