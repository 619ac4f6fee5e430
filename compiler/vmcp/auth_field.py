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
_UNUSUAL: Final = {
    "insecure_allow_http": "insecureAllowHTTP",
    "insecure_allow_confidential_over_loopback_http": "insecureAllowConfidentialOverLoopbackHTTP",
    "userinfo": "userInfo",
    "allow_private_ips": "allowPrivateIPs",
}


def _field(key: str) -> str:
    first, *others = key.split("_")
    return _UNUSUAL.get(key) or first + "".join(map(str.title, others))


FIELDS: Final = {
    key: _field(key)
    for key in """
    issuer authorization_endpoint_base_url insecure_allow_http insecure_allow_confidential_over_loopback_http
    allow_confidential_client_registration force_confidential_redirect_uris baseline_client_scopes
    access_token_lifespan refresh_token_lifespan auth_code_lifespan authorization_endpoint token_endpoint userinfo
    endpoint_url redirect_uri additional_authorization_params trusted_issuers issuer_url jwks_url allow_private_ips
    actor_matcher jwt_bearer_grant subject_bindings subject allowed_resources accepted_audiences delegate_clients
    client_id scopes audiences
    """.split()
}
"""For each key of the run configuration, the field of a resource that it comes from."""


def run_config_keys(block: Mapping[str, Any]) -> dict[str, Any]:
    """Return the known fields of a block under the keys of the run configuration. Nested blocks keep their fields."""
    return {key: block[field] for key, field in FIELDS.items() if field in block}


def as_stated(path: Path) -> Path:
    """Return the path in the resource that corresponds to a path in the run configuration."""
    return tuple(FIELDS.get(step, step) if isinstance(step, str) else step for step in path)
