"""MCPExternalAuthConfig: how to authenticate towards other services, or an embedded authorization server."""

from __future__ import annotations

from typing import Annotated, Literal, Required, TypedDict

from .declare import (
    Atomic,
    Cel,
    Default,
    Go,
    Int32,
    Maximum,
    Minimum,
    MinLength,
    Neutral,
    Pattern,
    rules,
)
from .embeddedauth import EmbeddedAuthServerConfig
from .reference import SecretKeyRef
from .status import Conditions, ConfigHash, ObservedGeneration, ReferencingWorkloads

RoleArn = Annotated[str, Pattern(r"^arn:(aws|aws-cn|aws-us-gov):iam::\d{12}:role/[\w+=,.@\-_/]+$")]


class TokenExchangeConfig(TypedDict, total=False):
    """Exchange of the incoming token for one of the other service (RFC 8693)."""

    tokenUrl: Required[Annotated[str, "Token endpoint.", Go(name="TokenURL")]]
    clientId: Annotated[str, "Client id; some flows do without.", Go(name="ClientID")]
    clientSecretRef: Annotated[SecretKeyRef, "Client secret; some flows do without."]
    audience: Required[Annotated[str, "Audience of the wanted token."]]
    scopes: Annotated[list[str], "Scopes of the wanted token.", Atomic()]
    subjectTokenType: Annotated[
        str,
        "Type of the token that is handed in, short or as a URN; an access token when empty.",
        Pattern(
            r"^(access_token|id_token|jwt|urn:ietf:params:oauth:token-type:(access_token|id_token|jwt))?$",
        ),
    ]
    externalTokenHeaderName: Annotated[str, "Header for the exchanged token; Authorization is replaced when empty."]
    subjectProviderName: Annotated[
        str,
        "Upstream provider whose token is handed in instead of the incoming one; for virtual servers.",
    ]


class HeaderInjectionConfig(TypedDict, total=False):
    """A header with a secret value."""

    headerName: Required[Annotated[str, "Name of the header.", MinLength(1)]]
    valueSecretRef: Required[Annotated[SecretKeyRef, "Value of the header.", Go(pointer=True)]]


class BearerTokenConfig(TypedDict, total=False):
    """A fixed bearer token."""

    tokenSecretRef: Required[Annotated[SecretKeyRef, "The token.", Go(pointer=True)]]


class UpstreamInjectSpec(TypedDict, total=False):
    """The access token of an upstream provider as bearer token."""

    providerName: Required[
        Annotated[str, "Name of an upstream provider of the embedded authorization server.", MinLength(1)]
    ]


class RoleMapping(TypedDict, total=False):
    """One way to a role: a claim's value, or an expression over all claims."""

    claim: Annotated[str, "Value that the role claim must hold.", MinLength(1)]
    matcher: Annotated[str, "CEL expression over claims that must be true.", MinLength(1)]
    roleArn: Required[Annotated[RoleArn, "Role that is assumed."]]
    priority: Annotated[
        Int32,
        "Lower ones are looked at first; those without one last, in the order of the list.",
        Minimum(0),
        Go(pointer=True),
    ]


class AWSStsConfig(TypedDict, total=False):
    """Temporary cloud credentials for the incoming token, and requests signed with them."""

    region: Required[Annotated[str, "Region.", MinLength(1), Pattern(r"^[a-z]{2}(-[a-z]+)+-\d+$")]]
    service: Annotated[
        str, "Service that requests are signed for.", Default("aws-mcp"), Neutral("cloud-mcp", value="aws-mcp")
    ]
    fallbackRoleArn: Annotated[RoleArn, "Role where no mapping fits."]
    roleMappings: Annotated[list[RoleMapping], "From claims to roles; the first that fits counts.", Atomic()]
    roleClaim: Annotated[str, "Claim that claim mappings look at.", Default("groups")]
    sessionDuration: Annotated[
        Int32,
        "Seconds that credentials last.",
        Minimum(900),
        Maximum(43200),
        Default(3600),
        Go(pointer=True),
    ]
    sessionNameClaim: Annotated[str, "Claim that names the session.", Default("sub")]


def _goes_with(kind: str) -> Cel:
    return Cel(
        f"self.type == '{kind}' ? has(self.{kind}) : !has(self.{kind})",
        f"{kind} goes with type {kind}, and with no other",
        kind,
    )


@rules(
    _goes_with("tokenExchange"),
    _goes_with("headerInjection"),
    _goes_with("bearerToken"),
    _goes_with("embeddedAuthServer"),
    _goes_with("awsSts"),
    _goes_with("upstreamInject"),
    Cel(
        "self.type == 'unauthenticated' ? (!has(self.tokenExchange) && !has(self.headerInjection)"
        " && !has(self.bearerToken) && !has(self.embeddedAuthServer) && !has(self.awsSts)"
        " && !has(self.upstreamInject)) : true",
        "type unauthenticated goes with no configuration",
    ),
)
class MCPExternalAuthConfigSpec(TypedDict, total=False):
    """A way to authenticate, and its configuration."""

    type: Required[
        Annotated[
            Literal[
                "tokenExchange",
                "headerInjection",
                "bearerToken",
                "unauthenticated",
                "embeddedAuthServer",
                "awsSts",
                "upstreamInject",
            ],
            "The way to authenticate.",
            Go(type="v1alpha1.ExternalAuthType"),
            Neutral("cloudSts", value="awsSts"),
        ]
    ]
    tokenExchange: Annotated[TokenExchangeConfig, "For type tokenExchange."]
    headerInjection: Annotated[HeaderInjectionConfig, "For type headerInjection."]
    bearerToken: Annotated[BearerTokenConfig, "For type bearerToken."]
    embeddedAuthServer: Annotated[EmbeddedAuthServerConfig, "For type embeddedAuthServer."]
    awsSts: Annotated[AWSStsConfig, "For type awsSts.", Go(name="AWSSts"), Neutral("cloudSts")]
    upstreamInject: Annotated[UpstreamInjectSpec, "For type upstreamInject."]


class MCPExternalAuthConfigStatus(TypedDict, total=False):
    """The configuration as it was last seen."""

    conditions: Conditions
    observedGeneration: ObservedGeneration
    configHash: ConfigHash
    referencingWorkloads: ReferencingWorkloads
