"""Rules about MCPExternalAuthConfigs that the operator marks as invalid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..aws_role import STS, role_problems
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.models.mcpexternalauthconfig import MCPExternalAuthConfigSpec
    from ..rule import Check, Finding, Path, Resource, Workspace

UPSTREAM_BLOCK = rule(
    "AUT010 mismatched-upstream-block", "operator", "An upstream provider's configuration block does not match its type"
)
NO_ROLE = rule("AUT011 no-cloud-role", "operator", "An awsSts configuration names no role at all")
ROLE_MAPPING = rule(
    "AUT012 ambiguous-role-mapping", "operator", "A role mapping has both claim and matcher, or neither"
)
NO_HANDLER = rule(
    "AUT057 on-behalf-of-not-available", "operator", "The operator does not implement the type obo", since="0.29.0"
)

BLOCKS = {"oidc": ("oidcConfig", "oauth2Config"), "oauth2": ("oauth2Config", "oidcConfig")}
UPSTREAMS: Path = ("spec", "embeddedAuthServer", "upstreamProviders")


@reads("embeddedAuthServer")
def check_upstreams(resource: Resource[MCPExternalAuthConfigSpec], _: Workspace) -> Iterator[Finding]:
    """Report upstream providers that lack the block of their type, or have the block of another type."""
    for i, upstream in enumerate(resource.spec["embeddedAuthServer"].get("upstreamProviders") or ()):
        blocks = BLOCKS.get(upstream.get("type", ""))
        if blocks is None:
            continue
        expected, other = blocks
        path: Path = (*UPSTREAMS, i)
        name, speaks = upstream.get("name"), upstream.get("type")
        if other in upstream:
            rest = "as well" if expected in upstream else f"instead of {expected}"
            message = f'upstream "{name}" is of type {speaks}, but has {other} {rest}'
            hint = f"remove {other}" if expected in upstream else f"correct the type, or write {expected}"
            yield resource.finding(UPSTREAM_BLOCK, (*path, other), message, hint=hint, on="key")
        elif expected not in upstream:
            message = f'upstream "{name}" is of type {speaks}, but has no {expected}'
            yield resource.finding(UPSTREAM_BLOCK, path, message, hint=f"add {expected}")


@reads("awsSts")
def check_roles(resource: Resource[MCPExternalAuthConfigSpec], _: Workspace) -> Iterator[Finding]:
    """Report an ``awsSts`` block without a role, and role mappings without exactly one of claim and matcher."""
    for path, message in role_problems(resource):
        rule = ROLE_MAPPING if path else NO_ROLE
        hint = "set one of the two: claim or matcher" if path else "set fallbackRoleArn, or mappings"
        yield resource.finding(rule, (*STS, *path), message, hint=hint, on="value" if path else "key")


@reads("obo")
def check_handler(resource: Resource[MCPExternalAuthConfigSpec], _: Workspace) -> Iterator[Finding]:
    """Report the type ``obo``, which the operator does not implement."""
    if resource.spec.get("type") == "obo":
        message = "the operator does not implement the type obo, and marks the configuration as invalid"
        hint = "use tokenExchange or xaa; if your build of the operator implements obo, turn AUT057 off"
        yield resource.finding(NO_HANDLER, ("spec", "type"), message, hint=hint)


CHECKS: dict[str, tuple[Check, ...]] = {"MCPExternalAuthConfig": (check_upstreams, check_roles, check_handler)}
