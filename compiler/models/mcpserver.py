"""MCPServer: a container that speaks MCP, run behind a proxy."""

from __future__ import annotations

from typing import Annotated, Literal, Required, TypedDict

from ..toolhive.constants import DEFAULT_PORT
from .audit import AuditConfig
from .authz import AuthzConfigRef
from .dated import Since
from .declare import Atomic, Cel, Default, Int32, ListMap, RefTo, rules
from .deployment import (
    EnvVar,
    PodTemplate,
    Port,
    ReplicaCount,
    ResourceOverrides,
    ResourceRequirements,
    Volume,
)
from .reference import (
    AuthServerRef,
    ExternalAuthConfigRef,
    MCPAuthzConfigReference,
    MCPGroupRef,
    MCPOIDCConfigReference,
    MCPTelemetryConfigReference,
    SecretRef,
    ToolConfigRef,
    WebhookConfigRef,
)
from .session import RateLimitConfig, SessionStorageConfig
from .status import (
    AuthServerConfigHash,
    AuthzConfigHash,
    Conditions,
    ExternalAuthConfigHash,
    ObservedGeneration,
    OIDCConfigHash,
    TelemetryConfigHash,
    ToolConfigHash,
)


class PermissionProfileRef(TypedDict, total=False):
    """What the server may read, write and connect to."""

    type: Required[Annotated[Literal["builtin", "configmap"], "Where the profile is.", Default("builtin")]]
    name: Required[
        Annotated[
            str,
            "none or network for type builtin, a ConfigMap's name for type configmap.",
            RefTo("ConfigMap", key="key", when=("type", "configmap")),
        ]
    ]
    key: Annotated[str, "Key of the ConfigMap that holds the profile."]


@rules(
    Cel(
        "!(has(self.authzConfig) && has(self.authzConfigRef))",
        "either authzConfig or authzConfigRef, not both",
        "authzConfigRef",
        since="0.30.0",
    ),
    Cel(
        "!has(self.rateLimiting) || (has(self.sessionStorage) && self.sessionStorage.provider == 'redis')",
        "rateLimiting needs sessionStorage with provider redis",
        "rateLimiting",
    ),
    Cel(
        "!(has(self.rateLimiting) && has(self.rateLimiting.perUser))"
        " || has(self.oidcConfigRef) || has(self.externalAuthConfigRef)",
        "rateLimiting.perUser needs authentication: oidcConfigRef or externalAuthConfigRef",
        "rateLimiting",
    ),
    Cel(
        "!has(self.rateLimiting) || !has(self.rateLimiting.tools)"
        " || self.rateLimiting.tools.all(t, !has(t.perUser))"
        " || has(self.oidcConfigRef) || has(self.externalAuthConfigRef)",
        "perUser limits of tools need authentication: oidcConfigRef or externalAuthConfigRef",
        "rateLimiting",
    ),
)
class MCPServerSpec(TypedDict, total=False):
    """The server that is wanted."""

    image: Required[Annotated[str, "Container image of the server."]]
    transport: Annotated[
        Literal["stdio", "streamable-http", "sse"],
        "How the server speaks MCP.",
        Default("stdio"),
    ]
    proxyMode: Annotated[
        Literal["sse", "streamable-http"],
        "How the proxy speaks MCP to clients of a stdio server; without meaning for other transports.",
        Default("streamable-http"),
    ]
    proxyPort: Annotated[Port, "Port of the proxy.", Default(DEFAULT_PORT)]
    mcpPort: Annotated[Port, "Port that the server listens on."]
    args: Annotated[list[str], "Arguments of the server.", Atomic()]
    env: Annotated[list[EnvVar], "Environment of the server.", ListMap("name")]
    volumes: Annotated[
        list[Volume],
        "Paths of the node to mount. They are mounted into the proxy's pod, not into the server's.",
        ListMap("name"),
    ]
    resources: Annotated[
        ResourceRequirements,
        "Computing resources of the proxy; those of the server are set in podTemplateSpec.",
    ]
    secrets: Annotated[list[SecretRef], "Secrets that become environment variables of the server.", ListMap("name")]
    serviceAccount: Annotated[
        str,
        "Existing ServiceAccount of the server; one is created when missing.",
        RefTo("ServiceAccount"),
    ]
    permissionProfile: Annotated[PermissionProfileRef, "Permission profile of the server."]
    podTemplateSpec: Annotated[PodTemplate, "Pod template of the server; its container is called mcp."]
    resourceOverrides: Annotated[ResourceOverrides, "Changes to the created objects."]
    oidcConfigRef: Annotated[MCPOIDCConfigReference, "OIDC provider that authenticates clients."]
    authzConfig: Annotated[AuthzConfigRef, "Authorization of requests."]
    authzConfigRef: Annotated[
        MCPAuthzConfigReference, "Shared authorization of requests, instead of authzConfig.", Since("0.30.0")
    ]
    audit: Annotated[AuditConfig, "Audit logging."]
    toolConfigRef: Annotated[ToolConfigRef, "Filter and new names of the tools."]
    externalAuthConfigRef: Annotated[ExternalAuthConfigRef, "Authentication towards other services."]
    webhookConfigRef: Annotated[WebhookConfigRef, "Shared webhooks that see or change requests.", Since("0.27.0")]
    authServerRef: Annotated[AuthServerRef, "Embedded authorization server that authenticates clients."]
    telemetryConfigRef: Annotated[MCPTelemetryConfigReference, "Shared telemetry configuration."]
    trustProxyHeaders: Annotated[
        bool,
        "Whether X-Forwarded-Proto, -Host, -Port and -Prefix decide the URLs of endpoints.",
        Default(value=False),
    ]
    endpointPrefix: Annotated[
        str,
        "Path before the URLs of SSE endpoints, for an ingress that strips it.",
    ]
    groupRef: Annotated[MCPGroupRef, "Group that the server belongs to."]
    sessionAffinity: Annotated[
        Literal["ClientIP", "None"],
        "Whether the Service sends a client to the same pod each time.",
        Default("ClientIP"),
    ]
    replicas: Annotated[
        ReplicaCount,
        "Pods of the proxy; left to an autoscaler when missing.",
    ]
    backendReplicas: Annotated[
        ReplicaCount,
        "Pods of the server; left to an autoscaler when missing.",
    ]
    sessionStorage: Annotated[SessionStorageConfig, "Where sessions are kept when there are several replicas."]
    rateLimiting: Annotated[RateLimitConfig, "Limits on requests; counted in Redis."]


class MCPServerStatus(TypedDict, total=False):
    """The server as it was last seen."""

    conditions: Conditions
    observedGeneration: ObservedGeneration
    toolConfigHash: ToolConfigHash
    externalAuthConfigHash: ExternalAuthConfigHash
    authServerConfigHash: AuthServerConfigHash
    oidcConfigHash: OIDCConfigHash
    telemetryConfigHash: TelemetryConfigHash
    authzConfigHash: AuthzConfigHash
    webhookConfigHash: Annotated[str, "configHash of the MCPWebhookConfig in use.", Since("0.27.0")]
    url: Annotated[str, "Where clients reach the server."]
    phase: Annotated[
        Literal["Pending", "Ready", "Failed", "Terminating", "Stopped"],
        "Pending while it is created, Ready, Failed, Terminating, Stopped when scaled to zero.",
    ]
    message: Annotated[str, "More about the phase."]
    readyReplicas: Annotated[Int32, "Pods of the proxy that are ready."]
