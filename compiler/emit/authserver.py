"""The embedded authorization server: its configuration, its files and its environment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from ..toolhive.auth_server import DEFAULT_UPSTREAM
from ..toolhive.constants import (
    AUTH_SERVER_KEY_PREFIX,
    AUTH_SERVER_PASSWORD_VARIABLE,
    AUTH_SERVER_PATH,
    AUTH_SERVER_USER_VARIABLE,
    CA_KEY,
    CLUSTER_DOMAIN,
    REGISTRATION_VARIABLE,
    RUN_CONFIG_VERSION,
    SENTINEL_PORT,
    UPSTREAM_VARIABLE,
)
from ..toolhive.release import DEFAULT_REDIRECT_SINCE
from . import cabundle, delegation, inbound, listener
from .build import Object, env_name, secret_env
from .volume import Mounted, secret_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..diagnostics.span import Path
    from ..models.embeddedauth import AuthServerStorageConfig, EmbeddedAuthServerConfig, TokenLifespanConfig
    from ..models.mcpexternalauthconfig import MCPExternalAuthConfigSpec
    from ..models.redis import RedisSentinelConfig, RedisTLSConfig
    from ..models.reference import SecretKeyRef
    from ..models.spec import ProxySpec
    from ..models.upstream import (
        DCRUpstreamConfig,
        IdentityFromTokenConfig,
        OAuth2UpstreamConfig,
        OIDCUpstreamConfig,
        TokenResponseMapping,
        UpstreamProviderConfig,
        UserInfoConfig,
    )
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace

KEYS = f"{AUTH_SERVER_PATH}/keys"
HMAC = f"{AUTH_SERVER_PATH}/hmac"
REDIS_TLS = f"{AUTH_SERVER_PATH}/redis-tls"
SENTINEL_CA_FILE = "sentinel-ca.crt"


def reference_of_proxy(resource: Resource[ProxySpec]) -> Path:
    """Return the path of the name of the MCPExternalAuthConfig that may describe the auth server of a proxy.

    The reference is ``authServerRef`` if the spec has that field, and ``externalAuthConfigRef`` otherwise.
    """
    return ("spec", "authServerRef" if "authServerRef" in resource.spec else "externalAuthConfigRef", "name")


def of_proxy(workspace: Workspace, resource: Resource[ProxySpec]) -> EmbeddedAuthServerConfig | None:
    """Return the auth server that an MCPServer or MCPRemoteProxy embeds, or ``None`` without an auth server."""
    config: Resource[MCPExternalAuthConfigSpec] | None = workspace.target(resource, *reference_of_proxy(resource))
    if config is None or config.spec.get("type") != "embeddedAuthServer":
        return None
    server: EmbeddedAuthServerConfig | None = config.spec.get("embeddedAuthServer")
    return server


def of_workload(workspace: Workspace, resource: Resource[Any]) -> EmbeddedAuthServerConfig | None:
    """Return the auth server that a proxy or a virtual server embeds, or ``None`` without an auth server."""
    own: EmbeddedAuthServerConfig | None = resource.spec.get("authServerConfig")
    return own or None if resource.kind == "VirtualMCPServer" else of_proxy(workspace, resource)


def provider_name(server: EmbeddedAuthServerConfig) -> str:
    """Return the name of the first upstream provider, or ``default`` if there is none."""
    upstreams = server.get("upstreamProviders") or ()
    return (upstreams[0].get("name") if upstreams else "") or DEFAULT_UPSTREAM


def run_config(
    server: EmbeddedAuthServerConfig, resource: Resource, *, scopes: list[str], audiences: list[str] | None
) -> Object:
    """Return ``embedded_auth_server_config``. The vMCP auth server file has the same fields.

    Args:
        server: An ``embeddedAuthServer`` block, or ``authServerConfig`` of a virtual server.
        scopes: Scopes of the incoming OIDC reference.
        audiences: The allowed audiences; ``None`` is written as null. The first one begins the default redirect URI.
    """
    keys = [f"key-{i}.pem" for i in range(len(server.get("signingKeySecretRefs") or ()))]
    spell = resource.profile.spell
    signing = {"key_dir": spell(KEYS), "signing_key_file": keys[0], "fallback_key_files": keys[1:]} if keys else None
    lifespans = server.get("tokenLifespans")
    redirect = _default_redirect(resource, audiences)
    return {
        "schema_version": RUN_CONFIG_VERSION,
        "issuer": server.get("issuer"),
        "authorization_endpoint_base_url": server.get("authorizationEndpointBaseUrl"),
        "signing_key_config": signing,
        "hmac_secret_files": [f"{spell(HMAC)}/hmac-{i}" for i in range(len(server.get("hmacSecretRefs") or ()))],
        "token_lifespans": None if lifespans is None else _lifespans(lifespans),
        "upstreams": [
            _upstream(upstream, i, resource, redirect)
            for i, upstream in enumerate(server.get("upstreamProviders") or ())
        ],
        "scopes_supported": scopes,
        "baseline_client_scopes": server.get("baselineClientScopes"),
        "allowed_audiences": audiences,
        "storage": _storage(server.get("storage") or {}, resource),
        "disable_upstream_token_injection": bool(server.get("disableUpstreamTokenInjection")),
        "cimd": delegation.cimd(server.get("cimd") or {}),
        "insecure_allow_http": bool(server.get("insecureAllowHTTP")),
        "trusted_issuers": [delegation.trusted_issuer(issuer) for issuer in server.get("trustedIssuers") or ()],
        "allow_confidential_client_registration": bool(server.get("allowConfidentialClientRegistration")),
        "force_confidential_redirect_uris": server.get("forceConfidentialRedirectUris"),
        "insecure_allow_confidential_over_loopback_http": bool(server.get("insecureAllowConfidentialOverLoopbackHTTP")),
        "delegate_clients": delegation.clients(server.get("delegateClients"), resource),
        "allow_private_key_jwt_registration": bool(server.get("allowPrivateKeyJWTRegistration")),
        "inbound_grants": inbound.grants(server.get("inboundGrants"), resource),
        "spiffe_trust_domains": inbound.trust_domains(server, resource),
        "tls_listener": listener.files(server, resource),
    }


def _default_redirect(resource: Resource, audiences: list[str] | None) -> str:
    """Return the default redirect URI, below the first of ``audiences``; older releases have no default."""
    url = audiences[0] if audiences and resource.is_judged(since=DEFAULT_REDIRECT_SINCE) else ""
    return f"{url.rstrip('/')}/oauth/callback" if url else ""


def _lifespans(lifespans: TokenLifespanConfig) -> Object:
    return {
        "access_token_lifespan": lifespans.get("accessTokenLifespan"),
        "refresh_token_lifespan": lifespans.get("refreshTokenLifespan"),
        "auth_code_lifespan": lifespans.get("authCodeLifespan"),
    }


def _upstream(upstream: UpstreamProviderConfig, index: int, resource: Resource, redirect: str) -> Object:
    name, kind = upstream.get("name", ""), upstream.get("type")
    oidc = upstream.get("oidcConfig") if kind == "oidc" else None
    oauth2 = upstream.get("oauth2Config") if kind == "oauth2" else None
    return {
        "name": name,
        "type": kind,
        "oidc_config": None
        if oidc is None
        else _oidc_upstream(oidc, name, resource, redirect) | _token_endpoint(oidc, index, resource),
        "oauth2_config": None
        if oauth2 is None
        else _oauth2_upstream(oauth2, name, resource, redirect) | _token_endpoint(oauth2, index, resource),
    }


def _token_endpoint(config: OIDCUpstreamConfig | OAuth2UpstreamConfig, index: int, resource: Resource) -> Object:
    folder = resource.profile.spell(cabundle.UPSTREAM_CA)
    return {
        "additional_token_params": config.get("additionalTokenParams"),
        "ca_file_path": f"{folder}/{index}/{CA_KEY}" if config.get("caBundleRef") else "",
        "allow_private_ips": bool(config.get("allowPrivateIPs")),
    }


def _oidc_upstream(config: OIDCUpstreamConfig, upstream: str, resource: Resource, redirect: str) -> Object:
    return {
        "issuer_url": config.get("issuerUrl"),
        "client_id": config.get("clientId"),
        "client_secret_env_var": secret_variable(upstream, resource) if config.get("clientSecretRef") else "",
        "redirect_uri": config.get("redirectUri") or redirect,
        "scopes": config.get("scopes"),
        "userinfo_override": _user_info(config.get("userInfoOverride")),
        "additional_authorization_params": config.get("additionalAuthorizationParams"),
        "subject_claim": config.get("subjectClaim"),
        "dcr_config": _registration(config.get("dcrConfig"), upstream, resource),
    }


def _oauth2_upstream(config: OAuth2UpstreamConfig, upstream: str, resource: Resource, redirect: str) -> Object:
    return {
        "authorization_endpoint": config.get("authorizationEndpoint"),
        "token_endpoint": config.get("tokenEndpoint"),
        "client_id": config.get("clientId"),
        "client_secret_env_var": secret_variable(upstream, resource) if config.get("clientSecretRef") else "",
        "redirect_uri": config.get("redirectUri") or redirect,
        "scopes": config.get("scopes"),
        "userinfo": _user_info(config.get("userInfo")),
        "token_response_mapping": _token_response(config.get("tokenResponseMapping")),
        "identity_from_token": _identity(config.get("identityFromToken")),
        "additional_authorization_params": config.get("additionalAuthorizationParams"),
        "dcr_config": _registration(config.get("dcrConfig"), upstream, resource),
        "insecure_allow_http": bool(config.get("insecureAllowHTTP")),
        "token_endpoint_auth_method": config.get("tokenEndpointAuthMethod"),
    }


def _token_response(mapping: TokenResponseMapping | None) -> Object | None:
    if mapping is None:
        return None
    return {
        "access_token_path": mapping.get("accessTokenPath"),
        "scope_path": mapping.get("scopePath"),
        "refresh_token_path": mapping.get("refreshTokenPath"),
        "expires_in_path": mapping.get("expiresInPath"),
    }


def _identity(identity: IdentityFromTokenConfig | None) -> Object | None:
    if identity is None:
        return None
    return {
        "subject_path": identity.get("subjectPath"),
        "name_path": identity.get("namePath"),
        "email_path": identity.get("emailPath"),
    }


def _registration(config: DCRUpstreamConfig | None, upstream: str, resource: Resource) -> Object | None:
    """Return ``dcr_config``, with which the server registers itself at an upstream (RFC 7591), or ``None``."""
    if config is None:
        return None
    return {
        "discovery_url": config.get("discoveryUrl"),
        "registration_endpoint": config.get("registrationEndpoint"),
        "initial_access_token_env_var": token_variable(upstream, resource)
        if config.get("initialAccessTokenRef")
        else "",
        "software_id": config.get("softwareId"),
        "software_statement": config.get("softwareStatement"),
    }


def _user_info(info: UserInfoConfig | None) -> Object | None:
    if info is None:
        return None
    fields = info.get("fieldMapping")
    mapping: Object | None = None
    if fields is not None:
        mapping = {
            "subject_fields": fields.get("subjectFields"),
            "name_fields": fields.get("nameFields"),
            "email_fields": fields.get("emailFields"),
        }
    return {
        "endpoint_url": info.get("endpointUrl"),
        "http_method": info.get("httpMethod"),
        "additional_headers": info.get("additionalHeaders"),
        "field_mapping": mapping,
    }


def _storage(storage: AuthServerStorageConfig, resource: Resource) -> Object | None:
    if storage.get("type") != "redis":
        return None
    redis = storage.get("redis") or {}
    sentinel = redis.get("sentinelConfig")
    spell = resource.profile.spell
    tls = spell(REDIS_TLS)
    has_user = (redis.get("aclUserConfig") or {}).get("usernameSecretRef") is not None
    sentinels: Object | None = None
    if sentinel is not None:
        sentinels = {
            "master_name": sentinel.get("masterName"),
            "sentinel_addrs": _sentinel_addresses(sentinel, resource.printed_namespace),
            "db": sentinel.get("db"),
        }
    config: Object = {
        "addr": redis.get("addr"),
        "cluster_mode": bool(redis.get("clusterMode")),
        "sentinel_config": sentinels,
        "auth_type": "aclUser",
        "acl_user_config": {
            "username_env_var": spell(AUTH_SERVER_USER_VARIABLE) if has_user else "",
            "password_env_var": spell(AUTH_SERVER_PASSWORD_VARIABLE),
        },
        "key_prefix": f"{spell(AUTH_SERVER_KEY_PREFIX)}{{{resource.printed_namespace}:{resource.name}}}:",
        "dial_timeout": redis.get("dialTimeout"),
        "read_timeout": redis.get("readTimeout"),
        "write_timeout": redis.get("writeTimeout"),
        "tls": _tls(redis.get("tls"), f"{tls}/{CA_KEY}"),
        "sentinel_tls": _tls(redis.get("sentinelTls"), f"{tls}/{SENTINEL_CA_FILE}") if sentinel else None,
    }
    return {"type": "redis", "redis_config": config}


def _sentinel_addresses(sentinel: RedisSentinelConfig, namespace: str) -> list[str]:
    given = sentinel.get("sentinelAddrs")
    if given:
        return list(given)
    service = sentinel.get("sentinelService") or {}
    host = f"{service.get('name', '')}.{service.get('namespace') or namespace}.{CLUSTER_DOMAIN}"
    return [f"{host}:{service.get('port') or SENTINEL_PORT}"]


def _tls(tls: RedisTLSConfig | None, file: str) -> Object | None:
    if tls is None:
        return None
    return {
        "insecure_skip_verify": bool(tls.get("insecureSkipVerify")),
        "ca_cert_file": file if tls.get("caCertSecretRef") else "",
    }


def secret_variable(upstream: str, resource: Resource) -> str:
    """Return the name of the environment variable that holds an upstream's client secret."""
    return f"{resource.profile.spell(UPSTREAM_VARIABLE)}_{env_name(upstream)}"


