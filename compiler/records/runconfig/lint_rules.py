"""Rules of run configurations that start: what in them is not as it looks."""

from __future__ import annotations

from ...diagnostics.finding import rule

_READER = "toolhive 0.21.0, package runner: reading a RunConfig."
_RUNNER = "toolhive 0.21.0, package runner: Run."

UNKNOWN_FIELD = rule(
    "RUN040",
    "runconfig-unknown-field",
    "A key of a run configuration is not known",
    stage="lint",
    checks="A key is not one that the runner knows. It is a warning where a known key is spelt nearly so, else an"
    " info.",
    why="It is silently skipped: what was meant does not happen.",
    example='"targetPort": 8080',
    fix='`"target_port": 8080`.',
    source=_READER,
)
SCHEMA_VERSION = rule(
    "RUN041",
    "runconfig-schema-version",
    "A run configuration is of another version",
    stage="lint",
    checks="`schema_version` is something else than `v0.1.0`.",
    why="The version is not looked at: the file is read as one of this version, whatever it says.",
    example='"schema_version": "v1"',
    fix='`"schema_version": "v0.1.0"`.',
    source=_READER,
)
IGNORED = rule(
    "RUN042",
    "runconfig-field-ignored",
    "A field of a run configuration has no effect",
    stage="lint",
    checks="A field counts only together with another one: `image` without `remote_url`, `header_forward` and"
    " `remote_auth_config` with it, `proxy_mode` with stdio, `allow_docker_gateway` with `isolate_network`,"
    " `strict_protocol_validation` with stdio and streamable-http, `upstream_swap_config` with an embedded"
    " authorization server, a block of an upstream with its type; `max_bytes` of a body limit not below 0.",
    why="Nothing happens, where something was meant to.",
    example='"transport": "sse", "proxy_mode": "streamable-http"',
    fix="Drop it, or add what it needs.",
    source=_RUNNER,
)
SHADOWED = rule(
    "RUN043",
    "runconfig-block-shadowed",
    "A block of a run configuration is shadowed by middleware_configs",
    stage="lint",
    checks="`middleware_configs` is given and has no middleware of a type for which there is a block, such as"
    " `audit_config`, or which `additional_middleware_configs` lists.",
    why="Where `middleware_configs` is given, the runner makes no middleware of the blocks: this one does nothing.",
    example='"middleware_configs": [{ "type": "auth", "parameters": {} }], "audit_config": {}',
    fix="Leave `middleware_configs` out, and let the runner fill it in.",
    source=_RUNNER,
)
DEPRECATED = rule(
    "RUN044",
    "runconfig-field-deprecated",
    "A field of a run configuration is not used any more",
    stage="lint",
    checks="`env_file_dir`, `thv_ca_bundle` or `jwks_auth_token_file` is set, or `remote_auth_config` has the keys of"
    " old files, such as `ClientID`.",
    why="The first three are not looked at. The old keys are read, and rewritten by the next change.",
    example='"thv_ca_bundle": "/certs/ca.pem"',
    fix="`oidc_config.CACertPath` and `oidc_config.AuthTokenFile`; variables go into `env_vars`.",
    source=_READER,
)
PLAIN_SECRET = rule(
    "RUN045",
    "runconfig-plain-secret",
    "A secret stands in a run configuration",
    stage="lint",
    checks="`client_secret` or `bearer_token` of `remote_auth_config` is not a reference `NAME,target=…`, or"
    " `ClientSecret` of the OIDC provider or `client_secret` of the token exchange is given, or a variable or a header"
    " holds what looks like one by its name (`…_TOKEN`, `…_PASSWORD`) or its form. The value itself is never printed.",
    why="Whoever can read the file has the secret. Loading moves the first two into the secret store, and fails where"
    " there is none.",
    example='"remote_auth_config": { "client_secret": "…" }',
    fix='`"client_secret": "docs-client,target=oauth_secret"`; or, for the others, the variables'
    " `TOOLHIVE_OIDC_CLIENT_SECRET` and `TOOLHIVE_TOKEN_EXCHANGE_CLIENT_SECRET`. For variables use `secrets`, for"
    " headers `add_headers_from_secret`.",
    source=_READER,
    is_secret=True,
)
VARIABLE_OVERWRITTEN = rule(
    "RUN046",
    "runconfig-variable-overwritten",
    "A variable is overwritten when the server starts",
    stage="lint",
    checks="`env_vars` sets `MCP_TRANSPORT`, or for an HTTP transport `MCP_PORT`, `FASTMCP_PORT` or `MCP_HOST`, to"
    " something else than what the runner sets it to.",
    why="The runner's value counts.",
    example='"transport": "sse", "target_port": 8080, "env_vars": { "MCP_PORT": "9000" }',
    fix='`"target_port": 9000`.',
    source="toolhive 0.21.0, package runtime: Setup.",
)
VOLUME_UNMOUNTED = rule(
    "RUN047",
    "runconfig-volume-not-mounted",
    "A volume of a run configuration is not mounted",
    stage="lint",
    checks="An item of `volumes` stands neither in `read` nor in `write` of the permission profile.",
    why="Volumes become mounts of the profile when a configuration is made. When one is started from a file, the"
    " profile alone counts.",
    example='"volumes": ["/srv/data:/data:ro"], "permission_profile": {}',
    fix='`"permission_profile": { "read": ["/srv/data:/data"] }`.',
    source="toolhive 0.21.0, package runner: RunConfig builder.",
)
AUTHENTICATION_TWICE = rule(
    "RUN048",
    "runconfig-authentication-twice",
    "A remote server gets a bearer token, and OAuth is configured",
    stage="lint",
    checks="`remote_auth_config` has a bearer token and fields of OAuth.",
    why="The token takes precedence; OAuth is never tried.",
    example='"remote_auth_config": { "bearer_token": "t,target=bearer_token", "issuer": "https://id.acme.io" }',
    fix="Drop one of the two.",
    source="toolhive 0.21.0, package auth/remote.",
)
INSECURE = rule(
    "RUN049",
    "runconfig-plain-http",
    "Something is reached over plain HTTP",
    stage="lint",
    checks="`remote_url`, a token endpoint, or an address of the OIDC provider is http to another machine.",
    why="Tokens and data can be read on the way. The OIDC provider is not asked at all unless `InsecureAllowHTTP` is"
    " true: every request is refused.",
    example='"remote_url": "http://mcp.acme.io/mcp"',
    fix="Use https.",
    source="toolhive 0.21.0, package networking.",
)
NAME_ODD = rule(
    "RUN050",
    "runconfig-name-odd",
    "A name, a group or a label is one that the product would not take elsewhere",
    stage="lint",
    checks="`name` is not one that the API takes, `group` is not a name of a group (lower-case letters, digits,"
    " hyphens, underscores and single spaces), or a label is not one that can be filtered by.",
    why="The file starts; commands and requests that name it are refused.",
    example='"group": "Team A"',
    fix='`"group": "team-a"`.',
    source="toolhive 0.21.0, packages workloads/types, groups and labels.",
)
TOKEN_URL = rule(
    "RUN051",
    "runconfig-token-exchange-idle",
    "A token exchange cannot work",
    stage="lint",
    checks="`token_url` is missing or no URL, or `subject_token_type` is not a type of token that can be exchanged.",
    why="The runner starts; every request that carries a token fails.",
    example='"token_exchange_config": { "audience": "backend" }',
    fix='`"token_url": "https://id.acme.io/token"`.',
    source="toolhive 0.21.0, package auth/tokenexchange.",
)
RATE_LIMIT_IDLE = rule(
    "RUN052",
    "runconfig-rate-limit-idle",
    "A rate limit limits nothing",
    stage="lint",
    checks="`rate_limit_config` has no bucket, a tool in it has none, or a tool occurs twice.",
    why="Nothing is counted; of two entries for one tool the later counts.",
    example='"rate_limit_config": { "tools": [{ "name": "fetch" }] }',
    fix="Set `shared` or `perUser`.",
    source="toolhive 0.21.0, package ratelimit.",
)
SAMPLING = rule(
    "RUN053",
    "runconfig-sampling-rate",
    "The sampling rate is not a number from 0 to 1",
    stage="lint",
    checks="`samplingRate` cannot be read as a number, or is not within 0 and 1.",
    why="What cannot be read counts as 0: no trace is sent.",
    example='"samplingRate": "10%"',
    fix='`"0.1"`.',
    source="toolhive 0.21.0, package telemetry.",
)
BUILD = rule(
    "RUN054",
    "runconfig-build-refused",
    "A setting for building an image is refused when it is used",
    stage="lint",
    checks="`runtime_config` has a `builder_image` that is not an image, an item of `additional_packages` that is not a"
    " name of a package or one of `build_with` that is no package with its versions, or a variable of `runtime_env`"
    " whose name is not of capital letters, is reserved (`PATH`), or whose value would end its quotes.",
    why="It counts only where an image is built of a package, and is refused there.",
    example='"additional_packages": ["git curl"]',
    fix='`["git", "curl"]`.',
    source="toolhive 0.21.0 and 0.44.0, package container/templates.",
)
ENDPOINT_PREFIX = rule(
    "RUN055",
    "runconfig-endpoint-prefix",
    "The prefix of endpoints does not begin with a slash",
    stage="lint",
    checks="`endpoint_prefix` is given, and does not begin with a slash.",
    why="Clients of SSE are sent to an address relative to another one. The command line refuses it.",
    example='"endpoint_prefix": "tools"',
    fix='`"/tools"`.',
    source="toolhive 0.21.0, command run.",
)
HEADER_UNUSABLE = rule(
    "RUN056",
    "runconfig-header-unusable",
    "The name or value of a forwarded header is not valid",
    stage="lint",
    checks="The name of a header has other characters than header names can have, or is longer than 256 bytes, or its"
    " value has control characters or more than 8192 bytes.",
    why="The runner starts; every request to the server fails.",
    example='"add_plaintext_headers": { "X Tenant": "a" }',
    fix='`"X-Tenant"`.',
    source="toolhive 0.21.0, package transport/middleware; net/http of Go.",
)
ORIGIN = rule(
    "RUN060",
    "runconfig-origin-idle",
    "An allowed origin is one that no browser sends",
    stage="lint",
    checks="An item of `allowed_origins` has no scheme or no host, a user, a wildcard, a name that is not ASCII or the"
    " default port of its scheme; or the middleware `origin` lists none.",
    why="Browsers send scheme, host and a port that is not the default one, and these are compared letter by letter:"
    " requests from where was meant are refused. Without any origin none is checked.",
    example='"allowed_origins": ["https://*.acme.io", "https://chat.acme.io:443"]',
    fix='`["https://chat.acme.io"]`.',
    source="toolhive 0.32.0 and 0.44.0, package transport/middleware/origin; RFC 6454, section 6.2.",
    since="0.32.0",
)
RULES = (
    UNKNOWN_FIELD,
    SCHEMA_VERSION,
    IGNORED,
    SHADOWED,
    DEPRECATED,
    PLAIN_SECRET,
    VARIABLE_OVERWRITTEN,
    VOLUME_UNMOUNTED,
    AUTHENTICATION_TWICE,
    INSECURE,
    NAME_ODD,
    TOKEN_URL,
    RATE_LIMIT_IDLE,
    SAMPLING,
    BUILD,
    ENDPOINT_PREFIX,
    HEADER_UNUSABLE,
    ORIGIN,
)
