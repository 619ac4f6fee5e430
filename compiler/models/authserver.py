"""The embedded authorization server as processes read it: in RunConfig, and in vMCP's ``authserver-config.yaml``."""

from __future__ import annotations

from typing import Annotated, Required, TypedDict

from .dated import During, Since
from .declare import Always
from .spiffe import SPIFFEClientAuthRunConfig, SPIFFETrustDomainRunConfig

TokenParameters = Annotated[dict[str, str], "Additional parameters of token requests.", Since("0.46.0")]
ProviderBundleFile = Annotated[
    str, "File with the CA bundle of the provider, in addition to the system's CAs.", Since("0.46.0")
]


class SigningKeyRunConfig(TypedDict, total=False):
    """Files with the keys that sign tokens."""

    key_dir: Annotated[str, "Folder of the key files."]
    signing_key_file: Annotated[str, "File of the signing key. When empty, each start creates a new key."]
    fallback_key_files: Annotated[list[str], "Files of former keys, which still verify tokens."]


class TokenLifespanRunConfig(TypedDict, total=False):
    """Lifetimes of tokens."""

    access_token_lifespan: Annotated[str, "Lifetime of access tokens; 1h when empty."]
    refresh_token_lifespan: Annotated[str, "Lifetime of refresh tokens; 168h when empty."]
    auth_code_lifespan: Annotated[str, "Lifetime of authorization codes; 10m when empty."]


class UserInfoFieldMappingRunConfig(TypedDict, total=False):
    """Fields of the userinfo response that describe the user. Of each list, the first field with a value is used."""

    subject_fields: Annotated[list[str], "Fields for the user's id; sub when empty."]
    name_fields: Annotated[list[str], "Fields for the display name; name when empty."]
    email_fields: Annotated[list[str], "Fields for the e-mail address; email when empty."]


class UserInfoRunConfig(TypedDict, total=False):
    """The userinfo endpoint of a provider."""

    endpoint_url: Required[Annotated[str, "URL of the endpoint.", Always()]]
    http_method: Annotated[str, "GET or POST; GET when empty."]
    additional_headers: Annotated[dict[str, str], "Additional headers to send."]
    field_mapping: Annotated[
        UserInfoFieldMappingRunConfig, "Names of the fields in the answer, if they are not the usual ones."
    ]


class DCRUpstreamRunConfig(TypedDict, total=False):
    """Dynamic registration of the process as a client of the provider (RFC 7591)."""

    discovery_url: Annotated[str, "Document that names the provider's endpoints."]
    registration_endpoint: Annotated[str, "Registration endpoint, if the endpoints are not discovered."]
    initial_access_token_file: Annotated[
        str, "File that holds the token for the registration. It takes precedence over initial_access_token_env_var."
    ]
    initial_access_token_env_var: Annotated[str, "Environment variable that holds the token for the registration."]
    software_id: Annotated[str, "Id of the software that the provider sees."]
    software_statement: Annotated[str, "Signed JWT about the software."]


class OIDCUpstreamRunConfig(TypedDict, total=False):
    """An upstream provider that speaks OpenID Connect."""

    issuer_url: Required[Annotated[str, "URL of the issuer. Its endpoints are discovered.", Always()]]
    client_id: Required[Annotated[str, "Client id at the provider.", Always()]]
    client_secret_file: Annotated[
        str, "File that holds the client secret. It takes precedence over client_secret_env_var."
    ]
    client_secret_env_var: Annotated[str, "Environment variable that holds the client secret."]
    redirect_uri: Annotated[str, "URL to which the provider sends users back. The process does not start without it."]
    scopes: Annotated[list[str], "Scopes to ask for; openid and offline_access when empty."]
    userinfo_override: Annotated[
        UserInfoRunConfig, "Userinfo endpoint to use instead of the discovered one. It is ignored."
    ]
    additional_authorization_params: Annotated[
        dict[str, str], "Additional parameters of the authorization request.", Since("0.22.0")
    ]
    subject_claim: Annotated[str, "Claim that names the user; sub when empty.", Since("0.30.1")]
    allow_private_ips: Annotated[bool, "Whether the provider may have a private address.", Since("0.31.0")]
    insecure_allow_http: Annotated[bool, "Whether the provider may be reached over plain HTTP.", Since("0.35.0")]
    dcr_config: Annotated[DCRUpstreamRunConfig, "Registration at the provider, instead of client_id.", Since("0.46.0")]
    additional_token_params: TokenParameters
    ca_file_path: ProviderBundleFile


