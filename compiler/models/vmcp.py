"""The configuration of the vMCP process: a file of its own, and ``spec.config`` of a VirtualMCPServer."""

from __future__ import annotations

from typing import Annotated, Literal, Required, TypedDict

from .audit import AuditLogConfig
from .composite import CompositeToolConfig
from .dated import Since
from .declare import (
    Always,
    Atomic,
    Cel,
    Default,
    Deprecated,
    Int32,
    Int64,
    Maximum,
    MaxLength,
    MaxProperties,
    Minimum,
    MinLength,
    Pattern,
    RefTo,
    rules,
)
from .duration import DecodedDuration
from .mcptoolconfig import ToolOverride
from .reference import ToolConfigRef
from .session import RateLimitConfig
from .telemetry import TelemetryConfig
from .vmcpauth import VMCPIncomingAuthConfig, VMCPOutgoingAuthConfig

Ratio = Annotated[str, Pattern(r"^([0-9]*[.])?[0-9]+$")]


class StaticBackendConfig(TypedDict, total=False):
    """A backend that is written down instead of discovered."""

    name: Required[Annotated[str, "Name of the backend in its group.", Always()]]
    url: Required[Annotated[str, "Address of the backend.", Pattern("^https?://"), Always()]]
    transport: Required[Annotated[Literal["sse", "streamable-http"], "How the backend speaks MCP.", Always()]]
    type: Annotated[Literal["entry", ""], "entry for a remote server that is reached without a proxy."]
    caBundlePath: Annotated[str, "File with the CA bundle of the backend; for type entry."]
    metadata: Annotated[dict[str, str], "Labels of any kind; group is set by the process."]


class ConflictResolutionConfig(TypedDict, total=False):
    """How conflicts of tool names are resolved, in detail."""

    prefixFormat: Annotated[
        str, "What comes before the names, with {workload} for the backend's name.", Default("{workload}_")
    ]
    priorityOrder: Annotated[list[str], "Backends, the strongest first; for conflictResolution priority."]


class WorkloadToolConfig(TypedDict, total=False):
    """Tools of one backend."""

    workload: Required[Annotated[str, "Name of the backend.", Always()]]
    toolConfigRef: Annotated[ToolConfigRef, "Shared configuration that is merged in; in Kubernetes only."]
    filter: Annotated[list[str], "Tools that are shown; hidden ones may still be called by composite tools."]
    overrides: Annotated[
        dict[str, ToolOverride], "What changes for a tool, by its actual name, before conflicts are resolved."
    ]
    excludeAll: Annotated[bool, "Whether all tools are hidden."]


class AggregationConfig(TypedDict, total=False):
    """How the tools of all backends become one list."""

    conflictResolution: Annotated[
        Literal["prefix", "priority", "manual"],
        "What happens where two backends have tools of one name.",
        Default("prefix"),
        Always(),
    ]
    conflictResolutionConfig: Annotated[ConflictResolutionConfig, "That in detail."]
    tools: Annotated[list[WorkloadToolConfig], "Tools of single backends."]
    excludeAllTools: Annotated[bool, "Whether all backends' tools are hidden; composite tools may still call them."]
    defaultToolVisibility: Annotated[
        Literal["allow", "deny"],
        "Whether the tools of a backend that tools does not list are shown; allow when missing.",
        Since("0.42.1"),
    ]


class CompositeToolRef(TypedDict, total=False):
    """A composite tool defined by a resource of its own."""

    name: Required[
        Annotated[
            str,
            "Name of the VirtualMCPCompositeToolDefinition.",
            Always(),
            RefTo("VirtualMCPCompositeToolDefinition"),
        ]
    ]


class TimeoutConfig(TypedDict, total=False):
    """Timeouts of requests to backends."""

    default: Annotated[DecodedDuration, "Timeout of every backend.", Default("30s")]
    perWorkload: Annotated[dict[str, DecodedDuration], "Timeouts of single backends."]


class CircuitBreakerConfig(TypedDict, total=False):
    """Leaving failing backends alone for a while."""

    enabled: Annotated[bool, "Whether it is done.", Default(value=False)]
    failureThreshold: Annotated[int, "Failures after which a backend is left alone.", Minimum(1), Default(5)]
    timeout: Annotated[
        DecodedDuration,
        "Time after which it is tried again; 1s at least.",
        Cel("self == '' || duration(self) >= duration('1s')", "timeout is shorter than 1s"),
        Default("60s"),
    ]


class FailureHandlingConfig(TypedDict, total=False):
    """Health checks, and what happens when backends fail."""

    healthCheckInterval: Annotated[DecodedDuration, "Time between health checks.", Default("30s")]
    unhealthyThreshold: Annotated[int, "Failed checks after which a backend is unhealthy.", Default(3)]
    healthCheckTimeout: Annotated[
        DecodedDuration, "Longest time of one check; shorter than the interval.", Default("10s")
    ]
    statusReportingInterval: Annotated[DecodedDuration, "Time between reports to Kubernetes.", Default("30s")]
    partialFailureMode: Annotated[
        Literal["fail", "best_effort"],
        "Whether a request fails when a backend is missing. The process spells best_effort as bestEffort.",
        Default("fail"),
    ]
    circuitBreaker: Annotated[CircuitBreakerConfig, "Leaving failing backends alone."]


