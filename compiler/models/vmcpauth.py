"""Authentication in the configuration of the vMCP process, after references are resolved."""

from __future__ import annotations

from typing import Annotated, Required, TypedDict

from .dated import During, Since
from .declare import Always, Atomic, Go, Int32, Pattern


class VMCPOIDCConfig(TypedDict, total=False):
    """The OIDC provider whose tokens clients present."""

    issuer: Required[Annotated[str, "Issuer of the tokens.", Pattern("^https?://"), Always()]]
    clientId: Required[Annotated[str, "Client id at the provider.", Always()]]
    clientSecretEnv: Annotated[str, "Environment variable that holds the client secret."]
    audience: Required[Annotated[str, "Audience that tokens must carry.", Always()]]
    resource: Annotated[str, "Resource that is advertised (RFC 8707, RFC 9728); the audience when empty."]
    jwksUrl: Annotated[str, "URL of the provider's keys (JWKS); discovered when empty."]
    introspectionUrl: Annotated[str, "URL of token introspection, for opaque tokens (RFC 7662)."]
    scopes: Annotated[list[str], "Scopes that tokens must have."]
    protectedResourceAllowPrivateIp: Annotated[bool, "Whether the protected resource may have a private address."]
    jwksAllowPrivateIp: Annotated[bool, "Whether the provider may have a private address."]
    insecureAllowHttp: Annotated[bool, "Whether the provider may be reached over plain HTTP; for development only."]
    caBundlePath: Annotated[str, "File with the CA bundle of the provider.", Since("0.41.0")]


class VMCPAuthzConfig(TypedDict, total=False):
    """Authorization of requests."""

    type: Required[Annotated[str, "cedar or none.", Always()]]
    policies: Annotated[list[str], "Cedar policies; for type cedar."]
    entitiesJson: Annotated[str, "Cedar entities, as the text of a JSON list; none when empty.", Since("0.28.3")]
    primaryUpstreamProvider: Annotated[
        str, "Upstream provider whose token supplies the claims for policies; the issued token when empty."
    ]
    groupClaimName: Annotated[str, "Claim that holds the groups, tried before the usual claims.", Since("0.28.3")]
    roleClaimName: Annotated[str, "Claim that holds the roles. Roles also count as groups.", Since("0.28.3")]
    groupEntityType: Annotated[str, "Cedar entity type of groups and roles; THVGroup when empty.", Since("0.28.3")]


class VMCPIncomingAuthConfig(TypedDict, total=False):
    """Authentication of clients, and authorization of their requests."""

    type: Required[Annotated[str, "oidc, local or anonymous.", Always()]]
    oidc: Annotated[VMCPOIDCConfig, "For type oidc."]
    authz: Annotated[VMCPAuthzConfig, "Authorization of requests."]


class HeaderInjectionStrategy(TypedDict, total=False):
    """A header with a fixed value that requests to the backend carry."""

    headerName: Required[Annotated[str, "Name of the header.", Always()]]
    headerValue: Annotated[str, "Value of the header; alternative to headerValueEnv."]
    headerValueEnv: Annotated[str, "Environment variable that holds the value of the header."]


class TokenExchangeStrategy(TypedDict, total=False):
    """Exchange of the incoming token for a token of the backend (RFC 8693)."""

    tokenUrl: Required[Annotated[str, "Token endpoint.", Always()]]
    clientId: Annotated[str, "Client id."]
    clientSecret: Annotated[str, "Client secret; prefer clientSecretEnv."]
    clientSecretEnv: Annotated[str, "Environment variable that holds the client secret."]
    audience: Annotated[str, "Audience of the requested token."]
    scopes: Annotated[list[str], "Scopes of the requested token.", During(Atomic(), since="0.32.0")]
    subjectTokenType: Annotated[str, "Type of the exchanged token, as a URN; access token when empty."]
    subjectProviderName: Annotated[
        str,
        "Upstream provider whose token is exchanged. When empty: the first provider of an embedded"
        " server, otherwise the incoming token.",
    ]


class UpstreamInjectStrategy(TypedDict, total=False):
    """Injection of an upstream provider's access token as bearer token."""

    providerName: Required[Annotated[str, "Name of an upstream provider of the embedded server.", Always()]]


class RoleMappingStrategy(TypedDict, total=False):
    """A rule that selects a role, by a claim's value or an expression over all claims."""

    claim: Annotated[str, "Value that the role claim must contain."]
    matcher: Annotated[str, "CEL expression over claims that must be true."]
    roleArn: Required[Annotated[str, "ARN of the role to assume.", Always()]]
    priority: Annotated[
        int, "Mappings with lower numbers are tried first, mappings without a priority last.", Go(pointer=True)
    ]


