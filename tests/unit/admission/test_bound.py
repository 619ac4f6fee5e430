"""What bounds a value is still good, and what is one more or one less is not."""

from __future__ import annotations

from typing import Any

import pytest

SERVER = "image: a:1\n"
AUTH = "type: embeddedAuthServer\nembeddedAuthServer:\n  issuer: https://a.example\n  upstreamProviders:\n"
PROVIDER = "  - {name: %s, type: oidc, oidcConfig: {issuerUrl: 'https://b.example', clientId: c}}\n"
PROXY = "remoteUrl: https://a.example\nheaderForward: {addHeadersFromSecret: [{headerName: %s, valueSecretRef: %s}]}"


def keys(count: int) -> str:
    return AUTH + PROVIDER % "a" + "  signingKeySecretRefs: [" + ", ".join(["{name: s, key: k}"] * count) + "]"


@pytest.mark.parametrize(
    ("name", "good", "bad", "rule"),
    [
        ("MCPExternalAuthConfig", keys(5), keys(6), "wrong-length"),
        ("MCPServer", f"{SERVER}proxyPort: 1", f"{SERVER}proxyPort: 0", "out-of-range"),
        ("MCPServer", f"{SERVER}proxyPort: 65535", f"{SERVER}proxyPort: 65536", "out-of-range"),
        ("MCPServer", f"{SERVER}replicas: 0", f"{SERVER}replicas: -1", "out-of-range"),
        ("MCPServer", f"{SERVER}groupRef: {{name: g}}", f"{SERVER}groupRef: {{name: ''}}", "wrong-length"),
        (
            "MCPRemoteProxy",
            PROXY % ("x" * 255, "{name: s, key: k}"),
            PROXY % ("x" * 256, "{name: s, key: k}"),
            "wrong-length",
        ),
        (
            "MCPServer",
            SERVER + "authzConfig: {type: inline, inline: {policies: ['permit(principal, action, resource);']}}",
            SERVER + "authzConfig: {type: inline, inline: {policies: []}}",
            "wrong-length",
        ),
        ("MCPExternalAuthConfig", AUTH + PROVIDER % ("a" * 63), AUTH + PROVIDER % ("a" * 64), "wrong-length"),
    ],
    ids=["maxItems", "minimum", "maximum", "zero", "minLength", "maxLength", "minItems", "maxLength of a name"],
)
def test_a_bound_itself_is_allowed(kind: Any, name: str, good: str, bad: str, rule: str) -> None:
    assert kind(name, good).findings == []
    assert [one.name for one in kind(name, bad).findings] == [rule]
