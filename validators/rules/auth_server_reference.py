"""Rules about embedded authorization servers that a proxy cannot use: wrong type, too many, or no OIDC provider."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.diagnostics.fault_to_finding import stated
from ...compiler.diagnostics.placeholder import is_placeholder
from ..auth_server import AUTH_SERVER, EMBEDDED, EXTERNAL_AUTH
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.models.mcpexternalauthconfig import MCPExternalAuthConfigSpec
    from ...compiler.models.spec import ProxySpec
    from ...compiler.workspace.reference import Reference
    from ...compiler.workspace.workspace import Resolved
    from ..rule import Check, Finding, Path, Resource, Workspace

WRONG_TYPE = rule(
    "AUT001 wrong-auth-server-type",
    "operator",
    "authServerRef leads to a configuration that is not an embedded authorization server",
)
SEVERAL_UPSTREAMS = rule(
    "AUT002 several-upstreams",
    "operator",
    "An embedded authorization server of a proxy has more than one upstream provider",
)
TWO_SERVERS = rule(
    "AUT003 two-auth-servers",
    "operator",
    "authServerRef and externalAuthConfigRef both lead to an embedded authorization server",
)
WITHOUT_OIDC = rule(
    "AUT004 auth-server-needs-oidc", "operator", "An embedded authorization server is used without oidcConfigRef"
)
CONTRADICTION = rule(
    "AUT059 token-for-server-without",
    "operator",
    "A proxy gets credentials for a server that must not get any",
    since="0.30.0",
)
ADDING = ("tokenExchange", "awsSts")
"""Types of external authentication that add credentials to forwarded requests."""

UPSTREAMS: Path = ("spec", EMBEDDED, "upstreamProviders")


@reads("authServerRef", "externalAuthConfigRef")
def check(resource: Resource[ProxySpec], workspace: Workspace) -> Iterator[Finding]:
    """Report references to embedded authorization servers that the proxy cannot use, or that contradict each other."""
    auth: Resolved[MCPExternalAuthConfigSpec] = (
        workspace.resolved(resource, *AUTH_SERVER) if "authServerRef" in resource.spec else None
    )
    external: Resolved[MCPExternalAuthConfigSpec] = (
        workspace.resolved(resource, *EXTERNAL_AUTH) if "externalAuthConfigRef" in resource.spec else None
    )
    if auth is not None and not _is_embedded(auth[1]):
        if not is_placeholder(auth[1].spec.get("type", "")):
            yield _wrong_type(*auth)
        auth = None
    embedded = [resolved for resolved in (auth, external) if resolved is not None and _is_embedded(resolved[1])]
    for reference, config in embedded:
        yield from _upstreams(reference, config)
        yield from _storage(reference, config)
    if len(embedded) == 2:
        yield _two_servers(*embedded[1])
    if auth is not None and external is not None:
        yield from _contradiction(auth[1], *external)
    if embedded and "oidcConfigRef" not in resource.spec:
        reference, config = embedded[0]
        message = f'MCPExternalAuthConfig "{config.name}" is an authorization server, which needs an oidcConfigRef'
        yield resource.finding(WITHOUT_OIDC, reference.path, message, hint="add oidcConfigRef with its issuer")


def _is_embedded(config: Resource[MCPExternalAuthConfigSpec]) -> bool:
    return config.spec.get("type") == EMBEDDED


def _wrong_type(reference: Reference, config: Resource[MCPExternalAuthConfigSpec]) -> Finding:
    kind = config.spec.get("type")
    return reference.source.finding(
        WRONG_TYPE,
        reference.path,
        f'MCPExternalAuthConfig "{config.name}" is of type {kind}, not {EMBEDDED}',
        hint="configure authentication to the server behind the proxy in externalAuthConfigRef",
        notes=(config.note("its type is stated here", ("spec", "type")),),
    )


def _upstreams(reference: Reference, config: Resource[MCPExternalAuthConfigSpec]) -> Iterator[Finding]:
    upstreams = config.spec[EMBEDDED].get("upstreamProviders") or ()
    if len(upstreams) > 1:
        names = ", ".join(f'"{upstream.get("name")}"' for upstream in upstreams)
        yield reference.source.finding(
            SEVERAL_UPSTREAMS,
            reference.path,
            f'MCPExternalAuthConfig "{config.name}" has {len(upstreams)} upstream providers ({names}), '
            f"{reference.source.kind} takes one",
            hint="keep one, or use a VirtualMCPServer",
            notes=(config.note("the second one is here", (*UPSTREAMS, 1)),),
        )


def _storage(reference: Reference, config: Resource[MCPExternalAuthConfigSpec]) -> Iterator[Finding]:
    from ...compiler.vmcp.auth_server import storage_faults

    for fault in storage_faults(config.spec[EMBEDDED]):
        place, note = stated(config, ("spec", EMBEDDED, *fault.path)), "its storage is configured here"
        yield reference.finding_about_target(fault.rule, place, fault.message, hint=fault.hint, note=note)


def _contradiction(
    server: Resource[MCPExternalAuthConfigSpec], reference: Reference, config: Resource[MCPExternalAuthConfigSpec]
) -> Iterator[Finding]:
    kind = config.spec.get("type", "")
    if kind in ADDING and server.spec[EMBEDDED].get("disableUpstreamTokenInjection") is True:
        yield reference.source.finding(
            CONTRADICTION,
            reference.path,
            f'MCPExternalAuthConfig "{config.name}" of type {kind} adds credentials, but the server must not get any',
            hint="remove externalAuthConfigRef, or disableUpstreamTokenInjection",
            notes=(server.note("it is stated here", ("spec", EMBEDDED, "disableUpstreamTokenInjection")),),
        )


def _two_servers(reference: Reference, config: Resource) -> Finding:
    resource = reference.source
    return resource.finding(
        TWO_SERVERS,
        reference.path,
        f'MCPExternalAuthConfig "{config.name}" is an authorization server, but authServerRef already names one',
        hint="remove externalAuthConfigRef, or refer to a configuration that authenticates to the server",
        notes=(resource.note("authServerRef is here", AUTH_SERVER),),
    )


CHECKS: dict[str, tuple[Check, ...]] = {"MCPServer": (check,), "MCPRemoteProxy": (check,)}
