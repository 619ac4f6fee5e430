"""Authentication in the configuration of the vMCP process, all references resolved."""

from __future__ import annotations

from typing import Annotated, Required, TypedDict

from .dated import During, Since
from .declare import Always, Atomic, Go, Int32, Pattern


class VMCPOIDCConfig(TypedDict, total=False):
    """An OIDC provider of clients."""

    issuer: Required[Annotated[str, "Issuer of the tokens.", Pattern("^https?://"), Always()]]
    clientId: Required[Annotated[str, "Client id at the provider.", Always()]]
    clientSecretEnv: Annotated[str, "Variable that holds the client secret."]
    audience: Required[Annotated[str, "Audience that tokens must carry.", Always()]]
    resource: Annotated[str, "Resource that is advertised (RFC 8707, RFC 9728); the audience when empty."]
    jwksUrl: Annotated[str, "Where the keys are; discovered when empty."]
    introspectionUrl: Annotated[str, "Where opaque tokens are looked up (RFC 7662)."]
    scopes: Annotated[list[str], "Scopes that tokens must have."]
    protectedResourceAllowPrivateIp: Annotated[bool, "Whether the protected resource may be at a private address."]
    jwksAllowPrivateIp: Annotated[bool, "Whether the provider may be at a private address."]
    insecureAllowHttp: Annotated[bool, "Whether the provider may be asked over plain HTTP; for development only."]
    caBundlePath: Annotated[str, "File with the CA bundle of the provider.", Since("0.41.0")]


class VMCPAuthzConfig(TypedDict, total=False):
    """Authorization of requests."""

    type: Required[Annotated[str, "cedar or none.", Always()]]
    policies: Annotated[list[str], "Cedar policies; for type cedar."]
    entitiesJson: Annotated[str, "Cedar entities, as the text of a JSON list; none when empty.", Since("0.28.3")]
    primaryUpstreamProvider: Annotated[
        str,
        "Upstream provider whose token has the claims that policies look at; the issued token when empty.",
    ]
    groupClaimName: Annotated[str, "Claim that holds the groups, before the usual ones.", Since("0.28.3")]
    roleClaimName: Annotated[str, "Claim that holds the roles, which count as groups too.", Since("0.28.3")]
    groupEntityType: Annotated[
        str, "Cedar type of the entities that groups and roles become; THVGroup when empty.", Since("0.28.3")
    ]


class VMCPIncomingAuthConfig(TypedDict, total=False):
    """Authentication of clients."""

    type: Required[Annotated[str, "oidc, local or anonymous.", Always()]]
    oidc: Annotated[VMCPOIDCConfig, "For type oidc."]
    authz: Annotated[VMCPAuthzConfig, "Authorization of requests."]


class HeaderInjectionStrategy(TypedDict, total=False):
    """A fixed header."""

    headerName: Required[Annotated[str, "Name of the header.", Always()]]
    headerValue: Annotated[str, "Value of the header, or headerValueEnv."]
    headerValueEnv: Annotated[str, "Variable that holds the value of the header."]


class TokenExchangeStrategy(TypedDict, total=False):
    """Exchange of the incoming token for one of the backend (RFC 8693)."""

    tokenUrl: Required[Annotated[str, "Token endpoint.", Always()]]
    clientId: Annotated[str, "Client id."]
    clientSecret: Annotated[str, "Client secret; better clientSecretEnv."]
    clientSecretEnv: Annotated[str, "Variable that holds the client secret."]
    audience: Annotated[str, "Audience of the wanted token."]
    scopes: Annotated[list[str], "Scopes of the wanted token.", During(Atomic(), since="0.32.0")]
    subjectTokenType: Annotated[str, "URN of the type of the token that is handed in; an access token when empty."]
    subjectProviderName: Annotated[
        str,
        "Upstream provider whose token is handed in; the first one where a server is embedded, else the incoming one.",
    ]


class UpstreamInjectStrategy(TypedDict, total=False):
    """The access token of an upstream provider as bearer token."""

    providerName: Required[Annotated[str, "Name of an upstream provider of the embedded server.", Always()]]


class RoleMappingStrategy(TypedDict, total=False):
    """One way to a role: a claim's value, or an expression over all claims."""

    claim: Annotated[str, "Value that the role claim must hold."]
    matcher: Annotated[str, "CEL expression over claims that must be true."]
    roleArn: Required[Annotated[str, "Role that is assumed.", Always()]]
    priority: Annotated[int, "Lower ones are looked at first; those without one last.", Go(pointer=True)]


