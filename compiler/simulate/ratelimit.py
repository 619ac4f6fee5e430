"""Compute how many calls the rate limits of a server allow, and how many keys they need in Redis."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from ..golang.duration import DurationError, parse_duration

if TYPE_CHECKING:
    from collections.abc import Mapping

_SECOND: Final = 1_000_000_000
"""A second in nanoseconds."""
EXPIRY_PERIODS: Final = 2
"""The number of refill periods without a call after which Redis drops a per-user key.

The bucket is full by then, and a full bucket needs no key.
"""


@dataclass(frozen=True, slots=True)
class Bucket:
    """A token bucket. It starts full, each tool call takes a token, and tokens are added at a constant rate.

    Attributes:
        tool: The tool whose calls are counted, or ``None`` for all tools.
        per_user: True if each user has a separate bucket.
        period_ns: The time in nanoseconds in which an empty bucket becomes full.
    """

    tool: str | None
    per_user: bool
    burst: int
    period_ns: int

    @property
    def rate(self) -> Fraction:
        """The number of tokens that are added per second."""
        return Fraction(self.burst * _SECOND, self.period_ns)

    @property
    def name(self) -> str:
        """The name in the configuration: ``shared``, ``perUser`` or ``tools.search.perUser``."""
        kind = "perUser" if self.per_user else "shared"
        return kind if self.tool is None else f"tools.{self.tool}.{kind}"

    def total(self, users: int) -> Fraction:
        """Return the number of calls per second that the bucket allows for a number of users."""
        return self.rate * users if self.per_user else self.rate

    def total_burst(self, users: int) -> int:
        """Return the number of simultaneous calls that the bucket allows for a number of users."""
        return self.burst * users if self.per_user else self.burst


@dataclass(frozen=True, slots=True)
class ToolLimit:
    """The combined limit of all buckets that count the calls of a tool.

    Attributes:
        tool: The tool, or ``None`` for every tool without limits of its own.
        per_second: The sustained number of calls per second of all users together; ``None`` without a limit.
        burst: The number of simultaneous calls after a pause of all users together; ``None`` without a limit.
        binds: The bucket that limits the rate, or ``None`` without a limit.
        binds_burst: The bucket that limits the burst, or ``None`` without a limit.
        idle: The buckets of the tool that never refuse a call, because a bucket of the whole server is always empty
            first.
    """

    tool: str | None
    per_second: Fraction | None
    burst: int | None
    binds: Bucket | None
    binds_burst: Bucket | None
    idle: tuple[Bucket, ...] = ()


@dataclass(frozen=True, slots=True)
class RateLimits:
    """The limits of a server for a number of users.

    Attributes:
        tools: The limits of each tool that has its own buckets, and last the limits of all other tools.
        shared_keys: The number of Redis keys that never expire.
        user_keys: The number of Redis keys while all users call all tools. A key expires after at most ``expiry_ns``.
        expiry_ns: The longest lifetime of a per-user key in nanoseconds; 0 without per-user limits.
        crowd: The smallest number of users for which ``shared`` limits the rate instead of ``perUser``; ``None`` unless
            both are configured.
        error: The reason why the configuration cannot be used. All other attributes are then empty.
    """

    users: int = 0
    buckets: tuple[Bucket, ...] = ()
    tools: tuple[ToolLimit, ...] = ()
    shared_keys: int = 0
    user_keys: int = 0
    expiry_ns: int = 0
    crowd: int | None = None
    error: str | None = None


class _InvalidConfiguration(Exception):  # noqa: N818 - it is the answer
    """The configuration cannot be used. The message is the reason."""


def rate_limits(config: Any, users: int) -> RateLimits:
    """Compute how many calls ``config`` allows for a number of users.

    Source: docs/operator/proxy.md, "Rate limits"; documentation of ToolHive, "Rate limiting".

    Args:
        config: ``rateLimiting`` of an MCPServer, or ``rate_limit_config`` of a RunConfig, as plain data of any shape.
        users: The number of different users within a period, at least 1.
    """
    try:
        buckets = _buckets(config)
    except _InvalidConfiguration as refused:
        return RateLimits(error=str(refused))
    users = max(users, 1)
    names = dict.fromkeys(bucket.tool for bucket in buckets if bucket.tool is not None)
    per_user = [bucket for bucket in buckets if bucket.per_user]
    return RateLimits(
        users,
        buckets,
        tuple(_tool_limit(buckets, name, users) for name in (*names, None)),
        shared_keys=len(buckets) - len(per_user),
        user_keys=users * len(per_user),
        expiry_ns=EXPIRY_PERIODS * max((bucket.period_ns for bucket in per_user), default=0),
        crowd=_crowd(buckets),
    )


def answer(question: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer to a line of ``mcpcfg simulate rate-limit --json-lines``.

    A question has ``config`` and ``users``; see `rate_limits`. The answer to an invalid question only has ``error``.
    """
    users = question.get("users", 1)
    if not isinstance(users, int) or isinstance(users, bool) or users < 1:
        return {"error": "users must be a number, 1 or more"}
    limits = rate_limits(question.get("config"), users)
    if limits.error is not None:
        return {"error": limits.error}
    return {
        "users": limits.users,
        "buckets": [_bucket_json(bucket) for bucket in limits.buckets],
        "tools": [_tool_json(tool) for tool in limits.tools],
        "keys": {
            "shared": limits.shared_keys,
            "perUser": limits.user_keys,
            "expireAfterSeconds": limits.expiry_ns / _SECOND,
        },
        "sharedBindsFromUsers": limits.crowd,
    }


