"""Check the conditions of steps: constant ones, and those that are neither true nor false."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ....diagnostics.fault import Fault
from ....diagnostics.finding import rule
from ....diagnostics.shown import shown
from .missing import MAY_BE_MISSING, is_optional
from .printed import can_print, literal, pieces

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..model import TemplateText, Workflow
    from .printed import OutputPiece

CONSTANT_CONDITION = rule("CMP106 constant-condition", "lint", "A condition never decides anything")

_TRUE: Final = ("true", "True", "TRUE")
_FALSE: Final = ("false", "False", "FALSE")
"""The outputs that the vMCP server takes for true and false. It refuses all other outputs of a condition."""


def condition_faults(workflow: Workflow) -> Iterator[Fault]:
    """Yield conditions that make their step fail, or that always have the same value."""
    for text in workflow.templates:
        if text.place == "condition" and text.step is not None:
            parts = pieces(text, workflow)
            if parts is not None:
                yield from _condition(workflow, text, text.step.named, parts)


def _condition(workflow: Workflow, text: TemplateText, step: str, parts: list[OutputPiece]) -> Iterator[Fault]:
    always = literal(parts)
    if not can_print(parts, (*_TRUE, *_FALSE)):
        message = f"{step} always fails: its condition is never exactly true or false"
        yield Fault(text.path, CONSTANT_CONDITION, message, _hint(text, parts), "lint")
    elif always in _FALSE:
        yield Fault(text.path, CONSTANT_CONDITION, f"{step} never runs: its condition is false", None, "lint")
    elif always in _TRUE:
        message = f"the condition of {step} is always true"
        yield Fault(text.path, CONSTANT_CONDITION, message, "remove condition", "lint")
    elif len(parts) == 1 and (name := _parameter(parts[0])) and is_optional(workflow, name):
        message = f"{step} fails when the parameter {shown(name)} is left out: its condition is then <no value>"
        hint = f"write {{{{if .params.{name}}}}}true{{{{else}}}}false{{{{end}}}}, or set a default for the parameter"
        yield Fault(text.path, MAY_BE_MISSING, message, hint, "lint")


def _parameter(part: OutputPiece) -> str:
    path = part.argument.path or ()
    return path[1] if len(path) == 2 and path[0] == "params" else ""


def _hint(text: TemplateText, parts: list[OutputPiece]) -> str:
    if text.text != text.text.strip():
        return "remove spaces and line breaks around the template; in YAML, end the block with |- or >-"
    if len(parts) == 1 and parts[0].text is None:
        return "compare the value, as in {{eq .params.n 3.0}}"
    return 'write a template that prints true or false, as {{eq .steps.a.status "completed"}}'
