"""Every way to write a secret is recognized in data and in text, in each style that YAML has."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from secret_way import SIGN, Way, ways

from mcpcfg.compiler.diagnostics.secret.source import masked_source
from mcpcfg.compiler.diagnostics.secret.value import secrets_of, without_secrets

WAYS = ways()


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.id)
def test_a_way_is_recognized_in_data_and_in_every_style(way: Way) -> None:
    texts = (
        [way.text]
        if way.text
        else [
            yaml.safe_dump(way.data, sort_keys=False, width=1000),
            yaml.safe_dump(way.data, sort_keys=False, default_flow_style=True, width=10000),
            json.dumps(way.data, indent=2),
            json.dumps(way.data),
        ]
    )
    styles = ("block", "flow", "pretty", "json")
    assert SIGN not in json.dumps(without_secrets(way.data))
    assert any(SIGN in value for value in secrets_of(way.data).values)
    if way.kind != "secret-creation":
        leaks = {
            style: masked_source(text)
            for style, text in zip(styles, texts, strict=False)
            if SIGN in masked_source(text)
        }
        assert not leaks


PUBLIC = [
    {"addHeadersFromSecret": [{"headerName": "X-Api-Key", "valueSecretRef": {"name": "team-api", "key": "api-key"}}]},
    {"header_forward": {"add_headers_from_secret": {"Authorization": "name-of-a-secret"}}},
    {"secrets": [{"name": "github-token", "key": "token", "targetEnvName": "GITHUB_TOKEN"}]},
    {"env": [{"name": "API_TOKEN", "valueFrom": {"secretKeyRef": {"name": "api-token", "key": "password"}}}]},
    {
        "env": [
            {"name": "API_TOKEN", "value": "${API_TOKEN}"},
            {"name": "TOKEN_URL", "value": "https://a.example/token"},
        ]
    },
    {"imagePullSecrets": ["registry-token"], "auth": {"existingSecret": "database-password"}},
    {"data": [{"secretKey": "api-token", "remoteRef": {"key": "team/api", "property": "token"}}]},
    {"client_secret": "github,target=CLIENT_SECRET", "bearer_token": "op://vault/item/field"},
    {"bearerToken": {"tokenSecretRef": {"name": "upstream-token", "key": "token"}}, "auth": "oidc"},
    {"image": "ghcr.io/acme/token-server:1.0@sha256:0123456789abcdef", "remoteUrl": "https://mcp.example.com:8443/a@b"},
    {"tools": ["get_secret", "create_token"], "filter": ["Authorization", "Content-Type"], "maxTokens": 4096},
    {"tolerations": [{"key": "node.example.com/pool", "operator": "Equal", "value": "mcp-servers"}]},
    {"args": ["--port", "8080", "--token-file", "/var/run/token", "--log-level=debugging"], "disableAuth": True},
    {"description": "It needs a bearer token, and basic authentication of the user."},
    {"policies": ['permit(principal, action == Action::"call_tool", resource) when { context.arg_city == "Paris" };']},
    {"patches": [{"patch": '[{"op": "replace", "path": "/spec/image", "value": "ghcr.io/acme/fetch:2.0"}]'}]},
]
"""Data without a secret, although much in it is about secrets."""


@pytest.mark.parametrize("data", PUBLIC, ids=lambda data: next(iter(data)))
def test_what_is_no_secret_stays_visible(data: dict[str, Any]) -> None:
    assert without_secrets(data) == data
    assert not secrets_of(data).values
    for text in (yaml.safe_dump(data, width=1000), json.dumps(data, indent=2), json.dumps(data)):
        assert masked_source(text) == text
