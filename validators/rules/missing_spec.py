"""Rules about resources without ``spec``, which the schema accepts, and references to such configurations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..rule import for_empty_spec, reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..rule import Check, Finding, Resource, Workspace

MISSING = rule("RES004 missing-spec", "operator", "A resource has no spec")
TYPELESS = rule(
    "REF013 reference-to-typeless-config", "operator", "A reference leads to a configuration without a type"
)

REFERENCES = frozenset(
    {
        ("spec", "oidcConfigRef", "name"),
        ("spec", "externalAuthConfigRef", "name"),
        ("spec", "incomingAuth", "oidcConfigRef", "name"),
    }
)


@for_empty_spec
def check_spec(resource: Resource, _: Workspace) -> Iterator[Finding]:
    """Report a resource without a spec."""
    yield resource.finding(MISSING, (), f"{resource.kind} {resource.name} has no spec", hint="write its spec")


@reads("oidcConfigRef", "externalAuthConfigRef", "incomingAuth")
def check_references(resource: Resource, workspace: Workspace) -> Iterator[Finding]:
    """Report references to configurations without ``spec``. Without it, the configuration has no type."""
    for reference in workspace.references(resource):
        config = reference.target
        if config is not None and not config.spec and reference.problem is None and reference.path in REFERENCES:
            message = f'{config.kind} "{config.name}" has no spec, and so no type'
            notes = (config.note("it is here"),)
            yield resource.finding(TYPELESS, reference.path, message, hint="write its spec", notes=notes)


CHECKS: dict[str, tuple[Check, ...]] = {
    "MCPServer": (check_spec, check_references),
    "MCPRemoteProxy": (check_spec, check_references),
    "MCPServerEntry": (check_spec,),
    "MCPExternalAuthConfig": (check_spec,),
    "MCPRegistry": (check_spec,),
    "VirtualMCPServer": (check_references,),
}
