"""MCPExternalAuthConfig: authentication to other services, or an embedded authorization server."""

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
from .status import ConfigStatus, ReferenceCount, ReferencingKinds

RoleArn = Annotated[str, Pattern(r"^arn:(aws|aws-cn|aws-us-gov):iam::\d{12}:role/[\w+=,.@\-_/]+$")]


class TokenExchangeConfig(TypedDict, total=False):
    """Exchange of the incoming token for a token of the other service (RFC 8693)."""

    tokenUrl: Required[Annotated[str, "Token endpoint.", Go(name="TokenURL")]]
    clientId: Annotated[str, "Client id; optional in some flows.", Go(name="ClientID")]
    clientSecretRef: Annotated[SecretKeyRef, "Client secret; optional in some flows."]
    audience: Required[Annotated[str, "Audience of the requested token."]]
    scopes: Annotated[list[str], "Scopes of the requested token.", Atomic()]
    subjectTokenType: Annotated[
        str,
        "Type of the exchanged token, as a short name or a URN; access token when empty.",
        Pattern(r"^(access_token|id_token|jwt|urn:ietf:params:oauth:token-type:(access_token|id_token|jwt))?$"),
    ]
    externalTokenHeaderName: Annotated[
        str, "Header for the new token; when empty, the token replaces the Authorization header."
    ]
    subjectProviderName: Annotated[
        str, "Upstream provider whose token is exchanged instead of the incoming token; for virtual servers."
    ]


class HeaderInjectionConfig(TypedDict, total=False):
    """A header with a secret value, which is added to requests to the other service."""

    headerName: Required[Annotated[str, "Name of the header.", MinLength(1)]]
    valueSecretRef: Required[Annotated[SecretKeyRef, "Value of the header.", Go(pointer=True)]]


class BearerTokenConfig(TypedDict, total=False):
    """A fixed bearer token, which is added to requests to the other service."""

    tokenSecretRef: Required[Annotated[SecretKeyRef, "The token.", Go(pointer=True)]]


class UpstreamInjectSpec(TypedDict, total=False):
    """Injection of an upstream provider's access token as bearer token."""

    providerName: Required[
        Annotated[str, "Name of an upstream provider of the embedded authorization server.", MinLength(1)]
    ]


class RoleMapping(TypedDict, total=False):
    """A rule that selects a role, by a claim's value or an expression over all claims."""

    claim: Annotated[str, "Value that the role claim must contain.", MinLength(1)]
    matcher: Annotated[str, "CEL expression over claims that must be true.", MinLength(1)]
    roleArn: Required[Annotated[RoleArn, "ARN of the role to assume."]]
    priority: Annotated[
        Int32,
        "Mappings with lower numbers are tried first, mappings without a priority last, in the order of the list.",
        Minimum(0),
        Go(pointer=True),
    ]


class AWSStsConfig(TypedDict, total=False):
    """Exchange of the incoming token for temporary cloud credentials, which sign requests."""

    region: Required[Annotated[str, "Region.", MinLength(1), Pattern(r"^[a-z]{2}(-[a-z]+)+-\d+$")]]
    service: Annotated[
        str, "Service that requests are signed for.", Default("aws-mcp"), Neutral("cloud-mcp", value="aws-mcp")
    ]
    fallbackRoleArn: Annotated[RoleArn, "ARN of the role if no mapping matches."]
    roleMappings: Annotated[list[RoleMapping], "Mappings from claims to roles; the first match is used.", Atomic()]
    roleClaim: Annotated[str, "Claim whose value mappings compare.", Default("groups")]
    sessionDuration: Annotated[
        Int32, "Lifetime of the credentials, in seconds.", Minimum(900), Maximum(43200), Default(3600), Go(pointer=True)
    ]
    sessionNameClaim: Annotated[str, "Claim that names the session.", Default("sub")]
    subjectProviderName: Annotated[
        str,
        "Upstream provider whose token is exchanged instead of the incoming token; for virtual servers.",
        Since("0.26.0"),
    ]