def token_variable(upstream: str, resource: Resource) -> str:
    """Return the name of the environment variable with the token for registering a client at an upstream (RFC 7591)."""
    return f"{resource.profile.spell(REGISTRATION_VARIABLE)}_{env_name(upstream)}"


def secrets(server: EmbeddedAuthServerConfig) -> Iterator[tuple[Path, SecretKeyRef]]:
    """Yield the Secret references that `environment` and `volumes` use, each with its path in ``server``."""
    yield from listener.secrets(server)
    for field in ("signingKeySecretRefs", "hmacSecretRefs"):
        for i, ref in enumerate(server.get(field) or ()):
            yield (field, i), ref
    storage = server.get("storage") or {}
    redis = storage.get("redis") or {}
    for block in ("tls", "sentinelTls"):
        if ref := (redis.get(block) or {}).get("caCertSecretRef"):
            yield ("storage", "redis", block, "caCertSecretRef"), ref
    for i, upstream in enumerate(server.get("upstreamProviders") or ()):
        block = "oidcConfig" if upstream.get("type") == "oidc" else "oauth2Config"
        if ref := (upstream.get(block) or {}).get("clientSecretRef"):
            yield ("upstreamProviders", i, block, "clientSecretRef"), ref
        if ref := _registration_token(upstream):
            yield ("upstreamProviders", i, block, "dcrConfig", "initialAccessTokenRef"), ref
    clients_path, clients = delegation.delegate_clients(server)
    for i, client in enumerate(clients):
        if ref := client.get("clientSecretRef"):
            yield (*clients_path, i, "clientSecretRef"), ref
    user = redis.get("aclUserConfig") or {}
    for field in ("usernameSecretRef", "passwordSecretRef") if storage.get("type") == "redis" else ():
        if ref := user.get(field):
            yield ("storage", "redis", "aclUserConfig", field), ref


