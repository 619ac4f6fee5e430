"""The embedded authorization server as processes read it: in RunConfig, and ``authserver-config.yaml`` beside vMCP."""

from __future__ import annotations

from typing import Annotated, Required, TypedDict

from .dated import During, Since
from .declare import Always


class SigningKeyRunConfig(TypedDict, total=False):
    """Files of the keys that sign tokens."""

    key_dir: Annotated[str, "Folder of the files."]
    signing_key_file: Annotated[str, "Key that signs; a new one at each start when empty."]
    fallback_key_files: Annotated[list[str], "Former keys, which still verify."]


class TokenLifespanRunConfig(TypedDict, total=False):
    """How long tokens are good for."""

    access_token_lifespan: Annotated[str, "Access tokens; 1h when empty."]
    refresh_token_lifespan: Annotated[str, "Refresh tokens; 168h when empty."]
    auth_code_lifespan: Annotated[str, "Authorization codes; 10m when empty."]


class UserInfoFieldMappingRunConfig(TypedDict, total=False):
    """Which fields of a provider's answer identify the user; the first that is not empty counts."""

    subject_fields: Annotated[list[str], "Fields for the user's id; sub when empty."]
    name_fields: Annotated[list[str], "Fields for the display name; name when empty."]
    email_fields: Annotated[list[str], "Fields for the e-mail address; email when empty."]


class UserInfoRunConfig(TypedDict, total=False):
    """The userinfo endpoint of a provider."""

    endpoint_url: Required[Annotated[str, "Address to ask.", Always()]]
    http_method: Annotated[str, "GET or POST; GET when empty."]
    additional_headers: Annotated[dict[str, str], "Headers to send besides."]
    field_mapping: Annotated[UserInfoFieldMappingRunConfig, "Fields of the answer, where they are not the usual ones."]


class OIDCUpstreamRunConfig(TypedDict, total=False):
    """An upstream provider that speaks OpenID Connect."""

    issuer_url: Required[Annotated[str, "Issuer; its endpoints are discovered.", Always()]]
    client_id: Required[Annotated[str, "Client id at the provider.", Always()]]
    client_secret_file: Annotated[str, "File that holds the client secret; stronger than client_secret_env_var."]
    client_secret_env_var: Annotated[str, "Variable that holds the client secret."]
    redirect_uri: Annotated[str, "Where the provider sends users back to; needed at the start."]
    scopes: Annotated[list[str], "Scopes to ask for; openid and offline_access when empty."]
    userinfo_override: Annotated[UserInfoRunConfig, "Where the user is looked up instead; not looked at."]
    additional_authorization_params: Annotated[
        dict[str, str], "More parameters of the request that sends users there.", Since("0.22.0")
    ]
    subject_claim: Annotated[str, "Claim that names the user; sub when empty.", Since("0.30.1")]
    allow_private_ips: Annotated[bool, "Whether the provider may be at a private address.", Since("0.31.0")]
    insecure_allow_http: Annotated[bool, "Whether the provider may be asked over plain HTTP.", Since("0.35.0")]


class TokenResponseMappingRunConfig(TypedDict, total=False):
    """Where a provider with answers of its own puts what a token response holds; paths with dots."""

    access_token_path: Required[Annotated[str, "Path of the access token.", Always()]]
    scope_path: Annotated[str, "Path of the scope; scope when empty."]
    refresh_token_path: Annotated[str, "Path of the refresh token; refresh_token when empty."]
    expires_in_path: Annotated[str, "Path of the seconds to live; expires_in when empty."]


class IdentityFromTokenRunConfig(TypedDict, total=False):
    """Where a token response says who the user is; paths with dots."""

    subject_path: Required[Annotated[str, "Path of the user's id.", Always()]]
    name_path: Annotated[str, "Path of the display name."]
    email_path: Annotated[str, "Path of the e-mail address."]


class DCRUpstreamRunConfig(TypedDict, total=False):
    """How the process registers itself as a client of a provider (RFC 7591)."""

    discovery_url: Annotated[str, "Document that names the provider's endpoints."]
    registration_endpoint: Annotated[str, "Where clients are registered, without discovery."]
    initial_access_token_file: Annotated[
        str, "File with the token that the registration asks for; stronger than initial_access_token_env_var."
    ]
    initial_access_token_env_var: Annotated[str, "Variable with that token."]
    software_id: Annotated[str, "What names the software to the provider."]
    software_statement: Annotated[str, "What vouches for it: a signed JWT."]


