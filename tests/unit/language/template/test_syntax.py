import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpcfg.compiler.diagnostics.fault import Flaw
from mcpcfg.compiler.language.template.node import Template
from mcpcfg.compiler.language.template.parser import parse

_FIXTURES = Path(__file__).parents[4] / "fixtures" / "templates"
_SYNTAX = [json.loads(line) for line in (_FIXTURES / "syntax.jsonl").read_text().splitlines()]

_PIECES = st.sampled_from(
    [
        "{{",
        "}}",
        "{{-",
        "-}}",
        "(",
        ")",
        "|",
        ":=",
        "=",
        ",",
        ".",
        ".a",
        ".b.c",
        "$",
        "$x",
        '"s"',
        "'c'",
        "`",
        "1",
        "-1",
        "1.5",
        "true",
        "nil",
        "if",
        "else",
        "end",
        "range",
        "with",
        "define",
        "block",
        "template",
        "break",
        "continue",
        "len",
        "eq",
        "nope",
        "/*",
        "*/",
        "\\",
        "{",
        "}",
        "é",
    ]
)
_SOUP = st.lists(_PIECES | st.sampled_from([" ", "\n"])).map("".join)


@pytest.mark.parametrize("row", _SYNTAX, ids=lambda row: row["template"])
def test_a_template_parses_exactly_when_it_does_in_go(row: dict[str, object]) -> None:
    assert isinstance(parse(str(row["template"])), Template) == row["parses"]


@given(_SOUP | st.text())
def test_no_text_breaks_the_parser_and_faults_lie_inside_it(text: str) -> None:
    parsed = parse(text)
    if isinstance(parsed, Flaw):
        assert parsed.offset is not None
        assert 0 <= parsed.offset <= len(text)
        line, column = parsed.position(text)
        assert 1 <= line <= text.count("\n") + 1
        assert column >= 1
        assert parsed.message


@given(st.text(st.characters(exclude_characters="{")))
def test_text_without_actions_is_itself(text: str) -> None:
    parsed = parse(text)
    assert isinstance(parsed, Template)
    assert [getattr(node, "text", None) for node in parsed.nodes] == ([text] if text else [])


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("{{.a}} {{nope}}", 1, 10),
        ("first\n  {{.a.b-c}}", 2, 9),
        ("{{if .a}}\nx", 1, 1),
        ("a\n{{end}}", 2, 1),
        ("é {{$x}}", 1, 5),
    ],
)
def test_a_fault_is_found_where_the_text_is_wrong(text: str, line: int, column: int) -> None:
    parsed = parse(text)
    assert isinstance(parsed, Flaw)
    assert parsed.position(text) == (line, column)


def test_parentheses_may_be_nested_as_deeply_as_in_go() -> None:
    def nested(depth: int) -> str:
        return "{{" + "(" * depth + ".a" + ")" * depth + "}}"

    assert isinstance(parse(nested(10_000)), Template)
    assert isinstance(parse(nested(10_001)), Flaw)


def test_blocks_may_be_nested_without_end() -> None:
    assert isinstance(parse("{{if .a}}" * 20_000 + "{{end}}" * 20_000), Template)


def test_a_definition_may_not_take_the_name_of_the_template_around_it() -> None:
    text = '{{define "outer"}}x{{end}}y'
    assert isinstance(parse(text, name="inner"), Template)
    assert isinstance(parse(text, name="outer"), Flaw)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{{template 5}}", 'unexpected "5" in {{template}}'),
        ("{{define", "the action is not closed with }}"),
    ],
)
def test_a_fault_names_the_unexpected_part_of_the_template(text: str, message: str) -> None:
    fault = parse(text)
    assert not isinstance(fault, Template)
    assert fault.message == message
