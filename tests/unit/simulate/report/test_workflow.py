"""How a step of a workflow is reported."""

from __future__ import annotations

import pytest

from mcpcfg.compiler.simulate.record import StepRecord
from mcpcfg.compiler.simulate.report.workflow import _step
from mcpcfg.compiler.vmcp.workflow.model import read


@pytest.mark.parametrize(
    ("action", "record", "lines"),
    [
        (None, StepRecord("a", "failed", error="e"), ["   a: failed", "     error: e"]),
        ("retry", StepRecord("a", "failed", error="e", attempts=3), ["   a: failed at attempt 3", "     error: e"]),
        ("continue", StepRecord("a", "failed", error="e"), ["   a: failed, and the workflow goes on", "     error: e"]),
        (None, StepRecord("a", "completed", arguments={"b": 1}), ["   a: completed", '     calls t.a with {"b": 1}']),
        (None, None, ["   a: never began"]),
    ],
)
def test_a_step_is_reported_with_what_it_called_and_how_it_ended(
    action: str | None, record: StepRecord | None, lines: list[str]
) -> None:
    handling = {"onError": {"action": action}} if action else {}
    (step,) = read({"name": "w", "steps": [{"id": "a", "tool": "t.a", **handling}]}).steps
    assert list(_step(step, record, ())) == lines