def environment(server: EmbeddedAuthServerConfig | None, resource: Resource) -> list[Object]:
    """Return the environment entries that read the auth server's Secrets; empty without a server.

    The entries of each upstream come first: its client secret and its registration token. The secrets of delegate
    clients follow, then the user and password of Redis if the storage is of type redis.
    """
    variables: list[Object] = []
    if server is None:
        return variables
    for upstream in server.get("upstreamProviders") or ():
        config = cabundle.provider_block(upstream)
        if config.get("clientSecretRef"):
            variables.append(secret_env(secret_variable(upstream.get("name", ""), resource), config["clientSecretRef"]))
        if token := _registration_token(upstream):
            variables.append(secret_env(token_variable(upstream.get("name", ""), resource), token))
    variables += delegation.environment(server, resource)
    storage = server.get("storage") or {}
    user = (storage.get("redis") or {}).get("aclUserConfig") or {}
    spell = resource.profile.spell
    if storage.get("type") == "redis":
        if user.get("usernameSecretRef"):
            variables.append(secret_env(spell(AUTH_SERVER_USER_VARIABLE), user["usernameSecretRef"]))
        if user.get("passwordSecretRef"):
            variables.append(secret_env(spell(AUTH_SERVER_PASSWORD_VARIABLE), user["passwordSecretRef"]))
    return variables


