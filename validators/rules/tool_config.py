"""Tool filters and overrides that a proxy cannot use."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from mcpcfg.compiler.finding import Rule
from mcpcfg.compiler.reading.bound import MAX_FAULTS
from mcpcfg.compiler.reading.placeholder import is_placeholder
from mcpcfg.validators.rule import reads

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcpcfg.compiler.finding import Finding
    from mcpcfg.compiler.models.mcptoolconfig import MCPToolConfigSpec, ToolOverride
    from mcpcfg.compiler.reference import Reference
    from mcpcfg.compiler.resource import Resource
    from mcpcfg.compiler.source import Path
    from mcpcfg.compiler.workspace import Workspace
    from mcpcfg.validators.rule import Check

SOURCE = "Source: the run configurations of MCPServer and MCPRemoteProxy in the operator, v0.21.0."

EMPTY_OVERRIDE = Rule(
    id="TLC001",
    name="empty-tool-override",
    stage="operator",
    severity="error",
    title="A workload uses a tool override that gives neither a name nor a description.",
    doc=f"""A tool override gives neither a new name nor a new description.

Flagged: `toolConfigRef.name` of an MCPServer or MCPRemoteProxy whose MCPToolConfig has such an item in `toolsOverride`,
also where it overrides annotations.

Why it bites: the MCPToolConfig itself is always valid. The operator cannot build the workload's configuration, sets an
MCPServer to Failed, and starts no pod.

Example: `toolsOverride: {{fetch: {{annotations: {{readOnlyHint: true}}}}}}`.

Cure: give `name` or `description`, even the old ones, or remove the item.

{SOURCE}
""",
)
FILTER = Rule(
    id="TLC002",
    name="invalid-tool-filter",
    stage="operator",
    severity="error",
    title="A workload uses a tool filter with a name that cannot be.",
    doc=f"""A tool filter has an empty name, or one with a comma or a line break.

Flagged: `toolConfigRef.name` of an MCPServer or MCPRemoteProxy whose MCPToolConfig has such an item in `toolsFilter`.
For an MCPRemoteProxy only the empty name counts.

Why it bites: the MCPToolConfig itself is always valid. The operator cannot build the workload's configuration, and
starts no pod.

Example: `toolsFilter: ["fetch, search"]`.

Cure: write each tool as an item of its own.

{SOURCE}
""",
)
IDLE_FAULT = Rule(
    id="TLC003",
    name="unusable-tool-config",
    stage="lint",
    severity="warning",
    title="No MCPServer could use this MCPToolConfig.",
    doc=f"""An MCPToolConfig that nothing refers to yet could not be used by an MCPServer.

Flagged: in an MCPToolConfig without referrers among the files, an override with neither `name` nor `description` or
under an empty key, and a filter item that is empty or holds a comma or line break.

Why it bites: the operator accepts it, and no workload that refers to it starts (TLC001, TLC002, TLC006).

Example: `toolsFilter: [""]`.

Cure: correct the item.

{SOURCE}
""",
)
ANNOTATIONS = Rule(
    id="TLC004",
    name="dropped-tool-annotations",
    stage="lint",
    severity="info",
    title="Overridden annotations of a tool do not reach the clients of a proxy.",
    doc=f"""A tool override changes annotations, which a proxy does not hand on.

Flagged: `toolsOverride.TOOL.annotations` of an MCPToolConfig that an MCPServer or MCPRemoteProxy uses.

Why it bites: the operator drops them from the proxy's configuration. Clients go on to see the server's own annotations.
(A VirtualMCPServer hands them on.)

Example: `toolsOverride: {{fetch: {{name: get, annotations: {{readOnlyHint: true}}}}}}`.

Cure: none at this version but a VirtualMCPServer in front; do not rely on the annotations.

{SOURCE}
""",
)
SAME_NAME = Rule(
    id="TLC005",
    name="tools-of-one-name",
    stage="lint",
    severity="warning",
    title="Two tools are given one name.",
    doc=f"""Two tools of a server are given one new name.

Flagged: `toolsOverride.TOOL.name` of an MCPToolConfig that another tool of it is given too.

Why it bites: clients see two tools of one name, and a call of it reaches only one of them.

Example: `toolsOverride: {{fetch: {{name: get}}, download: {{name: get}}}}`.

Cure: give each its own name.

