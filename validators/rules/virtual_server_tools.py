"""Rules about filters, overrides and prefixes that select and name the tools of a virtual server."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...compiler.emit import vmcpconfig
from ...compiler.toolhive.constants import DEFAULT_PREFIX_FORMAT
from ...compiler.toolhive.tool_name import HINT, tool_name_fault
from ..membership import listing, members_by_name
from ..placeholder import has_placeholder
from ..rule import rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.models.mcptoolconfig import MCPToolConfigSpec
    from ...compiler.models.virtualmcpserver import VirtualMCPServerSpec
    from ...compiler.models.vmcp import AggregationConfig, WorkloadToolConfig
    from ...compiler.workspace.workspace import Resolved
    from ..rule import Check, Finding, Path, Resource, Workspace

SHADOWED = rule(
    "VMC210 shadowed-tool-config",
    "lint",
    "A part of a tool configuration is ignored because the virtual server has its own",
)

EXPOSED = rule(
    "VMC211 unlisted-member-exposed",
    "lint",
    "Some members of the group are restricted, but others expose all their tools",
)

OLD_NAME = rule("VMC213 filter-by-old-name", "lint", "A filter lists the old name of a renamed tool")

PREFIX = rule(
    "VMC214 unusable-prefix", "lint", "A prefix leads to tool names that clients refuse or cannot distinguish"
)

NOTHING_SHOWN = rule("VMC215 no-tools-shown", "lint", "A virtual server exposes no tools at all")

UNFIT_NAME = rule(
    "VMC234 virtual-tool-name-refused-by-clients", "lint", "A tool of a virtual server gets a name that clients refuse"
)

CONFIG: Path = ("spec", "config")

AGGREGATION: Path = (*CONFIG, "aggregation")

PLACEHOLDER = "{workload}"

SAFE_FORMS = ("", DEFAULT_PREFIX_FORMAT)

_PLAIN = re.compile(r"[A-Za-z0-9_-]*")

ONE_PLACE = "keep it in one of the two places"


def check(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report tool filters, overrides and prefixes that probably have an unintended effect."""
    given: AggregationConfig = (resource.spec.get("config") or {}).get("aggregation") or {}
    tools = given.get("tools") or ()
    merged = vmcpconfig.aggregation(workspace, resource, given)["tools"] if tools else []
    for i, entry in enumerate(merged):
        yield from _old_names(resource, i, entry)
    for i, entry in enumerate(tools):
        yield from _unfit_names(resource, (*AGGREGATION, "tools", i, "overrides"), entry)
        yield from _shadowed(resource, workspace, (*AGGREGATION, "tools", i), entry)
    yield from _prefix(resource, given)
    if given.get("excludeAllTools") is True and not _composite_tools(resource):
        path = (*AGGREGATION, "excludeAllTools")
        message = "all tools are hidden, and there are no composite tools"
        yield resource.finding(NOTHING_SHOWN, path, message, hint="add composite tools, or leave excludeAllTools out")
    is_denied = given.get("defaultToolVisibility") == "deny"
    if is_denied and not tools and not given.get("excludeAllTools") and not _composite_tools(resource):
        path = (*AGGREGATION, "defaultToolVisibility")
        message = "the tools of members without an entry in tools are hidden, and no member has one"
        yield resource.finding(NOTHING_SHOWN, path, message, hint="add an entry to tools for each member to show")
    is_restricted = any(entry.get("filter") or entry.get("excludeAll") for entry in merged)
    if is_denied or given.get("excludeAllTools") or not is_restricted:
        return
    listed = {entry.get("workload") for entry in tools}
    members = members_by_name(resource, workspace)
    bare = [name for name in members if name not in listed]
    misspelt = any(name not in members for name in listed)  # VMC212 reports it
    if bare and not misspelt:
        message = f"all tools of {listing(bare)} are shown: a member without an entry is not restricted"
        hint = "add an entry for each member: with a filter, with excludeAll, or empty to expose all its tools"
        yield resource.finding(EXPOSED, (*AGGREGATION, "tools"), message, hint=hint, on="key")


