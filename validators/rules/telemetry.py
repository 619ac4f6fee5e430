"""Rules about telemetry that the operator refuses, that keeps workloads from starting, or that is not delivered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...compiler.diagnostics.fault_to_finding import restaged
from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.diagnostics.shown import shown
from ...compiler.toolhive.connection import ENDPOINT, collector_fault, names_no_host, without_scheme
from ...compiler.toolhive.constants import METRICS_PORT
from ...compiler.toolhive.release import METRICS_PORT_SINCE
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.models.mcptelemetryconfig import MCPTelemetryConfigSpec
    from ...compiler.models.spec import ProxySpec
    from ...compiler.workspace.workspace import Resolved
    from ..rule import Check, Finding, Path, Resource, Workspace

IDLE_ENDPOINT = rule(
    "TEL001 idle-telemetry-endpoint", "operator", "An OTLP endpoint is set while tracing and metrics are both off"
)
INCOMPLETE_HEADER = rule(
    "TEL002 incomplete-sensitive-header", "operator", "A sensitive telemetry header lacks the name or key of its Secret"
)
INSECURE_CA = rule(
    "TEL003 ca-bundle-without-tls", "operator", "A CA bundle is set for an endpoint that is reached without TLS"
)
CA_BUNDLE = rule(
    "TEL004 invalid-telemetry-ca-bundle",
    "operator",
    "The CA bundle of a telemetry endpoint does not name a usable ConfigMap",
)
TAKEN_PORT = rule(
    "TEL009 metrics-port-taken",
    "process",
    "A proxy is to listen on the port on which it serves its metrics",
    since=METRICS_PORT_SINCE,
    verified=(METRICS_PORT_SINCE,),
)
UNDELIVERED = rule(
    "TEL006 undelivered-telemetry-header",
    "lint",
    "An MCPRemoteProxy does not get the sensitive headers of its telemetry",
    is_one_change=True,
)
SWITCHED_OFF = rule(
    "TEL007 switched-off-telemetry", "lint", "OpenTelemetry is configured, but not enabled", severity="info"
)

LONGEST_CA_NAME = 48
"""Maximum characters of a ConfigMap's name: a volume name of 63 characters has the prefix ``otel-ca-bundle-``."""
HINT = "write https://HOST:PORT, such as https://otel-collector:4318"
OTEL = ("spec", "openTelemetry")
REF = ("spec", "telemetryConfigRef", "name")


OTHER_PROTOCOL = rule(
    "TEL010 telemetry-endpoint-of-other-protocol", "lint", "The telemetry endpoint is not that of OTLP over HTTP"
)
_SIGNALS: Final = ("/v1/traces", "/v1/metrics", "/v1/logs")
_GRPC_PORT: Final = "4317"


def check_protocol(resource: Resource[MCPTelemetryConfigSpec], _: Workspace) -> Iterator[Finding]:
    """Report an endpoint with the path of a signal, which the exporter appends itself, or with the port of gRPC."""
    endpoint = _endpoint(resource)
    if endpoint is None:
        return
    address = without_scheme(endpoint)
    host, _slash, path = address.partition("/")
    signals = ("/v1",) if path.strip("/") == "v1" else _SIGNALS
    if f"/{path}".rstrip("/").endswith(signals):
        message = f"the exporters append /v1/traces and /v1/metrics to {shown(endpoint)} themselves"
        signal = next(signal for signal in signals if endpoint.rstrip("/").endswith(signal))
        hint = f"write {endpoint.rstrip('/').removesuffix(signal)}"
        yield resource.finding(OTHER_PROTOCOL, (*OTEL, "endpoint"), message, hint=hint)
    elif host.rpartition(":")[2] == _GRPC_PORT and ":" in host:
        message = f"collectors receive OTLP over gRPC on port {_GRPC_PORT}, but the data is sent over HTTP"
        yield resource.finding(
            OTHER_PROTOCOL, (*OTEL, "endpoint"), message, hint="write the port for HTTP, usually 4318"
        )


def check(resource: Resource[MCPTelemetryConfigSpec], _: Workspace) -> Iterator[Finding]:
    """Report faults of an MCPTelemetryConfig that the operator's validation refuses."""
    otel = resource.spec.get("openTelemetry")
    if otel is None:
        return
    active = any((otel.get(signal) or {}).get("enabled") for signal in ("tracing", "metrics"))
    if otel.get("endpoint") and not active:
        yield resource.finding(
            IDLE_ENDPOINT,
            (*OTEL, "endpoint"),
            "the endpoint is set, but neither tracing nor metrics is enabled",
            hint="set tracing.enabled or metrics.enabled to true, or remove the endpoint",
        )
    yield from _headers(resource)
    yield from _ca_bundle(resource)


