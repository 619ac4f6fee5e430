"""Rules of the files beside a run configuration: audit, webhooks, tool overrides, environment.

They hold for the same blocks inside of a run configuration too.
"""

from __future__ import annotations

from ...diagnostics.finding import Rule
from .page import page

_AUDIT = "toolhive 0.21.0, package audit."
_WEBHOOK = "toolhive 0.21.0, package webhook."
_TOOLS = "toolhive 0.21.0, packages cli and mcp: tool overrides."
_ENV = "toolhive 0.21.0, package runner: files of environment variables."

UNDECODABLE = Rule(
    id="FIL001",
    name="file-undecodable",
    stage="process",
    severity="error",
    title="A value of a configuration file does not fit its key",
    doc=page(
        "A value is of another kind than the key takes: text for a number, one value for a list.",
        "The file cannot be decoded, and what should use it does not start.",
        example='{ "maxDataSize": "1024" }',
        cure='`"maxDataSize": 1024`.',
        source="toolhive 0.21.0: encoding/json of Go reads these files.",
    ),
)
UNKNOWN_FIELD = Rule(
    id="FIL002",
    name="file-unknown-field",
    stage="lint",
    severity="warning",
    title="A key of a configuration file is not known",
    doc=page(
        "A key is none that the program knows. It is a warning where a known key is spelt nearly so, else an info.",
        "It is skipped in silence: what was meant does not happen.",
        example='{ "event_types": ["mcp_tool_call"] }',
        cure='`"eventTypes"`.',
        source="toolhive 0.21.0: encoding/json of Go reads these files.",
    ),
)
NOT_JSON = Rule(
    id="FIL003",
    name="file-not-json",
    stage="process",
    severity="error",
    title="A file is YAML, and is read as JSON",
    doc=page(
        "The file is written in YAML, and the program reads JSON alone there.",
        "It cannot be decoded.",
        example="transport: stdio",
        cure='`{ "transport": "stdio" }`.',
        source="toolhive 0.21.0: encoding/json of Go reads these files.",
    ),
)
AUDIT_EVENT = Rule(
    id="FIL020",
    name="audit-event-unknown",
    stage="process",
    severity="error",
    title="An audit configuration names an event that does not exist",
    doc=page(
        "An item of `eventTypes` or `excludeEventTypes` is none of the events that can be chosen.",
        "The middleware cannot be built, and the proxy does not start.",
        example='"eventTypes": ["tool_call"]',
        cure='`"mcp_tool_call"`.',
        source=_AUDIT,
    ),
)
AUDIT_SIZE = Rule(
    id="FIL021",
    name="audit-size-negative",
    stage="process",
    severity="error",
    title="The most data of an audit event is negative",
    doc=page(
        "`maxDataSize` is below 0.",
        "The middleware cannot be built, and the proxy does not start.",
        example='"maxDataSize": -1',
        cure="leave it out, for 1024 bytes, and `includeRequestData` too where no data is wanted.",
        source=_AUDIT,
    ),
)
AUDIT_SWITCH = Rule(
    id="FIL022",
    name="audit-switched-on",
    stage="lint",
    severity="warning",
    title="An audit configuration says that it is off, and is on",
    doc=page(
        "`enabled` is false.",
        "Nobody looks at it: where an audit configuration is given, audit is on.",
        example='{ "enabled": false }',
        cure="leave the whole configuration out.",
        source=_AUDIT,
    ),
)
AUDIT_CONFLICT = Rule(
    id="FIL023",
    name="audit-event-excluded",
    stage="lint",
    severity="warning",
    title="An audit event is asked for and left out",
    doc=page(
        "An event stands in `eventTypes` and in `excludeEventTypes`.",
        "What is excluded is not logged.",
        example='{ "eventTypes": ["mcp_ping"], "excludeEventTypes": ["mcp_ping"] }',
        cure="drop it from one of the two.",
        source=_AUDIT,
    ),
)
WEBHOOK_INCOMPLETE = Rule(
    id="FIL030",
    name="webhook-incomplete",
    stage="process",
    severity="error",
    title="A webhook has no name, no URL or no failure policy",
    doc=page(
        "`name` or `url` is missing or empty, `url` is no absolute URL or path, or `failure_policy` is neither `fail`"
        " nor `ignore`; it has no default.",
        "The middleware cannot be built, and the proxy does not start.",
        example='{ "name": "policy", "url": "https://policy.acme.io/validate" }',
        cure='`"failure_policy": "fail"`.',
        source=_WEBHOOK,
    ),
)
WEBHOOK_INSECURE = Rule(
    id="FIL031",
    name="webhook-not-https",
    stage="process",
    severity="error",
    title="A webhook is not called over HTTPS",
    doc=page(
        "The URL of a webhook is not https, and `tls_config.insecure_skip_verify` is not true.",
        "The middleware cannot be built, and the proxy does not start.",
        example='"url": "http://policy.acme.io/validate"',
        cure="use https, or, inside of a cluster, `insecure_skip_verify`.",
        source=_WEBHOOK,
    ),
)
WEBHOOK_TIMEOUT = Rule(
    id="FIL032",
    name="webhook-timeout-refused",
    stage="process",
    severity="error",
    title="The timeout of a webhook is not within 1 and 30 seconds",
    doc=page(
        "`timeout` is below one second or above thirty. A number, which JSON alone may have, counts nanoseconds; 0"
        " stands for ten seconds.",
        "The middleware cannot be built, and the proxy does not start.",
        example='"timeout": 5',
        cure='`"timeout": "5s"`.',
        source=_WEBHOOK,
    ),
)
WEBHOOK_CERTIFICATE = Rule(
    id="FIL033",
    name="webhook-certificate-incomplete",
    stage="process",
    severity="error",
    title="A webhook has a client certificate without its key, or the key alone",
    doc=page(
        "One of `client_cert_path` and `client_key_path` is given.",
        "The middleware cannot be built, and the proxy does not start.",
        example='"tls_config": { "client_cert_path": "/certs/tls.crt" }',
        cure='`"client_key_path": "/certs/tls.key"` beside it.',
        source=_WEBHOOK,
    ),
)
WEBHOOK_TWIN = Rule(
    id="FIL034",
    name="webhook-name-twice",
    stage="lint",
    severity="warning",
    title="Two webhooks of a kind have one name",
    doc=page(
        "Two webhooks of one list have the same name.",
        "Files of webhooks are merged by name: of two with one name the later counts alone.",
        example='{ "validating": [{ "name": "a", … }, { "name": "a", … }] }',
        cure="rename one of the two.",
        source=_WEBHOOK,
    ),
)
WEBHOOK_UNSIGNED = Rule(
    id="FIL035",
    name="webhook-unsigned",
    stage="lint",
    severity="warning",
    title="A webhook is to be signed, and is not",
    doc=page(
        "`hmac_secret_ref` is set.",
        "This version does not look the secret up: calls carry no signature.",
        example='"hmac_secret_ref": "webhook-key"',
        cure="have the webhook know its callers otherwise, such as by client certificates.",
        source=_WEBHOOK,
    ),
)
OVERRIDES_MISSING = Rule(
    id="FIL040",
    name="tool-overrides-missing",
    stage="process",
    severity="error",
    title="A file of tool overrides has none",
    doc=page(
        "There is no `toolsOverride` at the top of the file, or it is null.",
        "The file is refused, and nothing is run.",
        example='{ "fetch": { "name": "get" } }',
        cure='`{ "toolsOverride": { "fetch": { "name": "get" } } }`.',
        source=_TOOLS,
    ),
)
OVERRIDE_EMPTY = Rule(
    id="FIL041",
    name="tool-override-empty",
    stage="process",
    severity="error",
    title="The override of a tool changes nothing",
    doc=page(
        "The override of a tool has neither a `name` nor a `description`, or the name of the tool is empty.",
        "The middleware cannot be built, and the proxy does not start.",
        example='{ "toolsOverride": { "fetch": {} } }',
        cure="give a new name or description, or drop the tool.",
        source=_TOOLS,
    ),
)
OVERRIDE_TWIN = Rule(
    id="FIL042",
    name="tool-override-name-twice",
    stage="lint",
    severity="warning",
    title="Two tools get one name",
    doc=page(
        "Two overrides have the same new name, or one has the name of a tool that keeps its own.",
        "Calls by that name reach one of the two, and which one may change from start to start.",
        example='{ "toolsOverride": { "get": { "name": "fetch" }, "load": { "name": "fetch" } } }',
        cure="give each its own name.",
        source=_TOOLS,
    ),
)
ENV_KEY = Rule(
    id="FIL050",
    name="env-key-empty",
    stage="process",
    severity="error",
    title="A line of an environment file has no name",
    doc=page(
        "A line begins with an equals sign.",
        "The whole file is refused; in a folder of such files it is left out, with a warning in the log alone.",
        example="=debug",
        cure="`LOG_LEVEL=debug`.",
        source=_ENV,
    ),
)
ENV_SKIPPED = Rule(
    id="FIL051",
    name="env-line-skipped",
    stage="lint",
    severity="warning",
    title="A line of an environment file is skipped",
    doc=page(
        "A line is no comment and has no equals sign.",
        "It is skipped in silence.",
        example="LOG_LEVEL debug",
        cure="`LOG_LEVEL=debug`.",
        source=_ENV,
    ),
)
ENV_QUOTED = Rule(
    id="FIL052",
    name="env-value-quoted",
    stage="lint",
    severity="warning",
    title="The quotes of a value become part of it",
    doc=page(
        "A value stands in quotes; a comment may follow it.",
        "Values are taken as they are, unlike in a shell: with their quotes and with what follows a #.",
        example='TOKEN="abc" # for tests',
        cure="`TOKEN=abc`, with the comment on a line of its own.",
        source=_ENV,
    ),
)
ENV_TWIN = Rule(
    id="FIL053",
    name="env-key-twice",
    stage="lint",
    severity="warning",
    title="A variable is set twice",
    doc=page(
        "Two lines set the same variable.",
        "The later one counts.",
        example="LOG_LEVEL=info\nLOG_LEVEL=debug",
        cure="drop one of the two.",
        source=_ENV,
    ),
)
ENV_NAME = Rule(
    id="FIL054",
    name="env-key-odd",
    stage="lint",
    severity="warning",
    title="The name of a variable is one that programs cannot read",
    doc=page(
        "A name holds something else than letters, digits and underscores, or begins with a digit.",
        "It is passed on as it is; shells and many programs cannot read such a variable. Space before the equals sign"
        " is part of the name.",
        example="LOG LEVEL=debug\nLOG_LEVEL =debug",
        cure="`LOG_LEVEL=debug`.",
        source=_ENV,
    ),
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
    ENV_KEY,
    ENV_SKIPPED,
    ENV_QUOTED,
    ENV_TWIN,
    ENV_NAME,
)
