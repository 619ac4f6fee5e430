"""Fill in the defaults of operational settings, which the operator and the loader share, and check the settings.

Source: docs/operator/virtual-server.md, "Defaults of operation" and "The validator".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.fault import Fault
from ..diagnostics.finding import rule
from ..diagnostics.plain import mapping
from ..diagnostics.shown import shown
from ..diagnostics.suggestion import VAGUE, did_you_mean
from ..diagnostics.version import RECORDED
from ..golang.duration import SECOND, DurationError, format_duration, parse_duration
from ..toolhive.release import BEST_EFFORT_SINCE, holds

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..diagnostics.finding import Rule
    from ..diagnostics.span import Path

TIMEOUT = rule("VMC108 timeout-not-positive", "process", "A timeout is not more than zero", verified=RECORDED)
HEALTH_CHECK = rule(
    "VMC109 health-check-refused", "process", "Health checks of backends contradict themselves", verified=RECORDED
)
FAILURE_MODE = rule(
    "VMC110 failure-mode-refused",
    "process",
    "The mode for partial failures is not one that the process knows",
    verified=RECORDED,
)
CIRCUIT_BREAKER = rule(
    "VMC111 circuit-breaker-refused",
    "process",
    "The circuit breaker is enabled, but its settings are out of range",
    verified=RECORDED,
)

FAILURE_MODES: Final = ("fail", "bestEffort")
LATER_FAILURE_MODES: Final = ("fail", "best_effort")
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
"""The defaults of ``operational`` and its nested blocks, except ``healthCheckTimeout``, whose default is in the CRD."""


def with_defaults(given: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return ``operational`` with defaults for missing and zero settings. Callers must not change the result."""
    return _filled_block(given, DEFAULTS)


def _filled_block(given: Mapping[str, Any] | None, defaults: dict[str, Any]) -> dict[str, Any]:
    """Return ``given`` with defaults for missing and zero values, including zero durations such as ``0m``."""
    if not given:
        return defaults
    result = dict(given)
    for key, default in defaults.items():
        value = result.get(key)
        if isinstance(default, dict):
            result[key] = _filled_block(value, default)
        elif not value or (isinstance(value, str) and _is_zero(value)):
            result[key] = default
    return result


def _is_zero(text: str) -> bool:
    try:
        return parse_duration(text) == 0
    except DurationError:
        return False


def operation_faults(given: Mapping[str, Any], release: str) -> Iterator[Fault]:
    """Yield the faults of ``operational`` that the validator refuses."""
    path: Path = ("operational",)
    timeouts = mapping(given.get("timeouts"))
    if "default" in timeouts:
        yield from _positive_duration_faults(timeouts["default"], (*path, "timeouts", "default"), TIMEOUT)
    for name, timeout in mapping(timeouts.get("perWorkload")).items():
        yield from _positive_duration_faults(timeout, (*path, "timeouts", "perWorkload", name), TIMEOUT)
    failure = given.get("failureHandling")
    if failure is not None:
        yield from _failure_handling(failure, (*path, "failureHandling"), release)


def _failure_handling(given: Mapping[str, Any], path: Path, release: str) -> Iterator[Fault]:
    interval = duration(given.get("healthCheckInterval"))
    timeout = duration(given.get("healthCheckTimeout"))
    yield from _positive_duration_faults(given.get("healthCheckInterval"), (*path, "healthCheckInterval"), HEALTH_CHECK)
    if given.get("unhealthyThreshold", 0) <= 0:
        message = f"unhealthyThreshold is {given.get('unhealthyThreshold', 0)}, not 1 or more"
        yield Fault((*path, "unhealthyThreshold"), HEALTH_CHECK, message, "write how many checks may fail, such as 3")
    if timeout < 0:
        yield Fault((*path, "healthCheckTimeout"), HEALTH_CHECK, "healthCheckTimeout is negative")
    elif 0 < interval <= timeout:
        message = (
            f"a health check may take {format_duration(timeout)}, not less than the {format_duration(interval)} "
            "from one check to the next"
        )
        hint = "set healthCheckTimeout below healthCheckInterval"
        yield Fault((*path, "healthCheckTimeout"), HEALTH_CHECK, message, hint)
    yield from _failure_mode(given.get("partialFailureMode"), (*path, "partialFailureMode"), release)
    breaker = mapping(given.get("circuitBreaker"))
    if breaker.get("enabled"):
        yield from _circuit_breaker(breaker, (*path, "circuitBreaker"))


def _failure_mode(mode: Any, path: Path, release: str) -> Iterator[Fault]:
    modes = LATER_FAILURE_MODES if holds(BEST_EFFORT_SINCE, None, release) else FAILURE_MODES
    if mode not in modes:
        message = f"partialFailureMode is {shown(mode or '')}; the process knows {' and '.join(modes)}"
        yield Fault(path, FAILURE_MODE, message, did_you_mean(str(mode), modes, likeness=VAGUE))


def _circuit_breaker(given: Mapping[str, Any], path: Path) -> Iterator[Fault]:
    if given.get("failureThreshold", 0) < 1:
        message = f"failureThreshold is {given.get('failureThreshold', 0)}, not 1 or more"
        hint = "write how many calls may fail, such as 5"
        yield Fault((*path, "failureThreshold"), CIRCUIT_BREAKER, message, hint)
    if duration(given.get("timeout")) < SECOND:
        message = f"the timeout of the circuit breaker is {given.get('timeout', '0s')}, not 1s or more"
        yield Fault((*path, "timeout"), CIRCUIT_BREAKER, message, "write a duration, such as 60s")


def _positive_duration_faults(text: Any, path: Path, broken: Rule) -> Iterator[Fault]:
    if duration(text) <= 0:
        yield Fault(path, broken, f"{path[-1]} is {text or '0s'}, not positive", "write a duration, such as 30s")


def duration(text: Any) -> int:
    """Return the nanoseconds of a duration such as ``1m30s``. A missing or invalid duration is zero."""
    try:
        return parse_duration(text) if isinstance(text, str) else 0
    except DurationError:
        return 0
