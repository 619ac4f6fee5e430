"""Rules about embedded authorization servers that keep a process from starting.

A VirtualMCPServer contains the configuration of its server, and faults are reported there. An MCPServer or
MCPRemoteProxy refers to an MCPExternalAuthConfig, which the operator accepts, so faults are reported at the reference,
with a note at the faulty value. A configuration without referrers gets a lint instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from ...compiler.diagnostics.fault_to_finding import finding_of, restaged, stated
from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.diagnostics.plain import value_at
from ...compiler.diagnostics.version import RECORDED
from ...compiler.toolhive.release import UNTRIMMED_SECRETS_SINCE
from ...compiler.workspace.reference import declared_value
from ..auth_server import AUTH_SERVER, EMBEDDED, EXTERNAL_AUTH
from ..placeholder import has_placeholder
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.diagnostics.fault import Fault
    from ...compiler.diagnostics.finding import Note
    from ...compiler.models.embeddedauth import EmbeddedAuthServerConfig
    from ...compiler.models.mcpexternalauthconfig import MCPExternalAuthConfigSpec
    from ...compiler.models.spec import ProxySpec
    from ...compiler.models.virtualmcpserver import VirtualMCPServerSpec
    from ...compiler.workspace.reference import Reference
    from ...compiler.workspace.workspace import Resolved
    from ..rule import Check, Finding, Path, Resource, Workspace

SHORT_SECRET = rule(
    "EAS007 short-server-secret",
    "process",
    "An HMAC or client secret of an embedded authorization server is shorter than 32 bytes",
    verified=RECORDED,
)
RESOURCE_URL = rule(
    "EAS008 resource-url-refused",
    "process",
    "The resource URL of a workload with an embedded authorization server is not valid",
    verified=RECORDED,
)
AT_REST = rule("EAS010 unusable-auth-server", "lint", "No workload could start with this embedded authorization server")
GENERATE = "generate one: openssl rand -base64 48"

OWN_SERVER: Path = ("spec", "authServerConfig")
SHARED_SERVER: Path = ("spec", EMBEDDED)


@reads("authServerConfig")
def check(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report faults in a virtual server's ``authServerConfig`` that keep its process from starting."""
    server = resource.spec.get("authServerConfig")
    if server is None or workspace.is_refused(resource):
        return
    from ...compiler.emit.vmcpauth import OIDC_REF
    from ...compiler.toolhive.constants import VMCP_PORT
    from ...compiler.vmcp.auth_server import start_faults

    resource_url = _resource_url_of(resource, workspace, OIDC_REF, VMCP_PORT)
    for fault in start_faults(server, resource.release, resource_url):
        if _is_sure(fault, server):
            yield finding_of(resource, fault, (*OWN_SERVER, *fault.path), stage=fault.stage)
    for path, message, notes in short_secrets(resource, OWN_SERVER, workspace):
        yield resource.finding(SHORT_SECRET, path, message, hint=GENERATE, notes=notes)
    yield from _resource_url(resource, ("spec", "incomingAuth", "oidcConfigRef", "resourceUrl"))


@reads("authServerRef", "externalAuthConfigRef")
def check_proxy(resource: Resource[ProxySpec], workspace: Workspace) -> Iterator[Finding]:
    """Report faults of the referenced authorization server that keep the process of a proxy from starting."""
    path = AUTH_SERVER if "authServerRef" in resource.spec else EXTERNAL_AUTH
    resolved: Resolved[MCPExternalAuthConfigSpec] = workspace.resolved(resource, *path)
    if resolved is None or resolved[1].spec.get("type") != EMBEDDED:
        return
    from ...compiler.toolhive.constants import DEFAULT_PORT
    from ...compiler.vmcp.auth_server import NAME, start_faults

    reference, config = resolved
    server = config.spec[EMBEDDED]
    port = resource.spec.get("proxyPort") or DEFAULT_PORT
    resource_url = _resource_url_of(resource, workspace, ("spec", "oidcConfigRef"), port)
    for fault in start_faults(server, resource.release, resource_url):
        if fault.rule is not NAME and _is_sure(fault, server):
            place = stated(config, (*SHARED_SERVER, *fault.path))
            finding = reference.finding_about_target(fault.rule, place, fault.message, hint=fault.hint)
            yield restaged(finding, fault.stage or finding.stage)
    yield from _short_secrets_of(reference, config, workspace)
    yield from _resource_url(resource, ("spec", "oidcConfigRef", "resourceUrl"))


