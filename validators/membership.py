"""Who belongs to a group, as far as the files show: what a virtual server reaches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..compiler.workspace.workspace import MEMBER_KINDS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..compiler.models.spec import MemberSpec
    from ..compiler.workspace.resource import Resource
    from ..compiler.workspace.workspace import Workspace

MOST_LISTED = 5
"""Names in a message."""


def may_be_served(resource: Resource[MemberSpec], workspace: Workspace) -> bool:
    """Return whether a virtual server uses ``resource``, and so its authentication, or may do so.

    In an open world the virtual server of a group may be declared elsewhere.
    """
    if "groupRef" not in resource.spec:
        return False
    if not workspace.world.closed:
        return True
    found = workspace.leading(resource, "spec", "groupRef", "name")
    return found is not None and any(one.source.kind == "VirtualMCPServer" for one in workspace.referrers(found[1]))


def knows_members(workspace: Workspace) -> bool:
    """Return whether the members of groups are all among the files, and each states of which it is one."""
    world = workspace.world
    return (
        (world.closed or world.complete)
        and not world.may_have_any(MEMBER_KINDS)
        and not workspace.may_have_other_members()
    )


def members_by_name(resource: Resource, workspace: Workspace) -> Mapping[str, Resource[MemberSpec]]:
    """Return the members of a virtual server's group that are among the files."""
    group = workspace.target(resource, "spec", "groupRef", "name")
    return {member.name: member for member in workspace.members(group, resource)} if group is not None else {}


def listing(names: Sequence[str]) -> str:
    """Return names for a message, the first few of many."""
    shown = ", ".join(f'"{name}"' for name in names[:MOST_LISTED])
    return shown if len(names) <= MOST_LISTED else f"{shown} and {len(names) - MOST_LISTED} more"
