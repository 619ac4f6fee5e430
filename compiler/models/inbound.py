"""Grants that give clients of the embedded authorization server tokens without a user, as resources state them."""

from __future__ import annotations

from typing import Annotated, Literal, Required, TypedDict

from .dated import Since, ValuesSince
from .declare import Atomic, Cel, Go, ListSet, MaxItems, MaxLength, MinItems, MinLength, Pattern, RefTo, rules
from .delegation import (
    JWT_BEARER_RULES,
    ActorClaim,
    ActorMatcher,
    AllowedActors,
    DelegateClientConfig,
    DelegateClients,
    JWTBearerGrantConfig,
    LongText,
    MayAct,
    RefName,
    ShortText,
)

SPIFFEMethods = Annotated[list[Literal["spiffe_x509", "spiffe_jwt"]], MinItems(1), MaxItems(2), ListSet()]

TokenAudiences = Annotated[list[LongText], "Audiences that the client may request.", MinItems(1), MaxItems(50)]


@rules(
    Cel(
        "self.principalPattern.split('/').all(segment, segment != '.' && segment != '..')",
        "principalPattern has a segment . or ..",
        "principalPattern",
    )
)
class SPIFFEClientAuthConfig(TypedDict, total=False):
    """Workloads that authenticate as a client with their SPIFFE identity."""

    trustDomainRef: Required[Annotated[RefName, "Name of an entry of spiffeTrustDomains."]]
    principalPattern: Required[
        Annotated[
            str,
            "One SPIFFE ID, or the beginning of SPIFFE IDs followed by /*.",
            MaxLength(2048),
            Pattern(r"^spiffe://[a-z0-9._-]+((/[a-zA-Z0-9._-]+)+(/\*)?|/\*)$"),
        ]
    ]
    clientId: Required[Annotated[RefName, "Id of the client.", Go(name="ClientID")]]
    methods: Required[Annotated[SPIFFEMethods, "Proofs of identity that the client may use."]]
    resources: Annotated[
        list[Annotated[LongText, Pattern("^https?://[^@#[:space:]]+$")]],
        "Resources that the client may request (RFC 8707); required from release 0.67.0 on.",
        MaxItems(50),
        ListSet(),
    ]
    audiences: Required[Annotated[TokenAudiences, ListSet()]]
    scopes: Required[
        Annotated[list[ShortText], "Scopes that the client may request.", MinItems(1), MaxItems(50), ListSet()]
    ]


@rules(
    Cel(
        "!('*' in self.allowedDelegateClients) || size(self.allowedDelegateClients) == 1",
        "allowedDelegateClients holds * alone, or the ids of clients",
        "allowedDelegateClients",
    ),
    Cel(
        "!(self.allowMayAct && '*' in self.allowedDelegateClients)",
        "allowMayAct does not go with * in allowedDelegateClients",
        "allowMayAct",
    ),
    Cel(
        "!has(self.actorClaim) || !(self.actorClaim in ['sub', 'iss', 'aud', 'exp', 'iat', 'nbf', 'jti', 'name',"
        " 'email', 'scope', 'scp', 'may_act'])",
        "actorClaim names a reserved claim; azp, appid, cid and client_id are usual",
        "actorClaim",
    ),
)
class TokenExchangeIssuerPolicy(TypedDict, total=False):
    """Tokens of a trusted issuer that may be exchanged."""

    issuerRef: Required[Annotated[RefName, "Name of an entry of trustedIssuers."]]
    expectedAudience: Required[Annotated[LongText, "Audience that exchanged tokens must carry."]]
    actorClaim: ActorClaim
    allowedActors: AllowedActors
    actorMatcher: ActorMatcher
    allowedDelegateClients: Required[DelegateClients]
    allowMayAct: MayAct


class TokenExchangeGrantConfig(TypedDict, total=False):
    """The token exchange grant (RFC 8693)."""

    delegateClients: Annotated[
        list[DelegateClientConfig], "Confidential clients that may exchange tokens.", MaxItems(10), Atomic()
    ]
    issuerPolicies: Annotated[
        list[TokenExchangeIssuerPolicy], "Tokens of trusted issuers that may be exchanged.", MaxItems(20), Atomic()
    ]


