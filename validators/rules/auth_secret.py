"""External authentication that a proxy cannot use: its Secret is missing, or its type does not fit the workload."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcpcfg.compiler.finding import Rule
from mcpcfg.validators.rule import reads

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcpcfg.compiler.finding import Finding
    from mcpcfg.compiler.models.mcpexternalauthconfig import MCPExternalAuthConfigSpec
    from mcpcfg.compiler.reference import Reference
    from mcpcfg.compiler.resource import Resource
    from mcpcfg.compiler.source import Path
    from mcpcfg.compiler.workspace import Workspace
    from mcpcfg.validators.rule import Check

MISSING_SECRET = Rule(
    id="AUT006",
    name="missing-auth-secret",
    stage="operator",
    severity="error",
    title="The Secret of a workload's external authentication, or its key, does not exist.",
    doc="""The Secret of a bearer token or of a token exchange's client does not exist, or lacks the key.

Flagged: `externalAuthConfigRef.name` of an MCPServer or MCPRemoteProxy whose configuration of type `bearerToken` or
`tokenExchange` names a Secret that is not there, or a key that it does not have.

Why it bites: the configuration itself stays valid. The operator reads the Secret when it builds the workload's
configuration, fails, and starts no pod. For other types it does not look.

Example: `bearerToken: {tokenSecretRef: {name: github, key: tokn}}`, where Secret `github` has the key `token`.

Cure: correct name or key, or add the Secret in the workload's namespace. In an open world a Secret that no file
declares is taken to exist; one that is declared without any data may be filled at run time, and of several of that name
one that has the key is enough.

Source: the controllers of MCPServer and MCPRemoteProxy in the operator, v0.21.0.
""",
)
CLOUD_ON_CONTAINER = Rule(
    id="AUT007",
    name="cloud-credentials-on-container",
    stage="operator",
    severity="error",
    title="An MCPServer uses cloud credentials, which only remote servers can have.",
    doc="""An MCPServer refers to an external authentication of type `awsSts`.

Flagged: `externalAuthConfigRef.name` of an MCPServer whose configuration is of type `awsSts`.

Why it bites: requests are signed for the address of a remote server, and an MCPServer has none. The operator cannot
build the configuration, and starts no pod.

Example: an MCPServer with `externalAuthConfigRef: {name: cloud}`, where `cloud` is of type `awsSts`.

Cure: reach the cloud's server through an MCPRemoteProxy; give a container its credentials by `serviceAccount`.

Source: the controller of MCPServer in the operator, v0.21.0.
""",
)
RULES = (MISSING_SECRET, CLOUD_ON_CONTAINER)

SECRETS: dict[str, Path] = {
    "bearerToken": ("bearerToken", "tokenSecretRef"),
    "tokenExchange": ("tokenExchange", "clientSecretRef"),
}
"""Type to the reference that the operator looks up for a workload."""


@reads("externalAuthConfigRef")
def check(resource: Resource, workspace: Workspace) -> Iterator[Finding]:
    """Tell external authentication that the workload's configuration cannot be built with."""
    found: tuple[Reference, Resource[MCPExternalAuthConfigSpec]] | None = workspace.leading(
        resource, "spec", "externalAuthConfigRef", "name"
    )
    if found is None:
        return
    reference, config = found
    kind = config.spec.get("type")
    if kind == "awsSts" and resource.kind == "MCPServer":
        message = f'MCPExternalAuthConfig "{config.name}" is of type awsSts, which an MCPServer cannot use'
        hint = "use an MCPRemoteProxy, or give the container its credentials by serviceAccount"
        yield resource.finding(CLOUD_ON_CONTAINER, reference.path, message, hint=hint)
    if kind in SECRETS:
        problem = secret_problem(workspace, config, SECRETS[kind])
        if problem is not None:
            named = workspace.reference(config, "spec", *SECRETS[kind], "name")
            lacking = () if named is None else named.lacking_notes()
            notes = (config.note("the Secret is named here", ("spec", *SECRETS[kind])), *lacking)
            message = f'MCPExternalAuthConfig "{config.name}" cannot be used: {problem}'
            yield resource.finding(MISSING_SECRET, reference.path, message, notes=notes)


def secret_problem(workspace: Workspace, config: Resource, path: Path) -> str | None:
    """Say why the key of a Secret that ``config`` names at ``spec`` and ``path`` cannot be read; ``None``: it can.

    A name that is optional and not given is no problem.
    """
    ref: Any = config.spec
    for step in path:
        ref = ref.get(str(step)) or {}
    if not ref:
        return None
    if not ref.get("name"):
        return "it names no Secret"
    if not ref.get("key"):
        return f'it names no key of Secret "{ref["name"]}"'
    reference = workspace.reference(config, "spec", *path, "name")
    if reference is None or reference.problem is None:
        return None
    if reference.problem == "key-missing":
        return f'Secret "{reference.name}" has no key "{reference.key}"'
    return f'Secret "{reference.name}" does not exist in namespace "{config.printed_namespace}"'


CHECKS: dict[str, tuple[Check, ...]] = {"MCPServer": (check,), "MCPRemoteProxy": (check,)}
