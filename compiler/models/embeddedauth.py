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
"""An address without query, fragment and slash at the end."""


class TokenLifespanConfig(TypedDict, total=False):
    """How long tokens are good for."""

    accessTokenLifespan: Annotated[DurationText, "Access tokens; 1h when missing."]
    refreshTokenLifespan: Annotated[DurationText, "Refresh tokens; 168h when missing."]
    authCodeLifespan: Annotated[DurationText, "Authorization codes; 10m when missing."]


class SentinelServiceRef(TypedDict, total=False):
    """A Service behind which the Sentinels are."""

    name: Required[Annotated[str, "Name of the Service."]]
    namespace: Annotated[str, "Namespace of the Service; that of the workload when empty."]
    port: Annotated[Int32, "Port of the Service.", Default(SENTINEL_PORT)]


class RedisSentinelConfig(TypedDict, total=False):
    """Redis behind Sentinels; sentinelAddrs is used where both it and sentinelService are given."""

    masterName: Required[Annotated[str, "Name of the master that the Sentinels watch."]]
    sentinelAddrs: Annotated[list[str], "Addresses of the Sentinels.", Atomic()]
    sentinelService: Annotated[SentinelServiceRef, "Service of the Sentinels."]
    db: Annotated[Int32, "Number of the Redis database.", Default(0), Go(name="DB")]


class RedisACLUserConfig(TypedDict, total=False):
    """The Redis user."""

    usernameSecretRef: Annotated[SecretKeyRef, "Name of the user.", Go(pointer=True), During(Required, until="0.27.0")]
    passwordSecretRef: Required[Annotated[SecretKeyRef, "Password of the user.", Go(pointer=True)]]


class RedisTLSConfig(TypedDict, total=False):
    """TLS; the block itself turns it on."""

    insecureSkipVerify: Annotated[bool, "Whether certificates go unchecked."]
    caCertSecretRef: Annotated[
        SecretKeyRef, "CA certificate; those of the system when missing.", Go(name="CACertSecretRef")
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
    """State kept in Redis."""

    addr: Annotated[str, "Address of a single Redis, or of a cluster: host and port.", Since("0.27.0")]
    clusterMode: Annotated[bool, "Whether addr leads to a Redis cluster.", Since("0.27.0")]
    sentinelConfig: Annotated[
        RedisSentinelConfig, "Sentinels that know where Redis is.", Go(pointer=True), During(Required, until="0.27.0")
    ]
    aclUserConfig: Required[Annotated[RedisACLUserConfig, "Who logs in.", Go(name="ACLUserConfig", pointer=True)]]
    dialTimeout: Annotated[DurationText, "Time to connect.", Default("5s")]
    readTimeout: Annotated[DurationText, "Time to read.", Default("3s")]
    writeTimeout: Annotated[DurationText, "Time to write.", Default("3s")]
    tls: Annotated[RedisTLSConfig, "TLS towards the master; plain text when missing.", Go(name="TLS")]
    sentinelTls: Annotated[
        RedisTLSConfig,
        "TLS towards the Sentinels; plain text when missing, whatever tls says.",
        Go(name="SentinelTLS"),
    ]


class AuthServerStorageConfig(TypedDict, total=False):
    """Where the authorization server keeps its state."""

    type: Annotated[
        Literal["memory", "redis"],
        "Kind of store.",
        Default("memory"),
        Go(type="v1alpha1.AuthServerStorageType"),
    ]
    redis: Annotated[RedisStorageConfig, "For type redis."]


class EmbeddedAuthServerCIMDConfig(TypedDict, total=False):
    """Clients whose id is the address of a document about them."""

    enabled: Required[Annotated[bool, "Whether such ids are taken.", Default(value=False)]]
    cacheMaxSize: Annotated[int, "Most documents that are kept; 256 when missing.", Minimum(1)]
    cacheFallbackTtl: Annotated[
        DurationText, "How long a document is kept; 5m when missing.", Go(name="CacheFallbackTTL")
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
    """An authorization server inside the proxy. It issues tokens to clients once users logged in upstream."""

    issuer: Required[
        Annotated[BaseUrl, "Issuer of the tokens; HTTPS, or HTTP for localhost; without query, fragment, last slash."]
    ]
    authorizationEndpointBaseUrl: Annotated[
        BaseUrl,
        "Base of the authorization endpoint alone, where it is not the issuer.",
        Go(name="AuthorizationEndpointBaseURL"),
    ]
    signingKeySecretRefs: Annotated[
        list[SecretKeyRef],
        "Keys that sign tokens: the first signs, the others still verify. A new key at each start when missing.",
        MaxItems(5),
        Atomic(),
    ]
    hmacSecretRefs: Annotated[
        list[SecretKeyRef],
        "Secrets for codes and refresh tokens, at least 32 bytes, the current one first. A new one when missing.",
        Atomic(),
        Go(name="HMACSecretRefs"),
    ]
    tokenLifespans: Annotated[TokenLifespanConfig, "How long tokens are good for."]
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
        "Upstream provider whose token has the claims that policies look at; the first when missing.",
        Since("0.28.3"),
    ]
    storage: Annotated[AuthServerStorageConfig, "Where state is kept; in memory when missing."]
    disableUpstreamTokenInjection: Annotated[
        bool,
        "Whether requests go to the server without credentials, instead of with the upstream token.",
        Default(value=False),
        Since("0.30.0"),
    ]
    insecureAllowHTTP: Annotated[
        bool,
        "Whether the issuer may be plain HTTP inside the cluster; for development only.",
        Default(value=False),
        Since("0.32.0"),
    ]
    baselineClientScopes: Annotated[
        list[Annotated[str, MinLength(1), Pattern(r"^[\x21\x23-\x5B\x5D-\x7E]+$")]],
        "Scopes that every registered client gets beside those that it asks for.",
        MaxItems(10),
        Atomic(),
        Since("0.27.2"),
    ]
    allowConfidentialClientRegistration: Annotated[
        bool,
        "Whether clients that register may get a secret. Registration asks for no credentials.",
        Default(value=False),
        Since("0.43.0"),
    ]
    insecureAllowConfidentialOverLoopbackHTTP: Annotated[
        bool,
        "Whether they may with an issuer of plain HTTP on localhost; for development only.",
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
        "Other issuers whose tokens may be exchanged (RFC 8693); only the server's own when missing.",
        MaxItems(20),
        Atomic(),
        Since("0.44.0"),
    ]
    forceConfidentialRedirectUris: Annotated[
        list[Annotated[str, Pattern(r"^https://[^\s?#]+$")]],
        "Redirect addresses whose clients are registered as confidential whatever they ask for.",
        MaxItems(10),
        Atomic(),
        Go(name="ForceConfidentialRedirectURIs"),
        Since("0.43.0"),
    ]
    cimd: Annotated[
        EmbeddedAuthServerCIMDConfig,
        "Clients whose id is the address of a document about them; none when missing.",
        Go(name="CIMD"),
        Since("0.29.0"),
    ]
