"""Translate fields of an embedded authorization server in a resource to keys of the run configuration, and back.

A resource is checked in the form of its run configuration, so the checks are only in ``toolhive/auth_server.py`` and
``toolhive/auth_client.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..diagnostics.span import Path

BLOCKS: Final = {"oidc": "oidcConfig", "oauth2": "oauth2Config"}
"""The field of an upstream provider that has its settings, by the provider's type."""
FIELDS: Final = {
    "issuer": "issuer",
    "authorization_endpoint_base_url": "authorizationEndpointBaseUrl",
    "insecure_allow_http": "insecureAllowHTTP",
    "insecure_allow_confidential_over_loopback_http": "insecureAllowConfidentialOverLoopbackHTTP",
    "allow_confidential_client_registration": "allowConfidentialClientRegistration",
    "force_confidential_redirect_uris": "forceConfidentialRedirectUris",
    "baseline_client_scopes": "baselineClientScopes",
    "access_token_lifespan": "accessTokenLifespan",
    "refresh_token_lifespan": "refreshTokenLifespan",
    "auth_code_lifespan": "authCodeLifespan",
    "authorization_endpoint": "authorizationEndpoint",
    "token_endpoint": "tokenEndpoint",
    "userinfo": "userInfo",
    "endpoint_url": "endpointUrl",
    "redirect_uri": "redirectUri",
    "additional_authorization_params": "additionalAuthorizationParams",
    "trusted_issuers": "trustedIssuers",
    "issuer_url": "issuerUrl",
    "jwks_url": "jwksUrl",
    "allow_private_ips": "allowPrivateIPs",
    "actor_matcher": "actorMatcher",
    "jwt_bearer_grant": "jwtBearerGrant",
    "subject_bindings": "subjectBindings",
    "subject": "subject",
    "allowed_resources": "allowedResources",
    "accepted_audiences": "acceptedAudiences",
    "delegate_clients": "delegateClients",
    "client_id": "clientId",
    "scopes": "scopes",
    "audiences": "audiences",
}
"""For each key of the run configuration, the field of a resource that it comes from."""


def run_config_keys(block: Mapping[str, Any]) -> dict[str, Any]:
    """Return the known fields of a block under the keys of the run configuration. Nested blocks keep their fields."""
    return {key: block[field] for key, field in FIELDS.items() if field in block}


def as_stated(path: Path) -> Path:
    """Return the path in the resource that corresponds to a path in the run configuration."""
    return tuple(FIELDS.get(step, step) if isinstance(step, str) else step for step in path)
