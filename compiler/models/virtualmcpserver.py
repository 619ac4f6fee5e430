"""VirtualMCPServer: one endpoint for all backends of a group."""

from __future__ import annotations

from typing import Annotated, Literal, Required, TypedDict

from .authz import AuthzConfigRef
from .dated import Since
from .declare import (
    Atomic,
    Cel,
    Default,
    Format,
    Int32,
    ListMap,
    MaxItems,
    MaxLength,
    MinItems,
    MinLength,
    PreserveUnknownFields,
    RefTo,
    not_both,
    rules,
)
from .deployment import PodTemplate, PullSecrets, ReplicaCount, SessionAffinity
from .embeddedauth import EmbeddedAuthServerConfig
from .reference import (
    EmbeddingServerRef,
    ExternalAuthConfigRef,
    MCPAuthzConfigReference,
    MCPGroupRef,
    MCPOIDCConfigReference,
    MCPTelemetryConfigReference,
)
from .session import SessionStorageConfig
from .status import AuthzConfigHash, Conditions, ObservedGeneration, OIDCConfigHash, TelemetryConfigHash
from .vmcp import VMCPConfig


@rules(
    Cel("self.type == 'oidc' ? has(self.oidcConfigRef) : true", "type oidc needs an oidcConfigRef", "oidcConfigRef"),
    not_both("authzConfig", "authzConfigRef", "0.30.0"),
)
class IncomingAuthConfig(TypedDict, total=False):
    """Authentication of clients, and authorization of their requests."""

    type: Required[Annotated[Literal["anonymous", "oidc"], "Method of authentication of clients."]]
    oidcConfigRef: Annotated[MCPOIDCConfigReference, "OIDC provider; for type oidc."]
    authzConfig: Annotated[AuthzConfigRef, "Authorization of requests."]
    authzConfigRef: Annotated[
        MCPAuthzConfigReference, "Shared Cedar policies, instead of authzConfig.", Since("0.30.0")
    ]


class BackendAuthConfig(TypedDict, total=False):
    """Authentication to one backend."""

    type: Required[
        Annotated[
            Literal["discovered", "externalAuthConfigRef"],
            "discovered uses the reference of the backend itself, externalAuthConfigRef the reference given here.",
        ]
    ]
    externalAuthConfigRef: Annotated[ExternalAuthConfigRef, "For type externalAuthConfigRef."]


class OutgoingAuthConfig(TypedDict, total=False):
    """Authentication to backends."""

    source: Annotated[
        Literal["discovered", "inline"],
        "Whether authentication is discovered from the backends or given inline.",
        Default("discovered"),
    ]
    default: Annotated[BackendAuthConfig, "Authentication of backends without an entry in backends."]
    backends: Annotated[dict[str, BackendAuthConfig], "Authentication of single backends, by name."]


class DiscoveredBackend(TypedDict, total=False):
    """The last observed state of a backend."""

    name: Required[Annotated[str, "Name of the backend."]]
    url: Annotated[str, "Address of the backend."]
    status: Annotated[str, "Health of the backend: ready, degraded, unavailable or unknown."]
    authConfigRef: Annotated[str, "MCPExternalAuthConfig that the backend refers to."]
    authType: Annotated[str, "Method of authentication to the backend."]
    lastHealthCheck: Annotated[str, "Time of the last health check.", Format("date-time")]
    message: Annotated[str, "Details of the health."]
    circuitBreakerState: Annotated[Literal["closed", "open", "half-open"], "State of the circuit breaker."]
    circuitLastChanged: Annotated[str, "Time of the last change of circuitBreakerState.", Format("date-time")]
    consecutiveFailures: Annotated[int, "Number of failed checks in a row."]
    mcpRevision: Annotated[str, "MCP revision of the backend; empty if unknown.", Since("0.41.0")]


class UpstreamFilterRule(TypedDict, total=False):
    """Upstream providers for members of groups."""

    groups: Required[Annotated[list[str], "Groups, matched exactly.", MinItems(1), MaxItems(100), Atomic()]]
    upstreamProviders: Required[
        Annotated[list[str], "Names of upstream providers.", MinItems(1), MaxItems(100), Atomic()]
    ]


class AuthServerUpstreamFilterConfig(TypedDict, total=False):
    """Upstream providers that a user logs in to, by the user's groups. Everybody logs in to the first provider."""

    claim: Annotated[
        str,
        "Claim of the first provider with the groups; groups when missing. A login without the claim fails.",
        MinLength(1),
        MaxLength(253),
    ]
    rules: Required[Annotated[list[UpstreamFilterRule], "Providers by group.", MinItems(1), MaxItems(100), Atomic()]]
    defaultUpstreams: Annotated[list[str], "Providers of users whose groups match no rule.", MaxItems(100), Atomic()]


