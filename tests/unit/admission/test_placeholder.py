"""A placeholder is an unknown value and never a finding."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.mark.parametrize(
    ("kind_name", "spec"),
    [
        ("MCPServer", "image: x\nproxyPort: ${PORT}"),
        ("MCPServer", "image: x\ntransport: ${TRANSPORT:=stdio}"),
        ("MCPServer", "image: x\ntrustProxyHeaders: $TRUST"),
        ("MCPServer", "image: x\ngroupRef: ${GROUP}"),
        ("MCPServer", "image: x\nargs: ${ARGS}"),
        ("MCPServer", "image: x\nenv: [{name: '${A}', value: x}, {name: '${A}', value: z}]"),
        ("MCPServer", "image: x\nresources: {limits: '${LIMITS}'}"),
        ("MCPServer", "image: x\n${EXTRA}: y"),
        ("MCPServer", "${EVERYTHING}: y"),
        ("MCPRemoteProxy", "remoteUrl: ${URL}"),
        ("MCPOIDCConfig", "type: ${TYPE}\ninline: {issuer: https://a.example}"),
        ("MCPOIDCConfig", "type: inline\ninline: ${INLINE}"),
        ("MCPServer", "image: x\nsessionStorage: {provider: '${PROVIDER}'}"),
        ("MCPServer", "image: x\nrateLimiting: {shared: {maxTokens: 1, refillPeriod: 1m}}\nsessionStorage: ${STORAGE}"),
        (
            "MCPTelemetryConfig",
            (
                "openTelemetry:\n  headers: {'${H}': x}\n"
                "  sensitiveHeaders: [{name: '${H}', secretKeyRef: {name: a, key: b}}]"
            ),
        ),
        (
            "VirtualMCPServer",
            (
                "incomingAuth: {type: anonymous}\ngroupRef: {name: g}\n"
                "config: {operational: {failureHandling: {circuitBreaker: {timeout: '${T}'}}}}"
            ),
        ),
    ],
)
def test_a_placeholder_is_never_a_finding(kind: Any, kind_name: str, spec: str) -> None:
    assert kind(kind_name, spec).findings == []


@pytest.mark.parametrize("spec", ["image: x\nproxyPort: ${PORT}", "image: x\ngroupRef: ${GROUP}"])
def test_a_placeholder_for_a_required_value_is_an_unknown_value(kind: Any, spec: str) -> None:
    assert kind("MCPServer", spec).has_unknown_values


def test_a_placeholder_in_a_free_text_is_no_unknown_value(kind: Any) -> None:
    admission = kind("MCPServer", "image: ghcr.io/example/fetch:${TAG}")

    assert not admission.has_unknown_values
    assert admission.data["spec"]["image"] == "ghcr.io/example/fetch:${TAG}"


@pytest.mark.parametrize(
    "metadata", ["{name: '${APP}'}", "{name: a, namespace: $NS}", "{name: a, labels: {team: '${TEAM} x'}}", "${META}"]
)
def test_placeholders_in_metadata_have_no_finding(admitted: Any, metadata: str) -> None:
    text = f"apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPGroup\nmetadata: {metadata}\nspec: {{}}\n"

    assert admitted(text).findings == []


def test_faults_next_to_placeholders_are_reported(kind: Any, reported: Any) -> None:
    assert reported(kind("MCPServer", "image: ${IMAGE}\ntransport: http\nproxyPort: ${PORT}")) == [
        ("unsupported-value", "spec/transport")
    ]


def test_a_rule_that_is_broken_for_all_values_of_a_placeholder_is_reported(kind: Any, reported: Any) -> None:
    spec = "type: kubernetesServiceAccount\nkubernetesServiceAccount: {}\ninline: {issuer: '${ISSUER}'}"

    assert reported(kind("MCPOIDCConfig", spec)) == [("cel-rule-failed", "spec")]
