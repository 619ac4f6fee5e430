"""Check a composite tool like ToolHive's validation.

The operator runs the validation for definitions, and the vMCP server for every composite tool.

Source: docs/operator/virtual-server.md, "Composite tools".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ...diagnostics.fault import Fault, Flaw
from ...diagnostics.finding import rule
from ...diagnostics.shown import shown
from ...golang.jsonschema import compile_faults
from .default_result import bare_calls, missing_defaults
from .schedule import cycle
from .step import form_faults, id_faults, lacking_faults, missing_fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...diagnostics.span import Path
    from .model import TemplateText, Workflow

INCOMPLETE = rule(
    "CMP001 incomplete-composite-tool", "operator", "A composite tool lacks a name, a description or steps"
)
TIMEOUT = rule("CMP002 negative-workflow-timeout", "operator", "The timeout of a composite tool is negative")
PARAMETERS = rule(
    "CMP003 parameters-refused", "operator", "The parameters of a composite tool are not a JSON Schema of an object"
)
TEMPLATE = rule("CMP009 template-syntax", "operator", "A template of a composite tool does not parse", unmodelled="all")
CYCLE = rule("CMP011 dependency-cycle", "operator", "Steps of a composite tool wait for each other")


def validation_faults(workflow: Workflow) -> list[Fault]:
    """Return all faults for which ToolHive's validation refuses a composite tool."""
    return [
        *_head(workflow),
        *definition_faults(workflow),
        *parameter_faults(workflow.raw.get("parameters")),
        *(fault for step in workflow.steps for fault in form_faults(step)),
        *_templates(workflow),
        *missing_defaults(workflow),
        *bare_calls(workflow),
    ]


def definition_faults(workflow: Workflow) -> Iterator[Fault]:
    """Yield missing parts of a composite tool and its steps, duplicate ids, unknown dependencies, and cycles."""
    if not workflow.name:
        yield missing_fault(workflow.raw, (), "name", INCOMPLETE, "the composite tool has no name")
    if not workflow.steps:
        yield missing_fault(
            workflow.raw,
            (),
            "steps",
            INCOMPLETE,
            "the composite tool has no steps",
            "add steps: [{id: first, tool: SERVER.TOOL}]",
        )
    yield from id_faults(workflow)
    for step in workflow.steps:
        yield from lacking_faults(workflow, step)
    yield from _cycles(workflow)


def loading_faults(workflow: Workflow) -> list[Fault]:
    """Return the faults of ``parameters`` for which only the loader of vMCP configuration files refuses a tool."""
    faults = []
    if "properties" in workflow.parameters and not isinstance(workflow.parameters["properties"], dict):
        faults.append(Fault(("parameters", "properties"), PARAMETERS, "properties is not a mapping"))
    if "required" in workflow.parameters and not isinstance(workflow.parameters["required"], list):
        faults.append(Fault(("parameters", "required"), PARAMETERS, "required is not a list"))
    return faults


def _head(workflow: Workflow) -> Iterator[Fault]:
    if not workflow.description:
        message = "the composite tool has no description"
        hint = "describe what the tool does: models choose tools by their descriptions"
        yield missing_fault(workflow.raw, (), "description", INCOMPLETE, message, hint)
    if workflow.timeout < 0:
        yield Fault(("timeout",), TIMEOUT, "the timeout is negative", "remove it: the default is 30 minutes")


def parameter_faults(parameters: Any) -> list[Fault]:
    """Return the faults of ``parameters``, the JSON Schema of a composite tool's input. A missing schema has none."""
    if not isinstance(parameters, dict) or not parameters:
        return []
    path: Path = ("parameters",)
    if "type" not in parameters:
        hint = 'write "type: object"'
        if "properties" not in parameters and all(isinstance(value, dict) for value in parameters.values()):
            hint = "a JSON Schema since v0.6.9: write {type: object, properties: {…}}"
        return [Fault(path, PARAMETERS, "the parameters have no type", hint)]
    if parameters["type"] != "object":
        message = f"the parameters have the type {shown(parameters['type'])}, not object"
        return [Fault((*path, "type"), PARAMETERS, message)]
    return [Fault((*path, *fault.path), PARAMETERS, fault.message, fault.hint) for fault in compile_faults(parameters)]


def _cycles(workflow: Workflow) -> Iterator[Fault]:
    names = cycle(workflow)
    if names:
        step = workflow.by_id[names[0]]
        if len(names) == 1:
            message = f"{step.named} depends on itself"
        else:
            # A longer cycle is cut, so that the message stays readable on one line.
            shown_names = [*names[:5], "…"] if len(names) > 6 else names
            message = "steps wait for each other: " + " → ".join([*shown_names, names[0]])
        hint = "remove one of these dependencies: the first step of a workflow depends on none"
        yield Fault((*step.path, "dependsOn"), CYCLE, message, hint)


# Templates.


def _templates(workflow: Workflow) -> Iterator[Fault]:
    for text in workflow.templates:
        if text.place in ("argument", "condition", "message", "collection", "inner"):
            yield from template_faults(text)
        elif text.place == "output" and workflow.skippable:
            # Only then are the templates of the output looked at.
            yield from template_faults(text)


def template_faults(text: TemplateText) -> Iterator[Fault]:
    """Yield a fault if a text does not parse as a template."""
    parsed = text.parsed
    if isinstance(parsed, Flaw):
        from ...language.template.function import FUNCTIONS

        line, column = parsed.position(text.text)
        place = f"column {column}" if line == 1 else f"line {line}, column {column}"
        message = f"the template does not parse: {parsed.message} ({place})"
        hint = "functions are: " + ", ".join(FUNCTIONS) if "no function" in message else None
        if re.search(r"\.[A-Za-z0-9_]+-[A-Za-z0-9_]", text.text):
            hint = 'a name with a hyphen is looked up as (index .steps "my-step")'
        yield Fault(text.path, TEMPLATE, message, hint, offset=parsed.offset)
