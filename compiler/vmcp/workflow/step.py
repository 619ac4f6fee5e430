"""Check the steps of a composite tool like ToolHive's validation.

Source: docs/operator/virtual-server.md, "Composite tools".
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from ...diagnostics.fault import Fault
from ...diagnostics.finding import rule
from ...diagnostics.plain import listed
from ...diagnostics.shown import shown
from ...diagnostics.suggestion import VAGUE, did_you_mean
from ...golang.jsonschema import compile_faults

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ...diagnostics.finding import Rule
    from ...diagnostics.span import Path
    from .model import Step, Workflow

STEP_ID = rule("CMP004 step-id-refused", "operator", "A step of a composite tool has no id, or the id of another step")
STEP_TYPE = rule("CMP005 step-type-refused", "operator", "The type of a step is missing or unknown")
STEP_TOOL = rule("CMP006 step-tool-refused", "operator", "A step calls no tool, or one with an invalid name")
ELICITATION = rule(
    "CMP007 elicitation-refused",
    "operator",
    "A step that asks the user has no question, an invalid answer schema, or an unknown action",
)
FOR_EACH = rule(
    "CMP008 foreach-refused", "operator", "A forEach step lacks its collection or its step, or a limit is out of range"
)
DEPENDENCY = rule("CMP010 unknown-dependency", "operator", "A step depends on a step that does not exist")
ERROR_HANDLING = rule("CMP012 error-handling-refused", "operator", "The error handling of a step is missing or unknown")

_TOOL_NAME: Final = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9._-]*")
_ITEM_VARIABLE: Final = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*")
_TYPES: Final = ("tool", "elicitation", "forEach")
_ERROR_ACTIONS: Final = ("abort", "continue", "retry")
_RESPONSE_ACTIONS: Final = ("abort", "continue", "skip_remaining")
_OWN_ID: Final = "give each step an id of its own: templates and dependsOn refer to it"
_MOST_PARALLEL: Final = 50
"""Maximum of ``maxParallel``. ToolHive's validation refuses higher values (``maxForEachParallel``)."""
_MOST_ITERATIONS: Final = 1000
"""Maximum of ``maxIterations``. ToolHive's validation refuses higher values (``MaxForEachIterations``)."""


def missing_fault(
    raw: Mapping[str, Any], path: Path, key: str, broken: Rule, message: str, hint: str | None = None
) -> Fault:
    """Return a fault of the rule ``broken``, at ``key`` of ``raw`` if it exists, else at the path of ``raw``."""
    return Fault((*path, key) if key in raw else path, broken, message, hint)


def id_faults(workflow: Workflow) -> Iterator[Fault]:
    """Yield steps without an id, and steps with the id of an earlier step."""
    for step in workflow.steps:
        if not step.id:
            yield missing_fault(step.raw, step.path, "id", STEP_ID, f"{step.named} has no id", _OWN_ID)
        elif workflow.by_id[step.id] is not step:
            message = f"two steps have the id {shown(step.id)}"
            yield Fault((*step.path, "id"), STEP_ID, message, _OWN_ID)


def lacking_faults(workflow: Workflow, step: Step) -> Iterator[Fault]:
    """Yield unknown types and missing parts of a step: its tool, message, collection, or inner step.

    A dependency on a step that does not exist is yielded too.
    """
    if step.kind not in _TYPES:
        message = f"{step.named} has the type {shown(step.type)}; there are tool, elicitation and forEach"
        hint = did_you_mean(step.type, _TYPES, likeness=VAGUE)
        yield Fault((*step.path, "type"), STEP_TYPE, message, hint)
    elif step.kind == "tool" and not step.tool and not _is_ambiguous(step):
        yield _missing_tool(step)
    elif step.kind == "elicitation" and not step.message:
        message = f"{step.named} asks the user nothing: it has no message"
        yield missing_fault(step.raw, step.path, "message", ELICITATION, message, "write the question as message")
    elif step.kind == "forEach":
        if not step.collection:
            message = f"{step.named} has no collection to iterate over"
            hint = "write a template that prints a JSON list, as {{json .params.urls}}"
            yield missing_fault(step.raw, step.path, "collection", FOR_EACH, message, hint)
        if step.inner is None:
            yield missing_fault(step.raw, step.path, "step", FOR_EACH, f"{step.named} has no step to repeat")
        elif step.inner.kind == "tool" and not step.inner.tool:
            yield _missing_tool(step.inner)
    for number, name in enumerate(listed(step.raw.get("dependsOn"))):
        if isinstance(name, str) and name not in workflow.by_id:
            message = f"{step.named} depends on {shown(name)}, which is not a step"
            # Only some steps are compared, because each comparison takes time.
            hint = did_you_mean(name, islice(workflow.by_id, 200), likeness=VAGUE)
            others = [other for other in islice(workflow.by_id, 6) if other != step.id]
            hint = hint or (f"the other steps are {', '.join(map(shown, others))}" if others else None)
            yield Fault((*step.path, "dependsOn", number), DEPENDENCY, message, hint)


