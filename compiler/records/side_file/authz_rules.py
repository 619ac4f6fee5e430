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
    fix='`"version": "1.0", "type": "cedarv1"` beside it.',
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
    fix='`"claim_mapping": "standard"` in `pdp`.',
    source=f"{_AUTHZ} {_PDP}",
)
POLICY = rule(
    "FIL012",
    "authz-policy-unreadable",
    "A Cedar policy cannot be read",
    stage="process",
    checks="A text in `policies` is not a Cedar policy.",
    why="The file itself loads; the proxy parses its policies when it starts, and ends.",
    example='"policies": ["allow(principal, action, resource);"]',
    fix='`"permit(principal, action, resource);"`.',
    source=_CEDAR,
)
ENTITIES = rule(
    "FIL013",
    "authz-entities-unreadable",
    "Cedar entities cannot be read",
    stage="process",
    checks="`entities_json` is a text, and it holds no JSON list of entities.",
    why="The file itself loads; the proxy parses its entities when it starts, and ends.",
    example='"entities_json": "{}"',
    fix='`"entities_json": "[]"`.',
    source=_CEDAR,
)
POLICY_REST = rule(
    "FIL014",
    "authz-policy-ignored",
    "A text holds several Cedar policies, of which the first alone is read",
    stage="lint",
    checks="An item of `policies` goes on behind its first policy.",
    why="Each item is read as one policy; a `forbid` behind it forbids nothing.",
    example='"policies": ["permit(principal, action, resource); forbid(principal, action, resource);"]',
    fix="Write each policy as an item of its own.",
    source=_CEDAR,
)
POLICY_IDLE = rule(
    "FIL015",
    "authz-policy-idle",
    "A Cedar policy can never apply to a request of MCP",
    stage="lint",
    checks="The head of a policy names a principal, an action or a resource that no request has.",
    why="Nothing refuses it, and it decides nothing.",
    example='permit(principal == User::"alice", action, resource);',
    fix='`Client::"SUBJECT"`, `Action::"call_tool"`, `Tool::"NAME"` are what requests have.',
    source=_CEDAR,
)
RULES = (AUTHZ_TYPE, AUTHZ_INCOMPLETE, POLICY, ENTITIES, POLICY_REST, POLICY_IDLE)
