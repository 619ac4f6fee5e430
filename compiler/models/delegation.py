"""Who may exchange tokens at the embedded authorization server (RFC 8693), as resources configure it."""

from __future__ import annotations

from typing import Annotated, Required, TypedDict

from .dated import During, Since
from .declare import Atomic, Cel, Default, Go, MaxItems, MaxLength, MinItems, MinLength, Pattern, rules
from .reference import SecretKeyRef

ShortText = Annotated[str, MinLength(1), MaxLength(256)]

LongText = Annotated[str, MinLength(1), MaxLength(2048)]

HttpUrl = Annotated[LongText, Pattern("^https?://[^[:space:]]+$")]


@rules(
    Cel(
        "has(self.clientSecretRef) && size(self.clientSecretRef.name) > 0 && size(self.clientSecretRef.key) > 0",
        "clientSecretRef needs a name and a key that are not empty",
        "clientSecretRef",
    ),
)
class DelegateClientConfig(TypedDict, total=False):
    """A confidential client that may exchange tokens."""

    clientId: Required[Annotated[ShortText, "Id of the client.", Go(name="ClientID")]]
    clientSecretRef: Required[Annotated[SecretKeyRef, "Secret of the client.", Go(pointer=True)]]
    scopes: Required[Annotated[list[ShortText], "Scopes that it may ask for.", MinItems(1), MaxItems(10), Atomic()]]
    audiences: Required[
        Annotated[list[LongText], "Resources that it may ask for (RFC 8707).", MinItems(1), MaxItems(10), Atomic()]
    ]


class JWTBearerSubjectBinding(TypedDict, total=False):
    """What one subject may ask for."""

    subject: Required[
        Annotated[str, "The sub claim of the assertion, exactly.", MinLength(1), MaxLength(256), Pattern("^[^*]+$")]
    ]
    allowedResources: Required[
        Annotated[list[HttpUrl], "Resources that it may ask for (RFC 8707).", MinItems(1), MaxItems(50), Atomic()]
    ]


@rules(
    Cel(
        "duration(self.maxAssertionAge) > duration('0s')",
        "maxAssertionAge is longer than 0s",
        "maxAssertionAge",
    ),
    Cel(
        "self.subjectBindings.all(binding, self.subjectBindings.filter(other, other.subject == binding.subject)"
        ".size() == 1)",
        "subjectBindings has each subject once",
        "subjectBindings",
    ),
)
class JWTBearerGrantConfig(TypedDict, total=False):
    """Access tokens for signed assertions of an issuer, without a client of their own (RFC 7523)."""

    maxAssertionAge: Required[
        Annotated[str, "Longest time from iat to exp of an assertion.", Go(type="v1.Duration", pointer=True)]
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
        "Audiences by which assertions name the authorization server; its token endpoint when empty.",
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
    ),
    Cel(
        "!((has(self.expectedAudience) && size(self.expectedAudience) > 0) ||"
        " (has(self.actorClaim) && size(self.actorClaim) > 0) ||"
        " (has(self.actorMatcher) && size(self.actorMatcher) > 0) || (has(self.allowMayAct) && self.allowMayAct)) ||"
        " (has(self.allowedDelegateClients) && size(self.allowedDelegateClients) > 0)",
        "allowedDelegateClients is needed with expectedAudience, actorClaim, actorMatcher or allowMayAct",
        "allowedDelegateClients",
        since="0.45.0",
    ),
)
class TrustedIssuerConfig(TypedDict, total=False):
    """Another issuer whose tokens may be exchanged, or accepted as assertions."""

    issuerUrl: Required[Annotated[LongText, "Issuer, exactly as its tokens name it.", Go(name="IssuerURL")]]
    expectedAudience: Annotated[
        LongText, "Audience that tokens to be exchanged must carry.", During(Required, until="0.45.0")
    ]
    jwksUrl: Annotated[str, "Where its keys are; discovered when empty.", MaxLength(2048), Go(name="JWKSURL")]
    insecureAllowHTTP: Annotated[bool, "Whether it may be asked over plain HTTP; for development only."]
    allowPrivateIPs: Annotated[bool, "Whether it may be at a private address."]
    actorClaim: Annotated[
        str, "Claim of its tokens that names the client that asked for them; azp when empty.", MaxLength(64)
    ]
    allowedActors: Annotated[
        list[ShortText],
        "Clients, by that claim, whose tokens may be exchanged; none when empty.",
        MaxItems(50),
        Atomic(),
    ]
    actorMatcher: Annotated[
        str,
        "CEL expression over claims; tokens for which it is true may be exchanged too.",
        MaxLength(4096),
        Since("0.45.0"),
    ]
    allowedDelegateClients: Annotated[
        list[ShortText],
        "Clients that may exchange its tokens; * alone for all confidential ones.",
        MinItems(1),
        MaxItems(50),
        Atomic(),
        During(Required, until="0.45.0"),
    ]
    allowMayAct: Annotated[
        bool,
        "Whether the may_act claim of its tokens decides, past allowedActors and actorMatcher.",
        Default(value=False),
    ]
    jwtBearerGrant: Annotated[
        JWTBearerGrantConfig,
        "Access tokens for its signed assertions (RFC 7523).",
        Go(name="JWTBearerGrant", pointer=True),
        Since("0.45.0"),
    ]
