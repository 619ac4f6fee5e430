"""Rules of the configuration that the vMCP process reads, in a file or as the operator writes it."""

from __future__ import annotations

from ..page import rule

VALIDATOR = "the validator of the vMCP process, v0.21.0."
START = "the start of the vMCP process, v0.21.0."
CRASH = (
    "the operator does not look, and writes the configuration; the process refuses it, and the pod crashes in a loop."
)

INCOMPLETE = rule(
    "VMC101",
    "incomplete-vmcp-config",
    "The configuration of a virtual server lacks a part that the process insists on.",
    flagged="a vMCP configuration without `name`, `groupRef`, `incomingAuth`, `outgoingAuth` or `aggregation`.",
    why="the process refuses the file and does not start.",
    example="name: demo\ngroupRef: tools\nincomingAuth: {type: anonymous}",
    cure="add what is missing; `outgoingAuth: {source: inline}` and `aggregation: {conflictResolution: prefix,"
    ' conflictResolutionConfig: {prefixFormat: "{workload}_"}}` are the least.',
    source=VALIDATOR,
    stage="process",
)
INCOMING = rule(
    "VMC102",
    "incoming-auth-refused",
    "The authentication of clients is not one that the vMCP process knows, or not complete.",
    flagged="`incomingAuth.type` other than `oidc`, `local` and `anonymous`; type `oidc` without an `oidc` block, its"
    " issuer or its audience.",
    why=CRASH,
    example="incomingAuth: {type: oauth}",
    cure="use a type that the process knows, and complete the `oidc` block.",
    source=VALIDATOR,
    stage="process",
)
AUTHORIZATION = rule(
    "VMC103",
    "authorization-refused",
    "The authorization of a virtual server is of a type that its process does not know.",
    flagged="`incomingAuth.authzConfig` of type `configMap` in a VirtualMCPServer: the operator hands the word on and"
    " does not read the ConfigMap. In a file, `authz.type` other than `cedar` and `none`, or `cedar` without policies.",
    why=CRASH,
    example="incomingAuth:\n  type: anonymous\n  authzConfig:\n    type: configMap\n    configMap: {name: policies}",
    cure="write the policies into the resource: `authzConfig: {type: inline, inline: {policies: […]}}`. From v0.28.3 on"
    " the ConfigMap is read.",
    source="the validator of the vMCP process, v0.21.0; upstream issue 4919.",
    stage="process",
)
OUTGOING = rule(
    "VMC104",
    "outgoing-auth-refused",
    "The authentication towards a backend is not one that the vMCP process knows, or not complete.",
    flagged="with `outgoingAuth.source: inline`, a `default` or an entry of `backends` of type `discovered`: the"
    " operator writes the word into the file, where only strategies are allowed. In a file, a source or a type that"
    " does not exist, or a strategy without its block.",
    why=CRASH,
    example="outgoingAuth:\n  source: inline\n  default: {type: discovered}",
    cure="remove the entry (members bring their own authentication), refer to an MCPExternalAuthConfig, or use source"
    " `discovered`.",
    source=VALIDATOR,
    stage="process",
)
RESOLUTION = rule(
    "VMC105",
    "conflict-resolution-incomplete",
    "It is not said how conflicts of tool names are resolved.",
    flagged="`conflictResolution: priority` without a `priorityOrder`, or with an empty name in it; `manual` without"
    " `tools`; `prefix` with an empty `prefixFormat`. In a file also an unknown strategy, and a missing"
    " `conflictResolutionConfig`.",
    why=CRASH,
    example="aggregation:\n  conflictResolution: manual",
    cure="add what the strategy works by, or use `prefix`.",
    source=VALIDATOR,
    stage="process",
)
WORKLOAD = rule(
    "VMC106",
    "duplicate-workload-entry",
    "Two entries of aggregation.tools are about the same backend, or one is about none.",
    flagged="a `workload` that occurs twice under `aggregation.tools`; in a file also an empty one.",
    why=CRASH,
    example="tools:\n- workload: github\n  filter: [search]\n- workload: github\n  excludeAll: true",
    cure="join the entries.",
    source=VALIDATOR,
    stage="process",
)
OVERRIDE = rule(
    "VMC107",
    "override-of-annotations-only",
    "An override of a tool gives neither a name nor a description.",
    flagged="an entry of `overrides`, in `aggregation.tools` or in the MCPToolConfig that `toolConfigRef` merges in,"
    " with annotations alone, or with nothing.",
    why=CRASH,
    example="overrides:\n  search:\n    annotations: {readOnlyHint: true}",
    cure="repeat the tool's own name beside the annotations: `name: search`.",
    source=VALIDATOR,
    stage="process",
)
TIMEOUT = rule(
    "VMC108",
    "timeout-not-positive",
    "A timeout is not more than zero.",
    flagged="`operational.timeouts.default` or an entry of `perWorkload` that is zero or negative.",
    why=CRASH,
    example="operational:\n  timeouts:\n    perWorkload: {github: 0s}",
    cure="give a time, or remove the entry. The times are read by nothing at v0.21.0.",
    source=VALIDATOR,
    stage="process",
)
HEALTH_CHECK = rule(
    "VMC109",
    "health-check-refused",
    "Health checks of backends contradict themselves.",
    flagged="a `healthCheckTimeout` that is not below `healthCheckInterval` (10s where it is not given, so that"
    " an interval of 10s is flagged too); an interval or an `unhealthyThreshold` that is not positive.",
    why=CRASH,
    example="failureHandling:\n  healthCheckInterval: 10s",
    cure="make the timeout shorter than the interval.",
    source=VALIDATOR,
    stage="process",
)
FAILURE_MODE = rule(
    "VMC110",
    "failure-mode-refused",
    "The mode of partial failures is spelled as the process does not know it.",
    flagged="`partialFailureMode: best_effort` in a VirtualMCPServer: the schema allows `fail` and `best_effort`, the"
    " process `fail` and `bestEffort`. Only `fail` is in both. In a file, everything but `fail` and `bestEffort`. A"
    " VirtualMCPServer of v1beta1 is left alone.",
    why=CRASH,
    example="failureHandling: {partialFailureMode: best_effort}",
    cure="remove it: the mode is read by nothing at v0.21.0. From v0.22.0 on the process takes `best_effort`.",
    source="the validator of the vMCP process, v0.21.0; upstream issue 4856.",
    stage="process",
    until=(0, 22, 0),
)
CIRCUIT_BREAKER = rule(
    "VMC111",
    "circuit-breaker-refused",
    "The circuit breaker is on, but its settings are out of range.",
    flagged="an enabled `circuitBreaker` with a `failureThreshold` below 1 or a `timeout` below 1s.",
    why=CRASH,
    example="circuitBreaker: {enabled: true, failureThreshold: 0}",
    cure="set `failureThreshold` to 1 or more and `timeout` to 1s or more.",
    source=VALIDATOR,
    stage="process",
)
BACKEND = rule(
    "VMC112",
    "backend-refused",
    "A backend has a CA bundle that the process does not take, or an unknown type.",
    flagged="with `outgoingAuth.source: inline`, a group member of kind MCPServerEntry with a `caBundleRef`: the"
    " operator writes the path of the bundle, but not the type `entry` that has to go with it. In a file, or in"
    " `config.backends`, a `caBundlePath` without `type: entry` or one that is not an absolute path, and a type other"
    " than `entry`.",
    why=CRASH,
    example="kind: MCPServerEntry\nspec:\n  groupRef: {name: team}\n  caBundleRef: {configMapRef: {name: ca, key:"
    " ca.crt}}",
    cure="use source `discovered`, or take the entry out of the group.",
    source=VALIDATOR,
    stage="process",
)
COMPOSITE_REFERENCE = rule(
    "VMC113",
    "composite-reference-refused",
    "References to composite tools are empty or repeated, or two composite tools have one name.",
    flagged="in a vMCP configuration, an entry of `compositeToolRefs` without a name or that occurs twice, and a name"
    " that two `compositeTools` have.",
    why="the process refuses the file and does not start.",
    example="compositeToolRefs:\n- name: report\n- name: report",
    cure="remove the repetition.",
    source=VALIDATOR,
    stage="process",
)
OPTIMIZER = rule(
    "VMC114",
    "optimizer-out-of-range",
    "A setting of the optimizer is out of range.",
    flagged="`maxToolsToReturn` outside of 1 to 50, `hybridSearchSemanticRatio` outside of 0 to 1,"
    " `semanticDistanceThreshold` outside of 0 to 2. The schema lets every plain number pass.",
    why=CRASH,
    example='optimizer: {hybridSearchSemanticRatio: "1.5"}',
    cure="choose a number within the range.",
    source=START,
    stage="process",
)
AUDIT = rule(
    "VMC115",
    "audit-refused",
    "An audit setting is not one that the process knows.",
    flagged="a name in `audit.eventTypes` or `audit.excludeEventTypes` that is no type of event; a negative"
    " `maxDataSize`.",
    why=CRASH,
    example="audit: {eventTypes: [tool_call]}  # it is mcp_tool_call",
    cure="correct the name.",
    source=START,
    stage="process",
)
POLICY = rule(
    "VMC118",
    "virtual-server-policy-refused",
    "A Cedar policy of a virtual server does not parse.",
    flagged="an item of `incomingAuth.authzConfig.inline.policies`, or in a file of `incomingAuth.authz.policies`,"
    " that is no Cedar policy.",
    why="neither the API server nor the operator reads policies of a VirtualMCPServer. The process does when it starts,"
    " and its pod crashes in a loop.",
    example="policies:\n- allow(principal, action, resource);",
    cure="correct the policy: it begins with `permit` or `forbid`.",
    source="start of the vMCP process, v0.21.0; the Cedar language.",
    stage="process",
)
DEFINITION = rule(
    "VMC116",
    "refused-composite-definition",
    "A composite tool definition that the virtual server uses would be refused.",
    flagged="an entry of `config.compositeToolRefs` that leads to a VirtualMCPCompositeToolDefinition with an error.",
    why="no controller looks at definitions: the operator copies them into the configuration as they are. "
    + CRASH[0].upper()
    + CRASH[1:],
    example="compositeToolRefs:\n- name: report  # a step of it depends on a step that does not exist",
    cure="fix the definition: the notes name the places.",
    source=START,
    stage="process",
)

