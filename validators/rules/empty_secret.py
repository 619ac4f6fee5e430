"""Rules about references to Secrets with an empty name or key, which make Kubernetes refuse the pod."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...compiler.diagnostics.fault_to_finding import restaged
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ...compiler.models.embeddingserver import EmbeddingServerSpec
    from ...compiler.models.mcpexternalauthconfig import MCPExternalAuthConfigSpec
    from ...compiler.models.mcpremoteproxy import MCPRemoteProxySpec
    from ...compiler.models.mcpserver import MCPServerSpec
    from ...compiler.models.reference import SecretKeyRef
    from ...compiler.models.spec import ProxySpec
    from ...compiler.models.virtualmcpserver import VirtualMCPServerSpec
    from ..rule import Check, Finding, Path, Resource, Workspace

EMPTY = rule(
    "REF014 empty-secret-reference",
    "operator",
    "A pod refers to a key of a Secret, but the name of the Secret or of the key is empty",
    unmodelled="all",
)

HINT = "name the Secret and its key, or remove the reference"
EMBEDDED: Final = "embeddedAuthServer"


@reads("secrets")
def check_server(resource: Resource[MCPServerSpec], _: Workspace) -> Iterator[Finding]:
    """Report an empty name or key in the Secrets of an MCPServer: the runner cannot create the server's pod."""
    for i, ref in enumerate(resource.spec["secrets"]):
        for finding in _empty_fields(resource, ("spec", "secrets", i), ref):
            yield restaged(finding, "process")


@reads("headerForward")
def check_headers(resource: Resource[MCPRemoteProxySpec], _: Workspace) -> Iterator[Finding]:
    """Report an empty key in the Secrets of forwarded headers. Other rules report an empty name."""
    for i, header in enumerate(resource.spec["headerForward"].get("addHeadersFromSecret") or ()):
        path = ("spec", "headerForward", "addHeadersFromSecret", i, "valueSecretRef")
        yield from _empty_fields(resource, path, header["valueSecretRef"], ("key",))


@reads("hfTokenSecretRef")
def check_token(resource: Resource[EmbeddingServerSpec], _: Workspace) -> Iterator[Finding]:
    """Report an empty name or key in the Secret with the token of an embedding server."""
    yield from _empty_fields(resource, ("spec", "hfTokenSecretRef"), resource.spec["hfTokenSecretRef"])


@reads("authServerRef", "externalAuthConfigRef")
def check_proxy(resource: Resource[ProxySpec], workspace: Workspace) -> Iterator[Finding]:
    """Report an empty name or key in the Secrets of the authorization server that a proxy refers to."""
    from ...compiler.emit.authserver import reference_of_proxy, secrets

    path = reference_of_proxy(resource)
    config: Resource[MCPExternalAuthConfigSpec] | None = workspace.target(resource, *path)
    if config is not None and config.spec.get("type") == EMBEDDED:
        named = [(("spec", EMBEDDED, *at), ref) for at, ref in secrets(config.spec.get("embeddedAuthServer") or {})]
        yield from _shared(resource, path, config, named)


@reads("authServerConfig", "sessionStorage")
def check_virtual_server(resource: Resource[VirtualMCPServerSpec], _: Workspace) -> Iterator[Finding]:
    """Report an empty name or key in the Secrets that a virtual server itself names."""
    session = resource.spec.get("sessionStorage") or {}
    if session.get("provider") == "redis" and session.get("passwordRef"):
        yield from _empty_fields(resource, ("spec", "sessionStorage", "passwordRef"), session["passwordRef"])
    if server := resource.spec.get("authServerConfig"):
        from ...compiler.emit.authserver import secrets

        for at, ref in secrets(server):
            yield from _empty_fields(resource, ("spec", "authServerConfig", *at), ref)


@reads("outgoingAuth")
def check_outgoing(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report an empty name or key in the Secrets with which a virtual server authenticates to its backends."""
    from ...compiler.emit.vmcpauth import mounted_configs, secrets_of

    seen: set[tuple[Path, str]] = set()
    for path, config in mounted_configs(workspace, resource):
        kind = config.spec.get("type", "")
        refs: list[tuple[Path, SecretKeyRef]] = [(("spec", kind, field), ref) for field, _, ref in secrets_of(config)]
        if refs and (path, config.name) not in seen:
            seen.add((path, config.name))
            yield from _shared(resource, path, config, refs)


def _empty_fields(
    resource: Resource, path: Path, ref: SecretKeyRef, fields: Iterable[str] = ("name", "key")
) -> Iterator[Finding]:
    for field in fields:
        if ref.get(field) == "":
            of = path[-1] if isinstance(path[-1], str) else f"{path[-2]}[{path[-1]}]"
            yield resource.finding(EMPTY, (*path, field), f"{of} has an empty {field}", hint=HINT)


def _shared(
    resource: Resource, path: Path, config: Resource, named: Iterable[tuple[Path, SecretKeyRef]]
) -> Iterator[Finding]:
    empty = [(*at, field) for at, ref in named for field in ("name", "key") if ref.get(field) == ""]
    if empty:
        notes = tuple(config.note(f"the {place[-1]} is empty", place) for place in empty)
        message = f'{config.kind} "{config.name}" refers to a Secret with an empty {empty[0][-1]}'
        yield resource.finding(EMPTY, path, message, hint=HINT, notes=notes)


CHECKS: dict[str, tuple[Check, ...]] = {
    "MCPServer": (check_server, check_proxy),
    "MCPRemoteProxy": (check_headers, check_proxy),
    "EmbeddingServer": (check_token,),
    "VirtualMCPServer": (check_virtual_server, check_outgoing),
}
