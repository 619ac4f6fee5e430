"""MCPTelemetryConfigs that the operator does not accept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.diagnostics.finding import rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.diagnostics.finding import Finding
    from ...compiler.diagnostics.span import Path
    from ...compiler.models.mcptelemetryconfig import MCPTelemetryConfigSpec
    from ...compiler.workspace.resource import Resource
    from ...compiler.workspace.workspace import Workspace
    from ..rule import Check

IDLE_ENDPOINT = rule(
    "TEL001",
    "idle-telemetry-endpoint",
    "An OTLP endpoint is set while tracing and metrics are both off",
    stage="operator",
    checks="`openTelemetry.endpoint` with neither `tracing.enabled` nor `metrics.enabled`, also where `openTelemetry`"
    " itself is not enabled.",
    why="The operator marks the configuration invalid, and refuses every workload that refers to it.",
    example="""
        openTelemetry:
          enabled: true
          endpoint: https://otel-collector:4318
        """,
    fix="Enable `tracing` or `metrics`, or remove the endpoint.",
    source="The validation of MCPTelemetryConfig in the operator, v0.21.0.",
)
INCOMPLETE_HEADER = rule(
    "TEL002",
    "incomplete-sensitive-header",
    "A sensitive telemetry header lacks the name or key of its Secret",
    stage="operator",
    checks="An item of `openTelemetry.sensitiveHeaders` with an empty `name`, `secretKeyRef.name` or"
    " `secretKeyRef.key`.",
    why="Empty strings pass the API server's schema; the operator then marks the configuration invalid and refuses"
    " every workload that refers to it.",
    example='secretKeyRef: {name: otel-key, key: ""}',
    fix="Name the Secret and the key.",
    source="The validation of MCPTelemetryConfig in the operator, v0.21.0.",
)
INSECURE_CA = rule(
    "TEL003",
    "ca-bundle-without-tls",
    "A CA bundle is given for an endpoint that is reached without TLS",
    stage="operator",
    checks="`openTelemetry.caBundleRef` together with `insecure: true`.",
    why="The operator marks the configuration invalid and refuses every workload that refers to it.",
    example="""
        openTelemetry:
          insecure: true
          caBundleRef: {configMapRef: {name: otel-ca, key: ca.crt}}
        """,
    fix="Remove `insecure`, or the bundle.",
    source="The validation of MCPTelemetryConfig in the operator, v0.21.0.",
)
CA_BUNDLE = rule(
    "TEL004",
    "invalid-telemetry-ca-bundle",
    "The CA bundle of a telemetry endpoint names no usable ConfigMap",
    stage="operator",
    checks="`openTelemetry.caBundleRef` without `configMapRef`, with an empty name, or with a name of more than 48"
    " characters: the volume is called `otel-ca-bundle-NAME`, and a volume's name has at most 63.",
    why="The operator marks the configuration invalid and refuses every workload that refers to it.",
    example="caBundleRef: {}",
    fix="Name a ConfigMap with a name of at most 48 characters.",
    source="The validation of MCPTelemetryConfig in the operator, v0.21.0.",
)
RULES = (IDLE_ENDPOINT, INCOMPLETE_HEADER, INSECURE_CA, CA_BUNDLE)

LONGEST_CA_NAME = 48
OTEL = ("spec", "openTelemetry")


def check(resource: Resource[MCPTelemetryConfigSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report what the operator's own validation refuses."""
    del workspace
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


def _headers(resource: Resource[MCPTelemetryConfigSpec]) -> Iterator[Finding]:
    for i, header in enumerate(resource.spec["openTelemetry"].get("sensitiveHeaders") or ()):
        ref = header.get("secretKeyRef") or {}
        fields: dict[tuple[str, ...], str | None] = {("name",): header.get("name")}
        fields |= {("secretKeyRef", field): ref.get(field) for field in ("name", "key")}
        for field, value in fields.items():
            if not value:
                path: Path = (*OTEL, "sensitiveHeaders", i, *field)
                yield resource.finding(INCOMPLETE_HEADER, path, f"sensitive header {i} has an empty {'.'.join(field)}")
                break


def _ca_bundle(resource: Resource[MCPTelemetryConfigSpec]) -> Iterator[Finding]:
    otel = resource.spec["openTelemetry"]
    bundle = otel.get("caBundleRef")
    if bundle is None:
        return
    path = (*OTEL, "caBundleRef")
    if otel.get("insecure") is True:
        yield resource.finding(
            INSECURE_CA, path, "a CA bundle is given, but insecure is true", hint="remove one of the two", on="key"
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
            hint="give the ConfigMap a shorter name",
        )


CHECKS: dict[str, tuple[Check, ...]] = {"MCPTelemetryConfig": (check,)}