class OAuth2UpstreamRunConfig(TypedDict, total=False):
    """An upstream provider that speaks OAuth 2.0 alone."""

    authorization_endpoint: Required[Annotated[str, "Where users are sent to log in.", Always()]]
    token_endpoint: Required[Annotated[str, "Where codes become tokens.", Always()]]
    client_id: Required[Annotated[str, "Client id at the provider.", Always()]]
    client_secret_file: Annotated[str, "File that holds the client secret; stronger than client_secret_env_var."]
    client_secret_env_var: Annotated[str, "Variable that holds the client secret."]
    redirect_uri: Annotated[str, "Where the provider sends users back to; needed at the start."]
    scopes: Annotated[list[str], "Scopes to ask for."]
    userinfo: Annotated[
        UserInfoRunConfig | None, "The userinfo endpoint of the provider.", During(Always(), until="0.26.0")
    ]
    token_response_mapping: Annotated[
        TokenResponseMappingRunConfig, "Where the answer holds what, if not in the usual places."
    ]
    identity_from_token: Annotated[
        IdentityFromTokenRunConfig, "Where the token response says who the user is.", Since("0.28.0")
    ]
    additional_authorization_params: Annotated[
        dict[str, str], "More parameters of the request that sends users there.", Since("0.22.0")
    ]
    dcr_config: Annotated[DCRUpstreamRunConfig, "Registration at the provider, in place of client_id.", Since("0.26.1")]
    allow_private_ips: Annotated[bool, "Whether the provider may be at a private address.", Since("0.31.0")]
    insecure_allow_http: Annotated[bool, "Whether the provider may be asked over plain HTTP.", Since("0.35.0")]


class UpstreamRunConfig(TypedDict, total=False):
    """A provider that users log in to."""

    name: Annotated[str, "Name of the provider; default when empty, which is good for a single one."]
    type: Required[Annotated[str, "oidc or oauth2.", Always()]]
    oidc_config: Annotated[OIDCUpstreamRunConfig, "For type oidc."]
    oauth2_config: Annotated[OAuth2UpstreamRunConfig, "For type oauth2."]


class SentinelRunConfig(TypedDict, total=False):
    """Redis behind Sentinels."""

    master_name: Required[Annotated[str, "Name of the master that the Sentinels watch.", Always()]]
    sentinel_addrs: Required[Annotated[list[str], "Addresses of the Sentinels.", Always()]]
    db: Annotated[int, "Number of the Redis database."]


class ACLUserRunConfig(TypedDict, total=False):
    """The Redis user."""

    username_env_var: Required[Annotated[str, "Variable that holds the user's name.", Always()]]
    password_env_var: Required[Annotated[str, "Variable that holds the password.", Always()]]


class RedisTLSRunConfig(TypedDict, total=False):
    """TLS; the block itself turns it on."""

    insecure_skip_verify: Annotated[bool, "Whether certificates go unchecked."]
    ca_cert_file: Annotated[str, "File with the CA certificate; those of the system when empty."]


class RedisRunConfig(TypedDict, total=False):
    """State kept in Redis."""

    addr: Annotated[str, "Address of a single Redis, or of a cluster.", Since("0.27.0")]
    cluster_mode: Annotated[bool, "Whether addr leads to a cluster.", Since("0.27.0")]
    sentinel_config: Annotated[SentinelRunConfig, "Where Redis is, behind Sentinels."]
    auth_type: Required[Annotated[str, "aclUser.", Always()]]
    acl_user_config: Annotated[ACLUserRunConfig, "Who logs in."]
    key_prefix: Required[Annotated[str, "Prefix of all Redis keys.", Always()]]
    dial_timeout: Annotated[str, "Time to connect."]
    read_timeout: Annotated[str, "Time to read."]
    write_timeout: Annotated[str, "Time to write."]
    tls: Annotated[RedisTLSRunConfig, "TLS towards the master; plain text when missing."]
    sentinel_tls: Annotated[RedisTLSRunConfig, "TLS towards the Sentinels; plain text when missing."]


class StorageRunConfig(TypedDict, total=False):
    """Where the authorization server keeps its state."""

    type: Annotated[str, "memory or redis; memory when empty."]
    redis_config: Annotated[RedisRunConfig, "For type redis."]


class CIMDRunConfig(TypedDict, total=False):
    """Clients whose id is the address of a document about them."""

    enabled: Annotated[bool, "Whether such ids are taken.", Always()]
    cache_max_size: Annotated[int, "Most documents that are kept; 256 when empty."]
    cache_fallback_ttl: Annotated[str, "How long a document is kept; 5m when empty."]


class JWTBearerSubjectBindingRunConfig(TypedDict, total=False):
    """What one subject may ask for."""

    subject: Required[Annotated[str, "The sub claim of the assertion, exactly.", Always()]]
    allowed_resources: Annotated[list[str] | None, "Resources that it may ask for (RFC 8707).", Always()]


