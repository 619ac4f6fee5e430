"""Rules about references of a VirtualMCPServer to existing resources that it cannot use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.emit import vmcpauth, vmcpbackend
from ...compiler.workspace.workspace import UNREADABLE
from ..membership import are_members_known
from ..rule import rule
from ..secret_problem import secret_problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.diagnostics.finding import Note
    from ...compiler.models.mcpexternalauthconfig import MCPExternalAuthConfigSpec
    from ...compiler.models.mcpoidcconfig import MCPOIDCConfigSpec
    from ...compiler.models.spec import MemberSpec
    from ...compiler.models.virtualmcpserver import VirtualMCPServerSpec
    from ..rule import Check, Finding, Path, Resource, Workspace

FIRST = "fix the findings of that resource first"

REFUSED = rule(
    "VMC010 reference-to-refused-resource", "operator", "A VirtualMCPServer uses a resource that the operator refuses"
)
CLIENT_SECRET = rule(
    "VMC011 oidc-client-secret-missing",
    "operator",
    "The client secret of the OIDC provider does not exist",
    unmodelled="all",
)
CA_BUNDLE = rule("VMC012 oidc-ca-bundle-unusable", "operator", "The CA bundle of the OIDC provider cannot be mounted")
UNSUPPORTED_AUTH = rule(
    "VMC013 unsupported-backend-auth", "operator", "Backend authentication has a type that a virtual server cannot use"
)
UNUSABLE_MEMBER_AUTH = rule(
    "VMC014 unusable-member-auth",
    "operator",
    "A member of the group has authentication that the virtual server cannot use",
    severity="warning",
)
NO_BACKEND = rule(
    "VMC015 inline-without-backends",
    "operator",
    "Backends are to be listed inline, but no member of the group is usable",
)

OIDC: Path = ("spec", "incomingAuth", "oidcConfigRef", "name")
CLIENT_SECRET_REF: Path = ("inline", "clientSecretRef")
GROUP: Path = ("spec", "groupRef", "name")
NEEDED: tuple[Path, ...] = (
    OIDC,
    ("spec", "incomingAuth", "authzConfigRef", "name"),
    ("spec", "telemetryConfigRef", "name"),
    ("spec", "embeddingServerRef", "name"),
)
LONGEST_CA_NAME = 48
"""Maximum characters of a CA bundle's name, because a volume name of 63 characters has a prefix of 15."""
STARTED_ANYWAY = "POD001"
"""A rule whose fault does not stop an EmbeddingServer: the operator starts it without the invalid pod template."""


