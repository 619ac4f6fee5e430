"""Check settings of steps that have no effect: retries, timeouts, and fields of other types of steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ....diagnostics.fault import Fault
from ....diagnostics.finding import rule
from ....diagnostics.plain import mapping
from ....golang.duration import MINUTE, SECOND

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ....diagnostics.finding import Rule
    from ..model import Step, Workflow

WITHOUT_EFFECT = rule(
    "CMP108 step-setting-without-effect", "lint", "A setting of a step has no effect, or less than it seems to"
)
RUNS_ON = rule("CMP109 skip-remaining-runs-on", "lint", "skip_remaining does not skip the remaining steps")
ALWAYS_FAILS = rule("CMP110 step-always-fails", "lint", "A step can never succeed, or never does anything")

WORKFLOW_TIMEOUT: Final = 30 * MINUTE
"""Default timeout of a workflow in the vMCP server (``defaultWorkflowTimeout``)."""
STEP_TIMEOUT: Final = 5 * MINUTE
"""Default timeout of a step in the vMCP server (``defaultStepTimeout``)."""
_LONGEST_ANSWER: Final = 10 * MINUTE
"""Maximum timeout of an elicitation (``maxElicitationTimeout``). The vMCP server lowers a longer timeout to it."""
_MOST_RETRIES: Final = 10
"""Maximum number of retries. The vMCP server lowers a higher ``retryCount`` to it."""
_RETRY_DELAY: Final = SECOND
"""Default of ``retryDelay`` in the vMCP server."""

_LOOP_FIELDS: Final = ("collection", "itemVar", "maxParallel", "maxIterations", "step")
_ANSWER_FIELDS: Final = ("schema", "onDecline", "onCancel")
_IGNORED: Final = {
    "tool": frozenset(("message", *_ANSWER_FIELDS, *_LOOP_FIELDS)),
    "elicitation": frozenset(("tool", "arguments", *_LOOP_FIELDS)),
    "forEach": frozenset(("arguments", *_ANSWER_FIELDS)),
}
_INNER_FIELDS: Final = ("id", "type", "tool", "arguments", "onError")


def handling_faults(workflow: Workflow) -> Iterator[Fault]:
    """Yield a fault for each setting of a step that the vMCP server ignores or that has another effect than stated."""
    depth = workflow.depths
    last = max(depth.values(), default=0)
    for step in workflow.steps:
        yield from _ignored(step)
        yield from _retries(workflow, step, step)
        yield from _timeouts(workflow, step)
        if step.kind == "elicitation" and depth.get(step.id, last) < last:
            yield from _skips(step)
        if step.kind == "forEach" and step.inner is not None and step.inner.kind == "tool":
            yield from _inner(workflow, step, step.inner)
        if step.default_results and not step.is_skippable:
            message = (
                f"the defaultResults of {step.named} are never used: it can neither be skipped nor fail and continue"
            )
            yield _fault(step, "defaultResults", WITHOUT_EFFECT, message, "remove them")


def _fault(step: Step, key: str, broken: Rule, message: str, hint: str | None = None) -> Fault:
    return Fault((*step.path, key), broken, message, hint, "lint")


def _ignored(step: Step) -> Iterator[Fault]:
    ignored = _IGNORED.get(step.kind, ())
    for key in step.raw:
        if key in ignored and step.raw[key] and not (key == "message" and not step.type and step.tool):
            message = f"{step.named} has the type {step.kind}, which ignores {key}"
            yield _fault(step, key, WITHOUT_EFFECT, message, "remove it")


def _retries(workflow: Workflow, step: Step, owner: Step) -> Iterator[Fault]:
    handling = step.on_error
    if handling is None:
        return
    path = (*step.path, "onError")
    if handling.action != "retry":
        for key, value in (("retryCount", handling.retry_count), ("retryDelay", handling.retry_delay)):
            if value:
                message = f"{key} has an effect only with the action retry"
                yield Fault((*path, key), WITHOUT_EFFECT, message, 'write "action: retry"', "lint")
        return
    if step.kind != "tool":
        message = f"{step.named} is not retried: only tool calls are"
        yield Fault((*path, "action"), WITHOUT_EFFECT, message, "write abort or continue", "lint")
        return
    if (handling.retry_count or 0) > _MOST_RETRIES:
        message = f"{step.named} is retried at most {_MOST_RETRIES} times, not {handling.retry_count}"
        yield Fault((*path, "retryCount"), WITHOUT_EFFECT, message, f"write {_MOST_RETRIES}", "lint")
    # The first delay is drawn from half to one and a half times what is set.
    shortest = (handling.retry_delay or _RETRY_DELAY) // 2
    time = min(owner.timeout or STEP_TIMEOUT, workflow.timeout or WORKFLOW_TIMEOUT)
    if 0 < time <= shortest:
        message = f"{step.named} is never retried: it times out before the first retry"
        hint = "shorten retryDelay, or lengthen the timeout"
        yield Fault((*path, "retryDelay") if handling.retry_delay else path, WITHOUT_EFFECT, message, hint, "lint")


def _timeouts(workflow: Workflow, step: Step) -> Iterator[Fault]:
    total = workflow.timeout or WORKFLOW_TIMEOUT
    if step.timeout < 0:
        message = f"{step.named} always fails: its timeout is negative"
        yield _fault(step, "timeout", ALWAYS_FAILS, message, "remove it: the default is 5 minutes")
    elif step.kind == "elicitation" and step.timeout > _LONGEST_ANSWER:
        message = f"{step.named} waits at most 10 minutes for the user"
        yield _fault(step, "timeout", WITHOUT_EFFECT, message, "write 10m or less")
    elif step.timeout > total > 0:
        default = "" if workflow.timeout else ", which is 30 minutes by default"
        message = f"the timeout of {step.named} is longer than that of the workflow{default}"
        yield _fault(step, "timeout", WITHOUT_EFFECT, message, "set a longer timeout for the workflow")


def _skips(step: Step) -> Iterator[Fault]:
    for key in ("onDecline", "onCancel"):
        if mapping(step.raw.get(key)).get("action") == "skip_remaining":
            message = f"skip_remaining after {step.named} skips nothing: the steps that follow run anyway"
            hint = f'set their condition to {{{{eq .steps.{step.id}.output.action "accept"}}}}, or abort'
            yield Fault((*step.path, key, "action"), RUNS_ON, message, hint, "lint")


def _inner(workflow: Workflow, step: Step, inner: Step) -> Iterator[Fault]:
    for key in inner.raw:
        if key not in _INNER_FIELDS and inner.raw[key]:
            message = f"the inner step of {step.named} ignores {key}"
            yield _fault(inner, key, WITHOUT_EFFECT, message, "remove it")
    if inner.on_error is not None and inner.on_error.action == "continue":
        message = f"the inner step of {step.named} cannot itself continue after a failure"
        hint = f"put onError: {{action: continue}} on {step.named}"
        yield Fault((*inner.path, "onError", "action"), WITHOUT_EFFECT, message, hint, "lint")
    yield from _retries(workflow, inner, step)