class OBOConfig(TypedDict, total=False):
    """On-behalf-of token from Microsoft Entra. The open-source operator refuses this type."""

    tenantId: Annotated[
        str,
        "Tenant, as a GUID or a verified domain.",
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
    clientId: Annotated[str, "Client id of the app registration.", Go(name="ClientID"), Since("0.30.0")]
    clientSecretRef: Annotated[SecretKeyRef, "Client secret.", Since("0.30.0")]
    audience: Annotated[str, "Audience of the requested token, if no scopes are set.", Since("0.30.0")]
    scopes: Annotated[
        list[Annotated[str, MinLength(1), MaxLength(256)]],
        "Scopes of the requested token. They take precedence over audience.",
        MaxItems(20),
        Atomic(),
        Since("0.30.0"),
    ]
    subjectTokenProviderName: Annotated[
        ProviderName, "Upstream provider whose token is exchanged instead of the incoming token.", Since("0.30.0")
    ]
    cacheSkew: Annotated[
        str,
        "How long before its expiry a cached token is renewed.",
        Go(type="v1.Duration", pointer=True),
        Since("0.30.0"),
    ]


class XAASpec(TypedDict, total=False):
    """Cross-app access: an assertion of the identity provider, exchanged at the provider of the other service."""

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
        bool, "Whether targetTokenUrl may use plain HTTP; for development only.", Go(name="InsecureTargetTokenURL")
    ]
    targetClientId: Annotated[str, "Client id at the other service.", Go(name="TargetClientID")]
    targetClientSecretRef: Annotated[SecretKeyRef, "Client secret at the other service."]
    targetAudience: Required[Annotated[str, "Audience of the assertion: the provider of the other service."]]
    targetResource: Annotated[str, "Requested resource (RFC 8707)."]
    scopes: Annotated[list[str], "Scopes of the requested token.", Atomic()]
    subjectProviderName: Annotated[str, "Upstream provider whose ID token is exchanged; the first provider when empty."]
    subjectTokenType: Annotated[Literal["urn:ietf:params:oauth:token-type:id_token"], "Type of the exchanged token."]


_BLOCKS = ("tokenExchange", "headerInjection", "bearerToken", "embeddedAuthServer", "awsSts", "upstreamInject")
"""The types that each release has, whose block has their name."""


def _block_matches_type(kind: str, since: str | None = None) -> Cel:
    return Cel(
        f"self.type == '{kind}' ? has(self.{kind}) : !has(self.{kind})",
        f"{kind} goes with type {kind}, and with no other",
        kind,
        since=since,
    )


def _no_block_if_unauthenticated(*added: str, since: str | None = None, until: str | None = None) -> Cel:
    no_block = " && ".join(f"!has(self.{block})" for block in (*_BLOCKS, *added))
    return Cel(
        f"self.type == 'unauthenticated' ? ({no_block}) : true",
        "type unauthenticated goes with no configuration",
        since=since,
        until=until,
    )


@rules(
    *map(_block_matches_type, _BLOCKS),
    _block_matches_type("obo", "0.29.0"),
    _block_matches_type("xaa", "0.33.0"),
    _no_block_if_unauthenticated(until="0.29.0"),
    _no_block_if_unauthenticated("obo", since="0.29.0", until="0.33.0"),
    _no_block_if_unauthenticated("obo", "xaa", since="0.33.0"),
)
class MCPExternalAuthConfigSpec(TypedDict, total=False):
    """A method of authentication, and its configuration."""

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
            "Method of authentication.",
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


class MCPExternalAuthConfigStatus(ConfigStatus, total=False):
    """The last observed state of the configuration."""

    referenceCount: Annotated[ReferenceCount, Since("0.28.0")]
    referencingWorkloads: ReferencingKinds
