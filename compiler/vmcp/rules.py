"""The rules of what the validator and the start of the vMCP process refuse in its configuration."""

from __future__ import annotations

from ..diagnostics.finding import rule
from ..diagnostics.version import RECORDED
from ..toolhive.release import OPTIMIZER_GUARDED_SINCE

VALIDATOR = "The validator of the vMCP process, v0.21.0."
START = "The start of the vMCP process, v0.21.0."
CRASH = (
    "The operator writes the configuration without checking it; the process refuses it, and the pod crashes in a loop."
)

INCOMPLETE = rule(
    "VMC101",
    "incomplete-vmcp-config",
    "The configuration of a virtual server lacks a part that the process requires",
    stage="process",
    checks="A vMCP configuration without `name`, `groupRef`, `incomingAuth`, `outgoingAuth` or `aggregation`.",
    why="The process refuses the file and does not start.",
    example="""
        name: demo
        groupRef: tools
        incomingAuth: {type: anonymous}
        """,
    fix="Add what is missing; `outgoingAuth: {source: inline}` and `aggregation: {conflictResolution: prefix,"
    ' conflictResolutionConfig: {prefixFormat: "{workload}_"}}` are the minimum.',
    source=VALIDATOR,
    verified=RECORDED,
)
INCOMING = rule(
    "VMC102",
    "incoming-auth-refused",
    "The authentication of clients is of a type that the vMCP process does not know, or incomplete",
    stage="process",
    checks="`incomingAuth.type` other than `oidc`, `local` and `anonymous`; type `oidc` without an `oidc` block, its"
    " issuer or its audience, and in a file a `caBundlePath` that is not an absolute path without `..`.",
    why=CRASH,
    example="incomingAuth: {type: oauth}",
    fix="Use a type that the process knows, and complete the `oidc` block.",
    source=VALIDATOR,
    verified=RECORDED,
)

