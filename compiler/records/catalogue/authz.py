"""Rules of authorization configurations: as files, and inside of run configurations."""

from __future__ import annotations

from ...diagnostics.finding import Rule
from .page import page

_AUTHZ = "toolhive 0.21.0, package authz/authorizers."
_CEDAR = "toolhive 0.21.0, package authz/authorizers/cedar, over cedar-go."
_PDP = "toolhive 0.21.0, package authz/authorizers/http."

AUTHZ_TYPE = Rule(
    id="FIL010",
    name="authz-type-refused",
    stage="process",
    severity="error",
    title="An authorization configuration does not say what it is",
    doc=page(
        "`version` or `type` is missing or empty, or `type` is neither `cedarv1` nor `httpv1`.",
        "The middleware cannot be built, and the proxy does not start.",
        example='{ "cedar": { "policies": ["permit(principal, action, resource);"] } }',
        cure='`"version": "1.0", "type": "cedarv1"` beside it.',
        source=_AUTHZ,
    ),
)
AUTHZ_INCOMPLETE = Rule(
    id="FIL011",
    name="authz-incomplete",
    stage="process",
    severity="error",
    title="An authorization configuration lacks what its type needs",
    doc=page(
        "For `cedarv1` there is no `cedar`, or it has no policies. For `httpv1` there is no `pdp`, or it has no"
        " `http.url`, one that is not http or https, or a `claim_mapping` that is neither `mpe` nor `standard`.",
        "The middleware cannot be built, and the proxy does not start.",
        example='{ "version": "1.0", "type": "httpv1", "pdp": { "http": { "url": "https://pdp.acme.io" } } }',
        cure='`"claim_mapping": "standard"` in `pdp`.',
        source=f"{_AUTHZ} {_PDP}",
    ),
)
POLICY = Rule(
    id="FIL012",
    name="authz-policy-unreadable",
    stage="process",
    severity="error",
    title="A Cedar policy cannot be read",
    doc=page(
        "A text in `policies` is no Cedar policy.",
        "The file itself loads; the proxy parses its policies when it starts, and ends.",
        example='"policies": ["allow(principal, action, resource);"]',
        cure='`"permit(principal, action, resource);"`.',
        source=_CEDAR,
    ),
)
ENTITIES = Rule(
    id="FIL013",
    name="authz-entities-unreadable",
    stage="process",
    severity="error",
    title="Cedar entities cannot be read",
    doc=page(
        "`entities_json` is a text, and it holds no JSON list of entities.",
        "The file itself loads; the proxy parses its entities when it starts, and ends.",
        example='"entities_json": "{}"',
        cure='`"entities_json": "[]"`.',
        source=_CEDAR,
    ),
)
POLICY_REST = Rule(
    id="FIL014",
    name="authz-policy-ignored",
    stage="lint",
    severity="warning",
    title="A text holds several Cedar policies, of which the first alone is read",
    doc=page(
        "An item of `policies` goes on behind its first policy.",
        "Each item is read as one policy; a `forbid` behind it forbids nothing.",
        example='"policies": ["permit(principal, action, resource); forbid(principal, action, resource);"]',
        cure="write each policy as an item of its own.",
        source=_CEDAR,
    ),
)
POLICY_IDLE = Rule(
    id="FIL015",
    name="authz-policy-idle",
    stage="lint",
    severity="warning",
    title="A Cedar policy can never apply to a request of MCP",
    doc=page(
        "The head of a policy names a principal, an action or a resource that no request has.",
        "Nothing refuses it, and it decides nothing.",
        example='permit(principal == User::"alice", action, resource);',
        cure='`Client::"SUBJECT"`, `Action::"call_tool"`, `Tool::"NAME"` are what requests have.',
        source=_CEDAR,
    ),
)
RULES = (AUTHZ_TYPE, AUTHZ_INCOMPLETE, POLICY, ENTITIES, POLICY_REST, POLICY_IDLE)
