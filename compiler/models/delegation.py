"""Token exchange at the embedded authorization server (RFC 8693), as resources configure it."""

from __future__ import annotations

from typing import Annotated, Required, TypedDict

from .dated import During, Since
from .declare import Atomic, Cel, Default, Go, MaxItems, MaxLength, MinItems, MinLength, Pattern, rules
from .reference import CABundleSource, SecretKeyRef

ShortText = Annotated[str, MinLength(1), MaxLength(256)]

LongText = Annotated[str, MinLength(1), MaxLength(2048)]

RefName = Annotated[str, MinLength(1), MaxLength(253)]

HttpUrl = Annotated[LongText, Pattern("^https?://[^[:space:]]+$")]

ActorClaim = Annotated[str, "Claim that names the client that requested the token; azp when empty.", MaxLength(64)]

AllowedActors = Annotated[
    list[ShortText], "Values of actorClaim whose tokens may be exchanged; none when empty.", MaxItems(50), Atomic()
]

ActorMatcher = Annotated[
    str, "CEL expression over claims. Tokens for which it is true may also be exchanged.", MaxLength(4096)
]

DelegateClients = Annotated[
    list[ShortText],
    "Clients that may exchange tokens of this issuer; a single * allows all confidential clients.",
    MinItems(1),
    MaxItems(50),
    Atomic(),
]

MayAct = Annotated[
    bool, "Whether the may_act claim of a token can allow its exchange, regardless of allowedActors and actorMatcher."
]


@rules(
    Cel(
        "has(self.clientSecretRef) && size(self.clientSecretRef.name) > 0 && size(self.clientSecretRef.key) > 0",
        "clientSecretRef needs a name and a key that are not empty",
        "clientSecretRef",
    )
)
class DelegateClientConfig(TypedDict, total=False):
    """A confidential client that may exchange tokens."""

    clientId: Required[Annotated[ShortText, "Id of the client.", Go(name="ClientID")]]
    clientSecretRef: Required[Annotated[SecretKeyRef, "Secret of the client.", Go(pointer=True)]]
    scopes: Required[
        Annotated[list[ShortText], "Scopes that the client may request.", MinItems(1), MaxItems(10), Atomic()]
    ]
    audiences: Required[
        Annotated[list[LongText], "Resources that may be requested (RFC 8707).", MinItems(1), MaxItems(10), Atomic()]
    ]


class JWTBearerSubjectBinding(TypedDict, total=False):
    """The resources that one subject may request."""

    subject: Required[
        Annotated[
            str, "The exact value of the assertion's sub claim.", MinLength(1), MaxLength(256), Pattern("^[^*]+$")
        ]
    ]
    allowedResources: Required[
        Annotated[list[HttpUrl], "Resources that may be requested (RFC 8707).", MinItems(1), MaxItems(50), Atomic()]
    ]


JWT_BEARER_RULES = (
    Cel("duration(self.maxAssertionAge) > duration('0s')", "maxAssertionAge is longer than 0s", "maxAssertionAge"),
    Cel(
        "self.subjectBindings.all(binding, self.subjectBindings.filter(other, other.subject == binding.subject)"
        ".size() == 1)",
        "subjectBindings has each subject once",
        "subjectBindings",
    ),
)
"""Rules about the settings of the JWT bearer grant."""


@rules(*JWT_BEARER_RULES)
class JWTBearerGrantConfig(TypedDict, total=False):
    """Settings of the JWT bearer grant (RFC 7523).

    Clients exchange signed assertions for access tokens without registration.
    """

    maxAssertionAge: Required[
        Annotated[
            str, "Maximum time between the iat and exp claims of an assertion.", Go(type="v1.Duration", pointer=True)
        ]
    ]
    subjectBindings: Required[
        Annotated[
            list[JWTBearerSubjectBinding],
            "Subjects whose assertions are accepted.",
            MinItems(1),
            MaxItems(50),
            Atomic(),
        ]
    ]
    acceptedAudiences: Annotated[
        list[HttpUrl],
        "Accepted audiences of assertions; the authorization server's token endpoint when empty.",
        MaxItems(50),
        Atomic(),
    ]


