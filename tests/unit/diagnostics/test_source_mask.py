"""Source texts without secrets: every line and column stays where it was."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpcfg.compiler.diagnostics.secret.source import masked_source, with_quotes_masked

SECRET = "hunter2word"

HIDDEN = [
    f"{{a_token: abc, b_token: {SECRET}, c: d, password: ${{X}}, e_token: {SECRET}}}",
    f"a_token: ${{A}} b_token: {SECRET}",
    f"password: {SECRET}",
    f"password: {{token: abc}}\napi_key: {SECRET}",
    f"key: visible\nmonkey: visible\npassword: {SECRET}",
    f"clientSecret: '{SECRET}'  # of the provider",
    f'{{"a": 1, "client_secret": "{SECRET}", "b": "c"}}',
    f'{{"name": "API_TOKEN", "value": "{SECRET}"}}',
    f'{{\n "value": "{SECRET}",\n "name": "API_TOKEN"\n}}',
    f"env:\n- name: API_TOKEN\n  # of the API\n  value: {SECRET}",
    f"env:\n- value: {SECRET}\n  name: API_TOKEN",
    f"- {{name: API_TOKEN, value: {SECRET}}}",
    f"password: |\n  one\n  {SECRET}: x\n\n  {SECRET}\nnext: x",
    f"password:\n  {SECRET}",
    f"api_key: [{SECRET}, {SECRET}]",
    f"api_key:\n- {SECRET}\n- {SECRET}",
    f'args: ["--token", "{SECRET}"]',
    f"args:\n- --token\n- {SECRET}\n- --password={SECRET}",
    f"API_TOKEN={SECRET}",
    f"url: https://user:{SECRET}@example.com/x",
    f"url: https://user:{SECRET}/{SECRET}@example.com",
    f"kind: Secret\nstringData:\n  name: {SECRET}\n  b: |\n    {SECRET}\n",
    f"apiVersion: v1\nkind: SecretList\nitems:\n- metadata: {{}}\n  stringData:\n    a: {SECRET}\n   b: {SECRET}\n",
    f"kind: Secret\nmetadata:\n  annotations:\n    last-applied: '{SECRET}'\n",
    "kind: List\nitems:\n" + f"- kind: Secret\n  metadata:\n    annotations:\n      note: {SECRET}\n" * 3,
    f"data: {{a: {SECRET}}}\nkind: 'Secret'\n",
    f'{{"kind": "Secret", "data": {{"a": "{SECRET}"}}}}',
    f'{{\n  "kind": "Secret",\n  "stringData": {{\n    "name": "{SECRET}"\n  }}\n}}',
    f"kind: Secret\nstringData:\n  a: b: {SECRET}\n {SECRET}\n",
    f"kind: Secret\nstringData:\n\n  # a comment\n\n  a: {SECRET}\n",
    f'env:\n- name: "API\\u005fTOKEN"\n  "val\\u0075e": {SECRET}\n',
    f'env:\n- name: "PASS\\u0057ORD"\n  value: {SECRET}\n',
    f'"pass\\x77ord": {SECRET}\n',
    f"pass\u200bword: {SECRET}\n",
    f"env:\n  # - name: API_TOKEN\n  #   value: {SECRET}\n",
    f"env:\n- name: API_TOKEN  # value: {SECRET}\n  value: other\n",
    f"env:\n- name: API_TOKEN\n  # value: {SECRET}\n  value: other\n",
    f"env:\n- name: API_TOKEN\n value: {SECRET}\n",
    f"env:\n  - name: API_TOKEN\nvalue: {SECRET}\n",
    f"env:\n- name: API_TOKEN\n  value {SECRET}\n",
    f"env:\n- name: API_TOKEN\n  value: {{a: {SECRET}, b: [{SECRET}]}}\n",
    f"x:\n  password:{SECRET}\n",
    f"x:\n  password {SECRET}\n",
    f"data:\n  .env: |\n    API_TOKEN = {SECRET}\n",
    f"data:\n  a.ini: |\n    [db]\n    password = {SECRET}\n",
    f"data:\n  a.xml: |\n    <a><password>{SECRET}</password></a>\n",
    f'data:\n  a.xml: |\n    <add key=\'x\'/><add key="password" value="{SECRET}"/>\n',
    f"data:\n  a.sql: |\n    CREATE USER a WITH PASSWORD '{SECRET}';\n",
    f"data:\n  .netrc: |\n    machine a.example login b password {SECRET}\n",
    f"data:\n  a.sh: |\n    curl -u admin:{SECRET} https://a.example\n",
    f"- name: API_TOKEN\n  value: ${{TOKEN:-{SECRET}}}\n",
    f'- name: API_TOKEN\n  value: {{{{ .Values.token | default "{SECRET}" }}}}\n',
    "-----BEGIN PRIVATE KEY-----\n" + f"{SECRET}{SECRET}\n" * 3 + f"{SECRET}==\n-----END PRIVATE KEY-----",
]
SHOWN = [
    "clientSecretRef:\n  name: visible\n  key: client-secret",
    "password: ${PASSWORD}",
    "token: null",
    "secret: true",
    "- name: A\n  value: visible\n- name: API_TOKEN\n  valueFrom: {x: y}",
    "tokenUrl: https://example.com/token",
    "url: http://host:8080/a@b",
    "kind: Secret\nmetadata:\n  name: visible\n---\nkind: ConfigMap\ndata:\n  a: visible\n",
    "secretKeyRef: {name: a, key: password}",
    "kind: Secret\n# of the team: all\n\n  \nmetadata:\n  # its name\n  name: visible\n",
    "hint: bearer authentication is basic",
    "description: |\n  It needs a\n  token from the vault\n  password required\n",
    "- name: API_TOKEN\n  value: ${TOKEN}\n- name: B\n  value: visible words\n",
    "- name: API_TOKEN\n  value: '{{ include \"chart.token\" . }}'\n",
    "- name: API_TOKEN\n  valueFrom:\n    secretKeyRef: {name: visible, key: visible}\n",
    "command: docker run -u 1000:1000 --user 1000:1000 image\n",
    "auth:\n  default:\n    type: visible\n    header_name: visible\n",
]


@pytest.mark.parametrize("text", HIDDEN)
def test_a_secret_is_hidden_in_its_place(text: str) -> None:
    out = masked_source(text)

    assert SECRET not in out
    assert "***" in out
    assert [len(line) for line in out.split("\n")] == [len(line) for line in text.split("\n")]
    assert "next: x" in out or "next: x" not in text


@pytest.mark.parametrize("text", SHOWN)
def test_other_values_are_not_masked(text: str) -> None:
    assert masked_source(text) == text


@given(st.text(st.sampled_from("kind: Secret\n-\"'{}[],=@/|password token value name:")))
def test_masking_keeps_lines_and_columns(text: str) -> None:
    out = masked_source(text)

    assert all(new in (old, "*") for old, new in zip(text, out, strict=True))


@pytest.mark.parametrize(
    "text",
    [
        "://a:" * 40_000,
        "token: " * 30_000,
        "value: " * 30_000,
        "- --token " * 20_000,
        "kind: Secret\n" + "a\n" * 50_000,
        "token:\n" * 20_000,
        "-----BEGIN PRIVATE KEY-----" * 5_000,
        "eyJ" + "a" * 200_000,
        "sk-" * 50_000,
        "token: |\n  " + "a\n  " * 50_000,
        'token: "' + '\\"' * 50_000,
        "token: [" * 20_000,
        "=" * 100_000 + "token=" * 10_000,
        '"' * 100_000 + "\ntoken: abc",
        "&a !b " * 20_000 + "\ntoken: abc",
    ],
    ids=lambda text: text[:8],
)
def test_a_hostile_text_takes_time_in_proportion_to_its_length(text: str) -> None:
    began = time.process_time()
    masked_source(text)

    assert time.process_time() - began < 3


@pytest.mark.parametrize(
    ("message", "out"),
    [
        ('a second colon stands in the value "b: hunter2word"', 'a second colon stands in the value "***"'),
        ("the alias *hunter2word means nothing", "the alias **** means nothing"),
        ('the key "stringData" is written twice', 'the key "stringData" is written twice'),
        ('put "---" between', 'put "---" between'),
    ],
)
def test_the_message_about_a_broken_secret_quotes_none_of_its_values(message: str, out: str) -> None:
    assert with_quotes_masked(message, "kind: Secret\nstringData:\n  a: b: hunter2word\n") in (
        out,
        out.replace("***", "****"),
    )
