"""The rule about the kind MCPRegistry, which later releases of the operator deprecate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..rule import rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..rule import Check, Finding, Resource, Workspace

REGISTRY = rule("MRG014 deprecated-registry", "lint", "MCPRegistry is deprecated", is_one_change=True, since="0.29.2")


def check(resource: Resource, _: Workspace) -> Iterator[Finding]:
    """Report an MCPRegistry, whose kind is deprecated."""
    message = "MCPRegistry is deprecated: a later release of the operator no longer has it"
    hint = "install the registry server from its own Helm chart"
    yield resource.finding(REGISTRY, ("kind",), message, hint=hint)


CHECKS: dict[str, tuple[Check, ...]] = {"MCPRegistry": (check,)}
