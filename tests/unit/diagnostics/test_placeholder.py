"""Values that a later tool fills in, and expressions that are values."""

import pytest

from mcpcfg.compiler.diagnostics.placeholder import (
    is_placeholder,
    is_placeholder_in_prose,
    is_placeholder_key,
    surely_differ,
)
from mcpcfg.compiler.reading.document import read_documents


@pytest.mark.parametrize(
    "text",
    ["$NAME", "${NAME}", "${name_1}", "https://${HOST}/mcp", "a-$B-c", "${X:=default}", "${X:-y}", "${X-}", "${X/a/b}"],
)
def test_placeholders_are_recognized(text: str) -> None:
    assert is_placeholder(text)


@pytest.mark.parametrize(
    "text", ["", "a", "$", "$1", "$$NAME", "$${NAME}", "$(NAME)", "${}", "${1}", "^a$", "a$.b", "{{x}}"]
)
def test_other_values_are_not_placeholders(text: str) -> None:
    assert not is_placeholder(text)


@pytest.mark.parametrize("text", ["price in $US", "echo $HOME", "a-$B-c", "{{ $x }}", "$$NAME", "$"])
def test_in_prose_a_dollar_sign_before_a_word_is_literal(text: str) -> None:
    assert not is_placeholder_in_prose(text)


@pytest.mark.parametrize("text", ["$NAME", "price in ${CURRENCY}", "${X:=default}"])
def test_in_prose_whole_texts_and_braces_are_placeholders(text: str) -> None:
    assert is_placeholder_in_prose(text)


def test_a_key_is_a_placeholder_only_if_it_has_braces() -> None:
    assert is_placeholder_key("${NAME}")
    assert not is_placeholder_key("$ref")


@pytest.mark.parametrize(
    ("text", "other", "expected"),
    [
        ("a", "b", True),
        ("a", "a", False),
        ("https://mcp.${D}", "https://vcp.${D}", True),
        ("https://mcp.${D}/a", "https://mcp.${D}", True),
        ("https://mcp.${D}", "https://mcp.${D}", False),
        ("x.${D}.y", "y.${D}.x", False),
        ("https://mcp.${D}", "https://auth.${E}", False),
        ("https://mcp.${D}", "https://auth.example.com", False),
        ("https://mcp.$D", "https://auth.$D", False),
        ("https://mcp.${UNKNOWN}", "https://auth.${UNKNOWN}", False),
        ("${A}.${A}", "${A}.x.${A}", False),
    ],
)
def test_texts_surely_differ_if_no_value_of_their_variable_makes_them_equal(
    text: str, other: str, *, expected: bool
) -> None:
    assert surely_differ(text, other) is expected
    assert surely_differ(other, text) is expected


EXPRESSIONS = {
    "quoted": 'args:\n  url: "https://x/{{.params.repo}}"\n',
    "plain": "text: fetch {{.steps.fetch.output.text}} now\n",
    "block": "text: |\n  {{- if .params.x }}\n  a\n  {{- end }}\n  {{ .steps.Values }}\n",
    "comment": "# name: {{ .Values.name }}\nname: x\n",
    "quoted object of Helm": 'name: "{{ .Release.Name }}"\n',
    "prefix": 'prefixFormat: "{workload}_"\nnested: {a: {b: 1}}\n',
}


@pytest.mark.parametrize("text", EXPRESSIONS.values(), ids=EXPRESSIONS)
def test_expressions_inside_texts_are_valid_yaml(text: str) -> None:
    documents, findings = read_documents(text, "a.yaml")

    assert findings == []
    assert len(documents) == 1


def test_an_unquoted_expression_is_reported_with_the_hint_to_quote() -> None:
    documents, findings = read_documents("a: {{.params.x}}\nb: 1\n---\nc: 1\n", "a.yaml")

    assert [document.data for document in documents] == [{"c": 1}]
    assert [finding.rule for finding in findings] == ["SYN013"]
    assert "quote" in (findings[0].hint or "")
