"""Rules about external authentication that a proxy cannot use: a missing Secret, or an unsuitable type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..rule import reads, rule
from ..secret_problem import secret_problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.models.mcpexternalauthconfig import MCPExternalAuthConfigSpec
    from ...compiler.workspace.workspace import Resolved
    from ..rule import Check, Finding, Path, Resource, Workspace

MISSING_SECRET = rule(
    "AUT006 missing-auth-secret",
    "operator",
    "The Secret of a workload's external authentication, or its key, does not exist",
    unmodelled="all",
)
CLOUD_ON_CONTAINER = rule(
    "AUT007 cloud-credentials-on-container",
    "operator",
    "An MCPServer uses cloud credentials, which only remote servers can have",
)

SECRETS: dict[str, Path] = {
    "bearerToken": ("bearerToken", "tokenSecretRef"),
    "tokenExchange": ("tokenExchange", "clientSecretRef"),
}
"""Path of the Secret reference that the operator looks up for a workload, by type of external authentication."""


@reads("externalAuthConfigRef")
def check(resource: Resource, workspace: Workspace) -> Iterator[Finding]:
    """Report a reference to an MCPExternalAuthConfig that keeps the operator from building a RunConfig."""
    resolved: Resolved[MCPExternalAuthConfigSpec] = workspace.resolved(
        resource, "spec", "externalAuthConfigRef", "name"
    )
    if resolved is None:
        return
    reference, config = resolved
    kind = config.spec.get("type")
    if kind == "awsSts" and resource.kind == "MCPServer":
        sts = resource.profile.spell("awsSts")
        message = f'MCPExternalAuthConfig "{config.name}" is of type {sts}, which an MCPServer cannot use'
        hint = "use an MCPRemoteProxy, or give the container its credentials through serviceAccount"
        yield resource.finding(CLOUD_ON_CONTAINER, reference.path, message, hint=hint)
    if kind in SECRETS:
        problem = secret_problem(workspace, config, SECRETS[kind])
        if problem is not None:
            named = workspace.reference(config, "spec", *SECRETS[kind], "name")
            lacking = () if named is None else named.notes_without_key()
            notes = (config.note("the Secret is named here", ("spec", *SECRETS[kind])), *lacking)
            message = f'MCPExternalAuthConfig "{config.name}" cannot be used: {problem}'
            hint = "correct the reference, or declare the Secret with its key"
            yield resource.finding(MISSING_SECRET, reference.path, message, hint=hint, notes=notes)


CHECKS: dict[str, tuple[Check, ...]] = {"MCPServer": (check,), "MCPRemoteProxy": (check,)}
