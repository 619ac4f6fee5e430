"""Rules of workload requests that the service takes: what is doubtful in them."""

from __future__ import annotations

from ...diagnostics.finding import rule

_API = "toolhive 0.21.0, workload routes and workload service."
_BUILDER = "toolhive 0.21.0, RunConfig builder."

UNKNOWN_FIELD = rule(
    "WRK030",
    "workload-unknown-field",
    "A field of the request is not known",
    stage="lint",
    checks="A key of the request is not one that the service knows.",
    why="It is silently skipped: what was meant does not happen.",
    example='"oauth_config": { "clientid": "cli" }',
    fix='`"oauth_config": { "client_id": "cli" }`.',
    source=_API,
)
PORT_DRAWN = rule(
    "WRK031",
    "workload-port-drawn",
    "The service draws a port at random",
    stage="lint",
    severity="info",
    checks="The port of the proxy or of the container is not given, or cannot be used.",
    why="The service finds a free port each time. What is compiled here has a port that follows from the name of the"
    " workload, unless `--proxy-port` or `--target-port` gives one.",
    example='{ "name": "fetch", "image": "ghcr.io/acme/fetch:1", "transport": "sse" }',
    fix='`"proxy_port": 18080, "target_port": 8080`.',
    source=_BUILDER,
)
TIME_IN_NAME = rule(
    "WRK032",
    "workload-image-named-by-time",
    "The name of the built image holds the time of the call",
    stage="lint",
    severity="info",
    checks="The image is built of a package, and named with the second in which that happens.",
    why="What is compiled here has the time that `--time` gives, or 1970.",
    example='"image": "uvx://mcp-server-fetch"',
    fix="Set `--time`, or an image that is built already.",
    source="toolhive 0.21.0, runner: protocol schemes.",
)
IGNORED = rule(
    "WRK033",
    "workload-field-ignored",
    "A field of the request has no effect",
    stage="lint",
    checks="A field is given that has no effect in this request: `image` and `runtime_config` beside a `url`, headers"
    " without one, a container's port with stdio, or the introspection and client secret of `oidc`, which the service"
    " only returns.",
    why="The service silently skips it.",
    example='"oidc": { "issuer": "https://id.acme.example", "client_secret": "…" }',
    fix="Drop the field.",
    source=_API,
)
REMOTE_BY_NAME = rule(
    "WRK034",
    "workload-remote-by-name",
    "A remote server cannot be run by its name",
    stage="lint",
    checks="`image` is the name of a remote server in the registry.",
    why="The service takes its authentication over and not its URL: it then tries to run a container of that name.",
    example='"image": "docs-remote"',
    fix="Set the `url` of the server.",
    source=_API,
)
NAME_AMBIGUOUS = rule(
    "WRK035",
    "workload-name-ambiguous",
    "A short name stands for several servers, and is taken as an image",
    stage="lint",
    checks="`image` is the part after the slash of several names in the registry.",
    why="The service finds no single server, and takes the text as an image.",
    example='"image": "fetch" with `io.a/fetch` and `io.b/fetch` in the registry',
    fix="Set the full name.",
    source="toolhive 0.21.0, registry provider: lookup by name.",
)
NO_IMAGE = rule(
    "WRK036",
    "workload-image-unusable",
    "The image is not an image reference",
    stage="lint",
    checks="`image` is neither in the registry nor an image reference.",
    why="The request is taken, and fails when the image is pulled.",
    example='"image": "My Server"',
    fix="Name an image: `ghcr.io/acme/fetch:1`.",
    source="toolhive 0.21.0, image retrieval.",
)
VARIABLE_OVERWRITTEN = rule(
    "WRK037",
    "workload-variable-overwritten",
    "A variable is overwritten by the service",
    stage="lint",
    checks="`env_vars` sets `MCP_TRANSPORT`, `MCP_PORT`, `FASTMCP_PORT` or `MCP_HOST`.",
    why="The service sets them itself, by the transport and the port of the container.",
    example='"env_vars": { "MCP_PORT": "9000" }',
    fix='Set `"target_port": 9000`.',
    source="toolhive 0.21.0, environment of containers.",
)
PLAIN_SECRET = rule(
    "WRK038",
    "workload-plain-secret",
    "A secret is set as plain text",
    stage="lint",
    checks="`env_vars` gives a variable that the registry entry marks as secret, or a variable or a header to forward"
    " holds what looks like one by its name (`…_TOKEN`, `…_PASSWORD`) or its form; or `client_secret` of `oidc` is"
    " given. The value itself is never printed.",
    why="The value is kept in the run configuration and shown when it is exported. That of `oidc` is not even used.",
    example='"env_vars": { "API_KEY": "…" }',
    fix='`"secrets": [ { "name": "weather-key", "target": "API_KEY" } ]`; for headers, `add_headers_from_secret`.',
    source="toolhive 0.21.0, export of run configurations (docs/operator/records.md).",
    is_secret=True,
)
CANNOT_START = rule(
    "WRK039",
    "workload-cannot-start",
    "The workload is taken and cannot start",
    stage="lint",
    checks="A remote server with transport stdio, a URL that is not http or https, transport `inspector`, or a secret"
    " without a name or a target.",
    why="The service takes the request; the runner has no way to run it.",
    example='"url": "https://mcp.acme.example/mcp", "transport": "stdio"',
    fix="Leave `transport` out: streamable-http is the default for remote servers.",
    source="toolhive 0.21.0, transports.",
)
UNSAFE_URL = rule(
    "WRK040",
    "workload-url-not-https",
    "A remote server is reached over plain http",
    stage="lint",
    checks="`url` is http, and not on this machine.",
    why="Tokens and headers travel in plain text.",
    example='"url": "http://mcp.acme.example/mcp"',
    fix="Use https.",
    source="RFC 6750, section 5.3.",
)
TWO_WAYS_IN = rule(
    "WRK041",
    "workload-two-credentials",
    "A bearer token stands beside OAuth",
    stage="lint",
    checks="`oauth_config` has a bearer token, and OAuth settings too.",
    why="They are alternatives: the bearer token goes first, and the rest is not used.",
    example='"oauth_config": { "bearer_token": { … }, "issuer": "https://id.acme.example" }',
    fix="Keep one of them.",
    source="toolhive 0.21.0, authentication to remote servers.",
)
DEPRECATED = rule(
    "WRK042",
    "workload-deprecated-mode",
    "The SSE transport is deprecated",
    stage="lint",
    severity="info",
    checks="`proxy_mode` or `transport` is `sse`.",
    why="MCP has replaced it by streamable HTTP; it still works.",
    example='"proxy_mode": "sse"',
    fix='`"proxy_mode": "streamable-http"`, where the clients can.',
    source="MCP specification 2025-03-26, transports.",
)
GROUP_NAME = rule(
    "WRK043",
    "workload-group-unlikely",
    "No group can have this name",
    stage="lint",
    checks="`group` is a name that no group can be made with: capital letters, other characters than letters, digits,"
    " hyphens, underscores and single spaces, or spaces at an end.",
    why="The group must exist when the workload is made.",
    example='"group": "Team"',
    fix='`"group": "team"`.',
    source="toolhive-core 0.0.16, validation of group names.",
)
PATH_ON_HOST = rule(
    "WRK044",
    "workload-path-on-host",
    "A path on the host has to exist",
    stage="lint",
    severity="info",
    checks="A volume mounts a path of the machine that the service runs on.",
    why="The service refuses the request where the path does not exist; a relative one is looked for in the service's"
    " working directory. That cannot be seen from here.",
    example='"volumes": ["data:/data"]',
    fix="Make sure that the path exists; write it in full.",
    source=_BUILDER,
)
VOLUME_SKIPPED = rule(
    "WRK045",
    "workload-volume-skipped",
    "A volume is skipped, for its target is taken",
    stage="lint",
    checks="A volume has the target of an earlier one, or of a mount in the permission profile.",
    why="The service skips it with a warning in its log.",
    example='"volumes": ["/a:/data", "/b:/data"]',
    fix="Use a different target for each.",
    source=_BUILDER,
)

RULES = (
    UNKNOWN_FIELD,
    PORT_DRAWN,
    TIME_IN_NAME,
    IGNORED,
    REMOTE_BY_NAME,
    NAME_AMBIGUOUS,
    NO_IMAGE,
    VARIABLE_OVERWRITTEN,
    PLAIN_SECRET,
    CANNOT_START,
    UNSAFE_URL,
    TWO_WAYS_IN,
    DEPRECATED,
    GROUP_NAME,
    PATH_ON_HOST,
    VOLUME_SKIPPED,
)
