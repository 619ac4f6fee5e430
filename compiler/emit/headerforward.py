"""Headers that a remote proxy adds to forwarded requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..golang.json import compact
from ..golang.letter import upper
from ..golang.value import SortedMap
from ..toolhive.constants import HEADER_FORWARD_VARIABLE, SECRET_PREFIX
from .build import Object, secret_env
from .container import secrets_provider

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..models.mcpremoteproxy import MCPRemoteProxySpec
    from ..models.mcpserverentry import MCPServerEntrySpec
    from ..workspace.resource import Resource


def run_config(resource: Resource[MCPRemoteProxySpec]) -> Object | None:
    """Return ``header_forward`` of a RunConfig, or ``None`` without headers.

    Plain headers are listed with their values, and headers from Secrets with the identifiers of their secrets.
    """
    forward = resource.spec.get("headerForward")
    if forward is None:
        return None
    plain = forward.get("addPlaintextHeaders") or {}
    secrets = {
        header["headerName"]: identifier(header["headerName"], resource.name)
        for header in forward.get("addHeadersFromSecret") or ()
    }
    return {"add_plaintext_headers": plain, "add_headers_from_secret": secrets} if plain or secrets else None


def entries_environment(entries: Iterable[Resource[MCPServerEntrySpec]]) -> list[Object]:
    """Return the variables that a virtual server needs to add the headers of its MCPServerEntries, sorted by name.

    One variable for each entry lists its headers: plain headers with their values, and headers from Secrets with
    identifiers. For each header from a Secret, another variable has the value.
    """
    variables: list[Object] = []
    for entry in entries:
        forward = entry.spec.get("headerForward") or {}
        plain = forward.get("addPlaintextHeaders")
        headers = forward.get("addHeadersFromSecret") or ()
        secrets = {header["headerName"]: identifier(header["headerName"], entry.name) for header in headers}
        maps = {"addPlaintextHeaders": SortedMap(plain or {}), "addHeadersFromSecret": SortedMap(secrets)}
        manifest = {field: values for field, values in maps.items() if values}
        if manifest:
            name = f"{entry.profile.spell(HEADER_FORWARD_VARIABLE)}_{_identifier_part(entry.name)}"
            variables.append({"name": name, "value": compact(manifest)})
        variables += _secret_headers(entry)
    return sorted(variables, key=lambda variable: variable["name"].encode())


def identifier(header: str, resource: str) -> str:
    """Return the identifier of a header's secret: both names in upper case, with ``_`` for special characters."""
    return f"HEADER_FORWARD_{_identifier_part(header)}_{_identifier_part(resource)}"


def _identifier_part(name: str) -> str:
    return "".join(c if c.isascii() and c.isalnum() else "_" for c in upper(name))


def environment(resource: Resource[MCPRemoteProxySpec]) -> list[Object]:
    """Return the variables for headers from Secrets, if any: the secrets provider, then the headers in order."""
    entries = _secret_headers(resource)
    return [secrets_provider(resource), *entries] if entries else []


def _secret_headers(resource: Resource[MCPRemoteProxySpec | MCPServerEntrySpec]) -> list[Object]:
    prefix = resource.profile.spell(SECRET_PREFIX)
    return [
        secret_env(f"{prefix}{identifier(header['headerName'], resource.name)}", header["valueSecretRef"])
        for header in (resource.spec.get("headerForward") or {}).get("addHeadersFromSecret") or ()
    ]