AUTHORIZATION = rule(
    "VMC103",
    "authorization-refused",
    "The authorization of a virtual server is of a type that its process does not know",
    stage="process",
    checks="`incomingAuth.authzConfig` of type `configMap` in a VirtualMCPServer: before 0.28.3 the operator passes the"
    " type on without reading the ConfigMap. In a file, `authz.type` other than `cedar` and `none`, or `cedar` without"
    " policies.",
    why=CRASH,
    example="""
        incomingAuth:
          type: anonymous
          authzConfig:
            type: configMap
            configMap: {name: policies}
        """,
    fix="Write the policies into the resource: `authzConfig: {type: inline, inline: {policies: […]}}`. From v0.28.3 on"
    " the operator reads the ConfigMap.",
    source="The validator of the vMCP process, v0.21.0; upstream issue 4919.",
    verified=RECORDED,
)
OUTGOING = rule(
    "VMC104",
    "outgoing-auth-refused",
    "The authentication to a backend is of a type that the vMCP process does not know, or incomplete",
    stage="process",
    checks="With `outgoingAuth.source: inline`, a `default` or an entry of `backends` of type `discovered`: the"
    " operator writes that type into the file, where only strategies are allowed. In a file, an unknown source or type,"
    " or a strategy without its block; from 0.34.0 on also one of type `xaa` without `subjectProviderName` if the"
    " `authserver-config.yaml` in the folder has several upstream providers.",
    why=CRASH,
    example="""
        outgoingAuth:
          source: inline
          default: {type: discovered}
        """,
    fix="Remove the entry (members bring their own authentication), refer to an MCPExternalAuthConfig, or use source"
    " `discovered`.",
    source=VALIDATOR,
    verified=RECORDED,
)
RESOLUTION = rule(
    "VMC105",
    "conflict-resolution-incomplete",
    "The resolution of tool name conflicts is incomplete",
    stage="process",
    checks="`conflictResolution: priority` without a `priorityOrder`, or with an empty name in it; `manual` without"
    " `tools`; `prefix` with an empty `prefixFormat`. In a file also an unknown strategy, and a missing"
    " `conflictResolutionConfig`.",
    why=CRASH,
    example="""
        aggregation:
          conflictResolution: manual
        """,
    fix="Add what the strategy requires, or use `prefix`.",
    source=VALIDATOR,
    verified=RECORDED,
)
WORKLOAD = rule(
    "VMC106",
    "duplicate-workload-entry",
    "Two entries of aggregation.tools name the same backend, or one names none",
    stage="process",
    checks="A `workload` that occurs twice under `aggregation.tools`; in a file also an empty one.",
    why=CRASH,
    example="""
        tools:
        - workload: github
          filter: [search]
        - workload: github
          excludeAll: true
        """,
    fix="Merge the entries.",
    source=VALIDATOR,
    verified=RECORDED,
)
OVERRIDE = rule(
    "VMC107",
    "override-of-annotations-only",
    "An override of a tool sets neither a name nor a description",
    stage="process",
    checks="An entry of `overrides`, in `aggregation.tools` or in the MCPToolConfig that `toolConfigRef` merges in,"
    " with only annotations, or with nothing.",
    why=CRASH,
    example="""
        overrides:
          search:
            annotations: {readOnlyHint: true}
        """,
    fix="Repeat the tool's own name beside the annotations: `name: search`.",
    source=VALIDATOR,
    verified=RECORDED,
)
TIMEOUT = rule(
    "VMC108",
    "timeout-not-positive",
    "A timeout is not more than zero",
    stage="process",
    checks="`operational.timeouts.default` or an entry of `perWorkload` that is zero or negative.",
    why=CRASH,
    example="""
        operational:
          timeouts:
            perWorkload: {github: 0s}
        """,
    fix="Set a positive duration, or remove the entry. v0.21.0 never uses these timeouts.",
    source=VALIDATOR,
    verified=RECORDED,
)
HEALTH_CHECK = rule(
    "VMC109",
    "health-check-refused",
    "Health checks of backends contradict themselves",
    stage="process",
    checks="A `healthCheckTimeout` that is not below `healthCheckInterval` (10s by default, so an interval of 10s is"
    " reported too); an interval or an `unhealthyThreshold` that is not positive.",
    why=CRASH,
    example="""
        failureHandling:
          healthCheckInterval: 10s
        """,
    fix="Make the timeout shorter than the interval.",
    source=VALIDATOR,
    verified=RECORDED,
)
FAILURE_MODE = rule(
    "VMC110",
    "failure-mode-refused",
    "The mode for partial failures is not one that the process knows",
    stage="process",
    checks="Before 0.22.0, `partialFailureMode: best_effort` in a VirtualMCPServer: the schema allows `fail` and"
    " `best_effort`, the process `fail` and `bestEffort`. In a file, anything other than `fail` and `bestEffort`; from"
    " 0.22.0 on, anything other than `fail` and `best_effort`.",
    why=CRASH,
    example="failureHandling: {partialFailureMode: best_effort}",
    fix="Remove it: v0.21.0 never uses the mode. From v0.22.0 on the process accepts `best_effort`.",
    source="The validator of the vMCP process, v0.21.0; upstream issue 4856.",
    verified=RECORDED,
)
CIRCUIT_BREAKER = rule(
    "VMC111",
    "circuit-breaker-refused",
    "The circuit breaker is enabled, but its settings are out of range",
    stage="process",
    checks="An enabled `circuitBreaker` with a `failureThreshold` below 1 or a `timeout` below 1s.",
    why=CRASH,
    example="circuitBreaker: {enabled: true, failureThreshold: 0}",
    fix="Set `failureThreshold` to 1 or more and `timeout` to 1s or more.",
    source=VALIDATOR,
    verified=RECORDED,
)
BACKEND = rule(
    "VMC112",
    "backend-refused",
    "A backend has a CA bundle that the process refuses, or an unknown type",
    stage="process",
    checks="With `outgoingAuth.source: inline`, a group member of kind MCPServerEntry with a `caBundleRef`: the"
    " operator writes the path of the bundle, but not the type `entry` that it requires. In a file, or in"
    " `config.backends`, a `caBundlePath` without `type: entry` or one that is not an absolute path, and a type other"
    " than `entry`.",
    why=CRASH,
    example="""
        kind: MCPServerEntry
        spec:
          groupRef: {name: team}
          caBundleRef: {configMapRef: {name: ca, key: ca.crt}}
        """,
    fix="Use source `discovered`, or remove the entry from the group.",
    source=VALIDATOR,
    verified=RECORDED,
)
COMPOSITE_REFERENCE = rule(
    "VMC113",
    "composite-reference-refused",
    "References to composite tools are empty or repeated, or two composite tools have the same name",
    stage="process",
    checks="In a vMCP configuration, an entry of `compositeToolRefs` that has no name or occurs twice, and a name that"
    " two `compositeTools` share.",
    why="The process refuses the file and does not start.",
    example="""
        compositeToolRefs:
        - name: report
        - name: report
        """,
    fix="Remove or rename the duplicate.",
    source=VALIDATOR,
    verified=RECORDED,
)
OPTIMIZER = rule(
    "VMC114",
    "optimizer-out-of-range",
    "A setting of the optimizer is out of range",
    stage="process",
    checks="`maxToolsToReturn` outside 1 to 50, `hybridSearchSemanticRatio` outside 0 to 1, `semanticDistanceThreshold`"
    " outside 0 to 2. The schema accepts any plain number.",
    why=CRASH,
    example='optimizer: {hybridSearchSemanticRatio: "1.5"}',
    fix="Choose a number within the range.",
    source=START,
    verified=RECORDED,
)
AUDIT = rule(
    "VMC115",
    "audit-refused",
    "An audit setting is not one that the process knows",
    stage="process",
    checks="A name in `audit.eventTypes` or `audit.excludeEventTypes` that is not an event type; a negative"
    " `maxDataSize`.",
    why=CRASH,
    example="audit: {eventTypes: [tool_call]}  # it is called mcp_tool_call",
    fix="Correct the name.",
    source=START,
    verified=RECORDED,
)
POLICY = rule(
    "VMC118",
    "virtual-server-policy-refused",
    "A Cedar policy of a virtual server does not parse",
    stage="process",
    unmodelled="all",
    checks="An item of `incomingAuth.authzConfig.inline.policies`, or in a file of `incomingAuth.authz.policies`, that"
    " is not a Cedar policy; in a file also an `entitiesJson` that is not a list of entities, and a `groupEntityType`"
    " that is not the name of a type.",
    why="Neither the API server nor the operator parses the policies of a VirtualMCPServer. The process does so when it"
    " starts, fails, and its pod crashes in a loop.",
    example="""
        policies:
        - allow(principal, action, resource);
        """,
    fix="Correct the policy: it must begin with `permit` or `forbid`.",
    source="Start of the vMCP process, v0.21.0; the Cedar language.",
    verified=RECORDED,
)
SESSION_STORAGE = rule(
    "VMC230",
    "session-storage-refused",
    "The vMCP process refuses the configuration of its session storage",
    stage="process",
    checks="`sessionStorage.provider` of a vMCP configuration file other than `memory` and `redis`; with `redis`, there"
    " and in a VirtualMCPServer, an `address` that is not a host and a port, and a `keyPrefix` that does not end with a"
    " colon. In a file, `rateLimiting` without Redis.",
    why="The process refuses it when it starts, before it connects.",
    example='sessionStorage: {provider: redis, address: "redis:6379", keyPrefix: gateway}',
    fix='Use `memory` or `redis`; write `address: "redis:6379"` and `keyPrefix: "gateway:"`.',
    source=START,
    verified=RECORDED,
)
NO_PERIOD = rule(
    "RLM002",
    "endless-refill",
    "A rate limit has no tokens, or a refill period that is zero or negative",
    stage="process",
    checks="`refillPeriod` in `spec.rateLimiting` of an MCPServer, or from 0.30.0 on in `spec.config.rateLimiting` of a"
    " VirtualMCPServer or `rateLimiting` of a vMCP configuration file, that is not positive. In a file, also"
    " `maxTokens` below 1.",
    why="The operator does not check it. The process refuses it when it starts, and its pod crashes in a loop.",
    example="shared: {maxTokens: 10, refillPeriod: 0s}",
    fix="Set the time in which an empty bucket refills, such as `1m`.",
    source="The rate limiter of the proxy, v0.21.0.",
    verified=RECORDED,
)
TELEMETRY = rule(
    "VMC233",
    "vmcp-telemetry-refused",
    "The vMCP process refuses its telemetry configuration",
    stage="process",
    checks="In a vMCP configuration file, `telemetry` without `serviceName`, or an `endpoint` with neither"
    " `tracingEnabled` nor `metricsEnabled`; with metrics, there and in the MCPTelemetryConfig that a VirtualMCPServer"
    " refers to, an endpoint that is not a host and a port.",
    why="The process cannot create the exporters, and does not start.",
    example="telemetry: {endpoint: 'otel:grpc', metricsEnabled: true}",
    fix="Write `HOST:PORT`, and enable `tracingEnabled` or `metricsEnabled`.",
    source="The exporters of OTLP over HTTP 1.43, with which the vMCP process of v0.21.0 is built.",
    verified=RECORDED,
)
STRATEGY = rule(
    "VMC117",
    "auth-strategy-unusable",
    "The authentication to a backend passes validation, but cannot work",
    stage="lint",
    checks="A token exchange with a client secret and no client id, or with an unknown token type; an injected upstream"
    " token without a provider; a header whose name or value HTTP does not allow. In a file also tokens of upstream"
    " providers where clients do not authenticate with OIDC, and tokens of a provider that the `authserver-config.yaml`"
    " beside the file does not have.",
    why="The strategy refuses its configuration when it is first used: every request to the backend fails.",
    example="tokenExchange: {tokenUrl: https://idp.example.com/token, clientSecretEnv: SECRET}",
    fix="Set the client id, the provider, or another header.",
    source="The start of the vMCP process, v0.21.0: authentication to backends.",
)

