"""Rules of workload requests that the service refuses."""

from __future__ import annotations

from ...diagnostics.finding import Rule
from .page import page

_API = "toolhive 0.21.0, workload routes and workload service."
_BUILDER = "toolhive 0.21.0, RunConfig builder."

UNDECODABLE = Rule(
    id="WRK001",
    name="workload-undecodable",
    stage="process",
    severity="error",
    title="The service cannot decode the request",
    doc=page(
        "A value does not fit the field that the service reads it into.",
        "The request is refused with status 400, and nothing is run.",
        example='{ "name": "fetch", "image": "ghcr.io/acme/fetch:1", "proxy_port": "8080" }',
        cure='`"proxy_port": 8080`.',
        source=_API,
    ),
)
NOTHING_TO_RUN = Rule(
    id="WRK002",
    name="workload-without-image",
    stage="process",
    severity="error",
    title="The request names neither an image nor a URL",
    doc=page(
        "Both `image` and `url` are empty or missing.",
        "There is nothing to run: the request is refused with status 400.",
        example='{ "name": "fetch" }',
        cure='`"image": "ghcr.io/acme/fetch:1"`, the name of a server in the registry, or the `url` of a remote one.',
        source=_API,
    ),
)
NAME_REFUSED = Rule(
    id="WRK003",
    name="workload-name-refused",
    stage="process",
    severity="error",
    title="The name of the workload is refused",
    doc=page(
        "The name is longer than 100 bytes, begins with two dots, or holds something else than letters, digits, dots,"
        " hyphens and underscores; or it is missing, and `image` is no container server of a registry among the files,"
        " whose name the workload would take.",
        "Names become names of files and containers. The API takes no other ones; the command line makes them safe.",
        example='"name": "my server"',
        cure='`"name": "my-server"`.',
        source=_API,
    ),
)
PROXY_MODE = Rule(
    id="WRK004",
    name="workload-proxy-mode-refused",
    stage="process",
    severity="error",
    title="The proxy mode is unknown",
    doc=page(
        "`proxy_mode` is neither `sse` nor `streamable-http`.",
        "The request is refused with status 400.",
        example='"proxy_mode": "http"',
        cure='`"proxy_mode": "streamable-http"`, or leave it out.',
        source=_API,
    ),
)
RESOURCE = Rule(
    id="WRK005",
    name="workload-resource-refused",
    stage="process",
    severity="error",
    title="The resource indicator is no absolute URI",
    doc=page(
        "`oauth_config.resource` has no scheme, no host, or a fragment.",
        "RFC 8707 wants an absolute URI. The request is refused with status 400.",
        example='"resource": "mcp.acme.example"',
        cure='`"resource": "https://mcp.acme.example"`, or leave it out: it is derived from the URL.',
        source=_API,
    ),
)
CALLBACK_PORT = Rule(
    id="WRK006",
    name="workload-callback-port-refused",
    stage="process",
    severity="error",
    title="The callback port is out of range",
    doc=page(
        "`oauth_config.callback_port` is neither 0 nor 1024 to 65535.",
        "The request is refused with status 400.",
        example='"callback_port": 80',
        cure='`"callback_port": 8666`, or leave it out.',
        source=_API,
    ),
)
HEADER = Rule(
    id="WRK007",
    name="workload-header-refused",
    stage="process",
    severity="error",
    title="A header cannot be forwarded",
    doc=page(
        "A header to forward has no valid name, is one that only the proxy may set, has a value with control"
        " characters, or takes its value from a secret without a name.",
        "The request is refused with status 400. Headers that steer connections or say who the client is are not for"
        " configuration.",
        example='"add_plaintext_headers": { "X-Forwarded-For": "10.0.0.1" }',
        cure="use a header of your own, such as `X-Tenant`.",
        source=_API,
    ),
)
RUNTIME = Rule(
    id="WRK008",
    name="workload-runtime-refused",
    stage="process",
    severity="error",
    title="The build settings cannot be used",
    doc=page(
        "`runtime_config` stands beside a plain image or a URL, or names no valid image or package.",
        "It says how an image is built of a package (`uvx://`, `npx://`, `go://`): with anything else the request is"
        " refused with status 400.",
        example='"image": "ghcr.io/acme/fetch:1", "runtime_config": { "builder_image": "golang:1.25" }',
        cure="drop `runtime_config`, or run a package.",
        source=_API,
    ),
)
TRANSPORT = Rule(
    id="WRK009",
    name="workload-transport-refused",
    stage="process",
    severity="error",
    title="The transport is unknown",
    doc=page(
        "`transport`, or that of the registry entry, is none that the service knows.",
        "The request is refused with status 400.",
        example='"transport": "http"',
        cure='`"transport": "streamable-http"`.',
        source=_BUILDER,
    ),
)
VOLUME = Rule(
    id="WRK010",
    name="workload-volume-refused",
    stage="process",
    severity="error",
    title="A volume cannot be read",
    doc=page(
        "A volume is no path, `host:container` or `scheme://resource:container`, with or without `:ro`.",
        "The request is refused with status 400. `:rw` is not known: writing is the default.",
        example='"volumes": ["/srv/data:/data:rw"]',
        cure='`"volumes": ["/srv/data:/data"]`.',
        source=_BUILDER,
    ),
)
VARIABLE_MISSING = Rule(
    id="WRK011",
    name="workload-variable-missing",
    stage="process",
    severity="error",
    title="A variable that the registry requires is not given",
    doc=page(
        "The registry entry requires an environment variable that neither `env_vars` nor `secrets` gives.",
        "The request is refused with status 400.",
        example='{ "name": "weather", "image": "weather" } with an entry that requires `API_KEY`',
        cure='`"secrets": [ { "name": "weather-key", "target": "API_KEY" } ]`.',
        source="toolhive 0.21.0, runner: environment variables of registry entries.",
    ),
)
SECRET_MISSING = Rule(
    id="WRK012",
    name="workload-secret-missing",
    stage="process",
    severity="error",
    title="A secret variable of the registry entry is not given",
    doc=page(
        "The registry entry marks a variable as secret, and neither `env_vars` nor `secrets` gives it.",
        "The API cannot ask for a secret, so it refuses the request even where the variable is not required.",
        example='{ "name": "weather", "image": "weather" } with an entry whose `TOKEN` is secret',
        cure='`"secrets": [ { "name": "weather-token", "target": "TOKEN" } ]`.',
        source="toolhive 0.21.0, runner: environment variables of registry entries.",
    ),
)
OVERRIDE_EMPTY = Rule(
    id="WRK013",
    name="workload-override-empty",
    stage="process",
    severity="error",
    title="An override changes nothing",
    doc=page(
        "An entry of `tools_override` has neither a name nor a description.",
        "The request is refused with status 400.",
        example='"tools_override": { "fetch": {} }',
        cure='`"tools_override": { "fetch": { "name": "get" } }`.',
        source=_BUILDER,
    ),
)
TOOL_UNKNOWN = Rule(
    id="WRK014",
    name="workload-tool-unknown",
    stage="process",
    severity="error",
    title="A tool is not among those of the registry entry",
    doc=page(
        "A name in `tools` or a key of `tools_override` is none of the tools that the registry entry lists. In `tools`"
        " the new name of an overridden tool counts as that tool.",
        "The request is refused with status 400.",
        example='"tools": ["fetsh"]',
        cure="name a tool that the entry lists.",
        source=_BUILDER,
    ),
)
AUTHZ_FILE = Rule(
    id="WRK015",
    name="workload-authz-unreadable",
    stage="process",
    severity="error",
    title="The authorization file cannot be read",
    doc=page(
        "`authz_config` names a file that is none of the given ones, or is no authorization configuration. It is looked"
        " for at its path from the request, and from where the call is made. Without `--closed` this is an info: the"
        " file may be on the machine of the service.",
        "The service reads the file when the workload is made, and refuses the request where that fails. Its content"
        " becomes part of the run configuration, so that nothing can be compiled without it.",
        example='"authz_config": "policies.toml"',
        cure="name a JSON or YAML file with `version`, `type` and the policies.",
        source=_BUILDER,
    ),
)
DEFAULT_CRASH = Rule(
    id="WRK016",
    name="workload-default-without-variables",
    stage="process",
    severity="error",
    title="The service fails on a default of the registry entry",
    doc=page(
        "The registry entry has a default for a variable, and the request has no `env_vars` at all.",
        "This version of the service puts the default into a map that does not exist, and fails with status 500.",
        example='{ "name": "weather", "image": "weather" } with an entry whose `REGION` has a default',
        cure='`"env_vars": {}`.',
        source="toolhive 0.21.0, runner: environment variables of registry entries.",
    ),
)
PROXY_PORT = Rule(
    id="WRK017",
    name="workload-proxy-port-refused",
    stage="process",
    severity="error",
    title="The port of the proxy cannot be bound",
    doc=page(
        "The port of the proxy, of the request or the registry entry, is no port number.",
        "A port that is asked for and cannot be bound is refused; it is not replaced.",
        example='"proxy_port": 70000',
        cure="name a port up to 65535, or 0 for a free one.",
        source=_BUILDER,
    ),
)
NAME_TAKEN = Rule(
    id="WRK018",
    name="workload-name-taken",
    stage="process",
    severity="error",
    title="Another request has the name already",
    doc=page(
        "Two requests of the call have the same name.",
        "The second is refused with status 409, unless the first workload has failed.",
        example='"name": "fetch" in two files',
        cure="rename one of the two.",
        source=_API,
    ),
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
