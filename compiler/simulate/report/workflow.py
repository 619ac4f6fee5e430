"""Report of a simulated run of a composite tool, as text and as JSON data."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ...diagnostics.shown import line
from ...golang.duration import format_duration
from ..record import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ...vmcp.workflow.model import Step, Workflow
    from ..record import Result, StepRecord, ToolCall

LONGEST_LINE = 100
"""Maximum characters of a shown value, so that a step stays on one line."""


def notes(
    workflow: Workflow, params: Mapping[str, Any], results: Mapping[str, Any], answers: Mapping[str, Any]
) -> list[str]:
    """Return notes about given values that the run does not use, and about required parameters without a value.

    The server runs the tool although required parameters are missing.
    """
    called = {step_.tool for step in workflow.steps for step_ in (step, step.inner) if step_ is not None and step_.tool}
    asked = {step.id for step in workflow.steps if step.kind == "elicitation"}
    declared = workflow.properties
    required = workflow.parameters.get("required")
    notes = [f'the parameter "{name}" is not declared' for name in params if declared and name not in declared]
    notes += [
        f'the parameter "{name}" is required and not set; the server runs the tool all the same'
        for name in (required if isinstance(required, list) else ())
        if isinstance(name, str) and name not in params
    ]
    notes += [f'a result is given for "{name}", which no step calls' for name in results if name not in called]
    notes += [
        f'an answer is given for "{name}", which is not an elicitation step' for name in answers if name not in asked
    ]
    return notes


def text(workflow: Workflow, result: Result, notes: Sequence[str]) -> str:
    """Return the run of a composite tool as text."""
    return "".join(f"{line(text_line)}\n" for text_line in _lines(workflow, result, notes))


def data(workflow: Workflow, result: Result, notes: Sequence[str]) -> dict[str, Any]:
    """Return the run of a composite tool as JSON data. ``levels`` are the groups of parallel steps, in order."""
    return {
        "version": 1,
        "tool": workflow.name,
        "definitionError": result.definition_error,
        "status": result.status,
        "error": result.error,
        "elapsed": format_duration(result.elapsed),
        "levels": result.levels,
        "steps": {
            name: {
                "status": record.status,
                "arguments": None if record.arguments is None else plain(record.arguments),
                "attempts": record.attempts,
                "output": plain(record.output),
                "error": record.error,
            }
            for name, record in result.steps.items()
        },
        "calls": [call.as_json() for call in result.calls],
        "output": plain(result.output),
        "notes": list(notes),
    }


def _lines(workflow: Workflow, result: Result, notes: Sequence[str]) -> Iterator[str]:
    if result.definition_error is not None:
        yield f"{workflow.name}: the virtual server does not start with it: {result.definition_error}"
        return
    waited = f" after {format_duration(result.elapsed)} of waiting" if result.elapsed else ""
    yield f"{workflow.name}: {result.status}{waited}"
    if result.error is not None:
        yield f"  {result.error}"
    for number, group in enumerate(result.levels, 1):
        yield ""
        yield f"{number}. {'at once: ' if len(group) > 1 else ''}{', '.join(group)}"
        for name in group:
            yield from _step(workflow.by_id[name], result.steps.get(name), result.calls)
    if result.status == "completed":
        yield from ("", "Output")
        shown = json.dumps(plain(result.output), ensure_ascii=False, indent=2)
        yield from (f"  {line}" for line in shown.splitlines())
    if notes:
        yield from ("", "Notes")
        yield from (f"  {note}" for note in notes)


def _step(step: Step, record: StepRecord | None, calls: Sequence[ToolCall]) -> Iterator[str]:
    if record is None:
        yield f"   {step.id}: never began"
        return
    if record.status == "skipped":
        yield f"   {step.id}: skipped, its condition is false: {step.condition}"
    else:
        again = f" at attempt {record.attempts}" if record.attempts > 1 else ""
        goes_on = ", and the workflow goes on" if record.status == "failed" and _goes_on(step) else ""
        yield f"   {step.id}: {record.status}{again}{goes_on}"
        for call in _calls(step, record, calls):
            yield f"     {call}"
    if record.error is not None:
        yield f"     error: {record.error}"
    if plain(record.output):
        yield f"     gives {_short(plain(record.output))}"


def _goes_on(step: Step) -> bool:
    return step.on_error is not None and step.on_error.action == "continue"


def _calls(step: Step, record: StepRecord, calls: Sequence[ToolCall]) -> Iterator[str]:
    if step.kind == "tool" and record.arguments is not None:
        yield f"calls {step.tool} with {_short(plain(record.arguments))}"
        return
    for call in calls:
        if call.step != step.id:
            continue
        if call.tool is None:
            yield f"asks {_short(call.message)}"
        else:
            yield f"calls {call.tool} with {_short(plain(call.arguments))}"


def _short(value: Any) -> str:
    shown = json.dumps(value, ensure_ascii=False)
    return shown if len(shown) <= LONGEST_LINE else f"{shown[: LONGEST_LINE - 1]}…"
