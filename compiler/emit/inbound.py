"""Grants and SPIFFE trust domains of the embedded authorization server, as its process reads them.

Source: the reference of the auth server's run configuration, v0.47.0 to v0.54.0, and ``buildInboundGrantsRunConfig``
in the operator. The order of the keys is not known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..toolhive.constants import AUTH_SERVER_PATH
from . import delegation
from .volume import SECRET_FILE_MODE, Mounted, config_map

if TYPE_CHECKING:
    from ..models.embeddedauth import EmbeddedAuthServerConfig
    from ..models.inbound import InboundGrantsConfig, SPIFFEClientAuthConfig, TokenExchangeIssuerPolicy
    from ..workspace.resource import Resource
    from .build import Object

BUNDLES: Final = f"{AUTH_SERVER_PATH}/spiffe-bundles"
_BUNDLE_FILE: Final = "bundle.json"
_TOKEN_EXCHANGE: Final = "urn:ietf:params:oauth:grant-type:token-exchange"  # noqa: S105 - the name of a grant


def grants(given: InboundGrantsConfig | None, resource: Resource) -> Object | None:
    """Return ``inbound_grants``. An empty object turns all grants off; ``None`` leaves token exchange on."""
    if given is None:
        return None
    exchange, bearer = given.get("tokenExchange"), given.get("jwtBearer")
    return {
        "spiffe_client_auth": [_workload(client) for client in given.get("spiffeClientAuth") or ()],
        "token_exchange": None
        if exchange is None
        else {
            "delegate_clients": delegation.clients(exchange.get("delegateClients"), resource),
            "issuer_policies": [_exchange_policy(policy) for policy in exchange.get("issuerPolicies") or ()],
        },
        "jwt_bearer": None
        if bearer is None
        else {
            "issuer_policies": [
                {"issuer_ref": policy["issuerRef"]} | delegation.assertion_grant(policy)
                for policy in bearer.get("issuerPolicies") or ()
            ]
        },
    }


def _workload(client: SPIFFEClientAuthConfig) -> Object:
    """Return a client of a SPIFFE workload. Its grant is fixed: up to v0.66.0 no field of the resource states it."""
    return {
        "trust_domain_ref": client.get("trustDomainRef"),
        "principal_pattern": client.get("principalPattern"),
        "client_id": client.get("clientId"),
        "methods": client.get("methods"),
        "resources": client.get("resources"),
        "audiences": client.get("audiences"),
        "scopes": client.get("scopes"),
        "grant_types": [_TOKEN_EXCHANGE],
    }


def _exchange_policy(policy: TokenExchangeIssuerPolicy) -> Object:
    return {
        "issuer_ref": policy.get("issuerRef"),
        "expected_audience": policy.get("expectedAudience"),
        "actor_claim": policy.get("actorClaim"),
        "allowed_actors": policy.get("allowedActors"),
        "actor_matcher": policy.get("actorMatcher"),
        "allowed_delegate_clients": policy.get("allowedDelegateClients"),
        "allow_may_act": bool(policy.get("allowMayAct")),
    }


def trust_domains(server: EmbeddedAuthServerConfig, resource: Resource) -> list[Object]:
    """Return ``spiffe_trust_domains``. Up to v0.51.4, the process does not start with any."""
    folder = resource.profile.spell(BUNDLES)
    return [
        {
            "name": domain.get("name"),
            "trust_domain": domain.get("trustDomain"),
            "methods": domain.get("methods"),
            "bundle_source": {
                "type": domain["bundleSource"].get("type"),
                "endpoint": domain["bundleSource"].get("endpoint"),
                "file": {"path": f"{folder}/{i}/{_BUNDLE_FILE}"} if domain["bundleSource"].get("file") else None,
                "workload_api": domain["bundleSource"].get("workloadAPI"),
            },
        }
        for i, domain in enumerate(server.get("spiffeTrustDomains") or ())
    ]


def bundles(server: EmbeddedAuthServerConfig, resource: Resource) -> list[Mounted]:
    """Return the mounts of trust domains whose keys are in a ConfigMap. Folders are mounted, so updates arrive."""
    folder = resource.profile.spell(BUNDLES)
    mounts = []
    for i, domain in enumerate(server.get("spiffeTrustDomains") or ()):
        file = domain["bundleSource"].get("file")
        if file is None:
            continue
        items = {file["configMapKey"]: _BUNDLE_FILE}
        mounted = config_map(f"authserver-spiffe-bundle-{i}", file["configMapName"], f"{folder}/{i}", items)
        mounted.volume["configMap"]["defaultMode"] = SECRET_FILE_MODE
        mounts.append(mounted)
    return mounts
