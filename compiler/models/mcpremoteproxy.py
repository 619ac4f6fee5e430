"""MCPRemoteProxy: a proxy in front of a remote server."""

from __future__ import annotations

from typing import Annotated, Literal, Required, TypedDict

from ..toolhive.constants import DEFAULT_PORT
from .audit import AuditConfig
from .authz import AuthzConfigRef
from .dated import Since
from .declare import Default, RefTo, not_both, rules
from .deployment import (
    PodTemplate,
    Port,
    ReplicaCount,
    ResourceOverrides,
    ResourceRequirements,
    SessionAffinity,
    TrustProxyHeaders,
)
from .reference import (
    AuthServerRef,
    ExternalAuthConfigRef,
    MCPAuthzConfigReference,
    MCPGroupRef,
    MCPOIDCConfigReference,
    MCPTelemetryConfigReference,
    ToolConfigRef,
)
from .remote import AllowPrivateEndpoint, HeaderForwardConfig, RemoteUrl
from .session import SessionStorageConfig
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


@rules(not_both("authzConfig", "authzConfigRef", "0.30.0"))
class MCPRemoteProxySpec(TypedDict, total=False):
    """The desired state of the proxy."""

    remoteUrl: Required[Annotated[RemoteUrl, "Address of the remote server."]]
    allowPrivateEndpoint: AllowPrivateEndpoint
    proxyPort: Annotated[Port, "Port of the proxy.", Default(DEFAULT_PORT)]
    transport: Annotated[
        Literal["sse", "streamable-http"], "MCP transport of the remote server.", Default("streamable-http")
    ]
    oidcConfigRef: Annotated[MCPOIDCConfigReference, "OIDC provider that authenticates clients."]
    externalAuthConfigRef: Annotated[ExternalAuthConfigRef, "Authentication to the remote server."]
    authServerRef: Annotated[AuthServerRef, "Embedded authorization server that authenticates clients."]
    headerForward: Annotated[HeaderForwardConfig, "Headers to add to requests."]
    authzConfig: Annotated[AuthzConfigRef, "Authorization of requests."]
    authzConfigRef: Annotated[
        MCPAuthzConfigReference, "Shared authorization of requests, instead of authzConfig.", Since("0.30.0")
    ]
    audit: Annotated[AuditConfig, "Audit logging."]
    toolConfigRef: Annotated[ToolConfigRef, "Filter and overrides of the tools."]
    telemetryConfigRef: Annotated[MCPTelemetryConfigReference, "Shared telemetry configuration."]
    resources: Annotated[ResourceRequirements, "Computing resources of the proxy."]
    serviceAccount: Annotated[
        str, "Existing ServiceAccount of the proxy; one is created when missing.", RefTo("ServiceAccount")
    ]
    podTemplateSpec: Annotated[
        PodTemplate, "Pod template of the proxy. Its container is named toolhive.", Since("0.37.0")
    ]
    trustProxyHeaders: TrustProxyHeaders
    endpointPrefix: Annotated[str, "Path prefix of the URLs of SSE endpoints, for an ingress that strips the prefix."]
    resourceOverrides: Annotated[ResourceOverrides, "Changes to the created objects."]
    groupRef: Annotated[MCPGroupRef, "Group that the proxy belongs to."]
    sessionAffinity: SessionAffinity
    replicas: Annotated[ReplicaCount, "Number of proxy pods. When missing, an autoscaler may set it.", Since("0.30.0")]
    sessionStorage: Annotated[SessionStorageConfig, "Session store that several replicas share.", Since("0.30.0")]


class MCPRemoteProxyStatus(TypedDict, total=False):
    """The last observed state of the proxy."""

    phase: Annotated[
        Literal["Pending", "Ready", "Failed", "Terminating"], "Pending during creation, Ready, Failed or Terminating."
    ]
    url: Annotated[str, "URL of the proxy inside the cluster."]
    externalUrl: Annotated[str, "URL of the proxy outside the cluster."]
    observedGeneration: ObservedGeneration
    conditions: Conditions
    toolConfigHash: ToolConfigHash
    telemetryConfigHash: TelemetryConfigHash
    externalAuthConfigHash: ExternalAuthConfigHash
    authServerConfigHash: AuthServerConfigHash
    authzConfigHash: AuthzConfigHash
    oidcConfigHash: OIDCConfigHash
    message: Annotated[str, "Details of the phase."]
