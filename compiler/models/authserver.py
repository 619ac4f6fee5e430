"""The embedded authorization server as processes read it: in RunConfig, and ``authserver-config.yaml`` beside vMCP."""

from __future__ import annotations

from typing import Annotated, Required, TypedDict

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


class TokenResponseMappingRunConfig(TypedDict, total=False):
    """Where a provider with answers of its own puts what a token response holds; paths with dots."""

    access_token_path: Required[Annotated[str, "Path of the access token.", Always()]]
    scope_path: Annotated[str, "Path of the scope; scope when empty."]
    refresh_token_path: Annotated[str, "Path of the refresh token; refresh_token when empty."]
    expires_in_path: Annotated[str, "Path of the seconds to live; expires_in when empty."]


class OAuth2UpstreamRunConfig(TypedDict, total=False):
    """An upstream provider that speaks OAuth 2.0 alone."""

    authorization_endpoint: Required[Annotated[str, "Where users are sent to log in.", Always()]]
    token_endpoint: Required[Annotated[str, "Where codes become tokens.", Always()]]
    client_id: Required[Annotated[str, "Client id at the provider.", Always()]]
    client_secret_file: Annotated[str, "File that holds the client secret; stronger than client_secret_env_var."]
    client_secret_env_var: Annotated[str, "Variable that holds the client secret."]
    redirect_uri: Annotated[str, "Where the provider sends users back to; needed at the start."]
    scopes: Annotated[list[str], "Scopes to ask for."]
    userinfo: Annotated[UserInfoRunConfig | None, "The userinfo endpoint of the provider.", Always()]
    token_response_mapping: Annotated[
        TokenResponseMappingRunConfig, "Where the answer holds what, if not in the usual places."
    ]


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

    sentinel_config: Annotated[SentinelRunConfig, "Where Redis is."]
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
    upstreams: Required[Annotated[list[UpstreamRunConfig], "Providers that users log in to.", Always()]]
    scopes_supported: Annotated[
        list[str], "Scopes that are advertised; openid, profile, email and offline_access when empty."
    ]
    allowed_audiences: Required[Annotated[list[str], "Audiences that tokens may be asked for.", Always()]]
    storage: Annotated[StorageRunConfig, "Where state is kept; in memory when missing."]
