"""Clients that may exchange tokens at the embedded authorization server or register there.

Source: the auth server's run configuration, v0.29.0 to v0.45.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..golang.duration import format_duration, parse_duration
from ..toolhive.constants import DELEGATE_VARIABLE
from .build import Object, secret_env

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..diagnostics.span import Path
    from ..models.delegation import DelegateClientConfig, JWTBearerGrantConfig, TrustedIssuerConfig
    from ..models.embeddedauth import EmbeddedAuthServerCIMDConfig, EmbeddedAuthServerConfig
    from ..workspace.resource import Resource


def cimd(config: EmbeddedAuthServerCIMDConfig) -> Object | None:
    """Return the ``cimd`` block, which lets clients use the URL of a metadata document as their id, or ``None``."""
    if not config.get("enabled"):
        return None
    return {
        "enabled": True,
        "cache_max_size": config.get("cacheMaxSize"),
        "cache_fallback_ttl": config.get("cacheFallbackTtl"),
    }


def trusted_issuer(issuer: TrustedIssuerConfig) -> Object:
    """Return the entry of ``trusted_issuers`` for an issuer."""
    grant = issuer.get("jwtBearerGrant")
    return {
        "name": issuer.get("name"),
        "issuer_url": issuer.get("issuerUrl"),
        "expected_audience": issuer.get("expectedAudience"),
        "jwks_url": issuer.get("jwksUrl"),
        "insecure_allow_http": bool(issuer.get("insecureAllowHTTP")),
        "allow_private_ips": bool(issuer.get("allowPrivateIPs")),
        "actor_claim": issuer.get("actorClaim"),
        "allowed_actors": issuer.get("allowedActors"),
        "actor_matcher": issuer.get("actorMatcher"),
        "allowed_delegate_clients": issuer.get("allowedDelegateClients"),
        "allow_may_act": bool(issuer.get("allowMayAct")),
        "jwt_bearer_grant": grant and assertion_grant(grant),
    }


def assertion_grant(grant: JWTBearerGrantConfig) -> Object:
    """Return the settings with which assertions of an issuer are accepted."""
    return {
        "max_assertion_age": format_duration(parse_duration(grant["maxAssertionAge"])),
        "subject_bindings": [
            {"subject": binding["subject"], "allowed_resources": binding["allowedResources"]}
            for binding in grant["subjectBindings"]
        ],
        "accepted_audiences": grant.get("acceptedAudiences"),
    }


def delegate_clients(server: EmbeddedAuthServerConfig) -> tuple[Path, Sequence[DelegateClientConfig]]:
    """Return the clients that may exchange tokens, with their path in ``server``.

    They are in ``inboundGrants.tokenExchange``, or else in the older field. The API server refuses both together.
    """
    exchange = (server.get("inboundGrants") or {}).get("tokenExchange")
    if exchange is not None:
        return ("inboundGrants", "tokenExchange", "delegateClients"), exchange.get("delegateClients") or ()
    return ("delegateClients",), server.get("delegateClients") or ()


def clients(given: Sequence[DelegateClientConfig] | None, resource: Resource) -> list[Object]:
    """Return ``delegate_clients``. The secrets of the clients are passed as environment variables."""
    return [
        {
            "client_id": client.get("clientId"),
            "client_secret_env_var": _variable(i, resource),
            "scopes": client.get("scopes"),
            "audiences": client.get("audiences"),
        }
        for i, client in enumerate(given or ())
    ]


def environment(server: EmbeddedAuthServerConfig, resource: Resource) -> list[Object]:
    """Return the environment entries with the secrets of delegate clients."""
    return [
        secret_env(_variable(i, resource), client["clientSecretRef"])
        for i, client in enumerate(delegate_clients(server)[1])
        if client.get("clientSecretRef")
    ]


def _variable(index: int, resource: Resource) -> str:
    """Return the name of the variable with a client's secret. It has the position, because an id may be any text."""
    return f"{resource.profile.spell(DELEGATE_VARIABLE)}_{index}"