@rules(
    Cel(
        "!('*' in self.allowedDelegateClients) || size(self.allowedDelegateClients) == 1",
        "allowedDelegateClients holds * alone, or the ids of clients",
        "allowedDelegateClients",
        until="0.45.0",
    ),
    Cel(
        "!has(self.allowedDelegateClients) || !('*' in self.allowedDelegateClients) ||"
        " size(self.allowedDelegateClients) == 1",
        "allowedDelegateClients holds * alone, or the ids of clients",
        "allowedDelegateClients",
        since="0.45.0",
    ),
    Cel(
        "!(has(self.allowMayAct) && self.allowMayAct && '*' in self.allowedDelegateClients)",
        "allowMayAct does not go with * in allowedDelegateClients",
        "allowMayAct",
    ),
    Cel(
        "!has(self.actorClaim) || !(self.actorClaim in ['sub', 'iss', 'aud', 'exp', 'iat', 'nbf', 'jti', 'name',"
        " 'email', 'scope', 'scp', 'may_act'])",
        "actorClaim names a reserved claim; azp, appid, cid and client_id are usual",
        "actorClaim",
    ),
    Cel(
        '!(has(self.allowPrivateIPs) && self.allowPrivateIPs) || (has(self.jwksUrl) && self.jwksUrl != "")',
        "allowPrivateIPs needs a jwksUrl",
        "allowPrivateIPs",
    ),
    Cel(
        "(has(self.jwtBearerGrant) && !((has(self.actorClaim) && size(self.actorClaim) > 0) ||"
        " (has(self.actorMatcher) && size(self.actorMatcher) > 0) || (has(self.allowMayAct) && self.allowMayAct) ||"
        " (has(self.allowedActors) && size(self.allowedActors) > 0))) ||"
        " (has(self.expectedAudience) && size(self.expectedAudience) > 0)",
        "expectedAudience is needed, unless there is a jwtBearerGrant and none of actorClaim, actorMatcher,"
        " allowMayAct and allowedActors",
        "expectedAudience",
        since="0.45.0",
        until="0.47.0",
    ),
    Cel(
        "!((has(self.expectedAudience) && size(self.expectedAudience) > 0) ||"
        " (has(self.actorClaim) && size(self.actorClaim) > 0) ||"
        " (has(self.actorMatcher) && size(self.actorMatcher) > 0) || (has(self.allowMayAct) && self.allowMayAct)) ||"
        " (has(self.allowedDelegateClients) && size(self.allowedDelegateClients) > 0)",
        "allowedDelegateClients is needed with expectedAudience, actorClaim, actorMatcher or allowMayAct",
        "allowedDelegateClients",
        since="0.45.0",
        until="0.47.0",
    ),
    Cel(
        "!((has(self.actorClaim) && size(self.actorClaim) > 0) ||"
        " (has(self.actorMatcher) && size(self.actorMatcher) > 0) || (has(self.allowMayAct) && self.allowMayAct) ||"
        " (has(self.allowedActors) && size(self.allowedActors) > 0) ||"
        " (has(self.allowedDelegateClients) && size(self.allowedDelegateClients) > 0)) ||"
        " (has(self.expectedAudience) && size(self.expectedAudience) > 0)",
        "expectedAudience is needed with actorClaim, actorMatcher, allowMayAct, allowedActors or"
        " allowedDelegateClients",
        "expectedAudience",
        since="0.49.0",
    ),
    Cel(
        "!((has(self.expectedAudience) && size(self.expectedAudience) > 0) ||"
        " (has(self.actorClaim) && size(self.actorClaim) > 0) ||"
        " (has(self.actorMatcher) && size(self.actorMatcher) > 0) || (has(self.allowMayAct) && self.allowMayAct) ||"
        " (has(self.allowedActors) && size(self.allowedActors) > 0)) ||"
        " (has(self.allowedDelegateClients) && size(self.allowedDelegateClients) > 0)",
        "allowedDelegateClients is needed with expectedAudience, actorClaim, actorMatcher, allowMayAct or"
        " allowedActors",
        "allowedDelegateClients",
        since="0.49.0",
    ),
)
class TrustedIssuerConfig(TypedDict, total=False):
    """An external issuer whose tokens may be exchanged or accepted as assertions."""

    name: Annotated[RefName, "Name by which policies of inboundGrants refer to the issuer.", Since("0.47.0")]
    issuerUrl: Required[
        Annotated[LongText, "The issuer, exactly as in the iss claim of its tokens.", Go(name="IssuerURL")]
    ]
    expectedAudience: Annotated[
        LongText, "Audience that exchanged tokens must carry.", During(Required, until="0.45.0")
    ]
    jwksUrl: Annotated[
        str, "URL of the issuer's keys (JWKS); discovered when empty.", MaxLength(2048), Go(name="JWKSURL")
    ]
    caBundleRef: Annotated[
        CABundleSource, "CA bundle of the issuer, in addition to the system's.", Go(name="CABundleRef"), Since("0.46.0")
    ]
    insecureAllowHTTP: Annotated[bool, "Whether the issuer may be reached over plain HTTP; for development only."]
    allowPrivateIPs: Annotated[bool, "Whether the issuer may have a private address."]
    actorClaim: ActorClaim
    allowedActors: AllowedActors
    actorMatcher: Annotated[ActorMatcher, Since("0.45.0")]
    allowedDelegateClients: Annotated[DelegateClients, During(Required, until="0.45.0")]
    allowMayAct: Annotated[MayAct, Default(value=False)]
    jwtBearerGrant: Annotated[
        JWTBearerGrantConfig,
        "Access tokens in exchange for assertions that the issuer signed (RFC 7523).",
        Go(name="JWTBearerGrant", pointer=True),
        Since("0.45.0"),
    ]
