"""VirtualMCPServer: one endpoint for all backends of a group."""

from __future__ import annotations

from typing import Annotated, Literal, Required, TypedDict

from .authz import AuthzConfigRef
from .dated import Since
from .declare import Atomic, Cel, Default, Format, Int32, ListMap, PreserveUnknownFields, RefTo, rules
from .deployment import PodTemplate, PullSecrets, ReplicaCount
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
    Cel(
        "self.type == 'oidc' ? has(self.oidcConfigRef) : true",
        "type oidc needs an oidcConfigRef",
        "oidcConfigRef",
    ),
    Cel(
        "!(has(self.authzConfig) && has(self.authzConfigRef))",
        "either authzConfig or authzConfigRef, not both",
        "authzConfigRef",
        since="0.30.0",
    ),
)
class IncomingAuthConfig(TypedDict, total=False):
    """Authentication of clients."""

    type: Required[Annotated[Literal["anonymous", "oidc"], "How clients authenticate."]]
    oidcConfigRef: Annotated[MCPOIDCConfigReference, "OIDC provider; for type oidc."]
    authzConfig: Annotated[AuthzConfigRef, "Authorization of requests."]
    authzConfigRef: Annotated[
        MCPAuthzConfigReference, "Shared Cedar policies, instead of authzConfig.", Since("0.30.0")
    ]


class BackendAuthConfig(TypedDict, total=False):
    """Authentication towards one backend."""

    type: Required[
        Annotated[
            Literal["discovered", "externalAuthConfigRef"],
            "What the backend itself refers to, or what is referred to here.",
        ]
    ]
    externalAuthConfigRef: Annotated[ExternalAuthConfigRef, "For type externalAuthConfigRef."]


class OutgoingAuthConfig(TypedDict, total=False):
    """Authentication towards backends."""

    source: Annotated[
        Literal["discovered", "inline"],
        "Whether it is discovered from the backends or written here.",
        Default("discovered"),
    ]
    default: Annotated[BackendAuthConfig, "For backends that have none of their own."]
    backends: Annotated[dict[str, BackendAuthConfig], "For single backends, by name."]


class DiscoveredBackend(TypedDict, total=False):
    """A backend as it was last seen."""

    name: Required[Annotated[str, "Name of the backend."]]
    url: Annotated[str, "Address of the backend."]
    status: Annotated[str, "Health of the backend: ready, degraded, unavailable or unknown."]
    authConfigRef: Annotated[str, "MCPExternalAuthConfig that it refers to."]
    authType: Annotated[str, "How the virtual server authenticates towards it."]
    lastHealthCheck: Annotated[str, "When it was last checked.", Format("date-time")]
    message: Annotated[str, "More about its health."]
    circuitBreakerState: Annotated[Literal["closed", "open", "half-open"], "Whether it is left alone."]
    circuitLastChanged: Annotated[str, "When that last changed.", Format("date-time")]
    consecutiveFailures: Annotated[int, "Failed checks in a row."]
    mcpRevision: Annotated[str, "Revision of MCP that it speaks; empty where it was not asked.", Since("0.41.0")]


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
    """The virtual server that is wanted."""

    incomingAuth: Required[Annotated[IncomingAuthConfig, "Authentication of clients; anonymous where there is none."]]
    outgoingAuth: Annotated[OutgoingAuthConfig, "Authentication towards backends."]
    passthroughHeaders: Annotated[
        list[str],
        "Headers of clients that are handed on to all backends; stronger than those of config.",
        Atomic(),
        Since("0.30.0"),
    ]
    serviceType: Annotated[
        Literal["ClusterIP", "NodePort", "LoadBalancer"], "Type of the Service.", Default("ClusterIP")
    ]
    sessionAffinity: Annotated[
        Literal["ClientIP", "None"],
        "Whether the Service sends a client to the same pod each time.",
        Default("ClientIP"),
    ]
    serviceAccount: Annotated[
        str, "Existing ServiceAccount of the server; one is created when missing.", RefTo("ServiceAccount")
    ]
    podTemplateSpec: Annotated[PodTemplate, "Pod template of the server; its container is called vmcp."]
    groupRef: Required[Annotated[MCPGroupRef, "Group whose backends are served."]]
    config: Annotated[
        VMCPConfig,
        "Configuration of the server. Fields that it does not know are kept, and without any effect.",
        PreserveUnknownFields(),
    ]
    telemetryConfigRef: Annotated[MCPTelemetryConfigReference, "Shared telemetry configuration."]
    embeddingServerRef: Annotated[EmbeddingServerRef, "Embedding server of the optimizer."]
    authServerConfig: Annotated[
        EmbeddedAuthServerConfig,
        "Embedded authorization server; its issuer is the one of incomingAuth.",
    ]
    replicas: Annotated[ReplicaCount, "Pods of the server; left to an autoscaler when missing."]
    sessionStorage: Annotated[SessionStorageConfig, "Where sessions are kept when there are several replicas."]
    imagePullSecrets: Annotated[
        PullSecrets, "Registry credentials of the Deployment and of the created ServiceAccount.", Since("0.26.0")
    ]


class VirtualMCPServerStatus(TypedDict, total=False):
    """The virtual server as it was last seen."""

    conditions: Conditions
    observedGeneration: ObservedGeneration
    phase: Annotated[
        Literal["Pending", "Ready", "Degraded", "Failed"],
        "Pending at first, Ready, Degraded where some backends are missing, Failed.",
        Default("Pending"),
    ]
    message: Annotated[str, "More about the phase."]
    url: Annotated[str, "Where clients reach the server."]
    discoveredBackends: Annotated[list[DiscoveredBackend], "Backends of the group.", ListMap("name")]
    backendCount: Annotated[Int32, "Backends that are ready."]
    authzConfigHash: AuthzConfigHash
    oidcConfigHash: OIDCConfigHash
    telemetryConfigHash: TelemetryConfigHash
