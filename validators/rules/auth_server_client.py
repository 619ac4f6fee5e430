"""Rules about embedded authorization servers that the operator refuses because of their clients or trusted issuers.

A virtual server contains its authorization server, so faults are reported at the faulty value. A proxy refers to an
MCPExternalAuthConfig. Faults that do not depend on the proxy are reported in the MCPExternalAuthConfig. Other faults
are reported at the proxy's reference, with a note at the faulty value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.diagnostics.fault_to_finding import finding_of
from ...compiler.emit import oidc
from ...compiler.emit.vmcpauth import OIDC_REF
from ...compiler.toolhive.constants import DEFAULT_PORT, VMCP_PORT
from ..auth_server import AUTH_SERVER, EMBEDDED, EXTERNAL_AUTH
from ..rule import reads

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.diagnostics.fault import Fault
    from ...compiler.models.embeddedauth import EmbeddedAuthServerConfig
    from ...compiler.models.mcpexternalauthconfig import MCPExternalAuthConfigSpec
    from ...compiler.models.spec import ProxySpec
    from ...compiler.models.virtualmcpserver import VirtualMCPServerSpec
    from ...compiler.workspace.workspace import Resolved
    from ..rule import Check, Finding, Path, Resource, Workspace

OWN_SERVER: Path = ("spec", "authServerConfig")
SHARED_SERVER: Path = ("spec", EMBEDDED)
LATER_FIELDS = ("trustedIssuers", "delegateClients", "baselineClientScopes")
"""Fields of the authorization server whose values must match the OIDC settings of the workload."""


@reads(EMBEDDED)
def check_config(resource: Resource[MCPExternalAuthConfigSpec], _: Workspace) -> Iterator[Finding]:
    """Report faults of an authorization server's clients and issuers that do not depend on the workload."""
    from ...compiler.vmcp.auth_client import block_faults

    for fault in block_faults(resource.spec[EMBEDDED]):
        yield finding_of(resource, fault, (*SHARED_SERVER, *fault.path))


@reads("authServerConfig")
def check_virtual_server(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report faults of the clients and trusted issuers in a virtual server's ``authServerConfig``."""
    server = resource.spec.get("authServerConfig")
    if server is None:
        return
    from ...compiler.vmcp.auth_client import block_faults

    for fault in (*block_faults(server), *_use_faults(server, resource, workspace, OIDC_REF, VMCP_PORT)):
        is_forced = fault.path[0] == "forceConfidentialRedirectUris"  # the operator does not check this field
        yield finding_of(resource, fault, (*OWN_SERVER, *fault.path), stage="process" if is_forced else None)


@reads("authServerRef", "externalAuthConfigRef")
def check_proxy(resource: Resource[ProxySpec], workspace: Workspace) -> Iterator[Finding]:
    """Report faults of the referenced authorization server that depend on the OIDC settings of the proxy.

    The operator does not check whether it refused the target of ``authServerRef``, so it finds these faults as well.
    """
    path = AUTH_SERVER if "authServerRef" in resource.spec else EXTERNAL_AUTH
    resolved: Resolved[MCPExternalAuthConfigSpec] = workspace.resolved(resource, *path)
    if resolved is None or resolved[1].spec.get("type") != EMBEDDED:
        return
    if path != AUTH_SERVER and workspace.is_refused(resolved[1]):
        return
    reference, config = resolved
    port = resource.spec.get("proxyPort") or DEFAULT_PORT
    reported = workspace.verdicts.errors(config)
    for fault in _use_faults(config.spec[EMBEDDED], resource, workspace, ("spec", "oidcConfigRef"), port):
        place = (*SHARED_SERVER, *fault.path)
        if place not in reported:
            yield reference.finding_about_target(fault.rule, place, fault.message, hint=fault.hint)


def _use_faults(
    server: EmbeddedAuthServerConfig, resource: Resource, workspace: Workspace, ref: Path, port: int
) -> Iterator[Fault]:
    if not any(server.get(field) for field in LATER_FIELDS):
        return
    resolved = oidc.resolve(workspace, resource, ref, port)
    if resolved is None:
        return
    from ...compiler.vmcp.auth_client import use_faults

    is_known = resource.namespace is not None or resource.states(*ref, "resourceUrl")
    yield from use_faults(server, resolved.scopes, resolved.resource_url if is_known else None)


CHECKS: dict[str, tuple[Check, ...]] = {
    "MCPExternalAuthConfig": (check_config,),
    "VirtualMCPServer": (check_virtual_server,),
    "MCPServer": (check_proxy,),
    "MCPRemoteProxy": (check_proxy,),
}
