"""Resources without ``spec``, which the schemas let pass, and references to configurations that so have no type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.diagnostics.finding import Rule
from ..rule import of_empty, reads

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.diagnostics.finding import Finding
    from ...compiler.workspace.resource import Resource
    from ...compiler.workspace.workspace import Workspace
    from ..rule import Check

MISSING = Rule(
    id="RES004",
    name="missing-spec",
    stage="operator",
    severity="error",
    title="A resource has no spec.",
    doc="""A resource has no `spec` at all.

Flagged: an MCPServer, MCPRemoteProxy, MCPServerEntry, MCPExternalAuthConfig or MCPRegistry without `spec`, or with a
null one.

Why it bites: the schema requires fields within `spec`, but not `spec` itself. The operator finds no image, address or
type, and sets the resource to Failed.

Example:

    kind: MCPServer
    metadata: {name: fetch}

Cure: write the spec, or remove the resource.

Source: the custom resource definitions and the controllers of the operator, v0.21.0.
""",
)
TYPELESS = Rule(
    id="REF013",
    name="reference-to-typeless-config",
    stage="operator",
    severity="error",
    title="A reference leads to a configuration without a type.",
    doc="""A reference leads to a configuration that has no `spec`, and so no type.

Flagged: `oidcConfigRef.name` and `externalAuthConfigRef.name` of an MCPServer or MCPRemoteProxy, and `oidcConfigRef`
of a VirtualMCPServer, whose MCPOIDCConfig or MCPExternalAuthConfig has no `spec`.

Why it bites: an MCPOIDCConfig without spec counts as valid by itself. The operator cannot make anything of it when it
builds the workload's configuration, and starts no pod.

Example: an `oidcConfigRef` to `{kind: MCPOIDCConfig, metadata: {name: shared}}`.

Cure: write the spec of the configuration.

Source: the controllers of MCPServer, MCPRemoteProxy and VirtualMCPServer in the operator, v0.21.0.
""",
)
RULES = (MISSING, TYPELESS)

REFERENCES = frozenset(
    {
        ("spec", "oidcConfigRef", "name"),
        ("spec", "externalAuthConfigRef", "name"),
        ("spec", "incomingAuth", "oidcConfigRef", "name"),
    }
)


@of_empty
def check_spec(resource: Resource, workspace: Workspace) -> Iterator[Finding]:
    """Report that there is no spec."""
    del workspace
    yield resource.finding(MISSING, (), f"{resource.kind} {resource.name} has no spec")


@reads("oidcConfigRef", "externalAuthConfigRef", "incomingAuth")
def check_references(resource: Resource, workspace: Workspace) -> Iterator[Finding]:
    """Report references to configurations that are there, but say nothing."""
    for reference in workspace.references(resource):
        config = reference.target
        if config is not None and not config.spec and reference.problem is None and reference.path in REFERENCES:
            message = f'{config.kind} "{config.name}" has no spec, and so no type'
            yield resource.finding(TYPELESS, reference.path, message, notes=(config.note("it is here"),))


CHECKS: dict[str, tuple[Check, ...]] = {
    "MCPServer": (check_spec, check_references),
    "MCPRemoteProxy": (check_spec, check_references),
    "MCPServerEntry": (check_spec,),
    "MCPExternalAuthConfig": (check_spec,),
    "MCPRegistry": (check_spec,),
    "VirtualMCPServer": (check_references,),
}
