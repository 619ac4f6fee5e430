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
    checks="The runner does not know a key. The finding is a warning where the key resembles a known one, otherwise an"
    " info.",
    why="It is silently skipped: the setting has no effect.",
    example='"targetPort": 8080',
    fix='Write `"target_port": 8080`.',
    source=_READER,
)
SCHEMA_VERSION = rule(
    "RUN041",
    "runconfig-schema-version",
    "A run configuration has an unknown schema version",
    stage="lint",
    checks="`schema_version` is not `v0.1.0`.",
    why="The runner ignores the version: it reads the file as `v0.1.0`, whatever the field says.",
    example='"schema_version": "v1"',
    fix='Write `"schema_version": "v0.1.0"`.',
    source=_READER,
)
IGNORED = rule(
    "RUN042",
    "runconfig-field-ignored",
    "A field of a run configuration has no effect",
    stage="lint",
    checks="A field has an effect only together with another one, which is missing or does not match: `image` without"
    " `remote_url`, `header_forward` and `remote_auth_config` with it, `proxy_mode` with stdio, `allow_docker_gateway`"
    " with `isolate_network`, `strict_protocol_validation` with stdio and streamable-http, `upstream_swap_config` with"
    " an embedded authorization server, a block of an upstream with its type; `max_bytes` of a body limit not below"
    " 0.",
    why="The field silently does nothing.",
    example='"transport": "sse", "proxy_mode": "streamable-http"',
    fix="Remove the field, or add what it requires.",
    source=_RUNNER,
)
SHADOWED = rule(
    "RUN043",
    "runconfig-block-shadowed",
    "A block of a run configuration is shadowed by middleware_configs",
    stage="lint",
    checks="`middleware_configs` is given and lacks a middleware of a type for which there is a block, such as"
    " `audit_config`, or which `additional_middleware_configs` lists.",
    why="Where `middleware_configs` is given, the runner creates no middleware from the blocks: this one does nothing.",
    example='"middleware_configs": [{ "type": "auth", "parameters": {} }], "audit_config": {}',
    fix="Remove `middleware_configs`, and let the runner fill it in.",
    source=_RUNNER,
)
DEPRECATED = rule(
    "RUN044",
    "runconfig-field-deprecated",
    "A field of a run configuration is no longer used",
    stage="lint",
    checks="`env_file_dir`, `thv_ca_bundle` or `jwks_auth_token_file` is set, or `remote_auth_config` has the keys of"
    " old files, such as `ClientID`.",
    why="The runner ignores the first three. It reads the old keys, and the next change rewrites them.",
    example='"thv_ca_bundle": "/certs/ca.pem"',
    fix="Use `oidc_config.CACertPath` and `oidc_config.AuthTokenFile`, and list variables in `env_vars`.",
    source=_READER,
)
PLAIN_SECRET = rule(
    "RUN045",
    "runconfig-plain-secret",
    "A run configuration contains a secret in plain text",
    stage="lint",
    checks="`client_secret` or `bearer_token` of `remote_auth_config` is not a reference `NAME,target=…`, or"
    " `ClientSecret` of the OIDC provider or `client_secret` of the token exchange is given, or a variable or header"
    " contains what its name (`…_TOKEN`, `…_PASSWORD`) or its form marks as a secret. The value is never printed.",
    why="Whoever can read the file has the secret. Loading the file moves the first two into the secret store, and"
    " fails where there is none.",
    example='"remote_auth_config": { "client_secret": "…" }',
    fix='Write `"client_secret": "docs-client,target=oauth_secret"` or, for the others, set the variables'
    " `TOOLHIVE_OIDC_CLIENT_SECRET` and `TOOLHIVE_TOKEN_EXCHANGE_CLIENT_SECRET`. For other variables use `secrets`, for"
    " headers `add_headers_from_secret`.",
    source=_READER,
    is_secret=True,
)
VARIABLE_OVERWRITTEN = rule(
    "RUN046",
    "runconfig-variable-overwritten",
    "A variable is overwritten when the server starts",
    stage="lint",
    checks="`env_vars` sets `MCP_TRANSPORT`, or for an HTTP transport `MCP_PORT`, `FASTMCP_PORT` or `MCP_HOST`, to a"
    " value other than the one that the runner sets.",
    why="The runner's value wins. A server that listens on another port is never reached.",
    example='"transport": "sse", "target_port": 8080, "env_vars": { "MCP_PORT": "9000" }',
    fix='Write `"target_port": 9000`.',
    source="toolhive 0.21.0, package runtime: Setup.",
)
VOLUME_UNMOUNTED = rule(
    "RUN047",
    "runconfig-volume-not-mounted",
    "A volume of a run configuration is not mounted",
    stage="lint",
    checks="An item of `volumes` is neither in `read` nor in `write` of the permission profile.",
    why="Volumes become mounts of the profile when a configuration is created. When one is started from a file, only"
    " the profile is used.",
    example='"volumes": ["/srv/data:/data:ro"], "permission_profile": {}',
    fix='Write `"permission_profile": { "read": ["/srv/data:/data"] }`.',
    source="toolhive 0.21.0, package runner: RunConfig builder.",
)
AUTHENTICATION_TWICE = rule(
    "RUN048",
    "runconfig-authentication-twice",
    "A remote server has both a bearer token and OAuth settings",
    stage="lint",
    checks="`remote_auth_config` has both a bearer token and OAuth fields.",
    why="The token takes precedence; OAuth is never tried.",
    example='"remote_auth_config": { "bearer_token": "t,target=bearer_token", "issuer": "https://id.acme.io" }',
    fix="Remove one of the two.",
    source="toolhive 0.21.0, package auth/remote.",
)
INSECURE = rule(
    "RUN049",
    "runconfig-plain-http",
    "Something is reached over plain HTTP",
    stage="lint",
    checks="`remote_url`, a token endpoint, or an address of the OIDC provider is http to another machine.",
    why="Tokens and data can be read in transit. Unless `InsecureAllowHTTP` is true, the OIDC provider is never"
    " contacted and every request is refused.",
    example='"remote_url": "http://mcp.acme.io/mcp"',
    fix="Use https.",
    source="toolhive 0.21.0, package networking.",
)
NAME_ODD = rule(
    "RUN050",
    "runconfig-name-odd",
    "A name, a group or a label is one that the product refuses elsewhere",
    stage="lint",
    checks="`name` is not one that the API accepts, `group` is not a valid group name (lower-case letters, digits,"
    " hyphens, underscores and single spaces), or a label is not one that can be used as a filter.",
    why="The workload starts, but commands and requests that name it are refused.",
    example='"group": "Team A"',
    fix='Write `"group": "team-a"`.',
    source="toolhive 0.21.0, packages workloads/types, groups and labels.",
)
TOKEN_URL = rule(
    "RUN051",
    "runconfig-token-exchange-idle",
    "A token exchange cannot work",
    stage="lint",
    checks="`token_url` is missing or not a URL, or `subject_token_type` is not a type of token that can be exchanged.",
    why="The runner starts, but every request that carries a token fails.",
    example='"token_exchange_config": { "audience": "backend" }',
    fix='Write `"token_url": "https://id.acme.io/token"`.',
    source="toolhive 0.21.0, package auth/tokenexchange.",
)
RATE_LIMIT_IDLE = rule(
    "RUN052",
    "runconfig-rate-limit-idle",
    "A rate limit limits nothing",
    stage="lint",
    checks="`rate_limit_config` or a tool in it has no bucket, or a tool occurs twice.",
    why="No request is limited. Of two entries for the same tool the later one is used.",
    example='"rate_limit_config": { "tools": [{ "name": "fetch" }] }',
    fix="Set `shared` or `perUser`.",
    source="toolhive 0.21.0, package ratelimit.",
)
SAMPLING = rule(
    "RUN053",
    "runconfig-sampling-rate",
    "The sampling rate is not a number from 0 to 1",
    stage="lint",
    checks="`samplingRate` cannot be read as a number, or is not between 0 and 1.",
    why="A value that cannot be read counts as 0: no traces are sent.",
    example='"samplingRate": "10%"',
    fix='Write `"0.1"`.',
    source="toolhive 0.21.0, package telemetry.",
)
BUILD = rule(
    "RUN054",
    "runconfig-build-refused",
    "A setting for building an image is refused when it is used",
    stage="lint",
    checks="`runtime_config` has a `builder_image` that is not an image, an item of `additional_packages` that is not a"
    " package name, an item of `build_with` that is not a package with its versions, or a variable of `runtime_env`"
    " whose name is reserved (`PATH`) or not in capital letters, or whose value would close its quotes.",
    why="It is used only when an image is built from a package, and is refused then.",
    example='"additional_packages": ["git curl"]',
    fix='Write `["git", "curl"]`.',
    source="toolhive 0.21.0 and 0.44.0, package container/templates.",
)
ENDPOINT_PREFIX = rule(
    "RUN055",
    "runconfig-endpoint-prefix",
    "The prefix of endpoints of a run configuration does not begin with a slash",
    stage="lint",
    checks="`endpoint_prefix` is given, and does not begin with a slash.",
    why="SSE clients are sent to a relative address and do not find the server. The command line refuses such a"
    " prefix.",
    example='"endpoint_prefix": "tools"',
    fix='Write `"/tools"`.',
    source="toolhive 0.21.0, command run.",
)
HEADER_UNUSABLE = rule(
    "RUN056",
    "runconfig-header-unusable",
    "The name or value of a forwarded header is not valid",
    stage="lint",
    checks="The name of a header contains characters that header names cannot contain, or is longer than 256 bytes, or"
    " its value has control characters or more than 8192 bytes.",
    why="The runner starts, but every request to the server fails.",
    example='"add_plaintext_headers": { "X Tenant": "a" }',
    fix='Write `"X-Tenant"`.',
    source="toolhive 0.21.0, package transport/middleware; net/http of Go.",
)
ORIGIN = rule(
    "RUN060",
    "runconfig-origin-idle",
    "An allowed origin is one that no browser sends",
    stage="lint",
    checks="An item of `allowed_origins` has no scheme or no host, a user, a wildcard, a name that is not ASCII or the"
    " default port of its scheme; or the middleware `origin` lists none.",
    why="Browsers send the scheme, the host and a port other than the default, and these are compared exactly: requests"
    " from the intended origin are refused. Without any origin none is checked.",
    example='"allowed_origins": ["https://*.acme.io", "https://chat.acme.io:443"]',
    fix='Write `["https://chat.acme.io"]`.',
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