@reads(EMBEDDED)
def check_at_rest(resource: Resource[MCPExternalAuthConfigSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report faults of an authorization server without referrers if they would stop every workload that uses it."""
    if workspace.is_referred(resource):
        return
    from ...compiler.vmcp.auth_server import BLOCK, CALLBACK, NAME, start_faults, storage_faults

    server = resource.spec[EMBEDDED]
    for fault in (*storage_faults(server), *start_faults(server, resource.release)):
        # The operator refuses wrong blocks of an upstream provider. Whether it needs a name depends on the workload.
        if fault.rule not in (BLOCK, NAME) and _is_sure(fault, server):
            rule = CALLBACK if fault.rule is CALLBACK else AT_REST
            yield finding_of(resource, fault._replace(rule=rule), (*SHARED_SERVER, *fault.path))
    for path, message, notes in short_secrets(resource, SHARED_SERVER, workspace):
        yield resource.finding(AT_REST, path, message, hint=GENERATE, notes=notes)


def _is_sure(fault: Fault, server: EmbeddedAuthServerConfig) -> bool:
    from ...compiler.vmcp.auth_server import CALLBACK

    return fault.rule is CALLBACK or not has_placeholder(value_at(server, fault.path))


def _resource_url_of(resource: Resource, workspace: Workspace, ref: Path, port: int) -> str:
    from ...compiler.emit import oidc

    resolved = oidc.resolve(workspace, resource, ref, port)
    return resolved.resource_url if resolved is not None else ""


def _resource_url(resource: Resource, path: Path) -> Iterator[Finding]:
    from ...compiler.toolhive.endpoint import audience_fault

    url = value_at(resource.data, path)
    if url and not is_placeholder(url) and (fault := audience_fault(url)):
        message = f'resourceUrl "{url}" {fault}, so no token can be issued for it'
        yield resource.finding(RESOURCE_URL, path, message, hint="write the address that clients use, https://…")


def _short_secrets_of(reference: Reference, config: Resource, workspace: Workspace) -> Iterator[Finding]:
    for path, message, places in short_secrets(config, SHARED_SERVER, workspace):
        note = "it is referred to here"
        yield reference.finding_about_target(SHORT_SECRET, path, message, hint=GENERATE, note=note, more=places)


def short_secrets(config: Resource, at: Path, workspace: Workspace) -> Iterator[tuple[Path, str, tuple[Note, ...]]]:
    """Yield the path of the reference, a message and the notes for each declared secret that is too short.

    The notes show the secret's value.

    Args:
        at: The path of the authorization server in ``config``.
    """
    from ...compiler.vmcp.auth_server import SHORTEST_SECRET

    server: EmbeddedAuthServerConfig = value_at(config.data, at) or cast("EmbeddedAuthServerConfig", {})
    keys: list[Path] = [("hmacSecretRefs", i) for i in range(len(server.get("hmacSecretRefs") or ()))]
    clients = range(len(server.get("delegateClients") or ()))
    for place in (*keys, *(("delegateClients", i, "clientSecretRef") for i in clients)):
        path: Path = (*at, *place)
        reference = workspace.reference(config, *path, "name")
        value = declared_value(reference)
        if reference is None or reference.target is None or value is None:
            continue
        is_trimmed = place in keys and config.is_judged(until=UNTRIMMED_SECRETS_SINCE)
        if len(value[0].strip() if is_trimmed else value[0]) < SHORTEST_SECRET:
            message = f'key "{reference.key}" of Secret "{reference.name}" holds fewer than {SHORTEST_SECRET} bytes'
            yield path, message, (reference.target.note("the value is here", value[1]),)


CHECKS: dict[str, tuple[Check, ...]] = {
    "VirtualMCPServer": (check,),
    "MCPServer": (check_proxy,),
    "MCPRemoteProxy": (check_proxy,),
    "MCPExternalAuthConfig": (check_at_rest,),
}
