"""Telemetry settings from a ``telemetryConfigRef`` and its MCPTelemetryConfig."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from ..golang.strconv import NumberError, format_plain, parse_float
from ..toolhive.connection import without_scheme
from ..toolhive.constants import CA_KEY, TELEMETRY_HEADER_VARIABLE
from .build import Object, env_name, secret_env

if TYPE_CHECKING:
    from ..models.mcptelemetryconfig import MCPTelemetryConfigSpec, MCPTelemetryOTelConfig
    from ..models.spec import WorkloadSpec
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace
    from .volume import Mounted

CA_FOLDER = "/config/certs/otel"


def config(workspace: Workspace, resource: Resource[WorkloadSpec]) -> Resource[MCPTelemetryConfigSpec] | None:
    """Return the MCPTelemetryConfig that the resource refers to, or ``None``."""
    if "telemetryConfigRef" not in resource.spec:
        return None
    return workspace.target(resource, "spec", "telemetryConfigRef", "name")


def service_name(resource: Resource[WorkloadSpec]) -> str:
    """Return the service name of spans and metrics. Default: the resource's name."""
    name: str = resource.spec["telemetryConfigRef"].get("serviceName") or resource.name
    return name


def telemetry_config(
    workspace: Workspace, resource: Resource[WorkloadSpec], *, with_ca_path: bool = True
) -> Object | None:
    """Return the telemetry section of RunConfig and of the vMCP configuration, or ``None`` without telemetry.

    Settings of the OpenTelemetry block are left out unless the block is enabled, except for the CA path.
    """
    telemetry = config(workspace, resource)
    if telemetry is None:
        return None
    otel: MCPTelemetryOTelConfig = telemetry.spec.get("openTelemetry") or {}
    used: MCPTelemetryOTelConfig = otel if otel.get("enabled") else {}
    tracing = used.get("tracing") or {}
    ca = ca_config_map(telemetry)
    return {
        "endpoint": without_scheme(used.get("endpoint", "")),
        "serviceName": service_name(resource),
        "tracingEnabled": bool(tracing.get("enabled")),
        "metricsEnabled": bool((used.get("metrics") or {}).get("enabled")),
        "samplingRate": sampling_rate(tracing.get("samplingRate", "")),
        "headers": used.get("headers"),
        "insecure": bool(used.get("insecure")),
        "enablePrometheusMetricsPath": bool((telemetry.spec.get("prometheus") or {}).get("enabled")),
        "metricsOnTransportPort": (telemetry.spec.get("prometheus") or {}).get("metricsOnTransportPort"),
        "customAttributes": used.get("resourceAttributes"),
        "useLegacyAttributes": bool(used.get("useLegacyAttributes")),
        "caCertPath": f"{CA_FOLDER}/{ca[0]}/{ca[1]}" if with_ca_path and ca is not None else "",
    }


def sampling_rate(text: str) -> str:
    """Return a sampling rate as the operator writes it: from 0 to 1, short, or empty for no finite number."""
    try:
        value = parse_float(text)
    except NumberError:
        return ""
    return format_plain(min(max(value, 0.0), 1.0)) if isfinite(value) else ""


def ca_config_map(telemetry: Resource[MCPTelemetryConfigSpec]) -> tuple[str, str] | None:
    """Return the name and key of the ConfigMap with the collector's CA bundle, or ``None``."""
    otel = telemetry.spec.get("openTelemetry") or {}
    ref = (otel.get("caBundleRef") or {}).get("configMapRef")
    return (ref["name"], ref.get("key") or CA_KEY) if ref else None


def ca_volume(workspace: Workspace, resource: Resource[WorkloadSpec]) -> Mounted | None:
    """Return the mount of the CA bundle for a workload's telemetry collector, or ``None`` without a bundle."""
    telemetry = config(workspace, resource)
    ca = None if telemetry is None else ca_config_map(telemetry)
    if ca is None:
        return None
    from .volume import config_map

    name, key = ca
    return config_map(f"otel-ca-bundle-{name}", name, f"{CA_FOLDER}/{name}", {key: key})


def environment(workspace: Workspace, resource: Resource[WorkloadSpec]) -> list[Object]:
    """Return the environment for a workload's telemetry: resource attributes, then headers from Secrets."""
    telemetry = config(workspace, resource)
    if telemetry is None:
        return []
    attributes = f"service.name={service_name(resource)},service.namespace={resource.printed_namespace}"
    otel = telemetry.spec.get("openTelemetry") or {}
    variable = resource.profile.spell(TELEMETRY_HEADER_VARIABLE)
    headers = [
        secret_env(f"{variable}_{env_name(header['name'])}", header["secretKeyRef"])
        for header in otel.get("sensitiveHeaders") or ()
    ]
    return [{"name": "OTEL_RESOURCE_ATTRIBUTES", "value": attributes}, *headers]
