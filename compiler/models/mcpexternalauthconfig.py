"""MCPExternalAuthConfig: how to authenticate towards other services, or an embedded authorization server."""

from __future__ import annotations

from typing import Annotated, Literal, Required, TypedDict

from .authz import ProviderName
from .dated import Since, ValuesSince
from .declare import (
    Atomic,
    Cel,
    Default,
    Go,
    Int32,
    Maximum,
    MaxItems,
    MaxLength,
    Minimum,
    MinLength,
    Neutral,
    Pattern,
    rules,
)
from .embeddedauth import EmbeddedAuthServerConfig
from .reference import SecretKeyRef
from .status import Conditions, ConfigHash, ObservedGeneration, ReferenceCount, ReferencingKinds

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
    subjectProviderName: Annotated[
        str,
        "Upstream provider whose token is handed in instead of the incoming one; for virtual servers.",
        Since("0.26.0"),
    ]


class OBOConfig(TypedDict, total=False):
    """A token on behalf of the user from Microsoft Entra. The open-source operator refuses the type."""

    tenantId: Annotated[
        str,
        "Directory, by its GUID or a verified domain.",
        MaxLength(253),
        Pattern(
            r"^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"
            r"|([a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+[a-zA-Z]{2,})$"
        ),
        Go(name="TenantID"),
        Since("0.30.0"),
    ]
    authority: Annotated[
        str,
        "Login host of a national cloud; https://login.microsoftonline.com when empty.",
        Pattern(r"^https://[^\s?#@]+[^/\s?#@]$"),
        Since("0.30.0"),
    ]
    clientId: Annotated[str, "Client id.", Go(name="ClientID"), Since("0.30.0")]
    clientSecretRef: Annotated[SecretKeyRef, "Client secret.", Since("0.30.0")]
    audience: Annotated[str, "What the token is for, where no scopes say so.", Since("0.30.0")]
    scopes: Annotated[
        list[Annotated[str, MinLength(1), MaxLength(256)]],
        "Scopes of the wanted token; stronger than audience.",
        MaxItems(20),
        Atomic(),
        Since("0.30.0"),
    ]
    subjectTokenProviderName: Annotated[
        ProviderName,
        "Upstream provider whose token is handed in instead of the incoming one.",
        Since("0.30.0"),
    ]
    cacheSkew: Annotated[
        str,
        "Time before its end at which a kept token counts as expired.",
        Go(type="v1.Duration", pointer=True),
        Since("0.30.0"),
    ]


class XAASpec(TypedDict, total=False):
    """Access across applications: the identity provider's assertion, exchanged at the other service's provider."""

    idpTokenUrl: Required[
        Annotated[
            str, "Token endpoint of the identity provider (RFC 8693).", Pattern("^https://.*$"), Go(name="IDPTokenURL")
        ]
    ]
    idpClientId: Annotated[str, "Client id at the identity provider.", Go(name="IDPClientID")]
    idpClientSecretRef: Annotated[
        SecretKeyRef, "Client secret at the identity provider.", Go(name="IDPClientSecretRef")
    ]
    targetTokenUrl: Required[
        Annotated[str, "Token endpoint of the other service (RFC 7523).", Go(name="TargetTokenURL")]
    ]
    insecureTargetTokenUrl: Annotated[
        bool, "Whether that may be plain HTTP; for development only.", Go(name="InsecureTargetTokenURL")
    ]
    targetClientId: Annotated[str, "Client id at the other service.", Go(name="TargetClientID")]
    targetClientSecretRef: Annotated[SecretKeyRef, "Client secret at the other service."]
    targetAudience: Required[Annotated[str, "The other service's provider, as audience of the assertion."]]
    targetResource: Annotated[str, "Resource that is asked for (RFC 8707)."]
    scopes: Annotated[list[str], "Scopes of the wanted token.", Atomic()]
    subjectProviderName: Annotated[str, "Upstream provider whose ID token is handed in; the first when empty."]
    subjectTokenType: Annotated[
        Literal["urn:ietf:params:oauth:token-type:id_token"], "Type of the token that is handed in."
    ]


def _goes_with(kind: str, since: str | None = None) -> Cel:
    return Cel(
        f"self.type == '{kind}' ? has(self.{kind}) : !has(self.{kind})",
        f"{kind} goes with type {kind}, and with no other",
        kind,
        since=since,
    )


def _stands_alone(*added: str, since: str | None = None, until: str | None = None) -> Cel:
    blocks = (
        "tokenExchange",
        "headerInjection",
        "bearerToken",
        "embeddedAuthServer",
        "awsSts",
        "upstreamInject",
        *added,
    )
    none = " && ".join(f"!has(self.{block})" for block in blocks)
    return Cel(
        f"self.type == 'unauthenticated' ? ({none}) : true",
        "type unauthenticated goes with no configuration",
        since=since,
        until=until,
    )


@rules(
    _goes_with("tokenExchange"),
    _goes_with("headerInjection"),
    _goes_with("bearerToken"),
    _goes_with("embeddedAuthServer"),
    _goes_with("awsSts"),
    _goes_with("upstreamInject"),
    _goes_with("obo", "0.29.0"),
    _goes_with("xaa", "0.33.0"),
    _stands_alone(until="0.29.0"),
    _stands_alone("obo", since="0.29.0", until="0.33.0"),
    _stands_alone("obo", "xaa", since="0.33.0"),
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
                "obo",
                "xaa",
            ],
            "The way to authenticate.",
            Go(type="v1alpha1.ExternalAuthType"),
            Neutral("cloudSts", value="awsSts"),
            ValuesSince("0.29.0", "obo"),
            ValuesSince("0.33.0", "xaa"),
        ]
    ]
    tokenExchange: Annotated[TokenExchangeConfig, "For type tokenExchange."]
    headerInjection: Annotated[HeaderInjectionConfig, "For type headerInjection."]
    bearerToken: Annotated[BearerTokenConfig, "For type bearerToken."]
    embeddedAuthServer: Annotated[EmbeddedAuthServerConfig, "For type embeddedAuthServer."]
    awsSts: Annotated[AWSStsConfig, "For type awsSts.", Go(name="AWSSts"), Neutral("cloudSts")]
    upstreamInject: Annotated[UpstreamInjectSpec, "For type upstreamInject."]
    obo: Annotated[OBOConfig, "For type obo.", Go(name="OBO"), Since("0.29.0")]
    xaa: Annotated[XAASpec, "For type xaa.", Go(name="XAA"), Since("0.33.0")]


class MCPExternalAuthConfigStatus(TypedDict, total=False):
    """The configuration as it was last seen."""

    conditions: Conditions
    observedGeneration: ObservedGeneration
    configHash: ConfigHash
    referenceCount: Annotated[ReferenceCount, Since("0.28.0")]
    referencingWorkloads: ReferencingKinds
