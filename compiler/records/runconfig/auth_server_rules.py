"""Rules of run configurations: what keeps the embedded authorization server from starting, and so the proxy."""

from __future__ import annotations

from ...diagnostics.finding import rule
from ...diagnostics.version import RECORDED

AUDIENCE = rule(
    "RUN024",
    "auth-server-audience-refused",
    "The embedded authorization server has no valid audience to issue tokens for",
    stage="process",
    checks="`allowed_audiences` is empty, or contains something that is not an http or https URL, or one with a"
    " fragment.",
    why="The authorization server does not start, nor does the proxy.",
    example='"allowed_audiences": []',
    fix='Write `["https://mcp.acme.io/mcp"]`.',
    source="toolhive 0.21.0, packages authserver and authserver/server.",
    verified=RECORDED,
)
CLIENTS = rule(
    "RUN063",
    "auth-server-clients-refused",
    "The client settings of the embedded authorization server are refused",
    stage="process",
    checks="Clients with a secret (`allow_confidential_client_registration`, `delegate_clients`) beside"
    " `insecure_allow_http` or with an issuer of plain HTTP; `force_confidential_redirect_uris` without such clients,"
    " or with an address that is not https or is the client's own machine; delegate clients with the same id, or"
    " without a secret, scopes or audiences; scopes in `baseline_client_scopes` or of a delegate client that are not"
    " among `scopes_supported` (`openid`, `profile`, `email` and `offline_access` where that is empty), and audiences"
    " that are not among `allowed_audiences`; with `cimd`, a `cache_fallback_ttl` that is not a duration, and a"
    " negative `cache_max_size`.",
    why="The authorization server does not start, nor does the proxy.",
    example='"scopes_supported": ["openid"], "baseline_client_scopes": ["offline_access"]',
    fix="Correct the value, or add the scope to `scopes_supported`.",
    source="toolhive 0.44.0, package authserver.",
    since="0.27.2",
    verified=("0.27.2", "0.44.0"),
)
TRUSTED_ISSUER = rule(
    "RUN064",
    "trusted-issuer-unusable",
    "A trusted issuer of the embedded authorization server is refused",
    stage="process",
    checks="In `trusted_issuers`: an `issuer_url` that is the server's own, occurs twice, or is not an https URL"
    " without a query, fragment and user (`insecure_allow_http` permits http); a `jwks_url` that is not such a URL, or"
    " a private address, which `allow_private_ips` permits beside a `jwks_url`; no `expected_audience` or"
    " `allowed_delegate_clients`; `*` beside other clients or with `allow_may_act`; an `actor_claim` that names no"
    " client. From 0.45.0 on also an `actor_matcher` that does not compile, and a `jwt_bearer_grant` without a positive"
    " `max_assertion_age`, without subjects, or with one that is `*`, occurs twice or has no resources; a resource that"
    " is not among `allowed_audiences`, and one of `accepted_audiences` that is. An issuer with such a grant alone"
    " needs no `expected_audience` and no `allowed_delegate_clients`.",
    why="The authorization server does not start, nor does the proxy.",
    example='"trusted_issuers": [{"issuer_url": "http://idp.acme.io", "expected_audience": "mcp", …}]',
    fix="Correct the value that the message names.",
    source="toolhive 0.44.0 and 0.45.0, packages authserver and authserver/server/tokenexchange.",
    since="0.42.1",
    verified=("0.42.1", "0.44.0"),
)
STORAGE = rule(
    "RUN025",
    "auth-server-storage-refused",
    "The storage of the embedded authorization server is refused",
    stage="process",
    checks="`type` is neither `memory` nor `redis`, or Redis lacks its Sentinel (master name and addresses), the"
    " variables of its user, or its `key_prefix`, or a timeout is not a duration.",
    why="The authorization server does not start, nor does the proxy.",
    example='"storage": { "type": "redis" }',
    fix="Add `redis_config` with `sentinel_config`, `acl_user_config` and `key_prefix`.",
    source="toolhive 0.21.0, packages authserver/runner and authserver/storage.",
    verified=RECORDED,
)
