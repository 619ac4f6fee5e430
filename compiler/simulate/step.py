"""Run a step of a workflow with given answers.

A step is run by a generator, which yields the nanoseconds that the step waits before it continues.

Source: docs/operator/virtual-server.md, "Running a workflow".
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ..golang import json as go_json
from ..golang.duration import MINUTE, SECOND
from ..language.template.builtin import decode_json
from ..language.template.value import ExecutionError, LimitError, NilMap
from .record import StepRecord, ToolCall

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..vmcp.workflow.model import Step
    from .expansion import Expander

STEP_TIMEOUT: Final = 5 * MINUTE
"""The vMCP server's default timeout of a step, in nanoseconds (``defaultStepTimeout``)."""
_RETRY_DELAY: Final = SECOND
"""The vMCP server's default of ``retryDelay``, in nanoseconds."""
_MOST_RETRIES: Final = 10
"""The vMCP server lowers a higher ``retryCount`` to this (``maxRetryCount``)."""
_LONGEST_DELAY: Final = 60
"""The vMCP server limits a delay to this many times the first delay (``MaxInterval`` of its backoff)."""
_GROWTH: Final = 1.5
"""The factor between two delays, which is the default of the backoff library. Its random part is left out."""
_MOST_CALLS: Final = 100_000
"""The maximum number of simulated calls, because loops with retries could take hours."""
_DEFAULT_ITERATIONS: Final = 100
"""The vMCP server's default of ``maxIterations``."""
_MOST_ITERATIONS: Final = 1000
"""The vMCP server's maximum of ``maxIterations`` (``MaxForEachIterations``)."""
_DEFAULT_PARALLEL: Final = 10
"""The vMCP server's default of ``maxParallel``."""
_MOST_PARALLEL: Final = 50
"""The vMCP server's maximum of ``maxParallel`` (``maxForEachParallel``)."""
_LARGEST_SCHEMA: Final = 100 * 1024
"""The vMCP server refuses an elicitation whose schema has more bytes as JSON (``maxSchemaSize``)."""
_LARGEST_ANSWER: Final = 1024 * 1024
"""The vMCP server refuses an answer of the user with more bytes as JSON."""
_DEEPEST_ANSWER: Final = 10
"""The vMCP server refuses schemas and answers with more levels of nesting."""

_CANCELED: Final = "context canceled"
"""The text of Go's ``context.Canceled``, which templates may see."""
Waiting: TypeAlias = Generator[int, None, None]


class StepFailure(Exception):  # noqa: N818 - an outcome of the simulation, not our error
    """A step failed. The message is the reason."""


class CanceledError(Exception):
    """A step is canceled, because another step failed. The message is the reason of the other step."""


@dataclass(slots=True)
class Scene:
    """The state that the steps of a run share.

    Attributes:
        params: The parameters with defaults.
        results: The answer of each tool: ``text``, ``output`` or ``error``.
        answers: The user's answer to each elicitation step.
        workflow: The data that templates find under ``.workflow``.
        steps: The outcomes of the steps that began.
        calls: The calls that were made.
        deadline: The timeout of the run, in nanoseconds after its start.
        now: The current time, in nanoseconds after the start of the run.
    """

    expander: Expander
    params: Mapping[str, Any]
    results: Mapping[str, Any]
    answers: Mapping[str, Any]
    workflow: dict[str, Any]
    deadline: int
    steps: dict[str, StepRecord] = field(default_factory=dict)
    calls: list[ToolCall] = field(default_factory=list)
    now: int = 0
    ended: int = 0

    def root(self, **more: Any) -> dict[str, Any]:
        """Return the data that templates can refer to. ``more`` adds members, such as ``forEach``."""
        return {
            "params": self.params,
            "steps": {name: record.template_data() for name, record in self.steps.items()},
            "vars": {},
            "workflow": self.workflow,
            **more,
        }

    def call(self, call: ToolCall) -> None:
        """Record a call of a tool or a question to the user.

        Raises:
            LimitError: The run has made 100,000 calls.
        """
        if len(self.calls) >= _MOST_CALLS:
            raise LimitError(f"the workflow makes more than {_MOST_CALLS} calls")
        self.calls.append(call)

    def end(self, record: StepRecord) -> None:
        """Record the position of a step in the order in which the steps ended."""
        self.ended += 1
        record.ended = self.ended


