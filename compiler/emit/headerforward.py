"""Headers that a remote proxy adds to what it forwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..golang.letter import upper
from ..toolhive.constants import SECRET_PREFIX, SECRETS_PROVIDER
from .build import Object, omit_empty, secret_env, sorted_map

if TYPE_CHECKING:
    from ..models.mcpremoteproxy import MCPRemoteProxySpec
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


def identifier(header: str, resource: str) -> str:
    """Name a forwarded header's secret: both names in upper case, everything but letters and digits as ``_``."""
    return f"HEADER_FORWARD_{_part(header)}_{_part(resource)}"


def _part(name: str) -> str:
    return "".join(c if c.isascii() and c.isalnum() else "_" for c in upper(name))


def environment(resource: Resource[MCPRemoteProxySpec]) -> list[Object]:
    """Return the environment of headers from Secrets: the provider, then each header in the order of the spec."""
    headers = (resource.spec.get("headerForward") or {}).get("addHeadersFromSecret") or ()
    if not headers:
        return []
    entries = [
        secret_env(f"{SECRET_PREFIX}{identifier(header['headerName'], resource.name)}", header["valueSecretRef"])
        for header in headers
    ]
    return [dict(SECRETS_PROVIDER), *entries]
