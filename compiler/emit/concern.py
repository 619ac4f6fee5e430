"""Decide whether a change of a release affects what a resource compiles to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.plain import value_at
from ..kube.typed import decode
from . import authserver, delegation, oidc, telemetry
from .podpatch import is_customized
from .vmcpauth import OIDC_REF

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..models.mcpoidcconfig import MCPOIDCConfigSpec
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace

PROXIES: Final = ("MCPServer", "MCPRemoteProxy")
VIRTUAL: Final = ("VirtualMCPServer",)


def has_value_at(*paths: str) -> Callable[[Workspace, Resource[Any]], bool]:
    """Return a function that checks whether a spec has a non-empty value at one of ``paths``, such as ``a.b``."""
    split_paths = [tuple(path.split(".")) for path in paths]

    def has_value(_: Workspace, resource: Resource[Any]) -> bool:
        return any(value_at(resource.spec, path) for path in split_paths)

    return has_value


def is_audited(_: Workspace, resource: Resource[Any]) -> bool:
    """Return whether requests are in the audit log."""
    path = ("config", "audit") if resource.kind in VIRTUAL else ("audit", "enabled")
    return bool(value_at(resource.spec, path))


def _auth_server(workspace: Workspace, resource: Resource[Any]) -> Any:
    return authserver.of_workload(workspace, resource) or {}


def _provider_blocks(workspace: Workspace, resource: Resource[Any]) -> list[dict[str, Any]]:
    return [
        block
        for upstream in _auth_server(workspace, resource).get("upstreamProviders") or ()
        for field in ("oidcConfig", "oauth2Config")
        if isinstance(block := upstream.get(field), dict)
    ]


def lacks_redirect(workspace: Workspace, resource: Resource[Any]) -> bool:
    """Return whether an upstream provider has no redirectUri."""
    return any(not block.get("redirectUri") for block in _provider_blocks(workspace, resource))


def has_auth_field(field: str) -> Callable[[Workspace, Resource[Any]], bool]:
    """Return a function that checks whether the auth server of a workload has a field."""
    return lambda workspace, resource: field in _auth_server(workspace, resource)


def has_issuer_bundle(workspace: Workspace, resource: Resource[Any]) -> bool:
    """Return whether the auth server has CA bundles of trusted issuers."""
    return any("caBundleRef" in issuer for issuer in _auth_server(workspace, resource).get("trustedIssuers") or ())


def has_auth_bundle(workspace: Workspace, resource: Resource[Any]) -> bool:
    """Return whether the auth server has CA bundles of providers or issuers."""
    issuers = _auth_server(workspace, resource).get("trustedIssuers") or ()
    return any("caBundleRef" in block for block in (*_provider_blocks(workspace, resource), *issuers))


def has_bundle_file(workspace: Workspace, resource: Resource[Any]) -> bool:
    """Return whether a SPIFFE trust domain of the auth server has its keys in a ConfigMap."""
    domains = _auth_server(workspace, resource).get("spiffeTrustDomains") or ()
    return any((domain.get("bundleSource") or {}).get("file") for domain in domains)


def has_grant(*grants: str) -> Callable[[Workspace, Resource[Any]], bool]:
    """Return a function that checks whether the auth server has one of the grants of ``inboundGrants``.

    Older fields also state ``tokenExchange`` and ``jwtBearer``: clients, and policies of trusted issuers.
    """

    def is_on(workspace: Workspace, resource: Resource[Any]) -> bool:
        server = _auth_server(workspace, resource)
        issuers = server.get("trustedIssuers") or ()
        older = {
            "tokenExchange": server.get("delegateClients") or any("expectedAudience" in issuer for issuer in issuers),
            "jwtBearer": any("jwtBearerGrant" in issuer for issuer in issuers),
        }
        stated = server.get("inboundGrants") or {}
        return any(bool(older.get(grant)) or grant in stated for grant in grants)

    return is_on


def has_delegate_clients(workspace: Workspace, resource: Resource[Any]) -> bool:
    """Return whether the auth server has clients that exchange tokens."""
    return bool(delegation.delegate_clients(_auth_server(workspace, resource))[1])


def lacks_proxy_resources(_: Workspace, resource: Resource[Any]) -> bool:
    """Return whether a proxy leaves its CPU or memory open."""
    given = resource.spec.get("resources") or {}
    parts = [given.get(part) or {} for part in ("limits", "requests")]
    return not all(part.get(name) for part in parts for name in ("cpu", "memory"))


def limits_over_tls(_: Workspace, resource: Resource[Any]) -> bool:
    """Return whether rate limits are counted in a Redis that is reached by TLS."""
    storage = resource.spec.get("sessionStorage") or {}
    return "rateLimiting" in resource.spec and storage.get("tls") is not None


def has_session_tls(_: Workspace, resource: Resource[Any]) -> bool:
    """Return whether the session storage is reached by TLS."""
    return _session_redis(resource).get("tls") is not None


def has_provider_settings(workspace: Workspace, resource: Resource[Any]) -> bool:
    """Return whether an upstream provider has a setting of v0.46.0."""
    fields = {"additionalTokenParams", "tokenEndpointAuthMethod"}
    oidc_fields = fields | {"allowPrivateIPs", "dcrConfig"}
    return any(
        not block.keys().isdisjoint(oidc_fields if "issuerUrl" in block else fields)
        for block in _provider_blocks(workspace, resource)
    )


def sets_metrics_port(workspace: Workspace, resource: Resource[Any]) -> bool:
    """Return whether the telemetry says if the main port serves metrics."""
    config = telemetry.config(workspace, resource)
    return config is not None and value_at(config.spec, ("prometheus", "metricsOnTransportPort")) is not None


def has_telemetry(workspace: Workspace, resource: Resource[Any]) -> bool:
    """Return whether the resource has telemetry."""
    return telemetry.config(workspace, resource) is not None


def serves_metrics(workspace: Workspace, resource: Resource[Any]) -> bool:
    """Return whether the resource serves metrics for Prometheus."""
    config = telemetry.config(workspace, resource)
    return config is not None and bool(value_at(config.spec, ("prometheus", "enabled")))


def uses_service_account(workspace: Workspace, resource: Resource[Any]) -> bool:
    """Return whether the keys of the OIDC provider are fetched with the token of the service account."""
    path = OIDC_REF if resource.kind in VIRTUAL else ("spec", "oidcConfigRef")
    config: Resource[MCPOIDCConfigSpec] | None = workspace.target(resource, *path, "name")
    return config is not None and config.spec.get("type") == "kubernetesServiceAccount"


def has_token_path(workspace: Workspace, resource: Resource[Any]) -> bool:
    """Return whether the OIDC provider of a virtual server states a file with the token for its keys."""
    config: Resource[MCPOIDCConfigSpec] | None = workspace.target(resource, *OIDC_REF, "name")
    return config is not None and bool(value_at(config.spec, ("inline", "jwksAuthTokenPath")))


def has_ca(workspace: Workspace, resource: Resource[Any]) -> bool:
    """Return whether the OIDC provider has a CA bundle."""
    is_virtual = resource.kind in VIRTUAL
    settings = oidc.resolve(workspace, resource, OIDC_REF if is_virtual else ("spec", "oidcConfigRef"), 0)
    if settings is None:
        return False
    return bool(settings.ca_cert_path) if is_virtual else settings.ca_config_map is not None


def has_ignored_template(_: Workspace, resource: Resource[Any]) -> bool:
    """Return whether a virtual server has a pod template that an operator before v0.32.0 ignores.

    Such an operator only applies a template that sets a decisive field; see `is_customized`.
    """
    given: Any = resource.spec.get("podTemplateSpec")
    return bool(given) and not is_customized(decode(given).value)


def audits_denials(workspace: Workspace, resource: Resource[Any]) -> bool:
    """Return whether requests are both audited and authorized."""
    return is_audited(workspace, resource) and bool(resource.spec.get("authzConfig"))


def has_policies(_: Workspace, resource: Resource[Any]) -> bool:
    """Return whether a proxy has inline policies."""
    return bool(value_at(resource.spec, ("authzConfig", "type")) == "inline")


def authorizes(_: Workspace, resource: Resource[Any]) -> bool:
    """Return whether a virtual server has policies."""
    return bool(value_at(resource.spec, ("incomingAuth", "authzConfig")))


def has_session_password(_: Workspace, resource: Resource[Any]) -> bool:
    """Return whether the session storage of a proxy has a password."""
    return bool(_session_redis(resource).get("passwordRef"))


def _session_redis(resource: Resource[Any]) -> dict[str, Any]:
    """Return the session storage of a workload if it is Redis, or else an empty mapping."""
    storage: Any = resource.spec.get("sessionStorage")
    return storage if isinstance(storage, dict) and storage.get("provider") == "redis" else {}


def has_entries_with_headers(workspace: Workspace, resource: Resource[Any]) -> bool:
    """Return whether an entry of the group forwards headers."""
    group = workspace.target(resource, "spec", "groupRef", "name")
    members = workspace.members(group, resource) if group is not None else []
    return any(
        member.kind == "MCPServerEntry" and value_at(member.data, ("spec", "headerForward")) for member in members
    )