@rules(
    Cel(
        "!has(self.config) || !has(self.config.rateLimiting) || (has(self.sessionStorage)"
        " && self.sessionStorage.provider == 'redis')",
        "config.rateLimiting needs sessionStorage with provider redis",
        "config",
        since="0.28.0",
    ),
    Cel(
        "!(has(self.config) && has(self.config.rateLimiting) && has(self.config.rateLimiting.perUser))"
        " || (has(self.incomingAuth) && self.incomingAuth.type == 'oidc')",
        "config.rateLimiting.perUser needs incomingAuth of type oidc",
        "config",
        since="0.28.0",
    ),
    Cel(
        "!has(self.config) || !has(self.config.rateLimiting) || !has(self.config.rateLimiting.tools)"
        " || self.config.rateLimiting.tools.all(t, !has(t.perUser))"
        " || (has(self.incomingAuth) && self.incomingAuth.type == 'oidc')",
        "perUser limits of tools need incomingAuth of type oidc",
        "config",
        since="0.28.0",
    ),
    Cel(
        "!(has(self.embeddingServerRef) && has(self.config) && has(self.config.optimizer)"
        " && has(self.config.optimizer.embeddingProvider) && self.config.optimizer.embeddingProvider == 'openai')",
        "embeddingServerRef does not go with embeddingProvider openai, which asks embeddingService itself",
        "embeddingServerRef",
        since="0.32.0",
    ),
)
class VirtualMCPServerSpec(TypedDict, total=False):
    """The desired state of the virtual server."""

    incomingAuth: Required[Annotated[IncomingAuthConfig, "Authentication of clients; set type anonymous for none."]]
    outgoingAuth: Annotated[OutgoingAuthConfig, "Authentication to backends."]
    passthroughHeaders: Annotated[
        list[str],
        "Headers of clients that are forwarded to all backends. They take precedence over those of config.",
        Atomic(),
        Since("0.30.0"),
    ]
    serviceType: Annotated[
        Literal["ClusterIP", "NodePort", "LoadBalancer"], "Type of the Service.", Default("ClusterIP")
    ]
    sessionAffinity: SessionAffinity
    serviceAccount: Annotated[
        str, "Existing ServiceAccount of the server; one is created when missing.", RefTo("ServiceAccount")
    ]
    podTemplateSpec: Annotated[PodTemplate, "Pod template of the server. Its container is named vmcp."]
    groupRef: Required[Annotated[MCPGroupRef, "Group whose backends are served."]]
    config: Annotated[
        VMCPConfig, "Configuration of the server. Unknown fields are kept but have no effect.", PreserveUnknownFields()
    ]
    telemetryConfigRef: Annotated[MCPTelemetryConfigReference, "Shared telemetry configuration."]
    embeddingServerRef: Annotated[EmbeddingServerRef, "Embedding server of the optimizer."]
    authServerConfig: Annotated[
        EmbeddedAuthServerConfig, "Embedded authorization server. Its issuer must be the issuer of incomingAuth."
    ]
    authServerUpstreamFilter: Annotated[
        AuthServerUpstreamFilterConfig,
        "Upstream providers that a user logs in to, by the user's groups.",
        Since("0.55.0"),
    ]
    replicas: Annotated[ReplicaCount, "Number of server pods. When missing, an autoscaler may set it."]
    sessionStorage: Annotated[SessionStorageConfig, "Session store that several replicas share."]
    imagePullSecrets: Annotated[
        PullSecrets, "Registry credentials of the Deployment and of the created ServiceAccount.", Since("0.26.0")
    ]


class VirtualMCPServerRuntimeStatus(TypedDict, total=False):
    """The state that the virtual server reports about itself."""

    phase: Annotated[Literal["Pending", "Ready", "Degraded", "Failed"], "Phase as the server sees it."]
    message: Annotated[str, "Details of the phase."]
    conditions: Conditions
    discoveredBackends: Annotated[list[DiscoveredBackend], "Backends of the group.", ListMap("name")]
    backendCount: Annotated[Int32, "Number of ready backends."]


class VirtualMCPServerStatus(TypedDict, total=False):
    """The last observed state of the virtual server."""

    conditions: Conditions
    observedGeneration: ObservedGeneration
    phase: Annotated[
        Literal["Pending", "Ready", "Degraded", "Failed"],
        "Pending at first, Ready, Degraded if some backends are unavailable, or Failed.",
        Default("Pending"),
    ]
    message: Annotated[str, "Details of the phase."]
    url: Annotated[str, "URL of the server for clients."]
    discoveredBackends: Annotated[list[DiscoveredBackend], "Backends of the group.", ListMap("name")]
    backendCount: Annotated[Int32, "Number of ready backends."]
    authzConfigHash: AuthzConfigHash
    oidcConfigHash: OIDCConfigHash
    telemetryConfigHash: TelemetryConfigHash
    runtime: Annotated[VirtualMCPServerRuntimeStatus, "State that the server itself reports.", Since("0.46.0")]
