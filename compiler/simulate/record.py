"""The results of a simulated run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ..language.template.value import NilMap

if TYPE_CHECKING:
    from collections.abc import Mapping

Status: TypeAlias = Literal["running", "completed", "failed", "skipped"]


@dataclass(slots=True)
class StepRecord:
    """The outcome of a step.

    Attributes:
        status: The status as templates see it.
        output: The output as templates see it; ``NilMap`` if there is none.
        content: The text of the tool's answer, as templates see it.
        error: The reason why the step failed, or ``None``.
        arguments: The expanded arguments of the step's tool, or ``None`` if it states none. The arguments of the
            iterations of a forEach are in `Result.calls`.
        attempts: The number of calls of the step's tool.
        elapsed: The time in nanoseconds that the step waited between attempts.
        ended: The position in the order in which steps ended, starting at 1; 0 before the end.
    """

    id: str
    status: Status = "running"
    output: Mapping[str, Any] = field(default_factory=NilMap)
    content: Mapping[str, Any] = field(default_factory=dict)
    error: str | None = None
    arguments: Mapping[str, Any] | None = None
    attempts: int = 0
    elapsed: int = 0
    ended: int = 0

    def template_data(self) -> dict[str, Any]:
        """Return the data that templates find under ``.steps`` for the step."""
        data = {"status": self.status, "output": self.output, "content": self.content}
        return data if self.error is None else data | {"error": self.error}


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool, or a question to the user.

    Attributes:
        tool: The name of the tool, or ``None`` for a question.
    """

    step: str
    tool: str | None = None
    arguments: Mapping[str, Any] | None = None
    message: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the call in the format of recorded simulations."""
        if self.tool is None:
            return {"elicit": self.step, "message": self.message}
        return {"arguments": plain(self.arguments), "tool": self.tool}


@dataclass(slots=True)
class Result:
    """The outcome of a workflow.

    Attributes:
        status: ``completed``, ``failed`` or ``timed_out``.
        output: The output for the client, or ``None`` if the workflow failed.
        steps: The outcome of each step by id, in the order of the definition. Steps that never began are left out.
        calls: The calls in the order in which they were made.
        levels: The ids of the steps, in groups that run at the same time.
        elapsed: The time in nanoseconds between start and end. Only waiting takes time.
        error: The reason why the workflow failed.
        definition_error: The reason why the vMCP server would not start with this workflow.
    """

    status: str = "completed"
    output: Any = None
    steps: Mapping[str, StepRecord] = field(default_factory=dict)
    calls: list[ToolCall] = field(default_factory=list)
    levels: list[list[str]] = field(default_factory=list)
    elapsed: int = 0
    error: str | None = None
    definition_error: str | None = None


def plain(value: Any) -> Any:
    """Return ``value`` as JSON data: nil maps become null, and whole floats below 1e21 become integers."""
    if isinstance(value, NilMap):
        return None
    if isinstance(value, dict):
        return {key: plain(child) for key, child in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(child) for child in value]
    # From 1e21 on, Go's encoding/json writes an exponent.
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e21:
        return int(value)
    return value
