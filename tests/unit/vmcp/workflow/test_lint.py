import copy
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpcfg.compiler.vmcp.workflow.lint.faults import lint_faults
from mcpcfg.compiler.vmcp.workflow.model import read
from mcpcfg.compiler.vmcp.workflow.serve import serving_faults
from mcpcfg.compiler.vmcp.workflow.validate import validation_faults

_TOOL: dict[str, Any] = {
    "name": "triage",
    "description": "Triages open issues",
    "parameters": {
        "type": "object",
        "properties": {
            "repo": {"type": "string"},
            "limit": {"type": "integer", "default": 5},
            "labels": {"type": "array", "items": {"type": "string"}},
            "dry": {"type": "boolean"},
        },
        "required": ["repo"],
    },
    "timeout": "10m",
    "steps": [
        {
            "id": "find",
            "tool": "github.search",
            "arguments": {
                "repo": "{{.params.repo}}",
                "limit": "{{json .params.limit}}",
                "tags": "{{json .params.labels}}",
            },
            "onError": {"action": "retry", "retryCount": 2, "retryDelay": "1s"},
        },
        {
            "id": "ask",
            "type": "elicitation",
            "message": "Close {{len .steps.find.output.items}} issues?",
            "schema": {"type": "object", "properties": {"ok": {"type": "boolean"}}},
            "dependsOn": ["find"],
            "condition": "{{if .params.dry}}false{{else}}true{{end}}",
            "defaultResults": {"content": {"ok": False}},
        },
        {
            "id": "close",
            "type": "forEach",
            "collection": "{{json .steps.find.output.items}}",
            "itemVar": "issue",
            "dependsOn": ["ask"],
            "step": {"id": "one", "tool": "github.close", "arguments": {"id": "{{.forEach.issue.id}}"}},
        },
    ],
    "output": {
        "properties": {
            "closed": {"type": "integer", "description": "d", "value": "{{.steps.close.output.completed}}"},
            "asked": {"type": "object", "description": "d", "value": "{{json .steps.ask.output.content}}"},
            "who": {"type": "string", "description": "d", "value": "{{.workflow.id}} {{.steps.find.status}}"},
        }
    },
}


def changed(changes: dict[str, Any]) -> dict[str, Any]:
    """The sound tool with values put at paths such as ``steps/0/tool``."""
    tool = copy.deepcopy(_TOOL)
    for path, value in changes.items():
        *way, last = (int(part) if part.isdigit() else part for part in path.split("/"))
        node: Any = tool
        for part in way:
            node = node[part]
        node[last] = value
    return tool


def found(changes: dict[str, Any]) -> list[tuple[str, str]]:
    return [("/".join(map(str, fault.path)), fault.rule.id) for fault in lint_faults(read(changed(changes)))]


def test_a_sound_tool_has_no_finding() -> None:
    workflow = read(_TOOL)
    assert lint_faults(workflow) + validation_faults(workflow) + serving_faults(workflow) == []


_ARGUMENT = "steps/0/arguments/repo"
_SECOND = "steps/2/step/arguments/id"


@pytest.mark.parametrize(
    ("template", "rule"),
    [
        ("{{.params.repo}} {{.repo}}", "CMP101"),
        ("{{.params.repo}} {{.params.repos}}", "CMP102"),
        ("{{.params.repo}} {{.steps.gone.output.x}}", "CMP101"),
        ('{{.params.repo}} {{(index .steps "gone").output.x}}', "CMP101"),
        ("{{.params.repo}} {{.steps.find.output.x}}", "CMP103"),
        ("{{.params.repo}} {{.steps.close.output.count}}", "CMP103"),
        ("{{.params.repo}} {{.workflow.name}}", "CMP101"),
        ("{{.params.repo}} {{.vars.x}}", "CMP101"),
        ("{{.params.repo}} {{.forEach.item}}", "CMP101"),
        ("{{.params.repo}} {{len .params.labels}}", "CMP104"),
        ("{{.params.repo}} {{eq .params.limit 3}}", "CMP105"),
        ("{{.params.repo}} {{.params.limit | ne 3}}", "CMP105"),
        ("{{eq .params.repo 3.0}}", "CMP105"),
        ('{{.params.repo}} {{eq .params.dry "true"}}', "CMP105"),
        ("{{.params.repo}} {{gt .workflow.step_count 1.0}}", "CMP105"),
        ("{{.params.repo}} {{quote .params.limit}}", "CMP105"),
        ("{{slice .params.repo 0 .params.limit}}", "CMP105"),
        ('{{.params.repo}} {{printf "%d" .params.limit}}', "CMP105"),
        ('{{.params.repo}} {{printf "%s"}}', "CMP105"),
        ("{{.params.repo}} {{.params.labels}}", "CMP107"),
    ],
)
def test_a_template_that_cannot_work_is_reported(template: str, rule: str) -> None:
    assert found({_ARGUMENT: template}) == [(_ARGUMENT, rule)]