UNREADABLE = rule(
    "VMC119",
    "unreadable-vmcp-config",
    "The configuration that the operator writes of a virtual server cannot be read.",
    flagged="a text of several lines that begins with a blank line or a space, as an item of a list or in one: a Cedar"
    " policy, a message, argument or description of a composite tool. In a definition it is told at the reference.",
    why="the operator's YAML library writes such a text with a wrong indent, and the process, which has the same"
    " library, refuses the whole file: the pod crashes in a loop. Nothing is wrong with the resource itself.",
    example="policies:\n- |\n\n  permit(principal, action, resource);",
    cure="begin the text on its first line, without a blank line or a space before it.",
    source="gopkg.in/yaml.v3 v3.0.1, with which the operator writes and the process reads.",
    stage="process",
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
    DEFINITION,
    UNREADABLE,
)

OF_FAULT = {
    "name-missing": INCOMPLETE,
    "group-missing": INCOMPLETE,
    "incoming-auth-missing": INCOMPLETE,
    "outgoing-auth-missing": INCOMPLETE,
    "aggregation-missing": INCOMPLETE,
    "incoming-auth-type": INCOMING,
    "oidc-missing": INCOMING,
    "oidc-incomplete": INCOMING,
    "authz-type": AUTHORIZATION,
    "policies-missing": AUTHORIZATION,
    "outgoing-auth-source": OUTGOING,
    "strategy-missing": OUTGOING,
    "strategy-type": OUTGOING,
    "strategy-incomplete": OUTGOING,
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
    "audit-event-type": AUDIT,
    "audit-data-size": AUDIT,
    "policy-syntax": POLICY,
}
"""Code of a fault in a vMCP configuration to the rule that tells it."""
