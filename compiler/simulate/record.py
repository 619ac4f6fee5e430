"""What a simulated run leaves behind."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ..language.template.value import NilMap

if TYPE_CHECKING:
    from collections.abc import Mapping

Status: TypeAlias = Literal["running", "completed", "failed", "skipped"]


@dataclass(slots=True)
class StepRecord:
    """How a step went.

    Attributes:
        id: Of the step.
        status: As templates see it.
        output: As templates see it; ``NilMap`` where there is none.
        content: The text of a tool's answer, as templates see it.
        error: Why it failed.
        arguments: What its tool was given, or None; for a forEach see the calls.
        attempts: How often its tool was called.
        elapsed: Nanoseconds that it waited between attempts.
        ended: Its place in the order in which steps ended, from 1.
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

    def seen(self) -> dict[str, Any]:
        """Return what templates find under ``.steps`` for it."""
        data = {"status": self.status, "output": self.output, "content": self.content}
        return data if self.error is None else data | {"error": self.error}


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool, or a question to the user (``elicit`` is the step then)."""

    step: str
    tool: str | None = None
    arguments: Mapping[str, Any] | None = None
    message: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the call as recorded simulations write it."""
        if self.tool is None:
            return {"elicit": self.step, "message": self.message}
        return {"arguments": plain(self.arguments), "tool": self.tool}


@dataclass(slots=True)
class Result:
    """How a workflow went.

    Attributes:
        status: ``completed``, ``failed`` or ``timed_out``.
        output: What the client gets; None when it failed.
        steps: By id, in the order of the list; steps that never began are left out.
        calls: In the order in which they were made.
        levels: The ids of the steps, in groups that run at once.
        elapsed: Nanoseconds between the start and the end, waiting alone.
        error: Why it failed.
        definition_error: Why the vMCP server would not even start with it.
    """

    status: str = "completed"
    output: Any = None
    steps: Mapping[str, StepRecord] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)
    levels: list[list[str]] = field(default_factory=list)
    elapsed: int = 0
    error: str | None = None
    definition_error: str | None = None


def plain(value: Any) -> Any:
    """Return ``value`` as JSON data: without maps that were never made, and with whole numbers as integers."""
    if isinstance(value, NilMap):
        return None
    if isinstance(value, dict):
        return {key: plain(child) for key, child in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(child) for child in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e21:
        return int(value)
    return value