def _composite_tools(resource: Resource[VirtualMCPServerSpec]) -> bool:
    config = resource.spec.get("config") or {}
    return bool(config.get("compositeTools") or config.get("compositeToolRefs"))


def _old_names(resource: Resource, index: int, entry: WorkloadToolConfig) -> Iterator[Finding]:
    shown = entry.get("filter") or []
    for i, name in enumerate(shown):
        new = ((entry.get("overrides") or {}).get(name) or {}).get("name")
        if new and new != name and new not in shown and not has_placeholder([name, new, *shown]):
            path: Path = (*AGGREGATION, "tools", index, "filter", i)
            if not resource.states(*path):  # the filter of the MCPToolConfig has the name
                path = (*AGGREGATION, "tools", index, "toolConfigRef", "name")
            message = f'the filter lists "{name}", which has been renamed to "{new}" by then: the tool is hidden'
            yield resource.finding(OLD_NAME, path, message, hint=f'list "{new}"')


def _unfit_names(resource: Resource, path: Path, entry: WorkloadToolConfig) -> Iterator[Finding]:
    for tool, override in (entry.get("overrides") or {}).items():
        name = (override or {}).get("name") or ""
        if (fault := tool_name_fault(name)) and not has_placeholder(name):
            message = f'the name "{name}" of a tool {fault}'
            yield resource.finding(UNFIT_NAME, (*path, tool, "name"), message, hint=HINT)


def _shadowed(resource: Resource, workspace: Workspace, path: Path, entry: WorkloadToolConfig) -> Iterator[Finding]:
    """Report fields of a shared MCPToolConfig that the virtual server's entry for the workload replaces."""
    resolved: Resolved[MCPToolConfigSpec] = workspace.resolved(resource, *path, "toolConfigRef", "name")
    if resolved is None:
        return
    shared = resolved[1]
    if entry.get("filter") and shared.spec.get("toolsFilter"):
        message = f'this filter replaces that of MCPToolConfig "{shared.name}"'
        notes = (shared.note("the one that is ignored is here", ("spec", "toolsFilter")),)
        yield resource.finding(SHADOWED, (*path, "filter"), message, hint=ONE_PLACE, notes=notes, on="key")
    theirs = shared.spec.get("toolsOverride") or {}
    for tool in entry.get("overrides") or {}:
        if tool in theirs:
            message = f'this override of "{tool}" replaces that of MCPToolConfig "{shared.name}"'
            notes = (shared.note("the one that is ignored is here", ("spec", "toolsOverride", tool)),)
            place = (*path, "overrides", tool)
            yield resource.finding(SHADOWED, place, message, hint=ONE_PLACE, notes=notes, on="key")


def _prefix(resource: Resource, given: AggregationConfig) -> Iterator[Finding]:
    form = (given.get("conflictResolutionConfig") or {}).get("prefixFormat") or ""
    if (given.get("conflictResolution") or "prefix") != "prefix" or form in SAFE_FORMS or has_placeholder(form):
        return
    path = (*AGGREGATION, "conflictResolutionConfig", "prefixFormat")
    if PLACEHOLDER not in form:
        message = f'the prefix "{form}" is the same for every backend: tools with the same name are dropped'
        yield resource.finding(PREFIX, path, message, hint=f'write "{PLACEHOLDER}_"')
    elif not _PLAIN.fullmatch(form.replace(PLACEHOLDER, "")):
        message = f'the prefix "{form}" leads to names that clients refuse: letters, digits, _ and - are safe'
        yield resource.finding(PREFIX, path, message, hint=f'write "{PLACEHOLDER}_"')


CHECKS: dict[str, tuple[Check, ...]] = {"VirtualMCPServer": (check,)}