def run_step(scene: Scene, step: Step) -> Waiting:
    """Run a step, and record the outcome in ``scene.steps``.

    Raises:
        StepFailure: The step failed, and its ``onError`` did not handle it.
        LimitError: The step exceeds the limits of the simulation.
    """
    record = scene.steps[step.id] = StepRecord(step.id)
    try:
        if step.condition and not scene.expander.condition(step.condition, scene.root()):
            record.status = "skipped"
            record.output = _defaults(step)
            return
        _check_time(step)
        kinds = {"elicitation": _elicit, "forEach": _loop}
        yield from kinds.get(step.kind, _call_tool)(scene, step, record)
    except LimitError:
        raise
    except (ExecutionError, StepFailure) as failure:
        record.status, record.error = "failed", str(failure)
        raise StepFailure(str(failure)) from None
    finally:
        scene.end(record)


def _check_time(step: Step) -> None:
    if step.timeout < 0:
        raise StepFailure("its timeout is negative")


def _defaults(step: Step) -> Mapping[str, Any]:
    return NilMap() if step.default_results is None else step.default_results


# Tools.


def _call_tool(scene: Scene, step: Step, record: StepRecord) -> Waiting:
    if step.raw.get("arguments") is not None:
        record.arguments = scene.expander.arguments(step.arguments, scene.root())
    started = scene.now
    try:
        output, content = yield from _attempts(scene, step, record.arguments, record, _deadline(scene, step))
    except StepFailure as failure:
        record.elapsed = scene.now - started
        # Templates may read this text.
        text = f"tool call failed: tool {step.tool} in step {step.id}: {failure}"
        if step.on_error is not None and step.on_error.action == "continue":
            record.status, record.error = "failed", text
            record.output = _defaults(step)
            return
        raise StepFailure(text) from None
    record.elapsed = scene.now - started
    record.status, record.output, record.content = "completed", output, content


def _deadline(scene: Scene, step: Step) -> int:
    return min(scene.now + (step.timeout or STEP_TIMEOUT), scene.deadline)