class TokenResponseMappingRunConfig(TypedDict, total=False):
    """Paths to the fields of a provider's non-standard token response. Steps are separated by dots."""

    access_token_path: Required[Annotated[str, "Path of the access token.", Always()]]
    scope_path: Annotated[str, "Path of the scope; scope when empty."]
    refresh_token_path: Annotated[str, "Path of the refresh token; refresh_token when empty."]
    expires_in_path: Annotated[str, "Path of the lifetime in seconds; expires_in when empty."]


class IdentityFromTokenRunConfig(TypedDict, total=False):
    """Paths to the user's identity in the token response. Steps are separated by dots."""

    subject_path: Required[Annotated[str, "Path of the user's id.", Always()]]
    name_path: Annotated[str, "Path of the display name."]
    email_path: Annotated[str, "Path of the e-mail address."]


class OAuth2UpstreamRunConfig(TypedDict, total=False):
    """An upstream provider that speaks OAuth 2.0 without OpenID Connect."""

    authorization_endpoint: Required[
        Annotated[str, "Authorization endpoint, to which users are sent to log in.", Always()]
    ]
    token_endpoint: Required[
        Annotated[str, "Token endpoint, which exchanges authorization codes for tokens.", Always()]
    ]
    client_id: Required[Annotated[str, "Client id at the provider.", Always()]]
    client_secret_file: Annotated[
        str, "File that holds the client secret. It takes precedence over client_secret_env_var."
    ]
    client_secret_env_var: Annotated[str, "Environment variable that holds the client secret."]
    redirect_uri: Annotated[str, "URL to which the provider sends users back. The process does not start without it."]
    scopes: Annotated[list[str], "Scopes to ask for."]
    userinfo: Annotated[UserInfoRunConfig | None, "The userinfo endpoint of the provider.", Always(until="0.26.0")]
    token_response_mapping: Annotated[
        TokenResponseMappingRunConfig, "Paths to the fields of the token response, if they are not the usual ones."
    ]
    identity_from_token: Annotated[
        IdentityFromTokenRunConfig, "Paths to the user's identity in the token response.", Since("0.28.0")
    ]
    additional_authorization_params: Annotated[
        dict[str, str], "Additional parameters of the authorization request.", Since("0.22.0")
    ]
    dcr_config: Annotated[DCRUpstreamRunConfig, "Registration at the provider, instead of client_id.", Since("0.26.1")]
    allow_private_ips: Annotated[bool, "Whether the provider may have a private address.", Since("0.31.0")]
    insecure_allow_http: Annotated[bool, "Whether the provider may be reached over plain HTTP.", Since("0.35.0")]
    token_endpoint_auth_method: Annotated[
        str, "How the client authenticates: none, client_secret_basic or client_secret_post.", Since("0.46.0")
    ]
    additional_token_params: TokenParameters
    ca_file_path: ProviderBundleFile


class UpstreamRunConfig(TypedDict, total=False):
    """A provider that users log in to."""

    name: Annotated[str, "Name of the provider; default when empty, which only a single provider may use."]
    type: Required[Annotated[str, "oidc or oauth2.", Always()]]
    oidc_config: Annotated[OIDCUpstreamRunConfig, "For type oidc."]
    oauth2_config: Annotated[OAuth2UpstreamRunConfig, "For type oauth2."]


class SentinelRunConfig(TypedDict, total=False):
    """A Redis server that Sentinels watch."""

    master_name: Required[Annotated[str, "Name of the master that the Sentinels watch.", Always()]]
    sentinel_addrs: Required[Annotated[list[str], "Addresses of the Sentinels.", Always()]]
    db: Annotated[int, "Number of the Redis database."]


