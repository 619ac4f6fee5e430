"""Rate limits of an MCPServer in the form of RunConfig."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from ..golang.duration import format_duration, parse_duration
from .build import Object, omit_empty

if TYPE_CHECKING:
    from ..models.mcpserver import MCPServerSpec
    from ..models.session import RateLimitBucket, RateLimitConfig
    from ..models.spec import ProxySpec
    from ..workspace.resource import Resource


def run_config(limits: RateLimitConfig | None) -> Object | None:
    """Return ``rate_limit_config`` of a RunConfig, with periods in Go's notation, or ``None`` without limits."""
    if limits is None:
        return None
    tool_limits = [
        {"name": tool.get("name", "")}
        | omit_empty({"shared": _bucket(tool.get("shared")), "perUser": _bucket(tool.get("perUser"))})
        for tool in limits.get("tools") or ()
    ]
    return omit_empty(
        {
            "shared": _bucket(limits.get("shared")),
            "perUser": _bucket(limits.get("perUser")),
            "tools": tool_limits,
        }
    )


def _bucket(bucket: RateLimitBucket | None) -> Object | None:
    if bucket is None:
        return None
    period = parse_duration(bucket.get("refillPeriod", ""))
    return {"maxTokens": bucket.get("maxTokens", 0), "refillPeriod": format_duration(period)}


def middleware_parameters(resource: Resource[ProxySpec], limits: Object) -> Object:
    """Return the parameters of the rate limit middleware: the limits, and the Redis that counts requests."""
    storage = cast("MCPServerSpec", resource.spec).get("sessionStorage") or {}
    parameters: Object = {
        "namespace": resource.printed_namespace,
        "server_name": resource.name,
        "config": limits,
    }
    return parameters | omit_empty({"redis_addr": storage.get("address"), "redis_db": storage.get("db")})