def _attempts(
    scene: Scene, step: Step, arguments: Mapping[str, Any] | None, record: StepRecord, deadline: int
) -> Generator[int, None, tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Call a tool until it succeeds, and return its output and its content."""
    retries, delay = 0, _RETRY_DELAY
    if step.on_error is not None and step.on_error.action == "retry":
        retries = min(step.on_error.retry_count or 0, _MOST_RETRIES)
        delay = step.on_error.retry_delay or _RETRY_DELAY
    longest = delay * _LONGEST_DELAY
    while True:
        scene.call(ToolCall(record.id, step.tool, arguments))
        record.attempts += 1
        result = scene.results.get(step.tool) or {"text": "ok"}
        if "error" not in result:
            content = {"text": result["text"]} if "text" in result else {}
            structured = result.get("output")
            return structured if isinstance(structured, dict) else content, content
        if retries == 0:
            raise StepFailure(str(result["error"]))
        retries -= 1
        yield from _wait(scene, delay, deadline)
        delay = min(int(delay * _GROWTH), longest)


def _wait(scene: Scene, delay: int, deadline: int) -> Waiting:
    remaining = max(deadline - scene.now, 0)
    try:
        yield min(delay, remaining)
    except CanceledError as cancelled:
        raise StepFailure(str(cancelled)) from None
    if delay > remaining:
        raise StepFailure("context deadline exceeded")


# Elicitation.


def _elicit(scene: Scene, step: Step, record: StepRecord) -> Waiting:
    message = scene.expander.text(step.message, scene.root())
    if len(go_json.compact(step.schema)) > _LARGEST_SCHEMA or _depth(step.schema) > _DEEPEST_ANSWER:
        raise StepFailure("its schema is too large or too deep")
    scene.call(ToolCall(step.id, message=message))
    answer = scene.answers.get(step.id)
    if answer is None:
        answer = {"action": "accept", "content": {}}
    action, content = answer.get("action"), answer.get("content")
    if action == "accept":
        if len(go_json.compact(content)) > _LARGEST_ANSWER or _depth(content) > _DEEPEST_ANSWER:
            raise StepFailure("the answer is too large or too deep")
        given = content if isinstance(content, dict) else NilMap()
        record.status, record.output = "completed", {"action": "accept", "content": given}
    elif action in ("decline", "cancel"):
        handler = step.raw.get("onDecline" if action == "decline" else "onCancel")
        wanted = (handler.get("action") or "abort") if isinstance(handler, dict) else "abort"
        if wanted == "abort":
            raise StepFailure(f"the user chose to {action}")
        record.status = "completed"
        # The remaining steps run nevertheless.
        record.output = {"action": action} | ({"skipped": True} if wanted == "skip_remaining" else {})
    else:
        raise StepFailure(f'there is no answer "{action}"')
    yield from ()


def _depth(value: Any) -> int:
    """Return how deeply mappings and lists are nested, but at most one more than ``_DEEPEST_ANSWER``."""
    level = [value]
    for depth in range(_DEEPEST_ANSWER + 1):
        level = [
            child
            for node in level
            if isinstance(node, (dict, list))
            for child in (node.values() if isinstance(node, dict) else node)
        ]
        if not level:
            return depth
    return _DEEPEST_ANSWER + 1


# Loops.


def _loop(scene: Scene, step: Step, record: StepRecord) -> Waiting:
    assert step.inner is not None
    items = _items(scene, step)
    most = _bounded(step.max_iterations, _DEFAULT_ITERATIONS, _MOST_ITERATIONS)
    if len(items) > most:
        raise StepFailure(f"the collection has {len(items)} items, and maxIterations is {most}")
    loop = _Loop(scene, step, step.inner, items, record)
    error = loop.run()
    record.output = loop.output()
    try:
        yield loop.elapsed
    except CanceledError as cancelled:
        error = error or str(cancelled)
    if error is not None:
        raise StepFailure(error)
    record.status = "completed"


def _bounded(given: int, default: int, most: int) -> int:
    return min(given if given > 0 else default, most)


def _items(scene: Scene, step: Step) -> list[Any]:
    text = scene.expander.text(step.collection, scene.root())
    try:
        items = decode_json(text)
    except LimitError:
        raise
    except ExecutionError:
        items = text
    if items is None:
        return []
    if not isinstance(items, list):
        # The text may have any length, so the message quotes only its start.
        raise StepFailure(f'the collection is not a JSON list: "{text[:60]}"')
    return items


@dataclass(slots=True)
class _Loop:
    """The iterations of a forEach step.

    Attributes:
        done: The outcome of each iteration by its index, as templates see it.
        elapsed: The time in nanoseconds until the last iteration ended.
    """

    scene: Scene
    step: Step
    inner: Step
    items: list[Any]
    record: StepRecord
    done: dict[int, dict[str, Any]] = field(default_factory=dict)
    elapsed: int = 0

    def run(self) -> str | None:
        """Run all iterations, and return the error that ends the step, or ``None``.

        Go starts with the last iteration. If an iteration fails, the running iterations continue, the next iteration
        starts too late and fails, and the others are canceled.
        """
        goes_on = self.step.on_error is not None and self.step.on_error.action == "continue"
        width = _bounded(self.step.max_parallel, _DEFAULT_PARALLEL, _MOST_PARALLEL)
        start, deadline = self.scene.now, _deadline(self.scene, self.step)
        busy = [0] * min(width, len(self.items))
        error, last = None, len(self.items)
        for turn, index in enumerate([last - 1, *range(last - 1)] if self.items else []):
            if turn > last:
                self._end(index, "cancelled", _CANCELED)
            elif turn == last:
                self._end(index, "failed", self._too_late())
            else:
                slot = busy.index(min(busy))
                self.scene.now = start + busy[slot]
                failure = self._iterate(index, deadline)
                busy[slot] = self.scene.now - start
                if failure is not None and error is None and not goes_on:
                    error, last = f"iteration {index} failed: {failure}", turn + width
        self.scene.now = start
        self.elapsed = max(busy, default=0)
        return error

    def _too_late(self) -> str:
        key = max(self.inner.arguments, default="")
        return (
            f'template expansion failed: failed to expand value for key "{key}": '
            f"context cancelled during template expansion: {_CANCELED}"
        )

    def _iterate(self, index: int, deadline: int) -> str | None:
        bound = {self.step.item_variable or "item": self.items[index], "index": index}
        arguments = None
        try:
            if self.inner.raw.get("arguments") is not None:
                root = self.scene.root(forEach=bound)
                arguments = self.scene.expander.arguments(self.inner.arguments, root)
        except LimitError:
            raise
        except ExecutionError as failure:
            return self._end(index, "failed", f"template expansion failed: {failure}")
        attempts = _attempts(self.scene, self.inner, arguments, self.record, deadline)
        try:
            while True:
                self.scene.now += next(attempts)
        except StepFailure as failure:
            return self._end(index, "failed", str(failure))
        except StopIteration as stop:
            output, _ = stop.value
        self.done[index] = {"index": index, "item": self.items[index], "status": "completed", "output": output}
        return None

    def _end(self, index: int, status: str, error: str) -> str:
        item = {"index": index, "item": self.items[index], "status": status, "output": NilMap(), "error": error}
        self.done[index] = item
        return error

    def output(self) -> dict[str, Any]:
        iterations = [self.done[index] for index in sorted(self.done)]
        completed = sum(iteration["status"] == "completed" for iteration in iterations)
        return {
            "iterations": iterations,
            "count": len(self.items),
            "completed": completed,
            "failed": len(iterations) - completed,
        }
