"""Rules about audiences and service names that two workloads share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.diagnostics.plain import value_at
from ...compiler.toolhive.constants import CLUSTER_ISSUER
from ..rule import facts_of, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.models.mcpoidcconfig import MCPOIDCConfigSpec
    from ...compiler.models.spec import WorkloadSpec
    from ..rule import Finding, Path, ProjectRule, Resource, Workspace

SHARED_AUDIENCE = rule(
    "OID010 shared-audience", "lint", "Two servers that trust the same issuer accept tokens for the same audience"
)
SHARED_NAME = rule("TEL005 shared-service-name", "lint", "Two workloads report their telemetry under one service name")

REFERENCES: dict[str, Path] = {
    "MCPServer": ("spec", "oidcConfigRef"),
    "MCPRemoteProxy": ("spec", "oidcConfigRef"),
    "VirtualMCPServer": ("spec", "incomingAuth", "oidcConfigRef"),
}
REF = ("spec", "telemetryConfigRef")
WORKLOADS = ("MCPServer", "MCPRemoteProxy", "VirtualMCPServer")


def find_audiences(workspace: Workspace) -> Iterator[Finding]:
    """Yield a finding for each workload that accepts the tokens of another workload: same audience and issuer."""
    seen: dict[tuple[str, str], Resource] = {}
    for resource, stated in facts_of(WORKLOADS, _audience, workspace):
        first = seen.setdefault(stated, resource)
        # A resource may be declared twice, such as for two clusters. It shares nothing with another resource.
        if first.identity != resource.identity:
            message = f'{first.kind} "{first.name}" accepts tokens for "{stated[0]}" too'
            notes = (first.note("it is stated here", (*REFERENCES[first.kind], "audience")),)
            hint = "set a different audience for each server"
            place = (*REFERENCES[resource.kind], "audience")
            yield resource.finding(SHARED_AUDIENCE, place, message, hint=hint, notes=notes)


def _audience(resource: Resource, workspace: Workspace) -> tuple[str, str] | None:
    path = REFERENCES[resource.kind]
    audience = value_at(resource.data, (*path, "audience"))
    if not audience or is_placeholder(audience):
        return None
    config: Resource[MCPOIDCConfigSpec] | None = workspace.target(resource, *path, "name")
    return None if config is None else (audience, _issuer(config))


def _issuer(config: Resource[MCPOIDCConfigSpec]) -> str:
    inline = config.spec.get("inline")
    block = inline if inline is not None else config.spec.get("kubernetesServiceAccount") or {}
    issuer: str = block.get("issuer") or CLUSTER_ISSUER
    return issuer


def find_service_names(workspace: Workspace) -> Iterator[Finding]:
    """Yield a finding for each workload whose telemetry has the service name of another workload in the namespace."""
    seen: dict[tuple[str, str, str], Resource] = {}
    for resource, (name, is_stated) in facts_of(WORKLOADS, _service_name, workspace):
        units = workspace.context.layout.units(resource.document.file, resource.roots)
        keys = [(resource.printed_namespace, name, unit) for unit in units]
        first = min([seen.setdefault(key, resource) for key in keys], key=workspace.position)
        if first.identity != resource.identity and not is_placeholder(name):
            path = (*REF, "serviceName") if is_stated else REF
            message = f'{first.kind} "{first.name}" reports as service "{name}" too'
            notes = (first.note("it is here", REF),)
            yield resource.finding(SHARED_NAME, path, message, hint="state another serviceName", notes=notes)


def _service_name(resource: Resource[WorkloadSpec], _: Workspace) -> tuple[str, bool] | None:
    """Return the service name of a workload's telemetry, if any, and whether the workload states it."""
    ref = resource.spec.get("telemetryConfigRef")
    if ref is None:
        return None
    name = ref.get("serviceName")
    return (name, True) if name else (resource.name, False)


PROJECT_RULES: tuple[ProjectRule, ...] = (find_audiences, find_service_names)
