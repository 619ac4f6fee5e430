"""The Kubernetes kinds."""

from __future__ import annotations

from ..toolhive.release import holds
from .composite import VirtualMCPCompositeToolDefinitionSpec, VirtualMCPCompositeToolDefinitionStatus
from .dated import Column, Kind
from .embeddingserver import EmbeddingServerSpec, EmbeddingServerStatus
from .mcpauthzconfig import MCPAuthzConfigSpec, MCPAuthzConfigStatus
from .mcpexternalauthconfig import MCPExternalAuthConfigSpec, MCPExternalAuthConfigStatus
from .mcpgroup import MCPGroupSpec, MCPGroupStatus
from .mcpoidcconfig import MCPOIDCConfigSpec, MCPOIDCConfigStatus
from .mcpregistry import MCPRegistrySpec, MCPRegistryStatus
from .mcpremoteproxy import MCPRemoteProxySpec, MCPRemoteProxyStatus
from .mcpserver import MCPServerSpec, MCPServerStatus
from .mcpserverentry import MCPServerEntrySpec, MCPServerEntryStatus
from .mcptelemetryconfig import MCPTelemetryConfigSpec, MCPTelemetryConfigStatus
from .mcptoolconfig import MCPToolConfigSpec, MCPToolConfigStatus
from .mcpwebhookconfig import MCPWebhookConfigSpec, MCPWebhookConfigStatus
from .virtualmcpserver import VirtualMCPServerSpec, VirtualMCPServerStatus

_AGE = Column("Age", "date", ".metadata.creationTimestamp")
_CHECKED = ".status.conditions[?(@.type=='MCPServersChecked')].status"
_PHASE = Column("Phase", "string", ".status.phase")
_READY = Column("Ready", "string", ".status.conditions[?(@.type=='Ready')].status")
_STATUS = Column("Status", "string", ".status.phase")
_URL = Column("URL", "string", ".status.url")
_REFERENCES = (
    Column("References", "string", ".status.referencingWorkloads", until="0.28.0"),
    Column("References", "integer", ".status.referenceCount", since="0.28.0", until="0.42.0"),
)
_VALID = Column("Valid", "string", ".status.conditions[?(@.type=='Valid')].status")

