"""Audiences and service names that two workloads have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcpcfg.compiler.finding import Rule
from mcpcfg.compiler.reading.placeholder import is_placeholder
from mcpcfg.compiler.resource import UNKNOWN_NAMESPACE
from mcpcfg.validators.rule import Survey

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcpcfg.compiler.finding import Finding
    from mcpcfg.compiler.models.mcpoidcconfig import MCPOIDCConfigSpec
    from mcpcfg.compiler.models.spec import WorkloadSpec
    from mcpcfg.compiler.resource import Resource
    from mcpcfg.compiler.source import Path
    from mcpcfg.compiler.workspace import Workspace
    from mcpcfg.validators.rule import Check, Noted

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
where none is given: in one file, under one kustomization, or in one folder. Others may be for different clusters.

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


def note_audience(resource: Resource, workspace: Workspace) -> tuple[str, str] | None:
    """Note which audience a workload asks for, and of which issuer."""
    path = REFERENCES[resource.kind]
    ref: Any = resource.spec
    for step in path[1:]:
        ref = ref.get(step) or {}
    audience = ref.get("audience")
    if not audience or is_placeholder(audience):
        return None
    config: Resource[MCPOIDCConfigSpec] | None = workspace.target(resource, *path, "name")
    return None if config is None else (audience, _issuer(config))


def tell_audiences(noted: Noted, workspace: Workspace) -> Iterator[Finding]:
    """Tell audiences of which a token is good for more than one server."""
    resources = workspace.inventory
    seen: dict[tuple[str, str], int] = {}
    for kind in WORKLOADS:
        for position, note in noted.get(kind, ()):
            stated = seen.setdefault(note, position)
            if not resources.are_alike(stated, position) and workspace.tells(position):
                first = resources[stated]
                message = f'{first.kind} "{first.name}" accepts tokens for "{note[0]}" too'
                notes = (first.note("it is stated here", (*REFERENCES[first.kind], "audience")),)
                hint = "give each server an audience of its own"
                place = (*REFERENCES[kind], "audience")
                yield resources[position].finding(SHARED_AUDIENCE, place, message, hint=hint, notes=notes)


def _issuer(config: Resource[MCPOIDCConfigSpec]) -> str:
    inline = config.spec.get("inline")
    block = inline if inline is not None else config.spec.get("kubernetesServiceAccount") or {}
    issuer: str = block.get("issuer") or CLUSTER_ISSUER
    return issuer


def note_service_name(resource: Resource[WorkloadSpec], workspace: Workspace) -> tuple[str, bool] | None:
    """Note under which service name a workload reports, and whether it states one."""
    del workspace
    ref = resource.spec.get("telemetryConfigRef")
    if ref is None:
        return None
    name = ref.get("serviceName")
    return (name, True) if name else (resource.name, False)


def tell_service_names(noted: Noted, workspace: Workspace) -> Iterator[Finding]:
    """Tell service names under which two workloads of a namespace report."""
    resources = workspace.inventory
    seen: dict[tuple[str, str, str], int] = {}
    for kind in WORKLOADS:
        for position, (name, is_stated) in noted.get(kind, ()):
            namespace = resources.namespaces[position] or UNKNOWN_NAMESPACE
            places = workspace.world.layout.places(resources.files[position])
            stated = min([seen.setdefault((namespace, name, place), position) for place in places])
            is_other = not resources.are_alike(stated, position)
            if is_other and not is_placeholder(name) and workspace.tells(position):
                first = resources[stated]
                path = (*REF, "serviceName") if is_stated else REF
                message = f'{first.kind} "{first.name}" reports as service "{name}" too'
                notes = (first.note("it is here", REF),)
                yield resources[position].finding(
                    SHARED_NAME, path, message, hint="state another serviceName", notes=notes
                )


CHECKS: dict[str, tuple[Check, ...]] = {}
SURVEYS: tuple[Survey, ...] = (
    Survey("shared-audience", WORKLOADS, note_audience, tell_audiences),
    Survey("shared-service-name", WORKLOADS, note_service_name, tell_service_names),
)