def _registration_token(upstream: UpstreamProviderConfig) -> SecretKeyRef | None:
    return (cabundle.provider_block(upstream).get("dcrConfig") or {}).get("initialAccessTokenRef")


def volumes(server: EmbeddedAuthServerConfig | None, resource: Resource) -> list[Mounted]:
    """Return the mounts of the listener, signing keys, HMAC secrets, SPIFFE bundles and CA bundles, in this order.

    CA files of Redis are mounted even if the storage is not Redis.

    Source: ``GenerateAuthServerVolumes`` in the operator.
    """
    if server is None:
        return []
    keys, hmac, tls = map(resource.profile.spell, (KEYS, HMAC, REDIS_TLS))
    mounts = listener.volume(server, resource)
    mounts += [
        secret_file(f"authserver-signing-key-{i}", ref["name"], ref["key"], keys, f"key-{i}.pem")
        for i, ref in enumerate(server.get("signingKeySecretRefs") or ())
    ]
    mounts += [
        secret_file(f"authserver-hmac-secret-{i}", ref["name"], ref["key"], hmac, f"hmac-{i}")
        for i, ref in enumerate(server.get("hmacSecretRefs") or ())
    ]
    mounts += inbound.bundles(server, resource)
    redis = (server.get("storage") or {}).get("redis") or {}
    block: Literal["tls", "sentinelTls"]
    for block, name, file in (("tls", "master", CA_KEY), ("sentinelTls", "sentinel", SENTINEL_CA_FILE)):
        ref = (redis.get(block) or {}).get("caCertSecretRef")
        if ref:
            mounts.append(secret_file(f"redis-tls-ca-{name}", ref["name"], ref["key"], tls, file))
    return mounts + cabundle.of_auth_server(server, resource)
