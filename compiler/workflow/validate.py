"""What the validation of composite tools refuses: in the operator, in a definition, and when the vMCP server reads it.

Source: docs/operator/virtual-server.md, "Composite tools".
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.fault import Flaw
from ..diagnostics.plain import listed
from ..diagnostics.shown import shown
from ..diagnostics.suggestion import VAGUE, did_you_mean
from ..golang.jsonschema import compile_faults
from .default_result import bare_calls, missing_defaults
from .schedule import cycle

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..diagnostics.span import Path
    from .model import Step, TemplateText, Workflow

_TOOL_NAME: Final = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9._-]*")
_ITEM_VARIABLE: Final = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*")
_TYPES: Final = ("tool", "elicitation", "forEach")
_ERROR_ACTIONS: Final = ("abort", "continue", "retry")
_RESPONSE_ACTIONS: Final = ("abort", "continue", "skip_remaining")
_OWN_ID: Final = "give each step an id of its own: templates and dependsOn refer to it"
_MOST_PARALLEL: Final = 50
_MOST_ITERATIONS: Final = 1000


def validation_faults(workflow: Workflow) -> list[Flaw]:
    """Find everything that the validation refuses; empty when it passes."""
    return [
        *_head(workflow),
        *parameter_faults(workflow.raw.get("parameters")),
        *_ids(workflow),
        *(fault for step in workflow.steps for fault in _step(workflow, step)),
        *_templates(workflow),
        *_cycles(workflow),
        *missing_defaults(workflow),
        *bare_calls(workflow),
    ]


def loading_faults(workflow: Workflow) -> list[Flaw]:
    """Find what the reader of vMCP configuration files refuses beyond that: it looks closer at ``parameters``."""
    faults = []
    if "properties" in workflow.parameters and not isinstance(workflow.parameters["properties"], dict):
        faults.append(Flaw(("parameters", "properties"), "parameters-properties", "properties is not a mapping"))
    if "required" in workflow.parameters and not isinstance(workflow.parameters["required"], list):
        faults.append(Flaw(("parameters", "required"), "parameters-required", "required is not a list"))
    return faults


def _head(workflow: Workflow) -> Iterator[Flaw]:
    if not workflow.name:
        yield _missing(workflow.raw, (), "name", "tool-name-missing", "the composite tool has no name")
    if not workflow.description:
        message = "the composite tool has no description"
        hint = "describe what the tool does: models choose tools by their descriptions"
        yield _missing(workflow.raw, (), "description", "tool-description-missing", message, hint)
    if not workflow.steps:
        yield _missing(workflow.raw, (), "steps", "steps-missing", "the composite tool has no steps")
    if workflow.timeout < 0:
        yield Flaw(("timeout",), "timeout-negative", "the timeout is negative", "remove it: the default is 30 minutes")


def _missing(raw: Mapping[str, Any], path: Path, key: str, code: str, message: str, hint: str | None = None) -> Flaw:
    """A fault at the key where it stands, or at the mapping that lacks it."""
    return Flaw((*path, key) if key in raw else path, code, message, hint)


def parameter_faults(parameters: Any) -> list[Flaw]:
    """Find what is wrong with the ``parameters`` of a composite tool."""
    if not isinstance(parameters, dict) or not parameters:
        return []
    path: Path = ("parameters",)
    if "type" not in parameters:
        hint = 'write "type: object"'
        if "properties" not in parameters and all(isinstance(value, dict) for value in parameters.values()):
            hint = "a JSON Schema since v0.6.9: write {type: object, properties: {…}}"
        return [Flaw(path, "parameters-type", "the parameters have no type", hint)]
    if parameters["type"] != "object":
        message = f"the parameters have the type {shown(parameters['type'])}, not object"
        return [Flaw((*path, "type"), "parameters-type", message)]
    return [Flaw((*path, *fault.path), "parameters-schema", fault.message) for fault in compile_faults(parameters)]


# Steps.


def _ids(workflow: Workflow) -> Iterator[Flaw]:
    for step in workflow.steps:
        if not step.id:
            yield _missing(step.raw, step.path, "id", "step-id-missing", f"{step.named} has no id", _OWN_ID)
        elif workflow.by_id[step.id] is not step:
            message = f"two steps have the id {shown(step.id)}"
            yield Flaw((*step.path, "id"), "step-id-duplicate", message, _OWN_ID)


def _step(workflow: Workflow, step: Step) -> Iterator[Flaw]:
    yield from _kind(step)
    for fault in compile_faults(step.schema) if step.schema else ():
        yield Flaw((*step.path, "schema", *fault.path), "answer-schema", fault.message)
    for number, name in enumerate(listed(step.raw.get("dependsOn"))):
        if isinstance(name, str) and name not in workflow.by_id:
            message = f"{step.named} depends on {shown(name)}, which is not a step"
            yield Flaw((*step.path, "dependsOn", number), "dependency-unknown", message, _meant(name, workflow))
    yield from _handling(step)


def _meant(name: str, workflow: Workflow) -> str | None:
    return did_you_mean(name, islice(workflow.by_id, 200), likeness=VAGUE)


def _kind(step: Step) -> Iterator[Flaw]:
    if not step.type and step.tool and step.message:
        message = f"{step.named} has a tool and a message, but no type"
        yield Flaw(step.path, "step-ambiguous", message, 'write "type: tool" or "type: elicitation"')
    elif step.kind not in _TYPES:
        message = f"{step.named} has the type {shown(step.type)}; there are tool, elicitation and forEach"
        hint = did_you_mean(step.type, _TYPES, likeness=VAGUE)
        yield Flaw((*step.path, "type"), "step-type-unknown", message, hint)
    elif step.kind == "tool":
        yield from _tool(step)
    elif step.kind == "elicitation":
        if not step.message:
            message = f"{step.named} asks the user nothing: it has no message"
            yield _missing(step.raw, step.path, "message", "message-missing", message, "write the question as message")
    else:
        yield from _for_each(step)


def _tool(step: Step) -> Iterator[Flaw]:
    if not step.tool:
        yield _missing(step.raw, step.path, "tool", "step-tool-missing", f"{step.named} calls no tool")
    elif not _TOOL_NAME.fullmatch(step.tool):
        message = f"{shown(step.tool)} is not a valid tool name"
        hint = "letters, digits, dots, underscores and hyphens; a letter or digit first"
        yield Flaw((*step.path, "tool"), "step-tool-name", message, hint)


def _for_each(step: Step) -> Iterator[Flaw]:
    for key, given in (("tool", step.tool), ("message", step.message)):
        if given:
            message = f"{step.named} is a forEach and has a {key}"
            hint = "move it to step" if key == "tool" else None
            yield Flaw((*step.path, key), "foreach-field", message, hint)
    if not step.collection:
        message = f"{step.named} has no collection to iterate over"
        hint = "write a template that prints a JSON list, as {{json .params.urls}}"
        yield _missing(step.raw, step.path, "collection", "collection-missing", message, hint)
    if step.inner is None:
        yield _missing(step.raw, step.path, "step", "inner-step-missing", f"{step.named} has no step to repeat")
    elif step.inner.kind != "tool":
        message = f"the inner step has the type {shown(step.inner.type)}; it can only call a tool"
        yield Flaw((*step.inner.path, "type"), "inner-step-type", message)
    else:
        yield from _tool(step.inner)
    if step.item_variable and (not _ITEM_VARIABLE.fullmatch(step.item_variable) or step.item_variable == "index"):
        message = f"{shown(step.item_variable)} cannot be the name of the item"
        hint = "letters, digits and underscores, no digit first; index is the number of the iteration"
        yield Flaw((*step.path, "itemVar"), "item-variable", message, hint)
    for key, value, most in (
        ("maxParallel", step.max_parallel, _MOST_PARALLEL),
        ("maxIterations", step.max_iterations, _MOST_ITERATIONS),
    ):
        if not 0 <= value <= most:
            yield Flaw((*step.path, key), "foreach-limit", f"{key} is {value}, not between 0 and {most}")


def _handling(step: Step) -> Iterator[Flaw]:
    if step.on_error is not None:
        action, path = step.on_error.action, (*step.path, "onError")
        if action and action not in _ERROR_ACTIONS:
            message = f"{shown(action)} is not one of abort, continue, retry"
            hint = did_you_mean(action, _ERROR_ACTIONS, likeness=VAGUE)
            yield Flaw((*path, "action"), "error-action", message, hint)
        elif action == "retry" and (step.on_error.retry_count or 0) < 1:
            message = f"{step.named} is to be retried, but retryCount is below 1"
            hint = "set retryCount, for example to 3"
            yield _missing(step.raw["onError"], path, "retryCount", "retry-count", message, hint)
    for key in ("onDecline", "onCancel") if step.kind == "elicitation" else ():
        handler = step.raw.get(key)
        if not isinstance(handler, dict):
            continue
        action = handler.get("action") or ""
        if action not in _RESPONSE_ACTIONS:
            message = f"{key} has the action {shown(action)}; there are abort, continue, skip_remaining"
            hint = did_you_mean(action, _RESPONSE_ACTIONS, likeness=VAGUE)
            yield _missing(handler, (*step.path, key), "action", "response-action", message, hint)


def _cycles(workflow: Workflow) -> Iterator[Flaw]:
    names = cycle(workflow)
    if names:
        step = workflow.by_id[names[0]]
        if len(names) == 1:
            message = f"{step.named} depends on itself"
        else:
            shown_names = [*names[:5], "…"] if len(names) > 6 else names
            message = "steps wait for each other: " + " → ".join([*shown_names, names[0]])
        hint = "remove one of these dependencies: the first step of a workflow depends on none"
        yield Flaw((*step.path, "dependsOn"), "dependency-cycle", message, hint)


# Templates.


def _templates(workflow: Workflow) -> Iterator[Flaw]:
    for text in workflow.templates:
        if text.place in ("argument", "condition", "message", "collection", "inner"):
            yield from template_faults(text)
        elif text.place == "output" and workflow.skippable:
            # Only then are the templates of the output looked at.
            yield from template_faults(text)


def template_faults(text: TemplateText) -> Iterator[Flaw]:
    """Report why a text does not parse as a template."""
    parsed = text.parsed
    if isinstance(parsed, Flaw):
        from ..language.template.function import FUNCTIONS

        line, column = parsed.position(text.text)
        place = f"column {column}" if line == 1 else f"line {line}, column {column}"
        message = f"the template does not parse: {parsed.message} ({place})"
        hint = "functions are: " + ", ".join(FUNCTIONS) if "no function" in message else None
        if re.search(r"\.[A-Za-z0-9_]+-[A-Za-z0-9_]", text.text):
            hint = 'a name with a hyphen is looked up as (index .steps "my-step")'
        yield Flaw(text.path, "template-syntax", message, hint, offset=parsed.offset)
