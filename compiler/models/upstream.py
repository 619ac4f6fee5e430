"""Upstream providers of the embedded authorization server, as resources configure them."""

from __future__ import annotations

from typing import Annotated, Literal, Required, TypedDict

from .authz import ProviderName
from .dated import During, Since
from .declare import Atomic, Cel, Go, MaxLength, MaxProperties, MinLength, Pattern, not_both, rules
from .reference import CABundleSource, SecretKeyRef

HttpUrl = Annotated[str, Pattern("^https?://.*$")]

HttpsUrl = Annotated[str, Pattern(r"^https://[^\s?#]+[^/\s?#]$"), MaxLength(2048)]
"""An HTTPS URL without query, fragment and trailing slash."""

TokenPath = Annotated[str, MinLength(1), MaxLength(256)]

RequestParameters = Annotated[
    dict[str, str],
    "Additional parameters of authorization requests. Parameters of the protocol itself are refused.",
    MaxProperties(16),
    Since("0.22.0"),
]


TokenParameters = Annotated[
    dict[str, str],
    "Additional parameters of token requests. Parameters of the protocol itself are refused.",
    MaxProperties(16),
    Since("0.46.0"),
]

RedirectUri = Annotated[
    str,
    "URL to which the provider sends users back. The operator sets no default, and the server"
    " does not start without it.",
    Go(name="RedirectURI"),
]

ProviderBundle = Annotated[
    CABundleSource, "CA bundle of the provider, in addition to the system's.", Go(name="CABundleRef"), Since("0.46.0")
]


def _registration_rules(since: str) -> tuple[Cel, ...]:
    """Return the rules for a provider at which the server has a client, or registers one (RFC 7591)."""
    return (
        Cel(
            "(has(self.clientId) && size(self.clientId) > 0) ? !has(self.dcrConfig) : has(self.dcrConfig)",
            "exactly one of clientId and dcrConfig is needed",
            since=since,
        ),
        Cel(
            "!(has(self.dcrConfig) && has(self.clientSecretRef))",
            "clientSecretRef does not go with dcrConfig, which obtains the secret itself",
            "clientSecretRef",
            since,
        ),
    )


class UserInfoFieldMapping(TypedDict, total=False):
    """Fields of the userinfo response that describe the user. Of each list, the first field with a value is used."""

    subjectFields: Annotated[list[str], "Fields for the user's id; sub when missing.", Atomic()]
    nameFields: Annotated[list[str], "Fields for the display name; name when missing.", Atomic()]
    emailFields: Annotated[list[str], "Fields for the e-mail address; email when missing.", Atomic()]


class UserInfoConfig(TypedDict, total=False):
    """The userinfo endpoint of a provider."""

    endpointUrl: Required[Annotated[HttpUrl, "URL of the endpoint.", Go(name="EndpointURL")]]
    httpMethod: Annotated[Literal["GET", "POST"], "Method to ask with; GET when missing.", Go(name="HTTPMethod")]
    additionalHeaders: Annotated[dict[str, str], "Additional headers to send."]
    fieldMapping: Annotated[UserInfoFieldMapping, "Names of the fields in the answer, if they are not the usual ones."]


@rules(
    Cel(
        "has(self.discoveryUrl) != has(self.registrationEndpoint)",
        "exactly one of discoveryUrl and registrationEndpoint is needed",
        until="0.46.0",
    ),
    not_both("discoveryUrl", "registrationEndpoint", "0.46.0"),
)
class DCRUpstreamConfig(TypedDict, total=False):
    """Registration of the client at the provider when the server starts (RFC 7591)."""

    discoveryUrl: Annotated[HttpsUrl, "Document that names the provider's endpoints.", Go(name="DiscoveryURL")]
    registrationEndpoint: Annotated[HttpsUrl, "Registration endpoint, if the endpoints are not discovered."]
    initialAccessTokenRef: Annotated[SecretKeyRef, "Token for the registration."]
    softwareId: Annotated[str, "Id of the software that the provider sees.", MaxLength(255), Go(name="SoftwareID")]
    softwareStatement: Annotated[
        str, "Signed statement about the software. Everybody who may read the resource sees it.", MaxLength(16384)
    ]


@rules(
    *_registration_rules("0.46.0"),
    Cel(
        "!(has(self.dcrConfig) && has(self.dcrConfig.discoveryUrl) && has(self.dcrConfig.registrationEndpoint))",
        "either discoveryUrl or registrationEndpoint of dcrConfig, not both",
        "dcrConfig",
        since="0.46.0",
    ),
)
class OIDCUpstreamConfig(TypedDict, total=False):
    """An upstream provider that speaks OpenID Connect."""

    issuerUrl: Required[
        Annotated[
            str, "URL of the issuer. Its endpoints are discovered.", Pattern("^https://.*$"), Go(name="IssuerURL")
        ]
    ]
    clientId: Annotated[str, "Client id at the provider.", Go(name="ClientID"), During(Required, until="0.46.0")]
    clientSecretRef: Annotated[SecretKeyRef, "Client secret. Public clients have none and use PKCE."]
    redirectUri: RedirectUri
    scopes: Annotated[list[str], "Scopes to ask for; openid and offline_access when missing.", Atomic()]
    userInfoOverride: Annotated[UserInfoConfig, "Userinfo endpoint to use instead of the discovered one."]
    additionalAuthorizationParams: RequestParameters
    subjectClaim: Annotated[
        str,
        "Claim of the ID token that identifies the user; sub when empty. Its value must never change.",
        MaxLength(128),
        Pattern("^([a-zA-Z_][a-zA-Z0-9_]*)?$"),
        Since("0.30.1"),
    ]
    additionalTokenParams: TokenParameters
    caBundleRef: ProviderBundle
    allowPrivateIPs: Annotated[bool, "Whether the provider may have a private address.", Since("0.46.0")]
    dcrConfig: Annotated[
        DCRUpstreamConfig,
        "Registration of the client when the server starts, instead of clientId. The registration endpoint is that of"
        " the issuer's discovery document, unless dcrConfig names one.",
        Go(name="DCRConfig", pointer=True),
        Since("0.46.0"),
    ]


