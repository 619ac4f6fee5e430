"""Headers that a remote proxy adds to what it forwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..golang.json import compact
from ..golang.letter import upper
from ..toolhive.constants import HEADER_FORWARD_VARIABLE, SECRET_PREFIX
from .build import Object, omit_empty, secret_env, sorted_map
from .container import secrets_provider

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..models.mcpremoteproxy import MCPRemoteProxySpec
    from ..models.mcpserverentry import MCPServerEntrySpec
    from ..workspace.resource import Resource


def run_config(resource: Resource[MCPRemoteProxySpec]) -> Object | None:
    """Return RunConfig's ``header_forward``: plain values, and the identifiers of those from Secrets."""
    forward = resource.spec.get("headerForward")
    if forward is None:
        return None
    plain = forward.get("addPlaintextHeaders") or {}
    secrets = {
        header["headerName"]: identifier(header["headerName"], resource.name)
        for header in forward.get("addHeadersFromSecret") or ()
    }
    shaped = omit_empty({"add_plaintext_headers": sorted_map(plain), "add_headers_from_secret": sorted_map(secrets)})
    return shaped or None


def entries_environment(entries: Iterable[Resource[MCPServerEntrySpec]]) -> list[Object]:
    """Return the environment by which a virtual server adds the headers of its MCPServerEntries, by name.

    Each entry with headers has a variable with all of them, in which those from Secrets stand by their identifiers.
    """
    made: list[Object] = []
    for entry in entries:
        forward = entry.spec.get("headerForward") or {}
        plain = forward.get("addPlaintextHeaders")
        headers = forward.get("addHeadersFromSecret") or ()
        secrets = {header["headerName"]: identifier(header["headerName"], entry.name) for header in headers}
        manifest = omit_empty({"addPlaintextHeaders": sorted_map(plain), "addHeadersFromSecret": sorted_map(secrets)})
        if manifest:
            name = f"{entry.profile.spell(HEADER_FORWARD_VARIABLE)}_{_part(entry.name)}"
            made.append({"name": name, "value": compact(manifest)})
        made += _from_secrets(entry)
    return sorted(made, key=lambda variable: variable["name"].encode())


def identifier(header: str, resource: str) -> str:
    """Name a forwarded header's secret: both names in upper case, everything but letters and digits as ``_``."""
    return f"HEADER_FORWARD_{_part(header)}_{_part(resource)}"


def _part(name: str) -> str:
    return "".join(c if c.isascii() and c.isalnum() else "_" for c in upper(name))


def environment(resource: Resource[MCPRemoteProxySpec]) -> list[Object]:
    """Return the environment of headers from Secrets: the provider, then each header in the order of the spec."""
    entries = _from_secrets(resource)
    return [secrets_provider(resource), *entries] if entries else []


def _from_secrets(resource: Resource[MCPRemoteProxySpec | MCPServerEntrySpec]) -> list[Object]:
    prefix = resource.profile.spell(SECRET_PREFIX)
    return [
        secret_env(f"{prefix}{identifier(header['headerName'], resource.name)}", header["valueSecretRef"])
        for header in (resource.spec.get("headerForward") or {}).get("addHeadersFromSecret") or ()
    ]
