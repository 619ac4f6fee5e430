"""Rules of what a VirtualMCPServer says and nothing reads."""

from __future__ import annotations

from mcpcfg.compiler.finding import rule

SOURCE = "The conversion of a VirtualMCPServer in the operator, v0.21.0."

SUPERSEDED = rule(
    "VMC201",
    "superseded-config-field",
    "A field of config is ignored, because another field counts",
    stage="lint",
    checks="`name`, `groupRef`, `incomingAuth`, `outgoingAuth`, `telemetry` and `sessionStorage` under `spec.config`"
    " (a `name` or `groupRef` that says the same is not reported); `backends` with `outgoingAuth.source: inline`.",
    why="The fields are for files. In a resource the operator replaces or drops them silently: telemetry is not sent,"
    " sessions are not kept.",
    example="""
        config:
          telemetry: {endpoint: otel:4318, tracingEnabled: true}
        """,
    fix="Use the field that counts: `spec.telemetryConfigRef`, `spec.sessionStorage`, and so on.",
    source=SOURCE,
)
UNKNOWN = rule(
    "VMC202",
    "unknown-config-field",
    "config has a field that does not exist",
    stage="lint",
    checks="A key right below `spec.config` that the configuration does not have. Deeper down the API server refuses"
    " such keys itself.",
    why="The schema keeps unknown fields here, and the operator ignores them: what they were to do does not happen.",
    example="""
        config:
          aggregaton: {conflictResolution: priority}
        """,
    fix="Correct the name.",
    source=SOURCE,
)
STATIC = rule(
    "VMC203",
    "static-backends",
    "Listed backends turn the discovery of backends off",
    stage="lint",
    checks="`spec.config.backends` that is not empty, with `outgoingAuth.source: discovered` (the default).",
    why="The operator hands the list on, and a process with a list discovers nothing: members of the group are not"
    " served, and changes to it are not seen.",
    example="""
        config:
          backends:
          - {name: github, url: https://mcp.example.com, transport: streamable-http}
        """,
    fix="Remove the list and declare an MCPServerEntry in the group.",
    source=SOURCE,
)
UNREAD = rule(
    "VMC204",
    "unread-setting",
    "A setting is accepted, checked, and read by nothing",
    stage="lint",
    checks="`config.operational.timeouts` and (as an info) `config.metadata`, where they are written.",
    why="At v0.21.0 no code reads them: requests to backends have another timeout.",
    example="""
        operational:
          timeouts: {default: 2m}
        """,
    fix="Remove it.",
    source=SOURCE,
    is_one_change=True,
)
AUDIT = rule(
    "VMC205",
    "audit-not-disabled",
    "Audit is switched off, and runs all the same",
    stage="lint",
    checks="`config.audit.enabled: false`.",
    why="The process audits whenever the block is there, and does not look at `enabled`. Requests are logged, with"
    " their data where that is asked for.",
    example="audit: {enabled: false, includeRequestData: true}",
    fix="Remove the block.",
    source=SOURCE,
    is_one_change=True,
)
DROPPED = rule(
    "VMC206",
    "dropped-in-virtual-server",
    "A part of a configuration that is referred to does not reach a virtual server",
    stage="lint",
    checks="`inline.caBundleRef` and `inline.jwksAuthTokenPath` of the MCPOIDCConfig, `caBundleRef` of the"
    " MCPTelemetryConfig, and `authzConfig.inline.entitiesJson`.",
    why="The vMCP configuration has no place for them, or the operator does not fill it: certificates of a private CA"
    " are not trusted, and policies that ask for entities decide otherwise.",
    example="""
        incomingAuth:
          oidcConfigRef: {name: corp, audience: mcp}  # corp has a caBundleRef
        """,
    fix="Use a publicly trusted certificate, or write policies that need no entities.",
    source=SOURCE,
    is_one_change=True,
)
IDLE = rule(
    "VMC209",
    "idle-backend-reference",
    "A backend's authentication is referred to, and discovered all the same",
    stage="lint",
    checks="`externalAuthConfigRef` in `outgoingAuth.default` or an entry of `outgoingAuth.backends` of type"
    " `discovered`.",
    why="The reference is followed for type `externalAuthConfigRef` only: the credentials are not used.",
    example="""
        backends:
          github:
            type: discovered
            externalAuthConfigRef: {name: github-token}
        """,
    fix="Set `type: externalAuthConfigRef`.",
    source="The outgoing authentication of VirtualMCPServer in the operator, v0.21.0.",
)
NOT_APPLIED = rule(
    "VMC207",
    "pod-template-not-applied",
    "A pod template is accepted and not applied",
    stage="lint",
    checks="A `podTemplateSpec` that has none of labels, annotations, `serviceAccountName`, `containers`, `volumes`,"
    " `initContainers`, `tolerations`, `nodeSelector`, `affinity`, `securityContext`, `priorityClassName` and"
    " `imagePullSecrets`.",
    why="The operator takes such a template for an empty one, whatever else it says.",
    example="""
        podTemplateSpec:
          spec: {runtimeClassName: gvisor}
        """,
    fix="Add a field that counts, such as an annotation.",
    source="The Deployment of a VirtualMCPServer, v0.21.0.",
)
LOST_PODS = rule(
    "VMC208",
    "pods-without-their-labels",
    "A pod template changes the labels by which the operator finds its pods",
    stage="lint",
    checks="`podTemplateSpec.metadata.labels` with another value for `app`, `app.kubernetes.io/name`,"
    " `app.kubernetes.io/instance`, `toolhive` or `toolhive-name`.",
    why="The selector of the Deployment keeps the operator's values. Kubernetes refuses a Deployment that does not"
    " select its own pods, and the resource stays Pending.",
    example="""
        podTemplateSpec:
          metadata: {labels: {app: gateway}}
        """,
    fix="Use labels of your own.",
    source="The Deployment of a VirtualMCPServer, v0.21.0.",
)
RULES = (SUPERSEDED, UNKNOWN, STATIC, UNREAD, AUDIT, DROPPED, NOT_APPLIED, LOST_PODS, IDLE)
