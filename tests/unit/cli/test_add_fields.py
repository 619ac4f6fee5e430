"""``mcpcfg add`` writes a valid resource of every kind, or asks for the fields that the kind needs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from calling import call
from sample import resource

from mcpcfg.compiler.models.kind import KINDS, kinds_of
from mcpcfg.compiler.toolhive.release import NEWEST_KNOWN, NEWEST_MODELLED, OLDEST, SECOND_VERSION_SINCE

GIVEN = {
    "MCPRemoteProxy": ("--url", "https://mcp.example.com/mcp"),
    "MCPServer": ("--image", "ghcr.io/acme/thing:1.0"),
    "MCPServerEntry": ("--url", "https://mcp.example.com/mcp"),
}
"""Options that the help of the command names."""
VALUES = {
    "headerInjection.headerName": "X-Api-Key",
    "awsSts.region": "eu-west-1",
    "configYAML": "sources: [{name: a, file: {path: /a.json}}]\nregistries: [{name: a, sources: [a]}]\n"
    "auth: {mode: anonymous}\ndatabase: {host: db, port: 5432, user: u, database: d}\n",
}
"""Values of fields that take only some texts."""
WORDS = {"HOST/PATH": "hooks.example.com/x", "HOST": "login.example.com", "NAME": "first", "SERVER.TOOL": "fetch.get"}
FEW_RELEASES = sorted(
    {OLDEST, SECOND_VERSION_SINCE, "0.33.0", NEWEST_MODELLED, NEWEST_KNOWN, *(kind.since or OLDEST for kind in KINDS)}
)


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("group.yaml").write_text(resource("MCPGroup", "tools").replace("v1beta1", "v1alpha1"))


def answered(question: str, chosen: str) -> list[str]:
    """Return the options that a question asks for, with values; ``chosen`` is the value of ``type``."""
    options: list[str] = []
    for path, example, about in re.findall(r"^  --set (\S+?)=(.+?)  \((.*)\)$", question, re.MULTILINE):
        value = example.strip("'").replace("ACCOUNT", "123456789012")
        if path == "type" and example == "VALUE":
            assert chosen in about.split(", ")
            value = chosen
        for word, text in WORDS.items():
            value = value.replace(word, text)
        if value == "VALUE" or path in VALUES:
            value = VALUES.get(
                path, "https://login.example.com/x" if path.lower().endswith(("url", "issuer")) else "thing"
            )
        options += ["--set", f"{path}={value}"]
    return options


def added(kind: str, release: str, chosen: str = "") -> str:
    """Add a resource, answer the questions, and return the text of its file."""
    options = [*GIVEN.get(kind, ()), "--release", release]
    for _ in range(3):
        outcome = call("add", kind, "thing", "--to", "thing.yaml", "--yes", *options)
        if outcome.status == 0:
            break
        assert (outcome.status, answered(outcome.err, chosen) != []) == (2, True), outcome.err
        options += answered(outcome.err, chosen)
    assert call("check", "--release", release).status == 0
    return Path("thing.yaml").read_text()


@pytest.mark.parametrize("release", FEW_RELEASES)
def test_a_resource_of_each_kind_is_valid_once_the_questions_are_answered(release: str) -> None:
    for kind in kinds_of(release):
        chosen = {"MCPOIDCConfig": "inline", "MCPExternalAuthConfig": "unauthenticated"}.get(kind.name, "")
        assert f"kind: {kind.name}\n" in added(kind.name, release, chosen)
        Path("thing.yaml").unlink()


@pytest.mark.parametrize(
    ("kind", "chosen"),
    [
        *(("MCPOIDCConfig", name) for name in ("inline", "kubernetesServiceAccount")),
        *(
            ("MCPExternalAuthConfig", name)
            for name in ("tokenExchange", "headerInjection", "bearerToken", "embeddedAuthServer", "awsSts")
        ),
        *(("MCPExternalAuthConfig", name) for name in ("upstreamInject", "unauthenticated", "xaa")),
    ],
)
def test_each_type_asks_for_the_fields_of_its_block(kind: str, chosen: str) -> None:
    assert f"  type: {chosen}\n" in added(kind, NEWEST_MODELLED, chosen)


def test_a_block_says_the_type() -> None:
    call("add", "MCPOIDCConfig", "login", "--yes", "--set", "inline.issuer=https://login.example.com")

    assert "type: inline\n" in Path("login.yaml").read_text()


def test_a_question_keeps_the_findings_about_stated_values() -> None:
    outcome = call("add", "MCPExternalAuthConfig", "x", "--yes", "--set", "typ=bearerToken")

    assert 'unknown field "typ"' in outcome.err
    assert "spec has no type" not in outcome.err
    assert outcome.status == 1


def test_a_text_needs_no_quotes_in_a_field_for_texts() -> None:
    call("add", "MCPRegistry", "list", "--yes", "--set", f"configYAML={VALUES['configYAML']}")

    assert "  configYAML: |\n    sources: [" in Path("list.yaml").read_text()


def test_a_value_that_is_not_yaml_is_told_how_to_be_quoted() -> None:
    outcome = call("add", "MCPServer", "x", "--image", "a:1", "--set", "args=a: b: [")

    assert """the value is not YAML; to state a text, write 'args="…"'""" in outcome.err


def test_a_kind_of_later_releases_is_named() -> None:
    assert (
        "release 0.21.0 has no kind MCPWebhookConfig" in call("add", "MCPWebhookConfig", "x", "--release", "0.21").err
    )
