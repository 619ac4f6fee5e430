"""Settings that an MCPServer or MCPRemoteProxy gets through its references."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, cast

from ..toolhive.auth_client import DEFAULT_SCOPES
from . import authserver, authz, externalauth, oidc, telemetry, webhook

if TYPE_CHECKING:
    from ..golang.value import RawJson
    from ..models.embeddedauth import EmbeddedAuthServerConfig
    from ..models.mcpserver import MCPServerSpec
    from ..models.mcptoolconfig import MCPToolConfigSpec
    from ..models.spec import ProxySpec
    from ..workspace.resource import Resource
    from .build import Build, Object


DEFAULT_AUDIT: Final = {"detectApplicationErrors": True, "maxDataSize": 1024}
"""The audit configuration of proxies, whose spec can only enable auditing. ``maxDataSize`` is in bytes.

Source: ``audit.DefaultConfig`` of ToolHive.
"""


class ProxyParts(NamedTuple):
    """The settings that a RunConfig contains twice: as fields, and as parameters of middlewares."""

    oidc_config: Object | None
    token_exchange: Object | None
    aws_sts: Object | None
    authz_config: Object | RawJson | None
    telemetry_config: Object | None
    tools: MCPToolConfigSpec
    auth_server: EmbeddedAuthServerConfig | None
    audit_config: Object | None
    resource_url: str
    scopes: list[str]
    webhooks: dict[webhook.Direction, list[Object]]


def proxy_parts(build: Build, resource: Resource[ProxySpec], port: int) -> ProxyParts:
    """Resolve the references of a proxy into the parts of its RunConfig."""
    workspace = build.workspace
    incoming = oidc.resolve(workspace, resource, ("spec", "oidcConfigRef"), port)
    server = authserver.of_proxy(workspace, resource)
    scopes = incoming.scopes if incoming else []
    advertised = scopes or (list(DEFAULT_SCOPES) if server else [])
    tools: Resource[MCPToolConfigSpec] | None = workspace.target(resource, "spec", "toolConfigRef", "name")
    exchange = externalauth.token_exchange_of(workspace, resource)
    sts = externalauth.aws_sts_of(workspace, resource)
    return ProxyParts(
        oidc_config=oidc.run_config(incoming, advertised) if incoming else None,
        token_exchange=externalauth.token_exchange(exchange) if exchange else None,
        aws_sts=externalauth.aws_sts(sts) if sts else None,
        authz_config=authz.authz_config(workspace, resource),
        telemetry_config=telemetry.telemetry_config(workspace, resource),
        tools={} if tools is None else tools.spec,
        auth_server=server,
        audit_config=DEFAULT_AUDIT if (resource.spec.get("audit") or {}).get("enabled") else None,
        resource_url=incoming.resource_url if incoming else "",
        scopes=scopes,
        webhooks=webhook.of_server(workspace, cast("Resource[MCPServerSpec]", resource)),
    )