def _bucket_json(bucket: Bucket) -> dict[str, Any]:
    return {
        "name": bucket.name,
        "burst": bucket.burst,
        "periodSeconds": bucket.period_ns / _SECOND,
        "perSecond": float(bucket.rate),
    }


def _tool_json(tool: ToolLimit) -> dict[str, Any]:
    return {
        "tool": tool.tool,
        "perSecond": None if tool.per_second is None else float(tool.per_second),
        "burst": tool.burst,
        "binds": None if tool.binds is None else tool.binds.name,
        "bindsBurst": None if tool.binds_burst is None else tool.binds_burst.name,
        "idle": [bucket.name for bucket in tool.idle],
    }


def _buckets(config: Any) -> tuple[Bucket, ...]:
    if not isinstance(config, dict):
        raise _InvalidConfiguration("the configuration must be an object")
    buckets = _pair(config, None)
    tools = config.get("tools") or []
    if not isinstance(tools, list):
        raise _InvalidConfiguration("tools must be a list")
    seen: set[str] = set()
    for index, tool in enumerate(tools):
        name = tool.get("name") if isinstance(tool, dict) else None
        if not isinstance(name, str) or not name:
            raise _InvalidConfiguration(f"tool {index} needs a name")
        if name in seen:
            raise _InvalidConfiguration(f"the tool {name!r} stands twice")
        seen.add(name)
        tool_buckets = _pair(tool, name)
        if not tool_buckets:
            raise _InvalidConfiguration(f"the tool {name!r} has neither a shared nor a perUser limit")
        buckets += tool_buckets
    if not buckets:
        raise _InvalidConfiguration("no limit is configured")
    return tuple(buckets)


def _pair(config: Mapping[str, Any], tool: str | None) -> list[Bucket]:
    where = "" if tool is None else f"tools.{tool}."
    return [
        _bucket(config[name], tool, f"{where}{name}", per_user=name == "perUser")
        for name in ("shared", "perUser")
        if config.get(name) is not None
    ]


def _bucket(config: Any, tool: str | None, where: str, *, per_user: bool) -> Bucket:
    burst = config.get("maxTokens") if isinstance(config, dict) else None
    if not isinstance(burst, int) or isinstance(burst, bool) or burst < 1:
        raise _InvalidConfiguration(f"{where}.maxTokens must be a number, 1 or more")
    period = config.get("refillPeriod")
    try:
        period_ns = parse_duration(period) if isinstance(period, str) else 0
    except DurationError as error:
        raise _InvalidConfiguration(f"{where}.refillPeriod: {error}") from None
    if period_ns <= 0:
        raise _InvalidConfiguration(f"{where}.refillPeriod must be a duration above zero, such as '1m'")
    return Bucket(tool, per_user, burst, period_ns)


def _tool_limit(buckets: tuple[Bucket, ...], tool: str | None, users: int) -> ToolLimit:
    relevant = [bucket for bucket in buckets if bucket.tool is None or bucket.tool == tool]
    if not relevant:
        return ToolLimit(tool, None, None, None, None)
    binds = min(relevant, key=lambda bucket: bucket.total(users))
    binds_burst = min(relevant, key=lambda bucket: bucket.total_burst(users))
    idle = tuple(bucket for bucket in relevant if bucket.tool is not None and _is_idle(bucket, relevant, users))
    return ToolLimit(tool, binds.total(users), binds_burst.total_burst(users), binds, binds_burst, idle)


def _is_idle(bucket: Bucket, others: list[Bucket], users: int) -> bool:
    """Return whether a bucket of one tool never refuses a call, because a bucket of the whole server is empty first."""
    for other in others:
        if other.tool is not None:
            continue
        # For a per-user bucket, compare what the server grants a single user.
        callers = 1 if bucket.per_user else users
        if other.total(callers) <= bucket.rate and other.total_burst(callers) <= bucket.burst:
            return True
    return False


def _crowd(buckets: tuple[Bucket, ...]) -> int | None:
    server = {bucket.per_user: bucket for bucket in buckets if bucket.tool is None}
    if True not in server or False not in server:
        return None
    return int(server[False].rate / server[True].rate) + 1