def check(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report references to existing resources that the virtual server cannot use."""
    for path in NEEDED:
        target = workspace.target(resource, *path) if path[1] in resource.spec else None
        if target is not None and workspace.verdicts.refusal(target) not in (None, STARTED_ANYWAY):
            yield _refused(resource, workspace, path)
    for i, _ in enumerate((resource.spec.get("config") or {}).get("compositeToolRefs") or ()):
        path = ("spec", "config", "compositeToolRefs", i, "name")
        definition = workspace.target(resource, *path)
        if definition is not None and workspace.verdicts.refusal(definition) in UNREADABLE:
            yield _refused(resource, workspace, path)
    yield from _oidc(resource, workspace)
    yield from _outgoing(resource, workspace)
    group = workspace.target(resource, *GROUP)
    if group is not None:
        members = workspace.members(group, resource)
        yield from _member_auth(resource, workspace, members)
        yield from _no_backend(resource, workspace, members)


def _refused(resource: Resource, workspace: Workspace, path: Path) -> Finding:
    target = workspace.target(resource, *path)
    assert target is not None
    notes = (target.note(f"{target.kind} refused by {workspace.verdicts.refusal(target)}"),)
    return resource.finding(REFUSED, path, f'{target.kind} "{target.name}" is refused itself', hint=FIRST, notes=notes)


def _oidc(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    if not (resource.spec.get("incomingAuth") or {}).get("oidcConfigRef"):
        return
    config: Resource[MCPOIDCConfigSpec] | None = workspace.target(resource, *OIDC)
    if config is None or workspace.is_refused(config):
        return
    problem = secret_problem(workspace, config, CLIENT_SECRET_REF)
    if problem is not None:
        notes = (config.note("the client secret is named here", ("spec", *CLIENT_SECRET_REF)),)
        message = f'the client secret of MCPOIDCConfig "{config.name}" cannot be read: {problem}'
        hint = "create the Secret with that key, or correct the MCPOIDCConfig"
        yield resource.finding(CLIENT_SECRET, OIDC, message, hint=hint, notes=notes)
    bundle = (config.spec.get("inline") or {}).get("caBundleRef")
    if bundle is None:
        return
    name = (bundle.get("configMapRef") or {}).get("name") or ""
    if not name or len(name) > LONGEST_CA_NAME:
        notes = (config.note("the CA bundle is named here", ("spec", "inline", "caBundleRef")),)
        why = (
            f"has a name of {len(name)} characters, at most {LONGEST_CA_NAME} can be mounted" if name else "has no name"
        )
        message = f'the CA bundle of MCPOIDCConfig "{config.name}" {why}'
        hint = "rename the ConfigMap" if name else "name the ConfigMap in its configMapRef"
        yield resource.finding(CA_BUNDLE, OIDC, message, hint=hint, notes=notes)


def _outgoing(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    for path, config in vmcpauth.named_configs(workspace, resource):
        problem = vmcpauth.unusable(workspace, resource, config)
        if problem is None:
            continue
        notes = (config.note("it is here", ("spec", "type")),)
        message = f'a virtual server cannot use MCPExternalAuthConfig "{config.name}": it {problem.clause}'
        finding = resource.finding(UNSUPPORTED_AUTH, path, message, hint=problem.hint, notes=notes)
        is_default = path[:3] == ("spec", "outgoingAuth", "default")
        is_ambiguous = problem.reason == vmcpauth.AMBIGUOUS and (is_default or not vmcpauth.is_inline(resource))
        if is_ambiguous or not vmcpauth.is_convertible(config):
            yield finding
        else:
            yield finding._replace(severity="warning")


def _member_auth(
    resource: Resource[VirtualMCPServerSpec], workspace: Workspace, members: list[Resource[MemberSpec]]
) -> Iterator[Finding]:
    for member in members:
        reference = workspace.reference(member, "spec", "externalAuthConfigRef", "name")
        problem = vmcpauth.unusable_member(workspace, resource, member)
        if reference is None or problem is None:
            continue
        if reference.problem == "missing" and not (workspace.context.complete or workspace.context.closed):
            continue  # it may be in a file that was not named
        notes = (member.note(f"{member.kind} refers to it here", reference.path),)
        message = (
            f'the authentication of group member "{member.name}" cannot be used: '
            f'MCPExternalAuthConfig "{reference.name}" {problem.clause}'
        )
        yield resource.finding(UNUSABLE_MEMBER_AUTH, GROUP, message, hint=problem.hint, notes=notes)


def _no_backend(
    resource: Resource[VirtualMCPServerSpec], workspace: Workspace, members: list[Resource[MemberSpec]]
) -> Iterator[Finding]:
    if not vmcpauth.is_inline(resource) or not are_members_known(workspace):
        return
    strategies = vmcpauth.outgoing(workspace, resource, members).get("backends") or {}
    backend_members = vmcpbackend.backend_members(workspace, members, strategies)
    if backend_members or any(_may_be_backend(workspace, member) for member in members):
        return
    name = resource.spec["groupRef"]["name"]
    # At most three, so that the report stays readable.
    notes: tuple[Note, ...] = tuple(member.note(f"{member.kind} cannot be used") for member in members[:3])
    which = f'none of the {len(members)} members of group "{name}" can' if members else f'group "{name}" has no member'
    message = f"{which} be a backend" if members else f"{which} that could be a backend"
    yield resource.finding(NO_BACKEND, GROUP, message, hint="source inline needs one backend at least", notes=notes)


def _may_be_backend(workspace: Workspace, member: Resource) -> bool:
    """Return whether a member may be a backend because its authentication is unknown."""
    auth = workspace.reference(member, "spec", "externalAuthConfigRef", "name")
    if auth is None or workspace.is_refused(member):
        return False
    config: Resource[MCPExternalAuthConfigSpec] | None = workspace.target(member, *auth.path)
    return auth.is_unknown or (config is not None and is_placeholder(config.spec.get("type", "")))


CHECKS: dict[str, tuple[Check, ...]] = {"VirtualMCPServer": (check,)}