{SOURCE}
""",
)
NAMELESS = Rule(
    id="TLC006",
    name="override-of-nameless-tool",
    stage="process",
    severity="error",
    title="A workload uses an override of a tool whose name is empty.",
    doc="""A tool override stands under the empty name.

Flagged: `toolConfigRef.name` of an MCPServer or MCPRemoteProxy whose MCPToolConfig has an item of `toolsOverride` with
an empty key, and a new name or description for it.

Why it bites: the operator looks at what the override says, not at whose it is. The proxy refuses it when it sets up its
tool filters, and its pod crashes again and again.

Example: `toolsOverride: {"": {name: fetch}}`.

Cure: write the tool's own name as the key.

Source: the tool filters of the proxy, v0.21.0.
""",
)
RULES = (EMPTY_OVERRIDE, FILTER, IDLE_FAULT, ANNOTATIONS, SAME_NAME, NAMELESS)

REMEDY = {EMPTY_OVERRIDE: "give it a name or a description", FILTER: "write each tool as an item of its own"}
PROXIES = ("MCPServer", "MCPRemoteProxy")
UNWANTED = re.compile(r"[,\n\r]")


@reads("toolConfigRef")
def check_use(resource: Resource, workspace: Workspace) -> Iterator[Finding]:
    """Tell what keeps a workload from using its tool configuration."""
    found: tuple[Reference, Resource[MCPToolConfigSpec]] | None = workspace.leading(
        resource, "spec", "toolConfigRef", "name"
    )
    if found is None:
        return
    reference, config = found
    # Many workloads may share one configuration with many problems.
    for rule, path, message in islice(_problems(config, strict=resource.kind == "MCPServer"), MAX_FAULTS):
        notes = (config.note("it is here", path),)
        told = f'MCPToolConfig "{config.name}": {message}'
        yield resource.finding(rule, reference.path, told, hint=REMEDY.get(rule), notes=notes)


@reads("toolsFilter", "toolsOverride")
def check_config(resource: Resource[MCPToolConfigSpec], workspace: Workspace) -> Iterator[Finding]:
    """Tell what no workload could use, and annotations that get lost."""
    if not workspace.is_referred(resource):
        for rule, path, message in _problems(resource, strict=True):
            yield resource.finding(IDLE_FAULT, path, message, hint=REMEDY.get(rule))
    is_proxied: bool | None = None
    taken: dict[str, str] = {}
    for tool, override in (resource.spec.get("toolsOverride") or {}).items():
        name = override.get("name") or ""
        if name and taken.setdefault(name, tool) != tool and not is_placeholder(name):
            place: Path = ("spec", "toolsOverride", tool, "name")
            yield resource.finding(SAME_NAME, place, f'tool "{taken[name]}" is called "{name}" too')
        if override.get("annotations") and (override.get("name") or override.get("description")):
            if is_proxied is None:
                is_proxied = any(reference.source.kind in PROXIES for reference in workspace.referrers(resource))
            if is_proxied:
                path = ("spec", "toolsOverride", tool, "annotations")
                message = f'a proxy does not hand on the annotations of tool "{tool}"'
                yield resource.finding(ANNOTATIONS, path, message, on="key")


def _problems(config: Resource[MCPToolConfigSpec], *, strict: bool) -> Iterator[tuple[Rule, Path, str]]:
    """Give rule, place and clause of each item that the operator refuses; ``strict`` as for an MCPServer."""
    overrides: dict[str, ToolOverride] = config.spec.get("toolsOverride") or {}
    for tool, override in overrides.items():
        if not override.get("name") and not override.get("description"):
            message = f'the override of tool "{tool}" has neither name nor description'
            yield EMPTY_OVERRIDE, ("spec", "toolsOverride", tool), message
        elif not tool:
            yield NAMELESS, ("spec", "toolsOverride", tool), "an override stands under the empty name of a tool"
    for i, tool in enumerate(config.spec.get("toolsFilter") or ()):
        if not tool:
            yield FILTER, ("spec", "toolsFilter", i), "its filter has an empty name"
        elif strict and UNWANTED.search(tool) and not is_placeholder(tool):
            message = f'its filter has "{tool}", which is no name of a tool'
            yield FILTER, ("spec", "toolsFilter", i), message


CHECKS: dict[str, tuple[Check, ...]] = {
    "MCPServer": (check_use,),
    "MCPRemoteProxy": (check_use,),
    "MCPToolConfig": (check_config,),
}
