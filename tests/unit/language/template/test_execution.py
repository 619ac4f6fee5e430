import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpcfg.compiler.diagnostics.budget import Amount, Budget
from mcpcfg.compiler.language.template.executor import execute
from mcpcfg.compiler.language.template.function import FUNCTIONS
from mcpcfg.compiler.language.template.node import Template
from mcpcfg.compiler.language.template.parser import parse
from mcpcfg.compiler.language.template.value import ExecutionError, LimitError, NilMap

_FIXTURES = Path(__file__).parents[4] / "fixtures" / "templates"
# Go reads every number of a JSON text as a float.
_ROWS = [json.loads(line, parse_int=float) for line in (_FIXTURES / "execution.jsonl").read_text().splitlines()]

_DATA = {"params": {"n": 3.0, "name": "a", "items": ["x", {"k": None}], "none": None}, "steps": {"a": NilMap()}}
_TERMS = st.sampled_from(
    [".params.n", ".params.name", ".params.items", ".params.none", ".steps.a", ".", "$", "nil", "1", '"%v"', ".x.y"]
)
_NAMES = st.sampled_from(sorted(FUNCTIONS))
_PIPES = st.recursive(
    _TERMS, lambda inner: st.tuples(_NAMES, inner, inner).map(lambda call: f"({call[0]} {call[1]} {call[2]})")
)


def run(text: str, data: Any = _DATA, *, steps: int = 100_000) -> str:
    parsed = parse(text)
    assert isinstance(parsed, Template)
    return execute(parsed, data, budget=Budget(Amount(steps=steps)))


@pytest.mark.parametrize("row", _ROWS, ids=lambda row: row["template"][:60])
def test_a_template_prints_what_it_prints_in_go(row: dict[str, Any]) -> None:
    if row.get("fails"):
        with pytest.raises(ExecutionError):
            run(row["template"], row["data"])
    else:
        assert run(row["template"], row["data"]) == row["output"]


@given(_PIPES)
def test_execution_ends_in_a_text_or_an_error(pipe: str) -> None:
    text = f"{{{{range $i, $e := {pipe}}}}}{{{{$e}}}}{{{{else}}}}{{{{{pipe}}}}}{{{{end}}}}"
    with suppress(ExecutionError):
        assert isinstance(run(text), str)


def test_a_missing_key_prints_no_value_at_any_depth() -> None:
    assert run("{{.nope}} {{.params.nope.deeper}} {{if .params.nope}}x{{end}}") == "<no value> <no value> "


def test_white_space_is_trimmed_by_a_minus_that_white_space_follows() -> None:
    assert run("a {{- 3 -}} b") == "a3b"
    assert run("a {{-3}} b") == "a -3 b"


def test_a_field_of_null_is_an_error_and_of_a_missing_key_is_not() -> None:
    with pytest.raises(ExecutionError):
        run("{{.params.none.x}}")
    assert run("{{(.params.none).x}}") == "<no value>"


def test_numbers_of_json_are_floats_and_compare_with_floats_only() -> None:
    assert run("{{eq .params.n 3.0}}") == "true"
    with pytest.raises(ExecutionError):
        run("{{eq .params.n 3}}")
    assert run("{{eq .n 3}}", {"n": 3}) == "true"


def test_a_nil_map_is_empty_and_null() -> None:
    assert run("{{.steps.a}} {{json .steps.a}} {{len .steps.a}} {{eq .steps.a nil}}") == "map[] null 0 true"


def test_an_endless_output_is_stopped() -> None:
    with pytest.raises(LimitError):
        run('{{define "a"}}{{template "a"}}{{end}}{{template "a"}}')
    with pytest.raises(LimitError):
        run("{{range 1000000000}}x{{end}}")
    with pytest.raises(ExecutionError):
        run("{{range 100}}{{printf `%1000000d` 1}}{{end}}")


def test_a_budget_is_shared_between_executions() -> None:
    parsed = parse("{{range 40}}x{{end}}")
    assert isinstance(parsed, Template)
    budget = Budget(Amount(steps=200))
    execute(parsed, {}, budget=budget)
    execute(parsed, {}, budget=budget)
    with pytest.raises(LimitError):
        execute(parsed, {}, budget=budget)


def test_deeply_nested_values_are_refused_without_a_stack_overflow() -> None:
    value: Any = []
    for _ in range(5000):
        value = [value]
    for text in ("{{.}}", "{{json .}}"):
        with pytest.raises(LimitError):
            run(text, value)
    with pytest.raises(LimitError):
        run("{{" + "(" * 5000 + "1" + ")" * 5000 + "}}")
    with pytest.raises(LimitError):
        run("{{if 1}}" * 5000 + "{{end}}" * 5000)


def test_bytes_that_are_not_utf_8_become_replacement_characters() -> None:
    assert run('{{slice "é" 0 1}}|{{len "\\xff"}}|{{printf "%q" "\\xff"}}', {}) == '\ufffd|1|"\\xff"'
