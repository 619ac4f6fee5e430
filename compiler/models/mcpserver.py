"""MCPServer: a container that speaks MCP, run behind a proxy."""

from __future__ import annotations

from typing import Annotated, Literal, Required, TypedDict

from ..toolhive.constants import DEFAULT_PORT
from .audit import AuditConfig
from .authz import AuthzConfigRef
from .dated import During, Since
from .declare import Atomic, Cel, Default, Format, Int32, Int64, ListMap, Minimum, RefTo, not_both, rules
from .deployment import (
    EnvVar,
    PodTemplate,
    Port,
    ReplicaCount,
    ResourceOverrides,
    ResourceRequirements,
    SessionAffinity,
    TrustProxyHeaders,
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
    """Permissions of the server: files to read and write, and network access."""

    type: Required[Annotated[Literal["builtin", "configmap"], "Source of the profile.", Default("builtin")]]
    name: Required[
        Annotated[
            str,
            "none or network for type builtin, the name of a ConfigMap for type configmap.",
            RefTo("ConfigMap", key="key", when=("type", "configmap")),
        ]
    ]
    key: Annotated[str, "Key of the ConfigMap that holds the profile."]


@rules(
    not_both("authzConfig", "authzConfigRef", "0.30.0"),
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
    """The desired state of the server."""

    image: Required[Annotated[str, "Container image of the server."]]
    transport: Annotated[Literal["stdio", "streamable-http", "sse"], "MCP transport of the server.", Default("stdio")]
    proxyMode: Annotated[
        Literal["sse", "streamable-http"],
        "MCP transport of the proxy towards clients of a stdio server. It has no effect for other transports.",
        Default("streamable-http"),
    ]
    proxyPort: Annotated[Port, "Port of the proxy.", Default(DEFAULT_PORT)]
    mcpPort: Annotated[Port, "Port that the server listens on."]
    args: Annotated[list[str], "Arguments of the server.", Atomic()]
    env: Annotated[list[EnvVar], "Environment of the server.", ListMap("name")]
    volumes: Annotated[
        list[Volume],
        "Paths of the node to mount. They are mounted into the proxy's pod, not into the server's pod.",
        ListMap("name"),
    ]
    resources: Annotated[
        ResourceRequirements, "Computing resources of the proxy. podTemplateSpec sets those of the server."
    ]
    secrets: Annotated[
        list[SecretRef],
        "Secrets that become environment variables of the server.",
        ListMap("name"),
        During(ListMap("name", "key"), since="0.51.0"),
    ]
    serviceAccount: Annotated[
        str, "Existing ServiceAccount of the server; one is created when missing.", RefTo("ServiceAccount")
    ]
    permissionProfile: Annotated[PermissionProfileRef, "Permission profile of the server."]
    podTemplateSpec: Annotated[PodTemplate, "Pod template of the server. Its container is named mcp."]
    resourceOverrides: Annotated[ResourceOverrides, "Changes to the created objects."]
    oidcConfigRef: Annotated[MCPOIDCConfigReference, "OIDC provider that authenticates clients."]
    authzConfig: Annotated[AuthzConfigRef, "Authorization of requests."]
    authzConfigRef: Annotated[
        MCPAuthzConfigReference, "Shared authorization of requests, instead of authzConfig.", Since("0.30.0")
    ]
    audit: Annotated[AuditConfig, "Audit logging."]
    toolConfigRef: Annotated[ToolConfigRef, "Filter and overrides of the tools."]
    externalAuthConfigRef: Annotated[ExternalAuthConfigRef, "Authentication to other services."]
    webhookConfigRef: Annotated[WebhookConfigRef, "Shared webhooks that check or change requests.", Since("0.27.0")]
    authServerRef: Annotated[AuthServerRef, "Embedded authorization server that authenticates clients."]
    telemetryConfigRef: Annotated[MCPTelemetryConfigReference, "Shared telemetry configuration."]
    trustProxyHeaders: TrustProxyHeaders
    maxRequestBodySize: Annotated[
        Int64, "Maximum size of a request's body in bytes; 8 MiB when missing or 0.", Minimum(0), Since("0.45.0")
    ]
    proxyReadTimeout: Annotated[
        str,
        "Time in which a client must send a request; 30s when missing.",
        Format("duration"),
        Cel("duration(self) >= duration('0s')", "proxyReadTimeout is negative"),
        Since("0.45.0"),
    ]
    endpointPrefix: Annotated[str, "Path prefix of the URLs of SSE endpoints, for an ingress that strips the prefix."]
    groupRef: Annotated[MCPGroupRef, "Group that the server belongs to."]
    sessionAffinity: SessionAffinity
    replicas: Annotated[ReplicaCount, "Number of proxy pods. When missing, an autoscaler may set it."]
    backendReplicas: Annotated[ReplicaCount, "Number of server pods. When missing, an autoscaler may set it."]
    sessionStorage: Annotated[SessionStorageConfig, "Session store that several replicas share."]
    rateLimiting: Annotated[RateLimitConfig, "Rate limits, counted in Redis."]


class MCPServerStatus(TypedDict, total=False):
    """The last observed state of the server."""

    conditions: Conditions
    observedGeneration: ObservedGeneration
    toolConfigHash: ToolConfigHash
    externalAuthConfigHash: ExternalAuthConfigHash
    authServerConfigHash: AuthServerConfigHash
    oidcConfigHash: OIDCConfigHash
    telemetryConfigHash: TelemetryConfigHash
    authzConfigHash: AuthzConfigHash
    webhookConfigHash: Annotated[str, "configHash of the MCPWebhookConfig in use.", Since("0.27.0")]
    url: Annotated[str, "URL of the server for clients."]
    phase: Annotated[
        Literal["Pending", "Ready", "Failed", "Terminating", "Stopped"],
        "Pending during creation, Ready, Failed, Terminating, or Stopped when scaled to zero.",
    ]
    message: Annotated[str, "Details of the phase."]
    readyReplicas: Annotated[Int32, "Number of ready proxy pods."]
