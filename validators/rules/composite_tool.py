"""Rules about composite tools, in virtual servers and in composite tool definitions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.diagnostics.fault_to_finding import finding_of
from ..placeholder import is_unfilled
from ..workflow import certain_refusals, checked_definition, checked_tool

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ...compiler.diagnostics.finding import Stage
    from ...compiler.models.composite import CompositeToolConfig, VirtualMCPCompositeToolDefinitionSpec
    from ...compiler.models.virtualmcpserver import VirtualMCPServerSpec
    from ..rule import Check, Finding, Path, Resource, Workspace


def check_definition(
    resource: Resource[VirtualMCPCompositeToolDefinitionSpec], workspace: Workspace
) -> Iterator[Finding]:
    """Report faults for which the operator or the start of a vMCP process refuses a composite tool definition.

    Faults that only the start refuses are lints here. They are errors at the virtual servers that use the tool.
    """
    errors = workspace.verdicts.errors(resource)
    for fault in certain_refusals(resource.once(checked_definition), _wrong_places(resource, errors, ("spec",))):
        stage: Stage = "operator" if fault.stage is None else "lint"
        yield finding_of(resource, fault, ("spec", *fault.path), stage=stage)


def check_sense(resource: Resource[VirtualMCPCompositeToolDefinitionSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report steps and fields of a composite tool definition that cannot work, or work unexpectedly.

    A definition that is refused or contains placeholders is not checked.
    """
    lints = () if workspace.is_refused(resource) else resource.once(checked_definition).lints()
    if not lints or is_unfilled(resource.spec):
        return
    for fault in lints:
        yield finding_of(resource, fault, ("spec", *fault.path), stage="lint")


def check_server(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report faults of the composite tools that a virtual server contains.

    Faults that only the start of the process refuses are left to `virtual_server_process`.
    """
    is_refused = workspace.is_refused(resource)
    tools: list[CompositeToolConfig] = (resource.spec.get("config") or {}).get("compositeTools") or []
    for i, tool in enumerate(tools):
        base: Path = ("spec", "config", "compositeTools", i)
        checked = checked_tool(tool)
        faults = certain_refusals(checked, _wrong_places(resource, workspace.verdicts.errors(resource), base))
        if not (faults or is_refused or is_unfilled(tool)):
            faults = checked.lints()
        for fault in faults:
            if fault.stage != "process":
                stage: Stage = "operator" if fault.stage is None else "lint"
                yield finding_of(resource, fault, (*base, *fault.path), stage=stage)


def _wrong_places(resource: Resource, errors: Iterable[Path], base: Path) -> list[Path]:
    whole = (*resource.document.prefix, *base)
    return [path[len(whole) :] for path in errors if path[: len(whole)] == whole and len(path) > len(whole)]


CHECKS: dict[str, tuple[Check, ...]] = {
    "VirtualMCPCompositeToolDefinition": (check_definition, check_sense),
    "VirtualMCPServer": (check_server,),
}
