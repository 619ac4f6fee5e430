"""Rules about permission profiles that an MCPServer cannot use, or that do not restrict the network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.diagnostics.placeholder import is_placeholder
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.models.mcpserver import MCPServerSpec
    from ..rule import Check, Finding, Resource, Workspace

SOURCE = "The run configuration of an MCPServer in the operator, v0.21.0."

FROM_CONFIG_MAP = rule(
    "PRF001",
    "profile-from-config-map",
    "A permission profile from a ConfigMap cannot be read",
    stage="operator",
    checks="`permissionProfile.type: configmap`, whatever the ConfigMap holds.",
    why="The operator looks for the profile as a file in its own pod, at `/etc/toolhive/profiles/KEY`, where the"
    " ConfigMap is not mounted. It cannot build the configuration, sets the server to Failed, and starts no pod.",
    example="permissionProfile: {type: configmap, name: profiles, key: fetch.json}",
    fix="Use `type: builtin` with `none` or `network`, and a NetworkPolicy that limits what the server may reach.",
    source=SOURCE,
)
UNKNOWN_PROFILE = rule(
    "PRF002",
    "unknown-permission-profile",
    "There is no built-in permission profile of that name",
    stage="operator",
    checks="`permissionProfile` of type `builtin` whose `name` is not `none`, `network` or `stdio`.",
    why="Any other name is read as a file in the operator's pod, which does not exist. The operator cannot build the"
    " configuration, sets the server to Failed, and starts no pod.",
    example="permissionProfile: {type: builtin, name: networks}",
    fix="Write `none` or `network`.",
    source=SOURCE,
)
WIDE_OPEN = rule(
    "PRF003",
    "wide-open-network",
    "A permission profile allows connections to any address",
    stage="lint",
    severity="info",
    checks="`permissionProfile` with `name: network`. (Without a profile the server gets the same.) Off unless the"
    " configuration turns it on (`rules: {PRF003: warning}`): most servers need the network, and most projects use this"
    " profile.",
    why="A server that is tricked into doing so can reach the whole cluster and the internet.",
    example="permissionProfile: {type: builtin, name: network}",
    fix="Restrict the server's pods with a NetworkPolicy; they have the label `app: NAME`.",
    source=SOURCE,
    is_one_change=True,
    is_opt_in=True,
)
UNENFORCED = rule(
    "PRF004",
    "unenforced-permission-profile",
    "A permission profile forbids the network, and nothing enforces it",
    stage="lint",
    severity="info",
    checks="`permissionProfile` with `name: none`.",
    why="The profile is written into the proxy's configuration, but does not reach the server's pod: in Kubernetes"
    " nothing enforces it. A server that looks locked in can reach the whole cluster and the internet.",
    example="permissionProfile: {type: builtin, name: none}",
    fix="Block what the server must not reach with a NetworkPolicy for pods with the label `app: NAME`, and remove the"
    " profile or ignore this rule.",
    source="The backend that the proxy runner deploys for an MCPServer, v0.21.0.",
    is_one_change=True,
)

BUILT_IN = ("", "none", "network", "stdio")
"""Names of built-in profiles. The empty name stands for ``network``."""
PROFILE = ("spec", "permissionProfile")
RESTRICT = "restrict the server's pods with a NetworkPolicy; they have the label app: NAME"


@reads("permissionProfile")
def check(resource: Resource[MCPServerSpec], _: Workspace) -> Iterator[Finding]:
    """Report permission profiles that the operator does not know or cannot read, or that leave the network open."""
    profile = resource.spec["permissionProfile"]
    name = profile.get("name", "")
    if profile.get("type") == "configmap":
        hint = "use type builtin, and a NetworkPolicy"
        message = "the operator cannot read a permission profile from a ConfigMap"
        yield resource.finding(FROM_CONFIG_MAP, (*PROFILE, "type"), message, hint=hint)
    elif name == "network":
        message = 'the profile "network" allows connections to any address'
        yield resource.finding(WIDE_OPEN, (*PROFILE, "name"), message, hint=RESTRICT)
    elif name == "none":
        message = 'nothing in Kubernetes enforces the profile "none": the server reaches the network like any other'
        yield resource.finding(UNENFORCED, (*PROFILE, "name"), message, hint=RESTRICT)
    elif name not in BUILT_IN and not is_placeholder(name) and not is_placeholder(str(profile.get("type"))):
        message = f'there is no built-in permission profile "{name}"'
        yield resource.finding(UNKNOWN_PROFILE, (*PROFILE, "name"), message, hint="write none or network")


CHECKS: dict[str, tuple[Check, ...]] = {"MCPServer": (check,)}
