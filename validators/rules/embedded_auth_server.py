"""Embedded authorization servers that the started process refuses: of virtual servers, and those that proxies refer to.

A VirtualMCPServer holds the server's block itself, and faults are told there. An MCPServer or MCPRemoteProxy refers to
an MCPExternalAuthConfig, which the operator accepts: the fault is told at the reference, with a note to its place. A
configuration that nothing refers to gets a lint instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcpcfg.compiler.plain import value_at
from mcpcfg.compiler.reading.placeholder import is_placeholder
from mcpcfg.validators.rule import reads
from mcpcfg.validators.told import has_placeholder, restaged, stated, tell

from .auth_server_reference import AUTH_SERVER, EMBEDDED, EXTERNAL_AUTH
from .embedded_auth_server_page import (
    AT_REST,
    BLOCK,
    LIFESPAN,
    NAME,
    REDIRECT,
    RESOURCE_URL,
    RULES,
    SHORT_SECRET,
    UPSTREAM_URL,
    URL,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcpcfg.compiler.finding import Finding, Note, Stage
    from mcpcfg.compiler.models.embeddedauth import EmbeddedAuthServerConfig
    from mcpcfg.compiler.models.mcpexternalauthconfig import MCPExternalAuthConfigSpec
    from mcpcfg.compiler.models.spec import ProxySpec
    from mcpcfg.compiler.models.virtualmcpserver import VirtualMCPServerSpec
    from mcpcfg.compiler.reference import Reference
    from mcpcfg.compiler.resource import Resource
    from mcpcfg.compiler.source import Path
    from mcpcfg.compiler.workspace import Workspace
    from mcpcfg.validators.rule import Check

__all__ = ["CHECKS", "OF_FAULT", "RULES"]

OF_FAULT = {
    "server-url": URL,
    "upstream-name": NAME,
    "upstream-block": BLOCK,
    "upstream-redirect": REDIRECT,
    "upstream-url": UPSTREAM_URL,
    "upstream-host": UPSTREAM_URL,
    "token-lifespan": LIFESPAN,
}
OF_STAGE: dict[str, Stage] = {"upstream-host": "lint"}
"""Who finds out, where it is not whom the rule names."""
OWN_SERVER: Path = ("spec", "authServerConfig")
SHARED_SERVER: Path = ("spec", EMBEDDED)


@reads("authServerConfig")
def check(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Tell what the process of a virtual server refuses in its authorization server."""
    server = resource.spec.get("authServerConfig")
    if server is None or workspace.is_refused(resource):
        return
    from mcpcfg.compiler.vmcp.auth_server import start_faults

    for fault in start_faults(server):
        if not has_placeholder(value_at(server, fault.path)):
            path, stage = (*OWN_SERVER, *fault.path), OF_STAGE.get(fault.code)
            yield tell(resource, OF_FAULT[fault.code], path, fault, stage=stage)
    for path, message, notes in short_secrets(resource, OWN_SERVER, workspace):
        yield resource.finding(SHORT_SECRET, path, message, notes=notes)
    yield from _resource_url(resource, ("spec", "incomingAuth", "oidcConfigRef", "resourceUrl"))


@reads("authServerRef", "externalAuthConfigRef")
def check_proxy(resource: Resource[ProxySpec], workspace: Workspace) -> Iterator[Finding]:
    """Tell what the process of a proxy refuses in the authorization server that it refers to."""
    path = AUTH_SERVER if "authServerRef" in resource.spec else EXTERNAL_AUTH
    found: tuple[Reference, Resource[MCPExternalAuthConfigSpec]] | None = workspace.leading(resource, *path)
    if found is None or found[1].spec.get("type") != EMBEDDED:
        return
    from mcpcfg.compiler.vmcp.auth_server import start_faults

    reference, config = found
    server = config.spec[EMBEDDED]
    for fault in start_faults(server):
        if fault.code != "upstream-name" and not has_placeholder(value_at(server, fault.path)):
            place = stated(config, (*SHARED_SERVER, *fault.path))
            text = f'MCPExternalAuthConfig "{config.name}": {fault.message}'
            notes = (config.note("it is here", place),)
            finding = resource.finding(OF_FAULT[fault.code], reference.path, text, hint=fault.hint, notes=notes)
            yield restaged(finding, OF_STAGE.get(fault.code, finding.stage))
    yield from _short_secrets_of(reference, config, workspace)
    yield from _resource_url(resource, ("spec", "oidcConfigRef", "resourceUrl"))


