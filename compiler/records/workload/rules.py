"""Rules of workload requests that the service refuses."""

from __future__ import annotations

from ...diagnostics.finding import rule

API = "toolhive 0.21.0, workload routes and workload service."
BUILDER = "toolhive 0.21.0, RunConfig builder."

OVERRIDE_EMPTY = rule(
    "WRK013",
    "workload-override-empty",
    "An override changes nothing",
    stage="process",
    checks="An entry of `tools_override` has neither a name nor a description.",
    why="The request is refused with status 400.",
    example='"tools_override": { "fetch": {} }',
    fix='Write `"tools_override": { "fetch": { "name": "get" } }`.',
    source=BUILDER,
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
    source=BUILDER,
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
    source=BUILDER,
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
    source=BUILDER,
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
    source=API,
)
