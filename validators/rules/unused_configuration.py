"""Shared configurations and groups that nothing uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.diagnostics.finding import Rule
from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.workspace.workspace import MEMBER_KINDS
from ..rule import Survey

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.diagnostics.finding import Finding
    from ...compiler.workspace.resource import Resource
    from ...compiler.workspace.workspace import Workspace
    from ..rule import Check, Noted

UNUSED = Rule(
    id="REF020",
    name="unused-configuration",
    stage="lint",
    severity="info",
    title="Nothing refers to a shared configuration.",
    doc="""A shared configuration is declared, and nothing among the files refers to it.

Flagged: MCPOIDCConfig, MCPExternalAuthConfig, MCPTelemetryConfig and MCPToolConfig without a reference to them, where
whole folders or a known project are checked and `external` lists no workloads. Where a reference to that kind leads
nowhere, it alone is told.

Why it bites: such a configuration does nothing by itself. Often the reference was forgotten: telemetry, a tool filter
or authentication seems to be set up and is not.

Example: an MCPTelemetryConfig, and MCPServers without `telemetryConfigRef`.

Cure: refer to it, or remove it.

Source: the controllers of the operator, v0.21.0; research on how people configure it.
""",
)
EMPTY_GROUP = Rule(
    id="REF021",
    name="group-without-members",
    stage="lint",
    severity="info",
    title="A group has no members.",
    doc="""An MCPGroup is declared, and nothing among the files belongs to it.

Flagged: an MCPGroup that no MCPServer, MCPRemoteProxy or MCPServerEntry names in `groupRef`, where whole folders or a
known project are checked and there are such resources, none of them listed under `external`. Where a VirtualMCPServer
serves the group, VMC216 tells it.

Why it bites: members join by their own `groupRef`; the group does not list them. A virtual server of an empty group
offers no tools.

Example: an MCPGroup `tools`, and MCPServers without `groupRef`.

Cure: add `groupRef: {name: tools}` to its members, or remove the group.

Source: the controller of MCPGroup in the operator, v0.21.0.
""",
)
RULES = (UNUSED, EMPTY_GROUP)

NAME = ("metadata", "name")
SHARED_KINDS: tuple[str, ...] = ("MCPOIDCConfig", "MCPExternalAuthConfig", "MCPTelemetryConfig", "MCPToolConfig")
CONFIGURING = (*SHARED_KINDS, "MCPGroup")
REFERRING = (
    *CONFIGURING,
    *("EmbeddingServer", "MCPRegistry"),
    *("MCPServer", "MCPRemoteProxy", "MCPServerEntry", "VirtualMCPServer"),
)
USING_KINDS = MEMBER_KINDS | {"VirtualMCPServer"}


def note_use(resource: Resource, workspace: Workspace) -> tuple[bool, tuple[str, ...]] | None:
    """Record whether nothing refers to a configuration, and the kinds of its own references that lead nowhere known."""
    if not workspace.world.complete:
        return None
    is_unused = resource.kind in CONFIGURING and not workspace.is_referred(resource)
    asked = {
        reference.kind
        for reference in workspace.references(resource)
        if reference.problem is not None or (reference.target is None and is_placeholder(reference.name))
    }
    return (is_unused, tuple(sorted(asked))) if is_unused or asked else None


def tell_unused(noted: Noted, workspace: Workspace) -> Iterator[Finding]:
    """Report what nothing uses, where all that could use it has been read.

    Where a reference to that kind leads nowhere, what nothing refers to is probably what it meant. What a resource
    refers to that would not be admitted is used as soon as that one is fixed.
    """
    if workspace.world.may_have_any(USING_KINDS):
        return  # what is declared elsewhere may use it
    kinds = SHARED_KINDS
    if workspace.has_any(sorted(MEMBER_KINDS)):
        kinds += ("MCPGroup",)
    unused = [position for kind in kinds for position, (is_unused, _) in noted.get(kind, ()) if is_unused]
    misspelt = {kind for notes in noted.values() for _, (_, asked) in notes for kind in asked}
    inventory = workspace.inventory
    refused = workspace.turned_away() if unused else []
    meant = {target for position in refused for target in inventory.targets[position]}
    for position in filter(workspace.tells, unused):
        kind, _, name = inventory.identity(position)
        if kind in misspelt or (kind, name) in meant:
            continue
        resource = inventory[position]
        if resource.kind == "MCPGroup":
            message = f'nothing belongs to group "{resource.name}"'
            hint = f"members join by groupRef: {{name: {resource.name}}}"
            yield resource.finding(EMPTY_GROUP, NAME, message, hint=hint)
        else:
            message = f'nothing refers to {resource.kind} "{resource.name}"'
            yield resource.finding(UNUSED, NAME, message)


CHECKS: dict[str, tuple[Check, ...]] = {}
SURVEYS: tuple[Survey, ...] = (Survey("unused-configuration", REFERRING, note_use, tell_unused),)