class OperationalConfig(TypedDict, total=False):
    """Logs, timeouts and failures."""

    logLevel: Annotated[Literal["debug"], "debug for more in the logs."]
    timeouts: Annotated[TimeoutConfig, "Timeouts."]
    failureHandling: Annotated[FailureHandlingConfig, "Failures."]


@rules(
    Cel(
        "!has(self.embeddingHeaders) || (has(self.embeddingProvider) && self.embeddingProvider == 'openai')",
        "embeddingHeaders go with embeddingProvider openai alone",
        "embeddingHeaders",
        since="0.34.0",
    ),
    Cel(
        "!has(self.embeddingHeaders) || self.embeddingHeaders.all(k, k.matches("
        r"'^[!#$%&\\x27*+.^_\\x60|~0-9A-Za-z-]+$') && !(k.lowerAscii() in ['authorization', 'content-type']))",
        "embeddingHeaders names what is no HTTP header, or Authorization or Content-Type",
        "embeddingHeaders",
        since="0.34.0",
    ),
)
class OptimizerConfig(TypedDict, total=False):
    """Showing clients find_tool and call_tool instead of all tools."""

    embeddingService: Annotated[str, "Address of the embedding server; spec.embeddingServerRef is stronger."]
    embeddingServiceTimeout: Annotated[DecodedDuration, "Timeout of requests to it.", Default("30s")]
    embeddingProvider: Annotated[
        Literal["tei", "openai"],
        "What the embedding server speaks: text-embeddings-inference, or what OpenAI does.",
        Default("tei"),
        Since("0.32.0"),
    ]
    embeddingModel: Annotated[
        str, "Model to ask for, needed for embeddingProvider openai; without meaning for tei.", Since("0.32.0")
    ]
    embeddingHeaders: Annotated[
        dict[str, Annotated[str, MinLength(1), MaxLength(8192), Pattern(r"^[^\x00-\x08\x0A-\x1F\x7F]*$")]],
        "Headers to send to the embedding server, which everybody sees who may read the resource.",
        MaxProperties(32),
        Since("0.34.0"),
    ]
    maxToolsToReturn: Annotated[int, "Most tools that find_tool gives; 8 when missing.", Minimum(1), Maximum(50)]
    hybridSearchSemanticRatio: Annotated[
        Ratio, "Share of meaning against keywords in a search, 0.0 to 1.0, as a text; 0.5 when missing."
    ]
    semanticDistanceThreshold: Annotated[
        Ratio, "Largest distance of meaning, 0 for the same to 2 for unrelated, as a text; 1.0 when missing."
    ]


class CodeModeConfig(TypedDict, total=False):
    """Scripts of clients that call several tools in one request."""

    enabled: Annotated[bool, "Whether execute_tool_script is among the tools."]
    stepLimit: Annotated[Int64, "Most steps of one script.", Minimum(1), Default(100000)]
    parallelMaxConcurrency: Annotated[int, "Most calls of one script at the same time.", Minimum(1), Default(10)]
    toolCallTimeout: Annotated[DecodedDuration, "Longest time of one call.", Default("30s")]


class VMCPSessionStorageConfig(TypedDict, total=False):
    """Where sessions are kept. The password comes from the environment, ``THV_SESSION_REDIS_PASSWORD``."""

    provider: Required[Annotated[Literal["memory", "redis"], "Kind of store.", Always()]]
    address: Annotated[str, "Address of the Redis server; for provider redis."]
    db: Annotated[Int32, "Number of the Redis database.", Minimum(0), Default(0)]
    keyPrefix: Annotated[str, "Prefix of all Redis keys."]


class VMCPConfig(TypedDict, total=False):
    """Configuration of a virtual server."""

    name: Annotated[str, "Name of the virtual server; that of the resource in Kubernetes."]
    groupRef: Annotated[str, "Name of the group that it serves; that of spec.groupRef in Kubernetes."]
    backends: Annotated[list[StaticBackendConfig], "Backends, where they are not discovered."]
    incomingAuth: Annotated[VMCPIncomingAuthConfig, "Authentication of clients; spec.incomingAuth in Kubernetes."]
    outgoingAuth: Annotated[VMCPOutgoingAuthConfig, "Authentication towards backends; spec.outgoingAuth in Kubernetes."]
    aggregation: Annotated[AggregationConfig, "How the tools of all backends become one list."]
    compositeTools: Annotated[list[CompositeToolConfig], "Composite tools."]
    compositeToolRefs: Annotated[
        list[CompositeToolRef], "Composite tools defined by resources of their own; in Kubernetes only."
    ]
    operational: Annotated[OperationalConfig, "Logs, timeouts and failures."]
    metadata: Annotated[dict[str, str], "Labels of any kind; without any effect."]
    telemetry: Annotated[
        TelemetryConfig, "Telemetry; spec.telemetryConfigRef in Kubernetes.", Deprecated("spec.telemetryConfigRef")
    ]
    audit: Annotated[AuditLogConfig, "Audit logging."]
    optimizer: Annotated[OptimizerConfig, "Showing clients a search instead of all tools."]
    codeMode: Annotated[CodeModeConfig, "Scripts of clients that call several tools.", Since("0.31.0")]
    sessionStorage: Annotated[VMCPSessionStorageConfig, "Where sessions are kept; spec.sessionStorage in Kubernetes."]
    rateLimiting: Annotated[RateLimitConfig, "Limits on requests; counted in Redis.", Since("0.28.0")]
    passthroughHeaders: Annotated[
        list[str], "Headers of clients that are handed on to all backends.", Atomic(), Since("0.30.0")
    ]
