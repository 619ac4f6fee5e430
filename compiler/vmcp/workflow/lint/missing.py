"""Check values that may be missing although a template needs them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ....diagnostics.fault import Fault
from ....diagnostics.finding import rule
from ....diagnostics.plain import mapping
from ....diagnostics.shown import shown
from ....language.template.reference import EACH
from ..default_result import scanned_fields
from .kind import output_keys

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ....language.template.reference import DataReference
    from ..model import Step, TemplateText, Workflow

MAY_BE_MISSING = rule("CMP104 value-may-be-missing", "lint", "A template requires a value that may be missing")
UNUSED_PARAMETER = rule("CMP112 unused-parameter", "lint", "No template reads a declared parameter", severity="info")

_NEEDS_VALUE: Final = {"index": 1, "slice": 1, "len": 1, "quote": 1, "fromJson": 1, "lt": 2, "le": 2, "gt": 2, "ge": 2}
"""Number of leading arguments that must have a value, by function. Otherwise, the template fails."""


def missing_faults(workflow: Workflow) -> Iterator[Fault]:
    """Yield templates that fail or print ``<no value>`` in a case that the composite tool allows.

    Parameters that no template reads are yielded too.
    """
    skips = bool(workflow.skippable)
    asks = any(step.kind == "elicitation" for step in workflow.steps)
    seen = scanned_fields(workflow) if skips else set()
    reported: set[tuple[str, str]] = set()
    for text in workflow.templates:
        yield from _optional_parameters(workflow, text)
        for reference in text.usage.references if skips or asks else ():
            if not reference.conditional and not reference.tolerant:
                yield from _skipped(workflow, text, reference, seen, reported)
                yield from _declined(workflow, text, reference)
    yield from _unused(workflow)


def is_optional(workflow: Workflow, name: str) -> bool:
    """Return whether a parameter is declared, not required and without a default, so its value may be missing."""
    schema = workflow.properties.get(name)
    required = workflow.parameters.get("required")
    if schema is None or (isinstance(required, list) and name in required):
        return False
    return "default" not in mapping(schema)


def _optional_parameters(workflow: Workflow, text: TemplateText) -> Iterator[Fault]:
    for call in text.usage.calls:
        for argument in call.arguments[: _NEEDS_VALUE.get(call.name, 0)]:
            path = argument.path or ()
            if len(path) > 1 and path[0] == "params" and not call.conditional and is_optional(workflow, path[1]):
                message = f"{call.name} fails when the parameter {shown(path[1])} is left out"
                hint = "make it required, set a default, or test it first with if"
                yield Fault(text.path, MAY_BE_MISSING, message, hint, "lint", call.offset)


def _skipped(
    workflow: Workflow,
    text: TemplateText,
    reference: DataReference,
    seen: set[tuple[str, str]],
    reported: set[tuple[str, str]],
) -> Iterator[Fault]:
    """Yield a reference to a field that is missing in ``defaultResults``, if ToolHive's validation does not report it.

    Args:
        reference: A reference that the template needs in every case.
        seen: The pairs of step and field that the validation finds in templates.
        reported: The pairs that were reported before. A reported pair is added.
    """
    # .steps.ID.output.FIELD
    if len(reference.path) < 4 or reference.path[0] != "steps" or reference.path[2] != "output":
        return
    name, field = reference.path[1], reference.path[3]
    step = workflow.by_id.get(name)
    if (
        step is None
        or not step.is_skippable
        or (name, field) in seen | reported
        or field in (step.default_results or {})
    ):
        return
    keys = output_keys(step)
    if field == EACH or (keys is not None and field not in keys):
        return  # never there, or none of them needs to be
    if not step.condition and step.kind != "tool":
        return  # a loop that goes on has an output all the same
    reported.add((name, field))
    reason = "may be skipped" if step.condition else "may fail while the workflow goes on"
    message = f"{step.named} {reason}, and then its field {shown(field)} is missing here"
    yield Fault(text.path, MAY_BE_MISSING, message, _default_hint(step, field), "lint", reference.offset)


def _default_hint(step: Step, field: str) -> str:
    return f"add {shown(field)} to the defaultResults of {step.named}"


def _declined(workflow: Workflow, text: TemplateText, reference: DataReference) -> Iterator[Fault]:
    path = reference.path
    if len(path) < 5 or path[0] != "steps" or path[2:4] != ("output", "content"):
        return
    step = workflow.by_id.get(path[1])
    if step is None or step.kind != "elicitation" or (text.step is not None and text.step.condition):
        return
    if text.place == "output":
        return  # a default may be meant for that
    for key, verb in (("onDecline", "declines"), ("onCancel", "cancels")):
        if mapping(step.raw.get(key)).get("action") in ("continue", "skip_remaining"):
            message = f"when the user {verb}, {step.named} has no content, and the workflow goes on without it"
            hint = f'test it with if, or with a condition such as {{{{eq .steps.{step.id}.output.action "accept"}}}}'
            yield Fault(text.path, MAY_BE_MISSING, message, hint, "lint", reference.offset)
            return


def _unused(workflow: Workflow) -> Iterator[Fault]:
    """Yield parameters that no template reads. If a template may read any parameter, nothing is yielded."""
    if not all(text.usage.complete for text in workflow.templates):
        return
    paths = {reference.path[:2] for text in workflow.templates for reference in text.usage.references}
    if () in paths or ("params",) in paths:
        return
    for name in workflow.properties:
        if ("params", name) not in paths:
            path = ("parameters", "properties", name)
            message = f"no template reads the parameter {shown(name)}"
            hint = f"read it as .params.{name}, or remove it"
            yield Fault(path, UNUSED_PARAMETER, message, hint, "lint", on_key=True)
