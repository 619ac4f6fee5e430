"""Find faults that only the vMCP server refuses, at its start, when it converts composite tools to workflows.

Source: docs/operator/virtual-server.md, "Start".
"""

from __future__ import annotations

from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any, Final

from ...diagnostics.fault import Fault
from ...diagnostics.finding import rule
from ...diagnostics.plain import listed
from ...diagnostics.shown import shown
from ...diagnostics.suggestion import VAGUE, did_you_mean
from ...diagnostics.version import RECORDED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ...diagnostics.span import Path
    from .model import Workflow

INNER_ID = rule(
    "CMP020 inner-step-without-id", "process", "The step that a forEach repeats has no id", verified=RECORDED
)
ANSWER = rule(
    "CMP021 elicitation-without-schema", "process", "A step asks the user without an answer schema", verified=RECORDED
)
TOO_MANY = rule("CMP022 too-many-steps", "process", "A composite tool has more than 100 steps", verified=RECORDED)
OUTPUT = rule(
    "CMP023 output-refused", "process", "The vMCP process refuses the output of a composite tool", verified=RECORDED
)

_MOST_STEPS: Final = 100
"""Maximum number of steps. The vMCP server does not start with more."""
_DEEPEST_OUTPUT: Final = 10
"""Maximum nesting of output properties. The vMCP server does not start with deeper ones."""
_TYPES: Final = ("string", "integer", "number", "boolean", "object", "array")
_DEFAULTS: Final[dict[str, tuple[type, ...]]] = {
    "integer": (int, float, str),
    "number": (int, float, str),
    "boolean": (bool, int, str),
    "object": (dict, str),
    "array": (list, str),
}


def serving_faults(workflow: Workflow) -> list[Fault]:
    """Return the faults that keep the vMCP server from starting and that the validation accepts."""
    return [*_steps(workflow), *_output(workflow)]


def _steps(workflow: Workflow) -> Iterator[Fault]:
    if len(workflow.steps) > _MOST_STEPS:
        message = f"the composite tool has {len(workflow.steps)} steps, more than {_MOST_STEPS}"
        hint = "iterate over lists with forEach, or split the workflow"
        yield Fault(("steps",), TOO_MANY, message, hint, "process", on_key=True)
    for step in workflow.steps:
        if step.kind == "forEach" and step.inner is not None and not step.inner.id:
            message = f"the inner step of {step.named} has no id"
            yield Fault(step.inner.path, INNER_ID, message, "add any id", "process")
        if step.kind == "elicitation" and not step.schema:
            message = f"{step.named} has no schema for the answer"
            hint = "describe the answer, as in schema: {type: object, properties: {ok: {type: boolean}}}"
            yield Fault(step.path, ANSWER, message, hint, "process")


# Output.


def _output(workflow: Workflow) -> Iterator[Fault]:
    if workflow.output is None:
        return
    properties = workflow.output.get("properties")
    if not isinstance(properties, dict) or not properties:
        yield Fault(("output",), OUTPUT, "the output has no properties", "remove output", "process")
        return
    for number, name in enumerate(listed(workflow.output.get("required"))):
        if isinstance(name, str) and name not in properties:
            message = f"the output requires {shown(name)}, which is not one of its properties"
            # Only some properties are compared, because each comparison takes time.
            hint = did_you_mean(name, islice(properties, 200), likeness=VAGUE)
            yield Fault(("output", "required", number), OUTPUT, message, hint, "process")
    for path, prop in workflow.output_properties:
        yield from _property(path, prop)


def _property(path: Path, prop: Mapping[str, Any]) -> Iterator[Fault]:
    named = f"the output {shown(path[-1])}"
    kind = prop["type"] if isinstance(prop.get("type"), str) else ""
    value, properties = prop.get("value") or "", prop.get("properties") or {}
    if len(path) // 2 - 1 > _DEEPEST_OUTPUT:
        message = f"{named} is nested more than {_DEEPEST_OUTPUT} levels deep"
        yield Fault(path, OUTPUT, message, stage="process")
    if kind not in _TYPES:
        message = f"{named} has the type {shown(kind)}" if kind else f"{named} has no type"
        hint = did_you_mean(kind, _TYPES, likeness=VAGUE) or f"there are {', '.join(_TYPES)}"
        yield Fault((*path, "type") if "type" in prop else path, OUTPUT, message, hint, "process")
    if not prop.get("description"):
        hint = "describe it: models rely on descriptions to read results"
        yield Fault(path, OUTPUT, f"{named} has no description", hint, "process")
    if value and properties:
        message = f"{named} has both a value and properties"
        yield Fault((*path, "properties"), OUTPUT, message, "keep one of them", "process")
    elif not value and (not properties or kind not in ("object", "")):
        hint = "write a template, as {{.steps.fetch.output.text}}"
        yield Fault(path, OUTPUT, f"{named} has no value", hint, "process")
    if isinstance(value, str) and value:
        yield from _braces((*path, "value"), value)
    yield from _default(path, prop, kind)


def _braces(path: Path, text: str) -> Iterator[Fault]:
    """Yield a fault if ``{{`` and ``}}`` are unbalanced. As in the server, those inside strings count, too."""
    inside = False
    for at, pair in enumerate(pairwise(text)):
        message = None
        if pair == ("{", "{"):
            message = "opens {{ inside {{" if inside else None
            inside = True
        elif pair == ("}", "}"):
            message = None if inside else "closes }} that were not opened"
            inside = False
        if message is not None:
            hint = "remove braces: those inside strings count too, and three in a row count twice"
            yield Fault(path, OUTPUT, f"the template {message}", hint, "process", at)
            return
    if inside:
        yield Fault(path, OUTPUT, "the template opens {{ but does not close it", None, "process")


def _default(path: Path, prop: Mapping[str, Any], kind: str) -> Iterator[Fault]:
    default, accepted = prop.get("default"), _DEFAULTS.get(kind)
    if default is None or accepted is None:
        return
    number = isinstance(default, (int, float)) and not isinstance(default, bool)
    if kind == "boolean" and isinstance(default, float):
        fits = default.is_integer()  # written into YAML, it comes back as an integer
    elif kind in ("integer", "number") and isinstance(default, bool):
        fits = False
    else:
        fits = isinstance(default, accepted) or (number and float in accepted)
    if not fits:
        message = f"the default {shown(default)} does not fit the type {kind}"
        yield Fault((*path, "default"), OUTPUT, message, f"write a default of type {kind}", "process")
