"""Composite tools of virtual servers and of definitions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcpcfg.validators.told import has_placeholder, tell

from . import composite_tool_lint_page, composite_tool_page

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mcpcfg.compiler.finding import Finding, Stage
    from mcpcfg.compiler.resource import Resource
    from mcpcfg.compiler.source import Path
    from mcpcfg.compiler.workflow.fault import Fault
    from mcpcfg.compiler.workflow.model import Workflow
    from mcpcfg.compiler.workspace import Workspace
    from mcpcfg.validators.rule import Check

RULES = (*composite_tool_page.RULES, *composite_tool_lint_page.RULES)
OF_FAULT = composite_tool_page.OF_FAULT | composite_tool_lint_page.OF_FAULT


def faults(tool: Mapping[str, Any]) -> Iterator[Fault]:
    """Give everything that is wrong with a composite tool; what could work is told where nothing refuses it only."""
    workflow = _read(tool)
    refused = _refusals(workflow)
    yield from refused or _lints(workflow)


def _read(tool: Mapping[str, Any]) -> Workflow:
    from mcpcfg.compiler.workflow.model import read

    return read(tool)


def _refusals(workflow: Workflow) -> list[Fault]:
    from mcpcfg.compiler.workflow.serve import serving_faults
    from mcpcfg.compiler.workflow.validate import validation_faults

    return [*validation_faults(workflow), *serving_faults(workflow)]


def _lints(workflow: Workflow) -> list[Fault]:
    from mcpcfg.compiler.workflow.lint.faults import lint_faults

    return lint_faults(workflow)


def _workflow_of(definition: Resource) -> Workflow:
    return _read(definition.spec)


def _refusals_of(definition: Resource) -> list[Fault]:
    return _refusals(definition.once(_workflow_of))


def is_sound(definition: Resource, workspace: Workspace) -> bool:
    """Tell whether nothing refuses a definition: what the operator makes of it is then as sound as itself."""
    return not workspace.is_refused(definition) and not definition.once(_refusals_of)


def check_definition(resource: Resource, workspace: Workspace) -> Iterator[Finding]:
    """Tell what refuses a definition that can be read.

    What only the start refuses is a lint here: it shows where the tool is used.
    """
    if workspace.is_refused(resource):
        return
    refusals = resource.once(_refusals_of)
    if not refusals or has_placeholder(resource.spec):
        return
    for fault in refusals:
        stage: Stage = "operator" if fault.when == "validate" else "lint"
        yield tell(resource, OF_FAULT[fault.code], ("spec", *fault.path), fault, stage=stage)


def check_sense(resource: Resource, workspace: Workspace) -> Iterator[Finding]:
    """Tell what cannot work in a definition, or does not do what it says, though nothing refuses it."""
    lints = _lints(resource.once(_workflow_of)) if is_sound(resource, workspace) else ()
    if not lints or has_placeholder(resource.spec):
        return
    for fault in lints:
        yield tell(resource, OF_FAULT[fault.code], ("spec", *fault.path), fault, stage="lint")


def check_server(resource: Resource, workspace: Workspace) -> Iterator[Finding]:
    """Tell what is wrong with the composite tools that a virtual server holds itself, where they can be read.

    What only the start refuses is told with the rest of the compiled configuration.
    """
    if workspace.is_refused(resource):
        return
    tools: list[dict[str, Any]] = (resource.spec.get("config") or {}).get("compositeTools") or []
    for i, tool in enumerate(tools):
        if has_placeholder(tool):
            continue
        base: Path = ("spec", "config", "compositeTools", i)
        for fault in faults(tool):
            if fault.when != "serve":
                stage: Stage = "operator" if fault.when == "validate" else "lint"
                yield tell(resource, OF_FAULT[fault.code], (*base, *fault.path), fault, stage=stage)


CHECKS: dict[str, tuple[Check, ...]] = {
    "VirtualMCPCompositeToolDefinition": (check_definition, check_sense),
    "VirtualMCPServer": (check_server,),
}
