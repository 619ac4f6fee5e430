"""Run a composite tool with given parameters and answers like the vMCP server.

Source: docs/operator/virtual-server.md, from "Composite tools of a session" on.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.plain import mapping
from ..golang import json as go_json
from ..golang.duration import MINUTE
from ..golang.strconv import NumberError
from ..language.template.value import ExecutionError, LimitError, NilMap
from ..vmcp.workflow.model import read
from ..vmcp.workflow.schedule import levels
from ..vmcp.workflow.serve import serving_faults
from ..vmcp.workflow.validate import definition_faults
from .expansion import Expander
from .output import build
from .record import Result, StepRecord, plain
from .step import CanceledError, Scene, StepFailure, Waiting, run_step

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..vmcp.workflow.model import Step, Workflow

__all__ = ["answer", "read", "run"]

WORKFLOW_TIMEOUT: Final = 30 * MINUTE
"""The vMCP server's default timeout of a workflow, in nanoseconds (``defaultWorkflowTimeout``)."""
_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_DEEPEST: Final = 200
"""The maximum nesting of parameters and answers, because they are copied recursively."""


def run(
    tool: Mapping[str, Any], *, params: Mapping[str, Any], results: Mapping[str, Any], answers: Mapping[str, Any]
) -> Result:
    """Simulate a run of a composite tool, and return its outcome.

    The vMCP server leaves the order of simultaneous steps to chance. The simulation uses the most likely order: the
    last step begins, the others follow in their order, and loops come at the end because they take longest. If a step
    fails, steps that have not begun never run, unless the failing step is retried first.

    Args:
        tool: The ``spec`` of a definition, or an entry of ``compositeTools``.
        params: The parameters of the client's call.
        results: The answer of each backend tool: ``{"text": …}``, ``{"output": {…}}`` or ``{"error": …}``. Default:
            ``{"text": "ok"}``.
        answers: The user's answer to each elicitation step: ``{"action": …, "content": {…}}``. By default, the user
            accepts without content.
    """
    workflow = read(tool)
    faults = [*definition_faults(workflow), *serving_faults(workflow)]
    if faults:
        return Result("failed", definition_error=faults[0].message)
    groups = levels(workflow)
    result = Result(levels=[[step.id for step in group] for group in groups])
    try:
        scene = _scene(workflow, params, results, answers)
        _Run(workflow, scene, result).run(groups)
    except LimitError as limit:
        result.status, result.error, result.output = "failed", f"not simulated to the end: {limit}", None
    return result


def answer(question: dict[str, Any]) -> dict[str, Any]:
    """Return the answer to a line of ``mcpcfg simulate workflow --json-lines``.

    A question has ``tool``, ``params``, ``results`` and ``answers``, with the same content as the arguments of `run`.
    """
    result = run(
        mapping(question.get("tool")),
        params=mapping(question.get("params")),
        results=mapping(question.get("results")),
        answers=mapping(question.get("answers")),
    )
    if result.definition_error is not None:
        return {"definitionError": result.definition_error}
    calls = sorted((call.as_json() for call in result.calls), key=lambda call: go_json.compact(call, sort_keys=True))
    steps = {
        name: {"status": record.status, "output": plain(record.output), "error": record.error}
        for name, record in result.steps.items()
    }
    return {
        "status": result.status,
        "output": plain(result.output),
        "steps": steps,
        "error": result.error,
        "calls": calls or None,
    }


def _scene(
    workflow: Workflow, params: Mapping[str, Any], results: Mapping[str, Any], answers: Mapping[str, Any]
) -> Scene:
    given = _decoded(params, floats=True)
    for name, schema in workflow.properties.items():
        if name not in given and isinstance(schema, dict) and "default" in schema:
            given[name] = _decoded(schema["default"], floats=False)
    return Scene(
        expander=Expander(),
        params=given,
        results=_decoded({name: mapping(result) for name, result in results.items()}, floats=True),
        answers=_decoded({name: mapping(given) for name, given in answers.items()}, floats=True),
        workflow={
            "id": "00000000-0000-0000-0000-000000000000",
            "duration_ms": 0,
            "step_count": 0,
            "status": "pending",
            "start_time": "2000-01-01T00:00:00Z",
        },
        deadline=workflow.timeout or WORKFLOW_TIMEOUT,
    )


