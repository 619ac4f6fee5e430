"""Rules of what a VirtualMCPServer says and nothing reads."""

from __future__ import annotations

from ..page import rule

SOURCE = "the conversion of a VirtualMCPServer in the operator, v0.21.0."

SUPERSEDED = rule(
    "VMC201",
    "superseded-config-field",
    "A field of config is ignored, because another field counts.",
    flagged="`name`, `groupRef`, `incomingAuth`, `outgoingAuth`, `telemetry` and `sessionStorage` under `spec.config`"
    " (a `name` or `groupRef` that says the same is not flagged); `backends` with `outgoingAuth.source: inline`.",
    why="the fields are for files. In a resource the operator replaces or drops them without a word: telemetry is not"
    " sent, sessions are not kept.",
    example="config:\n  telemetry: {endpoint: otel:4318, tracingEnabled: true}",
    cure="use the field that counts: `spec.telemetryConfigRef`, `spec.sessionStorage`, and so on.",
    source=SOURCE,
    stage="lint",
)
UNKNOWN = rule(
    "VMC202",
    "unknown-config-field",
    "config has a field that does not exist.",
    flagged="a key right below `spec.config` that the configuration does not have. Deeper down the API server refuses"
    " such keys itself.",
    why="the schema keeps unknown fields here, and the operator ignores them: what they were to do does not happen.",
    example="config:\n  aggregaton: {conflictResolution: priority}",
    cure="correct the name.",
    source=SOURCE,
    stage="lint",
)
STATIC = rule(
    "VMC203",
    "static-backends",
    "Listed backends turn the discovery of backends off.",
    flagged="`spec.config.backends` that is not empty, with `outgoingAuth.source: discovered` (the default).",
    why="the operator hands the list on, and a process with a list discovers nothing: members of the group are not"
    " served, and changes to it are not seen.",
    example="config:\n  backends:\n  - {name: github, url: https://mcp.example.com, transport: streamable-http}",
    cure="remove the list and declare an MCPServerEntry in the group.",
    source=SOURCE,
    stage="lint",
)
UNREAD = rule(
    "VMC204",
    "unread-setting",
    "A setting is accepted, checked, and read by nothing.",
    flagged="`config.operational.timeouts` and (as an info) `config.metadata`, where they are written.",
    why="at v0.21.0 no code reads them: requests to backends have another timeout.",
    example="operational:\n  timeouts: {default: 2m}",
    cure="remove it.",
    source=SOURCE,
    stage="lint",
    is_one_change=True,
)
AUDIT = rule(
    "VMC205",
    "audit-not-disabled",
    "Audit is switched off, and runs all the same.",
    flagged="`config.audit.enabled: false`.",
    why="the process audits whenever the block is there, and does not look at `enabled`. Requests are logged, with"
    " their data where that is asked for.",
    example="audit: {enabled: false, includeRequestData: true}",
    cure="remove the block.",
    source=SOURCE,
    stage="lint",
    is_one_change=True,
)
DROPPED = rule(
    "VMC206",
    "dropped-in-virtual-server",
    "A part of a configuration that is referred to does not reach a virtual server.",
    flagged="`inline.caBundleRef` and `inline.jwksAuthTokenPath` of the MCPOIDCConfig, `caBundleRef` of the"
    " MCPTelemetryConfig, and `authzConfig.inline.entitiesJson`.",
    why="the vMCP configuration has no place for them, or the operator does not fill it: certificates of a private CA"
    " are not trusted, and policies that ask for entities decide otherwise.",
    example="incomingAuth:\n  oidcConfigRef: {name: corp, audience: mcp}  # corp has a caBundleRef",
    cure="use a publicly trusted certificate, or write policies that need no entities.",
    source=SOURCE,
    stage="lint",
    is_one_change=True,
)
IDLE = rule(
    "VMC209",
    "idle-backend-reference",
    "A backend's authentication is referred to, and discovered all the same.",
    flagged="`externalAuthConfigRef` in `outgoingAuth.default` or an entry of `outgoingAuth.backends` of type"
    " `discovered`.",
    why="the reference is followed for type `externalAuthConfigRef` only: the credentials are not used.",
    example="backends:\n  github:\n    type: discovered\n    externalAuthConfigRef: {name: github-token}",
    cure="set `type: externalAuthConfigRef`.",
    source="the outgoing authentication of VirtualMCPServer in the operator, v0.21.0.",
    stage="lint",
)
NOT_APPLIED = rule(
    "VMC207",
    "pod-template-not-applied",
    "A pod template is accepted and not applied.",
    flagged="a `podTemplateSpec` that has none of labels, annotations, `serviceAccountName`, `containers`, `volumes`,"
    " `initContainers`, `tolerations`, `nodeSelector`, `affinity`, `securityContext`, `priorityClassName` and"
    " `imagePullSecrets`.",
    why="the operator takes such a template for an empty one, whatever else it says.",
    example="podTemplateSpec:\n  spec: {runtimeClassName: gvisor}",
    cure="add a field that counts, such as an annotation.",
    source="the Deployment of a VirtualMCPServer, v0.21.0.",
    stage="lint",
)
LOST_PODS = rule(
    "VMC208",
    "pods-without-their-labels",
    "A pod template changes the labels by which the operator finds its pods.",
    flagged="`podTemplateSpec.metadata.labels` with another value for `app`, `app.kubernetes.io/name`,"
    " `app.kubernetes.io/instance`, `toolhive` or `toolhive-name`.",
    why="the selector of the Deployment keeps the operator's values. Kubernetes refuses a Deployment that does not"
    " select its own pods, and the resource stays Pending.",
    example="podTemplateSpec:\n  metadata: {labels: {app: gateway}}",
    cure="use labels of your own.",
    source="the Deployment of a VirtualMCPServer, v0.21.0.",
    stage="lint",
)
RULES = (SUPERSEDED, UNKNOWN, STATIC, UNREAD, AUDIT, DROPPED, NOT_APPLIED, LOST_PODS, IDLE)
