"""Authentication in the configuration of the vMCP process, all references resolved."""

from __future__ import annotations

from typing import Annotated, Required, TypedDict

from .declare import Always, Pattern


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


class VMCPAuthzConfig(TypedDict, total=False):
    """Authorization of requests."""

    type: Required[Annotated[str, "cedar or none.", Always()]]
    policies: Annotated[list[str], "Cedar policies; for type cedar."]
    primaryUpstreamProvider: Annotated[
        str,
        "Upstream provider whose token has the claims that policies look at; the issued token when empty.",
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
    scopes: Annotated[list[str], "Scopes of the wanted token."]
    subjectTokenType: Annotated[str, "URN of the type of the token that is handed in; an access token when empty."]
    subjectProviderName: Annotated[
        str,
        "Upstream provider whose token is handed in; the first one where a server is embedded, else the incoming one.",
    ]


class UpstreamInjectStrategy(TypedDict, total=False):
    """The access token of an upstream provider as bearer token."""

    providerName: Required[Annotated[str, "Name of an upstream provider of the embedded server.", Always()]]


class BackendAuthStrategy(TypedDict, total=False):
    """Authentication towards one backend."""

    type: Required[Annotated[str, "unauthenticated, header_injection, token_exchange or upstream_inject.", Always()]]
    headerInjection: Annotated[HeaderInjectionStrategy, "For type header_injection."]
    tokenExchange: Annotated[TokenExchangeStrategy, "For type token_exchange."]
    upstreamInject: Annotated[UpstreamInjectStrategy, "For type upstream_inject."]


class VMCPOutgoingAuthConfig(TypedDict, total=False):
    """Authentication towards backends."""

    source: Required[Annotated[str, "inline, or discovered from the backends.", Always()]]
    default: Annotated[BackendAuthStrategy, "For backends that have none of their own."]
    backends: Annotated[dict[str, BackendAuthStrategy], "For single backends, by name."]