@pytest.mark.parametrize(
    "template",
    [
        "{{.params.repo}} {{if .params.labels}}{{len .params.labels}}{{end}}",
        "{{.params.repo}} {{eq .params.limit 3.0}} {{eq .params.dry true}} {{gt .workflow.step_count 1}}",
        '{{eq .params.repo "a"}} {{ne (len .params.repo) 3}}',
        "{{.params.repo}} {{json .params.labels}} {{json .params}}",
        '{{.params.repo}} {{printf "%v %5.2f%%" .params.limit 1.5}} {{printf "%[1]d" 1}} {{printf "%*d" 3 1}}',
        "{{with .params}}{{.repo}}{{end}} {{$p := .params}}{{$p.limit}}",
        "{{range $name, $step := .steps}}{{$step.status}}{{end}}{{.params.repo}}",
        '{{define "t"}}{{.repo}}{{end}}{{template "t" .params}}',
        "{{.params.repo}}{{/* .steps.gone */}}",
        '{{.params.repo}} {{index .params.repo 0}} {{or .params.dry "no"}}',
    ],
)
def test_a_template_that_works_is_left_alone(template: str) -> None:
    assert found({_ARGUMENT: template}) == []


@pytest.mark.parametrize(
    ("changes", "path", "rule"),
    [
        ({_SECOND: "{{.forEach.item}}"}, _SECOND, "CMP101"),
        ({_SECOND: "{{.steps.find.text}}"}, _SECOND, "CMP101"),
        ({_SECOND: "{{.steps.ask.output.ok}}"}, _SECOND, "CMP101"),
        ({"output/properties/closed/value": "{{.steps.close.output.total}}"}, None, "CMP101"),
        ({_SECOND: "{{$s := .steps}}{{$s.ask.output.action}}"}, _SECOND, "CMP104"),
        ({"steps/1/onDecline": {"action": "continue"}, _SECOND: "{{.steps.ask.output.content.ok}}"}, _SECOND,
         "CMP104"),
        ({"parameters/properties/more": {"type": "string"}}, "parameters/properties/more", "CMP112"),
        ({"steps/1/condition": "{{.params.dry}}"}, "steps/1/condition", "CMP104"),
        ({"steps/1/condition": "{{if .params.dry}}true{{else}}false{{end}}\n"}, None, "CMP106"),
        ({"steps/1/condition": "yes{{if .params.dry}}{{end}}"}, None, "CMP106"),
        ({"steps/1/condition": "{{len .params.repo}}{{if .params.dry}}{{end}}"}, None, "CMP106"),
        ({"steps/1/condition": "{{/* always */}}true{{$d := .params.dry}}"}, None, "CMP106"),
        ({"steps/1/condition": "False{{$d := .params.dry}}"}, None, "CMP106"),
        ({"output/properties/closed/value": "{{.steps.close.output.completed}}\n"}, None, "CMP107"),
        ({"output/properties/closed/value": "none"}, None, "CMP107"),
        ({"output/properties/asked/value": "{{.steps.find.output}}"}, None, "CMP107"),
        ({"output/properties/asked/value": "result: {{json .steps.find.output}}"}, None, "CMP107"),
        ({"steps/2/collection": "{{.params.labels}}"}, "steps/2/collection", "CMP107"),
        ({"steps/2/collection": "a, b"}, "steps/2/collection", "CMP110"),
        ({"steps/2/collection": "[]"}, "steps/2/collection", "CMP110"),
        ({"steps/2/collection": "[1,2,3]", "steps/2/maxIterations": 2}, "steps/2/collection", "CMP110"),
        ({"steps/0/arguments/tags": {"all": "{{nope}}", "of": "{{json .params.labels}}"}}, "steps/0/arguments/tags/all",
         "CMP009"),
        ({"steps/1/defaultResults/note": "{{.params.repo}}"}, "steps/1/defaultResults/note", "CMP111"),
        ({"steps/1/schema/title": "Close {{.params.repo}}?"}, "steps/1/schema/title", "CMP111"),
        ({"steps/0/onError": {"action": "abort", "retryCount": 3}}, "steps/0/onError/retryCount", "CMP108"),
        ({"steps/1/onError": {"action": "retry", "retryCount": 1}}, "steps/1/onError/action", "CMP108"),
        ({"steps/0/onError/retryCount": 20}, "steps/0/onError/retryCount", "CMP108"),
        ({"steps/0/onError/retryDelay": "10m"}, "steps/0/onError/retryDelay", "CMP108"),
        ({"steps/0/timeout": "1h"}, "steps/0/timeout", "CMP108"),
        ({"steps/1/timeout": "11m", "timeout": "1h"}, "steps/1/timeout", "CMP108"),
        ({"steps/0/timeout": "-1s"}, "steps/0/timeout", "CMP110"),
        ({"steps/1/tool": "a.b", "steps/1/type": "elicitation"}, "steps/1/tool", "CMP108"),
        ({"steps/0/itemVar": "x"}, "steps/0/itemVar", "CMP108"),
        ({"steps/2/arguments": {"a": 1}}, "steps/2/arguments", "CMP108"),
        ({"steps/2/step/condition": "true"}, "steps/2/step/condition", "CMP108"),
        ({"steps/2/step/onError": {"action": "continue"}}, "steps/2/step/onError/action", "CMP108"),
        ({"steps/1/onCancel": {"action": "skip_remaining"}}, "steps/1/onCancel/action", "CMP109"),
        ({"steps/0/defaultResults": {"items": []}}, "steps/0/defaultResults", "CMP108"),
    ],
)  # fmt: skip
def test_a_setting_without_its_stated_effect_is_reported(changes: dict[str, Any], path: str | None, rule: str) -> None:
    assert found(changes) == [(path or next(iter(changes)), rule)]


