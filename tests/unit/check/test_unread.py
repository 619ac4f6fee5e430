"""Documents that cannot be read: templates are counted, those of other programs pass, those of ours are reported."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from calling import call

from mcpcfg.compiler import api
from mcpcfg.compiler.check.facts import read_facts

if TYPE_CHECKING:
    from pathlib import Path

OURS = "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPServer\nmetadata: {name: fetch}\nspec: {image: 'a/b:1'}\n"

TEMPLATES = {
    "control line": "{{- if .Values.enabled }}\nkind: MCPServer\n{{- end }}\n",
    "comment": "{{/* the server */}}\nkind: MCPServer\n",
    "plain value": "kind: MCPServer\nmetadata:\n  name: {{ .Release.Name }}-server\n",
    "include": 'kind: MCPServer\nmetadata:\n  labels:\n    {{- include "chart.labels" . | nindent 4 }}\n',
    "quotes within quotes": 'kind: MCPServer\nmetadata:\n  name: "{{ include "chart.name" . }}"\n',
    "indented control": "kind: MCPServer\nspec:\n  {{- with $.Values.image }}\n  image: x\n  {{- end }}\n",
    "indented control with variables": "kind: MCPServer\nspec:\n  {{ range $name := list 1 2 }}\n  a: {{ $name }}\n",
    "jinja": "kind: MCPServer\nmetadata:\n  name: {{ name }}\n",
    "jinja control": "{% if on %}\nkind: MCPServer\n{% endif %}\n",
    "after a block of text": "kind: MCPServer\na: |\n  {{.params.x}}\nb: {{ .Values.b }}\n",
    "after an item that is a block of text": "kind: MCPServer\na:\n  - |\n    x\n  - b: {{ .Values.b }}\n",
}

BROKEN = {
    "directive of Terraform in a block of text": ("a: |-\n  %{ if b }\nb: 1\nb: 2\n", "SYN010"),
    "expression of a composite tool": ("args:\n  url: {{.params.url}}\n", "SYN013"),
    "action in quotes": ("a: '{{ .Values.a }}'\nb: 1\nb: 2\n", "SYN010"),
    "action in a block of text": ("a: |-\n  {{ .Values.a }}\nb: 1\nb: 2\n", "SYN010"),
    "action in an item's block of text": ("a:\n  - b: >\n      {{ .Values.a }}\n    c: 1\n    c: 2\n", "SYN010"),
    "action in a comment": ("a: 1  # {{ .Values.a }}\na: 2\n", "SYN010"),
    "expression of a workflow of GitHub": ("a: ${{ github.sha }}\na: 2\n", "SYN010"),
    "no action": ("\tspec: {}\n", "SYN002"),
}


@pytest.mark.parametrize("text", TEMPLATES.values(), ids=TEMPLATES)
def test_a_document_that_is_a_template_is_counted_and_the_others_are_checked(text: str) -> None:
    beside = OURS.replace("spec:", "sepc:")
    for whole, place in ((f"{text}---\n{beside}", 1), (f"{beside}---\n{text}", 0)):
        facts = read_facts(whole.encode(), "a.yaml", named=False)

        assert facts.delivery.templates == 1
        assert facts.documents == 1
        assert {finding.document for finding in facts.findings} == {place}
        assert {finding.stage for finding in facts.findings} == {"admission"}


@pytest.mark.parametrize("indent", ["", "  "])
def test_directives_of_terraform_make_a_template(indent: str) -> None:
    text = OURS + f"{indent}%{{ if enabled ~}}\nother: 1\n{indent}%{{ endif ~}}\n"
    facts = read_facts(text.encode(), "a.yaml", named=False)

    assert (facts.delivery.templates, list(facts.findings)) == (1, [])


YTT = {
    "code": '#@ load("@ytt:data", "data")\n{head}metadata:\n  name: #@ data.values.name\n',
    "annotation": "#@overlay/match by=overlay.all\n---\n{head}spec: {nope: 1}\n",
    "value": "{head}metadata: {name: a}\nspec:\n  image: #@ image\n",
}


@pytest.mark.parametrize("text", YTT.values(), ids=YTT)
def test_a_file_that_ytt_fills_in_is_a_template(text: str) -> None:
    head = "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPServer\n"
    facts = read_facts(text.replace("{head}", head).encode(), "a.yaml", named=False)

    assert (facts.delivery.templates, list(facts.findings), list(facts.resources)) == (1, [], [])
    assert read_facts(b"#@ load()\nkind: Deployment\n", "a.yaml").delivery.templates == 0


@pytest.mark.parametrize("comment", ["# @param image", "#!ytt", "image: a#@ b", "# see #@"])
def test_other_comments_make_no_template(comment: str) -> None:
    facts = read_facts(f"{comment}\n{OURS}".encode(), "a.yaml", named=False)

    assert facts.delivery.templates == 0
    assert facts.documents == 1


@pytest.mark.parametrize(("text", "rule"), BROKEN.values(), ids=BROKEN)
def test_a_broken_document_that_is_no_template_is_reported(text: str, rule: str) -> None:
    head = "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPServer\n"
    facts = read_facts(f"{head}{text}".encode(), "a.yaml", named=False)

    assert facts.delivery.templates == 0
    assert facts.documents == 1
    assert {finding.rule for finding in facts.findings} == {rule}


def test_a_broken_document_after_a_template_is_reported() -> None:
    template = "kind: MCPServer\nmetadata:\n  name: {{ .Release.Name }}-server\n"
    facts = read_facts(f"{template}---\n{OURS}\tspec: {{}}\n".encode(), "a.yaml", named=False)

    assert facts.delivery.templates == 1
    assert {(finding.rule, finding.document) for finding in facts.findings} == {("SYN002", 1)}


@pytest.mark.parametrize("comment", ["  # mcpcfg: ignore[IMG001]", ""])
def test_comments_in_templates_suppress_nothing(comment: str) -> None:
    text = f"kind: MCPServer\nspec:\n  image: {{{{ .Values.image }}}}{comment}\n---\n{OURS}"

    assert read_facts(text.encode(), "a.yaml").ignores == ()


OTHERS = {
    "a release": "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nvalues: {a: 1, a: 2}\n",
    "a cluster of a database": "apiVersion: postgresql.cnpg.io/v1\nkind: Cluster\nspec:\n\timages: 1\n",
    "a secret": "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: {a: 1, a: 2}\n",
    "no types": "apiVersion of: a: b: c\n",
    "types in braces": '{"apiVersion": "v1", "kind": "Pod", "spec": {"a": 1, "a": 2}}\n',
    "our name in a value": (
        "apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\n"
        "url: oci://example.com/stacklok/toolhive.stacklok.dev\na: 1\na: 2\n"
    ),
    "a template": "apiVersion: 1\ndatasources: {{ .Env.SOURCES }}\n",
    "a deployment in a list": "apiVersion: v1\nkind: List\nitems:\n- kind: Deployment\n  kind: Deployment\n",
}


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_a_broken_document_of_another_program_is_not_reported(text: str) -> None:
    facts = read_facts(text.encode(), "a.yaml", named=False)

    assert list(facts.findings) == []
    assert facts.delivery.templates == 0


@pytest.mark.parametrize("text", [OTHERS["no types"], OTHERS["a secret"]])
def test_an_unreadable_named_file_is_reported_unless_it_belongs_to_another_program(text: str) -> None:
    assert read_facts(text.encode(), "a.yaml").findings
    assert not read_facts(OTHERS["a release"].encode(), "a.yaml").findings


HINTS = {
    "our group": "apiVersion: toolhive.stacklok.dev/v1beta1\na: 1\na: 2\n",
    "nearly our group": "apiVersion: toolhive.stacklok.com/v1alpha1\nkind: MCPServer\na: 1\na: 2\n",
    "a kind": "apiVersion:\nkind: MCPServer\na: 1\na: 2\n",
    "two documents in one": (
        "apiVersion: v1\nkind: Secret\napiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPGroup\n"
    ),
    "an element of a list": "apiVersion: v1\nkind: List\nitems:\n- kind: MCPGroup\n  kind: MCPGroup\n",
    "an element in braces": (
        '{"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "toolhive.stacklok.dev/v1beta1",'
        ' "kind": "MCPGroup", "a": 1, "a": 2}]}'
    ),
    "a configuration of a virtual server": "incomingAuth: {type: oidc}\naggregation: {}\na: 1\na: 2\n",
    "a secret beside ours": f"{OURS}---\n{OTHERS['a secret']}",
}


@pytest.mark.parametrize("text", HINTS.values(), ids=HINTS)
def test_a_broken_document_that_mentions_the_operator_is_reported(text: str) -> None:
    assert {finding.rule for finding in read_facts(text.encode(), "a.yaml", named=False).findings} == {"SYN010"}


RECORDS = {
    "workload": '{"name": "fetch", "image": "fetch", "transport": "stdio",}',
    "registry": '{"version": "1", "last_updated": "2026-01-01T00:00:00Z", "servers": {"a": {"image": "a:1",}}}',
    "server": '{"name": "io.acme/a", "version": "1", "description": "d", "packages": [{"registryType": "oci",}]}',
    "permission profile": '{"network": {"outbound": {}}, "read": ["/srv",]}',
}
NO_RECORDS = {
    "container for development": '{\n// comment\n"name": "a", "image": "b:1", "features": {}, "forwardPorts": []\n}',
    "settings of an editor": '{"editor.tabSize": 2, // "image": "x"\n"servers": {},}',
    "package": '{"name": "a", "version": "1", "description": "servers", "servers": {"network": 1},}',
}


@pytest.mark.parametrize("text", RECORDS.values(), ids=RECORDS)
def test_a_broken_record_is_reported(text: str) -> None:
    assert {finding.rule for finding in read_facts(text.encode(), "a.json", named=False).findings} == {"SYN018"}


@pytest.mark.parametrize("text", NO_RECORDS.values(), ids=NO_RECORDS)
def test_json_of_other_programs_passes_although_it_has_comments(text: str) -> None:
    assert not read_facts(text.encode(), "a.json", named=False).findings


def test_templates_are_counted_in_the_summary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.yaml").write_text(f"{OURS}---\nkind: MCPServer\nname: {{{{ .Values.a }}}}\n")
    (tmp_path / "b.yaml").write_text("apiVersion: {{ .Values.b }}\nkind: MCPServer\n")
    (tmp_path / "c.yaml").write_text("apiVersion: 1\ndatasources: {{ .Env.SOURCES }}\n")
    monkeypatch.chdir(tmp_path)

    outcome = call("check", "--no-cache", ".")
    summary = json.loads(call("check", "--no-cache", "--format", "json", ".").out)["summary"]

    assert outcome.status == 0
    assert (
        "checked 2 files, 1 document; judged by operator release 0.51.4 (default)\n"
        "2 chart templates not checked; helm template … | " in outcome.err
    )
    assert summary | {"infos": 0} == {
        "files": 2,
        "documents": 1,
        "errors": 0,
        "warnings": 0,
        "infos": 0,
        "release": {"version": "0.51.4", "from": "default", "judged_by": "0.51.4"},
        "templates": 2,
    }


GROUP = "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPGroup\nmetadata:\n  name: tools\nspec: {description: [a}\n"
MEMBER = (
    "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPServer\nmetadata: {name: fetch}\n"
    "spec: {image: 'a:1', transport: stdio, groupRef: {name: tools}}\n"
)


def test_what_an_unreadable_file_seems_to_declare_is_not_missing() -> None:
    found = api.check(files={"group.yaml": GROUP, "server.yaml": MEMBER}).findings
    assert [one.rule for one in found if one.severity != "info"] == ["SYN004"]
    assert "every MCPGroup that it seems to declare" in str(found[0].notes)


def test_what_an_unreadable_json_file_on_one_line_seems_to_declare_is_not_missing() -> None:
    group = '{"apiVersion": "toolhive.stacklok.dev/v1beta1", "kind": "MCPGroup", "metadata": {"name": "tools",}}\n'
    found = api.check(files={"group.json": group, "server.yaml": MEMBER}).findings
    assert [one.rule for one in found if one.severity != "info"] == ["SYN018"]


def test_what_an_unreadable_file_does_not_name_is_missing() -> None:
    found = api.check(files={"group.yaml": GROUP, "server.yaml": MEMBER.replace("tools", "others")}).findings
    assert "REF001" in {one.rule for one in found}
