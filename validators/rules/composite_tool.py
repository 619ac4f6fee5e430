"""Composite tools of virtual servers and of definitions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.diagnostics.fault_to_finding import finding_of
from ...compiler.workflow import rules
from ...compiler.workflow.lint import rules as lint_rules
from ..placeholder import is_unfilled
from ..workflow import judged, judged_definition

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.diagnostics.finding import Finding, Stage
    from ...compiler.diagnostics.span import Path
    from ...compiler.models.composite import CompositeToolConfig, VirtualMCPCompositeToolDefinitionSpec
    from ...compiler.models.virtualmcpserver import VirtualMCPServerSpec
    from ...compiler.workspace.resource import Resource
    from ...compiler.workspace.workspace import Workspace
    from ..rule import Check

RULES = (*rules.RULES, *lint_rules.RULES)
OF_FAULT = rules.OF_FAULT | lint_rules.OF_FAULT


def check_definition(
    resource: Resource[VirtualMCPCompositeToolDefinitionSpec], workspace: Workspace
) -> Iterator[Finding]:
    """Report what refuses a definition that can be read.

    What only the start refuses is a lint here: it shows where the tool is used.
    """
    if workspace.is_refused(resource):
        return
    refusals = resource.once(judged_definition).refusals
    if not refusals or is_unfilled(resource.spec):
        return
    for fault in refusals:
        stage: Stage = "operator" if fault.stage is None else "lint"
        yield finding_of(resource, OF_FAULT[fault.code], fault, ("spec", *fault.path), stage=stage)


def check_sense(resource: Resource[VirtualMCPCompositeToolDefinitionSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report what cannot work in a definition, or does not do what it states, though nothing refuses it."""
    lints = () if workspace.is_refused(resource) else resource.once(judged_definition).lints()
    if not lints or is_unfilled(resource.spec):
        return
    for fault in lints:
        yield finding_of(resource, OF_FAULT[fault.code], fault, ("spec", *fault.path), stage="lint")


def check_server(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report what is wrong with the composite tools that a virtual server holds itself, where they can be read.

    What only the start refuses is reported with the rest of the compiled configuration.
    """
    if workspace.is_refused(resource):
        return
    tools: list[CompositeToolConfig] = (resource.spec.get("config") or {}).get("compositeTools") or []
    for i, tool in enumerate(tools):
        if is_unfilled(tool):
            continue
        base: Path = ("spec", "config", "compositeTools", i)
        found = judged(tool)
        for fault in found.refusals or found.lints():
            if fault.stage != "process":
                stage: Stage = "operator" if fault.stage is None else "lint"
                yield finding_of(resource, OF_FAULT[fault.code], fault, (*base, *fault.path), stage=stage)


CHECKS: dict[str, tuple[Check, ...]] = {
    "VirtualMCPCompositeToolDefinition": (check_definition, check_sense),
    "VirtualMCPServer": (check_server,),
}
