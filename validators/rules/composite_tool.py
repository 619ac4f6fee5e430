"""Composite tools of virtual servers and of definitions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.diagnostics.fault_to_finding import finding_of
from ..placeholder import is_unfilled
from ..workflow import judged, judged_definition, known_refusals

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ...compiler.diagnostics.finding import Stage
    from ...compiler.models.composite import CompositeToolConfig, VirtualMCPCompositeToolDefinitionSpec
    from ...compiler.models.virtualmcpserver import VirtualMCPServerSpec
    from ..rule import Check, Finding, Path, Resource, Workspace


def check_definition(
    resource: Resource[VirtualMCPCompositeToolDefinitionSpec], workspace: Workspace
) -> Iterator[Finding]:
    """Report what refuses a definition.

    What only the start refuses is a lint here: it shows where the tool is used.
    """
    errors = workspace.verdicts.errors(resource)
    for fault in known_refusals(resource.once(judged_definition), _wrong_places(resource, errors, ("spec",))):
        stage: Stage = "operator" if fault.stage is None else "lint"
        yield finding_of(resource, fault, ("spec", *fault.path), stage=stage)


def check_sense(resource: Resource[VirtualMCPCompositeToolDefinitionSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report what cannot work in a definition, or does not do what it states, though nothing refuses it."""
    lints = () if workspace.is_refused(resource) else resource.once(judged_definition).lints()
    if not lints or is_unfilled(resource.spec):
        return
    for fault in lints:
        yield finding_of(resource, fault, ("spec", *fault.path), stage="lint")


def check_server(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report what is wrong with the composite tools that a virtual server holds itself.

    What only the start refuses is reported with the rest of the compiled configuration.
    """
    is_refused = workspace.is_refused(resource)
    tools: list[CompositeToolConfig] = (resource.spec.get("config") or {}).get("compositeTools") or []
    for i, tool in enumerate(tools):
        base: Path = ("spec", "config", "compositeTools", i)
        found = judged(tool)
        faults = known_refusals(found, _wrong_places(resource, workspace.verdicts.errors(resource), base))
        if not (faults or is_refused or is_unfilled(tool)):
            faults = found.lints()
        for fault in faults:
            if fault.stage != "process":
                stage: Stage = "operator" if fault.stage is None else "lint"
                yield finding_of(resource, fault, (*base, *fault.path), stage=stage)


def _wrong_places(resource: Resource, errors: Iterable[Path], base: Path) -> list[Path]:
    """Return the places below ``base`` that the operator cannot decode; it reads nothing else of the resource."""
    whole = (*resource.document.prefix, *base)
    return [path[len(whole) :] for path in errors if path[: len(whole)] == whole and len(path) > len(whole)]


CHECKS: dict[str, tuple[Check, ...]] = {
    "VirtualMCPCompositeToolDefinition": (check_definition, check_sense),
    "VirtualMCPServer": (check_server,),
}
