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
    checks="A value does not fit the field that the service reads it into.",
    why="The request is refused with status 400, and nothing is run.",
    example='{ "name": "fetch", "image": "ghcr.io/acme/fetch:1", "proxy_port": "8080" }',
    fix='`"proxy_port": 8080`.',
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
    fix='`"image": "ghcr.io/acme/fetch:1"`, the name of a server in the registry, or the `url` of a remote one.',
    source=_API,
)
NAME_REFUSED = rule(
    "WRK003",
    "workload-name-refused",
    "The name of the workload is refused",
    stage="process",
    checks="The name is longer than 100 bytes, begins with two dots, or holds something else than letters, digits,"
    " dots, hyphens and underscores; or it is missing, and `image` is not a container server of a registry among the"
    " files, whose name the workload would take.",
    why="Names become names of files and containers. The API takes no other ones; the command line makes them safe.",
    example='"name": "my server"',
    fix='`"name": "my-server"`.',
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
    fix='`"proxy_mode": "streamable-http"`, or leave it out.',
    source=_API,
)
RESOURCE = rule(
    "WRK005",
    "workload-resource-refused",
    "The resource indicator is not an absolute URI",
    stage="process",
    checks="`oauth_config.resource` has no scheme, no host, or a fragment.",
    why="RFC 8707 wants an absolute URI. The request is refused with status 400.",
    example='"resource": "mcp.acme.example"',
    fix='`"resource": "https://mcp.acme.example"`, or leave it out: it is derived from the URL.',
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
    fix='`"callback_port": 8666`, or leave it out.',
    source=_API,
)
HEADER = rule(
    "WRK007",
    "workload-header-refused",
    "A header cannot be forwarded",
    stage="process",
    checks="A header to forward has no valid name, is one that only the proxy may set, has a value with control"
    " characters, or takes its value from a secret without a name.",
    why="The request is refused with status 400. Headers that steer connections or say who the client is are not for"
    " configuration.",
    example='"add_plaintext_headers": { "X-Forwarded-For": "10.0.0.1" }',
    fix="Use a header of your own, such as `X-Tenant`.",
    source=_API,
)
RUNTIME = rule(
    "WRK008",
    "workload-runtime-refused",
    "The build settings cannot be used",
    stage="process",
    checks="`runtime_config` stands beside a plain image or a URL, or names no valid image or package.",
    why="It says how an image is built of a package (`uvx://`, `npx://`, `go://`): with anything else the request is"
    " refused with status 400.",
    example='"image": "ghcr.io/acme/fetch:1", "runtime_config": { "builder_image": "golang:1.25" }',
    fix="Drop `runtime_config`, or run a package.",
    source=_API,
)
TRANSPORT = rule(
    "WRK009",
    "workload-transport-refused",
    "The transport is unknown",
    stage="process",
    checks="`transport`, or that of the registry entry, is not one that the service knows.",
    why="The request is refused with status 400.",
    example='"transport": "http"',
    fix='`"transport": "streamable-http"`.',
    source=_BUILDER,
)
VOLUME = rule(
    "WRK010",
    "workload-volume-refused",
    "A volume cannot be read",
    stage="process",
    checks="A volume is not a path, `host:container` or `scheme://resource:container`, with or without `:ro`.",
    why="The request is refused with status 400. `:rw` is not known: writing is the default.",
    example='"volumes": ["/srv/data:/data:rw"]',
    fix='`"volumes": ["/srv/data:/data"]`.',
    source=_BUILDER,
)
VARIABLE_MISSING = rule(
    "WRK011",
    "workload-variable-missing",
    "A variable that the registry requires is not set",
    stage="process",
    checks="The registry entry requires an environment variable that neither `env_vars` nor `secrets` gives.",
    why="The request is refused with status 400.",
    example='{ "name": "weather", "image": "weather" } with an entry that requires `API_KEY`',
    fix='`"secrets": [ { "name": "weather-key", "target": "API_KEY" } ]`.',
    source="toolhive 0.21.0, runner: environment variables of registry entries.",
)
SECRET_MISSING = rule(
    "WRK012",
    "workload-secret-missing",
    "A secret variable of the registry entry is not set",
    stage="process",
    checks="The registry entry marks a variable as secret, and neither `env_vars` nor `secrets` gives it.",
    why="The API cannot ask for a secret, so it refuses the request even where the variable is not required.",
    example='{ "name": "weather", "image": "weather" } with an entry whose `TOKEN` is secret',
    fix='`"secrets": [ { "name": "weather-token", "target": "TOKEN" } ]`.',
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
    fix='`"tools_override": { "fetch": { "name": "get" } }`.',
    source=_BUILDER,
)
TOOL_UNKNOWN = rule(
    "WRK014",
    "workload-tool-unknown",
    "A tool is not among those of the registry entry",
    stage="process",
    checks="A name in `tools` or a key of `tools_override` is not one of the tools that the registry entry lists. In"
    " `tools` the new name of an overridden tool counts as that tool.",
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
    checks="`authz_config` names a file that is not one of the given ones, or is not an authorization configuration."
    " It is looked for at its path from the request, and from where the call is made. Without `--closed` this is an"
    " info: the file may be on the machine of the service.",
    why="The service reads the file when the workload is made, and refuses the request where that fails. Its content"
    " becomes part of the run configuration, so that nothing can be compiled without it.",
    example='"authz_config": "policies.toml"',
    fix="Name a JSON or YAML file with `version`, `type` and the policies.",
    source=_BUILDER,
)
DEFAULT_CRASH = rule(
    "WRK016",
    "workload-default-without-variables",
    "The service fails on a default of the registry entry",
    stage="process",
    checks="The registry entry has a default for a variable, and the request has no `env_vars` at all.",
    why="This version of the service puts the default into a map that does not exist, and fails with status 500.",
    example='{ "name": "weather", "image": "weather" } with an entry whose `REGION` has a default',
    fix='`"env_vars": {}`.',
    source="toolhive 0.21.0, runner: environment variables of registry entries.",
)
PROXY_PORT = rule(
    "WRK017",
    "workload-proxy-port-refused",
    "The port of the proxy cannot be bound",
    stage="process",
    checks="The port of the proxy, of the request or the registry entry, is not a port number.",
    why="A port that is asked for and cannot be bound is refused; it is not replaced.",
    example='"proxy_port": 70000',
    fix="Name a port up to 65535, or 0 for a free one.",
    source=_BUILDER,
)
NAME_TAKEN = rule(
    "WRK018",
    "workload-name-taken",
    "Another request has the name already",
    stage="process",
    checks="Two requests of the call have the same name.",
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