def check_endpoint(resource: Resource[MCPTelemetryConfigSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report a telemetry endpoint that cannot receive data, unless `check_use` reports that nothing starts."""
    endpoint = _endpoint(resource)
    if endpoint is None:
        return
    fault = collector_fault(endpoint)
    if fault is not None and _sends_metrics(resource) and workspace.is_referred(resource):
        return
    if fault is not None or names_no_host(endpoint):
        message = f"endpoint {shown(endpoint)} {fault or 'names no host to which data could be sent'}"
        yield restaged(resource.finding(ENDPOINT, (*OTEL, "endpoint"), message, hint=HINT), "lint")


@reads("telemetryConfigRef")
def check_use(resource: Resource[ProxySpec], workspace: Workspace) -> Iterator[Finding]:
    """Report a telemetry endpoint or a metrics port that keeps the proxy from starting."""
    resolved: Resolved[MCPTelemetryConfigSpec] = workspace.resolved(resource, *REF)
    if resolved is None or workspace.is_refused(resolved[1]):
        return
    reference, config = resolved
    endpoint = _endpoint(config)
    fault = collector_fault(endpoint) if endpoint is not None and _sends_metrics(config) else None
    if fault is not None:
        yield reference.finding_about_target(ENDPOINT, (*OTEL, "endpoint"), f"its endpoint {fault}", hint=HINT)
    serves = (config.spec.get("prometheus") or {}).get("enabled") is True
    if serves and resource.spec.get("proxyPort") == METRICS_PORT and resource.is_judged(since=TAKEN_PORT.since):
        notes = (config.note("metrics are enabled here", ("spec", "prometheus", "enabled")),)
        message = f"the proxy serves its metrics on port {METRICS_PORT}, so it cannot listen there for clients"
        path = ("spec", "proxyPort")
        yield resource.finding(TAKEN_PORT, path, message, hint="choose another port", notes=notes)


def _endpoint(config: Resource[MCPTelemetryConfigSpec]) -> str | None:
    otel = config.spec.get("openTelemetry") or {}
    endpoint = otel.get("endpoint")
    return endpoint if endpoint and otel.get("enabled") is True and not is_placeholder(endpoint) else None


def _sends_metrics(config: Resource[MCPTelemetryConfigSpec]) -> bool:
    return ((config.spec.get("openTelemetry") or {}).get("metrics") or {}).get("enabled") is True


def _headers(resource: Resource[MCPTelemetryConfigSpec]) -> Iterator[Finding]:
    for i, header in enumerate(resource.spec["openTelemetry"].get("sensitiveHeaders") or ()):
        ref = header.get("secretKeyRef") or {}
        fields: dict[tuple[str, ...], str | None] = {("name",): header.get("name")}
        fields |= {("secretKeyRef", field): ref.get(field) for field in ("name", "key")}
        for field, value in fields.items():
            if not value:
                path: Path = (*OTEL, "sensitiveHeaders", i, *field)
                message = f"sensitive header {i} has an empty {'.'.join(field)}"
                yield resource.finding(INCOMPLETE_HEADER, path, message, hint="write it, or remove the header")
                break


def _ca_bundle(resource: Resource[MCPTelemetryConfigSpec]) -> Iterator[Finding]:
    otel = resource.spec["openTelemetry"]
    bundle = otel.get("caBundleRef")
    if bundle is None:
        return
    path = (*OTEL, "caBundleRef")
    if otel.get("insecure") is True:
        yield resource.finding(
            INSECURE_CA, path, "a CA bundle is set, but insecure is true", hint="remove one of the two", on="key"
        )
        return
    ref = bundle.get("configMapRef")
    name = (ref or {}).get("name", "")
    if not name:
        yield resource.finding(CA_BUNDLE, path, "the CA bundle names no ConfigMap", hint="set configMapRef.name")
    elif len(name) > LONGEST_CA_NAME:
        yield resource.finding(
            CA_BUNDLE,
            (*path, "configMapRef", "name"),
            f'the name "{name}" of the CA bundle has {len(name)} characters, at most {LONGEST_CA_NAME} can be mounted',
            hint="choose a shorter name for the ConfigMap",
        )


@reads("telemetryConfigRef")
def check_headers(resource: Resource, workspace: Workspace) -> Iterator[Finding]:
    """Report sensitive telemetry headers that an MCPRemoteProxy does not receive."""
    resolved: Resolved[MCPTelemetryConfigSpec] = workspace.resolved(resource, *REF)
    if resolved is None:
        return
    reference, config = resolved
    if (config.spec.get("openTelemetry") or {}).get("sensitiveHeaders"):
        message = f'an MCPRemoteProxy does not get the sensitive headers of MCPTelemetryConfig "{config.name}"'
        notes = (config.note("they are here", (*OTEL, "sensitiveHeaders")),)
        hint = "send to a collector that adds them"
        yield resource.finding(UNDELIVERED, reference.path, message, hint=hint, notes=notes)


@reads("openTelemetry")
def check_enabled(resource: Resource[MCPTelemetryConfigSpec], _: Workspace) -> Iterator[Finding]:
    """Report an ``openTelemetry`` block that is not enabled, although it has an endpoint and enables a signal."""
    otel = resource.spec["openTelemetry"]
    sends = any((otel.get(signal) or {}).get("enabled") is True for signal in ("tracing", "metrics"))
    if otel.get("endpoint") and sends and not otel.get("enabled"):
        message = "openTelemetry is not enabled, so its endpoint is ignored"
        yield resource.finding(SWITCHED_OFF, OTEL, message, hint="set enabled: true", on="key")


CHECKS: dict[str, tuple[Check, ...]] = {
    "MCPTelemetryConfig": (check, check_endpoint, check_protocol, check_enabled),
    "MCPServer": (check_use,),
    "MCPRemoteProxy": (check_use, check_headers),
}
