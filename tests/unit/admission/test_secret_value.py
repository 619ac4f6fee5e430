"""A secret in plain text in a wrong place is reported, and shown nowhere."""

from __future__ import annotations

import pytest
from calling import call
from drawing import resource

TOKEN = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
PASSWORD = "Tr0ub4dor&3"


@pytest.mark.parametrize(
    ("kind", "spec", "secret"),
    [
        ("MCPOIDCConfig", "{type: inline, inline: {issuer: 'https://a.b', clientSecretRef: SECRET}}", PASSWORD),
        ("MCPExternalAuthConfig", "{type: bearerToken, bearerToken: {tokenSecretRef: SECRET}}", TOKEN),
        ("MCPServer", "{image: 'a/b:1', transport: SECRET}", TOKEN),
        ("MCPServer", "{image: 'a/b:1', password: SECRET}", PASSWORD),
    ],
)
@pytest.mark.parametrize("form", ["text", "json", "sarif", "github", "markdown"])
def test_a_secret_in_the_wrong_place_is_not_shown(kind: str, spec: str, secret: str, form: str) -> None:
    outcome = call("check", "-f", form, "-", stdin=resource(kind, "x", spec.replace("SECRET", f"'{secret}'")))
    assert outcome.status == 1
    assert secret not in outcome.out + outcome.err


def test_a_name_instead_of_a_reference_is_reported_with_its_fix() -> None:
    spec = "{type: bearerToken, bearerToken: {tokenSecretRef: my-token}}"
    outcome = call("check", "-", stdin=resource("MCPExternalAuthConfig", "x", spec))
    assert "write tokenSecretRef: {name: my-token, key: …}" in outcome.out
