"""Pod templates that the operator cannot merge into that of a virtual server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.diagnostics.fault_to_finding import finding_of
from ...compiler.diagnostics.finding import rule
from ...compiler.diagnostics.plain import value_at
from ...compiler.emit.build import Build
from ...compiler.emit.virtualmcpserver import template_faults
from ...compiler.toolhive.operator import OperatorSettings
from ..placeholder import has_placeholder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.diagnostics.finding import Finding
    from ...compiler.diagnostics.span import Path
    from ...compiler.models.virtualmcpserver import VirtualMCPServerSpec
    from ...compiler.workspace.resource import Resource
    from ...compiler.workspace.workspace import Workspace
    from ..rule import Check

UNMERGED = rule(
    "VMC232",
    "unmergeable-pod-template",
    "The pod template of a virtual server cannot be merged",
    stage="operator",
    checks="In lists that are merged with the operator's own: a container, variable or volume without `name`, a mount"
    " without `mountPath`, a port without `containerPort`; `$patch` with another word than `delete` or `replace`, and"
    " the other directives of a strategic merge patch where they do not fit.",
    why="The operator merges the template into its own as a strategic merge patch, by these keys. Where that fails it"
    " creates no Deployment, and tries again without end.",
    example="""
        kind: VirtualMCPServer
        spec:
          podTemplateSpec: {spec: {containers: [{resources: {limits: {memory: 1Gi}}}]}}
        """,
    fix="Name the entry: the container of a virtual server is called `vmcp`.",
    source="The pod template builder of the operator, v0.21.0; Kubernetes, strategic merge patch.",
)
RULES = (UNMERGED,)
CONTAINER = "vmcp"
TEMPLATE: Path = ("spec", "podTemplateSpec")


def check(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report why the template cannot be merged into what the operator makes of the rest of the resource."""
    if workspace.is_refused(resource):
        return
    for fault in template_faults(Build(workspace, OperatorSettings()), resource):
        path = (*TEMPLATE, *fault.path)
        if not has_placeholder(value_at(resource.data, path)):
            yield finding_of(resource, UNMERGED, fault._replace(hint=_hint(fault.path)), path)


def _hint(path: Path) -> str:
    if str(path[-1]).startswith("$"):
        return "remove the directive: without one entries are merged"
    return f"add it: that of the operator's own entry to change that one ({CONTAINER} is its container), or a new one"


CHECKS: dict[str, tuple[Check, ...]] = {"VirtualMCPServer": (check,)}
