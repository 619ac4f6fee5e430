"""The middlewares of a RunConfig: types and parameters.

``PARAMETERS`` maps each type to the model of its parameters. The types ``mcp-parser``, ``usagemetrics``, ``strip-auth``
and ``obo`` have no parameters, so ``parameters`` is an empty object. For ``recovery`` it is null.

Source: order and content of ``middleware_configs`` at v0.21.0 and v0.44.0.
"""

from __future__ import annotations

from typing import Annotated, Any, Required, TypedDict

from .audit import AuditLogConfig
from .authz import AuthzFile
from .declare import Always, Int64, PreserveUnknownFields
from .session import RateLimitConfig
from .sts import AWSStsRunConfig
from .telemetry import TelemetryConfig
from .webhook import Webhook


class TokenValidatorConfig(TypedDict, total=False):
    """An OIDC provider that authenticates clients. Go writes its own field names (no JSON tags) and omits no field."""

    Issuer: Annotated[str, "Issuer of the tokens.", Always()]
    Audience: Annotated[str, "Audience that tokens must carry.", Always()]
    JWKSURL: Annotated[str, "URL of the provider's keys (JWKS); discovered when empty.", Always()]
    ClientID: Annotated[str, "Client id at the provider.", Always()]
    ClientSecret: Annotated[str, "Client secret; prefer the environment.", Always()]
    CACertPath: Annotated[str, "File with the CA bundle of the provider.", Always()]
    AuthTokenFile: Annotated[str, "File with a bearer token for requests to the provider.", Always()]
    AllowPrivateIP: Annotated[bool, "Whether the provider may have a private address.", Always()]
    InsecureAllowHTTP: Annotated[bool, "Whether the provider may be reached over plain HTTP.", Always()]
    IntrospectionURL: Annotated[str, "URL of token introspection, for opaque tokens (RFC 7662).", Always()]
    ResourceURL: Annotated[str, "URL of the protected resource (RFC 9728).", Always()]
    Scopes: Annotated[list[str] | None, "Scopes that are advertised; openid when empty.", Always()]


class TokenExchangeRunConfig(TypedDict, total=False):
    """Exchange of the incoming token for a token of the server (RFC 8693)."""

    token_url: Required[Annotated[str, "Token endpoint.", Always()]]
    client_id: Annotated[str, "Client id.", Always()]
    client_secret: Annotated[
        str, "Client secret; the value of TOOLHIVE_TOKEN_EXCHANGE_CLIENT_SECRET when empty.", Always()
    ]
    audience: Annotated[str, "Audience of the requested token.", Always()]
    scopes: Annotated[list[str], "Scopes of the requested token."]
    subject_token_type: Annotated[str, "Type of the exchanged token, as a URN; access token when empty."]
    header_strategy: Annotated[str, "replace for the Authorization header, custom for another header."]
    external_token_header_name: Annotated[str, "Header for the new token; for header_strategy custom."]


class UpstreamSwapConfig(TypedDict, total=False):
    """Replacement of the incoming token by an upstream provider's access token."""

    provider_name: Annotated[str, "Name of the upstream provider.", Always()]
    header_strategy: Annotated[str, "replace for the Authorization header, custom for another header."]
    custom_header_name: Annotated[str, "Header for the token; for header_strategy custom."]


class MiddlewareConfig(TypedDict, total=False):
    """A middleware and its parameters."""

    type: Required[Annotated[str, "Type of the middleware.", Always()]]
    parameters: Annotated[dict[str, Any] | None, "Parameters of the middleware.", PreserveUnknownFields(), Always()]


class AuthParameters(TypedDict, total=False):
    """Parameters of ``auth``."""

    oidc_config: Annotated[TokenValidatorConfig, "OIDC provider; no authentication when missing."]


class UpstreamSwapParameters(TypedDict, total=False):
    """Parameters of ``upstreamswap``."""

    config: Annotated[UpstreamSwapConfig, "Configuration of the swap."]


class TokenExchangeParameters(TypedDict, total=False):
    """Parameters of ``tokenexchange``."""

    token_exchange_config: Annotated[TokenExchangeRunConfig, "Configuration of the exchange."]