class JWTBearerGrantRunConfig(TypedDict, total=False):
    """Access tokens for signed assertions of an issuer, without a client of their own (RFC 7523)."""

    max_assertion_age: Required[Annotated[str, "Longest time from iat to exp of an assertion.", Always()]]
    subject_bindings: Annotated[
        list[JWTBearerSubjectBindingRunConfig] | None, "Subjects whose assertions are accepted.", Always()
    ]
    accepted_audiences: Annotated[
        list[str], "Audiences by which assertions name the server; its token endpoint when empty."
    ]


class TrustedIssuerRunConfig(TypedDict, total=False):
    """Another issuer whose tokens may be exchanged."""

    issuer_url: Required[Annotated[str, "Issuer, exactly as its tokens name it.", Always()]]
    expected_audience: Annotated[
        str, "Audience that tokens to be exchanged must carry.", Always(), During(Required, until="0.45.0")
    ]
    jwks_url: Annotated[str, "Where its keys are; discovered when empty."]
    insecure_allow_http: Annotated[bool, "Whether it may be asked over plain HTTP."]
    allow_private_ips: Annotated[bool, "Whether it may be at a private address."]
    actor_claim: Annotated[str, "Claim that names the client that asked for a token; azp when empty."]
    allowed_actors: Annotated[list[str], "Clients, by that claim, whose tokens may be exchanged."]
    actor_matcher: Annotated[
        str, "CEL expression over claims; tokens for which it is true may be exchanged too.", Since("0.45.0")
    ]
    allowed_delegate_clients: Annotated[list[str], "Clients that may exchange its tokens; * alone for all."]
    allow_may_act: Annotated[bool, "Whether the claim may_act of a token decides too."]
    jwt_bearer_grant: Annotated[
        JWTBearerGrantRunConfig, "Access tokens for its signed assertions (RFC 7523).", Since("0.45.0")
    ]


class DelegateClientRunConfig(TypedDict, total=False):
    """A confidential client that may exchange tokens."""

    client_id: Required[Annotated[str, "Id of the client.", Always()]]
    client_secret_file: Annotated[str, "File that holds its secret; stronger than client_secret_env_var."]
    client_secret_env_var: Annotated[str, "Variable that holds its secret."]
    scopes: Annotated[list[str] | None, "Scopes that it may ask for.", Always()]
    audiences: Annotated[list[str] | None, "Resources that it may ask for.", Always()]


class EmbeddedAuthServerRunConfig(TypedDict, total=False):
    """An authorization server inside the process."""

    schema_version: Required[Annotated[str, "v0.1.0; not checked.", Always()]]
    issuer: Required[
        Annotated[
            str,
            "Issuer of the tokens; HTTPS, or HTTP for localhost; without query, fragment, last slash.",
            Always(),
        ]
    ]
    authorization_endpoint_base_url: Annotated[
        str, "Base of the authorization endpoint alone, where it is not the issuer."
    ]
    signing_key_config: Annotated[SigningKeyRunConfig, "Keys that sign tokens; a new one at each start when missing."]
    hmac_secret_files: Annotated[
        list[str], "Files with secrets for codes and refresh tokens, the current one first; a new one when empty."
    ]
    token_lifespans: Annotated[TokenLifespanRunConfig, "How long tokens are good for."]
    delegation_token_lifespan: Annotated[str, "How long exchanged tokens are good for.", Since("0.41.0")]
    upstreams: Required[Annotated[list[UpstreamRunConfig], "Providers that users log in to.", Always()]]
    scopes_supported: Annotated[
        list[str], "Scopes that are advertised; openid, profile, email and offline_access when empty."
    ]
    baseline_client_scopes: Annotated[list[str], "Scopes that every client may ask for.", Since("0.27.2")]
    allowed_audiences: Required[Annotated[list[str], "Audiences that tokens may be asked for.", Always()]]
    storage: Annotated[StorageRunConfig, "Where state is kept; in memory when missing."]
    disable_upstream_token_injection: Annotated[
        bool, "Whether the server gets no token: credentials of the client are taken off.", Since("0.30.0")
    ]
    cimd: Annotated[CIMDRunConfig, "Clients whose id is the address of a document.", Since("0.29.0")]
    insecure_allow_http: Annotated[bool, "Whether the issuer may be plain HTTP.", Since("0.32.0")]
    trusted_issuers: Annotated[
        list[TrustedIssuerRunConfig], "Other issuers whose tokens may be exchanged.", Since("0.42.1")
    ]
    allow_confidential_client_registration: Annotated[
        bool, "Whether clients with a secret may register.", Since("0.43.0")
    ]
    force_confidential_redirect_uris: Annotated[
        list[str], "Redirect URIs of clients that are registered as confidential.", Since("0.43.0")
    ]
    insecure_allow_confidential_over_loopback_http: Annotated[
        bool, "Whether secrets are issued over plain HTTP to localhost.", Since("0.43.0")
    ]
    delegate_clients: Annotated[
        list[DelegateClientRunConfig], "Confidential clients that may exchange tokens.", Since("0.43.0")
    ]
