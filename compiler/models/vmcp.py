"""The configuration of the vMCP process, as a file and as ``spec.config`` of a VirtualMCPServer."""

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
    Go,
    Int32,
    Int64,
    ListSet,
    Maximum,
    MaxLength,
    MaxProperties,
    Minimum,
    MinLength,
    Pattern,
    RefTo,
    Switch,
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
    """A backend that is configured instead of discovered."""

    name: Required[Annotated[str, "Name of the backend in its group.", Always()]]
    url: Required[Annotated[str, "Address of the backend.", Pattern("^https?://"), Always()]]
    transport: Required[Annotated[Literal["sse", "streamable-http"], "MCP transport of the backend.", Always()]]
    type: Annotated[Literal["entry", ""], "entry for a remote server without a proxy."]
    caBundlePath: Annotated[str, "File with the CA bundle of the backend; for type entry."]
    metadata: Annotated[dict[str, str], "Labels of the backend. The process sets the label group."]


class ConflictResolutionConfig(TypedDict, total=False):
    """Settings for the resolution of conflicts between tool names."""

    prefixFormat: Annotated[
        str, "Prefix of tool names; {workload} stands for the name of the backend.", Default("{workload}_")
    ]
    priorityOrder: Annotated[list[str], "Backends in order of precedence; for conflictResolution priority."]


class WorkloadToolConfig(TypedDict, total=False):
    """Filter and overrides for the tools of one backend."""

    workload: Required[Annotated[str, "Name of the backend.", Always()]]
    toolConfigRef: Annotated[ToolConfigRef, "Shared configuration to merge; only in Kubernetes."]
    filter: Annotated[list[str], "Tools that clients see. Composite tools can still call the others."]
    overrides: Annotated[
        dict[str, ToolOverride], "Overrides by the original name of the tool, applied before conflicts are resolved."
    ]
    excludeAll: Annotated[bool, "Whether all tools are hidden."]


class AggregationConfig(TypedDict, total=False):
    """Settings that combine the tools of all backends into one list."""

    conflictResolution: Annotated[
        Literal["prefix", "priority", "manual"],
        "How to resolve tools of the same name on two backends.",
        Default("prefix"),
        Always(),
    ]
    conflictResolutionConfig: Annotated[ConflictResolutionConfig, "Details of the resolution."]
    tools: Annotated[list[WorkloadToolConfig], "Tools of single backends."]
    excludeAllTools: Annotated[
        bool, "Whether the tools of all backends are hidden. Composite tools can still call them."
    ]
    defaultToolVisibility: Annotated[
        Literal["allow", "deny"],
        "Whether clients see the tools of backends that have no entry in tools; allow when missing.",
        Since("0.42.1"),
    ]


class CompositeToolRef(TypedDict, total=False):
    """A composite tool that a separate resource defines."""

    name: Required[
        Annotated[
            str, "Name of the VirtualMCPCompositeToolDefinition.", Always(), RefTo("VirtualMCPCompositeToolDefinition")
        ]
    ]


class TimeoutConfig(TypedDict, total=False):
    """Timeouts of requests to backends."""

    default: Annotated[DecodedDuration, "Timeout of all backends.", Default("30s")]
    perWorkload: Annotated[dict[str, DecodedDuration], "Timeouts of single backends."]
    backendInit: Annotated[DecodedDuration, "Maximum time to initialize the session with a backend.", Since("0.49.0")]


class CircuitBreakerConfig(TypedDict, total=False):
    """Circuit breaker: failing backends get no requests for a while."""

    enabled: Annotated[Switch, "Whether the circuit breaker is on."]
    failureThreshold: Annotated[int, "Number of failures after which the circuit opens.", Minimum(1), Default(5)]
    timeout: Annotated[
        DecodedDuration,
        "Time after which an open circuit tries the backend again; at least 1s.",
        Cel("self == '' || duration(self) >= duration('1s')", "timeout is shorter than 1s"),
        Default("60s"),
    ]


class FailureHandlingConfig(TypedDict, total=False):
    """Health checks of backends, and the handling of failed backends."""

    healthCheckInterval: Annotated[DecodedDuration, "Time between health checks.", Default("30s")]
    unhealthyThreshold: Annotated[int, "Number of failed checks after which a backend is unhealthy.", Default(3)]
    healthCheckTimeout: Annotated[
        DecodedDuration, "Timeout of a health check. It must be shorter than the interval.", Default("10s")
    ]
    statusReportingInterval: Annotated[DecodedDuration, "Time between reports to Kubernetes.", Default("30s")]
    partialFailureMode: Annotated[
        Literal["fail", "best_effort"],
        "Whether a request fails if a backend is unavailable. Before release 0.22.0 the process spells it bestEffort.",
        Default("fail"),
    ]
    circuitBreaker: Annotated[CircuitBreakerConfig, "Circuit breaker for failing backends."]


class ListChangedConfig(TypedDict, total=False):
    """Subscription to changes of the backends' lists."""

    enabled: Annotated[bool, "Whether backends are asked to notify; true when missing.", Go(pointer=True)]
    disabledWorkloads: Annotated[
        list[str], "Backends that are not asked, because they serve no such stream.", ListSet()
    ]


