"""MCPExternalAuthConfigs that the operator marks invalid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcpcfg.compiler.finding import Rule
from mcpcfg.validators.rule import reads

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mcpcfg.compiler.finding import Finding
    from mcpcfg.compiler.models.mcpexternalauthconfig import MCPExternalAuthConfigSpec
    from mcpcfg.compiler.resource import Resource
    from mcpcfg.compiler.source import Path
    from mcpcfg.compiler.workspace import Workspace
    from mcpcfg.validators.rule import Check

SOURCE = "Source: the validation of MCPExternalAuthConfig in the operator, v0.21.0."

UPSTREAM_BLOCK = Rule(
    id="AUT010",
    name="mismatched-upstream-block",
    stage="operator",
    severity="error",
    title="An upstream provider's configuration block does not go with its type.",
    doc=f"""An upstream provider's configuration block does not go with its type.

Flagged: an upstream of type `oidc` without `oidcConfig` or with `oauth2Config`, and the other way round.

Why it bites: the schema does not tie the two together. The operator sets Valid to False; workloads that embed the
server all the same crash when they start, because the block that they need is missing.

Example:

    upstreamProviders:
      - name: github
        type: oidc
        oauth2Config: {{clientId: abc, ...}}

Cure: correct `type`, or give the block that goes with it and no other.

{SOURCE}
""",
)
NO_ROLE = Rule(
    id="AUT011",
    name="no-cloud-role",
    stage="operator",
    severity="error",
    title="An awsSts configuration names no role at all.",
    doc=f"""An `awsSts` configuration names no role that could be assumed.

Flagged: `awsSts` with neither `fallbackRoleArn` nor `roleMappings`.

Why it bites: the operator sets Valid to False, and a proxy that uses the configuration crashes when it starts.

Example: `awsSts: {{region: eu-central-1}}`.

Cure: give a `fallbackRoleArn`, or at least one mapping.

{SOURCE}
""",
)
ROLE_MAPPING = Rule(
    id="AUT012",
    name="ambiguous-role-mapping",
    stage="operator",
    severity="error",
    title="A role mapping has both claim and matcher, or neither.",
    doc=f"""A role mapping says both ways at once when it applies, or none.

Flagged: an item of `awsSts.roleMappings` with both `claim` and `matcher`, or with neither.

Why it bites: the operator sets Valid to False, and a proxy that uses the configuration crashes when it starts.

Example: `- {{claim: admins, matcher: 'claims["sub"] == "x"', roleArn: ...}}`.

Cure: keep one. `claim` is a value that the role claim must hold, `matcher` a CEL expression over all claims.

{SOURCE}
""",
)
RULES = (UPSTREAM_BLOCK, NO_ROLE, ROLE_MAPPING)

BLOCKS = {"oidc": ("oidcConfig", "oauth2Config"), "oauth2": ("oauth2Config", "oidcConfig")}
UPSTREAMS: Path = ("spec", "embeddedAuthServer", "upstreamProviders")
STS: Path = ("spec", "awsSts")


@reads("embeddedAuthServer")
def check_upstreams(resource: Resource[MCPExternalAuthConfigSpec], workspace: Workspace) -> Iterator[Finding]:
    """Tell upstreams whose block does not go with their type."""
    del workspace
    for i, upstream in enumerate(resource.spec["embeddedAuthServer"].get("upstreamProviders") or ()):
        blocks = BLOCKS.get(upstream.get("type", ""))
        if blocks is None:
            continue
        own, other = blocks
        path: Path = (*UPSTREAMS, i)
        name, speaks = upstream.get("name"), upstream.get("type")
        if other in upstream:
            rest = "as well" if own in upstream else f"instead of {own}"
            message = f'upstream "{name}" is of type {speaks}, but has {other} {rest}'
            hint = f"remove {other}" if own in upstream else f"correct the type, or write {own}"
            yield resource.finding(UPSTREAM_BLOCK, (*path, other), message, hint=hint, on="key")
        elif own not in upstream:
            message = f'upstream "{name}" is of type {speaks}, but has no {own}'
            yield resource.finding(UPSTREAM_BLOCK, path, message, hint=f"add {own}")


@reads("awsSts")
def check_roles(resource: Resource[MCPExternalAuthConfigSpec], workspace: Workspace) -> Iterator[Finding]:
    """Tell configurations without a role, and mappings that do not say when they apply."""
    del workspace
    sts = resource.spec["awsSts"]
    for path, message in role_problems(sts):
        rule = ROLE_MAPPING if path else NO_ROLE
        hint = "give one of the two: claim or matcher" if path else "give fallbackRoleArn, or mappings"
        yield resource.finding(rule, (*STS, *path), message, hint=hint, on="value" if path else "key")


def role_problems(sts: Mapping[str, object]) -> Iterator[tuple[Path, str]]:
    """Give what operator and process both refuse in an ``awsSts`` block: path in the block, and a clause."""
    mappings = sts.get("roleMappings")
    if not mappings and not sts.get("fallbackRoleArn"):
        yield (), "awsSts has neither fallbackRoleArn nor roleMappings"
    if not isinstance(mappings, list):
        return
    for i, mapping in enumerate(mappings):
        if mapping.get("claim") and mapping.get("matcher"):
            yield ("roleMappings", i), f"role mapping {i} has both claim and matcher"
        elif not mapping.get("claim") and not mapping.get("matcher"):
            yield ("roleMappings", i), f"role mapping {i} has neither claim nor matcher"


CHECKS: dict[str, tuple[Check, ...]] = {"MCPExternalAuthConfig": (check_upstreams, check_roles)}