@pytest.mark.parametrize(
    "changes",
    [
        {"parameters/additionalProperties": True, _ARGUMENT: "{{.params.repo}}{{.params.anything}}"},
        {"steps/1/onDecline": {"action": "continue"},
         _SECOND: "{{if .steps.ask.output.content}}{{.steps.ask.output.content.ok}}{{end}}"},
        {_SECOND: "{{with .steps.ask.output}}{{.action}}{{end}}"},
        {"steps/1/condition": '{{eq .params.repo "a"}}{{$x := .params.dry}}'},
        {"steps/1/condition": "{{if .params.dry}}tr{{else}}fal{{end}}{{/* odd */}}se"},
        {"output/properties/closed/value": "1{{.steps.close.output.completed}}0"},
        {"output/properties/asked/value": '{"a": {{json .steps.ask.output}}}'},
        {"output/properties/asked/value": " {{json .steps.ask.output}}\n"},
        {"output/properties/closed/value": "{{if .steps.close}}1{{else}}2{{end}}"},
        {"steps/2/collection": '["a", "b"]'},
        {"steps/1/schema/title": "Write {{name}} for the name"},
        {"steps/2/onError": {"action": "continue"}, "steps/2/defaultResults": {"completed": 0}},
        {"steps/2/step/onError": {"action": "retry", "retryCount": 1}},
    ],
)  # fmt: skip
def test_an_unusual_tool_that_works_has_no_finding(changes: dict[str, Any]) -> None:
    assert found(changes) == []


def test_a_hint_names_what_was_probably_meant() -> None:
    (fault,) = lint_faults(read(changed({_SECOND: "{{.steps.fnd.output.x}}"})))
    assert fault.hint == "did you mean .steps.find?"
    (fault,) = lint_faults(read(changed({_ARGUMENT: "{{.params.repo}}{{.labels}}"})))
    assert fault.hint == "the parameter is .params.labels"
    assert fault.offset == 18


