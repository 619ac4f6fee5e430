"""Rules about pod templates that the operator cannot merge into its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.diagnostics.fault_to_finding import finding_of, restaged
from ...compiler.diagnostics.plain import value_at
from ...compiler.emit.build import Build
from ...compiler.toolhive.operator import OperatorSettings
from ..placeholder import has_placeholder
from ..pod import OWN_CONTAINERS
from ..rule import rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.diagnostics.fault import Flaw
    from ...compiler.models.embeddingserver import EmbeddingServerSpec
    from ...compiler.models.mcpremoteproxy import MCPRemoteProxySpec
    from ...compiler.models.virtualmcpserver import VirtualMCPServerSpec
    from ..rule import Check, Finding, Path, Resource, Workspace

UNMERGED = rule(
    "VMC232 unmergeable-pod-template",
    "operator",
    "A pod template cannot be merged into the operator's own",
    unmodelled="all",
)
TEMPLATE: Path = ("spec", "podTemplateSpec")


def check_virtual_server(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report why the operator cannot merge the pod template of a virtual server into its own."""
    if workspace.is_refused(resource):
        return
    from ...compiler.emit.virtualmcpserver import template_faults

    yield from _findings(resource, template_faults(Build(workspace, OperatorSettings()), resource))


def check_proxy(resource: Resource[MCPRemoteProxySpec], workspace: Workspace) -> Iterator[Finding]:
    """Report why the operator cannot merge the pod template of a remote proxy into its own."""
    if workspace.is_refused(resource):
        return
    from ...compiler.emit.mcpremoteproxy import template_faults

    yield from _findings(resource, template_faults(Build(workspace, OperatorSettings()), resource))


def check_embedding_server(resource: Resource[EmbeddingServerSpec], _: Workspace) -> Iterator[Finding]:
    """Report why the operator does not apply the pod template of an embedding server."""
    from ...compiler.emit.embeddingserver import template_faults

    for finding in _findings(resource, template_faults(resource)):
        yield restaged(finding, "lint")


def _findings(resource: Resource, faults: tuple[Flaw, ...]) -> Iterator[Finding]:
    for fault in faults:
        path = (*TEMPLATE, *fault.path)
        if not has_placeholder(value_at(resource.data, path)):
            yield finding_of(resource, fault._replace(hint=_hint(resource, fault.path)).under(UNMERGED), path)


def _hint(resource: Resource, path: Path) -> str:
    if str(path[-1]).startswith("$"):
        return "remove the directive: without one entries are merged"
    container_name = resource.profile.spell(OWN_CONTAINERS[resource.kind][0])
    return (
        f"add it: that of the operator's own entry to change that one ({container_name} is its container), or a new one"
    )


CHECKS: dict[str, tuple[Check, ...]] = {
    "VirtualMCPServer": (check_virtual_server,),
    "MCPRemoteProxy": (check_proxy,),
    "EmbeddingServer": (check_embedding_server,),
}