class MiddlewareToolOverride(TypedDict, total=False):
    """New name or description of a tool."""

    name: Annotated[str, "New name.", Always()]
    description: Annotated[str, "New description.", Always()]


class ToolFilterParameters(TypedDict, total=False):
    """Parameters of ``tool-filter`` and ``tool-call-filter``."""

    filter_tools: Annotated[list[str] | None, "Tools that clients see; all when null.", Always()]
    tools_override: Annotated[
        dict[str, MiddlewareToolOverride], "Overrides by the original name of the tool.", Always()
    ]


class RateLimitParameters(TypedDict, total=False):
    """Parameters of ``ratelimit``."""

    namespace: Annotated[str, "Namespace of the counters.", Always()]
    server_name: Annotated[str, "Server whose requests are counted.", Always()]
    config: Annotated[RateLimitConfig, "The limits.", Always()]
    redis_addr: Annotated[str, "Address of the Redis server."]
    redis_db: Annotated[int, "Number of the Redis database."]


class TelemetryParameters(TypedDict, total=False):
    """Parameters of ``telemetry``."""

    config: Annotated[TelemetryConfig, "Telemetry.", Always()]
    server_name: Annotated[str, "Name of the server in telemetry.", Always()]
    transport: Annotated[str, "Transport of the server.", Always()]


class AuthorizationParameters(TypedDict, total=False):
    """Parameters of ``authorization``. ``config_data`` takes precedence over the file at ``config_path``."""

    config_path: Annotated[str, "File with the authorization configuration."]
    config_data: Annotated[AuthzFile, "Authorization of requests."]


class AuditParameters(TypedDict, total=False):
    """Parameters of ``audit``. ``config_data`` takes precedence over the file at ``config_path``."""

    config_path: Annotated[str, "File with the configuration of audit logging."]
    config_data: Annotated[AuditLogConfig, "Audit logging."]
    component: Annotated[str, "Name of the component in audit events, if the configuration sets none."]
    transport_type: Annotated[str, "Transport of the server."]


class AWSStsParameters(TypedDict, total=False):
    """Parameters of ``awssts``."""

    aws_sts_config: Annotated[AWSStsRunConfig, "Configuration of the credentials."]
    target_url: Annotated[str, "Address of the server that requests are signed for."]


class HeaderForwardParameters(TypedDict, total=False):
    """Parameters of ``header-forward``."""

    add_headers: Annotated[dict[str, str] | None, "Headers with plain values; null if all values are secret.", Always()]


class WebhookParameters(TypedDict, total=False):
    """Parameters of ``validating-webhook`` and ``mutating-webhook``."""

    webhooks: Required[Annotated[list[Webhook], "The webhooks, at least one.", Always()]]
    server_name: Annotated[str, "Name of the server that webhooks receive.", Always()]
    transport: Annotated[str, "Transport of the server.", Always()]


class BodyLimitParameters(TypedDict, total=False):
    """Parameters of ``bodylimit``."""

    max_bytes: Annotated[Int64, "Maximum size of a request in bytes; 8388608 when 0 or missing.", Always()]


class OriginParameters(TypedDict, total=False):
    """Parameters of ``origin``."""

    allowed_origins: Annotated[list[str], "Allowed origins of browsers; any when empty.", Always()]


PARAMETERS: dict[str, type] = {
    "bodylimit": BodyLimitParameters,
    "origin": OriginParameters,
    "auth": AuthParameters,
    "upstreamswap": UpstreamSwapParameters,
    "tokenexchange": TokenExchangeParameters,
    "tool-filter": ToolFilterParameters,
    "tool-call-filter": ToolFilterParameters,
    "ratelimit": RateLimitParameters,
    "telemetry": TelemetryParameters,
    "authorization": AuthorizationParameters,
    "audit": AuditParameters,
    "awssts": AWSStsParameters,
    "header-forward": HeaderForwardParameters,
    "validating-webhook": WebhookParameters,
    "mutating-webhook": WebhookParameters,
}