KINDS: tuple[Kind, ...] = (
    Kind(
        name="EmbeddingServer",
        plural="embeddingservers",
        short_names=("emb", "embedding"),
        description="A server that turns texts into vectors, for the optimizer of virtual servers.",
        spec=EmbeddingServerSpec,
        status=EmbeddingServerStatus,
        columns=(
            _STATUS,
            Column("Model", "string", ".spec.model"),
            Column("Ready", "integer", ".status.readyReplicas"),
            _URL,
            _AGE,
        ),
    ),
    Kind(
        name="MCPAuthzConfig",
        plural="mcpauthzconfigs",
        short_names=("authzcfg",),
        description="Authorization of requests, shared by workloads.",
        spec=MCPAuthzConfigSpec,
        status=MCPAuthzConfigStatus,
        columns=(Column("Type", "string", ".spec.type"), _VALID, *_REFERENCES, _AGE),
        since="0.30.0",
    ),
    Kind(
        name="MCPExternalAuthConfig",
        plural="mcpexternalauthconfigs",
        short_names=("extauth", "mcpextauth"),
        description="Authentication to other services, or an embedded authorization server.",
        spec=MCPExternalAuthConfigSpec,
        status=MCPExternalAuthConfigStatus,
        columns=(Column("Type", "string", ".spec.type"), _VALID, *_REFERENCES, _AGE),
    ),
    Kind(
        name="MCPGroup",
        plural="mcpgroups",
        short_names=("mcpg",),
        former_short_names=("mcpgroup",),
        description="Backends that belong together.",
        spec=MCPGroupSpec,
        status=MCPGroupStatus,
        columns=(
            Column("Servers", "integer", ".status.serverCount"),
            Column("Proxies", "integer", ".status.remoteProxyCount", since="0.45.0"),
            _PHASE,
            Column("Ready", "string", _CHECKED, until="0.27.1"),
            Column("Checked", "string", _CHECKED, since="0.27.1"),
            _AGE,
        ),
    ),
    Kind(
        name="MCPOIDCConfig",
        plural="mcpoidcconfigs",
        short_names=("mcpoidc",),
        description="An OIDC provider shared by workloads.",
        spec=MCPOIDCConfigSpec,
        status=MCPOIDCConfigStatus,
        columns=(Column("Source", "string", ".spec.type"), _VALID, *_REFERENCES, _AGE),
    ),
    Kind(
        name="MCPRegistry",
        plural="mcpregistries",
        short_names=("mcpreg", "registry"),
        description="A registry API server.",
        spec=MCPRegistrySpec,
        status=MCPRegistryStatus,
        columns=(_STATUS, _READY, Column("Replicas", "integer", ".status.readyReplicas"), _URL, _AGE),
        deprecated_since="0.29.2",
    ),
    Kind(
        name="MCPRemoteProxy",
        plural="mcpremoteproxies",
        short_names=("rp", "mcprp"),
        description="A proxy in front of a remote server.",
        spec=MCPRemoteProxySpec,
        status=MCPRemoteProxyStatus,
        columns=(_PHASE, Column("Remote URL", "string", ".spec.remoteUrl"), _URL, _READY, _AGE),
    ),
    Kind(
        name="MCPServer",
        plural="mcpservers",
        short_names=(),
        former_short_names=("mcpserver", "mcpservers"),
        description="A container that speaks MCP, run behind a proxy.",
        spec=MCPServerSpec,
        status=MCPServerStatus,
        columns=(_STATUS, _READY, Column("Replicas", "integer", ".status.readyReplicas"), _URL, _AGE),
    ),
    Kind(
        name="MCPServerEntry",
        plural="mcpserverentries",
        short_names=("mcpentry",),
        description="A remote server that virtual servers find in a group. Nothing is deployed for it.",
        spec=MCPServerEntrySpec,
        status=MCPServerEntryStatus,
        columns=(
            _PHASE,
            Column("Transport", "string", ".spec.transport"),
            Column("Remote URL", "string", ".spec.remoteUrl"),
            Column("Group", "string", ".spec.groupRef.name"),
            _AGE,
        ),
    ),
    Kind(
        name="MCPTelemetryConfig",
        plural="mcptelemetryconfigs",
        short_names=("mcpotel",),
        description="Telemetry shared by workloads.",
        spec=MCPTelemetryConfigSpec,
        status=MCPTelemetryConfigStatus,
        columns=(
            Column("Endpoint", "string", ".spec.openTelemetry.endpoint"),
            _VALID,
            Column("Tracing", "boolean", ".spec.openTelemetry.tracing.enabled"),
            Column("Metrics", "boolean", ".spec.openTelemetry.metrics.enabled"),
            _AGE,
        ),
    ),
    Kind(
        name="MCPToolConfig",
        plural="mcptoolconfigs",
        short_names=("tc", "toolconfig"),
        description="The tools of a server that clients see, and their names.",
        spec=MCPToolConfigSpec,
        status=MCPToolConfigStatus,
        columns=(_VALID, *_REFERENCES, _AGE),
    ),
    Kind(
        name="MCPWebhookConfig",
        plural="mcpwebhookconfigs",
        short_names=("mwc",),
        description="Webhooks that check or change requests, shared by servers.",
        spec=MCPWebhookConfigSpec,
        status=MCPWebhookConfigStatus,
        columns=(_VALID, Column("References", "string", ".status.referencingWorkloads", until="0.42.0"), _AGE),
        since="0.27.0",
        only_first_version=True,
    ),
    Kind(
        name="VirtualMCPCompositeToolDefinition",
        plural="virtualmcpcompositetooldefinitions",
        short_names=("vmcpctd", "compositetool"),
        description="A tool that is a workflow over other tools, for several virtual servers.",
        spec=VirtualMCPCompositeToolDefinitionSpec,
        status=VirtualMCPCompositeToolDefinitionStatus,
        columns=(
            Column("Workflow", "string", ".spec.name"),
            Column("Steps", "integer", ".spec.steps[*]", until="0.29.0"),
            Column("Status", "string", ".status.validationStatus"),
            Column("Refs", "integer", ".status.referencingVirtualServers[*]", until="0.29.0"),
            _AGE,
            _READY,
        ),
    ),
    Kind(
        name="VirtualMCPServer",
        plural="virtualmcpservers",
        short_names=("vmcp", "virtualmcp"),
        description="One endpoint for all backends of a group.",
        spec=VirtualMCPServerSpec,
        status=VirtualMCPServerStatus,
        columns=(_PHASE, _URL, Column("Backends", "integer", ".status.backendCount"), _AGE, _READY),
    ),
)
"""All kinds, sorted by name. The list kind of each is its name plus ``List``, with ``metadata`` and ``items``."""


def kinds_of(release: str) -> tuple[Kind, ...]:
    """Return the kinds that the release has, sorted by name."""
    return tuple(kind for kind in KINDS if holds(kind.since, None, release))
