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
    checks="The service does not know a key of the request.",
    why="It is silently skipped: the setting has no effect.",
    example='"oauth_config": { "clientid": "cli" }',
    fix='Write `"oauth_config": { "client_id": "cli" }`.',
    source=_API,
)
PORT_DRAWN = rule(
    "WRK031",
    "workload-port-drawn",
    "The service picks a port at random",
    stage="lint",
    severity="info",
    checks="The port of the proxy or of the container is not given, or cannot be used.",
    why="The service picks a free port each time. In mcpcfg's output the port is derived from the name of the workload,"
    " unless `--proxy-port` or `--target-port` sets one.",
    example='{ "name": "fetch", "image": "ghcr.io/acme/fetch:1", "transport": "sse" }',
    fix='Write `"proxy_port": 18080, "target_port": 8080`.',
    source=_BUILDER,
)
TIME_IN_NAME = rule(
    "WRK032",
    "workload-image-named-by-time",
    "The name of the built image contains the time of the build",
    stage="lint",
    severity="info",
    checks="The image is built from a package, and its name contains the time of the build in seconds.",
    why="Every run gives another name. In mcpcfg's output the time is that of `--time`, or 1970.",
    example='"image": "uvx://mcp-server-fetch"',
    fix="Set `--time`, or name an image that is already built.",
    source="toolhive 0.21.0, runner: protocol schemes.",
)
IGNORED = rule(
    "WRK033",
    "workload-field-ignored",
    "A field of the request has no effect",
    stage="lint",
    checks="A field has no effect in this request: `image` and `runtime_config` beside a `url`, headers without one, a"
    " container's port with stdio, or the introspection and client secret of `oidc`, which the service only returns.",
    why="The service silently skips it.",
    example='"oidc": { "issuer": "https://id.acme.example", "client_secret": "…" }',
    fix="Remove the field.",
    source=_API,
)
REMOTE_BY_NAME = rule(
    "WRK034",
    "workload-remote-by-name",
    "A remote server cannot be run by its name",
    stage="lint",
    checks="`image` is the name of a remote server in the registry.",
    why="The service copies its authentication but not its URL: it then tries to run a container with that name.",
    example='"image": "docs-remote"',
    fix="Set the `url` of the server.",
    source=_API,
)
NAME_AMBIGUOUS = rule(
    "WRK035",
    "workload-name-ambiguous",
    "A short name matches several servers, and is used as an image",
    stage="lint",
    checks="`image` is the part after the slash of several names in the registry.",
    why="The service finds no single server, and uses the text as an image reference.",
    example='"image": "fetch" with `io.a/fetch` and `io.b/fetch` in the registry',
    fix="Use the full name of the server.",
    source="toolhive 0.21.0, registry provider: lookup by name.",
)
NO_IMAGE = rule(
    "WRK036",
    "workload-image-unusable",
    "The image is not an image reference",
    stage="lint",
    checks="`image` is neither in the registry nor an image reference.",
    why="The request is accepted, but fails when the image is pulled.",
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
    why="The service sets them itself, according to the transport and the port of the container.",
    example='"env_vars": { "MCP_PORT": "9000" }',
    fix='Set `"target_port": 9000`.',
    source="toolhive 0.21.0, environment of containers.",
)
PLAIN_SECRET = rule(
    "WRK038",
    "workload-plain-secret",
    "A secret is set as plain text",
    stage="lint",
    checks="`env_vars` gives a variable that the registry entry marks as secret, or a variable or forwarded header"
    " contains what its name (`…_TOKEN`, `…_PASSWORD`) or its form marks as a secret; or `client_secret` of `oidc` is"
    " given. The value is never printed.",
    why="The value is stored in the run configuration and shown when it is exported. That of `oidc` is not even used.",
    example='"env_vars": { "API_KEY": "…" }',
    fix='Write `"secrets": [ { "name": "weather-key", "target": "API_KEY" } ]`; for headers use'
    " `add_headers_from_secret`.",
    source="toolhive 0.21.0, export of run configurations (docs/operator/records.md).",
    is_secret=True,
)
CANNOT_START = rule(
    "WRK039",
    "workload-cannot-start",
    "The workload is accepted, but cannot start",
    stage="lint",
    checks="A remote server with transport stdio, a URL that is not http or https, transport `inspector`, or a secret"
    " without a name or a target.",
    why="The service accepts the request, but the runner cannot run it.",
    example='"url": "https://mcp.acme.example/mcp", "transport": "stdio"',
    fix="Leave `transport` out: streamable-http is the default for remote servers.",
    source="toolhive 0.21.0, transports.",
)
UNSAFE_URL = rule(
    "WRK040",
    "workload-url-not-https",
    "A remote server is reached over plain http",
    stage="lint",
    checks="`url` is http to another machine.",
    why="Tokens and headers travel in plain text.",
    example='"url": "http://mcp.acme.example/mcp"',
    fix="Use https.",
    source="RFC 6750, section 5.3.",
)
TWO_WAYS_IN = rule(
    "WRK041",
    "workload-two-credentials",
    "A request has both a bearer token and OAuth settings",
    stage="lint",
    checks="`oauth_config` has both a bearer token and OAuth settings.",
    why="They are alternatives: the bearer token takes precedence, and the rest is not used.",
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
    why="MCP has replaced it with streamable HTTP. It still works, but newer clients may not support it.",
    example='"proxy_mode": "sse"',
    fix='Write `"proxy_mode": "streamable-http"`, if the clients support it.',
    source="MCP specification 2025-03-26, transports.",
)
GROUP_NAME = rule(
    "WRK043",
    "workload-group-unlikely",
    "No group can have this name",
    stage="lint",
    checks="`group` is not a valid group name: it contains capital letters, characters other than letters, digits,"
    " hyphens, underscores and single spaces, or spaces at an end.",
    why="The group must exist when the workload is created, and no group with this name can.",
    example='"group": "Team"',
    fix='Write `"group": "team"`.',
    source="toolhive-core 0.0.16, validation of group names.",
)
PATH_ON_HOST = rule(
    "WRK044",
    "workload-path-on-host",
    "A volume needs a path on the host",
    stage="lint",
    severity="info",
    checks="A volume mounts a path of the machine on which the service runs.",
    why="The service refuses the request if the path does not exist; a relative one is resolved in the service's"
    " working directory. mcpcfg cannot check that.",
    example='"volumes": ["data:/data"]',
    fix="Make sure that the path exists, and write it as an absolute path.",
    source=_BUILDER,
)
VOLUME_SKIPPED = rule(
    "WRK045",
    "workload-volume-skipped",
    "A volume is skipped because its target is already taken",
    stage="lint",
    checks="A volume has the target of an earlier one, or of a mount in the permission profile.",
    why="The service skips it with a warning in its log, and the server does not see the files.",
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