class OperationalConfig(TypedDict, total=False):
    """Log level, timeouts, and the handling of failed backends."""

    logLevel: Annotated[Literal["debug"], "debug writes debug logs."]
    timeouts: Annotated[TimeoutConfig, "Timeouts."]
    failureHandling: Annotated[FailureHandlingConfig, "Failures."]
    listChanged: Annotated[
        ListChangedConfig, "Notifications of backends that their lists of tools changed.", Since("0.49.0")
    ]


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
    """Optimizer: clients see find_tool and call_tool instead of all tools."""

    embeddingService: Annotated[str, "URL of the embedding server. spec.embeddingServerRef takes precedence."]
    embeddingServiceTimeout: Annotated[DecodedDuration, "Timeout of requests to the embedding server.", Default("30s")]
    embeddingProvider: Annotated[
        Literal["tei", "openai"],
        "API of the embedding server: text-embeddings-inference (tei) or OpenAI.",
        Default("tei"),
        Since("0.32.0"),
    ]
    embeddingModel: Annotated[
        str, "Embedding model. Required for embeddingProvider openai; ignored for tei.", Since("0.32.0")
    ]
    embeddingHeaders: Annotated[
        dict[str, Annotated[str, MinLength(1), MaxLength(8192), Pattern(r"^[^\x00-\x08\x0A-\x1F\x7F]*$")]],
        "Headers to send to the embedding server. Everybody who may read the resource sees them.",
        MaxProperties(32),
        Since("0.34.0"),
    ]
    maxToolsToReturn: Annotated[
        int, "Maximum number of tools that find_tool returns; 8 when missing.", Minimum(1), Maximum(50)
    ]
    hybridSearchSemanticRatio: Annotated[
        Ratio, "Weight of semantic search against keyword search, 0.0 to 1.0, as a string; 0.5 when missing."
    ]
    semanticDistanceThreshold: Annotated[
        Ratio, "Maximum semantic distance, from 0 (same) to 2 (unrelated), as a string; 1.0 when missing."
    ]


class CodeModeConfig(TypedDict, total=False):
    """Code mode: clients send scripts that call several tools in one request."""

    enabled: Annotated[bool, "Whether the tool execute_tool_script is offered."]
    stepLimit: Annotated[Int64, "Maximum number of steps of one script.", Minimum(1), Default(100000)]
    parallelMaxConcurrency: Annotated[int, "Maximum number of parallel calls of one script.", Minimum(1), Default(10)]
    toolCallTimeout: Annotated[DecodedDuration, "Timeout of one call.", Default("30s")]


class VMCPSessionTLSConfig(TypedDict, total=False):
    """TLS settings of a connection to Redis. The block itself turns TLS on."""

    insecureSkipVerify: Annotated[bool, "Whether certificates are not verified."]
    caCertFile: Annotated[str, "File with the CA certificate; the system's CAs when missing."]


class VMCPSessionStorageConfig(TypedDict, total=False):
    """Session store that several replicas share. The password comes from ``THV_SESSION_REDIS_PASSWORD``."""

    provider: Required[Annotated[Literal["memory", "redis"], "Kind of store.", Always()]]
    address: Annotated[str, "Address of the Redis server; for provider redis."]
    db: Annotated[Int32, "Number of the Redis database.", Minimum(0), Default(0)]
    keyPrefix: Annotated[str, "Prefix of all Redis keys."]
    tls: Annotated[
        VMCPSessionTLSConfig,
        "TLS settings of the connection. In Kubernetes, spec.sessionStorage.tls sets them.",
        Since("0.52.0"),
    ]


class VMCPConfig(TypedDict, total=False):
    """Configuration of a virtual server."""

    name: Annotated[str, "Name of the virtual server; in Kubernetes, the name of the resource."]
    groupRef: Annotated[str, "Name of the served group; in Kubernetes, spec.groupRef sets it."]
    backends: Annotated[list[StaticBackendConfig], "Backends, if they are not discovered."]
    incomingAuth: Annotated[
        VMCPIncomingAuthConfig, "Authentication of clients; in Kubernetes, spec.incomingAuth sets it."
    ]
    outgoingAuth: Annotated[
        VMCPOutgoingAuthConfig, "Authentication to backends; in Kubernetes, spec.outgoingAuth sets it."
    ]
    aggregation: Annotated[AggregationConfig, "How the tools of all backends are combined into one list."]
    compositeTools: Annotated[list[CompositeToolConfig], "Composite tools."]
    compositeToolRefs: Annotated[
        list[CompositeToolRef], "Composite tools that separate resources define; only in Kubernetes."
    ]
    operational: Annotated[OperationalConfig, "Logs, timeouts and failures."]
    metadata: Annotated[dict[str, str], "Labels of the virtual server. They have no effect."]
    telemetry: Annotated[
        TelemetryConfig,
        "Telemetry; in Kubernetes, spec.telemetryConfigRef sets it.",
        Deprecated("spec.telemetryConfigRef"),
    ]
    audit: Annotated[AuditLogConfig, "Audit logging."]
    optimizer: Annotated[OptimizerConfig, "Optimizer: clients search tools instead of listing all."]
    codeMode: Annotated[CodeModeConfig, "Code mode: clients send scripts that call several tools.", Since("0.31.0")]
    sessionStorage: Annotated[VMCPSessionStorageConfig, "Session store; in Kubernetes, spec.sessionStorage sets it."]
    rateLimiting: Annotated[RateLimitConfig, "Rate limits, counted in Redis.", Since("0.28.0")]
    passthroughHeaders: Annotated[
        list[str], "Headers of clients that are forwarded to all backends.", Atomic(), Since("0.30.0")
    ]
