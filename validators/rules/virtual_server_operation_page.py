"""Rules of how a virtual server runs: sessions, keys, health checks, the optimizer."""

from __future__ import annotations

from mcpcfg.compiler.finding import rule

REPLICAS = rule(
    "VMC016",
    "sessions-not-shared",
    "Several replicas keep their sessions to themselves",
    stage="operator",
    severity="warning",
    checks="`spec.replicas` above 1 without `spec.sessionStorage.provider: redis`.",
    why="The operator starts the pods and records the condition SessionStorageWarning. A client whose next request"
    " comes to another pod has no session there.",
    example="spec: {replicas: 2}",
    fix="Keep sessions in Redis: `sessionStorage: {provider: redis, address: redis:6379}`.",
    source="The conditions of VirtualMCPServer in the operator, v0.21.0.",
)
VOLATILE = rule(
    "VMC221",
    "volatile-auth-server",
    "An embedded authorization server forgets its clients and tokens when it restarts",
    stage="lint",
    checks="`authServerConfig` without `storage.type: redis`.",
    why="Registrations of clients and all tokens live in memory: after each restart everybody has to log in again, and"
    " clients that registered themselves are unknown. Several replicas do not know each other's.",
    example="authServerConfig: {issuer: https://auth.example.com, upstreamProviders: […]}",
    fix="Keep the state in Redis.",
    source="The storage of the embedded authorization server, v0.21.0; reports of users.",
    is_one_change=True,
)
EPHEMERAL_KEYS = rule(
    "VMC222",
    "ephemeral-signing-keys",
    "An embedded authorization server makes up its keys at each start",
    stage="lint",
    severity="info",
    checks="`authServerConfig` without `signingKeySecretRefs` or without `hmacSecretRefs`; a warning where there are"
    " several replicas, an info otherwise.",
    why="Tokens that were issued before a restart, or by another replica, are not accepted.",
    example="authServerConfig: {issuer: https://auth.example.com, upstreamProviders: […]}",
    fix="Create the keys as Secrets and refer to them.",
    source="Reference of the embedded authorization server: signing keys are for production, HMAC secrets of 32 bytes.",
    is_one_change=True,
)
PUBLIC = rule(
    "VMC223",
    "anonymous-outside-cluster",
    "A virtual server without authentication is reachable from outside of the cluster",
    stage="lint",
    checks="`incomingAuth.type: anonymous` with `serviceType: LoadBalancer` or `NodePort`.",
    why="Whoever reaches the address may call every tool, with the credentials that the backends are given.",
    example="""
        serviceType: LoadBalancer
        incomingAuth: {type: anonymous}
        """,
    fix="Use `oidc`, or a Service of type ClusterIP behind something that authenticates.",
    source="The incoming authentication and the Service of a VirtualMCPServer, v0.21.0.",
)
UNMOUNTED = rule(
    "VMC224",
    "unmounted-member-secret",
    "The secret of a member's authentication does not reach the process",
    stage="lint",
    checks="With `outgoingAuth.source: inline`, a member of the group whose own `externalAuthConfigRef` needs a secret"
    " (`tokenExchange` with a client secret, `headerInjection`), where `outgoingAuth.backends` does not name it.",
    why="The operator writes the name of an environment variable into the configuration, and does not add the variable"
    " to the pod. The process does not start where it is missing.",
    example="outgoingAuth: {source: inline}  # a member injects a header from a Secret",
    fix="Repeat the reference under `outgoingAuth.backends.MEMBER`, whose secrets are mounted.",
    source="How the operator and the vMCP process find the members of a group, v0.21.0.",
)
HIDDEN_BY_POLICY = rule(
    "VMC225",
    "optimizer-hidden-by-policies",
    "Cedar policies name real tools, and clients see only the two of the optimizer",
    stage="lint",
    checks="`optimizer` together with inline policies that name tools and none of which names `find_tool` or"
    " `call_tool` or permits tools in general.",
    why="With the optimizer clients call `find_tool` and `call_tool`. Policies for other names permit neither: the"
    " list of tools is empty.",
    example="""
        policies:
        - permit(principal, action == Action::"call_tool", resource == Tool::"weather");
        """,
    fix="Permit `find_tool` and `call_tool` too.",
    source="The optimizer and the composite tools of the vMCP process, v0.21.0; upstream issue 4373.",
)
OVERRIDDEN = rule(
    "VMC226",
    "embedding-service-overridden",
    "An embedding service is given twice",
    stage="lint",
    checks="`config.optimizer.embeddingService` together with `spec.embeddingServerRef`.",
    why="The reference counts; the operator overwrites the URL and says so in an event.",
    example="""
        embeddingServerRef: {name: emb}
        config: {optimizer: {embeddingService: http://other:8080}}
        """,
    fix="Remove one of the two.",
    source="The optimizer settings of VirtualMCPServer in the operator, v0.21.0.",
)
UNUSED_SEARCH = rule(
    "VMC227",
    "optimizer-setting-unused",
    "A setting of the optimizer's search has no effect",
    stage="lint",
    checks="`semanticDistanceThreshold`, or an embedding server, with `hybridSearchSemanticRatio` 0.",
    why="With ratio 0 the search goes by words alone: distances are not looked at, and the embedding server runs for"
    " nothing.",
    example='optimizer: {hybridSearchSemanticRatio: "0", semanticDistanceThreshold: "0.8"}',
    fix="Raise the ratio, or remove the setting.",
    source="Reference of the vMCP configuration, optimizer.",
)
BREAKER_OFF = rule(
    "VMC228",
    "circuit-breaker-off",
    "A circuit breaker is set up, and not switched on",
    stage="lint",
    checks="`circuitBreaker` with a `failureThreshold` or `timeout` of its own and without `enabled: true`.",
    why="It is off unless `enabled` says otherwise: failing backends are asked again and again.",
    example="circuitBreaker: {failureThreshold: 3}",
    fix="Add `enabled: true`.",
    source="Reference of the vMCP configuration, failure handling.",
)
UNUSED_DEFINITION = rule(
    "CMP201",
    "unused-composite-definition",
    "No virtual server uses a composite tool definition",
    stage="lint",
    severity="info",
    checks="A VirtualMCPCompositeToolDefinition that no `config.compositeToolRefs` names, where all files are known.",
    why="A definition does nothing by itself.",
    example="""
        kind: VirtualMCPCompositeToolDefinition
        metadata: {name: report}
        """,
    fix="Refer to it, or remove it.",
    source="The conversion of a VirtualMCPServer in the operator, v0.21.0.",
)
RULES = (
    REPLICAS,
    VOLATILE,
    EPHEMERAL_KEYS,
    PUBLIC,
    UNMOUNTED,
    HIDDEN_BY_POLICY,
    OVERRIDDEN,
    UNUSED_SEARCH,
    BREAKER_OFF,
    UNUSED_DEFINITION,
)
