"""Rules about tool filters and overrides that a proxy cannot use."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Any

from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.diagnostics.version import RECORDED
from ...compiler.reading.bound import MAX_FAULTS
from ...compiler.toolhive.tool_name import HINT, SAME_NAME, UNFIT_NAME, tool_name_fault
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...compiler.models.mcptoolconfig import MCPToolConfigSpec, ToolOverride
    from ...compiler.workspace.workspace import Resolved
    from ..rule import Check, Finding, Path, Resource, Rule, Workspace

EMPTY_OVERRIDE = rule(
    "TLC001 empty-tool-override",
    "operator",
    "A workload uses a tool override that sets neither a name nor a description",
)
FILTER = rule(
    "TLC002 invalid-tool-filter", "operator", "A workload uses a tool filter with a name that no tool can have"
)
IDLE_FAULT = rule("TLC003 unusable-tool-config", "lint", "No MCPServer could use this MCPToolConfig")
ANNOTATIONS = rule(
    "TLC004 dropped-tool-annotations",
    "lint",
    "Overridden annotations of a tool do not reach the clients of a proxy",
    severity="info",
)
NAMELESS = rule(
    "TLC006 override-of-nameless-tool",
    "process",
    "A workload uses an override of a tool whose name is empty",
    verified=RECORDED,
)

OLD_NAME = rule(
    "TLC008 filter-of-overridden-name", "lint", "A tool filter names a tool by the name that an override replaces"
)

REMEDY = {
    EMPTY_OVERRIDE: "set a name or a description",
    FILTER: "write each tool as an item of its own",
    NAMELESS: "name the tool, or remove the override",
}
PROXIES = ("MCPServer", "MCPRemoteProxy")
UNWANTED = re.compile(r"[,\n\r]")


@reads("toolConfigRef")
def check_use(resource: Resource, workspace: Workspace) -> Iterator[Finding]:
    """Report faults in the referenced MCPToolConfig that prevent the workload from using it."""
    resolved: Resolved[MCPToolConfigSpec] = workspace.resolved(resource, "spec", "toolConfigRef", "name")
    if resolved is None:
        return
    reference, config = resolved
    # Many workloads may share one configuration with many problems.
    for broken, path, message in islice(_problems(config, strict=resource.kind == "MCPServer"), MAX_FAULTS):
        yield reference.finding_about_target(broken, path, message, hint=REMEDY.get(broken))


@reads("toolsFilter", "toolsOverride")
def check_config(resource: Resource[MCPToolConfigSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report tool annotations that proxies drop, and new tool names that clients refuse or that two tools get.

    If no resource refers to the MCPToolConfig, faults that every workload would refuse are reported too.
    """
    if not workspace.is_referred(resource):
        for broken, path, message in _problems(resource, strict=True):
            yield resource.finding(IDLE_FAULT, path, message, hint=REMEDY.get(broken))
    overrides: dict[str, ToolOverride] = resource.spec.get("toolsOverride") or {}
    names = {tool: tool for tool, override in overrides.items() if not override.get("name")}
    users = {reference.source.kind for reference in workspace.referrers(resource)}
    is_proxied = not users.isdisjoint(PROXIES)
    if is_proxied or not (users or _may_be_of_virtual_server(workspace)):
        yield from _old_names(resource)
    for tool, override in overrides.items():
        name = override.get("name") or ""
        if name and names.setdefault(name, tool) != tool and not is_placeholder(name):
            place: Path = ("spec", "toolsOverride", tool, "name")
            other = names[name]
            message = f'tool "{other}" is called "{name}" too' if other != name else f'there is a tool "{name}" already'
            yield resource.finding(SAME_NAME, place, message, hint="choose another name for one of the two")
        if (fault := tool_name_fault(name)) and not is_placeholder(name):
            place = ("spec", "toolsOverride", tool, "name")
            yield resource.finding(UNFIT_NAME, place, f'the name "{name}" of a tool {fault}', hint=HINT)
        if is_proxied and override.get("annotations") and (override.get("name") or override.get("description")):
            path = ("spec", "toolsOverride", tool, "annotations")
            message = f'a proxy does not pass on the annotations of tool "{tool}"'
            hint = "remove them: only a virtual server passes them on"
            yield resource.finding(ANNOTATIONS, path, message, hint=hint, on="key")


def _may_be_of_virtual_server(workspace: Workspace) -> bool:
    """Return whether a virtual server states the name of an MCPToolConfig as a placeholder."""
    servers: Sequence[Resource[Any]] = workspace.read_of_kind("VirtualMCPServer")
    targets = (target for server in servers for target in server.targets)
    return any(kind == "MCPToolConfig" and is_placeholder(name) for kind, name in targets)


def _old_names(resource: Resource[MCPToolConfigSpec]) -> Iterator[Finding]:
    """Report filter entries with a name that an override replaces, unless another tool gets this name."""
    overrides: dict[str, ToolOverride] = resource.spec.get("toolsOverride") or {}
    new_names = {override.get("name") for override in overrides.values()}
    if any(is_placeholder(name) for name in new_names if name):
        return
    for number, tool in enumerate(resource.spec.get("toolsFilter") or ()):
        new_name = (overrides.get(tool) or {}).get("name")
        if new_name and new_name != tool and tool not in new_names:
            path: Path = ("spec", "toolsFilter", number)
            is_listed = new_name in (resource.spec.get("toolsFilter") or ())
            message = f'an override calls tool "{tool}" "{new_name}", and the filter of a proxy knows new names only'
            hint = "remove it" if is_listed else f'write "{new_name}"'
            yield resource.finding(OLD_NAME, path, message, hint=hint)


def _problems(config: Resource[MCPToolConfigSpec], *, strict: bool) -> Iterator[tuple[Rule, Path, str]]:
    """Yield the rule, the path and a clause for each filter entry and override that the operator refuses.

    Args:
        strict: True to apply the rules for an MCPServer, which restrict tool names in the filter.
    """
    overrides: dict[str, ToolOverride] = config.spec.get("toolsOverride") or {}
    for tool, override in overrides.items():
        if not override.get("name") and not override.get("description"):
            message = f'the override of tool "{tool}" has neither name nor description'
            yield EMPTY_OVERRIDE, ("spec", "toolsOverride", tool), message
        elif not tool:
            yield NAMELESS, ("spec", "toolsOverride", tool), "an override has an empty tool name"
    for i, tool in enumerate(config.spec.get("toolsFilter") or ()):
        if not tool:
            yield FILTER, ("spec", "toolsFilter", i), "its filter has an empty name"
        elif strict and UNWANTED.search(tool) and not is_placeholder(tool):
            message = f'its filter has "{tool}", which is not a valid tool name'
            yield FILTER, ("spec", "toolsFilter", i), message


CHECKS: dict[str, tuple[Check, ...]] = {
    "MCPServer": (check_use,),
    "MCPRemoteProxy": (check_use,),
    "MCPToolConfig": (check_config,),
}