_TEMPLATES = st.lists(
    st.sampled_from(
        ["{{.params.repo}}", "{{.x}}", "{{.steps.ask.output}}", "true", "\n", "{{if .params.dry}}", "{{end}}",
         "{{else}}", "{{eq .params.limit 3}}", "{{range .steps}}", "{{.forEach.item}}", '{{printf "%d%s" .}}', "{{",
         "[1]", "{{nil}}"]
    ),
    max_size=5,
).map("".join)  # fmt: skip
_PLACES = st.sampled_from(
    [_ARGUMENT, _SECOND, "steps/1/condition", "steps/1/message", "steps/2/collection", "output/properties/closed/value"]
)


@given(st.dictionaries(_PLACES, _TEMPLATES))
def test_random_templates_do_not_break_the_lints(changes: dict[str, str]) -> None:
    workflow = read(changed(changes))
    for fault in lint_faults(workflow):
        assert fault.stage == "lint"
        assert fault.message


def test_hostile_tools_are_judged_soon() -> None:
    count = 2000
    steps = [
        {
            "id": f"s{number}",
            "tool": "t",
            "arguments": {"x": f"{{{{.steps.s{(number * 7) % count}.output.x}}}} {{{{.gone{number}}}}}"},
            "dependsOn": [f"s{number - 1}"] if number % 50 else [],
            "condition": "{{.params.a}}" + "{{.b}}" * 50,
        }
        for number in range(count)
    ]
    workflow = read({"name": "n", "description": "d", "steps": steps})
    start = time.process_time()
    assert len(lint_faults(workflow) + validation_faults(workflow) + serving_faults(workflow)) > count
    assert time.process_time() - start < 60


def hints(changes: dict[str, Any]) -> list[str | None]:
    return [fault.hint for fault in lint_faults(read(changed(changes)))]


@pytest.mark.parametrize(
    ("template", "hint"),
    [
        ("{{.params.repo}} {{eq .params.limit 3}}", "write 3.0"),
        ("{{eq .params.repo 3.0}}", 'write "3"'),
        ('{{.params.repo}} {{eq .params.dry "true"}}', "write true without quotes"),
        ('{{.params.repo}} {{eq .params.dry "yes"}}', None),
        ("{{.params.repo}} {{gt .workflow.step_count 1.0}}", "write 1"),
        ('{{.params.repo}} {{gt .workflow.step_count "1"}}', None),
    ],
)
def test_the_hint_about_a_comparison_names_a_comparable_constant(template: str, hint: str | None) -> None:
    assert hints({_ARGUMENT: template}) == [hint]


def test_depends_on_is_proposed_unless_it_makes_a_cycle() -> None:
    assert hints({_ARGUMENT: "{{.params.repo}} {{.steps.close.output.count}}"}) == [None]
    later = {"steps/2/dependsOn": [], _ARGUMENT: "{{.params.repo}} {{.steps.ask.status}}"}
    assert hints(later)[0] is None
    apart = {"steps/1/dependsOn": ["close"], "steps/2/dependsOn": [], _ARGUMENT: "{{.params.repo}}"}
    reading = apart | {_ARGUMENT: "{{.params.repo}} {{.steps.close.status}}"}
    assert 'add "close" to its dependsOn; references do not order steps' in hints(reading)


def test_quoting_the_answer_of_an_elicitation_is_reported() -> None:
    value = "output/properties/asked/value"
    assert (value, "CMP105") in found({value: "{{quote .steps.ask.output.content}}", "steps/1/defaultResults": None})


@pytest.mark.parametrize("word", ["1", "t", "T", "TRUE", "true", "True", "0", "f", "F", "FALSE", "false", "False"])
def test_a_boolean_output_accepts_the_words_of_go(word: str) -> None:
    def output(value: str) -> list[tuple[str, str]]:
        return found({"output/properties/who": {"type": "boolean", "description": "d", "value": value}})

    unknown = "{{.steps.ask.status}}"
    assert output(word) == output(unknown + word) == output(word + unknown) == []
    assert output(f"{word}x") == output(f"{unknown}{word}x") != []


def test_a_step_whose_dependencies_do_not_exist_counts_as_running_first() -> None:
    late = {"steps/0/arguments/x": "{{.steps.ask.output.action}}", "steps/0/dependsOn": ["ghost"]}

    assert "CMP103" in [code for _, code in found(late)]


def test_an_unexpanded_template_in_a_schema_is_reported() -> None:
    schema = {"type": "object", "description": "Go on?", "title": "{{.params.repo}}"}

    assert ("steps/1/schema/title", "CMP111") in found({"steps/1/schema": schema})
