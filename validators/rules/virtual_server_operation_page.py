"""Rules of how a virtual server runs: sessions, keys, health checks, the optimizer."""

from __future__ import annotations

from ..page import rule

REPLICAS = rule(
    "VMC016",
    "sessions-not-shared",
    "Several replicas keep their sessions to themselves.",
    flagged="`spec.replicas` above 1 without `spec.sessionStorage.provider: redis`.",
    why="the operator starts the pods and records the condition SessionStorageWarning. A client whose next request"
    " comes to another pod has no session there.",
    example="spec: {replicas: 2}",
    cure="keep sessions in Redis: `sessionStorage: {provider: redis, address: redis:6379}`.",
    source="the conditions of VirtualMCPServer in the operator, v0.21.0.",
    stage="operator",
    severity="warning",
)
VOLATILE = rule(
    "VMC221",
    "volatile-auth-server",
    "An embedded authorization server forgets its clients and tokens when it restarts.",
    flagged="`authServerConfig` without `storage.type: redis`.",
    why="registrations of clients and all tokens live in memory: after each restart everybody has to log in again, and"
    " clients that registered themselves are unknown. Several replicas do not know each other's.",
    example="authServerConfig: {issuer: https://auth.example.com, upstreamProviders: […]}",
    cure="keep the state in Redis.",
    source="the storage of the embedded authorization server, v0.21.0; reports of users.",
    stage="lint",
    is_one_change=True,
)
EPHEMERAL_KEYS = rule(
    "VMC222",
    "ephemeral-signing-keys",
    "An embedded authorization server makes up its keys at each start.",
    flagged="`authServerConfig` without `signingKeySecretRefs` or without `hmacSecretRefs`; a warning where there are"
    " several replicas, an info otherwise.",
    why="tokens that were issued before a restart, or by another replica, are not accepted.",
    example="authServerConfig: {issuer: https://auth.example.com, upstreamProviders: […]}",
    cure="create the keys as Secrets and refer to them.",
    source="reference of the embedded authorization server: signing keys are for production, HMAC secrets of 32 bytes.",
    stage="lint",
    severity="info",
    is_one_change=True,
)
PUBLIC = rule(
    "VMC223",
    "anonymous-outside-cluster",
    "A virtual server without authentication is reachable from outside of the cluster.",
    flagged="`incomingAuth.type: anonymous` with `serviceType: LoadBalancer` or `NodePort`.",
    why="whoever reaches the address may call every tool, with the credentials that the backends are given.",
    example="serviceType: LoadBalancer\nincomingAuth: {type: anonymous}",
    cure="use `oidc`, or a Service of type ClusterIP behind something that authenticates.",
    source="the incoming authentication and the Service of a VirtualMCPServer, v0.21.0.",
    stage="lint",
)
UNMOUNTED = rule(
    "VMC224",
    "unmounted-member-secret",
    "The secret of a member's authentication does not reach the process.",
    flagged="with `outgoingAuth.source: inline`, a member of the group whose own `externalAuthConfigRef` needs a secret"
    " (`tokenExchange` with a client secret, `headerInjection`), where `outgoingAuth.backends` does not name it.",
    why="the operator writes the name of an environment variable into the configuration, and does not add the variable"
    " to the pod. The process does not start where it is missing.",
    example="outgoingAuth: {source: inline}  # a member injects a header from a Secret",
    cure="repeat the reference under `outgoingAuth.backends.MEMBER`, whose secrets are mounted.",
    source="how the operator and the vMCP process find the members of a group, v0.21.0.",
    stage="lint",
)
HIDDEN_BY_POLICY = rule(
    "VMC225",
    "optimizer-hidden-by-policies",
    "Cedar policies name real tools, and clients get to see the optimizer's two only.",
    flagged="`optimizer` together with inline policies that name tools and none of which names `find_tool` or"
    " `call_tool` or permits tools in general.",
    why="with the optimizer clients call `find_tool` and `call_tool`. Policies for other names permit neither: the"
    " list of tools is empty.",
    example='policies:\n- permit(principal, action == Action::"call_tool", resource == Tool::"weather");',
    cure="permit `find_tool` and `call_tool` too.",
    source="the optimizer and the composite tools of the vMCP process, v0.21.0; upstream issue 4373.",
    stage="lint",
)
OVERRIDDEN = rule(
    "VMC226",
    "embedding-service-overridden",
    "An embedding service is given twice.",
    flagged="`config.optimizer.embeddingService` together with `spec.embeddingServerRef`.",
    why="the reference counts; the operator overwrites the URL and says so in an event.",
    example="embeddingServerRef: {name: emb}\nconfig: {optimizer: {embeddingService: http://other:8080}}",
    cure="remove one of the two.",
    source="the optimizer settings of VirtualMCPServer in the operator, v0.21.0.",
    stage="lint",
)
UNUSED_SEARCH = rule(
    "VMC227",
    "optimizer-setting-unused",
    "A setting of the optimizer's search has no effect.",
    flagged="`semanticDistanceThreshold`, or an embedding server, with `hybridSearchSemanticRatio` 0.",
    why="with ratio 0 the search goes by words alone: distances are not looked at, and the embedding server runs for"
    " nothing.",
    example='optimizer: {hybridSearchSemanticRatio: "0", semanticDistanceThreshold: "0.8"}',
    cure="raise the ratio, or remove the setting.",
    source="reference of the vMCP configuration, optimizer.",
    stage="lint",
)
BREAKER_OFF = rule(
    "VMC228",
    "circuit-breaker-off",
    "A circuit breaker is set up, and not switched on.",
    flagged="`circuitBreaker` with a `failureThreshold` or `timeout` of its own and without `enabled: true`.",
    why="it is off unless `enabled` says otherwise: failing backends are asked again and again.",
    example="circuitBreaker: {failureThreshold: 3}",
    cure="add `enabled: true`.",
    source="reference of the vMCP configuration, failure handling.",
    stage="lint",
)
UNUSED_DEFINITION = rule(
    "CMP201",
    "unused-composite-definition",
    "No virtual server uses a composite tool definition.",
    flagged="a VirtualMCPCompositeToolDefinition that no `config.compositeToolRefs` names, where all files are known.",
    why="a definition does nothing by itself.",
    example="kind: VirtualMCPCompositeToolDefinition\nmetadata: {name: report}",
    cure="refer to it, or remove it.",
    source="the conversion of a VirtualMCPServer in the operator, v0.21.0.",
    stage="lint",
    severity="info",
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