class ACLUserRunConfig(TypedDict, total=False):
    """Environment variables with the name and the password of the Redis user."""

    username_env_var: Required[Annotated[str, "Variable that holds the user's name.", Always()]]
    password_env_var: Required[Annotated[str, "Variable that holds the password.", Always()]]


class RedisTLSRunConfig(TypedDict, total=False):
    """TLS settings of a connection to Redis. The block itself turns TLS on."""

    insecure_skip_verify: Annotated[bool, "Whether certificates are not verified."]
    ca_cert_file: Annotated[str, "File with the CA certificate; the system's CAs when empty."]


class RedisRunConfig(TypedDict, total=False):
    """Connection to the Redis server that stores the state of the authorization server."""

    addr: Annotated[str, "Address of a single Redis, or of a cluster.", Since("0.27.0")]
    cluster_mode: Annotated[bool, "Whether addr is the address of a Redis cluster.", Since("0.27.0")]
    sentinel_config: Annotated[SentinelRunConfig, "Sentinels that know the Redis master."]
    auth_type: Required[Annotated[str, "aclUser.", Always()]]
    acl_user_config: Annotated[ACLUserRunConfig, "Redis user that logs in."]
    key_prefix: Required[Annotated[str, "Prefix of all Redis keys.", Always()]]
    dial_timeout: Annotated[str, "Timeout of connecting."]
    read_timeout: Annotated[str, "Timeout of reading."]
    write_timeout: Annotated[str, "Timeout of writing."]
    tls: Annotated[RedisTLSRunConfig, "TLS settings of the connection to the master; plain text when missing."]
    sentinel_tls: Annotated[
        RedisTLSRunConfig, "TLS settings of the connections to the Sentinels; plain text when missing."
    ]


class StorageRunConfig(TypedDict, total=False):
    """Store for the state of the authorization server."""

    type: Annotated[str, "memory or redis; memory when empty."]
    redis_config: Annotated[RedisRunConfig, "For type redis."]


class CIMDRunConfig(TypedDict, total=False):
    """Clients whose id is the URL of a metadata document (CIMD)."""

    enabled: Annotated[bool, "Whether such client ids are accepted.", Always()]
    cache_max_size: Annotated[int, "Maximum number of cached documents; 256 when empty."]
    cache_fallback_ttl: Annotated[str, "How long a document is cached if its response sets no time; 5m when empty."]


class JWTBearerSubjectBindingRunConfig(TypedDict, total=False):
    """The resources that one subject may request."""

    subject: Required[Annotated[str, "The exact value of the assertion's sub claim.", Always()]]
    allowed_resources: Annotated[list[str] | None, "Resources that may be requested (RFC 8707).", Always()]


class JWTBearerGrantRunConfig(TypedDict, total=False):
    """Settings of the JWT bearer grant (RFC 7523).

    Clients exchange signed assertions for access tokens without registration.
    """

    max_assertion_age: Required[
        Annotated[str, "Maximum time between the iat and exp claims of an assertion.", Always()]
    ]
    subject_bindings: Annotated[
        list[JWTBearerSubjectBindingRunConfig] | None, "Subjects whose assertions are accepted.", Always()
    ]
    accepted_audiences: Annotated[
        list[str], "Accepted audiences of assertions; the server's token endpoint when empty."
    ]


