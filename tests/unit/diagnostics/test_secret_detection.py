"""What looks like a secret."""

from __future__ import annotations

import json

import pytest
from calling import call

from mcpcfg.compiler.diagnostics.secret.text import looks_secret

FILLER = "x" * 40
SECRETS = [
    *((name, "hunter2hunter2") for name in ("password", "db_passwd", "passphrase", "pass", "secret", "auth.token")),
    *((name, "hunter2hunter2") for name in ("API_KEY", "access-key", "privatekey", "credential", "CREDENTIALS")),
    *(("x", f"gh{kind}_{FILLER}") for kind in "pousr"),
    *(("x", start + FILLER) for start in ("github_pat_", "glpat-", "xoxb-", "sk-", "hf_")),
    *(("x", start + "A" * 16) for start in ("AKIA", "ASIA")),
    ("x", "AIza" + "x" * 35),
    ("x", f"eyJ{FILLER}.eyJ{FILLER}.{FILLER}"),
    ("x", "-----BEGIN RSA PRIVATE KEY-----"),
    ("x", "postgres://app:hunter2@db/app"),
]


@pytest.mark.parametrize(("name", "value"), SECRETS)
def test_a_text_with_a_secret_is_detected(name: str, value: str) -> None:
    assert looks_secret(name, value)


def test_a_token_with_a_known_form_is_recognized_in_the_configuration_of_a_registry() -> None:
    text = f"""\
apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPRegistry
metadata: {{name: catalog}}
spec:
  configYAML: |
    sources: [{{name: local, git: {{branch: glpat-{FILLER}}}}}]
"""

    outcome = call("check", "--format", "json", "-", stdin=text)

    assert "MRG013" in [finding["rule"] for finding in json.loads(outcome.out)["findings"]]
