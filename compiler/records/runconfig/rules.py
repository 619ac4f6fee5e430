"""Rules of run configurations: what keeps the runner from starting."""

from __future__ import annotations

from ...diagnostics.finding import rule
from ...diagnostics.version import RECORDED

_READER = "toolhive 0.21.0, package runner: reading a RunConfig."
_RUNNER = "toolhive 0.21.0, package runner: Run."
_TRANSPORT = "toolhive 0.21.0, package transport."
_MIDDLEWARE = "toolhive 0.21.0, package runner: middleware configurations."

UNDECODABLE = rule(
    "RUN001",
    "runconfig-undecodable",
    "A value of a run configuration does not fit its key",
    stage="process",
    unmodelled="newer",
    checks="A value has the wrong type for its key. Durations vary: `remote_auth_config.timeout` accepts only"
    " nanoseconds, `refillPeriod` only text, the `timeout` of a webhook either.",
    why="The file cannot be read, and nothing starts.",
    example='"remote_auth_config": { "timeout": "5m" }',
    fix='Write `"timeout": 300000000000`.',
    source=_READER,
    verified=RECORDED,
)
NOTHING_TO_RUN = rule(
    "RUN002",
    "runconfig-without-image",
    "A run configuration names neither an image nor a URL",
    stage="process",
    checks="Both `image` and `remote_url` are empty or missing.",
    why="The file loads, but there is no container to start.",
    example='{ "name": "fetch", "transport": "stdio" }',
    fix='Write `"image": "ghcr.io/acme/fetch:1"`.',
    source=_RUNNER,
    verified=RECORDED,
)
TRANSPORT = rule(
    "RUN003",
    "runconfig-transport-refused",
    "The transport of a run configuration cannot be started",
    stage="process",
    checks="`transport` is missing or not exactly `stdio`, `sse` or `streamable-http`. With `remote_url` it cannot be"
    " `stdio`.",
    why="The file loads, but the runner finds no such transport and exits.",
    example='"transport": "STDIO"',
    fix='Write `"transport": "stdio"`.',
    source=_TRANSPORT,
    verified=RECORDED,
)
REMOTE_URL = rule(
    "RUN004",
    "runconfig-remote-url-refused",
    "The URL of a remote server is not an http or https URL",
    stage="process",
    checks="`remote_url` has no host, or a scheme that is neither http nor https.",
    why="The file loads, but the proxy has no server to connect to.",
    example='"remote_url": "mcp.acme.io/mcp"',
    fix='Write `"https://mcp.acme.io/mcp"`.',
    source=_TRANSPORT,
)
PORT = rule(
    "RUN005",
    "runconfig-port-refused",
    "A port of a run configuration is not a port number",
    stage="process",
    checks="`port`, `target_port` or a port in `publish` is not a port number, an item of `publish` is neither"
    " `HOST:CONTAINER` nor a single port, or `callback_port` is neither 0 nor 1024 to 65535.",
    why="The file loads, but binding the port fails.",
    example='"publish": ["127.0.0.1:8080:80"]',
    fix='Write `["8080:80"]`.',
    source=_RUNNER,
    verified=RECORDED,
)
PROXY_MODE = rule(
    "RUN006",
    "runconfig-proxy-mode-refused",
    "The proxy mode of a stdio server is unknown",
    stage="process",
    checks="`transport` is `stdio`, and `proxy_mode` is neither `sse` nor `streamable-http`.",
    why="The file loads, but the transport does not start.",
    example='"transport": "stdio", "proxy_mode": "http"',
    fix='Write `"proxy_mode": "streamable-http"`.',
    source=_TRANSPORT,
    verified=RECORDED,
)
STATELESS = rule(
    "RUN007",
    "runconfig-stateless-stdio",
    "A stdio server cannot be stateless",
    stage="process",
    checks="`stateless` is true, and `transport` is `stdio`.",
    why="Only HTTP transports work without sessions; the runner exits.",
    example='"transport": "stdio", "stateless": true',
    fix="Remove `stateless`.",
    source=_RUNNER,
    verified=RECORDED,
)
NAME = rule(
    "RUN008",
    "runconfig-name-unsafe",
    "A name of a run configuration cannot be a file name",
    stage="process",
    checks="`base_name` or `container_name` contains a slash, a backslash or a NUL, or begins with two dots.",
    why="The files of the workload's state and its container are named after it, so it cannot be started.",
    example='"base_name": "../fetch"',
    fix='Write `"base_name": "fetch"`.',
    source="toolhive 0.21.0, package state.",
)
ENVIRONMENT = rule(
    "RUN009",
    "runconfig-variable-refused",
    "The name of an environment variable is not valid",
    stage="process",
    checks="A key of `env_vars` is empty, or contains an equals sign or a NUL.",
    why="The container engine refuses it, or sets a different variable.",
    example='"env_vars": { "A=B": "c" }',
    fix='Write `{ "A": "B=c" }`.',
    source=_RUNNER,
    verified=RECORDED,
)
POD_PATCH = rule(
    "RUN010",
    "runconfig-pod-patch-refused",
    "The patch of the pod template is not a JSON object",
    stage="process",
    checks="`k8s_pod_template_patch` is a string that does not contain a JSON object.",
    why="In Kubernetes the container cannot be deployed. Elsewhere nothing checks it.",
    example='"k8s_pod_template_patch": "spec: {}"',
    fix='Write `"{\\"spec\\": {}}"`.',
    source="toolhive 0.21.0, package container/kubernetes.",
    verified=RECORDED,
)
MIDDLEWARE = rule(
    "RUN011",
    "runconfig-middleware-refused",
    "A middleware does not exist, or lacks its parameters",
    stage="process",
    checks="The `type` of a middleware is not one that the runner has, or its `parameters` lack what it needs.",
    why="The runner cannot build it, and exits.",
    example='{ "type": "toolfilter", "parameters": {} }',
    fix='Write `"type": "tool-filter"` with the tools to expose.',
    source=_MIDDLEWARE,
    verified=RECORDED,
)
OIDC = rule(
    "RUN012",
    "runconfig-oidc-without-keys",
    "The OIDC provider of a run configuration has neither an issuer nor the URL of its keys",
    stage="process",
    checks="The block of the OIDC provider has an empty `Issuer` and `JWKSURL`, and there is no embedded authorization"
    " server.",
    why="Tokens cannot be verified; the runner exits.",
    example='"oidc_config": { "Audience": "fetch" }',
    fix='Write `"Issuer": "https://id.acme.io"`.',
    source="toolhive 0.21.0, package auth: NewTokenValidator.",
    verified=RECORDED,
)
TOKEN_HEADER = rule(
    "RUN013",
    "runconfig-token-header-refused",
    "The header for a token is not specified",
    stage="process",
    checks="The `header_strategy` of the token exchange or of the upstream swap is neither `replace` nor `custom`, or"
    " is `custom` without the name of a header, or the swap in `middleware_configs` has no `provider_name`.",
    why="The middleware cannot be built, and the runner exits.",
    example='"token_exchange_config": { "token_url": "https://id.acme.io/token", "header_strategy": "custom" }',
    fix='Write `"external_token_header_name": "X-Upstream-Token"` beside it.',
    source="toolhive 0.21.0, packages auth/tokenexchange and auth/upstreamswap.",
    verified=RECORDED,
)
STS = rule(
    "RUN014",
    "runconfig-sts-refused",
    "The settings for cloud credentials are incomplete or invalid",
    stage="process",
    checks="`aws_sts_config` has no region, neither a fallback role nor role mappings, a mapping with not exactly one"
    " of `claim` and `matcher`, a role that is not a role ARN, a matcher that does not compile, or a session that is"
    " not between 900 and 43200 seconds. Without `remote_url` it cannot be used at all.",
    why="The middleware cannot be built, and the runner exits.",
    example='"aws_sts_config": { "region": "eu-central-1" }',
    fix='Write `"fallback_role_arn": "arn:aws:iam::123456789012:role/mcp"`.',
    source="toolhive 0.21.0, package auth/awssts.",
    verified=RECORDED,
)
RATE_LIMIT = rule(
    "RUN015",
    "runconfig-rate-limit-refused",
    "A rate limit cannot be enforced",
    stage="process",
    checks="There is a rate limit but no `scaling_config.session_redis`; or a bucket has less than one token or a"
    " refill period that is not positive.",
    why="The middleware cannot be built, and the runner exits.",
    example='"rate_limit_config": { "shared": { "maxTokens": 10, "refillPeriod": "1m" } }',
    fix='Write `"scaling_config": { "session_redis": { "address": "redis:6379" } }`.',
    source="toolhive 0.21.0, package ratelimit.",
    verified=RECORDED,
)
TELEMETRY = rule(
    "RUN016",
    "runconfig-telemetry-without-signals",
    "Telemetry has an endpoint but nothing to send, or no service name",
    stage="process",
    checks="`endpoint` is set, and both `tracingEnabled` and `metricsEnabled` are false; or `serviceName` is empty.",
    why="The middleware cannot be built, and the runner exits.",
    example='"telemetry_config": { "endpoint": "otel:4318" }',
    fix='Write `"tracingEnabled": true`, or no endpoint.',
    source="toolhive 0.21.0, package telemetry.",
    verified=RECORDED,
)
TOOL_FILTER = rule(
    "RUN017",
    "runconfig-tool-filter-refused",
    "A tool filter names no tools",
    stage="process",
    checks="`tools_filter` has an empty name, or the filter in `middleware_configs` has neither tools nor overrides.",
    why="The middleware cannot be built, and the runner exits.",
    example='"tools_filter": [""]',
    fix="Name the tools, or leave the filter out.",
    source="toolhive 0.21.0, package mcp.",
    verified=RECORDED,
)
HEADER = rule(
    "RUN018",
    "runconfig-header-refused",
    "A header of a run configuration cannot be forwarded",
    stage="process",
    checks="A header of `header_forward` is one that only the proxy may set, or a secret for a header has no name.",
    why="The middleware cannot be built, and the runner exits.",
    example='"add_plaintext_headers": { "Host": "acme.io" }',
    fix="Leave it out.",
    source="toolhive 0.21.0, package transport/middleware.",
    verified=RECORDED,
)
SESSIONS = rule(
    "RUN057",
    "runconfig-session-storage-refused",
    "The configuration of session storage in Redis is refused",
    stage="process",
    checks="`scaling_config.session_redis` without an `address`, or with one that is not a host and a port; a"
    " `key_prefix` that does not end with a colon.",
    why="The runner refuses it before it connects, and exits.",
    example='"scaling_config": { "session_redis": { "address": "redis:6379", "key_prefix": "fetch" } }',
    fix='Write `"key_prefix": "fetch:"`.',
    source="toolhive 0.21.0, package transport/session.",
    verified=RECORDED,
)
COLLECTOR = rule(
    "RUN058",
    "runconfig-collector-refused",
    "The telemetry endpoint of a run configuration is not a host and a port",
    stage="process",
    checks="With `metricsEnabled`, an `endpoint` that, after an optional `https://` or `http://`, is not a host and a"
    " port.",
    why="The metrics exporter cannot be created, and the runner exits.",
    example='"telemetry_config": { "endpoint": "otel:grpc", "metricsEnabled": true }',
    fix='Write `"otel:4318"`.',
    source="toolhive 0.21.0, package telemetry; the exporters of OTLP over HTTP 1.43.",
    verified=RECORDED,
)
LIFETIME = rule(
    "RUN059",
    "runconfig-session-lifetime-refused",
    "The lifetime of idle sessions is not a duration",
    stage="process",
    checks="`session_ttl` is not a duration, or is below 0 (0 means two hours).",
    why="The file loads, but the runner exits when it starts.",
    example='"session_ttl": "7 days"',
    fix='Write `"session_ttl": "168h"`.',
    source="toolhive 0.28.0 and 0.44.0, package runner: Run.",
    since="0.28.0",
    verified=("0.28.0", "0.44.0"),
)
INJECTION = rule(
    "RUN061",
    "runconfig-injection-contradicted",
    "A server must not get a token, but credentials are configured for it",
    stage="process",
    checks="`token_exchange_config` or `aws_sts_config` beside `disable_upstream_token_injection` of the embedded"
    " authorization server, and no `middleware_configs`.",
    why="The middlewares cannot be combined, and the runner exits.",
    example='"embedded_auth_server_config": { "disable_upstream_token_injection": true, … }, "aws_sts_config": { … }',
    fix="Drop one of the two.",
    source="toolhive 0.30.0 and 0.44.0, package runner: middleware configurations.",
    since="0.30.0",
    verified=("0.30.0", "0.44.0"),
)
OIDC_AUDIENCE = rule(
    "RUN062",
    "runconfig-oidc-without-audience",
    "Tokens of any client of a provider would be accepted",
    stage="process",
    checks="`IntrospectionURL` is Google's tokeninfo endpoint, and `Audience` is empty.",
    why="The answer of that endpoint does not show for which client a token was issued; the runner exits.",
    example='"oidc_config": { "Issuer": …, "IntrospectionURL": "https://oauth2.googleapis.com/tokeninfo" }',
    fix='Write `"Audience": "1234.apps.googleusercontent.com"`.',
    source="toolhive 0.44.0, package auth: NewTokenValidator.",
    since="0.44.0",
)
RULES = (
    UNDECODABLE,
    NOTHING_TO_RUN,
    TRANSPORT,
    REMOTE_URL,
    PORT,
    PROXY_MODE,
    STATELESS,
    NAME,
    ENVIRONMENT,
    POD_PATCH,
    MIDDLEWARE,
    OIDC,
    TOKEN_HEADER,
    STS,
    RATE_LIMIT,
    TELEMETRY,
    COLLECTOR,
    SESSIONS,
    LIFETIME,
    INJECTION,
    OIDC_AUDIENCE,
    TOOL_FILTER,
    HEADER,
)