@reads(EMBEDDED)
def check_at_rest(resource: Resource[MCPExternalAuthConfigSpec], workspace: Workspace) -> Iterator[Finding]:
    """Tell what no workload could start with, where none tries among the files."""
    if workspace.is_referred(resource):
        return
    from mcpcfg.compiler.vmcp.auth_server import start_faults, storage_faults

    server = resource.spec[EMBEDDED]
    for fault in (*storage_faults(server), *start_faults(server)):
        # The operator itself refuses the blocks of an upstream; its name depends on who uses it.
        if fault.code not in ("upstream-block", "upstream-name") and not has_placeholder(value_at(server, fault.path)):
            yield tell(resource, AT_REST, (*SHARED_SERVER, *fault.path), fault)
    for path, message, notes in short_secrets(resource, SHARED_SERVER, workspace):
        yield resource.finding(AT_REST, path, message, notes=notes)


def _resource_url(resource: Resource, path: Path) -> Iterator[Finding]:
    from mcpcfg.compiler.endpoint import audience_fault

    url = value_at(resource.data, path)
    if url and not is_placeholder(url) and (fault := audience_fault(url)):
        yield resource.finding(RESOURCE_URL, path, f'resourceUrl "{url}" {fault}, so no token can be issued for it')


def _short_secrets_of(reference: Reference, config: Resource, workspace: Workspace) -> Iterator[Finding]:
    for path, message, places in short_secrets(config, SHARED_SERVER, workspace):
        text = f'MCPExternalAuthConfig "{config.name}": {message}'
        notes = (config.note("it is referred to here", path), *places)
        yield reference.source.finding(SHORT_SECRET, reference.path, text, notes=notes)


def short_secrets(config: Resource, at: Path, workspace: Workspace) -> Iterator[tuple[Path, str, tuple[Note, ...]]]:
    """Give each declared HMAC secret that is too short: its reference's place, a clause, and where the value is.

    Args:
        config: The resource that configures the server.
        at: Where in it the server's block is.
        workspace: Knows the Secrets.
    """
    from mcpcfg.compiler.vmcp.auth_server import SHORTEST_SECRET

    server: EmbeddedAuthServerConfig | None = value_at(config.data, at)
    for i in range(len((server or {}).get("hmacSecretRefs") or ())):
        path: Path = (*at, "hmacSecretRefs", i)
        reference = workspace.reference(config, *path, "name")
        if reference is None or reference.target is None or reference.problem is not None or not reference.key:
            continue
        found = secret_value(reference.target, reference.key)
        if found is not None and len(found[0].strip()) < SHORTEST_SECRET:
            message = f'key "{reference.key}" of Secret "{reference.name}" holds fewer than {SHORTEST_SECRET} bytes'
            yield path, message, (reference.target.note("the value is here", found[1]),)


def secret_value(secret: Resource, key: str) -> tuple[bytes, Path] | None:
    """Give the value of a declared Secret's key and its place; ``None`` where it is not known or cannot be decoded."""
    plain = secret.entries("stringData").get(key)
    if isinstance(plain, str):
        return None if is_placeholder(plain) else (plain.encode("utf-8", "replace"), ("stringData", key))
    coded = secret.entries("data").get(key)
    if not isinstance(coded, str) or is_placeholder(coded):
        return None
    import binascii

    try:
        return binascii.a2b_base64(coded), ("data", key)
    except ValueError:
        return None


CHECKS: dict[str, tuple[Check, ...]] = {
    "VirtualMCPServer": (check,),
    "MCPServer": (check_proxy,),
    "MCPRemoteProxy": (check_proxy,),
    "MCPExternalAuthConfig": (check_at_rest,),
}
