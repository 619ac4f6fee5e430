"""The middlewares of a proxy in the order in which RunConfig lists them, and the settings that fields repeat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from ..diagnostics.named_tuple import NamedTuple
from ..toolhive.auth_client import DEFAULT_SCOPES
from ..toolhive.constants import STS_MIDDLEWARE
from ..toolhive.release import BODY_LIMIT_SINCE
from . import authserver, authz, externalauth, oidc, telemetry, webhook

if TYPE_CHECKING:
    from ..golang.value import RawJson
    from ..models.embeddedauth import EmbeddedAuthServerConfig
    from ..models.mcpremoteproxy import MCPRemoteProxySpec
    from ..models.mcpserver import MCPServerSpec
    from ..models.mcptoolconfig import MCPToolConfigSpec
    from ..models.session import RateLimitConfig
    from ..models.spec import ProxySpec
    from ..workspace.resource import Resource
    from .build import Build, Object

Middleware = dict[str, Any]
LARGEST_BODY = 8 * 1024 * 1024
"""The largest request body that a proxy accepts, in bytes, as in the middleware ``bodylimit``."""
DEFAULT_AUDIT: Final = {"detectApplicationErrors": True, "maxDataSize": 1024}
"""The audit configuration of proxies, whose spec can only enable auditing. ``maxDataSize`` is in bytes.