def _decoded(value: Any, *, floats: bool, depth: int = 0) -> Any:
    """Return ``value`` as Go decodes it.

    If ``floats`` is true, all numbers become floats, as in JSON. Otherwise, integers that fit into 64 bits stay
    integers, as in YAML.
    """
    if depth > _DEEPEST:
        raise LimitError("the data are nested too deeply")
    if isinstance(value, dict):
        return {
            _without_surrogates(str(key)): _decoded(child, floats=floats, depth=depth + 1)
            for key, child in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [_decoded(child, floats=floats, depth=depth + 1) for child in value]
    if isinstance(value, str):
        return _without_surrogates(value)
    if isinstance(value, int) and not isinstance(value, bool) and (floats or not -(1 << 63) <= value < 1 << 63):
        try:
            return float(value)
        except OverflowError:
            raise LimitError("a number is beyond float64") from None
    return value


def _without_surrogates(text: str) -> str:
    return _LONE_SURROGATE.sub("\ufffd", text)


class _Run:
    def __init__(self, workflow: Workflow, scene: Scene, result: Result) -> None:
        self.workflow = workflow
        self.scene = scene
        self.result = result

    def run(self, groups: Sequence[Sequence[Step]]) -> None:
        scene, result = self.scene, self.result
        try:
            failure = self._run_groups(groups)
        finally:
            result.calls, result.elapsed = scene.calls, scene.now
            result.steps = {step.id: scene.steps[step.id] for step in self.workflow.steps if step.id in scene.steps}
        if failure is not None:
            result.status = "timed_out" if scene.now >= scene.deadline else "failed"
            result.error = failure
            return
        completed = [record for record in result.steps.values() if record.status == "completed"]
        scene.workflow |= {"step_count": len(completed), "status": "completed", "duration_ms": scene.now // 1_000_000}
        if self.workflow.output is None:
            last = max(completed, key=lambda record: record.ended, default=None)
            result.output = None if last is None or isinstance(last.output, NilMap) else last.output
            return
        self._build_output()

    def _run_groups(self, groups: Sequence[Sequence[Step]]) -> str | None:
        failure = "the timeout is negative" if self.scene.deadline < 0 else None
        for group in groups:
            if failure is None:
                failure = _Level(self.scene, group).run()
        return failure

    def _build_output(self) -> None:
        assert self.workflow.output is not None
        try:
            properties = mapping(self.workflow.output.get("properties"))
            self.result.output = build(properties, self.scene.expander, self.scene.root())
        except LimitError:
            raise
        except (ExecutionError, NumberError) as fault:
            self.result.status, self.result.error = "failed", str(fault)


class _Level:
    """A group of steps that run at the same time."""

    def __init__(self, scene: Scene, steps: Sequence[Step]) -> None:
        self.scene = scene
        self.order = [steps[-1], *sorted(steps[:-1], key=lambda step: step.kind == "forEach")]
        self.failure: str | None = None
        self.waiting: list[tuple[int, int, Step, Waiting]] = []

    def run(self) -> str | None:
        """Run the steps until all have ended or one has failed. Return that failure, or ``None``."""
        hidden: StepRecord | None = None
        for step in self.order:
            if self.failure is None:
                self._advance(step, run_step(self.scene, step))
                if self.failure is not None:
                    if step.on_error is None or step.on_error.action != "retry":
                        break
                    # For the steps that begin now, this step has not begun yet.
                    hidden = self.scene.steps.pop(step.id)
            else:
                self._begin_late(step)
        if hidden is not None:
            self.scene.steps[hidden.id] = hidden
        while self.waiting and self.failure is None:
            self.waiting.sort(key=lambda item: item[:2])
            self.scene.now, _, step, waiting = self.waiting.pop(0)
            self._advance(step, waiting)
        for _, _, step, waiting in self.waiting:
            self._cancel(step, waiting)
        return self.failure

    def _advance(self, step: Step, waiting: Waiting) -> None:
        try:
            delay = next(waiting)
            while delay <= 0:
                delay = next(waiting)
        except StopIteration:
            return
        except StepFailure as failure:
            if step.on_error is None or step.on_error.action != "continue":
                self.failure = f"{step.named}: {failure}"
            return
        self.waiting.append((self.scene.now + delay, len(self.waiting), step, waiting))

    def _begin_late(self, step: Step) -> None:
        """Run a step after another step began to fail.

        If the step waits, or fails without ``onError: continue``, its calls and its outcome are dropped.
        """
        calls, ended = len(self.scene.calls), self.scene.ended
        waiting = run_step(self.scene, step)
        try:
            while next(waiting) <= 0:
                pass
        except StopIteration:
            return
        except StepFailure:
            if step.on_error is not None and step.on_error.action == "continue":
                return
        waiting.close()
        del self.scene.calls[calls:]
        self.scene.ended = ended
        self.scene.steps.pop(step.id, None)

    def _cancel(self, step: Step, waiting: Waiting) -> None:
        try:
            waiting.throw(CanceledError(self.failure or ""))
        except (StepFailure, StopIteration):
            return
        waiting.close()
        self.scene.steps.pop(step.id, None)
