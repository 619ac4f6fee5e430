"""Rules about permission profiles that an MCPServer cannot use, or that do not restrict the network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.diagnostics.version import RECORDED
from ...compiler.toolhive.release import PROFILE_IGNORED_SINCE
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.models.mcpserver import MCPServerSpec
    from ..rule import Check, Finding, Resource, Workspace

FROM_CONFIG_MAP = rule(
    "PRF001 profile-from-config-map",
    "operator",
    "A permission profile from a ConfigMap cannot be read",
    until=PROFILE_IGNORED_SINCE,
    verified=RECORDED,
)
UNKNOWN_PROFILE = rule(
    "PRF002 unknown-permission-profile",
    "operator",
    "There is no built-in permission profile of that name",
    until=PROFILE_IGNORED_SINCE,
    verified=RECORDED,
)
WIDE_OPEN = rule(
    "PRF003 wide-open-network",
    "lint",
    "A permission profile allows connections to any address",
    severity="info",
    is_one_change=True,
    until=PROFILE_IGNORED_SINCE,
)
UNENFORCED = rule(
    "PRF004 unenforced-permission-profile",
    "lint",
    "A permission profile forbids the network, and nothing enforces it",
    severity="info",
    is_one_change=True,
    until=PROFILE_IGNORED_SINCE,
)
IGNORED = rule(
    "PRF005 permission-profile-ignored",
    "lint",
    "The operator ignores the permission profile",
    is_one_change=True,
    since=PROFILE_IGNORED_SINCE,
    verified=("0.53.0",),
)

BUILT_IN = ("", "none", "network", "stdio")
"""Names of built-in profiles. The empty name stands for ``network``."""
PROFILE = ("spec", "permissionProfile")
RESTRICT = "restrict the server's pods with a NetworkPolicy; they have the label app: NAME"


@reads("permissionProfile")
def check(resource: Resource[MCPServerSpec], _: Workspace) -> Iterator[Finding]:
    """Report permission profiles that the operator ignores, does not know or cannot read, or that open the network."""
    message = "the operator ignores permissionProfile"
    hint = "remove it; restrict the pods by securityContext in podTemplateSpec, and by a NetworkPolicy"
    yield resource.finding(IGNORED, PROFILE, message, hint=hint, on="key")
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
