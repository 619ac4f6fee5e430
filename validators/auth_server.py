"""References to embedded authorization servers, their configuration, and the workloads that embed them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..compiler.diagnostics.finding import rule

if TYPE_CHECKING:
    from ..compiler.models.mcpexternalauthconfig import MCPExternalAuthConfigSpec
    from ..compiler.models.reference import MCPOIDCConfigReference
    from ..compiler.models.spec import WorkloadSpec
    from ..compiler.workspace.resource import Resource
    from ..compiler.workspace.workspace import Workspace

EMBEDDED: Final = "embeddedAuthServer"
"""The type of an MCPExternalAuthConfig that configures an authorization server, and the field that contains it."""
AUTH_SERVER: Final = ("spec", "authServerRef", "name")
EXTERNAL_AUTH: Final = ("spec", "externalAuthConfigRef", "name")

MEMORY = rule(
    "AUT044 forgetful-auth-server",
    "lint",
    "An embedded authorization server forgets its clients and tokens when it restarts",
    is_one_change=True,
)
EPHEMERAL_KEYS = rule(
    "AUT045 ephemeral-signing-key",
    "lint",
    "An embedded authorization server generates new keys whenever it starts",
    severity="info",
    is_one_change=True,
)


def embeds(resource: Resource[WorkloadSpec], workspace: Workspace) -> bool:
    """Return whether a workload embeds an authorization server, so it has the keys to verify that server's tokens."""
    if "authServerConfig" in resource.spec:
        return True
    for path in (AUTH_SERVER, EXTERNAL_AUTH):
        target: Resource[MCPExternalAuthConfigSpec] | None = workspace.target(resource, *path)
        if target is not None and target.spec.get("type") == EMBEDDED:
            return True
    return False


def audience_hint(reference: MCPOIDCConfigReference, url: str) -> str:
    """Return the hint for an audience that differs from ``url``, the resource URL of the authorization server."""
    others = "" if reference.get("resourceUrl") else ", or set resourceUrl to the audience if clients use that URL"
    return f"write {url}{others}"
