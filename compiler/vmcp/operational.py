"""Defaults of operation, which the operator and the process's own loader fill in alike.

Source: docs/operator/virtual-server.md, "Defaults of operation".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..golang.duration import DurationError, parse_duration

if TYPE_CHECKING:
    from collections.abc import Mapping

DEFAULTS: Final[dict[str, Any]] = {
    "timeouts": {"default": "30s"},
    "failureHandling": {
        "healthCheckInterval": "30s",
        "unhealthyThreshold": 3,
        "statusReportingInterval": "30s",
        "partialFailureMode": "fail",
        "circuitBreaker": {"enabled": False, "failureThreshold": 5, "timeout": "60s"},
    },
}
"""What is filled in at every depth. ``healthCheckTimeout`` is not among it: the CRD has a default of its own."""


def with_defaults(given: Mapping[str, Any] | None) -> dict[str, Any]:
    """Fill in what ``operational`` leaves out; what it holds is not to be changed."""
    return _filled(given, DEFAULTS)


def _filled(given: Mapping[str, Any] | None, defaults: dict[str, Any]) -> dict[str, Any]:
    """Fill what is missing or zero; a duration of zero is zero in every spelling."""
    if not given:
        return defaults
    made = dict(given)
    for key, default in defaults.items():
        value = made.get(key)
        if isinstance(default, dict):
            made[key] = _filled(value, default)
        elif not value or (isinstance(value, str) and _is_zero(value)):
            made[key] = default
    return made


def _is_zero(text: str) -> bool:
    try:
        return parse_duration(text) == 0
    except DurationError:
        return False
