"""Rules of workload requests that the service refuses."""

from __future__ import annotations

from ...diagnostics.finding import rule

_API = "toolhive 0.21.0, workload routes and workload service."
_BUILDER = "toolhive 0.21.0, RunConfig builder."

UNDECODABLE = rule(
    "WRK001",
    "workload-undecodable",
    "The service cannot decode the request",
    stage="process",
    unmodelled="newer",
    checks="A value does not fit the field that the service reads it into.",
    why="The request is refused with status 400, and nothing runs.",
    example='{ "name": "fetch", "image": "ghcr.io/acme/fetch:1", "proxy_port": "8080" }',
    fix='Write `"proxy_port": 8080`.',
    source=_API,
)
NOTHING_TO_RUN = rule(
    "WRK002",
    "workload-without-image",
    "The request names neither an image nor a URL",
    stage="process",
    checks="Both `image` and `url` are empty or missing.",
    why="There is nothing to run: the request is refused with status 400.",
    example='{ "name": "fetch" }',
    fix='Write `"image": "ghcr.io/acme/fetch:1"`, the name of a server in the registry, or the `url` of a remote one.',
    source=_API,
)
NAME_REFUSED = rule(
    "WRK003",
    "workload-name-refused",
    "The name of the workload is refused",
    stage="process",
    checks="The name is longer than 100 bytes, begins with two dots, or contains something other than letters, digits,"
    " dots, hyphens and underscores; or it is missing, and `image` does not name a container server in a registry among"
    " the files, whose name the workload would get.",
    why="Files and containers are named after the workload. The API refuses other names; the command line rewrites"
    " them.",
    example='"name": "my server"',
    fix='Write `"name": "my-server"`.',
    source=_API,
)
PROXY_MODE = rule(
    "WRK004",
    "workload-proxy-mode-refused",
    "The proxy mode is unknown",
    stage="process",
    checks="`proxy_mode` is neither `sse` nor `streamable-http`.",
    why="The request is refused with status 400.",
    example='"proxy_mode": "http"',
    fix='Write `"proxy_mode": "streamable-http"`, or leave it out.',
    source=_API,
)
RESOURCE = rule(
    "WRK005",
    "workload-resource-refused",
    "The resource indicator is not an absolute URI",
    stage="process",
    checks="`oauth_config.resource` has no scheme, no host, or a fragment.",
    why="RFC 8707 requires an absolute URI. The request is refused with status 400.",
    example='"resource": "mcp.acme.example"',
    fix='Write `"resource": "https://mcp.acme.example"`, or leave it out: it is derived from the URL.',
    source=_API,
)
CALLBACK_PORT = rule(
    "WRK006",
    "workload-callback-port-refused",
    "The callback port is out of range",
    stage="process",
    checks="`oauth_config.callback_port` is neither 0 nor 1024 to 65535.",
    why="The request is refused with status 400.",
    example='"callback_port": 80',
    fix='Write `"callback_port": 8666`, or leave it out.',
    source=_API,
)
HEADER = rule(
    "WRK007",
    "workload-header-refused",
    "A header of a request cannot be forwarded",
    stage="process",
    checks="A header to forward has no valid name, is one that only the proxy may set, has a value with control"
    " characters, or takes its value from a secret without a name.",
    why="The request is refused with status 400. Headers that control the connection or identify the client cannot be"
    " configured.",
    example='"add_plaintext_headers": { "X-Forwarded-For": "10.0.0.1" }',
    fix="Use a header of your own, such as `X-Tenant`.",
    source=_API,
)
RUNTIME = rule(
    "WRK008",
    "workload-runtime-refused",
    "The build settings cannot be used",
    stage="process",
    checks="`runtime_config` is given with a plain image or a URL, or contains an invalid image or package.",
    why="It configures how an image is built from a package (`uvx://`, `npx://`, `go://`); with anything else the"
    " request is refused with status 400.",
    example='"image": "ghcr.io/acme/fetch:1", "runtime_config": { "builder_image": "golang:1.25" }',
    fix="Remove `runtime_config`, or run a package.",
    source=_API,
)
TRANSPORT = rule(
    "WRK009",
    "workload-transport-refused",
    "The transport is unknown",
    stage="process",
    checks="`transport`, or that of the registry entry, is unknown to the service.",
    why="The request is refused with status 400.",
    example='"transport": "http"',
    fix='Write `"transport": "streamable-http"`.',
    source=_BUILDER,
)
VOLUME = rule(
    "WRK010",
    "workload-volume-refused",
    "A volume cannot be read",
    stage="process",
    checks="A volume is not a path, `host:container` or `scheme://resource:container`, with or without `:ro`.",
    why="The request is refused with status 400. `:rw` is not supported: volumes are writable by default.",
    example='"volumes": ["/srv/data:/data:rw"]',
    fix='Write `"volumes": ["/srv/data:/data"]`.',
    source=_BUILDER,
)
VARIABLE_MISSING = rule(
    "WRK011",
    "workload-variable-missing",
    "A variable that the registry requires is not set",
    stage="process",
    checks="The registry entry requires an environment variable that neither `env_vars` nor `secrets` sets.",
    why="The request is refused with status 400.",
    example='{ "name": "weather", "image": "weather" } with an entry that requires `API_KEY`',
    fix='Write `"secrets": [ { "name": "weather-key", "target": "API_KEY" } ]`.',
    source="toolhive 0.21.0, runner: environment variables of registry entries.",
)
SECRET_MISSING = rule(
    "WRK012",
    "workload-secret-missing",
    "A secret variable of the registry entry is not set",
    stage="process",
    checks="The registry entry marks a variable as secret, but neither `env_vars` nor `secrets` sets it.",
    why="The API cannot ask for a secret, so it refuses the request even where the variable is not required.",
    example='{ "name": "weather", "image": "weather" } with an entry whose `TOKEN` is secret',
    fix='Write `"secrets": [ { "name": "weather-token", "target": "TOKEN" } ]`.',
    source="toolhive 0.21.0, runner: environment variables of registry entries.",
)
OVERRIDE_EMPTY = rule(
    "WRK013",
    "workload-override-empty",
    "An override changes nothing",
    stage="process",
    checks="An entry of `tools_override` has neither a name nor a description.",
    why="The request is refused with status 400.",
    example='"tools_override": { "fetch": {} }',
    fix='Write `"tools_override": { "fetch": { "name": "get" } }`.',
    source=_BUILDER,
)
TOOL_UNKNOWN = rule(
    "WRK014",
    "workload-tool-unknown",
    "A tool is not among those of the registry entry",
    stage="process",
    checks="A name in `tools` or a key of `tools_override` is not one of the tools that the registry entry lists. In"
    " `tools` the new name of an overridden tool stands for that tool.",
    why="The request is refused with status 400.",
    example='"tools": ["fetsh"]',
    fix="Name a tool that the entry lists.",
    source=_BUILDER,
)
AUTHZ_FILE = rule(
    "WRK015",
    "workload-authz-unreadable",
    "The authorization file cannot be read",
    stage="process",
    checks="`authz_config` names a file that is not among the given files, or is not an authorization configuration."
    " The path is resolved from the request's folder, and from the current one. Without `--closed` the finding is an"
    " info: the file may be on the service's machine.",
    why="The service reads the file when the workload is created, and refuses the request if that fails. Its content"
    " becomes part of the run configuration, so nothing can be compiled without it.",
    example='"authz_config": "policies.toml"',
    fix="Name a JSON or YAML file with `version`, `type` and the policies.",
    source=_BUILDER,
)
DEFAULT_CRASH = rule(
    "WRK016",
    "workload-default-without-variables",
    "The service fails on a default of the registry entry",
    stage="process",
    checks="The registry entry has a default for a variable, but the request has no `env_vars` at all.",
    why="This version of the service writes the default into a map that does not exist, and fails with status 500.",
    example='{ "name": "weather", "image": "weather" } with an entry whose `REGION` has a default',
    fix='Write `"env_vars": {}`.',
    source="toolhive 0.21.0, runner: environment variables of registry entries.",
)
PROXY_PORT = rule(
    "WRK017",
    "workload-proxy-port-refused",
    "The port of the proxy cannot be bound",
    stage="process",
    checks="The proxy port of the request or the registry entry is not a port number.",
    why="A requested port that cannot be bound is refused, and not replaced with another.",
    example='"proxy_port": 70000',
    fix="Use a port up to 65535, or 0 for any free one.",
    source=_BUILDER,
)
NAME_TAKEN = rule(
    "WRK018",
    "workload-name-taken",
    "Another request already has the name",
    stage="process",
    checks="Two requests in the same call have the same name.",
    why="The second is refused with status 409, unless the first workload has failed.",
    example='"name": "fetch" in two files',
    fix="Rename one of the two.",
    source=_API,
)
RULES = (
    UNDECODABLE,
    NOTHING_TO_RUN,
    NAME_REFUSED,
    PROXY_MODE,
    RESOURCE,
    CALLBACK_PORT,
    HEADER,
    RUNTIME,
    TRANSPORT,
    VOLUME,
    VARIABLE_MISSING,
    SECRET_MISSING,
    OVERRIDE_EMPTY,
    TOOL_UNKNOWN,
    AUTHZ_FILE,
    DEFAULT_CRASH,
    PROXY_PORT,
    NAME_TAKEN,
)
