"""CA bundles of the providers and issuers that an embedded authorization server connects to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..toolhive.constants import AUTH_SERVER_PATH, CA_KEY
from ..toolhive.release import UPSTREAM_CA_SINCE
from .volume import Mounted, config_map_file

if TYPE_CHECKING:
    from ..models.embeddedauth import EmbeddedAuthServerConfig
    from ..models.upstream import OAuth2UpstreamConfig, OIDCUpstreamConfig, UpstreamProviderConfig
    from ..workspace.resource import Resource

UPSTREAM_CA = f"{AUTH_SERVER_PATH}/upstream-ca"
ISSUER_CA = f"{AUTH_SERVER_PATH}/issuer-ca"


def of_auth_server(server: EmbeddedAuthServerConfig, resource: Resource) -> list[Mounted]:
    """Return the mounts of the CA bundles of upstream providers, then of trusted issuers; none before v0.46.0."""
    if not resource.is_judged(since=UPSTREAM_CA_SINCE):
        return []
    upstream_ca, issuer_ca = map(resource.profile.spell, (UPSTREAM_CA, ISSUER_CA))
    bundles = [
        (f"authserver-upstream-ca-{i}", f"{upstream_ca}/{i}", provider_block(upstream).get("caBundleRef"))
        for i, upstream in enumerate(server.get("upstreamProviders") or ())
    ]
    bundles += [
        (f"authserver-issuer-ca-{i}", f"{issuer_ca}/{i}", issuer.get("caBundleRef"))
        for i, issuer in enumerate(server.get("trustedIssuers") or ())
    ]
    return [
        config_map_file(name, ref["name"], ref.get("key") or CA_KEY, folder, CA_KEY)
        for name, folder, bundle in bundles
        if bundle and (ref := bundle.get("configMapRef"))
    ]


def provider_block(upstream: UpstreamProviderConfig) -> OIDCUpstreamConfig | OAuth2UpstreamConfig:
    """Return the block of a provider's type; empty if it is missing."""
    block = upstream.get("oidcConfig") if upstream.get("type") == "oidc" else upstream.get("oauth2Config")
    return block or {}
