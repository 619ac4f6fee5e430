"""The Kubernetes kinds."""

from __future__ import annotations

from .composite import VirtualMCPCompositeToolDefinitionSpec, VirtualMCPCompositeToolDefinitionStatus
from .declare import Kind
from .embeddingserver import EmbeddingServerSpec, EmbeddingServerStatus
from .mcpexternalauthconfig import MCPExternalAuthConfigSpec, MCPExternalAuthConfigStatus
from .mcpgroup import MCPGroupSpec, MCPGroupStatus
from .mcpoidcconfig import MCPOIDCConfigSpec, MCPOIDCConfigStatus
from .mcpregistry import MCPRegistrySpec, MCPRegistryStatus
from .mcpremoteproxy import MCPRemoteProxySpec, MCPRemoteProxyStatus
from .mcpserver import MCPServerSpec, MCPServerStatus
from .mcpserverentry import MCPServerEntrySpec, MCPServerEntryStatus
from .mcptelemetryconfig import MCPTelemetryConfigSpec, MCPTelemetryConfigStatus
from .mcptoolconfig import MCPToolConfigSpec, MCPToolConfigStatus
from .virtualmcpserver import VirtualMCPServerSpec, VirtualMCPServerStatus

_AGE = ("Age", "date", ".metadata.creationTimestamp")
_PHASE = ("Phase", "string", ".status.phase")
_READY = ("Ready", "string", ".status.conditions[?(@.type=='Ready')].status")
_STATUS = ("Status", "string", ".status.phase")
_URL = ("URL", "string", ".status.url")
_VALID = ("Valid", "string", ".status.conditions[?(@.type=='Valid')].status")

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
            ("Model", "string", ".spec.model"),
            ("Ready", "integer", ".status.readyReplicas"),
            _URL,
            _AGE,
        ),
    ),
    Kind(
        name="MCPExternalAuthConfig",
        plural="mcpexternalauthconfigs",
        short_names=("extauth", "mcpextauth"),
        description="How to authenticate towards other services, or an embedded authorization server.",
        spec=MCPExternalAuthConfigSpec,
        status=MCPExternalAuthConfigStatus,
        columns=(("Type", "string", ".spec.type"), _VALID, _AGE),
    ),
    Kind(
        name="MCPGroup",
        plural="mcpgroups",
        short_names=("mcpg", "mcpgroup"),
        description="Backends that belong together.",
        spec=MCPGroupSpec,
        status=MCPGroupStatus,
        columns=(
            ("Servers", "integer", ".status.serverCount"),
            _PHASE,
            ("Checked", "string", ".status.conditions[?(@.type=='MCPServersChecked')].status"),
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
        columns=(("Source", "string", ".spec.type"), _VALID, _AGE),
    ),
    Kind(
        name="MCPRegistry",
        plural="mcpregistries",
        short_names=("mcpreg", "registry"),
        description="A registry API server.",
        spec=MCPRegistrySpec,
        status=MCPRegistryStatus,
        columns=(_STATUS, _READY, ("Replicas", "integer", ".status.readyReplicas"), _URL, _AGE),
    ),
    Kind(
        name="MCPRemoteProxy",
        plural="mcpremoteproxies",
        short_names=("rp", "mcprp"),
        description="A proxy before a remote server.",
        spec=MCPRemoteProxySpec,
        status=MCPRemoteProxyStatus,
        columns=(_PHASE, ("Remote URL", "string", ".spec.remoteUrl"), _URL, _READY, _AGE),
    ),
    Kind(
        name="MCPServer",
        plural="mcpservers",
        short_names=("mcpserver", "mcpservers"),
        description="A container that speaks MCP, run behind a proxy.",
        spec=MCPServerSpec,
        status=MCPServerStatus,
        columns=(_STATUS, _READY, ("Replicas", "integer", ".status.readyReplicas"), _URL, _AGE),
    ),
    Kind(
        name="MCPServerEntry",
        plural="mcpserverentries",
        short_names=("mcpentry",),
        description="A remote server that virtual servers find in a group; nothing is deployed for it.",
        spec=MCPServerEntrySpec,
        status=MCPServerEntryStatus,
        columns=(
            _PHASE,
            ("Transport", "string", ".spec.transport"),
            ("Remote URL", "string", ".spec.remoteUrl"),
            ("Group", "string", ".spec.groupRef.name"),
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
            ("Endpoint", "string", ".spec.openTelemetry.endpoint"),
            _VALID,
            ("Tracing", "boolean", ".spec.openTelemetry.tracing.enabled"),
            ("Metrics", "boolean", ".spec.openTelemetry.metrics.enabled"),
            _AGE,
        ),
    ),
    Kind(
        name="MCPToolConfig",
        plural="mcptoolconfigs",
        short_names=("tc", "toolconfig"),
        description="Which tools of a server are shown, and under which names.",
        spec=MCPToolConfigSpec,
        status=MCPToolConfigStatus,
        columns=(_VALID, _AGE),
    ),
    Kind(
        name="VirtualMCPCompositeToolDefinition",
        plural="virtualmcpcompositetooldefinitions",
        short_names=("vmcpctd", "compositetool"),
        description="A tool that is a workflow over other tools, for several virtual servers.",
        spec=VirtualMCPCompositeToolDefinitionSpec,
        status=VirtualMCPCompositeToolDefinitionStatus,
        columns=(
            ("Workflow", "string", ".spec.name"),
            ("Status", "string", ".status.validationStatus"),
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
        columns=(_PHASE, _URL, ("Backends", "integer", ".status.backendCount"), _AGE, _READY),
    ),
)
"""All kinds, by name. Each has a list kind: its name and ``List``, with ``metadata`` and ``items``."""