class AwsStsStrategy(TypedDict, total=False):
    """Exchange of the incoming token for temporary cloud credentials, which sign requests."""

    region: Required[Annotated[str, "Region.", Always()]]
    service: Annotated[str, "Service that requests are signed for; aws-mcp when empty."]
    fallbackRoleArn: Annotated[str, "ARN of the role if no mapping matches."]
    roleMappings: Annotated[
        list[RoleMappingStrategy], "Mappings from claims to roles; the first match is used.", Atomic()
    ]
    roleClaim: Annotated[str, "Claim whose value mappings compare; groups when empty."]
    sessionDuration: Annotated[Int32, "Lifetime of the credentials in seconds; 3600 when missing.", Go(pointer=True)]
    sessionNameClaim: Annotated[str, "Claim that names the session; sub when empty."]
    subjectProviderName: Annotated[str, "Upstream provider whose token is exchanged; the incoming token when empty."]


class OBOStrategy(TypedDict, total=False):
    """On-behalf-of token from Microsoft Entra."""

    tokenUrl: Required[Annotated[str, "Token endpoint.", Always()]]
    clientId: Annotated[str, "Client id."]
    clientSecret: Annotated[str, "Client secret; prefer clientSecretEnv."]
    clientSecretEnv: Annotated[str, "Environment variable that holds the client secret."]
    audience: Annotated[str, "Audience of the requested token, if no scopes are set."]
    scopes: Annotated[list[str], "Scopes of the requested token. They take precedence over audience.", Atomic()]
    subjectTokenProviderName: Annotated[
        str, "Upstream provider whose token is exchanged; the incoming token when empty."
    ]
    cacheSkewSeconds: Annotated[
        Int32, "How many seconds before its expiry a cached token is renewed.", Go(pointer=True)
    ]


class XAAStrategy(TypedDict, total=False):
    """Cross-app access: an assertion of the identity provider, exchanged at the provider of the other service."""

    idpTokenUrl: Required[Annotated[str, "Token endpoint of the identity provider.", Always()]]
    idpClientId: Annotated[str, "Client id at the identity provider."]
    idpClientSecret: Annotated[str, "Client secret at the identity provider; prefer idpClientSecretEnv."]
    idpClientSecretEnv: Annotated[str, "Variable that holds the client secret there."]
    targetTokenUrl: Required[Annotated[str, "Token endpoint of the other service.", Always()]]
    insecureTargetTokenUrl: Annotated[bool, "Whether targetTokenUrl may use plain HTTP; for development only."]
    targetClientId: Annotated[str, "Client id at the other service."]
    targetClientSecret: Annotated[str, "Client secret at the other service; prefer targetClientSecretEnv."]
    targetClientSecretEnv: Annotated[str, "Variable that holds the client secret there."]
    targetAudience: Required[Annotated[str, "Audience of the assertion: the provider of the other service.", Always()]]
    targetResource: Annotated[str, "Requested resource (RFC 8707)."]
    scopes: Annotated[list[str], "Scopes of the requested token.", Atomic()]
    subjectProviderName: Annotated[str, "Upstream provider whose ID token is exchanged; the first provider when empty."]
    subjectTokenType: Annotated[str, "Type of the exchanged token, as a URN; ID token when empty.", Since("0.33.0")]


class BackendAuthStrategy(TypedDict, total=False):
    """Authentication to one backend."""

    type: Required[Annotated[str, "unauthenticated, header_injection, token_exchange or upstream_inject.", Always()]]
    headerInjection: Annotated[HeaderInjectionStrategy, "For type header_injection."]
    tokenExchange: Annotated[TokenExchangeStrategy, "For type token_exchange."]
    upstreamInject: Annotated[UpstreamInjectStrategy, "For type upstream_inject."]
    awsSts: Annotated[AwsStsStrategy, "For type aws_sts.", Since("0.26.0")]
    obo: Annotated[OBOStrategy, "For type obo.", Since("0.32.0")]
    xaa: Annotated[XAAStrategy, "For type xaa.", Since("0.32.0")]


class VMCPOutgoingAuthConfig(TypedDict, total=False):
    """Authentication to backends."""

    source: Required[Annotated[str, "inline, or discovered to use the authentication of the backends.", Always()]]
    default: Annotated[BackendAuthStrategy, "Authentication of backends without an entry in backends."]
    backends: Annotated[dict[str, BackendAuthStrategy], "Authentication of single backends, by name."]
