"""Report of the calls that rate limits allow, as text and as JSON data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...diagnostics.shown import line
from ...golang.duration import format_duration

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from ..ratelimit import Bucket, RateLimits, ToolLimit


def text(name: str, limits: RateLimits) -> str:
    """Return the rate limits of the resource ``name`` as text."""
    return "".join(f"{line(text_line)}\n" for text_line in _lines(name, limits))


def data(limits: RateLimits) -> dict[str, Any]:
    """Return the rate limits as JSON data. Rates are in calls per second."""
    if limits.error is not None:
        return {"version": 1, "error": limits.error}
    return {
        "version": 1,
        "users": limits.users,
        "buckets": [
            {
                "name": entry.name,
                "burst": entry.burst,
                "period": format_duration(entry.period_ns),
                "perSecond": float(entry.rate),
            }
            for entry in limits.buckets
        ],
        "tools": [
            {
                "tool": entry.tool,
                "perSecond": None if entry.per_second is None else float(entry.per_second),
                "burst": entry.burst,
                "binds": entry.binds.name if entry.binds else None,
                "bindsBurst": entry.binds_burst.name if entry.binds_burst else None,
                "idle": [bucket.name for bucket in entry.idle],
            }
            for entry in limits.tools
        ],
        "keys": {
            "shared": limits.shared_keys,
            "perUser": limits.user_keys,
            "expireAfter": format_duration(limits.expiry_ns),
        },
        "sharedBindsFromUsers": limits.crowd,
    }


def _lines(name: str, limits: RateLimits) -> Iterator[str]:
    if limits.error is not None:
        yield f"{name}: the limits cannot be used: {limits.error}"
        return
    yield f"{name}, called by {_count(limits.users, 'user')}"
    yield from ("", "Limits")
    width = max(len(entry.name) for entry in limits.buckets)
    yield from (f"  {entry.name:<{width}}  {_bucket(entry)}" for entry in limits.buckets)
    yield from ("", "All users together get")
    others = "every other tool" if len(limits.tools) > 1 else "every tool"
    for entry in limits.tools:
        yield f"  {entry.tool or others}: {_tool(entry)}"
        yield from (f"    {bucket.name} never refuses a call: another limit is used up first" for bucket in entry.idle)
    if limits.crowd is not None:
        yield from ("", f"From {_count(limits.crowd, 'user')} on, shared binds before perUser.")
    keys = f"Keys in Redis: {limits.shared_keys} shared"
    if limits.user_keys:
        keys += f", {limits.user_keys} for users, forgotten after {format_duration(limits.expiry_ns)} without a call"
    yield from ("", f"{keys}.")


def _bucket(bucket: Bucket) -> str:
    whose = "for each user" if bucket.per_user else "for all users"
    return f"{_count(bucket.burst, 'call')} in {format_duration(bucket.period_ns)}, {whose}"


def _tool(limit: ToolLimit) -> str:
    if limit.per_second is None or limit.binds is None or limit.binds_burst is None:
        return "as many calls as they like"
    rate = f"{_rate(limit.per_second)} in the long run ({limit.binds.name})"
    return f"{rate}, {_count(limit.burst or 0, 'call')} at once ({limit.binds_burst.name})"


def _rate(per_second: Fraction) -> str:
    """Return a rate as text, in calls a second, a minute or an hour.

    The unit is the first with a whole number, or else the first with at least one call, or else the hour.
    """
    units = (("a second", per_second), ("a minute", per_second * 60), ("an hour", per_second * 3600))
    whole = next(((name, rate) for name, rate in units if rate.denominator == 1), None)
    name, rate = whole or next(((name, rate) for name, rate in units if rate >= 1), units[-1])
    return f"{float(rate):.6g} call{'' if rate == 1 else 's'} {name}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
