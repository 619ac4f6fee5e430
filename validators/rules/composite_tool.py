"""Composite tools of virtual servers and of definitions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcpcfg.validators.told import has_placeholder, tell

from . import composite_tool_lint_page, composite_tool_page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcpcfg.compiler.finding import Finding, Stage
    from mcpcfg.compiler.models.composite import CompositeToolConfig, VirtualMCPCompositeToolDefinitionSpec
    from mcpcfg.compiler.models.virtualmcpserver import VirtualMCPServerSpec
    from mcpcfg.compiler.resource import Resource
    from mcpcfg.compiler.source import Path
    from mcpcfg.compiler.workflow.judge import Judged
    from mcpcfg.compiler.workspace import Workspace
    from mcpcfg.validators.rule import Check

RULES = (*composite_tool_page.RULES, *composite_tool_lint_page.RULES)
OF_FAULT = composite_tool_page.OF_FAULT | composite_tool_lint_page.OF_FAULT


def judged(tool: CompositeToolConfig) -> Judged:
    """Read a composite tool, and find what refuses it."""
    from mcpcfg.compiler.workflow.judge import Judged

    return Judged(tool)


def _judged(definition: Resource[VirtualMCPCompositeToolDefinitionSpec]) -> Judged:
    return judged(definition.spec)


def is_sound(definition: Resource[VirtualMCPCompositeToolDefinitionSpec], workspace: Workspace) -> bool:
    """Tell whether nothing refuses a definition: what the operator makes of it is then as sound as itself."""
    return not workspace.is_refused(definition) and not definition.once(_judged).refusals


def check_definition(
    resource: Resource[VirtualMCPCompositeToolDefinitionSpec], workspace: Workspace
) -> Iterator[Finding]:
    """Tell what refuses a definition that can be read.

    What only the start refuses is a lint here: it shows where the tool is used.
    """
    if workspace.is_refused(resource):
        return
    refusals = resource.once(_judged).refusals
    if not refusals or has_placeholder(resource.spec):
        return
    for fault in refusals:
        stage: Stage = "operator" if fault.when == "validate" else "lint"
        yield tell(resource, OF_FAULT[fault.code], ("spec", *fault.path), fault, stage=stage)


def check_sense(resource: Resource[VirtualMCPCompositeToolDefinitionSpec], workspace: Workspace) -> Iterator[Finding]:
    """Tell what cannot work in a definition, or does not do what it says, though nothing refuses it."""
    lints = () if workspace.is_refused(resource) else resource.once(_judged).lints()
    if not lints or has_placeholder(resource.spec):
        return
    for fault in lints:
        yield tell(resource, OF_FAULT[fault.code], ("spec", *fault.path), fault, stage="lint")


def check_server(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Tell what is wrong with the composite tools that a virtual server holds itself, where they can be read.

    What only the start refuses is told with the rest of the compiled configuration.
    """
    if workspace.is_refused(resource):
        return
    tools: list[CompositeToolConfig] = (resource.spec.get("config") or {}).get("compositeTools") or []
    for i, tool in enumerate(tools):
        if has_placeholder(tool):
            continue
        base: Path = ("spec", "config", "compositeTools", i)
        found = judged(tool)
        for fault in found.refusals or found.lints():
            if fault.when != "serve":
                stage: Stage = "operator" if fault.when == "validate" else "lint"
                yield tell(resource, OF_FAULT[fault.code], (*base, *fault.path), fault, stage=stage)


CHECKS: dict[str, tuple[Check, ...]] = {
    "VirtualMCPCompositeToolDefinition": (check_definition, check_sense),
    "VirtualMCPServer": (check_server,),
}
