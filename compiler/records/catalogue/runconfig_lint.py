"""Rules of run configurations that start: what in them is not as it looks."""

from __future__ import annotations

from ...diagnostics.finding import Rule
from .page import page

_READER = "toolhive 0.21.0, package runner: reading a RunConfig."
_RUNNER = "toolhive 0.21.0, package runner: Run."

UNKNOWN_FIELD = Rule(
    id="RUN040",
    name="runconfig-unknown-field",
    stage="lint",
    severity="warning",
    title="A key of a run configuration is not known",
    doc=page(
        "A key is none that the runner knows. It is a warning where a known key is spelt nearly so, else an info.",
        "It is skipped in silence: what was meant does not happen.",
        example='"targetPort": 8080',
        cure='`"target_port": 8080`.',
        source=_READER,
    ),
)
SCHEMA_VERSION = Rule(
    id="RUN041",
    name="runconfig-schema-version",
    stage="lint",
    severity="warning",
    title="A run configuration is of another version",
    doc=page(
        "`schema_version` is something else than `v0.1.0`.",
        "The version is not looked at: the file is read as one of this version, whatever it says.",
        example='"schema_version": "v1"',
        cure='`"schema_version": "v0.1.0"`.',
        source=_READER,
    ),
)
IGNORED = Rule(
    id="RUN042",
    name="runconfig-field-ignored",
    stage="lint",
    severity="warning",
    title="A field of a run configuration has no effect",
    doc=page(
        "A field counts only together with another one: `image` without `remote_url`, `header_forward` and"
        " `remote_auth_config` with it, `proxy_mode` with stdio, `allow_docker_gateway`"
        " with `isolate_network`, `upstream_swap_config` with an embedded authorization server, a block of an upstream"
        " with its type.",
        "Nothing happens, where something was meant to.",
        example='"transport": "sse", "proxy_mode": "streamable-http"',
        cure="drop it, or add what it needs.",
        source=_RUNNER,
    ),
)
SHADOWED = Rule(
    id="RUN043",
    name="runconfig-block-shadowed",
    stage="lint",
    severity="warning",
    title="A block of a run configuration is shadowed by middleware_configs",
    doc=page(
        "`middleware_configs` is given and has no middleware of a type for which there is a block, such as"
        " `audit_config`.",
        "Where `middleware_configs` is given, the runner makes no middleware of the blocks: this one does nothing.",
        example='"middleware_configs": [{ "type": "auth", "parameters": {} }], "audit_config": {}',
        cure="leave `middleware_configs` out, and let the runner fill it in.",
        source=_RUNNER,
    ),
)
DEPRECATED = Rule(
    id="RUN044",
    name="runconfig-field-deprecated",
    stage="lint",
    severity="warning",
    title="A field of a run configuration is not used any more",
    doc=page(
        "`env_file_dir`, `thv_ca_bundle` or `jwks_auth_token_file` is set, or `remote_auth_config` has the keys of old"
        " files, such as `ClientID`.",
        "The first three are not looked at. The old keys are read, and written anew by the next change.",
        example='"thv_ca_bundle": "/certs/ca.pem"',
        cure="`oidc_config.CACertPath` and `oidc_config.AuthTokenFile`; variables go into `env_vars`.",
        source=_READER,
    ),
)
PLAIN_SECRET = Rule(
    id="RUN045",
    name="runconfig-plain-secret",
    stage="lint",
    severity="warning",
    title="A secret stands in a run configuration",
    doc=page(
        "`client_secret` or `bearer_token` of `remote_auth_config` is no reference `NAME,target=…`, or `ClientSecret`"
        " of the OIDC provider or `client_secret` of the token exchange is given, or a variable or a header holds what"
        " looks like one by its name (`…_TOKEN`, `…_PASSWORD`) or its form. The value itself is never printed.",
        "Whoever can read the file has the secret. Loading moves the first two into the secret store, and fails where"
        " there is none.",
        example='"remote_auth_config": { "client_secret": "…" }',
        cure='`"client_secret": "docs-client,target=oauth_secret"`; or, for the others, the variables'
        " `TOOLHIVE_OIDC_CLIENT_SECRET` and `TOOLHIVE_TOKEN_EXCHANGE_CLIENT_SECRET`. For variables use `secrets`, for"
        " headers `add_headers_from_secret`.",
        source=_READER,
    ),
    is_secret=True,
)
VARIABLE_OVERWRITTEN = Rule(
    id="RUN046",
    name="runconfig-variable-overwritten",
    stage="lint",
    severity="warning",
    title="A variable is overwritten when the server starts",
    doc=page(
        "`env_vars` sets `MCP_TRANSPORT`, or for an HTTP transport `MCP_PORT`, `FASTMCP_PORT` or `MCP_HOST`, to"
        " something else than what the runner sets it to.",
        "The runner's value counts.",
        example='"transport": "sse", "target_port": 8080, "env_vars": { "MCP_PORT": "9000" }',
        cure='`"target_port": 9000`.',
        source="toolhive 0.21.0, package runtime: Setup.",
    ),
)
VOLUME_UNMOUNTED = Rule(
    id="RUN047",
    name="runconfig-volume-not-mounted",
    stage="lint",
    severity="warning",
    title="A volume of a run configuration is not mounted",
    doc=page(
        "An item of `volumes` stands neither in `read` nor in `write` of the permission profile.",
        "Volumes become mounts of the profile when a configuration is made. When one is started from a file, the"
        " profile alone counts.",
        example='"volumes": ["/srv/data:/data:ro"], "permission_profile": {}',
        cure='`"permission_profile": { "read": ["/srv/data:/data"] }`.',
        source="toolhive 0.21.0, package runner: RunConfig builder.",
    ),
)
AUTHENTICATION_TWICE = Rule(
    id="RUN048",
    name="runconfig-authentication-twice",
    stage="lint",
    severity="warning",
    title="A remote server gets a bearer token, and OAuth is configured",
    doc=page(
        "`remote_auth_config` has a bearer token and fields of OAuth.",
        "The token goes before; OAuth is never tried.",
        example='"remote_auth_config": { "bearer_token": "t,target=bearer_token", "issuer": "https://id.acme.io" }',
        cure="drop one of the two.",
        source="toolhive 0.21.0, package auth/remote.",
    ),
)
INSECURE = Rule(
    id="RUN049",
    name="runconfig-plain-http",
    stage="lint",
    severity="warning",
    title="Something is reached over plain HTTP",
    doc=page(
        "`remote_url`, a token endpoint, or an address of the OIDC provider is http to another machine.",
        "Tokens and data can be read on the way. The OIDC provider is not asked at all unless `InsecureAllowHTTP` is"
        " true: every request is refused.",
        example='"remote_url": "http://mcp.acme.io/mcp"',
        cure="use https.",
        source="toolhive 0.21.0, package networking.",
    ),
)
NAME_ODD = Rule(
    id="RUN050",
    name="runconfig-name-odd",
    stage="lint",
    severity="warning",
    title="A name, a group or a label is one that the product would not take elsewhere",
    doc=page(
        "`name` is none that the API takes, `group` is no name of a group (lower-case letters, digits, hyphens,"
        " underscores and single spaces), or a label is none that can be filtered by.",
        "The file starts; commands and requests that name it are refused.",
        example='"group": "Team A"',
        cure='`"group": "team-a"`.',
        source="toolhive 0.21.0, packages workloads/types, groups and labels.",
    ),
)
TOKEN_URL = Rule(
    id="RUN051",
    name="runconfig-token-exchange-idle",
    stage="lint",
    severity="warning",
    title="A token exchange cannot work",
    doc=page(
        "`token_url` is missing or no URL, or `subject_token_type` is no type of token that can be exchanged.",
        "The runner starts; every request that carries a token fails.",
        example='"token_exchange_config": { "audience": "backend" }',
        cure='`"token_url": "https://id.acme.io/token"`.',
        source="toolhive 0.21.0, package auth/tokenexchange.",
    ),
)
RATE_LIMIT_IDLE = Rule(
    id="RUN052",
    name="runconfig-rate-limit-idle",
    stage="lint",
    severity="warning",
    title="A rate limit limits nothing",
    doc=page(
        "`rate_limit_config` has no bucket, a tool in it has none, or a tool occurs twice.",
        "Nothing is counted; of two entries for one tool the later counts.",
        example='"rate_limit_config": { "tools": [{ "name": "fetch" }] }',
        cure="give `shared` or `perUser`.",
        source="toolhive 0.21.0, package ratelimit.",
    ),
)
SAMPLING = Rule(
    id="RUN053",
    name="runconfig-sampling-rate",
    stage="lint",
    severity="warning",
    title="The sampling rate is no number from 0 to 1",
    doc=page(
        "`samplingRate` cannot be read as a number, or is not within 0 and 1.",
        "What cannot be read counts as 0: no trace is sent.",
        example='"samplingRate": "10%"',
        cure='`"0.1"`.',
        source="toolhive 0.21.0, package telemetry.",
    ),
)
BUILD = Rule(
    id="RUN054",
    name="runconfig-build-refused",
    stage="lint",
    severity="warning",
    title="What an image is built with is refused where it is used",
    doc=page(
        "`runtime_config` has a `builder_image` that is no image, or an item of `additional_packages` that is no name"
        " of a package.",
        "It counts only where an image is built of a package, and is refused there.",
        example='"additional_packages": ["git curl"]',
        cure='`["git", "curl"]`.',
        source="toolhive 0.21.0, package container/templates.",
    ),
)
ENDPOINT_PREFIX = Rule(
    id="RUN055",
    name="runconfig-endpoint-prefix",
    stage="lint",
    severity="warning",
    title="The prefix of endpoints does not begin with a slash",
    doc=page(
        "`endpoint_prefix` is given, and does not begin with a slash.",
        "Clients of SSE are sent to an address relative to another one. The command line refuses it.",
        example='"endpoint_prefix": "tools"',
        cure='`"/tools"`.',
        source="toolhive 0.21.0, command run.",
    ),
)
HEADER_UNUSABLE = Rule(
    id="RUN056",
    name="runconfig-header-unusable",
    stage="lint",
    severity="warning",
    title="A header to forward is none that a request can have",
    doc=page(
        "The name of a header has other characters than header names can have, or is longer than 256 bytes, or its"
        " value has control characters or more than 8192 bytes.",
        "The runner starts; every request to the server fails.",
        example='"add_plaintext_headers": { "X Tenant": "a" }',
        cure='`"X-Tenant"`.',
        source="toolhive 0.21.0, package transport/middleware; net/http of Go.",
    ),
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
)
