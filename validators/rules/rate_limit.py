"""Rules about rate limits that the operator cannot read, or that apply to no user or to all users together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.golang.duration import DurationError, meant_duration, parse_duration
from ...compiler.vmcp.rate_limit import NO_PERIOD
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.models.mcpserver import MCPServerSpec
    from ...compiler.models.session import RateLimitBucket, RateLimitConfig, ToolRateLimitConfig
    from ...compiler.models.virtualmcpserver import VirtualMCPServerSpec
    from ..rule import Check, Finding, Path, Resource, Workspace

INVALID = rule("RLM001 invalid-refill-period", "operator", "The refill period of a rate limit is not a duration")
NO_USERS = rule(
    "RLM003 per-user-limit-without-users", "lint", "A per-user rate limit is set, but users are not authenticated"
)

LIMITS: Path = ("spec", "rateLimiting")
READ_SINCE = "0.30.0"
"""The first release whose virtual servers apply rate limits."""


@reads("config")
def check_virtual_server(resource: Resource[VirtualMCPServerSpec], _: Workspace) -> Iterator[Finding]:
    """Report periods in the rate limits of a virtual server that are not positive. DEC001 reports invalid durations."""
    limits = resource.spec["config"].get("rateLimiting")
    if limits is None or not resource.is_judged(since=READ_SINCE):
        return
    for path, bucket in _buckets(limits, ("spec", "config", "rateLimiting")):
        text = bucket.get("refillPeriod", "")
        if not is_placeholder(text) and _is_readable(text):
            yield from _period(resource, (*path, "refillPeriod"), text)


@reads("rateLimiting")
def check(resource: Resource[MCPServerSpec], _: Workspace) -> Iterator[Finding]:
    """Report invalid periods, and limits per user without ``oidcConfigRef``, because the proxy then knows no users."""
    limits = resource.spec["rateLimiting"]
    anonymous = "oidcConfigRef" not in resource.spec
    for path, bucket in _buckets(limits, LIMITS):
        text = bucket.get("refillPeriod", "")
        if not is_placeholder(text):
            yield from _period(resource, (*path, "refillPeriod"), text)
        if anonymous and path[-1] == "perUser":
            message = "this limit is per user, but without oidcConfigRef users cannot be distinguished"
            yield resource.finding(NO_USERS, path, message, hint="add oidcConfigRef, or use shared", on="key")


def _buckets(limits: RateLimitConfig, path: Path) -> Iterator[tuple[Path, RateLimitBucket]]:
    holders: list[tuple[Path, RateLimitConfig | ToolRateLimitConfig]] = [(path, limits)]
    holders += [((*path, "tools", i), tool) for i, tool in enumerate(limits.get("tools") or ())]
    for at, holder in holders:
        for field in ("shared", "perUser"):
            if field in holder:
                yield (*at, field), holder[field]


def _is_readable(text: str) -> bool:
    try:
        parse_duration(text)
    except DurationError:
        return False
    return True


def _period(resource: Resource, path: Path, text: str) -> Iterator[Finding]:
    try:
        period = parse_duration(text)
    except DurationError as error:
        meant = f"{text}s for seconds" if text.isdigit() else meant_duration(text)
        hint = f"write {meant or 'a time such as 1m'}"
        yield resource.finding(INVALID, path, f"refillPeriod: {error}", hint=hint)
        return
    if period <= 0:
        message = f'the refillPeriod "{text}" is not positive'
        yield resource.finding(NO_PERIOD, path, message, hint="write a time such as 1m")


CHECKS: dict[str, tuple[Check, ...]] = {"MCPServer": (check,), "VirtualMCPServer": (check_virtual_server,)}
