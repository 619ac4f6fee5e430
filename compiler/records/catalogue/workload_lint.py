"""Rules of workload requests that the service takes: what is doubtful in them."""

from __future__ import annotations

from ...diagnostics.finding import Rule
from .page import page

_API = "toolhive 0.21.0, workload routes and workload service."
_BUILDER = "toolhive 0.21.0, RunConfig builder."

UNKNOWN_FIELD = Rule(
    id="WRK030",
    name="workload-unknown-field",
    stage="lint",
    severity="warning",
    title="A field of the request is not known",
    doc=page(
        "A key of the request is none that the service knows.",
        "It is skipped in silence: what was meant does not happen.",
        example='"oauth_config": { "clientid": "cli" }',
        cure='`"oauth_config": { "client_id": "cli" }`.',
        source=_API,
    ),
)
PORT_DRAWN = Rule(
    id="WRK031",
    name="workload-port-drawn",
    stage="lint",
    severity="info",
    title="The service draws a port at random",
    doc=page(
        "The port of the proxy or of the container is not given, or cannot be used.",
        "The service finds a free port each time. What is compiled here has a port that follows from the name of the"
        " workload, unless `--proxy-port` or `--target-port` gives one.",
        example='{ "name": "fetch", "image": "ghcr.io/acme/fetch:1", "transport": "sse" }',
        cure='`"proxy_port": 18080, "target_port": 8080`.',
        source=_BUILDER,
    ),
)
TIME_IN_NAME = Rule(
    id="WRK032",
    name="workload-image-named-by-time",
    stage="lint",
    severity="info",
    title="The name of the built image holds the time of the call",
    doc=page(
        "The image is built of a package, and named with the second in which that happens.",
        "What is compiled here has the time that `--time` gives, or 1970.",
        example='"image": "uvx://mcp-server-fetch"',
        cure="give `--time`, or an image that is built already.",
        source="toolhive 0.21.0, runner: protocol schemes.",
    ),
)
IGNORED = Rule(
    id="WRK033",
    name="workload-field-ignored",
    stage="lint",
    severity="warning",
    title="A field of the request has no effect",
    doc=page(
        "A field is given that counts for nothing in this request: `image` and `runtime_config` beside a `url`, headers"
        " without one, a container's port with stdio, or the introspection and client secret of `oidc`, which are told"
        " on reading alone.",
        "The service skips it in silence.",
        example='"oidc": { "issuer": "https://id.acme.example", "client_secret": "…" }',
        cure="drop the field.",
        source=_API,
    ),
)
REMOTE_BY_NAME = Rule(
    id="WRK034",
    name="workload-remote-by-name",
    stage="lint",
    severity="warning",
    title="A remote server cannot be run by its name",
    doc=page(
        "`image` is the name of a remote server in the registry.",
        "The service takes its authentication over and not its URL: it then tries to run a container of that name.",
        example='"image": "docs-remote"',
        cure="give the `url` of the server.",
        source=_API,
    ),
)
NAME_AMBIGUOUS = Rule(
    id="WRK035",
    name="workload-name-ambiguous",
    stage="lint",
    severity="warning",
    title="A short name stands for several servers, and is taken as an image",
    doc=page(
        "`image` is the part after the slash of several names in the registry.",
        "The service finds no single server, and takes the text as an image.",
        example='"image": "fetch" with `io.a/fetch` and `io.b/fetch` in the registry',
        cure="give the full name.",
        source="toolhive 0.21.0, registry provider: lookup by name.",
    ),
)
NO_IMAGE = Rule(
    id="WRK036",
    name="workload-image-unusable",
    stage="lint",
    severity="warning",
    title="The image is no image reference",
    doc=page(
        "`image` is neither in the registry nor an image reference.",
        "The request is taken, and fails when the image is pulled.",
        example='"image": "My Server"',
        cure="name an image: `ghcr.io/acme/fetch:1`.",
        source="toolhive 0.21.0, image retrieval.",
    ),
)
VARIABLE_OVERWRITTEN = Rule(
    id="WRK037",
    name="workload-variable-overwritten",
    stage="lint",
    severity="warning",
    title="A variable is overwritten by the service",
    doc=page(
        "`env_vars` sets `MCP_TRANSPORT`, `MCP_PORT`, `FASTMCP_PORT` or `MCP_HOST`.",
        "The service sets them itself, by the transport and the port of the container.",
        example='"env_vars": { "MCP_PORT": "9000" }',
        cure='set `"target_port": 9000`.',
        source="toolhive 0.21.0, environment of containers.",
    ),
)
PLAIN_SECRET = Rule(
    id="WRK038",
    name="workload-plain-secret",
    stage="lint",
    severity="warning",
    title="A secret is given as plain text",
    doc=page(
        "`env_vars` gives a variable that the registry entry marks as secret, or a variable or a header to forward"
        " holds what looks like one by its name (`…_TOKEN`, `…_PASSWORD`) or its form; or `client_secret` of `oidc` is"
        " given. The value itself is never printed.",
        "The value is kept in the run configuration and shown when it is exported. That of `oidc` is not even used.",
        example='"env_vars": { "API_KEY": "…" }',
        cure='`"secrets": [ { "name": "weather-key", "target": "API_KEY" } ]`; for headers, `add_headers_from_secret`.',
        source="Document 000, RunConfig: env_vars are exported in clear text.",
    ),
    is_secret=True,
)
CANNOT_START = Rule(
    id="WRK039",
    name="workload-cannot-start",
    stage="lint",
    severity="warning",
    title="The workload is taken and cannot start",
    doc=page(
        "A remote server with transport stdio, a URL that is not http or https, transport `inspector`, or a secret"
        " without a name or a target.",
        "The service takes the request; the runner has no way to run it.",
        example='"url": "https://mcp.acme.example/mcp", "transport": "stdio"',
        cure="leave `transport` out: streamable-http is the default for remote servers.",
        source="toolhive 0.21.0, transports.",
    ),
)
UNSAFE_URL = Rule(
    id="WRK040",
    name="workload-url-not-https",
    stage="lint",
    severity="warning",
    title="A remote server is reached over plain http",
    doc=page(
        "`url` is http, and not on this machine.",
        "Tokens and headers travel in clear text.",
        example='"url": "http://mcp.acme.example/mcp"',
        cure="use https.",
        source="RFC 6750, section 5.3.",
    ),
)
TWO_WAYS_IN = Rule(
    id="WRK041",
    name="workload-two-credentials",
    stage="lint",
    severity="warning",
    title="A bearer token stands beside OAuth",
    doc=page(
        "`oauth_config` has a bearer token, and OAuth settings too.",
        "They are alternatives: the bearer token goes first, and the rest is not used.",
        example='"oauth_config": { "bearer_token": { … }, "issuer": "https://id.acme.example" }',
        cure="keep one of them.",
        source="toolhive 0.21.0, authentication to remote servers.",
    ),
)
DEPRECATED = Rule(
    id="WRK042",
    name="workload-deprecated-mode",
    stage="lint",
    severity="info",
    title="The SSE transport is deprecated",
    doc=page(
        "`proxy_mode` or `transport` is `sse`.",
        "MCP has replaced it by streamable HTTP; it still works.",
        example='"proxy_mode": "sse"',
        cure='`"proxy_mode": "streamable-http"`, where the clients can.',
        source="MCP specification 2025-03-26, transports.",
    ),
)
GROUP_NAME = Rule(
    id="WRK043",
    name="workload-group-unlikely",
    stage="lint",
    severity="warning",
    title="No group can have this name",
    doc=page(
        "`group` is a name that no group can be made with: capital letters, other characters than letters, digits,"
        " hyphens, underscores and single spaces, or spaces at an end.",
        "The group must exist when the workload is made.",
        example='"group": "Team"',
        cure='`"group": "team"`.',
        source="toolhive-core 0.0.16, validation of group names.",
    ),
)
PATH_ON_HOST = Rule(
    id="WRK044",
    name="workload-path-on-host",
    stage="lint",
    severity="info",
    title="A path on the host has to exist",
    doc=page(
        "A volume mounts a path of the machine that the service runs on.",
        "The service refuses the request where the path does not exist; a relative one is looked for in the service's"
        " working directory. That cannot be seen from here.",
        example='"volumes": ["data:/data"]',
        cure="make sure that the path exists; write it in full.",
        source=_BUILDER,
    ),
)
VOLUME_SKIPPED = Rule(
    id="WRK045",
    name="workload-volume-skipped",
    stage="lint",
    severity="warning",
    title="A volume is skipped, for its target is taken",
    doc=page(
        "A volume has the target of an earlier one, or of a mount in the permission profile.",
        "The service skips it with a warning in its log.",
        example='"volumes": ["/a:/data", "/b:/data"]',
        cure="give each its own target.",
        source=_BUILDER,
    ),
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
