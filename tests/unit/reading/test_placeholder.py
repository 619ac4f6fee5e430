"""Values that a later tool fills in, and files that Helm renders first."""

import pytest

from mcpcfg.compiler.document import read_documents
from mcpcfg.compiler.reading.placeholder import is_placeholder


@pytest.mark.parametrize(
    "text",
    ["$NAME", "${NAME}", "${name_1}", "https://${HOST}/mcp", "a-$B-c", "${X:=default}", "${X:-y}", "${X-}", "${X/a/b}"],
)
def test_placeholders_are_known(text: str) -> None:
    assert is_placeholder(text)


@pytest.mark.parametrize(
    "text", ["", "a", "$", "$1", "$$NAME", "$${NAME}", "$(NAME)", "${}", "${1}", "^a$", "a$.b", "{{x}}"]
)
def test_other_values_are_none(text: str) -> None:
    assert not is_placeholder(text)


HELM = {
    "control line": "{{- if .Values.enabled }}\nkind: MCPServer\n{{- end }}\n",
    "comment": "{{/* the server */}}\nkind: MCPServer\n",
    "quoted value": 'kind: MCPServer\nmetadata:\n  name: "{{ .Values.name }}"\n',
    "plain value": "kind: MCPServer\nmetadata:\n  name: {{ .Release.Name }}-server\n",
    "include": 'kind: MCPServer\nmetadata:\n  labels:\n    {{- include "chart.labels" . | nindent 4 }}\n',
    "indented control": "kind: MCPServer\nspec:\n  {{- with $.Values.image }}\n  image: x\n  {{- end }}\n",
    "indented control with variables": "kind: MCPServer\nspec:\n  {{ range $name := list 1 2 }}\n  a: {{ $name }}\n",
    "many documents": "kind: A\n---\n{{ if $x }}\nkind: B\n{{ end }}\n",
}


@pytest.mark.parametrize("text", HELM.values(), ids=HELM)
def test_a_helm_template_is_skipped_and_told(text: str) -> None:
    documents, findings = read_documents(text, "templates/a.yaml")

    assert documents == []
    assert [(finding.rule, finding.stage, finding.severity) for finding in findings] == [("SYN020", "lint", "info")]
    assert "helm template" in (findings[0].hint or "")


NO_HELM = {
    "quoted": 'args:\n  url: "https://x/{{.params.repo}}"\n',
    "plain": "text: fetch {{.steps.fetch.output.text}} now\n",
    "block": "text: |\n  {{- if .params.x }}\n  a\n  {{- end }}\n  {{ .steps.Values }}\n",
    "comment": "# name: {{ .Values.name }}\nname: x\n",
    "prefix": 'prefixFormat: "{workload}_"\nnested: {a: {b: 1}}\n',
}


@pytest.mark.parametrize("text", NO_HELM.values(), ids=NO_HELM)
def test_expressions_in_values_make_no_helm_template(text: str) -> None:
    documents, findings = read_documents(text, "a.yaml")

    assert findings == []
    assert len(documents) == 1


def test_an_expression_without_quotes_is_a_fault_of_its_own() -> None:
    documents, findings = read_documents("a: {{.params.x}}\nb: 1\n---\nc: 1\n", "a.yaml")

    assert [document.data for document in documents] == [{"c": 1}]
    assert [finding.rule for finding in findings] == ["SYN013"]
    assert "quotes" in (findings[0].hint or "")