Source: ``audit.DefaultConfig`` of ToolHive.
"""


class ProxyParts(NamedTuple):
    """The settings that a RunConfig contains twice: as fields, and as parameters of middlewares.

    Attributes:
        outgoing_auth: The fields for an MCPExternalAuthConfig, as `externalauth.run_config` returns them.
    """

    oidc_config: Object | None
    outgoing_auth: Object
    authz_config: Object | RawJson | None
    telemetry_config: Object | None
    tools_filter: list[str] | None
    tools_override: dict[str, Object]
    auth_server: EmbeddedAuthServerConfig | None
    audit_config: Object | None
    resource_url: str
    scopes: list[str]
    webhooks: dict[webhook.Direction, list[Object]]


def proxy_parts(build: Build, resource: Resource[ProxySpec], port: int) -> ProxyParts:
    """Resolve the references of a proxy into the parts of its RunConfig."""
    workspace = build.workspace
    incoming = oidc.resolve(workspace, resource, ("spec", "oidcConfigRef"), port)
    has_outgoing = "externalAuthConfigRef" in resource.spec
    has_server = has_outgoing or "authServerRef" in resource.spec
    server = authserver.of_proxy(workspace, resource) if has_server else None
    scopes = incoming.scopes if incoming else []
    advertised = scopes or (list(DEFAULT_SCOPES) if server else [])
    tools: Resource[MCPToolConfigSpec] | None = workspace.target(resource, "spec", "toolConfigRef", "name")
    return ProxyParts(
        oidc_config=oidc.run_config(incoming, advertised) if incoming else None,
        outgoing_auth=externalauth.run_config(workspace, resource) if has_outgoing else {},
        authz_config=authz.authz_config(workspace, resource)
        if "authzConfig" in resource.spec or "authzConfigRef" in resource.spec
        else None,
        telemetry_config=telemetry.telemetry_config(workspace, resource),
        tools_filter=tools.spec.get("toolsFilter") if tools is not None else None,
        tools_override=_overrides(tools.spec) if tools is not None else {},
        auth_server=server,
        audit_config=DEFAULT_AUDIT if (resource.spec.get("audit") or {}).get("enabled") else None,
        resource_url=incoming.resource_url if incoming else "",
        scopes=scopes,
        webhooks=webhook.of_server(workspace, cast("Resource[MCPServerSpec]", resource))
        if "webhookConfigRef" in resource.spec
        else {},
    )


def _overrides(tools: MCPToolConfigSpec) -> dict[str, Object]:
    # The operator drops the annotations.
    overrides = (tools.get("toolsOverride") or {}).items()
    return {tool: {field: override.get(field) for field in ("name", "description")} for tool, override in overrides}


def middlewares(
    build: Build, resource: Resource[ProxySpec], parts: ProxyParts, transport: str, limits: RateLimitConfig | None
) -> list[Middleware]:
    """Return ``middleware_configs`` of a proxy's RunConfig, in the order in which middlewares handle a request.

    ``limits`` are the rate limits of the spec, or ``None`` without limits.
    """
    chain: list[Middleware] = []

    def add(kind: str, parameters: Object | None) -> None:
        chain.append({"type": kind, "parameters": parameters})

    def add_audit(*, since: str | None, until: str | None) -> None:
        if parts.audit_config is not None and resource.is_judged(since=since, until=until):
            add("audit", {"config_data": parts.audit_config, "transport_type": transport})

    def add_telemetry(*, since: str | None, until: str | None) -> None:
        if parts.telemetry_config is not None and resource.is_judged(since=since, until=until):
            config = {"config": parts.telemetry_config, "server_name": resource.name, "transport": transport}
            add("telemetry", config)

    if resource.is_judged(since=BODY_LIMIT_SINCE):
        add("bodylimit", {"max_bytes": LARGEST_BODY})
    # Newer releases audit earlier: from v0.41.0 on also requests that authentication refuses, in v0.40.1 also requests
    # that authorization denies, and before only requests that reach the server.
    add_audit(since="0.41.0", until=None)
    add("auth", {"oidc_config": parts.oidc_config})
    provider = authserver.provider_name(parts.auth_server) if parts.auth_server is not None else ""
    if parts.auth_server is not None:
        if parts.auth_server.get("disableUpstreamTokenInjection"):
            add("strip-auth", {})
        else:
            add("upstreamswap", {"config": {"provider_name": provider}})
    if exchange := parts.outgoing_auth.get("token_exchange_config"):
        add("tokenexchange", {"token_exchange_config": exchange})
    if parts.tools_filter or parts.tools_override:
        filtered = {"filter_tools": parts.tools_filter or None, "tools_override": parts.tools_override}
        add("tool-filter", filtered)
        add("tool-call-filter", filtered)
    add("mcp-parser", {})
    # v0.43.0 moved telemetry directly behind the parser.
    add_telemetry(since="0.43.0", until=None)
    if limits is not None:
        add("ratelimit", _rate_limit(resource, limits))
    for direction, webhooks in parts.webhooks.items():
        add(f"{direction}-webhook", {"webhooks": webhooks, "server_name": resource.name, "transport": transport})
    if build.operator.usage_metrics:
        add("usagemetrics", {})
    add_telemetry(since=None, until="0.43.0")
    add_audit(since="0.40.1", until="0.41.0")
    if parts.authz_config is not None:
        config: Any = parts.authz_config
        if provider:
            config = authz.with_options(config, {"primary_upstream_provider": provider}, resource)
        add("authorization", {"config_data": config})
    add_audit(since=None, until="0.40.1")
    add("recovery", None)
    return chain


def _rate_limit(resource: Resource[ProxySpec], limits: RateLimitConfig) -> Object:
    storage = cast("MCPServerSpec", resource.spec).get("sessionStorage") or {}
    return {
        "namespace": resource.printed_namespace,
        "server_name": resource.name,
        "config": limits,
        "redis_addr": storage.get("address"),
        "redis_db": storage.get("db"),
    }


def with_remote(
    chain: list[Middleware], resource: Resource[MCPRemoteProxySpec], parts: ProxyParts, forward: Object | None
) -> list[Middleware]:
    """Return the chain with the middlewares that only remote servers have, before its last middleware."""
    added: list[Middleware] = []
    if sts := parts.outgoing_auth.get("aws_sts_config"):
        parameters = {"aws_sts_config": sts, "target_url": resource.spec.get("remoteUrl", "")}
        added.append({"type": STS_MIDDLEWARE, "parameters": parameters})
    if forward is not None:
        plain = forward.get("add_plaintext_headers")
        added.append({"type": "header-forward", "parameters": {"add_headers": plain or None}})
    return [*chain[:-1], *added, chain[-1]]
