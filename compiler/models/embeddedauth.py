"""The embedded OAuth authorization server, as resources configure it."""

from __future__ import annotations

from typing import Annotated, Literal, Required, TypedDict

from ..toolhive.constants import SENTINEL_PORT
from .declare import (
    Atomic,
    Default,
    Go,
    Int32,
    ListMap,
    MaxItems,
    MaxLength,
    MinItems,
    MinLength,
    Pattern,
)
from .duration import DurationText
from .reference import SecretKeyRef

BaseUrl = Annotated[str, Pattern(r"^https?://[^\s?#]+[^/\s?#]$")]
"""An address without query, fragment and slash at the end."""

HttpUrl = Annotated[str, Pattern("^https?://.*$")]


class TokenLifespanConfig(TypedDict, total=False):
    """How long tokens are good for."""

    accessTokenLifespan: Annotated[DurationText, "Access tokens; 1h when missing."]
    refreshTokenLifespan: Annotated[DurationText, "Refresh tokens; 168h when missing."]
    authCodeLifespan: Annotated[DurationText, "Authorization codes; 10m when missing."]


class UserInfoFieldMapping(TypedDict, total=False):
    """Which fields of a provider's answer identify the user; the first that is not empty counts."""

    subjectFields: Annotated[list[str], "Fields for the user's id; sub when missing.", Atomic()]
    nameFields: Annotated[list[str], "Fields for the display name; name when missing.", Atomic()]
    emailFields: Annotated[list[str], "Fields for the e-mail address; email when missing.", Atomic()]


class UserInfoConfig(TypedDict, total=False):
    """The userinfo endpoint of a provider."""

    endpointUrl: Required[Annotated[HttpUrl, "Address to ask.", Go(name="EndpointURL")]]
    httpMethod: Annotated[Literal["GET", "POST"], "Method to ask with; GET when missing.", Go(name="HTTPMethod")]
    additionalHeaders: Annotated[dict[str, str], "Headers to send besides."]
    fieldMapping: Annotated[UserInfoFieldMapping, "Fields of the answer, where they are not the usual ones."]


class OIDCUpstreamConfig(TypedDict, total=False):
    """An upstream provider that speaks OpenID Connect."""

    issuerUrl: Required[
        Annotated[str, "Issuer; its endpoints are discovered.", Pattern("^https://.*$"), Go(name="IssuerURL")]
    ]
    clientId: Required[Annotated[str, "Client id at the provider.", Go(name="ClientID")]]
    clientSecretRef: Annotated[SecretKeyRef, "Client secret; public clients use PKCE instead."]
    redirectUri: Annotated[
        str,
        "Where the provider sends users back to. No default is filled in: the server does not start without.",
        Go(name="RedirectURI"),
    ]
    scopes: Annotated[list[str], "Scopes to ask for; openid and offline_access when missing.", Atomic()]
    userInfoOverride: Annotated[UserInfoConfig, "Where the user is looked up instead of the discovered address."]


class TokenResponseMapping(TypedDict, total=False):
    """Where a provider with answers of its own puts what a token response holds; paths with dots."""

    accessTokenPath: Required[Annotated[str, "Path of the access token.", MinLength(1)]]
    scopePath: Annotated[str, "Path of the scope; scope when missing."]
    refreshTokenPath: Annotated[str, "Path of the refresh token; refresh_token when missing."]
    expiresInPath: Annotated[str, "Path of the seconds to live; expires_in when missing."]


class OAuth2UpstreamConfig(TypedDict, total=False):
    """An upstream provider that speaks OAuth 2.0 alone."""

    authorizationEndpoint: Required[Annotated[HttpUrl, "Where users are sent to log in."]]
    tokenEndpoint: Required[Annotated[HttpUrl, "Where codes become tokens."]]
    userInfo: Required[Annotated[UserInfoConfig, "The userinfo endpoint of the provider.", Go(pointer=True)]]
    clientId: Required[Annotated[str, "Client id at the provider.", Go(name="ClientID")]]
    clientSecretRef: Annotated[SecretKeyRef, "Client secret; public clients use PKCE instead."]
    redirectUri: Annotated[
        str,
        "Where the provider sends users back to. No default is filled in: the server does not start without.",
        Go(name="RedirectURI"),
    ]
    scopes: Annotated[list[str], "Scopes to ask for.", Atomic()]
    tokenResponseMapping: Annotated[TokenResponseMapping, "Where the answer holds what, if not in the usual places."]


class UpstreamProviderConfig(TypedDict, total=False):
    """A provider that users log in to."""

    name: Required[
        Annotated[
            str,
            "Name of the provider.",
            MinLength(1),
            MaxLength(63),
            Pattern("^[a-z0-9]([a-z0-9-]*[a-z0-9])?$"),
        ]
    ]
    type: Required[Annotated[Literal["oidc", "oauth2"], "What it speaks.", Go(type="v1alpha1.UpstreamProviderType")]]
    oidcConfig: Annotated[OIDCUpstreamConfig, "For type oidc.", Go(name="OIDCConfig")]
    oauth2Config: Annotated[OAuth2UpstreamConfig, "For type oauth2.", Go(name="OAuth2Config")]


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

    usernameSecretRef: Required[Annotated[SecretKeyRef, "Name of the user.", Go(pointer=True)]]
    passwordSecretRef: Required[Annotated[SecretKeyRef, "Password of the user.", Go(pointer=True)]]


class RedisTLSConfig(TypedDict, total=False):
    """TLS; the block itself turns it on."""

    insecureSkipVerify: Annotated[bool, "Whether certificates go unchecked."]
    caCertSecretRef: Annotated[
        SecretKeyRef, "CA certificate; those of the system when missing.", Go(name="CACertSecretRef")
    ]


class RedisStorageConfig(TypedDict, total=False):
    """State kept in Redis."""

    sentinelConfig: Required[Annotated[RedisSentinelConfig, "Where Redis is.", Go(pointer=True)]]
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
    storage: Annotated[AuthServerStorageConfig, "Where state is kept; in memory when missing."]
