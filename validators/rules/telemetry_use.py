"""Rules about telemetry that is not delivered, or that is disabled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.models.mcptelemetryconfig import MCPTelemetryConfigSpec
    from ...compiler.workspace.workspace import Resolved
    from ..rule import Check, Finding, Resource, Workspace

UNDELIVERED = rule(
    "TEL006",
    "undelivered-telemetry-header",
    "An MCPRemoteProxy does not get the sensitive headers of its telemetry",
    stage="lint",
    is_one_change=True,
)
SWITCHED_OFF = rule(
    "TEL007", "switched-off-telemetry", "OpenTelemetry is configured, but not enabled", stage="lint", severity="info"
)

REF = ("spec", "telemetryConfigRef")


@reads("telemetryConfigRef")
def check_headers(resource: Resource, workspace: Workspace) -> Iterator[Finding]:
    """Report sensitive telemetry headers that an MCPRemoteProxy does not receive."""
    resolved: Resolved[MCPTelemetryConfigSpec] = workspace.resolved(resource, *REF, "name")
    if resolved is None:
        return
    reference, config = resolved
    if (config.spec.get("openTelemetry") or {}).get("sensitiveHeaders"):
        message = f'an MCPRemoteProxy does not get the sensitive headers of MCPTelemetryConfig "{config.name}"'
        notes = (config.note("they are here", ("spec", "openTelemetry", "sensitiveHeaders")),)
        hint = "send to a collector that adds them"
        yield resource.finding(UNDELIVERED, reference.path, message, hint=hint, notes=notes)


@reads("openTelemetry")
def check_config(resource: Resource[MCPTelemetryConfigSpec], _: Workspace) -> Iterator[Finding]:
    """Report an ``openTelemetry`` block that is not enabled, although it has an endpoint and enables a signal."""
    otel = resource.spec["openTelemetry"]
    sends = any((otel.get(signal) or {}).get("enabled") is True for signal in ("tracing", "metrics"))
    if otel.get("endpoint") and sends and not otel.get("enabled"):
        path = ("spec", "openTelemetry")
        message = "openTelemetry is not enabled, so its endpoint is ignored"
        yield resource.finding(SWITCHED_OFF, path, message, hint="set enabled: true", on="key")


CHECKS: dict[str, tuple[Check, ...]] = {
    "MCPRemoteProxy": (check_headers,),
    "MCPTelemetryConfig": (check_config,),
}
