"""Audiences and service names that two workloads have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcpcfg.compiler.finding import Rule
from mcpcfg.compiler.reading.placeholder import is_placeholder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcpcfg.compiler.finding import Finding
    from mcpcfg.compiler.resource import Resource
    from mcpcfg.compiler.source import Path
    from mcpcfg.compiler.workspace import Workspace
    from mcpcfg.validators.rule import Check, ProjectCheck

SHARED_AUDIENCE = Rule(
    id="OID010",
    name="shared-audience",
    stage="lint",
    severity="warning",
    title="Two servers that trust one issuer accept tokens for the same audience.",
    doc="""Two servers that trust the same issuer ask for the same audience.

Flagged: the second `audience` of that value among the `oidcConfigRef` of all MCPServers, MCPRemoteProxies and
VirtualMCPServers whose MCPOIDCConfig has the same issuer.

Why it bites: a token that a client got for one of them is accepted by the other. Whoever runs the first server can use
its users' tokens on the second.

Example: two MCPServers with `oidcConfigRef: {name: corporate, audience: mcp}`.

Cure: give each server an audience of its own, such as its public URL.

Source: the documentation of `audience` in the CRDs; RFC 8707, security considerations.
""",
)
SHARED_NAME = Rule(
    id="TEL005",
    name="shared-service-name",
    stage="lint",
    severity="warning",
    title="Two workloads report their telemetry under one service name.",
    doc="""Two workloads of a namespace report their telemetry under one service name.

Flagged: the second workload with the same service name: `telemetryConfigRef.serviceName`, or the workload's own name
where none is given.

Why it bites: spans and metrics of both end up as one service, and nobody can tell which of them is slow or fails.

Example: two MCPServers with `telemetryConfigRef: {name: otel, serviceName: mcp}`.

Cure: give each workload a `serviceName` of its own, or leave it out.

Source: the telemetry configuration of workloads, v0.21.0; OpenTelemetry's meaning of service.name.
""",
)
RULES = (SHARED_AUDIENCE, SHARED_NAME)

CLUSTER_ISSUER = "https://kubernetes.default.svc"
REFERENCES: dict[str, Path] = {
    "MCPServer": ("spec", "oidcConfigRef"),
    "MCPRemoteProxy": ("spec", "oidcConfigRef"),
    "VirtualMCPServer": ("spec", "incomingAuth", "oidcConfigRef"),
}
REF = ("spec", "telemetryConfigRef")
WORKLOADS = ("MCPServer", "MCPRemoteProxy", "VirtualMCPServer")


def check_audiences(workspace: Workspace) -> Iterator[Finding]:
    """Tell audiences of which a token is good for more than one server."""
    by_audience: dict[str, list[tuple[Resource, Path]]] = {}
    for kind, path in REFERENCES.items():
        for resource in workspace.of_kind(kind):
            ref: Any = resource.spec
            for step in path[1:]:
                ref = ref.get(step) or {}
            audience = ref.get("audience")
            if audience and not is_placeholder(audience):
                by_audience.setdefault(audience, []).append((resource, path))
    for audience, users in by_audience.items():
        if len(users) > 1:
            yield from _shared(audience, users, workspace)


def _shared(audience: str, users: list[tuple[Resource, Path]], workspace: Workspace) -> Iterator[Finding]:
    seen: dict[str, tuple[Resource, Path]] = {}
    for resource, path in users:
        config = workspace.target(resource, *path, "name")
        if config is None:
            continue
        place = (*path, "audience")
        first = seen.setdefault(_issuer(config), (resource, place))
        if first[0] is not resource:
            message = f'{first[0].kind} "{first[0].name}" accepts tokens for "{audience}" too'
            notes = (first[0].note("it is stated here", first[1]),)
            hint = "give each server an audience of its own"
            yield resource.finding(SHARED_AUDIENCE, place, message, hint=hint, notes=notes)


def _issuer(config: Resource) -> str:
    inline = config.spec.get("inline")
    block = inline if inline is not None else config.spec.get("kubernetesServiceAccount") or {}
    issuer: str = block.get("issuer") or CLUSTER_ISSUER
    return issuer


def check_names(workspace: Workspace) -> Iterator[Finding]:
    """Tell service names under which two workloads of a namespace report."""
    seen: dict[tuple[str, str], Resource] = {}
    for kind in WORKLOADS:
        for resource in workspace.of_kind(kind):
            ref = resource.spec.get("telemetryConfigRef")
            if ref is None:
                continue
            name = ref.get("serviceName") or resource.name
            first = seen.setdefault((resource.printed_namespace, name), resource)
            if first is not resource and not is_placeholder(name):
                path = (*REF, "serviceName") if ref.get("serviceName") else REF
                message = f'{first.kind} "{first.name}" reports as service "{name}" too'
                notes = (first.note("it is here", REF),)
                yield resource.finding(SHARED_NAME, path, message, hint="state another serviceName", notes=notes)


CHECKS: dict[str, tuple[Check, ...]] = {}
PROJECT_CHECKS: tuple[ProjectCheck, ...] = (check_audiences, check_names)
