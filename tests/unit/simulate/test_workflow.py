import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpcfg.compiler.golang.duration import MINUTE, SECOND
from mcpcfg.compiler.simulate.record import Result
from mcpcfg.compiler.simulate.step import _depth
from mcpcfg.compiler.simulate.workflow import answer, run

_ROOT = Path(__file__).parents[3]
_FIXTURE = _ROOT / "fixtures" / "simulations" / "workflow.jsonl"
_RECORDED = (
    Path(os.environ.get("MCPCFG_CONFORMANCE", _ROOT.parent / "shared" / "conformance")) / "simulations/workflow.jsonl"
)


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().split("\n") if line]


def compared(given: dict[str, Any], *, errors: bool) -> list[Any]:
    """What is comparable: of an error only that there was one."""
    given = json.loads(json.dumps(given))
    for step in (given.get("steps") or {}).values():
        step["error"] = bool(step.get("error"))
        for iteration in (step.get("output") or {}).get("iterations") or ():
            if not errors and "error" in iteration:
                iteration["error"] = "…"
    failed = any(given.get(key) for key in ("error", "definitionError"))
    return [failed, *((given.get(key) or None) for key in ("status", "output", "steps", "calls"))]


@pytest.mark.parametrize("row", rows(_FIXTURE), ids=lambda row: str(len(row["input"]["tool"]["steps"])))
def test_a_workflow_runs_as_recorded(row: dict[str, Any]) -> None:
    assert compared(answer(row["input"]), errors=False) == compared(row, errors=False)


@pytest.mark.skipif(not _RECORDED.exists(), reason="the recorded simulations are not here")
def test_all_recorded_workflows_are_answered() -> None:
    wrong = [
        number
        for number, row in enumerate(rows(_RECORDED))
        if compared(answer(row["input"]), errors=True) != compared(row, errors=True)
    ]
    assert wrong == []


def tool(*steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"name": "flow", "description": "d", "steps": list(steps), **more}


def call(name: str, *after: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "tool": f"t.{name}", "dependsOn": list(after), **more}


def ran(composite: dict[str, Any], **given: Any) -> Result:
    return run(
        composite, params=given.get("params", {}), results=given.get("results", {}), answers=given.get("answers", {})
    )


def test_steps_run_in_groups_and_see_the_outcomes_of_earlier_groups() -> None:
    composite = tool(
        call("last", "a", "b", arguments={"x": "{{.steps.a.output.text}} {{.steps.b.status}}"}), call("a"), call("b")
    )
    result = ran(composite, results={"t.a": {"text": "hello"}})
    assert result.levels == [["a", "b"], ["last"]]
    assert result.steps["last"].arguments == {"x": "hello completed"}
    assert result.output == {"text": "ok"}


def test_a_result_is_the_output_of_the_step_that_completed_last() -> None:
    composite = tool(call("a"), call("b", "a", condition="false", defaultResults={"text": "no"}))
    result = ran(composite, results={"t.a": {"output": {"x": 1}}})
    assert result.output == {"x": 1.0}
    assert result.steps["b"].status == "skipped"


def test_integers_in_defaults_stay_integers_and_given_integers_become_floats() -> None:
    composite = tool(
        call("a", arguments={"x": "{{eq .params.n 3}}"}),
        parameters={"type": "object", "properties": {"n": {"type": "integer", "default": 3}}},
    )
    assert ran(composite).steps["a"].arguments == {"x": "true"}
    assert ran(composite, params={"n": 3}).status == "failed"


def test_retries_wait_longer_each_time_and_stop_at_the_timeout() -> None:
    def retrying(count: int, **more: Any) -> Result:
        handling = {"action": "retry", "retryCount": count, "retryDelay": "10s"}
        return ran(tool(call("a", onError=handling, **more)), results={"t.a": {"error": "down"}})

    result = retrying(2)
    assert result.steps["a"].attempts == 3
    assert result.elapsed == 25 * SECOND
    assert retrying(99).steps["a"].attempts <= 11
    assert retrying(9, timeout="20s").steps["a"].attempts == 2


