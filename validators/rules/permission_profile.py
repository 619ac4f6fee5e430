"""Permission profiles that an MCPServer cannot have, and those that allow everything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcpcfg.compiler.finding import Rule
from mcpcfg.compiler.reading.placeholder import is_placeholder
from mcpcfg.validators.rule import reads

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcpcfg.compiler.finding import Finding
    from mcpcfg.compiler.models.mcpserver import MCPServerSpec
    from mcpcfg.compiler.resource import Resource
    from mcpcfg.compiler.workspace import Workspace
    from mcpcfg.validators.rule import Check

SOURCE = "Source: the run configuration of an MCPServer in the operator, v0.21.0."

FROM_CONFIG_MAP = Rule(
    id="PRF001",
    name="profile-from-config-map",
    stage="operator",
    severity="error",
    title="A permission profile from a ConfigMap cannot be read.",
    doc=f"""An MCPServer takes its permission profile from a ConfigMap.

Flagged: `permissionProfile.type: configmap`, whatever the ConfigMap holds.

Why it bites: the operator looks for the profile as a file in its own pod, at `/etc/toolhive/profiles/KEY`, where the
ConfigMap is not mounted. It cannot build the configuration, sets the server to Failed, and starts no pod.

Example: `permissionProfile: {{type: configmap, name: profiles, key: fetch.json}}`.

Cure: use `type: builtin` with `none` or `network`, and a NetworkPolicy for what the server may reach.

{SOURCE}
""",
)
UNKNOWN_PROFILE = Rule(
    id="PRF002",
    name="unknown-permission-profile",
    stage="operator",
    severity="error",
    title="There is no built-in permission profile of that name.",
    doc=f"""An MCPServer names a built-in permission profile that does not exist.

Flagged: `permissionProfile` of type `builtin` whose `name` is not `none`, `network` or `stdio`.

Why it bites: another name is taken for a file in the operator's pod, which is not there. The operator cannot build the
configuration, sets the server to Failed, and starts no pod.

Example: `permissionProfile: {{type: builtin, name: networks}}`.

Cure: write `none` or `network`.

{SOURCE}
""",
)
WIDE_OPEN = Rule(
    id="PRF003",
    name="wide-open-network",
    stage="lint",
    severity="info",
    title="A permission profile allows connections to everywhere.",
    is_opt_in=True,
    doc=f"""An MCPServer is given the permission profile that allows connections to everywhere.

Flagged: `permissionProfile` with `name: network`, where it is written. (Without a profile the server gets the same.)
Off unless the configuration says otherwise (`rules: {{PRF003: warning}}`): most servers need the network, and most
projects write it.

Why it bites: a server that is tricked into it can reach the whole cluster and the internet.

Example:

    permissionProfile: {{type: builtin, name: network}}

Cure: restrict the server's pods by a NetworkPolicy; they have the label `app: NAME`.

{SOURCE}
""",
    is_one_change=True,
)
UNENFORCED = Rule(
    id="PRF004",
    name="unenforced-permission-profile",
    stage="lint",
    severity="info",
    title="A permission profile forbids the network, and nothing enforces it.",
    doc="""An MCPServer is given the permission profile without network, and has it all the same.

Flagged: `permissionProfile` with `name: none`.

Why it bites: the profile is written into the proxy's configuration, and does not reach the server's pod: in Kubernetes
nothing enforces it. Who relies on it believes a server locked in that can reach the whole cluster and the internet.

Example:

    permissionProfile: {type: builtin, name: none}

Cure: forbid what the server must not reach by a NetworkPolicy for pods with the label `app: NAME`, and remove the
profile or silence this rule.

Source: the backend that the proxy runner deploys for an MCPServer, v0.21.0.
""",
    is_one_change=True,
)
RULES = (FROM_CONFIG_MAP, UNKNOWN_PROFILE, WIDE_OPEN, UNENFORCED)

BUILT_IN = ("", "none", "network", "stdio")
"""Names that need no file; the empty one stands for ``network``."""
PROFILE = ("spec", "permissionProfile")
RESTRICT = "restrict the server's pods by a NetworkPolicy; their label app is its name"


@reads("permissionProfile")
def check(resource: Resource[MCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Tell profiles that the operator cannot read, and those that do not do what their name says."""
    del workspace
    profile = resource.spec["permissionProfile"]
    name = profile.get("name", "")
    if profile.get("type") == "configmap":
        hint = "use type builtin, and a NetworkPolicy"
        message = "the operator cannot read a permission profile from a ConfigMap"
        yield resource.finding(FROM_CONFIG_MAP, (*PROFILE, "type"), message, hint=hint)
    elif name == "network":
        message = 'the profile "network" allows connections to everywhere'
        yield resource.finding(WIDE_OPEN, (*PROFILE, "name"), message, hint=RESTRICT)
    elif name == "none":
        message = 'nothing in Kubernetes enforces the profile "none": the server reaches the network like any other'
        yield resource.finding(UNENFORCED, (*PROFILE, "name"), message, hint=RESTRICT)
    elif name not in BUILT_IN and not is_placeholder(name) and not is_placeholder(str(profile.get("type"))):
        message = f'there is no built-in permission profile "{name}"'
        yield resource.finding(UNKNOWN_PROFILE, (*PROFILE, "name"), message, hint="write none or network")


CHECKS: dict[str, tuple[Check, ...]] = {"MCPServer": (check,)}
