"""Secrets in plain text: reported, and shown by no report."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from mcpcfg.compiler.cli.main import main
from mcpcfg.compiler.diagnostics.secret.source import SecretPlaces
from mcpcfg.compiler.diagnostics.secret.value import secrets_of
from mcpcfg.compiler.diagnostics.span import Span
from mcpcfg.compiler.reading.document import read_documents
from mcpcfg.compiler.records.finding import findings_of
from mcpcfg.compiler.records.runconfig.check import check_runconfig
from mcpcfg.compiler.report.text import render

if TYPE_CHECKING:
    from pathlib import Path

SECRET = "hunter2-0123456789"
TOKEN = "ghp_" + "hunter2" * 6

RUNCONFIG: dict[str, Any] = {
    "schema_version": "v0.1.0",
    "name": "docs",
    "image": 7,
    "remote_url": f"http://user:{SECRET}@mcp.acme.io/mcp",
    "transport": "stdio",
    "env_vars": {"API_TOKEN": SECRET, "OTHER": TOKEN},
    "secrets": [SECRET],
    "cmd_args": ["--token", TOKEN],
    "oidc_config": {"Issuer": "http://id.acme.io", "ClientSecret": SECRET, "Unknown": 1},
    "token_exchange_config": {"client_secret": SECRET},
    "remote_auth_config": {"client_id": "a", "client_secret": SECRET, "bearer_token": SECRET, "callback_port": 1},
    "header_forward": {"add_plaintext_headers": {"Authorization": f"Bearer {SECRET}", "X Y": "a"}},
}
WORKLOAD: dict[str, Any] = {
    "name": "a b",
    "url": "http://mcp.acme.io",
    "proxy_port": "1",
    "env_vars": {"API_TOKEN": SECRET},
    "oauth_config": {"client_secret": SECRET, "bearer_token": {"name": "a", "target": "b", "value": SECRET}},
    "oidc": {"client_secret": SECRET},
    "header_forward": {"add_plaintext_headers": {"Cookie": SECRET}},
}
ENVIRONMENT = f"""KEY=-----BEGIN
MIIE/{SECRET}+{SECRET}==
MIIE/{SECRET}+{SECRET}==
API_KEY={SECRET}
A-B={SECRET}
A-B={SECRET}
={SECRET}
Q='{SECRET}'
{SECRET}
"""


def sound(record: dict[str, Any]) -> dict[str, Any]:
    wrong = {"image": "", "proxy_port": 1}
    return {key: wrong.get(key, value) for key, value in record.items()}


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("format_", ["text", "json", "sarif", "gitlab", "junit", "github", "markdown"])
@pytest.mark.parametrize(
    ("kind", "record"),
    [
        ("runconfig", RUNCONFIG),
        ("runconfig", sound(RUNCONFIG)),
        ("workload", WORKLOAD),
        ("workload", sound(WORKLOAD)),
        ("env-file", ENVIRONMENT),
    ],
)
def test_no_report_shows_a_secret(
    kind: str, record: Any, format_: str, indent: int | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "record"
    file.write_text(record if isinstance(record, str) else json.dumps(record, indent=indent))
    with pytest.raises(SystemExit) as exit_:
        main(["check", "--as", kind, "--format", format_, str(file)])
    assert exit_.value.code == 1
    out, err = capsys.readouterr()
    assert out
    assert "hunter2" not in out + err


def test_references_and_plain_values_are_shown() -> None:
    data = {
        "client_secret": "docs-client,target=oauth_secret",
        "bearer_token": {"name": "docs-token", "target": "bearer_token"},
        "secrets": ["a,target=B", {"name": "a", "target": "B"}],
        "env_vars": {"LOG_LEVEL": "debugging", "TOKEN_URL": "https://id.acme.io/token"},
    }
    assert not secrets_of(data).values


def test_a_secret_in_a_long_line_is_hidden_near_the_finding() -> None:
    data = {"env_vars": {f"A{number}_TOKEN": SECRET for number in range(50)}, "port": 1}
    document = read_documents(json.dumps(data), "a.json")[0][0]
    near = SecretPlaces(secrets_of(document.data).paths, document.span).near(document.span(("port",)))
    assert 0 < len(near) < 25
    assert all(span.line == 1 for span in near)


def test_many_secrets_on_one_line_are_hidden_in_bounded_time() -> None:
    variables = {f"A{number}_TOKEN": SECRET for number in range(5000)}
    sound = {"schema_version": "v0.1.0", "image": "a", "container_name": "a", "transport": "stdio"}
    text = json.dumps(sound | {"env_vars": variables})
    documents, _ = read_documents(text, "a.json")
    found = findings_of(documents[0], check_runconfig(documents[0].data))
    assert len(found) == len(variables)
    assert max(len(one.hidden) for one in found) < 40
    assert SECRET not in render(found, lambda _file, _number: text)


@pytest.mark.parametrize(
    ("data", "paths"),
    [
        ({"client_secret": SECRET}, [("client_secret",)]),
        ({"client_secret": "id,target=client_secret"}, []),
        ({"note": TOKEN}, [("note",)]),
        ({"note": "nothing to hide"}, []),
        ({"client_secret": {"name": "id", "target": "other"}}, []),
        ({"client_secret": {"name": "id", "value": SECRET}}, [("client_secret", "value")]),
        ({"client_secret": [SECRET]}, [("client_secret", 0)]),
        (TOKEN, [()]),
    ],
)
def test_secrets_are_recognized_by_their_key_or_their_form(data: Any, paths: list[tuple[str | int, ...]]) -> None:
    assert list(secrets_of(data).paths) == paths


def test_secrets_near_a_finding_are_those_on_its_line_within_reach() -> None:
    text = f"password: |\n  {SECRET}\n  {SECRET}\nother: {{token: {SECRET}, b: {'x' * 900}, clientSecret: {SECRET}}}\n"
    (document,), _ = read_documents(text, "a.yaml")
    places = SecretPlaces(secrets_of(document.data).paths, document.span)
    found = {line: places.near(Span("a.yaml", line, 12, line, 13)) for line in (1, 2, 3, 4, 5)}
    assert {line: [(one.line, one.column) for one in spans] for line, spans in found.items() if spans} == {
        1: [(1, 11)],
        2: [(2, 1)],
        3: [(3, 1)],
        4: [(4, 16)],
    }
    assert [one.column for one in places.near(Span("a.yaml", 4, 990, 4, 991))] == [955]
