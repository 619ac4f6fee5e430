"""The functions and methods of Cedar, and how many arguments each takes.

Source: cedar-go v1.6, ``internal/extensions``, and the core methods of its parser.
"""

from __future__ import annotations

CORE_METHODS = {"contains": 1, "containsAll": 1, "containsAny": 1, "hasTag": 1, "getTag": 1, "isEmpty": 0}
"""Of sets and of entities with tags; cedar-go counts their arguments when it reads the policy."""

FUNCTIONS = {"ip": 1, "decimal": 1, "datetime": 1, "duration": 1}
"""Of the extensions; cedar-go counts their arguments only when it evaluates the policy."""

METHODS = {
    **dict.fromkeys(("lessThan", "lessThanOrEqual", "greaterThan", "greaterThanOrEqual"), 1),
    **dict.fromkeys(("isIpv4", "isIpv6", "isLoopback", "isMulticast"), 0),
    "isInRange": 1,
    **dict.fromkeys(("toDate", "toTime"), 0),
    **dict.fromkeys(("offset", "durationSince"), 1),
    **dict.fromkeys(("toDays", "toHours", "toMinutes", "toSeconds", "toMilliseconds"), 0),
}
"""As ``FUNCTIONS``, beside the receiver."""
