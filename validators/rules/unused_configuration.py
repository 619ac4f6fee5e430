"""Rules about shared configurations and groups that nothing uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.workspace.workspace import MEMBER_KINDS
from ..rule import facts_of, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..rule import Finding, ProjectRule, Resource, Workspace

UNUSED = rule("REF020 unused-configuration", "lint", "Nothing refers to a shared configuration", severity="info")
EMPTY_GROUP = rule("REF021 group-without-members", "lint", "A group has no members", severity="info")

NAME = ("metadata", "name")
SHARED_KINDS: tuple[str, ...] = ("MCPOIDCConfig", "MCPExternalAuthConfig", "MCPTelemetryConfig", "MCPToolConfig")
CONFIGURING = (*SHARED_KINDS, "MCPGroup")
REFERRING = (
    *CONFIGURING,
    *("EmbeddingServer", "MCPRegistry"),
    *("MCPServer", "MCPRemoteProxy", "MCPServerEntry", "VirtualMCPServer"),
)
USING_KINDS = MEMBER_KINDS | {"VirtualMCPServer"}


def find_unused(workspace: Workspace) -> Iterator[Finding]:
    """Yield a finding for each configuration without referrers, and for each group without members.

    Nothing is yielded if files with possible users were not read. A configuration is skipped if a reference to its kind
    is dangling, because the configuration is probably its target. References from a resource that is not admitted
    count, because they exist as soon as the resource is fixed.
    """
    if not workspace.context.complete or workspace.context.may_have_any(USING_KINDS):
        return  # a file that was not read may contain a user
    kinds = SHARED_KINDS
    if workspace.has_any(sorted(MEMBER_KINDS)):
        kinds += ("MCPGroup",)
    unused = [resource for resource, is_unused in facts_of(kinds, _is_unused, workspace) if is_unused]
    if not unused:
        return
    misspelt = {kind for _, asked in facts_of(REFERRING, _dangling_kinds, workspace) for kind in asked}
    for resource in unused:
        if resource.kind in misspelt or workspace.refused_referrer_kinds(resource.kind, resource.name):
            continue
        if resource.kind == "MCPGroup":
            message = f'nothing belongs to group "{resource.name}"'
            hint = f"members join by groupRef: {{name: {resource.name}}}"
            yield resource.finding(EMPTY_GROUP, NAME, message, hint=hint)
        else:
            message = f'nothing refers to {resource.kind} "{resource.name}"'
            yield resource.finding(UNUSED, NAME, message, hint="remove it, or refer to it")


def _is_unused(resource: Resource, workspace: Workspace) -> bool:
    return not workspace.is_referred(resource)


def _dangling_kinds(resource: Resource, workspace: Workspace) -> set[str]:
    return {
        reference.kind
        for reference in workspace.references(resource)
        if reference.problem is not None or (reference.target is None and is_placeholder(reference.name))
    }


PROJECT_RULES: tuple[ProjectRule, ...] = (find_unused,)
