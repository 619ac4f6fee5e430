"""Rules of authorization configurations: as files, and inside of run configurations."""

from __future__ import annotations

from ...diagnostics.finding import rule

_AUTHZ = "toolhive 0.21.0, package authz/authorizers."
_CEDAR = "toolhive 0.21.0, package authz/authorizers/cedar, over cedar-go."
_PDP = "toolhive 0.21.0, package authz/authorizers/http."

AUTHZ_TYPE = rule(
    "FIL010",
    "authz-type-refused",
    "An authorization configuration has no known version or type",
    stage="process",
    checks="`version` or `type` is missing or empty, or `type` is neither `cedarv1` nor `httpv1`.",
    why="The middleware cannot be built, and the proxy does not start.",
    example='{ "cedar": { "policies": ["permit(principal, action, resource);"] } }',
    fix='Write `"version": "1.0", "type": "cedarv1"` beside it.',
    source=_AUTHZ,
)
AUTHZ_INCOMPLETE = rule(
    "FIL011",
    "authz-incomplete",
    "An authorization configuration lacks what its type needs",
    stage="process",
    checks="For `cedarv1` there is no `cedar`, or it has no policies. For `httpv1` there is no `pdp`, or it has no"
    " `http.url`, one that is not http or https, or a `claim_mapping` that is neither `mpe` nor `standard`.",
    why="The middleware cannot be built, and the proxy does not start.",
    example='{ "version": "1.0", "type": "httpv1", "pdp": { "http": { "url": "https://pdp.acme.io" } } }',
    fix='Write `"claim_mapping": "standard"` in `pdp`.',
    source=f"{_AUTHZ} {_PDP}",
)
POLICY = rule(
    "FIL012",
    "authz-policy-unreadable",
    "A Cedar policy cannot be read",
    stage="process",
    unmodelled="all",
    checks="A text in `policies` is not a Cedar policy.",
    why="The file loads, but the proxy parses its policies when it starts, and exits.",
    example='"policies": ["allow(principal, action, resource);"]',
    fix='Write `"permit(principal, action, resource);"`.',
    source=_CEDAR,
)
ENTITIES = rule(
    "FIL013",
    "authz-entities-unreadable",
    "Cedar entities cannot be read",
    stage="process",
    unmodelled="all",
    checks="`entities_json` is a string that does not contain a JSON list of entities.",
    why="The file loads, but the proxy parses its entities when it starts, and exits.",
    example='"entities_json": "{}"',
    fix='Write `"entities_json": "[]"`.',
    source=_CEDAR,
)
POLICY_REST = rule(
    "FIL014",
    "authz-policy-ignored",
    "A text in an authorization file contains several Cedar policies, but only the first is read",
    stage="lint",
    checks="An item of `policies` continues after its first policy.",
    why="Each item is read as a single policy; a `forbid` after it forbids nothing.",
    example='"policies": ["permit(principal, action, resource); forbid(principal, action, resource);"]',
    fix="Write each policy as an item of its own.",
    source=_CEDAR,
)
POLICY_IDLE = rule(
    "FIL015",
    "authz-policy-idle",
    "A Cedar policy in an authorization file can never apply to an MCP request",
    stage="lint",
    checks="The head of a policy names a principal, an action or a resource that no request has.",
    why="Nothing refuses it, and it decides nothing.",
    example='permit(principal == User::"alice", action, resource);',
    fix='Use `Client::"SUBJECT"`, `Action::"call_tool"` and `Tool::"NAME"`, which requests have.',
    source=_CEDAR,
)
RULES = (AUTHZ_TYPE, AUTHZ_INCOMPLETE, POLICY, ENTITIES, POLICY_REST, POLICY_IDLE)
