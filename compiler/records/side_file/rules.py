"""Rules of files beside a run configuration (audit, webhooks, tool overrides, environment), and of bodies of the API.

They hold for the same blocks inside of a run configuration too.
"""

from __future__ import annotations

from ...diagnostics.finding import rule

_AUDIT = "toolhive 0.21.0, package audit."
_WEBHOOK = "toolhive 0.21.0, package webhook."
_TOOLS = "toolhive 0.21.0, packages cli and mcp: tool overrides."
_ENV = "toolhive 0.21.0, package runner: files of environment variables."

UNDECODABLE = rule(
    "FIL001",
    "file-undecodable",
    "A value of a configuration file does not fit its key",
    stage="process",
    unmodelled="newer",
    checks="A value has the wrong type for its key: a string for a number, a single value for a list.",
    why="The file cannot be decoded, and the process that uses it does not start.",
    example='{ "maxDataSize": "1024" }',
    fix='Write `"maxDataSize": 1024`.',
    source="toolhive 0.21.0: encoding/json of Go reads these files.",
)
UNKNOWN_FIELD = rule(
    "FIL002",
    "file-unknown-field",
    "A key of a configuration file is not known",
    stage="lint",
    checks="The program does not know a key. The finding is a warning where the key resembles a known one, otherwise an"
    " info.",
    why="It is silently skipped: the setting has no effect.",
    example='{ "event_types": ["mcp_tool_call"] }',
    fix='Write `"eventTypes"`.',
    source="toolhive 0.21.0: encoding/json of Go reads these files.",
)
NOT_JSON = rule(
    "FIL003",
    "file-not-json",
    "A file is YAML, but is read as JSON",
    stage="process",
    checks="The file is written in YAML, but the program reads only JSON there.",
    why="The program cannot decode the file, and does not start.",
    example="transport: stdio",
    fix='Write `{ "transport": "stdio" }`.',
    source="toolhive 0.21.0: encoding/json of Go reads these files.",
)
AUDIT_EVENT = rule(
    "FIL020",
    "audit-event-unknown",
    "An audit configuration names an event that does not exist",
    stage="process",
    checks="An item of `eventTypes` or `excludeEventTypes` is not one of the events that can be chosen.",
    why="The middleware cannot be built, and the proxy does not start.",
    example='"eventTypes": ["tool_call"]',
    fix='Write `"mcp_tool_call"`.',
    source=_AUDIT,
)
AUDIT_SIZE = rule(
    "FIL021",
    "audit-size-negative",
    "The maximum data size of an audit event is negative, or its maximum depth not positive",
    stage="process",
    checks="`maxDataSize` is below 0; from release 0.41.0 on also `maxDelegationDepth` below 1.",
    why="The middleware cannot be built, and the proxy does not start.",
    example='"maxDataSize": -1',
    fix="Remove it to use the default, 1024 bytes; to log no data, remove `includeRequestData` too.",
    source=_AUDIT,
)
AUDIT_SWITCH = rule(
    "FIL022",
    "audit-switched-on",
    "An audit configuration is disabled, but takes effect anyway",
    stage="lint",
    checks="`enabled` is false.",
    why="Nothing reads the field: where there is an audit configuration, auditing is on.",
    example='{ "enabled": false }',
    fix="Remove the whole configuration.",
    source=_AUDIT,
)
AUDIT_CONFLICT = rule(
    "FIL023",
    "audit-event-excluded",
    "An audit event is both included and excluded",
    stage="lint",
    checks="An event is in both `eventTypes` and `excludeEventTypes`.",
    why="The exclusion wins: the event is not logged.",
    example='{ "eventTypes": ["mcp_ping"], "excludeEventTypes": ["mcp_ping"] }',
    fix="Remove it from one of the two.",
    source=_AUDIT,
)
WEBHOOK_INCOMPLETE = rule(
    "FIL030",
    "webhook-incomplete",
    "A webhook has no name, no URL or no failure policy",
    stage="process",
    checks="`name` or `url` is missing or empty, `url` is not an absolute URL or path, or `failure_policy` is neither"
    " `fail` nor `ignore`; it has no default.",
    why="The middleware cannot be built, and the proxy does not start.",
    example='{ "name": "policy", "url": "https://policy.acme.io/validate" }',
    fix='Write `"failure_policy": "fail"`.',
    source=_WEBHOOK,
)
WEBHOOK_INSECURE = rule(
    "FIL031",
    "webhook-not-https",
    "The URL of a webhook is not HTTPS",
    stage="process",
    checks="The URL of a webhook is not https, and `tls_config.insecure_skip_verify` is not true.",
    why="The middleware cannot be built, and the proxy does not start.",
    example='"url": "http://policy.acme.io/validate"',
    fix="Use https or, inside a cluster, `insecure_skip_verify`.",
    source=_WEBHOOK,
)
WEBHOOK_TIMEOUT = rule(
    "FIL032",
    "webhook-timeout-refused",
    "The timeout of a webhook is not between 1 and 30 seconds",
    stage="process",
    checks="`timeout` is below one second or above thirty. A number, which only JSON files may have, is in nanoseconds;"
    " 0 means ten seconds.",
    why="The middleware cannot be built, and the proxy does not start.",
    example='"timeout": 5',
    fix='Write `"timeout": "5s"`.',
    source=_WEBHOOK,
)
WEBHOOK_CERTIFICATE = rule(
    "FIL033",
    "webhook-certificate-incomplete",
    "A file of webhooks has a client certificate without its key, or a key without its certificate",
    stage="process",
    checks="Only one of `client_cert_path` and `client_key_path` is set.",
    why="The middleware cannot be built, and the proxy does not start.",
    example='"tls_config": { "client_cert_path": "/certs/tls.crt" }',
    fix='Write `"client_key_path": "/certs/tls.key"` beside it.',
    source=_WEBHOOK,
)
WEBHOOK_TWIN = rule(
    "FIL034",
    "webhook-name-twice",
    "Two webhooks of a kind have the same name",
    stage="lint",
    checks="Two webhooks of one list have the same name.",
    why="Webhook files are merged by name: of two with the same name only the later one is used.",
    example='{ "validating": [{ "name": "a", … }, { "name": "a", … }] }',
    fix="Rename one of the two.",
    source=_WEBHOOK,
)
WEBHOOK_UNSIGNED = rule(
    "FIL035",
    "webhook-unsigned",
    "A webhook has a signing secret that is not used",
    stage="lint",
    checks="`hmac_secret_ref` is set.",
    why="The release does not read the secret: calls carry no signature.",
    example='"hmac_secret_ref": "webhook-key"',
    fix="Let the webhook authenticate its callers in another way, such as with client certificates.",
    source=_WEBHOOK,
    until="0.27.0",
)
OVERRIDES_MISSING = rule(
    "FIL040",
    "tool-overrides-missing",
    "A file of tool overrides contains none",
    stage="process",
    checks="There is no `toolsOverride` at the top of the file, or it is null.",
    why="The file is refused, and nothing runs.",
    example='{ "fetch": { "name": "get" } }',
    fix='Write `{ "toolsOverride": { "fetch": { "name": "get" } } }`.',
    source=_TOOLS,
)
OVERRIDE_EMPTY = rule(
    "FIL041",
    "tool-override-empty",
    "The override of a tool changes nothing",
    stage="process",
    checks="The override of a tool has neither a `name` nor a `description`, or the name of the tool is empty.",
    why="The middleware cannot be built, and the proxy does not start.",
    example='{ "toolsOverride": { "fetch": {} } }',
    fix="Set a new name or description, or remove the tool.",
    source=_TOOLS,
)
OVERRIDE_TWIN = rule(
    "FIL042",
    "tool-override-name-twice",
    "A file of tool overrides gives two tools the same name",
    stage="lint",
    checks="Two overrides have the same new name, or one has the name of a tool that keeps its own.",
    why="Calls by that name reach only one of the two, and which one may change whenever the proxy starts.",
    example='{ "toolsOverride": { "get": { "name": "fetch" }, "load": { "name": "fetch" } } }',
    fix="Use a different name for each.",
    source=_TOOLS,
)
OVERRIDE_UNFIT = rule(
    "FIL057",
    "tool-override-name-unfit",
    "A file of tool overrides gives a tool a name that clients refuse",
    stage="lint",
    checks="The new name of a tool contains a space or another character that tool names cannot contain, or is longer"
    " than 128 characters.",
    why="The product does not refuse it. Clients and models accept names of letters, digits, `_`, `-` and `.`; they"
    " drop tools with other names, or fail on the whole list of tools.",
    example='{ "toolsOverride": { "get": { "name": "get page" } } }',
    fix='Write `"get_page"`.',
    source="Model Context Protocol, revision 2025-11-25, tools: names.",
)
ENV_KEY = rule(
    "FIL050",
    "env-key-empty",
    "A line of an environment file names no variable",
    stage="process",
    checks="A line begins with an equals sign.",
    why="The whole file is refused; in a folder of such files it is skipped, with only a warning in the log.",
    example="=debug",
    fix="Write `LOG_LEVEL=debug`.",
    source=_ENV,
)
ENV_SKIPPED = rule(
    "FIL051",
    "env-line-skipped",
    "A line of an environment file is skipped",
    stage="lint",
    checks="A line is not a comment, but has no equals sign.",
    why="The line is silently skipped: the variable is not set.",
    example="LOG_LEVEL debug",
    fix="Write `LOG_LEVEL=debug`.",
    source=_ENV,
)
ENV_QUOTED = rule(
    "FIL052",
    "env-value-quoted",
    "The quotes of a value become part of it",
    stage="lint",
    checks="A value is in quotes, with or without a comment after it.",
    why="Unlike in a shell, values are used as they are: with their quotes, and with anything after a #.",
    example='TOKEN="abc" # for tests',
    fix="Write `TOKEN=abc`, with the comment on a line of its own.",
    source=_ENV,
)
ENV_TWIN = rule(
    "FIL053",
    "env-key-twice",
    "An environment file sets a variable twice",
    stage="lint",
    checks="Two lines set the same variable.",
    why="The later one wins.",
    example="""
        LOG_LEVEL=info
        LOG_LEVEL=debug
        """,
    fix="Remove one of the two.",
    source=_ENV,
)
ENV_NAME = rule(
    "FIL054",
    "env-key-odd",
    "The name of a variable is one that programs cannot read",
    stage="lint",
    checks="A name contains something other than letters, digits and underscores, or begins with a digit.",
    why="It is passed on as it is, but shells and many programs cannot read such a variable. A space before the equals"
    " sign is part of the name.",
    example="""
        LOG LEVEL=debug
        LOG_LEVEL =debug
        """,
    fix="Write `LOG_LEVEL=debug`.",
    source=_ENV,
)
BODY = rule(
    "FIL055",
    "body-refused",
    "The management API refuses the body of an operation",
    stage="process",
    checks="In a body that is checked with `--as` and the name of its schema: a value of the wrong type, a missing"
    " field, an unknown word.",
    why="The service answers with an error and does nothing.",
    example='{ "key": "token" }  # a new secret needs a value',
    fix="Correct the body; `mcpcfg schema NAME` prints what it may contain.",
    source="The specification of the management API, version 1 beta.",
)
ANSWER = rule(
    "FIL056",
    "answer-unlike-schema",
    "An answer of the management API does not match its schema",
    stage="lint",
    checks="In an answer that is checked with `--as` and the name of its schema, anything that the schema does not"
    " allow.",
    why="Nothing refuses it, but a program tested with it gets a different answer from the real service.",
    example='{ "workloads": {} }',
    fix="Correct the answer; `mcpcfg schema NAME` prints what the service returns.",
    source="The specification of the management API, version 1 beta.",
)
RULES = (
    UNDECODABLE,
    UNKNOWN_FIELD,
    NOT_JSON,
    AUDIT_EVENT,
    AUDIT_SIZE,
    AUDIT_SWITCH,
    AUDIT_CONFLICT,
    WEBHOOK_INCOMPLETE,
    WEBHOOK_INSECURE,
    WEBHOOK_TIMEOUT,
    WEBHOOK_CERTIFICATE,
    WEBHOOK_TWIN,
    WEBHOOK_UNSIGNED,
    OVERRIDES_MISSING,
    OVERRIDE_EMPTY,
    OVERRIDE_TWIN,
    OVERRIDE_UNFIT,
    ENV_KEY,
    ENV_SKIPPED,
    ENV_QUOTED,
    ENV_TWIN,
    ENV_NAME,
    BODY,
    ANSWER,
)
