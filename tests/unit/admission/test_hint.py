"""Hints of findings: what to write instead."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from calling import call

from mcpcfg.compiler.toolhive.profile import TOOLHIVE


@pytest.mark.parametrize(
    ("kind_name", "spec", "hint"),
    [
        ("MCPServer", "image: x\nTransport: stdio", 'did you mean "transport"?'),
        ("MCPServer", "image: x\nproxy_port: 1", 'did you mean "proxyPort"?'),
        ("MCPServer", "image: x\ntrasnport: stdio", 'did you mean "transport"?'),
        ("MCPServer", "image: x\nport: 8080", "renamed in v0.15.0: use proxyPort"),
        ("MCPServer", "image: x\ntargetPort: 8080", "renamed in v0.15.0: use mcpPort"),
        ("MCPRemoteProxy", "remoteURL: https://a", "renamed in v0.19.0: use remoteUrl"),
        (
            "MCPServer",
            "image: x\nenv: [{name: A, valueFrom: {}}]",
            "use spec.secrets for a Secret; env holds plain values only",
        ),
        ("EmbeddingServer", "modelName: BAAI/bge", 'did you mean "model"?'),
        ("MCPServer", "image: x\nIMAGE: y", '"image" is already set: remove this one'),
        ("MCPServer", "image: x\nsecrets: [{name: a, key: b, env: C}]", 'did you mean "targetEnvName"?'),
        ("MCPServer", "image: x\nbearerToken: {}", "it is a field of MCPExternalAuthConfig"),
        ("MCPServer", "image: x\npolicies: []", "MCPServer has it in spec.authzConfig.inline"),
        ("MCPServer", "image: x\nbogus: 1", "run mcpcfg explain MCPServer.spec to list the fields"),
        (
            "VirtualMCPServer",
            "incomingAuth: {type: anonymous}\ngroupRef: {name: g}\naggregation: {}",
            "moved in v0.7.0: it belongs in spec.config",
        ),
    ],
)
def test_an_unknown_field_comes_with_a_fix(kind: Any, kind_name: str, spec: str, hint: str | None) -> None:
    finding = next(one for one in kind(kind_name, spec).findings if one.name == "unknown-field")

    assert finding.hint == hint


@pytest.mark.parametrize(
    ("spec", "hint"),
    [
        ("image: x\nproxyPort: '8080'", "write 8080 without quotes"),
        ("image: x\ntrustProxyHeaders: 'TRUE'", "write true without quotes"),
        ("image: x\nresources: {limits: {cpu: 2}}", "write it in quotes"),
        ("image: x\nenv: [{name: A, value: yes}]", "YAML reads yes as true: write it in quotes"),
        ("image: x\nenv: [{name: A, value: true}]", "write it in quotes"),
        ("image: x\nargs: run", 'write a list: args: ["run"]'),
        (
            "image: x\nenv: {A: b, C: d}",
            'write a list: each entry begins with a dash, such as - {name: A, value: "b"}',
        ),
        ("image: x\nsecrets: {a: {}}", "write a list: each entry begins with a dash"),
        ("image: x\naudit: true", "write audit: {enabled: true}"),
        ("image: x\ntoolConfigRef: shared", "write toolConfigRef: {name: shared}"),
        ("image: x\noidcConfigRef: shared", "write oidcConfigRef: {name: shared, audience: …}"),
        ("image: x\ngroupRef: tools", "an object since v0.20.0: write groupRef: {name: …}"),
        ("image: x\nenv: [A=b]", 'write {name: A, value: "b"}'),
        ("image: x\nvolumes: ['/a:/b']", "write {name: …, hostPath: /a, mountPath: /b}"),
        ("image: x\nvolumes: ['/a:/b:ro']", "write {name: …, hostPath: /a, mountPath: /b, readOnly: true}"),
        ("image: x\npermissionProfile: network", "write permissionProfile: {type: builtin, name: network}"),
        (
            (
                "image: x\nsessionStorage: {provider: redis, address: r}\n"
                "rateLimiting: {shared: {maxTokens: 1, refillPeriod: 60}}"
            ),
            "write it with its unit: 60s for seconds",
        ),
        ("image: x\naudit: [a]", "write one object: without dashes"),
        ("image: x\nargs: [null]", "null is not an entry: remove it"),
    ],
)
def test_a_wrong_type_comes_with_a_fix(kind: Any, spec: str, hint: str) -> None:
    assert [one.hint for one in kind("MCPServer", spec).findings] == [hint]


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        ("streamablehttp", 'did you mean "streamable-http"?'),
        ("http", 'did you mean "streamable-http"?'),
        ("SSE", 'did you mean "sse"?'),
        ("carrier-pigeon", None),
    ],
)
def test_an_unsupported_value_has_a_hint_with_the_intended_value(kind: Any, value: str, hint: str | None) -> None:
    (finding,) = kind("MCPServer", f"image: x\ntransport: {value}").findings

    assert finding.hint == hint
    assert finding.message == f'spec.transport cannot be "{value}", only "stdio", "streamable-http", "sse"'


def test_a_broken_pattern_has_a_hint_in_words(kind: Any) -> None:
    (finding,) = kind("MCPRemoteProxy", "remoteUrl: mcp.example.com").findings

    assert finding.hint == "write a URL that begins with http:// or https://: https://mcp.example.com/mcp"


def test_two_keys_of_one_secret_have_a_hint_with_alternatives(kind: Any) -> None:
    profile = TOOLHIVE._replace(release="0.44.0")
    (finding,) = kind(
        "MCPServer", "image: x\nsecrets: [{name: s, key: a}, {name: s, key: b}]", profile=profile
    ).findings

    assert finding.message == 'spec.secrets[1] repeats name "s" of spec.secrets[0]'
    assert "envFrom" in (finding.hint or "")


def test_of_very_many_unknown_fields_the_first_get_hints(kind: Any) -> None:
    findings = kind("MCPServer", "image: x\n" + "\n".join(f"proxyPort{i}: 1" for i in range(300))).findings

    assert [one.hint is not None for one in findings] == [i < 100 for i in range(300)]


def test_the_same_typo_everywhere_is_reported_once_at_each_place(kind: Any) -> None:
    findings = kind("MCPServer", "image: x\nenv:\n" + "  - {nmae: a, value: b}\n" * 300).findings

    assert {one.name for one in findings} == {"unknown-field"}
    assert len(findings) == 300


@pytest.mark.parametrize(
    ("kind_name", "spec"),
    [
        ("MCPServer", "image: x\nenv: [{name: A, valueFrom: {}}]"),
        ("MCPServer", "image: x\nenv: [{key: A, value: b}]"),
        ("MCPServerEntry", "url: https://a.example.com\ntransport: sse\ngroupRef: {name: g}"),
        ("MCPExternalAuthConfig", "type: headerInjection\nheaderInjection: {headerName: A, value: b}"),
    ],
)
def test_an_unknown_field_in_place_of_a_required_one_is_reported_alone(kind: Any, kind_name: str, spec: str) -> None:
    assert [one.name for one in kind(kind_name, spec).findings] == ["unknown-field"]


def test_a_secret_under_an_unknown_field_is_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.yaml").write_text(
        "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPOIDCConfig\nmetadata: {name: a}\n"
        "spec:\n  type: inline\n  inline: {issuer: https://a.example.com, clientSecret: s3cr3t-s3cr3t}\n"
    )

    outcome = call("check", "a.yaml")

    assert "unknown field" in outcome.out
    assert "s3cr3t" not in outcome.out


def test_lints_about_a_misspelt_field_wait_until_its_name_is_right(tmp_path: Path) -> None:
    """Admission reports the field; what it means under its right name is reported once it has that name."""
    head = "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: VirtualMCPCompositeToolDefinition\nmetadata: {name: a}\n"
    step = "{id: a, type: tool, tool: fetch_fetch, onError: {action: continue, FIELD: 3}}"
    text = f"{head}spec: {{name: tool_a, description: does, steps: [{step}]}}\n"
    file = tmp_path / "a.yaml"

    file.write_text(text.replace("FIELD", "maxRetries"))
    wrong = call("check", str(file)).out
    file.write_text(text.replace("FIELD", "retryCount"))

    assert "ADM001" in wrong
    assert "CMP108" not in wrong
    assert "warning[CMP108]" in call("check", str(file)).out
