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
    checks="A value is of another kind than the key takes: a string for a number, one value for a list.",
    why="The file cannot be decoded, and what should use it does not start.",
    example='{ "maxDataSize": "1024" }',
    fix='`"maxDataSize": 1024`.',
    source="toolhive 0.21.0: encoding/json of Go reads these files.",
)
UNKNOWN_FIELD = rule(
    "FIL002",
    "file-unknown-field",
    "A key of a configuration file is not known",
    stage="lint",
    checks="A key is not one that the program knows. It is a warning where a known key is spelt nearly so, else an"
    " info.",
    why="It is silently skipped: what was meant does not happen.",
    example='{ "event_types": ["mcp_tool_call"] }',
    fix='`"eventTypes"`.',
    source="toolhive 0.21.0: encoding/json of Go reads these files.",
)
NOT_JSON = rule(
    "FIL003",
    "file-not-json",
    "A file is YAML, and is read as JSON",
    stage="process",
    checks="The file is written in YAML, and the program reads JSON alone there.",
    why="It cannot be decoded.",
    example="transport: stdio",
    fix='`{ "transport": "stdio" }`.',
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
    fix='`"mcp_tool_call"`.',
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
    fix="Leave it out, for 1024 bytes, and `includeRequestData` too where no data is wanted.",
    source=_AUDIT,
)
AUDIT_SWITCH = rule(
    "FIL022",
    "audit-switched-on",
    "An audit configuration is switched off and takes effect anyway",
    stage="lint",
    checks="`enabled` is false.",
    why="Nothing checks it: where an audit configuration is given, audit is on.",
    example='{ "enabled": false }',
    fix="Leave the whole configuration out.",
    source=_AUDIT,
)
AUDIT_CONFLICT = rule(
    "FIL023",
    "audit-event-excluded",
    "An audit event is both included and excluded",
    stage="lint",
    checks="An event stands in `eventTypes` and in `excludeEventTypes`.",
    why="What is excluded is not logged.",
    example='{ "eventTypes": ["mcp_ping"], "excludeEventTypes": ["mcp_ping"] }',
    fix="Drop it from one of the two.",
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
    fix='`"failure_policy": "fail"`.',
    source=_WEBHOOK,
)
WEBHOOK_INSECURE = rule(
    "FIL031",
    "webhook-not-https",
    "A webhook is not called over HTTPS",
    stage="process",
    checks="The URL of a webhook is not https, and `tls_config.insecure_skip_verify` is not true.",
    why="The middleware cannot be built, and the proxy does not start.",
    example='"url": "http://policy.acme.io/validate"',
    fix="Use https, or, inside of a cluster, `insecure_skip_verify`.",
    source=_WEBHOOK,
)
WEBHOOK_TIMEOUT = rule(
    "FIL032",
    "webhook-timeout-refused",
    "The timeout of a webhook is not within 1 and 30 seconds",
    stage="process",
    checks="`timeout` is below one second or above thirty. A number, which JSON alone may have, counts nanoseconds; 0"
    " stands for ten seconds.",
    why="The middleware cannot be built, and the proxy does not start.",
    example='"timeout": 5',
    fix='`"timeout": "5s"`.',
    source=_WEBHOOK,
)
WEBHOOK_CERTIFICATE = rule(
    "FIL033",
    "webhook-certificate-incomplete",
    "A webhook has a client certificate without its key, or the key alone",
    stage="process",
    checks="One of `client_cert_path` and `client_key_path` is given.",
    why="The middleware cannot be built, and the proxy does not start.",
    example='"tls_config": { "client_cert_path": "/certs/tls.crt" }',
    fix='`"client_key_path": "/certs/tls.key"` beside it.',
    source=_WEBHOOK,
)
WEBHOOK_TWIN = rule(
    "FIL034",
    "webhook-name-twice",
    "Two webhooks of a kind have one name",
    stage="lint",
    checks="Two webhooks of one list have the same name.",
    why="Files of webhooks are merged by name: of two with one name the later counts alone.",
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
    why="The release does not look the secret up: calls carry no signature.",
    example='"hmac_secret_ref": "webhook-key"',
    fix="Have the webhook know its callers otherwise, such as by client certificates.",
    source=_WEBHOOK,
    until="0.27.0",
)
OVERRIDES_MISSING = rule(
    "FIL040",
    "tool-overrides-missing",
    "A file of tool overrides has none",
    stage="process",
    checks="There is no `toolsOverride` at the top of the file, or it is null.",
    why="The file is refused, and nothing is run.",
    example='{ "fetch": { "name": "get" } }',
    fix='`{ "toolsOverride": { "fetch": { "name": "get" } } }`.',
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
    fix="Set a new name or description, or drop the tool.",
    source=_TOOLS,
)
OVERRIDE_TWIN = rule(
    "FIL042",
    "tool-override-name-twice",
    "Two tools get one name",
    stage="lint",
    checks="Two overrides have the same new name, or one has the name of a tool that keeps its own.",
    why="Calls by that name reach one of the two, and which one may change from start to start.",
    example='{ "toolsOverride": { "get": { "name": "fetch" }, "load": { "name": "fetch" } } }',
    fix="Use a different name for each.",
    source=_TOOLS,
)
OVERRIDE_UNFIT = rule(
    "FIL057",
    "tool-override-name-unfit",
    "A tool gets a name that clients refuse",
    stage="lint",
    checks="The new name of a tool holds a space or another character that names of tools do not have, or is longer"
    " than 128 characters.",
    why="Nothing of the product refuses it. Clients and models take names of letters, digits, `_`, `-` and `.`; others"
    " they drop, or they fail on the list of tools.",
    example='{ "toolsOverride": { "get": { "name": "get page" } } }',
    fix='`"get_page"`.',
    source="Model Context Protocol, revision 2025-11-25, tools: names.",
)
ENV_KEY = rule(
    "FIL050",
    "env-key-empty",
    "A line of an environment file has no name",
    stage="process",
    checks="A line begins with an equals sign.",
    why="The whole file is refused; in a folder of such files it is left out, with a warning in the log alone.",
    example="=debug",
    fix="`LOG_LEVEL=debug`.",
    source=_ENV,
)
ENV_SKIPPED = rule(
    "FIL051",
    "env-line-skipped",
    "A line of an environment file is skipped",
    stage="lint",
    checks="A line is not a comment and has no equals sign.",
    why="It is silently skipped.",
    example="LOG_LEVEL debug",
    fix="`LOG_LEVEL=debug`.",
    source=_ENV,
)
ENV_QUOTED = rule(
    "FIL052",
    "env-value-quoted",
    "The quotes of a value become part of it",
    stage="lint",
    checks="A value stands in quotes; a comment may follow it.",
    why="Values are taken as they are, unlike in a shell: with their quotes and with what follows a #.",
    example='TOKEN="abc" # for tests',
    fix="`TOKEN=abc`, with the comment on a line of its own.",
    source=_ENV,
)
ENV_TWIN = rule(
    "FIL053",
    "env-key-twice",
    "A variable is set twice",
    stage="lint",
    checks="Two lines set the same variable.",
    why="The later one counts.",
    example="""
        LOG_LEVEL=info
        LOG_LEVEL=debug
        """,
    fix="Drop one of the two.",
    source=_ENV,
)
ENV_NAME = rule(
    "FIL054",
    "env-key-odd",
    "The name of a variable is one that programs cannot read",
    stage="lint",
    checks="A name holds something else than letters, digits and underscores, or begins with a digit.",
    why="It is passed on as it is; shells and many programs cannot read such a variable. Space before the equals sign"
    " is part of the name.",
    example="""
        LOG LEVEL=debug
        LOG_LEVEL =debug
        """,
    fix="`LOG_LEVEL=debug`.",
    source=_ENV,
)
BODY = rule(
    "FIL055",
    "body-refused",
    "The body of an operation is not one that the management API takes",
    stage="process",
    checks="A body that is checked with `--as` and the name of its schema: a value of another type, a field that is"
    " missing, a word that is none of those that there are.",
    why="The service answers with an error and does nothing.",
    example='{ "key": "token" }  # a secret that is made needs a value',
    fix="`mcpcfg schema NAME` prints what the body may hold.",
    source="The specification of the management API, version 1 beta.",
)
ANSWER = rule(
    "FIL056",
    "answer-unlike-schema",
    "An answer of the management API is not as its schema says",
    stage="lint",
    checks="An answer that is checked with `--as` and the name of its schema.",
    why="Nothing refuses it. What is tested with it meets another answer in use.",
    example='{ "workloads": {} }',
    fix="`mcpcfg schema NAME` prints what the service answers.",
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
