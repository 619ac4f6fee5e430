"""Where workloads refer to an embedded authorization server, what configures one, and which workloads embed one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ..compiler.models.mcpexternalauthconfig import MCPExternalAuthConfigSpec
    from ..compiler.models.spec import WorkloadSpec
    from ..compiler.workspace.resource import Resource
    from ..compiler.workspace.workspace import Workspace

EMBEDDED: Final = "embeddedAuthServer"
"""The type of an MCPExternalAuthConfig that configures an authorization server, and the field that holds it."""
AUTH_SERVER: Final = ("spec", "authServerRef", "name")
EXTERNAL_AUTH: Final = ("spec", "externalAuthConfigRef", "name")


def embeds(resource: Resource[WorkloadSpec], workspace: Workspace) -> bool:
    """Return whether a workload embeds an authorization server, and so has the keys of its tokens at hand."""
    if "authServerConfig" in resource.spec:
        return True
    for path in (AUTH_SERVER, EXTERNAL_AUTH):
        target: Resource[MCPExternalAuthConfigSpec] | None = workspace.target(resource, *path)
        if target is not None and target.spec.get("type") == EMBEDDED:
            return True
    return False
