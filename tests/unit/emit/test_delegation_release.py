"""What release 0.45.0 compiles otherwise: grants for assertions, and the owner of a StatefulSet."""

from __future__ import annotations

import json
from pathlib import Path

from calling import call

_GRANT = Path(__file__).parents[3] / "fixtures" / "rules" / "AUT055" / "valid-grant.yaml"


def _compiled(target: str, release: str) -> str:
    return call("build", str(_GRANT), "--target", target, "--release", release, "--keep-going").out


def test_grants_and_matchers_reach_the_authorization_server() -> None:
    grant, matcher = json.loads(_compiled("runconfig", "0.45.0"))["embedded_auth_server_config"]["trusted_issuers"]
    assert grant["expected_audience"] == ""
    assert grant["jwt_bearer_grant"] == {
        "max_assertion_age": "5m0s",
        "subject_bindings": [{"subject": "repo:acme/tools", "allowed_resources": ["https://mcp.example.com"]}],
        "accepted_audiences": ["https://auth.example.com/oauth/token"],
    }
    assert matcher["actor_matcher"] == 'claims.azp == "ci"'


def test_the_resource_owns_its_stateful_set() -> None:
    assert "kind: MCPServer" in _compiled("backend", "0.45.0")