PASSTHROUGH = rule(
    "VMC235",
    "restricted-passthrough-header",
    "A client's header cannot be passed on to backends",
    stage="process",
    checks="`passthroughHeaders` of a VirtualMCPServer: headers that only a proxy may set, such as `Host`, anything"
    " that is not a header name, and from release 0.43.0 on `Authorization` and `Cookie`.",
    why=CRASH,
    example="passthroughHeaders: [Authorization]",
    fix="Remove the header. For credentials use `outgoingAuth`.",
    source="The validator of the vMCP process, v0.30.0 and v0.43.0.",
    since="0.30.0",
    verified=("0.30.0", "0.44.0"),
)
EMBEDDING_PROVIDER = rule(
    "VMC239",
    "incomplete-embedding-provider",
    "An OpenAI-compatible embedding service lacks its address or its model",
    stage="process",
    checks="`optimizer.embeddingProvider: openai` without `embeddingModel`, or without `embeddingService`. In a file"
    " also a provider other than `tei` and `openai`, `embeddingHeaders` without `openai`, and in them `Authorization`"
    " or an invalid header name.",
    why=CRASH,
    example="optimizer: {embeddingProvider: openai, embeddingService: https://api.openai.com}",
    fix="Set both, for example `embeddingModel: text-embedding-3-small`.",
    source="The start of the vMCP process, v0.32.0 and v0.44.0.",
    since="0.32.0",
    verified=("0.32.0", "0.44.0"),
)
GUARDED_OPTIMIZER = rule(
    "VMC240",
    "optimizer-beside-authorization",
    "A virtual server has both an optimizer and policies, which its process does not allow",
    stage="process",
    checks="`config.optimizer`, or the `embeddingServerRef` that implies it, in a VirtualMCPServer whose `incomingAuth`"
    " has Cedar policies; `optimizer` in a file whose `incomingAuth.authz` has them.",
    why="The policies do not cover `find_tool` and `call_tool`, behind which the optimizer hides all tools. The"
    " operator does not check this; the process refuses the combination, and the pod crashes in a loop.",
    example="""
        spec:
          embeddingServerRef: {name: embeddings}
          incomingAuth:
            type: anonymous
            authzConfig: {type: inline, inline: {policies: ["permit(principal, action, resource);"]}}
        """,
    fix="Remove the optimizer and `embeddingServerRef`, or the authorization.",
    source="The start of the vMCP process, v0.31.0 and v0.44.0.",
    since=OPTIMIZER_GUARDED_SINCE,
    verified=(OPTIMIZER_GUARDED_SINCE, "0.44.0"),
)
HIDDEN_WINNER = rule(
    "VMC236",
    "hidden-priority-winner",
    "A backend has priority for tool names, but exposes no tools",
    stage="process",
    checks="With `defaultToolVisibility: deny` and `conflictResolution: priority`, an entry of `priorityOrder` without"
    " an entry in `aggregation.tools`.",
    why=CRASH,
    example="""
        aggregation:
          defaultToolVisibility: deny
          conflictResolution: priority
          conflictResolutionConfig: {priorityOrder: [fetch]}
        """,
    fix="List the backend under `aggregation.tools`, or remove it from `priorityOrder`.",
    source="The validator of the vMCP process, v0.44.0.",
    since="0.42.1",
    verified=("0.42.1", "0.44.0"),
)
RULES = (
    INCOMPLETE,
    INCOMING,
    AUTHORIZATION,
    OUTGOING,
    RESOLUTION,
    WORKLOAD,
    OVERRIDE,
    TIMEOUT,
    HEALTH_CHECK,
    FAILURE_MODE,
    CIRCUIT_BREAKER,
    BACKEND,
    COMPOSITE_REFERENCE,
    OPTIMIZER,
    AUDIT,
    POLICY,
    SESSION_STORAGE,
    TELEMETRY,
    STRATEGY,
    PASSTHROUGH,
    EMBEDDING_PROVIDER,
    GUARDED_OPTIMIZER,
    HIDDEN_WINNER,
)