def test_a_workflow_may_run_out_of_time() -> None:
    handling = {"action": "retry", "retryCount": 5, "retryDelay": "1m"}
    result = ran(tool(call("a", onError=handling, timeout="1h"), timeout="2m"), results={"t.a": {"error": "down"}})
    assert result.status == "timed_out"
    assert result.elapsed == 2 * MINUTE


def test_a_failed_step_ends_the_workflow_unless_it_continues_on_errors() -> None:
    results = {"t.a": {"error": "down"}}
    assert ran(tool(call("a"), call("b", "a")), results=results).status == "failed"
    going_on = call("a", onError={"action": "continue"}, defaultResults={"text": "instead"})
    result = ran(tool(going_on, call("b", "a", arguments={"x": "{{.steps.a.output.text}}"})), results=results)
    assert result.status == "completed"
    assert result.steps["b"].arguments == {"x": "instead"}


def test_loops_go_through_json_lists_and_count() -> None:
    loop = {"id": "each", "type": "forEach", "collection": "{{json .params.items}}", "itemVar": "it"}
    inner = {"id": "i", "tool": "t.i", "arguments": {"v": "{{.forEach.it}}:{{.forEach.index}}"}}
    result = ran(tool(loop | {"step": inner}), params={"items": ["a", "b", "c"]})
    assert [call.arguments for call in result.calls] == [{"v": "c:2"}, {"v": "a:0"}, {"v": "b:1"}]
    assert result.output["completed"] == 3


def test_a_loop_that_continues_on_errors_completes_with_failures() -> None:
    inner = {"id": "i", "tool": "t.i"}
    loop = {"id": "each", "type": "forEach", "collection": "[1, 2]", "step": inner, "onError": {"action": "continue"}}
    result = ran(tool(loop), results={"t.i": {"error": "down"}})
    assert result.status == "completed"
    assert (result.output["completed"], result.output["failed"]) == (0, 2)


def test_skip_remaining_skips_no_step() -> None:
    ask = {"id": "ask", "type": "elicitation", "message": "?", "schema": {"type": "object"}}
    composite = tool(ask | {"onDecline": {"action": "skip_remaining"}}, call("b", "ask"))
    result = ran(composite, answers={"ask": {"action": "decline"}})
    assert result.steps["ask"].output == {"action": "decline", "skipped": True}
    assert result.steps["b"].status == "completed"


@pytest.mark.parametrize(
    ("prop", "expected"),
    [
        ({"type": "integer", "value": "{{json .params.n}}"}, 3),
        ({"type": "integer", "value": "{{.params.none}}", "default": "7"}, 7),
        ({"type": "integer", "value": "x", "default": 2.9}, 2),
        ({"type": "boolean", "value": "T"}, True),
        ({"type": "boolean", "value": "x", "default": 1}, True),
        ({"type": "string", "value": "{{.params.none}}"}, "<no value>"),
        ({"type": "string", "value": "{{index .params.none 0}}", "default": [1, "a"]}, "[1 a]"),
        ({"type": "array", "value": "null"}, None),
        ({"type": "object", "value": '{"a": 1}'}, {"a": 1.0}),
        ({"type": "object", "value": "x", "default": '{"b": 2}'}, {"b": 2.0}),
        ({"type": "object", "properties": {"p": {"type": "string", "value": "v", "description": "d"}}}, {"p": "v"}),
    ],
)
def test_outputs_get_their_declared_type(prop: dict[str, Any], expected: Any) -> None:
    composite = tool(call("a"), output={"properties": {"o": prop | {"description": "d"}}})
    assert ran(composite, params={"n": 3}).output == {"o": expected}


def test_an_output_without_value_fails_the_workflow() -> None:
    composite = tool(call("a"), output={"properties": {"o": {"type": "integer", "value": "x", "description": "d"}}})
    assert ran(composite).status == "failed"


