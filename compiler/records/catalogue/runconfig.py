"""Rules of run configurations: what keeps the runner from starting."""

from __future__ import annotations

from ...diagnostics.finding import Rule
from .page import page

_READER = "toolhive 0.21.0, package runner: reading a RunConfig."
_RUNNER = "toolhive 0.21.0, package runner: Run."
_TRANSPORT = "toolhive 0.21.0, package transport."
_MIDDLEWARE = "toolhive 0.21.0, package runner: middleware configurations."

UNDECODABLE = Rule(
    id="RUN001",
    name="runconfig-undecodable",
    stage="process",
    severity="error",
    title="A value of a run configuration does not fit its key",
    doc=page(
        "A value is of another kind than the key takes. Durations differ: `remote_auth_config.timeout` takes"
        " nanoseconds alone, `refillPeriod` text alone, the `timeout` of a webhook either.",
        "The file cannot be read, and nothing starts.",
        example='"remote_auth_config": { "timeout": "5m" }',
        cure='`"timeout": 300000000000`.',
        source=_READER,
    ),
)
NOTHING_TO_RUN = Rule(
    id="RUN002",
    name="runconfig-without-image",
    stage="process",
    severity="error",
    title="A run configuration names neither an image nor a URL",
    doc=page(
        "Both `image` and `remote_url` are empty or missing.",
        "The file loads; there is no container to start.",
        example='{ "name": "fetch", "transport": "stdio" }',
        cure='`"image": "ghcr.io/acme/fetch:1"`.',
        source=_RUNNER,
    ),
)
TRANSPORT = Rule(
    id="RUN003",
    name="runconfig-transport-refused",
    stage="process",
    severity="error",
    title="The transport of a run configuration cannot be started",
    doc=page(
        "`transport` is missing or none of `stdio`, `sse` and `streamable-http`, in these very letters. With"
        " `remote_url` it cannot be `stdio`.",
        "The file loads; the runner finds no such transport and ends.",
        example='"transport": "STDIO"',
        cure='`"transport": "stdio"`.',
        source=_TRANSPORT,
    ),
)
REMOTE_URL = Rule(
    id="RUN004",
    name="runconfig-remote-url-refused",
    stage="process",
    severity="error",
    title="The URL of a remote server is no http or https URL",
    doc=page(
        "`remote_url` has no host, or a scheme that is neither http nor https.",
        "The file loads; the proxy has nothing that it could reach.",
        example='"remote_url": "mcp.acme.io/mcp"',
        cure='`"https://mcp.acme.io/mcp"`.',
        source=_TRANSPORT,
    ),
)
PORT = Rule(
    id="RUN005",
    name="runconfig-port-refused",
    stage="process",
    severity="error",
    title="A port of a run configuration is no port",
    doc=page(
        "`port`, `target_port` or a port in `publish` is none, an item of `publish` is not `HOST:CONTAINER` or one"
        " port, or `callback_port` is neither 0 nor 1024 to 65535.",
        "The file loads; binding the port fails.",
        example='"publish": ["127.0.0.1:8080:80"]',
        cure='`["8080:80"]`.',
        source=_RUNNER,
    ),
)
PROXY_MODE = Rule(
    id="RUN006",
    name="runconfig-proxy-mode-refused",
    stage="process",
    severity="error",
    title="The proxy mode of a stdio server is unknown",
    doc=page(
        "`transport` is `stdio`, and `proxy_mode` is neither `sse` nor `streamable-http`.",
        "The file loads; the transport does not start.",
        example='"transport": "stdio", "proxy_mode": "http"',
        cure='`"proxy_mode": "streamable-http"`.',
        source=_TRANSPORT,
    ),
)
STATELESS = Rule(
    id="RUN007",
    name="runconfig-stateless-stdio",
    stage="process",
    severity="error",
    title="A stdio server cannot be stateless",
    doc=page(
        "`stateless` is true, and `transport` is `stdio`.",
        "Only HTTP transports can do without sessions; the runner ends.",
        example='"transport": "stdio", "stateless": true',
        cure="drop `stateless`.",
        source=_RUNNER,
    ),
)
NAME = Rule(
    id="RUN008",
    name="runconfig-name-unsafe",
    stage="process",
    severity="error",
    title="A name of a run configuration is no name of a file",
    doc=page(
        "`base_name` or `container_name` holds a slash, a backslash or a NUL, or begins with two dots.",
        "State, status and container are named after them.",
        example='"base_name": "../fetch"',
        cure='`"base_name": "fetch"`.',
        source="toolhive 0.21.0, package state.",
    ),
)
ENVIRONMENT = Rule(
    id="RUN009",
    name="runconfig-variable-refused",
    stage="process",
    severity="error",
    title="The name of a variable cannot be one",
    doc=page(
        "A key of `env_vars` is empty, or holds an equals sign or a NUL.",
        "The container engine refuses it, or another variable is set.",
        example='"env_vars": { "A=B": "c" }',
        cure='`{ "A": "B=c" }`.',
        source=_RUNNER,
    ),
)
POD_PATCH = Rule(
    id="RUN010",
    name="runconfig-pod-patch-refused",
    stage="process",
    severity="error",
    title="The patch of the pod template is no JSON object",
    doc=page(
        "`k8s_pod_template_patch` is a text, and the text is no JSON object.",
        "In Kubernetes the container cannot be deployed. Elsewhere nobody looks at it.",
        example='"k8s_pod_template_patch": "spec: {}"',
        cure='`"{\\"spec\\": {}}"`.',
        source="toolhive 0.21.0, package container/kubernetes.",
    ),
)
MIDDLEWARE = Rule(
    id="RUN011",
    name="runconfig-middleware-refused",
    stage="process",
    severity="error",
    title="A middleware does not exist, or lacks its parameters",
    doc=page(
        "The `type` of a middleware is none that the runner has, or its `parameters` lack what it needs.",
        "The runner cannot build it and ends.",
        example='{ "type": "toolfilter", "parameters": {} }',
        cure='`"type": "tool-filter"` with the tools to show.',
        source=_MIDDLEWARE,
    ),
)
OIDC = Rule(
    id="RUN012",
    name="runconfig-oidc-without-keys",
    stage="process",
    severity="error",
    title="An OIDC provider has neither an issuer nor the place of its keys",
    doc=page(
        "The block of the OIDC provider is there, `Issuer` and `JWKSURL` are empty, and there is no embedded"
        " authorization server.",
        "Tokens cannot be checked; the runner ends.",
        example='"oidc_config": { "Audience": "fetch" }',
        cure='`"Issuer": "https://id.acme.io"`.',
        source="toolhive 0.21.0, package auth: NewTokenValidator.",
    ),
)
TOKEN_HEADER = Rule(
    id="RUN013",
    name="runconfig-token-header-refused",
    stage="process",
    severity="error",
    title="It is not said in which header a token goes",
    doc=page(
        "The `header_strategy` of the token exchange or of the upstream swap is neither `replace` nor `custom`, or is"
        " `custom` without the name of a header, or the swap in `middleware_configs` has no `provider_name`.",
        "The middleware cannot be built, and the runner ends.",
        example='"token_exchange_config": { "token_url": "https://id.acme.io/token", "header_strategy": "custom" }',
        cure='`"external_token_header_name": "X-Upstream-Token"` beside it.',
        source="toolhive 0.21.0, packages auth/tokenexchange and auth/upstreamswap.",
    ),
)
STS = Rule(
    id="RUN014",
    name="runconfig-sts-refused",
    stage="process",
    severity="error",
    title="Cloud credentials cannot be asked for",
    doc=page(
        "`aws_sts_config` has no region, neither a fallback role nor role mappings, a mapping with not exactly one of"
        " `claim` and `matcher`, a role that is no ARN of a role, a matcher that does not compile, or a session that is"
        " not within 900 and 43200 seconds. Without `remote_url` it cannot be used at all.",
        "The middleware cannot be built, and the runner ends.",
        example='"aws_sts_config": { "region": "eu-central-1" }',
        cure='`"fallback_role_arn": "arn:aws:iam::123456789012:role/mcp"`.',
        source="toolhive 0.21.0, package auth/awssts.",
    ),
)
RATE_LIMIT = Rule(
    id="RUN015",
    name="runconfig-rate-limit-refused",
    stage="process",
    severity="error",
    title="A rate limit cannot be counted",
    doc=page(
        "There is a rate limit, and no `scaling_config.session_redis` with an address; or a bucket has less than one"
        " token or a refill period that is not above zero.",
        "The middleware cannot be built, and the runner ends.",
        example='"rate_limit_config": { "shared": { "maxTokens": 10, "refillPeriod": "1m" } }',
        cure='`"scaling_config": { "session_redis": { "address": "redis:6379" } }`.',
        source="toolhive 0.21.0, package ratelimit.",
    ),
)
TELEMETRY = Rule(
    id="RUN016",
    name="runconfig-telemetry-without-signals",
    stage="process",
    severity="error",
    title="Telemetry has an endpoint and nothing to send",
    doc=page(
        "`endpoint` is set, and both `tracingEnabled` and `metricsEnabled` are false.",
        "The middleware cannot be built, and the runner ends.",
        example='"telemetry_config": { "endpoint": "otel:4318" }',
        cure='`"tracingEnabled": true`, or no endpoint.',
        source="toolhive 0.21.0, package telemetry.",
    ),
)
TOOL_FILTER = Rule(
    id="RUN017",
    name="runconfig-tool-filter-refused",
    stage="process",
    severity="error",
    title="A filter of tools names none",
    doc=page(
        "`tools_filter` has an empty name, or the filter in `middleware_configs` has neither tools nor overrides.",
        "The middleware cannot be built, and the runner ends.",
        example='"tools_filter": [""]',
        cure="name the tools, or leave the filter out.",
        source="toolhive 0.21.0, package mcp.",
    ),
)
HEADER = Rule(
    id="RUN018",
    name="runconfig-header-refused",
    stage="process",
    severity="error",
    title="A header cannot be forwarded",
    doc=page(
        "A header of `header_forward` is one that only the proxy may set, or a secret for a header has no name.",
        "The middleware cannot be built, and the runner ends.",
        example='"add_plaintext_headers": { "Host": "acme.io" }',
        cure="leave it out.",
        source="toolhive 0.21.0, package transport/middleware.",
    ),
)
AUTH_SERVER_URL = Rule(
    id="RUN020",
    name="auth-server-url-refused",
    stage="process",
    severity="error",
    title="The issuer of the embedded authorization server is refused",
    doc=page(
        "`issuer` is missing, or it or `authorization_endpoint_base_url` is no absolute URL, has a query, a fragment or"
        " a slash at its end, or is plain http to another host than localhost.",
        "The authorization server does not start, nor does the proxy.",
        example='"issuer": "https://mcp.acme.io/"',
        cure='`"issuer": "https://mcp.acme.io"`.',
        source="toolhive 0.21.0, package authserver.",
    ),
)
UPSTREAM = Rule(
    id="RUN021",
    name="auth-server-upstream-refused",
    stage="process",
    severity="error",
    title="An upstream provider is refused",
    doc=page(
        "There is no upstream, or more than one; its name is not of lower-case letters, digits and hyphens; its type is"
        " neither `oidc` nor `oauth2`; the block of its type is missing; or `client_id`, an endpoint or"
        " `access_token_path` is.",
        "The authorization server does not start, nor does the proxy.",
        example='"upstreams": [{ "type": "oidc" }]',
        cure='`"oidc_config": { "issuer_url": …, "client_id": …, "redirect_uri": … }`.',
        source="toolhive 0.21.0, packages authserver and authserver/runner.",
    ),
)
UPSTREAM_URL = Rule(
    id="RUN022",
    name="auth-server-upstream-url-refused",
    stage="process",
    severity="error",
    title="An address of an upstream provider is refused",
    doc=page(
        "The issuer or an endpoint of an upstream is not https (but for localhost), or `redirect_uri` is missing, has a"
        " fragment, or is not https (but for a loopback address). Nothing fills a missing `redirect_uri` in.",
        "The authorization server does not start, nor does the proxy.",
        example='"oidc_config": { "issuer_url": "https://id.acme.io", "client_id": "abc" }',
        cure='`"redirect_uri": "https://mcp.acme.io/oauth/callback"`.',
        source="toolhive 0.21.0, package authserver/upstream.",
    ),
)
LIFESPAN = Rule(
    id="RUN023",
    name="auth-server-lifespan-refused",
    stage="process",
    severity="error",
    title="The lifespan of a token is refused",
    doc=page(
        "A lifespan is no duration, or out of bounds: access tokens live 1m to 24h, refresh tokens 1h to 720h,"
        " authorization codes 30s to 10m.",
        "The authorization server does not start, nor does the proxy.",
        example='"access_token_lifespan": "1d"',
        cure='`"24h"`.',
        source="toolhive 0.21.0, packages authserver/runner and authserver/server.",
    ),
)
AUDIENCE = Rule(
    id="RUN024",
    name="auth-server-audience-refused",
    stage="process",
    severity="error",
    title="The embedded authorization server may issue tokens for nobody",
    doc=page(
        "`allowed_audiences` is empty, or holds what is no http or https URL, or one with a fragment.",
        "The authorization server does not start, nor does the proxy.",
        example='"allowed_audiences": []',
        cure='`["https://mcp.acme.io/mcp"]`.',
        source="toolhive 0.21.0, packages authserver and authserver/server.",
    ),
)
STORAGE = Rule(
    id="RUN025",
    name="auth-server-storage-refused",
    stage="process",
    severity="error",
    title="The storage of the embedded authorization server is refused",
    doc=page(
        "`type` is neither `memory` nor `redis`, or Redis lacks its Sentinel (master name and addresses), the variables"
        " of its user, or its `key_prefix`, or a timeout is no duration.",
        "The authorization server does not start, nor does the proxy.",
        example='"storage": { "type": "redis" }',
        cure="add `redis_config` with `sentinel_config`, `acl_user_config` and `key_prefix`.",
        source="toolhive 0.21.0, packages authserver/runner and authserver/storage.",
    ),
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
    TOOL_FILTER,
    HEADER,
    AUTH_SERVER_URL,
    UPSTREAM,
    UPSTREAM_URL,
    LIFESPAN,
    AUDIENCE,
    STORAGE,
)
