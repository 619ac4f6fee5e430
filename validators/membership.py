"""Find the members of groups, and the virtual servers that serve them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..compiler.workspace.workspace import MEMBER_KINDS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..compiler.models.spec import MemberSpec
    from ..compiler.workspace.resource import Resource
    from ..compiler.workspace.workspace import Workspace

MOST_LISTED = 5
"""Maximum number of names in a message, so that it stays one sentence."""


def may_be_served(resource: Resource[MemberSpec], workspace: Workspace) -> bool:
    """Return whether a virtual server serves a workload, or might serve it.

    In an open world, another repository may declare a virtual server for the workload's group.
    """
    if "groupRef" not in resource.spec:
        return False
    if not workspace.context.closed:
        return True
    resolved = workspace.resolved(resource, "spec", "groupRef", "name")
    return resolved is not None and any(
        reference.source.kind == "VirtualMCPServer" for reference in workspace.referrers(resolved[1])
    )


def are_members_known(workspace: Workspace) -> bool:
    """Return whether the project declares all members of its groups, and states the group of each workload."""
    context = workspace.context
    return (
        (context.closed or context.complete)
        and not context.may_have_any(MEMBER_KINDS)
        and not workspace.may_have_other_members()
    )


def members_by_name(resource: Resource, workspace: Workspace) -> Mapping[str, Resource[MemberSpec]]:
    """Return the members of a virtual server's group by name; empty if the group is unknown."""
    group = workspace.target(resource, "spec", "groupRef", "name")
    return {member.name: member for member in workspace.members(group, resource)} if group is not None else {}


def listing(names: Sequence[str]) -> str:
    """Return the names in quotes, separated by commas. After `MOST_LISTED` names, the number of the others follows."""
    shown = ", ".join(f'"{name}"' for name in names[:MOST_LISTED])
    return shown if len(names) <= MOST_LISTED else f"{shown} and {len(names) - MOST_LISTED} more"
