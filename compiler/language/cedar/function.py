"""Functions and methods of Cedar with their number of arguments.

Source: cedar-go v1.6, ``internal/extensions``, and the core methods of its parser.
"""

from __future__ import annotations

CORE_METHODS = {"contains": 1, "containsAll": 1, "containsAny": 1, "hasTag": 1, "getTag": 1, "isEmpty": 0}
"""Methods of sets and of entities with tags. cedar-go checks their number of arguments when it parses the policy."""

FUNCTIONS = {"ip": 1, "decimal": 1, "datetime": 1, "duration": 1}
"""Functions of the extensions. cedar-go checks their number of arguments when it evaluates the policy."""

METHODS = {
    **dict.fromkeys(("lessThan", "lessThanOrEqual", "greaterThan", "greaterThanOrEqual"), 1),
    **dict.fromkeys(("isIpv4", "isIpv6", "isLoopback", "isMulticast"), 0),
    "isInRange": 1,
    **dict.fromkeys(("toDate", "toTime"), 0),
    **dict.fromkeys(("offset", "durationSince"), 1),
    **dict.fromkeys(("toDays", "toHours", "toMinutes", "toSeconds", "toMilliseconds"), 0),
}
"""Methods of the extensions, checked like `FUNCTIONS`. The receiver does not count."""