class AwsStsStrategy(TypedDict, total=False):
    """Temporary cloud credentials for the incoming token, and requests signed with them."""

    region: Required[Annotated[str, "Region.", Always()]]
    service: Annotated[str, "Service that requests are signed for; aws-mcp when empty."]
    fallbackRoleArn: Annotated[str, "Role where no mapping fits."]
    roleMappings: Annotated[list[RoleMappingStrategy], "From claims to roles; the first that fits counts.", Atomic()]
    roleClaim: Annotated[str, "Claim that claim mappings look at; groups when empty."]
    sessionDuration: Annotated[Int32, "Seconds that credentials last; 3600 when missing.", Go(pointer=True)]
    sessionNameClaim: Annotated[str, "Claim that names the session; sub when empty."]
    subjectProviderName: Annotated[str, "Upstream provider whose token is handed in; the incoming one when empty."]


class OBOStrategy(TypedDict, total=False):
    """A token on behalf of the user from Microsoft Entra."""

    tokenUrl: Required[Annotated[str, "Token endpoint.", Always()]]
    clientId: Annotated[str, "Client id."]
    clientSecret: Annotated[str, "Client secret; better clientSecretEnv."]
    clientSecretEnv: Annotated[str, "Variable that holds the client secret."]
    audience: Annotated[str, "What the token is for, where no scopes say so."]
    scopes: Annotated[list[str], "Scopes of the wanted token; stronger than audience.", Atomic()]
    subjectTokenProviderName: Annotated[str, "Upstream provider whose token is handed in; the incoming one when empty."]
    cacheSkewSeconds: Annotated[
        Int32, "Seconds before its end at which a kept token counts as expired.", Go(pointer=True)
    ]


class XAAStrategy(TypedDict, total=False):
    """Access across applications: the identity provider's assertion, exchanged at the other service's provider."""

    idpTokenUrl: Required[Annotated[str, "Token endpoint of the identity provider.", Always()]]
    idpClientId: Annotated[str, "Client id at the identity provider."]
    idpClientSecret: Annotated[str, "Client secret there; better idpClientSecretEnv."]
    idpClientSecretEnv: Annotated[str, "Variable that holds the client secret there."]
    targetTokenUrl: Required[Annotated[str, "Token endpoint of the other service.", Always()]]
    insecureTargetTokenUrl: Annotated[bool, "Whether that may be plain HTTP; for development only."]
    targetClientId: Annotated[str, "Client id at the other service."]
    targetClientSecret: Annotated[str, "Client secret there; better targetClientSecretEnv."]
    targetClientSecretEnv: Annotated[str, "Variable that holds the client secret there."]
    targetAudience: Required[Annotated[str, "The other service's provider, as audience of the assertion.", Always()]]
    targetResource: Annotated[str, "Resource that is asked for (RFC 8707)."]
    scopes: Annotated[list[str], "Scopes of the wanted token.", Atomic()]
    subjectProviderName: Annotated[str, "Upstream provider whose ID token is handed in; the first when empty."]
    subjectTokenType: Annotated[
        str, "URN of the type of the token that is handed in; an ID token when empty.", Since("0.33.0")
    ]


class BackendAuthStrategy(TypedDict, total=False):
    """Authentication towards one backend."""

    type: Required[Annotated[str, "unauthenticated, header_injection, token_exchange or upstream_inject.", Always()]]
    headerInjection: Annotated[HeaderInjectionStrategy, "For type header_injection."]
    tokenExchange: Annotated[TokenExchangeStrategy, "For type token_exchange."]
    upstreamInject: Annotated[UpstreamInjectStrategy, "For type upstream_inject."]
    awsSts: Annotated[AwsStsStrategy, "For type aws_sts.", Since("0.26.0")]
    obo: Annotated[OBOStrategy, "For type obo.", Since("0.32.0")]
    xaa: Annotated[XAAStrategy, "For type xaa.", Since("0.32.0")]


class VMCPOutgoingAuthConfig(TypedDict, total=False):
    """Authentication towards backends."""

    source: Required[Annotated[str, "inline, or discovered from the backends.", Always()]]
    default: Annotated[BackendAuthStrategy, "For backends that have none of their own."]
    backends: Annotated[dict[str, BackendAuthStrategy], "For single backends, by name."]
