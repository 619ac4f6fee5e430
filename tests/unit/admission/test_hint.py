"""Hints of findings: what to write instead."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from calling import call

from mcpcfg.compiler.admission.remedy import REMEDIES
from mcpcfg.compiler.admission.table import table_of
from mcpcfg.compiler.admission.violation import CelRule
from mcpcfg.compiler.toolhive.profile import TOOLHIVE
from mcpcfg.compiler.toolhive.release import RELEASES


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
        ("MCPServer", "image: x\nenv: [{API_KEY: abc}]", "write {name: API_KEY, value: …}"),
        ("MCPServer", "image: x\nenviroment: []", 'did you mean "env"?'),
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
        ("image: x\nargs: run, fast", 'write a list: args: ["run", "fast"]'),
        (
            "image: x\nenv: {A: b, C: d}",
            'write a list: each entry begins with a dash, such as - {name: A, value: "b"}',
        ),
        ("image: x\nsecrets: {a: {}}", "write a list: each entry begins with a dash"),
        ("image: x\naudit: true", "write audit: {enabled: true}"),
        ("image: x\ntoolConfigRef: shared", "write toolConfigRef: {name: shared}"),
        ("image: x\noidcConfigRef: shared", "write oidcConfigRef: {name: shared, audience: …}"),
        ("image: x\ngroupRef: tools", "an object since v0.20.0: write groupRef: {name: tools}"),
        ("image: x\ngroupRef: Tools", "an object since v0.20.0: write groupRef: {name: …}"),
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


LOGIN = "spec: {type: inline, inline: {issuer: 'https://login.example.com'}}"


@pytest.mark.parametrize(
    ("kind_name", "spec", "hint"),
    [
        (
            "MCPServer",
            "{image: 'a:1', oidcConfigRef: {name: login}}",
            "add audience: the value of the claim aud in the tokens, usually the URL of the server that takes them",
        ),
        ("MCPServer", "{transport: stdio}", "add image: HOST/NAME:TAG, the container image of the server"),
        ("MCPServer", "{image: 'a:1', sessionStorage: {}}", "add provider: memory or redis"),
        (
            "MCPServer",
            "{image: 'a:1', groupRef: {}}",
            "add name; mcpcfg explain MCPServer.spec.groupRef.name tells what it holds",
        ),
        (
            "MCPServer",
            "{image: 'a:1', rateLimiting: {shared: {maxTokens: 1, refillPeriod: 1m}}}",
            "write sessionStorage: {provider: redis, address: HOST:6379} in spec",
        ),
        ("MCPServer", "{image: 'a:1', toolsFilter: [], env: [{name: A, value: a}, {name: A, value: b}]}", None),
        (
            "MCPRemoteProxy",
            "{remoteUrl: 'https://a', transport: stdio}",
            "write streamable-http, or sse for an old server: only the container of an MCPServer can speak stdio",
        ),
        ("MCPOIDCConfig", "{type: inline}", "add inline, or write another type"),
        ("MCPServer", "{image: 'a:1', replicas: 1.0000000001}", "write 1"),
        (
            "MCPWebhookConfig",
            "{validating: [{name: a, url: 'https://a', timeout: 5 minutes}]}",
            "write 5m",
        ),
    ],
)
def test_an_error_of_a_newcomer_has_a_remedy(kind_name: str, spec: str, hint: str | None) -> None:
    version = "v1alpha1" if kind_name == "MCPWebhookConfig" else "v1beta1"
    text = f"apiVersion: {TOOLHIVE.api_group}/{version}\nkind: {kind_name}\nmetadata: {{name: x}}\nspec: {spec}\n"
    findings = json.loads(call("check", "-", "--format", "json", stdin=text).out)["findings"]
    hints = [finding.get("hint") for finding in findings if finding["severity"] == "error"]

    assert (hint or "remove one of them, or give it another name") in hints


@pytest.mark.parametrize(("names", "hint"), [(["login"], "{name: login, "), (["a", "b"], "; the project has a, b")])
def test_a_hint_about_a_missing_reference_names_the_resources_of_the_project(names: list[str], hint: str) -> None:
    head = f"apiVersion: {TOOLHIVE.api_group}/v1beta1\n"
    configs = [f"{head}kind: MCPOIDCConfig\nmetadata: {{name: {name}}}\n{LOGIN}\n---\n" for name in names]
    server = "kind: VirtualMCPServer\nmetadata: {name: x}\nspec: {groupRef: {name: g}, incomingAuth: {type: oidc}}\n"
    group = f"{head}kind: MCPGroup\nmetadata: {{name: g}}\nspec: {{}}\n---\n"
    text = "".join([*configs, group, head, server])

    (finding,) = [
        finding
        for finding in json.loads(call("check", "-", "--format", "json", stdin=text).out)["findings"]
        if finding["rule"] == "ADM009"
    ]
    assert finding["hint"].startswith("add oidcConfigRef: {name: ")
    assert hint in finding["hint"]


def test_each_remedy_belongs_to_a_rule() -> None:
    messages = {
        CelRule(*facts).message
        for release in RELEASES
        for shape in table_of(release).shapes
        if shape[0] in ("object", "ruled")
        for facts in shape[-1]
    }

    assert REMEDIES.keys() <= messages
