"""Check the rate limits of a virtual server like its process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.fault import Fault
from ..diagnostics.finding import rule
from ..diagnostics.placeholder import is_placeholder
from ..diagnostics.plain import listed, mapping
from ..diagnostics.shown import shown
from ..diagnostics.version import RECORDED
from .operational import duration

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..diagnostics.span import Path

NO_PERIOD = rule(
    "RLM002 endless-refill",
    "process",
    "A rate limit has no tokens, or a refill period that is zero or negative",
    verified=RECORDED,
)


_BUCKETS: Final = ("shared", "perUser")


def limit_faults(limits: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield a fault for each limit of ``rateLimiting`` that lets no request through or is never refilled."""
    holders: list[tuple[Path, Any]] = [(("rateLimiting",), limits)]
    holders += [(("rateLimiting", "tools", i), tool) for i, tool in enumerate(listed(limits.get("tools")))]
    for path, key, bucket in ((path, key, mapping(holder).get(key)) for path, holder in holders for key in _BUCKETS):
        if bucket is None:
            continue
        most, period = bucket.get("maxTokens", 0), bucket.get("refillPeriod") or "0s"
        if most < 1:
            message, hint = f"maxTokens is {most}, so no request is let through", "write 1 or more"
            yield Fault((*path, key, "maxTokens"), NO_PERIOD, message, hint, "process")
        if duration(period) <= 0 and not is_placeholder(period):
            message, hint = f"the refillPeriod {shown(period)} is not positive", "write a time such as 1m"
            yield Fault((*path, key, "refillPeriod"), NO_PERIOD, message, hint, "process")