class TokenResponseMapping(TypedDict, total=False):
    """Paths to the fields of a provider's non-standard token response. Steps are separated by dots."""

    accessTokenPath: Required[Annotated[str, "Path of the access token.", MinLength(1)]]
    scopePath: Annotated[str, "Path of the scope; scope when missing."]
    refreshTokenPath: Annotated[str, "Path of the refresh token; refresh_token when missing."]
    expiresInPath: Annotated[str, "Path of the lifetime in seconds; expires_in when missing."]


class IdentityFromTokenConfig(TypedDict, total=False):
    """Paths to the user's identity in the token response, steps separated by dots. Only TLS protects the response."""

    subjectPath: Required[Annotated[TokenPath, "Path of the user's id."]]
    namePath: Annotated[TokenPath, "Path of the display name."]
    emailPath: Annotated[TokenPath, "Path of the e-mail address."]


@rules(
    *_registration_rules("0.27.0"),
    Cel(
        "!has(self.dcrConfig) || (has(self.dcrConfig.discoveryUrl) != has(self.dcrConfig.registrationEndpoint))",
        "exactly one of discoveryUrl and registrationEndpoint of dcrConfig is needed",
        "dcrConfig",
        since="0.46.0",
    ),
)
class OAuth2UpstreamConfig(TypedDict, total=False):
    """An upstream provider that speaks OAuth 2.0 without OpenID Connect."""

    authorizationEndpoint: Required[Annotated[HttpUrl, "Authorization endpoint, to which users are sent to log in."]]
    tokenEndpoint: Required[Annotated[HttpUrl, "Token endpoint, which exchanges authorization codes for tokens."]]
    userInfo: Annotated[
        UserInfoConfig, "The userinfo endpoint of the provider.", Go(pointer=True), During(Required, until="0.26.0")
    ]
    clientId: Annotated[str, "Client id at the provider.", Go(name="ClientID"), During(Required, until="0.27.0")]
    clientSecretRef: Annotated[SecretKeyRef, "Client secret. Public clients have none and use PKCE."]
    redirectUri: RedirectUri
    scopes: Annotated[list[str], "Scopes to ask for.", Atomic()]
    tokenResponseMapping: Annotated[
        TokenResponseMapping, "Paths to the fields of the token response, if they are not the usual ones."
    ]
    identityFromToken: Annotated[
        IdentityFromTokenConfig,
        "Paths to the user's identity in the token response. userInfo is then not used.",
        Since("0.28.0"),
    ]
    additionalAuthorizationParams: RequestParameters
    insecureAllowHTTP: Annotated[
        bool, "Whether the endpoints may be reached over plain HTTP; for development only.", Since("0.43.0")
    ]
    allowPrivateIPs: Annotated[bool, "Whether the endpoints may have a private address.", Since("0.43.0")]
    dcrConfig: Annotated[
        DCRUpstreamConfig,
        "Registration of the client when the server starts, instead of clientId.",
        Go(name="DCRConfig"),
        Since("0.27.0"),
    ]
    tokenEndpointAuthMethod: Annotated[
        Literal["none", "client_secret_basic", "client_secret_post"],
        "How the client authenticates at the token endpoint; chosen by the secret when missing.",
        Since("0.46.0"),
    ]
    additionalTokenParams: TokenParameters
    caBundleRef: ProviderBundle


@rules(
    Cel(
        "self.type == 'oidc' ? (has(self.oidcConfig) && !has(self.oauth2Config)) : self.type == 'oauth2' ?"
        " (has(self.oauth2Config) && !has(self.oidcConfig)) : false",
        "oidcConfig goes with type oidc, oauth2Config with type oauth2, and neither with the other",
        since="0.27.0",
    )
)
class UpstreamProviderConfig(TypedDict, total=False):
    """A provider that users log in to."""

    name: Required[Annotated[ProviderName, "Name of the provider."]]
    type: Required[
        Annotated[Literal["oidc", "oauth2"], "Protocol of the provider.", Go(type="v1alpha1.UpstreamProviderType")]
    ]
    oidcConfig: Annotated[OIDCUpstreamConfig, "For type oidc.", Go(name="OIDCConfig")]
    oauth2Config: Annotated[OAuth2UpstreamConfig, "For type oauth2.", Go(name="OAuth2Config")]
