"""The embedded OAuth authorization server, as resources configure it."""

from __future__ import annotations

from typing import Annotated, Literal, Required, TypedDict

from .authz import ProviderName
from .dated import During, Since
from .declare import Atomic, Cel, Default, Go, ListMap, MaxItems, Minimum, MinItems, MinLength, Pattern, Switch, rules
from .delegation import DelegateClientConfig, TrustedIssuerConfig
from .duration import DurationText
from .grantrule import GRANT_RULES
from .inbound import InboundGrantsConfig, SPIFFETrustDomainConfig
from .redis import RedisStorageConfig
from .reference import SecretKeyRef
from .upstream import UpstreamProviderConfig

BaseUrl = Annotated[str, Pattern(r"^https?://[^\s?#]+[^/\s?#]$")]
"""An HTTP or HTTPS URL without query, fragment and trailing slash."""


class TokenLifespanConfig(TypedDict, total=False):
    """Lifetimes of tokens."""

    accessTokenLifespan: Annotated[DurationText, "Lifetime of access tokens; 1h when missing."]
    refreshTokenLifespan: Annotated[DurationText, "Lifetime of refresh tokens; 168h when missing."]
    authCodeLifespan: Annotated[DurationText, "Lifetime of authorization codes; 10m when missing."]


class AuthServerStorageConfig(TypedDict, total=False):
    """Store for the state of the authorization server."""

    type: Annotated[
        Literal["memory", "redis"], "Kind of store.", Default("memory"), Go(type="v1alpha1.AuthServerStorageType")
    ]
    redis: Annotated[RedisStorageConfig, "For type redis."]


class EmbeddedAuthServerCIMDConfig(TypedDict, total=False):
    """Clients whose id is the URL of a metadata document (CIMD)."""

    enabled: Required[Annotated[Switch, "Whether such client ids are accepted."]]
    cacheMaxSize: Annotated[int, "Maximum number of cached documents; 256 when missing.", Minimum(1)]
    cacheFallbackTtl: Annotated[
        DurationText,
        "How long a document is cached if its response sets no time; 5m when missing.",
        Go(name="CacheFallbackTTL"),
    ]


class AuthServerTLSListenerConfig(TypedDict, total=False):
    """Certificate and key of the listener for HTTPS."""

    certificateSecretRef: Required[Annotated[SecretKeyRef, "Certificate of the listener.", Go(pointer=True)]]
    privateKeySecretRef: Required[Annotated[SecretKeyRef, "Private key of the certificate.", Go(pointer=True)]]