def test_a_workflow_that_the_server_refuses_at_start_is_not_run() -> None:
    assert ran(tool(call("a", "gone"))).definition_error
    assert ran(tool({"id": "q", "type": "elicitation", "message": "?"})).definition_error
    assert "definitionError" in answer({"tool": {}})


def test_hostile_workflows_end_soon() -> None:
    inner = {"id": "i", "tool": "t.i", "arguments": {"v": "{{range 100000}}x{{end}}"}}
    loop = {"id": "each", "type": "forEach", "collection": json.dumps([0] * 1000), "step": inner}
    result = ran(tool(loop | {"maxIterations": 1000, "onError": {"action": "continue"}}))
    assert result.error is not None
    assert "not simulated" in result.error


_TEXTS = st.sampled_from(
    [
        "{{.params.a}}",
        "{{json .params}}",
        "{{.steps.s0.output.text}}",
        "{{",
        "true",
        "[1]",
        "{{index .params.a 0}}",
        "x",
    ]
)
_STEPS = st.fixed_dictionaries(
    {"type": st.sampled_from(["tool", "elicitation", "forEach"]), "tool": st.just("t")},
    optional={
        "condition": _TEXTS,
        "message": _TEXTS,
        "collection": _TEXTS,
        "schema": st.just({"type": "object"}),
        "arguments": st.dictionaries(st.sampled_from("ab"), _TEXTS),
        "step": st.fixed_dictionaries(
            {"id": st.just("i"), "tool": st.just("u"), "arguments": st.just({"v": "{{.x}}"})}
        ),
        "onError": st.sampled_from([{"action": "continue"}, {"action": "retry", "retryCount": 1}, {"action": "abort"}]),
        "onDecline": st.sampled_from([{"action": "continue"}, {"action": "skip_remaining"}]),
        "defaultResults": st.just({"text": "d"}),
        "dependsOn": st.lists(st.sampled_from(["s0", "s1"]), max_size=2),
    },
)
_VALUES = st.recursive(st.none() | st.integers() | st.floats() | st.text(), st.lists, max_leaves=4)


@given(
    st.lists(_STEPS, min_size=1, max_size=3),
    st.dictionaries(st.sampled_from("ab"), _VALUES),
    st.sampled_from([{}, {"text": "t"}, {"error": "e"}, {"output": {"a": 1}}]),
    st.sampled_from(["accept", "decline", "cancel", "other"]),
)
def test_every_question_has_an_answer(
    steps: list[dict[str, Any]], params: dict[str, Any], result: dict[str, Any], action: str
) -> None:
    composite = tool(*({"id": f"s{number}", **step} for number, step in enumerate(steps)))
    answers = {f"s{number}": {"action": action, "content": params} for number in range(3)}
    given = answer({"tool": composite, "params": params, "results": {"t": result, "u": result}, "answers": answers})
    assert "definitionError" in given or given["status"] in ("completed", "failed", "timed_out")


@pytest.mark.parametrize("bound", ["maxParallel", "maxIterations"])
def test_a_bound_below_one_means_the_default(bound: str) -> None:
    loop = {"id": "each", "type": "forEach", "collection": "[1, 2]", "step": {"id": "i", "tool": "t.i"}, bound: -1}
    assert ran(tool(loop)).status == "completed"


def test_steps_parallel_to_a_step_that_fails_at_once_never_begin() -> None:
    result = ran(tool(call("a"), call("b")), results={"t.b": {"error": "down"}})
    assert result.status == "failed"
    assert list(result.steps) == ["b"]


def test_steps_parallel_to_a_step_that_fails_after_retries_have_ended() -> None:
    handling = {"action": "retry", "retryCount": 1, "retryDelay": "1s"}
    result = ran(tool(call("a"), call("b", onError=handling)), results={"t.b": {"error": "down"}})
    assert result.status == "failed"
    assert sorted(result.steps) == ["a", "b"]


@pytest.mark.parametrize(("value", "depth"), [(1, 0), ([], 0), ([1], 1), ({"a": [{"b": 1}]}, 3)])
def test_depth_counts_nested_mappings_and_lists(value: object, depth: int) -> None:
    assert _depth(value) == depth