def form_faults(step: Step) -> Iterator[Fault]:
    """Yield faults in the values of a step, as ToolHive's validation does. `lacking_faults` yields missing parts."""
    if _is_ambiguous(step):
        message = f"{step.named} has a tool and a message, but no type"
        yield Fault(step.path, STEP_TYPE, message, 'write "type: tool" or "type: elicitation"')
    elif step.kind == "tool":
        yield from _tool_name(step)
    elif step.kind == "forEach":
        yield from _loop(step)
    for fault in compile_faults(step.schema) if step.schema else ():
        yield Fault((*step.path, "schema", *fault.path), ELICITATION, fault.message, fault.hint)
    yield from _handling(step)


def _is_ambiguous(step: Step) -> bool:
    return bool(not step.type and step.tool and step.message)


def _missing_tool(step: Step) -> Fault:
    return missing_fault(step.raw, step.path, "tool", STEP_TOOL, f"{step.named} calls no tool", "add tool: SERVER.TOOL")


def _tool_name(step: Step) -> Iterator[Fault]:
    if step.tool and not _TOOL_NAME.fullmatch(step.tool):
        message = f"{shown(step.tool)} is not a valid tool name"
        hint = "letters, digits, dots, underscores and hyphens; a letter or digit first"
        yield Fault((*step.path, "tool"), STEP_TOOL, message, hint)


def _loop(step: Step) -> Iterator[Fault]:
    for key, given in (("tool", step.tool), ("message", step.message)):
        if given:
            message = f"{step.named} is a forEach and has a {key}"
            hint = "move it to step" if key == "tool" else None
            yield Fault((*step.path, key), FOR_EACH, message, hint)
    if step.inner is not None and step.inner.kind == "tool":
        yield from _tool_name(step.inner)
    elif step.inner is not None:
        message = f"the inner step has the type {shown(step.inner.type)}; it can only call a tool"
        yield Fault((*step.inner.path, "type"), FOR_EACH, message)
    if step.item_variable and (not _ITEM_VARIABLE.fullmatch(step.item_variable) or step.item_variable == "index"):
        message = f"{shown(step.item_variable)} cannot be the name of the item"
        hint = "letters, digits and underscores, no digit first; index is the number of the iteration"
        yield Fault((*step.path, "itemVar"), FOR_EACH, message, hint)
    for key, value, most in (
        ("maxParallel", step.max_parallel, _MOST_PARALLEL),
        ("maxIterations", step.max_iterations, _MOST_ITERATIONS),
    ):
        if not 0 <= value <= most:
            yield Fault((*step.path, key), FOR_EACH, f"{key} is {value}, not between 0 and {most}")


def _handling(step: Step) -> Iterator[Fault]:
    if step.on_error is not None:
        action, path = step.on_error.action, (*step.path, "onError")
        if action and action not in _ERROR_ACTIONS:
            message = f"{shown(action)} is not one of abort, continue, retry"
            hint = did_you_mean(action, _ERROR_ACTIONS, likeness=VAGUE)
            yield Fault((*path, "action"), ERROR_HANDLING, message, hint)
        elif action == "retry" and (step.on_error.retry_count or 0) < 1:
            message = f"{step.named} is to be retried, but retryCount is below 1"
            hint = "set retryCount, for example to 3"
            yield missing_fault(step.raw["onError"], path, "retryCount", ERROR_HANDLING, message, hint)
    for key in ("onDecline", "onCancel") if step.kind == "elicitation" else ():
        handler = step.raw.get(key)
        if not isinstance(handler, dict):
            continue
        action = handler.get("action") or ""
        if action not in _RESPONSE_ACTIONS:
            message = f"{key} has the action {shown(action)}; there are abort, continue, skip_remaining"
            hint = did_you_mean(action, _RESPONSE_ACTIONS, likeness=VAGUE)
            yield missing_fault(handler, (*step.path, key), "action", ELICITATION, message, hint)
