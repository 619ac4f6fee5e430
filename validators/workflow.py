"""Composite tools as rules judge them: those of a definition once, whichever rule asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..compiler.models.composite import CompositeToolConfig, VirtualMCPCompositeToolDefinitionSpec
    from ..compiler.workflow.judge import Judged
    from ..compiler.workspace.resource import Resource
    from ..compiler.workspace.workspace import Workspace


def judged(tool: CompositeToolConfig) -> Judged:
    """Read a composite tool, and find what refuses it."""
    from ..compiler.workflow.judge import Judged

    return Judged(tool)


def judged_definition(definition: Resource[VirtualMCPCompositeToolDefinitionSpec]) -> Judged:
    """Return what a definition holds; for `Resource.once`."""
    return judged(definition.spec)


def is_sound(definition: Resource[VirtualMCPCompositeToolDefinitionSpec], workspace: Workspace) -> bool:
    """Return whether nothing refuses a definition: what the operator makes of it is then as sound as itself."""
    return not workspace.is_refused(definition) and not definition.once(judged_definition).refusals
