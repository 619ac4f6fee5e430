"""Check the default results of steps that may be skipped although other steps or the output read their results.

Source: docs/operator/virtual-server.md, "Results that others rely on".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...diagnostics.fault import Fault
from ...diagnostics.finding import rule
from ...diagnostics.shown import shown
from ...language.template.node import Template
from ...language.template.reference import calls_without_value, field_chains

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .model import TemplateText, Workflow

DEFAULT_RESULT = rule(
    "CMP013 missing-default-result", "operator", "The output of a step is used although it may be missing"
)
BARE_CALL = rule("CMP202 template-call-without-value", "operator", "A call of another template passes no value")

_SCANNED = ("condition", "argument", "message", "output")


def missing_defaults(workflow: Workflow) -> Iterator[Fault]:
    """Yield the fields that ToolHive's validation reports as missing in ``defaultResults``.

    The validation only recognizes field chains that begin with ``.steps``, even if the dot has another value, and it
    skips some templates. If no step may be skipped, it reads no template.
    """
    skippable = {step.id: step for step in workflow.skippable}
    reported: set[tuple[str, str]] = set()
    for text in workflow.templates if skippable else ():
        for name, field in _output_fields(text):
            step = skippable.get(name)
            if step is None or (name, field) in reported or field in (step.default_results or {}):
                continue
            reported.add((name, field))
            reader = "the output" if text.step is None else text.step.named
            reason = "may be skipped" if step.condition else "may fail while the workflow goes on"
            yield Fault(
                (*step.path, "defaultResults") if step.default_results is not None else step.path,
                DEFAULT_RESULT,
                f"{step.named} {reason}, and {reader} reads its field {shown(field)}, which has no default",
                f"add {shown(field)} to defaultResults",
            )


def bare_calls(workflow: Workflow) -> Iterator[Fault]:
    """Yield calls of a template without a value, such as ``{{template "name"}}``, which crash ToolHive's validation."""
    for text in workflow.templates if workflow.skippable else ():
        parsed = text.parsed if text.place in _SCANNED else None
        call = next(calls_without_value(parsed), None) if isinstance(parsed, Template) else None
        if call is not None:
            message = f"the template {shown(call.name)} is called without a value, which makes the validation crash"
            hint = f'write {{{{template "{call.name}" .}}}}'
            yield Fault(text.path, BARE_CALL, message, hint, offset=call.offset)


def scanned_fields(workflow: Workflow) -> set[tuple[str, str]]:
    """Return the pairs of step id and output field that the validation of ``defaultResults`` finds in templates."""
    return {step_and_field for text in workflow.templates for step_and_field in _output_fields(text)}


def _output_fields(text: TemplateText) -> Iterator[tuple[str, str]]:
    parsed = text.parsed if text.place in _SCANNED else None
    if isinstance(parsed, Template):
        for names, _ in field_chains(parsed):
            # .steps.ID.output.FIELD
            if len(names) >= 4 and names[0] == "steps" and names[2] == "output":
                yield names[1], names[3]
