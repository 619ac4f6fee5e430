"""Who may exchange tokens at the embedded authorization server (RFC 8693), as resources configure it."""

from __future__ import annotations

from typing import Annotated, Required, TypedDict

from .declare import Atomic, Cel, Default, Go, MaxItems, MaxLength, MinItems, MinLength, rules
from .reference import SecretKeyRef

ShortText = Annotated[str, MinLength(1), MaxLength(256)]

LongText = Annotated[str, MinLength(1), MaxLength(2048)]


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


@rules(
    Cel(
        "!('*' in self.allowedDelegateClients) || size(self.allowedDelegateClients) == 1",
        "allowedDelegateClients holds * alone, or the ids of clients",
        "allowedDelegateClients",
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
)
class TrustedIssuerConfig(TypedDict, total=False):
    """Another issuer whose tokens may be exchanged."""

    issuerUrl: Required[Annotated[LongText, "Issuer, exactly as its tokens name it.", Go(name="IssuerURL")]]
    expectedAudience: Required[Annotated[LongText, "Audience that its tokens must carry."]]
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
    allowedDelegateClients: Required[
        Annotated[
            list[ShortText],
            "Clients that may exchange its tokens; * alone for all confidential ones.",
            MinItems(1),
            MaxItems(50),
            Atomic(),
        ]
    ]
    allowMayAct: Annotated[
        bool, "Whether the may_act claim of its tokens decides, past allowedActors.", Default(value=False)
    ]
