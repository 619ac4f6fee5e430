"""Telemetry as processes read it: in RunConfig and in the vMCP configuration."""

from __future__ import annotations

from typing import Annotated, TypedDict

from .dated import Since
from .declare import Always, Default, Go, Switch


class TelemetryConfig(TypedDict, total=False):
    """OpenTelemetry and Prometheus settings of one process."""

    endpoint: Annotated[str, "Address of the OTLP collector, without scheme."]
    serviceName: Annotated[str, "service.name; the name of the server when empty."]
    serviceVersion: Annotated[str, "service.version; the product's version when empty."]
    tracingEnabled: Annotated[Switch, "Whether traces are sent.", Always()]
    metricsEnabled: Annotated[Switch, "Whether metrics are sent.", Always()]
    samplingRate: Annotated[str, "Fraction of requests that are traced, 0.0 to 1.0, as a string.", Default("0.05")]
    headers: Annotated[dict[str, str], "Headers to send to the collector."]
    insecure: Annotated[Switch, "Whether the collector is reached over HTTP instead of HTTPS."]
    enablePrometheusMetricsPath: Annotated[
        Switch, "Whether /metrics is served on the main port. Proxies of release 0.45.0 also serve it on port 9464."
    ]
    prometheusPort: Annotated[
        int,
        "Port on which a proxy serves /metrics; 9464 when empty. Virtual servers ignore the field.",
        Since("0.45.0"),
    ]
    metricsOnTransportPort: Annotated[
        bool,
        "Whether a proxy also serves /metrics on the main port; true when missing. Virtual servers ignore the field.",
        Go(pointer=True),
        Since("0.45.0"),
    ]
    environmentVariables: Annotated[list[str], "Environment variables whose values are added to spans."]
    customAttributes: Annotated[dict[str, str], "OpenTelemetry resource attributes."]
    useLegacyAttributes: Annotated[
        bool, "Whether attributes also get their former names.", Default(value=True), Always()
    ]
    caCertPath: Annotated[str, "File with the CA bundle of the collector."]