class TrustedIssuerRunConfig(TypedDict, total=False):
    """An external issuer whose tokens may be exchanged."""

    name: Annotated[str, "Name by which policies of inbound_grants refer to the issuer.", Since("0.47.0")]
    issuer_url: Required[Annotated[str, "The issuer, exactly as in the iss claim of its tokens.", Always()]]
    expected_audience: Annotated[
        str, "Audience that exchanged tokens must carry.", Always(), During(Required, until="0.45.0")
    ]
    jwks_url: Annotated[str, "URL of the issuer's keys (JWKS); discovered when empty."]
    insecure_allow_http: Annotated[bool, "Whether the issuer may be reached over plain HTTP."]
    allow_private_ips: Annotated[bool, "Whether the issuer may have a private address."]
    actor_claim: Annotated[str, "Claim that names the client that requested the token; azp when empty."]
    allowed_actors: Annotated[list[str], "Values of actorClaim whose tokens may be exchanged."]
    actor_matcher: Annotated[
        str, "CEL expression over claims. Tokens for which it is true may also be exchanged.", Since("0.45.0")
    ]
    allowed_delegate_clients: Annotated[
        list[str], "Clients that may exchange tokens of this issuer; a single * allows all."
    ]
    allow_may_act: Annotated[bool, "Whether the may_act claim of a token can also allow its exchange."]
    jwt_bearer_grant: Annotated[
        JWTBearerGrantRunConfig,
        "Access tokens in exchange for assertions that the issuer signed (RFC 7523).",
        Since("0.45.0"),
    ]


class DelegateClientRunConfig(TypedDict, total=False):
    """A confidential client that may exchange tokens."""

    client_id: Required[Annotated[str, "Id of the client.", Always()]]
    client_secret_file: Annotated[
        str, "File that holds the client secret. It takes precedence over client_secret_env_var."
    ]
    client_secret_env_var: Annotated[str, "Environment variable that holds the client secret."]
    scopes: Annotated[list[str] | None, "Scopes that the client may request.", Always()]
    audiences: Annotated[list[str] | None, "Resources that the client may request.", Always()]


class TokenExchangeIssuerPolicyRunConfig(TypedDict, total=False):
    """Tokens of a trusted issuer that may be exchanged."""

    issuer_ref: Required[Annotated[str, "Name of a trusted issuer.", Always()]]
    expected_audience: Required[Annotated[str, "Audience that exchanged tokens must carry.", Always()]]
    actor_claim: Annotated[str, "Claim that names the client that requested the token; azp when empty."]
    allowed_actors: Annotated[list[str], "Values of actor_claim whose tokens may be exchanged."]
    actor_matcher: Annotated[str, "CEL expression over claims. Tokens for which it is true may also be exchanged."]
    allowed_delegate_clients: Annotated[
        list[str] | None, "Clients that may exchange tokens of this issuer; a single * allows all.", Always()
    ]
    allow_may_act: Annotated[bool, "Whether the may_act claim of a token can also allow its exchange."]


class TokenExchangeGrantRunConfig(TypedDict, total=False):
    """The token exchange grant (RFC 8693)."""

    delegate_clients: Annotated[list[DelegateClientRunConfig], "Confidential clients that may exchange tokens."]
    issuer_policies: Annotated[
        list[TokenExchangeIssuerPolicyRunConfig], "Tokens of trusted issuers that may be exchanged."
    ]


class JWTBearerIssuerPolicyRunConfig(TypedDict, total=False):
    """Assertions of a trusted issuer that are accepted."""

    issuer_ref: Required[Annotated[str, "Name of a trusted issuer.", Always()]]
    max_assertion_age: Required[
        Annotated[str, "Maximum time between the iat and exp claims of an assertion.", Always()]
    ]
    subject_bindings: Annotated[
        list[JWTBearerSubjectBindingRunConfig] | None, "Subjects whose assertions are accepted.", Always()
    ]
    accepted_audiences: Annotated[list[str], "Audiences that assertions may carry."]


class JWTBearerRunConfig(TypedDict, total=False):
    """The JWT bearer grant (RFC 7523)."""

    issuer_policies: Annotated[list[JWTBearerIssuerPolicyRunConfig], "Assertions of trusted issuers that are accepted."]


class InboundGrantsRunConfig(TypedDict, total=False):
    """The grants that are on. A grant without a block is off."""

    spiffe_client_auth: Annotated[
        list[SPIFFEClientAuthRunConfig], "Clients that authenticate with their SPIFFE identity."
    ]
    token_exchange: Annotated[TokenExchangeGrantRunConfig, "Token exchange (RFC 8693)."]
    jwt_bearer: Annotated[JWTBearerRunConfig, "Access tokens in exchange for signed assertions (RFC 7523)."]


