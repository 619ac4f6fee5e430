"""The embedded OAuth authorization server, as resources configure it."""

from __future__ import annotations

from typing import Annotated, Literal, Required, TypedDict

from ..toolhive.constants import SENTINEL_PORT
from .authz import ProviderName
from .dated import During, Since
from .declare import (
    Atomic,
    Cel,
    Default,
    Go,
    Int32,
    ListMap,
    MaxItems,
    Minimum,
    MinItems,
    MinLength,
    Pattern,
    rules,
)
from .delegation import DelegateClientConfig, TrustedIssuerConfig
from .duration import DurationText
from .reference import SecretKeyRef
from .upstream import UpstreamProviderConfig

BaseUrl = Annotated[str, Pattern(r"^https?://[^\s?#]+[^/\s?#]$")]
"""An HTTP or HTTPS URL without query, fragment and trailing slash."""


class TokenLifespanConfig(TypedDict, total=False):
    """Lifetimes of tokens."""

    accessTokenLifespan: Annotated[DurationText, "Lifetime of access tokens; 1h when missing."]
    refreshTokenLifespan: Annotated[DurationText, "Lifetime of refresh tokens; 168h when missing."]
    authCodeLifespan: Annotated[DurationText, "Lifetime of authorization codes; 10m when missing."]


class SentinelServiceRef(TypedDict, total=False):
    """The Service of the Sentinels."""

    name: Required[Annotated[str, "Name of the Service."]]
    namespace: Annotated[str, "Namespace of the Service; the workload's namespace when empty."]
    port: Annotated[Int32, "Port of the Service.", Default(SENTINEL_PORT)]


class RedisSentinelConfig(TypedDict, total=False):
    """A Redis server that Sentinels watch. If both are set, sentinelAddrs takes precedence over sentinelService."""

    masterName: Required[Annotated[str, "Name of the master that the Sentinels watch."]]
    sentinelAddrs: Annotated[list[str], "Addresses of the Sentinels.", Atomic()]
    sentinelService: Annotated[SentinelServiceRef, "Service of the Sentinels."]
    db: Annotated[Int32, "Number of the Redis database.", Default(0), Go(name="DB")]


class RedisACLUserConfig(TypedDict, total=False):
    """References to the Secrets with the name and the password of the Redis user."""

    usernameSecretRef: Annotated[SecretKeyRef, "Name of the user.", Go(pointer=True), During(Required, until="0.27.0")]
    passwordSecretRef: Required[Annotated[SecretKeyRef, "Password of the user.", Go(pointer=True)]]


class RedisTLSConfig(TypedDict, total=False):
    """TLS settings of a connection to Redis. The block itself turns TLS on."""

    insecureSkipVerify: Annotated[bool, "Whether certificates are not verified."]
    caCertSecretRef: Annotated[
        SecretKeyRef, "CA certificate; the system's CAs when missing.", Go(name="CACertSecretRef")
    ]


@rules(
    Cel(
        "(self.addr.size() > 0) != has(self.sentinelConfig)",
        "exactly one of addr and sentinelConfig is needed; this release refuses sentinelConfig alone, 0.27.1 takes it",
        since="0.27.0",
        until="0.27.1",
    ),
    Cel(
        "!self.clusterMode || self.addr.size() > 0",
        "clusterMode needs an addr; this release refuses a block without clusterMode, 0.27.1 takes it",
        since="0.27.0",
        until="0.27.1",
    ),
    Cel(
        "(has(self.addr) && self.addr.size() > 0) != has(self.sentinelConfig)",
        "exactly one of addr and sentinelConfig is needed",
        since="0.27.1",
    ),
    Cel(
        "!(has(self.clusterMode) && self.clusterMode) || (has(self.addr) && self.addr.size() > 0)",
        "clusterMode needs an addr",
        "clusterMode",
        since="0.27.1",
    ),
)
class RedisStorageConfig(TypedDict, total=False):
    """Connection to the Redis server that stores the state of the authorization server."""

    addr: Annotated[str, "Address of a single Redis, or of a cluster: host and port.", Since("0.27.0")]
    clusterMode: Annotated[bool, "Whether addr is the address of a Redis cluster.", Since("0.27.0")]
    sentinelConfig: Annotated[
        RedisSentinelConfig, "Sentinels that know the Redis master.", Go(pointer=True), During(Required, until="0.27.0")
    ]
    aclUserConfig: Required[
        Annotated[RedisACLUserConfig, "Redis user that logs in.", Go(name="ACLUserConfig", pointer=True)]
    ]
    dialTimeout: Annotated[DurationText, "Timeout of connecting.", Default("5s")]
    readTimeout: Annotated[DurationText, "Timeout of reading.", Default("3s")]
    writeTimeout: Annotated[DurationText, "Timeout of writing.", Default("3s")]
    tls: Annotated[
        RedisTLSConfig, "TLS settings of the connection to the master; plain text when missing.", Go(name="TLS")
    ]
    sentinelTls: Annotated[
        RedisTLSConfig,
        "TLS settings of the connections to the Sentinels; plain text when missing, even if tls is set.",
        Go(name="SentinelTLS"),
    ]