OF_FAULT = {
    "header-restricted": PASSTHROUGH,
    "priority-hidden": HIDDEN_WINNER,
    "name-missing": INCOMPLETE,
    "group-missing": INCOMPLETE,
    "incoming-auth-missing": INCOMPLETE,
    "outgoing-auth-missing": INCOMPLETE,
    "aggregation-missing": INCOMPLETE,
    "incoming-auth-type": INCOMING,
    "oidc-missing": INCOMING,
    "oidc-incomplete": INCOMING,
    "oidc-ca-path": INCOMING,
    "authz-type": AUTHORIZATION,
    "policies-missing": AUTHORIZATION,
    "outgoing-auth-source": OUTGOING,
    "strategy-missing": OUTGOING,
    "strategy-type": OUTGOING,
    "strategy-incomplete": OUTGOING,
    "provider-ambiguous": OUTGOING,
    "resolution-type": RESOLUTION,
    "resolution-incomplete": RESOLUTION,
    "priority-order-empty": RESOLUTION,
    "workload-missing": WORKLOAD,
    "workload-duplicate": WORKLOAD,
    "override-empty": OVERRIDE,
    "timeout-range": TIMEOUT,
    "health-check-range": HEALTH_CHECK,
    "health-check-overlap": HEALTH_CHECK,
    "failure-mode": FAILURE_MODE,
    "circuit-breaker-range": CIRCUIT_BREAKER,
    "backend-type": BACKEND,
    "backend-ca-bundle": BACKEND,
    "backend-ca-path": BACKEND,
    "composite-tool-duplicate": COMPOSITE_REFERENCE,
    "composite-ref": COMPOSITE_REFERENCE,
    "optimizer-range": OPTIMIZER,
    "embedding-provider": EMBEDDING_PROVIDER,
    "audit-event-type": AUDIT,
    "audit-data-size": AUDIT,
    "policy-syntax": POLICY,
    "entities-syntax": POLICY,
    "optimizer-authorization": GUARDED_OPTIMIZER,
    "rate-limit-storage": SESSION_STORAGE,
    "rate-limit-bucket": NO_PERIOD,
    "session-provider": SESSION_STORAGE,
    "session-address": SESSION_STORAGE,
    "session-prefix": SESSION_STORAGE,
    "telemetry-service": TELEMETRY,
    "telemetry-signals": TELEMETRY,
    "telemetry-endpoint": TELEMETRY,
    "token-exchange-client": STRATEGY,
    "token-type": STRATEGY,
    "provider-missing": STRATEGY,
    "header-invalid": STRATEGY,
}
"""Code of a fault in a vMCP configuration to its rule."""