@rules(*JWT_BEARER_RULES)
class JWTBearerIssuerPolicy(JWTBearerGrantConfig, total=False):
    """Assertions of a trusted issuer that are accepted."""

    issuerRef: Required[Annotated[RefName, "Name of an entry of trustedIssuers."]]


class JWTBearerConfig(TypedDict, total=False):
    """The JWT bearer grant (RFC 7523)."""

    issuerPolicies: Annotated[
        list[JWTBearerIssuerPolicy], "Assertions of trusted issuers that are accepted.", MaxItems(20), Atomic()
    ]


class InboundGrantsConfig(TypedDict, total=False):
    """The grants that are on. A grant without a block is off, so an empty object turns all grants off."""

    spiffeClientAuth: Annotated[
        list[SPIFFEClientAuthConfig],
        "Clients that authenticate with their SPIFFE identity. They turn token exchange on.",
        MaxItems(100),
        Atomic(),
        Go(name="SPIFFEClientAuth"),
    ]
    tokenExchange: Annotated[TokenExchangeGrantConfig, "Token exchange (RFC 8693)."]
    jwtBearer: Annotated[JWTBearerConfig, "Access tokens in exchange for signed assertions (RFC 7523)."]


class SPIFFEBundleEndpointConfig(TypedDict, total=False):
    """An endpoint that serves the bundle of a trust domain."""

    url: Required[Annotated[LongText, "URL of the endpoint.", Go(name="URL")]]
    profile: Required[
        Annotated[Literal["https_web", "https_spiffe"], "How the endpoint's own certificate is verified."]
    ]


class SPIFFEWorkloadAPIConfig(TypedDict, total=False):
    """The SPIFFE Workload API of the node."""


class SPIFFEFileBundleConfig(TypedDict, total=False):
    """A bundle in a ConfigMap."""

    configMapName: Required[
        Annotated[str, "Name of the ConfigMap.", MinLength(1), RefTo("ConfigMap", key="configMapKey")]
    ]
    configMapKey: Required[Annotated[str, "Key within the ConfigMap.", MinLength(1)]]


@rules(
    Cel(
        "self.type == 'bundle_endpoint' ? has(self.endpoint) : !has(self.endpoint)",
        "endpoint goes with type bundle_endpoint, and only with it",
        "endpoint",
    ),
    Cel(
        "self.type == 'workload_api' ? has(self.workloadAPI) : !has(self.workloadAPI)",
        "workloadAPI goes with type workload_api, and only with it",
        "workloadAPI",
    ),
    Cel(
        "self.type == 'file' ? has(self.file) : !has(self.file)",
        "file goes with type file, and only with it",
        "file",
        since="0.54.0",
    ),
)
class SPIFFEBundleSourceConfig(TypedDict, total=False):
    """The source of the keys of a trust domain."""

    type: Required[
        Annotated[
            Literal["bundle_endpoint", "workload_api", "file"], "Kind of the source.", ValuesSince("0.54.0", "file")
        ]
    ]
    endpoint: Annotated[SPIFFEBundleEndpointConfig, "For type bundle_endpoint.", Go(pointer=True)]
    workloadAPI: Annotated[SPIFFEWorkloadAPIConfig, "For type workload_api.", Go(pointer=True)]
    file: Annotated[SPIFFEFileBundleConfig, "For type file.", Go(pointer=True), Since("0.54.0")]


class SPIFFETrustDomainConfig(TypedDict, total=False):
    """A SPIFFE trust domain whose workloads may authenticate."""

    name: Required[Annotated[RefName, "Name by which inboundGrants.spiffeClientAuth refers to the trust domain."]]
    trustDomain: Required[
        Annotated[
            str,
            "The trust domain, such as example.org.",
            MinLength(1),
            MaxLength(255),
            Pattern(r"^([a-z0-9_]|[a-z0-9_]([a-z0-9_-]|\.[a-z0-9_-])*[a-z0-9_])$"),
        ]
    ]
    methods: Required[Annotated[SPIFFEMethods, "Proofs of identity that are accepted."]]
    bundleSource: Required[Annotated[SPIFFEBundleSourceConfig, "Source of the trust domain's keys."]]
