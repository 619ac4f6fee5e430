"""MCPTelemetryConfig: telemetry shared by workloads."""

from __future__ import annotations

from typing import Annotated, Required, TypedDict

from .dated import Since
from .declare import Cel, Default, Go, ListMap, MinLength, Pattern, Switch, rules
from .reference import CABundleSource, SecretKeyRef
from .status import ConfigStatus, ReferencingWorkloads


class SensitiveHeader(TypedDict, total=False):
    """A header whose value is secret."""

    name: Required[Annotated[str, "Name of the header.", MinLength(1)]]
    secretKeyRef: Required[Annotated[SecretKeyRef, "Value of the header."]]


class OpenTelemetryMetricsConfig(TypedDict, total=False):
    """Metrics over OTLP."""

    enabled: Annotated[Switch, "Whether metrics are sent."]


class OpenTelemetryTracingConfig(TypedDict, total=False):
    """Traces over OTLP."""

    enabled: Annotated[Switch, "Whether traces are sent."]
    samplingRate: Annotated[
        str,
        "Fraction of requests that are traced, 0 to 1, as a string.",
        Pattern(r"^(0(\.\d+)?|1(\.0+)?)$"),
        Default("0.05"),
    ]


class PrometheusConfig(TypedDict, total=False):
    """Metrics for Prometheus."""

    enabled: Annotated[
        Switch, "Whether /metrics is served on the main port, and from release 0.45.0 on also on port 9464."
    ]
    metricsOnTransportPort: Annotated[
        bool,
        "Whether the main port still serves /metrics; true when missing, until a later release changes that.",
        Go(pointer=True),
        Since("0.46.0"),
    ]


@rules(
    Cel(
        "!has(self.headers) || !has(self.sensitiveHeaders)"
        " || self.sensitiveHeaders.all(sh, !(sh.name in self.headers))",
        "a header is either in headers or in sensitiveHeaders",
        "sensitiveHeaders",
    )
)
class MCPTelemetryOTelConfig(TypedDict, total=False):
    """OpenTelemetry settings: the collector, traces and metrics."""

    enabled: Annotated[Switch, "Whether OpenTelemetry is enabled."]
    endpoint: Annotated[str, "Address of the OTLP collector."]
    insecure: Annotated[Switch, "Whether the collector is reached over HTTP instead of HTTPS."]
    headers: Annotated[dict[str, str], "Headers to send to the collector. Put secret values into sensitiveHeaders."]
    sensitiveHeaders: Annotated[
        list[SensitiveHeader], "Headers with secret values to send to the collector.", ListMap("name")
    ]
    resourceAttributes: Annotated[
        dict[str, str], "OpenTelemetry resource attributes, except service.name, which each server sets."
    ]
    metrics: Annotated[OpenTelemetryMetricsConfig, "Metrics."]
    tracing: Annotated[OpenTelemetryTracingConfig, "Traces."]
    useLegacyAttributes: Annotated[
        bool,
        "Whether attributes also get their former names. The default will become false; later the"
        " field will be removed.",
        Default(value=True),
    ]
    caBundleRef: Annotated[
        CABundleSource, "CA bundle of the collector. The operator mounts it.", Go(name="CABundleRef")
    ]


class MCPTelemetryConfigSpec(TypedDict, total=False):
    """Settings of OpenTelemetry and Prometheus."""

    openTelemetry: Annotated[MCPTelemetryOTelConfig, "OpenTelemetry."]
    prometheus: Annotated[PrometheusConfig, "Prometheus."]


class MCPTelemetryConfigStatus(ConfigStatus, total=False):
    """The last observed state of the configuration."""

    referencingWorkloads: ReferencingWorkloads
