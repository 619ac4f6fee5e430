import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpcfg.compiler.language.template.node import Template
from mcpcfg.compiler.language.template.parser import parse
from mcpcfg.compiler.language.template.reference import EACH, Usage, field_chains, usage


def parsed(text: str) -> Template:
    template = parse(text)
    assert isinstance(template, Template)
    return template


def used(text: str) -> Usage:
    return usage(parsed(text))


def paths(text: str) -> list[str]:
    return [".".join(reference.path) for reference in used(text).references]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{.steps.a.output.text}}", ["steps.a.output.text"]),
        ("{{$.steps.a.output.text}}", ["steps.a.output.text"]),
        ('{{index .steps "my-step" "output"}}', ["steps.my-step.output"]),
        ('{{(index .steps "my-step").output.text}}', ["steps.my-step.output.text"]),
        ("{{(.steps.a).output}}", ["steps.a.output"]),
        ("{{index .params.items 0}}", ["params.items"]),
        ("{{with .steps.a}}{{.output.text}}{{end}}", ["steps.a", "steps.a.output.text"]),
        ("{{with $s := .steps.a}}{{$s.output}}{{end}}", ["steps.a", "steps.a.output"]),
        ("{{with .x}}{{$.params.y}}{{else}}{{.params.z}}{{end}}", ["x", "params.y", "params.z"]),
        ("{{$p := .params}}{{$p.a}}{{$p.b}}", ["params", "params.a", "params.b"]),
        (
            "{{range $i, $e := .params.items}}{{$e.k}}{{.j}}{{$i}}{{end}}",
            ["params.items", f"params.items.{EACH}.k", f"params.items.{EACH}.j"],
        ),
        ("{{json .steps.a.output | printf `%s` .params.x}}", ["steps.a.output", "params.x"]),
        ('{{define "t"}}{{.name}}{{$.name}}{{end}}{{template "t" .params}}', ["params", "params.name", "params.name"]),
        ('{{define "t"}}{{.name}}{{end}}', []),
        ('{{block "t" .params}}{{.a}}{{end}}', ["params", "params.a"]),
        ("{{$x := .params.a}}{{if .b}}{{$x = .params.c}}{{end}}{{$x.d}}", ["params.a", "b", "params.c"]),
        ("{{.}}", [""]),
        ("{{if eq .params.a `x`}}{{.params.b}}{{end}}", ["params.a", "params.b"]),
        ("{{.a}}{{/* .b */}}{{`.c`}}", ["a"]),
    ],
)
def test_paths_are_followed_as_far_as_the_text_determines_them(text: str, expected: list[str]) -> None:
    assert paths(text) == expected


def test_an_offset_points_at_the_reference() -> None:
    text = "é {{ .steps.a.output }}"
    assert [text[reference.offset :][:8] for reference in used(text).references] == [".steps.a"]


@pytest.mark.parametrize(
    ("text", "conditional", "tolerant"),
    [
        ("{{.a}}", False, False),
        ("{{json .a}}", False, False),
        ("{{if .b}}{{.a}}{{end}}", True, False),
        ("{{if .a}}{{end}}", False, True),
        ("{{not .a}}", False, True),
        ("{{.a | not}}", False, True),
        ("{{and .b .a}}", True, True),
        ("{{range .b}}{{$.a}}{{end}}", True, False),
    ],
)
def test_a_reference_records_whether_a_missing_value_matters(text: str, conditional: bool, tolerant: bool) -> None:
    reference = next(reference for reference in used(text).references if reference.path == ("a",))
    assert (reference.conditional, reference.tolerant) == (conditional, tolerant)


def test_calls_record_what_functions_are_given() -> None:
    call = used("{{.params.n | eq 3}}").calls[0]
    assert call.name == "eq"
    assert call.arguments[0].constant == 3
    assert call.arguments[1].path == ("params", "n")
    assert [call.name for call in used("{{len (index .params.items 0)}}").calls] == ["index", "len"]


def test_dotted_chains_are_found_whatever_the_value_of_dot() -> None:
    text = "{{with .params}}{{.steps.a.output.x}}{{end}}{{$.steps.b}}{{(index .steps `c`).output}}"
    assert {".".join(names) for names, _ in field_chains(parsed(text))} == {
        "params",
        "steps.a.output.x",
        "steps",
        "output",
    }


@pytest.mark.parametrize(
    "text",
    [
        '{{define "a"}}{{template "a" .x}}{{end}}{{template "a" .}}',
        "{{" + "(" * 9000 + ".a" + ")" * 9000 + "}}",
        "{{if .a}}" * 9000 + "{{end}}" * 9000,
        "".join(f"{{{{$x{i} := .a}}}}" for i in range(9000)),
    ],
)
def test_hostile_templates_are_walked_to_an_end(text: str) -> None:
    assert used(text).references is not None
    assert isinstance(list(field_chains(parsed(text))), list)


def test_a_long_chain_of_templates_is_followed_to_a_bound_and_counts_as_incomplete() -> None:
    def chain(length: int) -> Usage:
        links = "".join(f'{{{{define "t{n}"}}}}{{{{template "t{n + 1}" .}}}}{{{{end}}}}' for n in range(length))
        return used(f'{links}{{{{define "t{length}"}}}}{{{{.last}}}}{{{{end}}}}{{{{template "t0" .}}}}')

    short, long = chain(900), chain(1100)
    assert short.complete
    assert short.references[-1].path == ("last",)
    assert not long.complete
    assert ("last",) not in [reference.path for reference in long.references]


_PIECES = st.sampled_from(
    [
        "{{",
        "}}",
        ".a",
        ".b",
        "$",
        "$x",
        ":=",
        "=",
        "|",
        "(",
        ")",
        "if",
        "else",
        "end",
        "range",
        "with",
        "template",
        "define",
        "eq",
        "`s`",
        "1",
        ".",
        ",",
    ]
)


@given(st.lists(_PIECES))
def test_every_template_that_parses_can_be_walked(pieces: list[str]) -> None:
    text = " ".join(pieces).replace("{{ ", "{{")
    template = parse(text)
    if isinstance(template, Template):
        found = usage(template)
        assert all(0 <= reference.offset < len(text) for reference in found.references)
