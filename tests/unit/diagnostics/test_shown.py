"""How values and texts of the input are shown."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpcfg.compiler.diagnostics.finding import rule
from mcpcfg.compiler.diagnostics.shown import in_columns, in_json, line, lines, shown, visible
from mcpcfg.compiler.diagnostics.span import Span


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a", '"a"'),
        ("", '""'),
        (None, "null"),
        (True, "true"),
        (1.5, "1.5"),
        (10**400, "a number of hundreds of digits"),
        ({}, "a mapping"),
        ([], "a list"),
        ("a\n\x1b[31m\u202e", r'"a\n\x1b[31m\u202e"'),
        ("x" * 99, '"' + "x" * 57 + '…"'),
        ("http://user:" + "s" * 99 + "@host", '"http://user:***@host"'),
        ("ghp_" + "a1" * 20, '"***"'),
        ("sk-learn-model-server-production", '"sk-learn-model-server-production"'),
        ("task-runner_of_the_whole_company", '"task-runner_of_the_whole_company"'),
    ],
)
def test_a_value_is_escaped_cut_and_without_secrets(value: object, text: str) -> None:
    assert shown(value) == text


@pytest.mark.parametrize("name", ["password", "API_TOKEN", "clientSecret", "x-api-key", "Authorization", "hmac"])
def test_a_value_under_a_sensitive_name_is_not_shown(name: str) -> None:
    assert shown("hunter2", under=name) == '"***"'
    assert shown(123456, under=name) == "***"
    assert shown(False, under=name) == "false"


@pytest.mark.parametrize("name", ["tokenUrl", "clientSecretRef", "SECRET_NAME", "maxTokens", "keys", "name"])
def test_a_value_under_another_name_is_shown(name: str) -> None:
    assert shown("hunter2", under=name) == '"hunter2"'


@pytest.mark.parametrize(
    ("text", "out"),
    [
        ("::error::x", r"\x3a:error::x"),
        (" \t::error::x", r" \t::error::x"),
        ("  ::error::x", r"  \x3a:error::x"),
        ("a ::error::x", "a ::error::x"),
        ("a ##[error]x", r"a #\x23[error]x"),
        ("a ##vso[task]x", r"a #\x23vso[task]x"),
        ("## a heading", "## a heading"),
        ("a\n::error::x", r"a\n::error::x"),
    ],
)
def test_a_line_is_not_a_command_of_a_ci_system(text: str, out: str) -> None:
    assert line(text) == out


def test_lines_keeps_line_breaks_and_escapes_commands() -> None:
    assert lines("a\n::error::\n\x1b[0m") == "a\n\\x3a:error::\n\\x1b[0m"


@given(st.text())
def test_visible_texts_are_printable(text: str) -> None:
    assert visible(text).isprintable()
    assert in_columns(text).replace("\t", "").isprintable()
    assert len(in_columns(text)) == len(text)


@given(st.text(st.characters()))
def test_escaped_json_parses_to_the_same_data(text: str) -> None:
    written = in_json(json.dumps({"a": text}, ensure_ascii=False, indent=1))

    assert json.loads(written) == {"a": text}
    assert written.replace("\n", "").isprintable()


def test_a_long_message_is_cut() -> None:
    declared = rule("X001 x", "lint", "A title")
    found = declared.finding(Span("a.yaml", 1, 1, 1, 1), "a" * 5_000, hint="b\n" * 5_000)

    assert len(found.message) == len(found.hint or "") == 1_000
    assert found.message.endswith("a…")