@rules(
    Cel(
        "!(has(self.allowConfidentialClientRegistration) && self.allowConfidentialClientRegistration"
        " && has(self.insecureAllowHTTP) && self.insecureAllowHTTP)",
        "allowConfidentialClientRegistration does not go with insecureAllowHTTP: secrets would travel in plain text",
        "allowConfidentialClientRegistration",
        since="0.43.0",
        until="0.49.0",
    ),
    Cel(
        "!has(self.delegateClients) || size(self.delegateClients) == 0 || !self.issuer.startsWith('http://')",
        "delegateClients need an https issuer: their secrets would travel in plain text",
        "issuer",
        since="0.43.0",
        until="0.46.0",
    ),
    *GRANT_RULES,
)
class EmbeddedAuthServerConfig(TypedDict, total=False):
    """An authorization server inside the proxy. It issues tokens to clients after users have logged in upstream."""

    issuer: Required[
        Annotated[
            BaseUrl, "URL of the issuer: HTTPS, or HTTP for localhost, without query, fragment and trailing slash."
        ]
    ]
    authorizationEndpointBaseUrl: Annotated[
        BaseUrl,
        "Base URL of the authorization endpoint, if it is not the issuer. Other endpoints keep the issuer.",
        Go(name="AuthorizationEndpointBaseURL"),
    ]
    signingKeySecretRefs: Annotated[
        list[SecretKeyRef],
        "Keys that sign tokens. The first signs, the others only verify. When missing, each start creates a new key.",
        MaxItems(5),
        Atomic(),
    ]
    hmacSecretRefs: Annotated[
        list[SecretKeyRef],
        "Secrets for codes and refresh tokens, at least 32 bytes each, the current secret first."
        " When missing, each start creates a new secret.",
        Atomic(),
        Go(name="HMACSecretRefs"),
    ]
    tokenLifespans: Annotated[TokenLifespanConfig, "Lifetimes of tokens."]
    upstreamProviders: Annotated[
        list[UpstreamProviderConfig],
        "Providers that users log in to: one for MCPServer and MCPRemoteProxy, several for VirtualMCPServer.",
        ListMap("name"),
        During(MinItems(1), until="0.46.0"),
        During(Required, until="0.46.0"),
    ]
    primaryUpstreamProvider: Annotated[
        ProviderName,
        "Upstream provider whose token supplies the claims for policies; the first provider when missing.",
        Since("0.28.3"),
    ]
    storage: Annotated[AuthServerStorageConfig, "Store for the state; memory when missing."]
    disableUpstreamTokenInjection: Annotated[
        Switch,
        "Whether requests reach the server without credentials, instead of with the upstream token.",
        Since("0.30.0"),
    ]
    insecureAllowHTTP: Annotated[
        Switch, "Whether the issuer may use plain HTTP inside the cluster; for development only.", Since("0.32.0")
    ]
    baselineClientScopes: Annotated[
        list[Annotated[str, MinLength(1), Pattern(r"^[\x21\x23-\x5B\x5D-\x7E]+$")]],
        "Scopes that every registered client gets in addition to those that it requests.",
        MaxItems(10),
        Atomic(),
        Since("0.27.2"),
    ]
    allowConfidentialClientRegistration: Annotated[
        Switch,
        "Whether clients may register as confidential and get a secret. Registration itself needs no credentials.",
        Since("0.43.0"),
    ]
    insecureAllowConfidentialOverLoopbackHTTP: Annotated[
        Switch,
        "Whether secrets may be issued if the issuer uses plain HTTP on localhost; for development only.",
        Since("0.43.0"),
    ]
    allowPrivateKeyJWTRegistration: Annotated[
        Switch,
        "Whether clients may register with keys of their own, for token exchange alone (private_key_jwt).",
        Since("0.46.0"),
    ]
    inboundGrants: Annotated[
        InboundGrantsConfig,
        "Grants by which clients get tokens without a user. When missing, token exchange is on.",
        Since("0.47.0"),
    ]
    spiffeTrustDomains: Annotated[
        list[SPIFFETrustDomainConfig],
        "SPIFFE trust domains whose workloads inboundGrants.spiffeClientAuth lets in.",
        MinItems(1),
        MaxItems(50),
        Atomic(),
        Go(name="SPIFFETrustDomains"),
        Since("0.47.0"),
    ]
    tlsListener: Annotated[
        AuthServerTLSListenerConfig,
        "Listener for HTTPS on port 8443, on which clients present certificates.",
        Go(name="TLSListener"),
        Since("0.52.0"),
    ]
    delegateClients: Annotated[
        list[DelegateClientConfig],
        "Confidential clients that may exchange tokens (RFC 8693). Prefer inboundGrants.tokenExchange.",
        MaxItems(10),
        Atomic(),
        Since("0.43.0"),
    ]
    trustedIssuers: Annotated[
        list[TrustedIssuerConfig],
        "External issuers whose tokens may be exchanged (RFC 8693). When missing, only tokens of"
        " the server itself may be exchanged.",
        MaxItems(20),
        Atomic(),
        Since("0.44.0"),
    ]
    forceConfidentialRedirectUris: Annotated[
        list[Annotated[str, Pattern(r"^https://[^\s?#]+$")]],
        "Redirect URIs whose clients are always registered as confidential.",
        MaxItems(10),
        Atomic(),
        Go(name="ForceConfidentialRedirectURIs"),
        Since("0.43.0"),
    ]
    cimd: Annotated[
        EmbeddedAuthServerCIMDConfig,
        "Clients whose id is the URL of a metadata document (CIMD); refused when missing.",
        Go(name="CIMD"),
        Since("0.29.0"),
    ]