class TLSListenerRunConfig(TypedDict, total=False):
    """Files of the listener for HTTPS on port 8443."""

    cert_file: Required[Annotated[str, "File with the certificate.", Always()]]
    key_file: Required[Annotated[str, "File with the private key.", Always()]]


class EmbeddedAuthServerRunConfig(TypedDict, total=False):
    """An authorization server inside the proxy process."""

    schema_version: Required[Annotated[str, "Version of the format, v0.1.0. It is not checked.", Always()]]
    issuer: Required[
        Annotated[
            str,
            "URL of the issuer: HTTPS, or HTTP for localhost, without query, fragment and trailing slash.",
            Always(),
        ]
    ]
    authorization_endpoint_base_url: Annotated[
        str, "Base URL of the authorization endpoint, if it is not the issuer. Other endpoints keep the issuer."
    ]
    signing_key_config: Annotated[
        SigningKeyRunConfig, "Keys that sign tokens. When missing, each start creates a new key."
    ]
    hmac_secret_files: Annotated[
        list[str],
        "Files with secrets for codes and refresh tokens, the current secret first. When empty,"
        " each start creates a new secret.",
    ]
    token_lifespans: Annotated[TokenLifespanRunConfig, "Lifetimes of tokens."]
    delegation_token_lifespan: Annotated[str, "Lifetime of exchanged tokens.", Since("0.41.0")]
    upstreams: Required[Annotated[list[UpstreamRunConfig], "Providers that users log in to.", Always()]]
    scopes_supported: Annotated[
        list[str], "Scopes that are advertised; openid, profile, email and offline_access when empty."
    ]
    baseline_client_scopes: Annotated[list[str], "Scopes that every client may request.", Since("0.27.2")]
    allowed_audiences: Required[Annotated[list[str], "Audiences that clients may request tokens for.", Always()]]
    storage: Annotated[StorageRunConfig, "Store for the state; memory when missing."]
    disable_upstream_token_injection: Annotated[
        bool,
        "Whether requests reach the server without a token: the client's credentials are removed.",
        Since("0.30.0"),
    ]
    cimd: Annotated[CIMDRunConfig, "Clients whose id is the URL of a metadata document (CIMD).", Since("0.29.0")]
    insecure_allow_http: Annotated[bool, "Whether the issuer may use plain HTTP.", Since("0.32.0")]
    trusted_issuers: Annotated[
        list[TrustedIssuerRunConfig], "External issuers whose tokens may be exchanged.", Since("0.42.1")
    ]
    allow_confidential_client_registration: Annotated[
        bool, "Whether clients may register as confidential, with a secret.", Since("0.43.0")
    ]
    force_confidential_redirect_uris: Annotated[
        list[str], "Redirect URIs whose clients are always registered as confidential.", Since("0.43.0")
    ]
    insecure_allow_confidential_over_loopback_http: Annotated[
        bool, "Whether secrets may be issued over plain HTTP on localhost.", Since("0.43.0")
    ]
    delegate_clients: Annotated[
        list[DelegateClientRunConfig], "Confidential clients that may exchange tokens.", Since("0.43.0")
    ]
    allow_private_key_jwt_registration: Annotated[
        bool, "Whether clients may register with keys of their own (private_key_jwt).", Since("0.46.0")
    ]
    inbound_grants: Annotated[
        InboundGrantsRunConfig, "The grants that are on; token exchange when missing.", Since("0.47.0")
    ]
    spiffe_trust_domains: Annotated[
        list[SPIFFETrustDomainRunConfig], "SPIFFE trust domains whose workloads may authenticate.", Since("0.47.0")
    ]
    tls_listener: Annotated[
        TLSListenerRunConfig, "Listener for HTTPS, on which clients present certificates.", Since("0.52.0")
    ]
