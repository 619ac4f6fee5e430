"""Whether a virtual server reaches a resource as a member of its group."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcpcfg.compiler.resource import Resource
    from mcpcfg.compiler.workspace import Workspace


def may_be_served(resource: Resource, workspace: Workspace) -> bool:
    """Tell whether a virtual server uses ``resource``, and so its authentication, or may do so.

    In an open world the virtual server of a group may be declared elsewhere.
    """
    if "groupRef" not in resource.spec:
        return False
    if not workspace.world.closed:
        return True
    found = workspace.leading(resource, "spec", "groupRef", "name")
    return found is not None and any(one.source.kind == "VirtualMCPServer" for one in workspace.referrers(found[1]))
