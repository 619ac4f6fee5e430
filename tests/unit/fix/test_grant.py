"""Grants in older fields are moved to ``inboundGrants``, with their comments and without a change of meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from calling import call

if TYPE_CHECKING:
    from pathlib import Path

HEAD = """\
apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPExternalAuthConfig
metadata: {name: login}
spec:
  type: embeddedAuthServer
  embeddedAuthServer:
    issuer: https://auth.example.com
"""
UPSTREAM = """\
    # upstream
    upstreamProviders:
    - {name: idp, type: oidc, oidcConfig: {issuerUrl: https://idp.example.com, clientId: mcp}}
"""
CLIENT = """\
    # agents
    delegateClients:   # one
      # first
      - clientId: agent
        clientSecretRef: {name: agent, key: secret}   # sealed
        scopes: [openid]
        audiences: [https://mcp.example.com]
"""
ISSUERS = """\
    trustedIssuers:
      - issuerUrl: https://ci.example.com
        # who
        expectedAudience: mcp  # us
        allowedDelegateClients:
          # only
          - agent
        jwksUrl: https://ci.example.com/jwks
        # assertions
        jwtBearerGrant:
          maxAssertionAge: 5m  # short
          subjectBindings:
            - {subject: deploy, allowedResources: [https://mcp.example.com]}
"""
MOVED = """\
    trustedIssuers:
      - issuerUrl: https://ci.example.com
        name: ci-example-com
        jwksUrl: https://ci.example.com/jwks
    inboundGrants:
      tokenExchange:
        # agents
        delegateClients:   # one
          # first
          - clientId: agent
            clientSecretRef: {name: agent, key: secret}   # sealed
            scopes: [openid]
            audiences: [https://mcp.example.com]
        issuerPolicies:
          - issuerRef: ci-example-com
            # who
            expectedAudience: mcp  # us
            allowedDelegateClients:
              # only
              - agent
      jwtBearer:
        issuerPolicies:
          - issuerRef: ci-example-com
            # assertions
            maxAssertionAge: 5m  # short
            subjectBindings:
              - {subject: deploy, allowedResources: [https://mcp.example.com]}
"""
ASSERTIONS = """\
    trustedIssuers:
    - name: ci
      issuerUrl: https://ci.example.com
      jwtBearerGrant:
        maxAssertionAge: 5m
        subjectBindings:
        - {subject: deploy, allowedResources: [https://mcp.example.com]}
"""
MOVED_ASSERTIONS = """\
    trustedIssuers:
    - name: ci
      issuerUrl: https://ci.example.com
    inboundGrants:
      tokenExchange: {}
      jwtBearer:
        issuerPolicies:
        - issuerRef: ci
          maxAssertionAge: 5m
          subjectBindings:
          - {subject: deploy, allowedResources: [https://mcp.example.com]}
"""
STATED = """\
    inboundGrants:
      # of clients
      tokenExchange: {}
"""
JOINED = """\
    inboundGrants:
      # of clients
      tokenExchange: {}
      jwtBearer:
        issuerPolicies:
        - issuerRef: ci
          maxAssertionAge: 5m
          subjectBindings:
          - {subject: deploy, allowedResources: [https://mcp.example.com]}
"""


def _fixed(folder: Path, text: str, *options: str) -> str:
    file = folder / "auth.yaml"
    file.write_text(text)
    call("check", "--fix", *options, str(file))
    return file.read_text()


@pytest.mark.parametrize("release", ["0.49.0", "0.51.4", "0.69.1"])
@pytest.mark.parametrize(
    ("stated", "moved"),
    [
        (f"{CLIENT}{ISSUERS}{UPSTREAM}", f"{MOVED}{UPSTREAM}"),
        (ASSERTIONS, MOVED_ASSERTIONS),
        (f"{ASSERTIONS}{STATED}", f"{MOVED_ASSERTIONS.partition('    inboundGrants')[0]}{JOINED}"),
        (f"{STATED}{ASSERTIONS}", f"{JOINED}{MOVED_ASSERTIONS.partition('    inboundGrants')[0]}"),
        (ASSERTIONS.rstrip("\n"), MOVED_ASSERTIONS),
    ],
)
def test_grants_are_moved_with_their_comments(tmp_path: Path, release: str, stated: str, moved: str) -> None:
    after = _fixed(tmp_path, HEAD + stated, "--release", release)
    assert after == HEAD + moved
    assert _fixed(tmp_path, after, "--release", release) == after
    report = call("check", "--release", release, "-", stdin=after).out
    assert "EAS018" not in report
    assert "ADM" not in report


def test_a_virtual_server_has_the_same_fields(tmp_path: Path) -> None:
    head = (
        "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: VirtualMCPServer\nmetadata: {name: v}\nspec:\n"
        "  groupRef: {name: g}\n  incomingAuth: {type: anonymous}\n  authServerConfig:\n"
        "    issuer: https://auth.example.com\n"
    )
    assert _fixed(tmp_path, head + ASSERTIONS) == head + MOVED_ASSERTIONS


def test_names_of_issuers_differ(tmp_path: Path) -> None:
    second = ISSUERS.partition("\n")[2].replace("ci.example.com", "ci.example.com/")
    after = _fixed(tmp_path, f"{HEAD}{CLIENT}{ISSUERS}{second}{UPSTREAM}")
    assert after.count("name: ci-example-com\n") == 1
    assert after.count("name: ci-example-com-2\n") == 1
    assert after.count("issuerRef: ci-example-com-2\n") == 2


@pytest.mark.parametrize(
    "text",
    [
        "    trustedIssuers:\n    - {issuerUrl: https://ci.io, expectedAudience: me, allowedDelegateClients: [a]}\n",
        f"{CLIENT}    inboundGrants: {{tokenExchange: {{}}}}\n",
        f"{CLIENT}    inboundGrants: {{}}\n",
        ASSERTIONS.replace("jwtBearerGrant:", "jwtBearerGrant: # of us"),
        ISSUERS.replace("issuerUrl: https", "expectedAudience: mcp\n        issuerUrl: https").replace(
            "        # who\n        expectedAudience: mcp  # us\n", ""
        ),
    ],
    ids=["flow", "stated twice", "grants in flow style", "comment on the block", "first key"],
)
def test_what_cannot_be_moved_exactly_stays(tmp_path: Path, text: str) -> None:
    assert _fixed(tmp_path, HEAD + text + UPSTREAM) == HEAD + text + UPSTREAM


def test_nothing_is_moved_before_the_fields_are_deprecated_or_where_the_rule_is_off(tmp_path: Path) -> None:
    text = HEAD + CLIENT + ISSUERS + UPSTREAM
    assert _fixed(tmp_path, text, "--release", "0.48.0") == text
    ignored = text.replace("# one", "# mcpcfg: ignore[EAS018]")
    assert _fixed(tmp_path, ignored) == ignored


def test_reports_offer_the_move(tmp_path: Path) -> None:
    file = tmp_path / "auth.yaml"
    file.write_text(HEAD + ASSERTIONS)
    assert (
        "move delegateClients and policies of trustedIssuers to inboundGrants"
        in call("check", "-f", "sarif", str(file)).out
    )