class AuthServerStorageConfig(TypedDict, total=False):
    """Store for the state of the authorization server."""

    type: Annotated[
        Literal["memory", "redis"],
        "Kind of store.",
        Default("memory"),
        Go(type="v1alpha1.AuthServerStorageType"),
    ]
    redis: Annotated[RedisStorageConfig, "For type redis."]


class EmbeddedAuthServerCIMDConfig(TypedDict, total=False):
    """Clients whose id is the URL of a metadata document (CIMD)."""

    enabled: Required[Annotated[bool, "Whether such client ids are accepted.", Default(value=False)]]
    cacheMaxSize: Annotated[int, "Maximum number of cached documents; 256 when missing.", Minimum(1)]
    cacheFallbackTtl: Annotated[
        DurationText,
        "How long a document is cached if its response sets no time; 5m when missing.",
        Go(name="CacheFallbackTTL"),
    ]


@rules(
    Cel(
        "!(has(self.allowConfidentialClientRegistration) && self.allowConfidentialClientRegistration"
        " && has(self.insecureAllowHTTP) && self.insecureAllowHTTP)",
        "allowConfidentialClientRegistration does not go with insecureAllowHTTP: secrets would travel in plain text",
        "allowConfidentialClientRegistration",
        since="0.43.0",
    ),
    Cel(
        "!has(self.delegateClients) || size(self.delegateClients) == 0 || !self.issuer.startsWith('http://')",
        "delegateClients need an https issuer: their secrets would travel in plain text",
        "issuer",
        since="0.43.0",
    ),
    Cel(
        "(!has(self.forceConfidentialRedirectUris) || size(self.forceConfidentialRedirectUris) == 0)"
        " || (has(self.allowConfidentialClientRegistration) && self.allowConfidentialClientRegistration)",
        "forceConfidentialRedirectUris needs allowConfidentialClientRegistration",
        "forceConfidentialRedirectUris",
        since="0.43.0",
    ),
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
    upstreamProviders: Required[
        Annotated[
            list[UpstreamProviderConfig],
            "Providers that users log in to: one for MCPServer and MCPRemoteProxy, several for VirtualMCPServer.",
            MinItems(1),
            ListMap("name"),
        ]
    ]
    primaryUpstreamProvider: Annotated[
        ProviderName,
        "Upstream provider whose token supplies the claims for policies; the first provider when missing.",
        Since("0.28.3"),
    ]
    storage: Annotated[AuthServerStorageConfig, "Store for the state; memory when missing."]
    disableUpstreamTokenInjection: Annotated[
        bool,
        "Whether requests reach the server without credentials, instead of with the upstream token.",
        Default(value=False),
        Since("0.30.0"),
    ]
    insecureAllowHTTP: Annotated[
        bool,
        "Whether the issuer may use plain HTTP inside the cluster; for development only.",
        Default(value=False),
        Since("0.32.0"),
    ]
    baselineClientScopes: Annotated[
        list[Annotated[str, MinLength(1), Pattern(r"^[\x21\x23-\x5B\x5D-\x7E]+$")]],
        "Scopes that every registered client gets in addition to those that it requests.",
        MaxItems(10),
        Atomic(),
        Since("0.27.2"),
    ]
    allowConfidentialClientRegistration: Annotated[
        bool,
        "Whether clients may register as confidential and get a secret. Registration itself needs no credentials.",
        Default(value=False),
        Since("0.43.0"),
    ]
    insecureAllowConfidentialOverLoopbackHTTP: Annotated[
        bool,
        "Whether secrets may be issued if the issuer uses plain HTTP on localhost; for development only.",
        Default(value=False),
        Since("0.43.0"),
    ]
    delegateClients: Annotated[
        list[DelegateClientConfig],
        "Confidential clients that may exchange tokens (RFC 8693).",
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
