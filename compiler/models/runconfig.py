"""RunConfig: the JSON file that configures the proxy runner."""

from __future__ import annotations

from typing import Annotated, Required, TypedDict

from .audit import AuditLogConfig
from .authserver import EmbeddedAuthServerRunConfig
from .authz import AuthzFile
from .dated import Since
from .declare import Always, Deprecated, Go, Int64, Nanoseconds, Neutral
from .middleware import MiddlewareConfig, TokenExchangeRunConfig, TokenValidatorConfig, UpstreamSwapConfig
from .permission_profile import PermissionProfile
from .registry import EnvVarSpec, HeaderSpec
from .session import RateLimitConfig
from .sts import AWSStsRunConfig
from .telemetry import TelemetryConfig
from .webhook import Webhook

CachedExpiry = Annotated[
    str, "Cache of the product; do not set. The time 0001-01-01T00:00:00Z means none.", Go(type="time.Time"), Always()
]


class RemoteAuthConfig(TypedDict, total=False):
    """Authentication to a remote server: OAuth, or a bearer token."""

    client_id: Annotated[str, "Client id."]
    client_secret: Annotated[str, "Reference to the client secret: NAME,target=ENV."]
    client_secret_file: Annotated[str, "File that holds the client secret."]
    scopes: Annotated[list[str], "Scopes to ask for."]
    skip_browser: Annotated[bool, "Whether no browser is opened."]
    timeout: Annotated[Int64, "Timeout of the login in nanoseconds; strings are refused.", Nanoseconds()]
    callback_port: Annotated[int, "Port of the login callback: 0, or 1024 to 65535."]
    use_pkce: Annotated[bool, "Whether PKCE is used.", Always()]
    resource: Annotated[str, "Requested resource (RFC 8707)."]
    issuer: Annotated[str, "Issuer, whose endpoints are discovered."]
    authorize_url: Annotated[str, "Authorization endpoint, to which users are sent to log in."]
    token_url: Annotated[str, "Token endpoint, which exchanges authorization codes for tokens."]
    headers: Annotated[list[HeaderSpec], "Headers that the registry entry lists."]
    env_vars: Annotated[list[EnvVarSpec], "Environment variables that the registry entry lists."]
    oauth_params: Annotated[dict[str, str], "Additional parameters of the authorization request."]
    scope_param_name: Annotated[str, "Name of the query parameter for scopes, if it is not scope."]
    bearer_token: Annotated[str, "Reference to a bearer token, instead of OAuth: NAME,target=ENV."]
    bearer_token_file: Annotated[str, "File that holds a bearer token."]
    cached_refresh_token_ref: Annotated[str, "Cache of the product; do not set."]
    cached_token_expiry: CachedExpiry
    cached_client_id: Annotated[str, "Cache of the product; do not set."]
    cached_client_secret_ref: Annotated[str, "Cache of the product; do not set."]
    cached_secret_expiry: CachedExpiry
    cached_reg_token_ref: Annotated[str, "Cache of the product; do not set."]
    cached_cimd_client_id: Annotated[str, "Cache of the product; do not set.", Since("0.27.0")]
    cached_reg_client_uri: Annotated[str, "Cache of the product; do not set.", Since("0.41.0")]
    cached_token_auth_method: Annotated[str, "Cache of the product; do not set.", Since("0.41.0")]
    cached_dcr_callback_port: Annotated[int, "Cache of the product; do not set.", Since("0.41.0")]


class RunConfigToolOverride(TypedDict, total=False):
    """New name or description of a tool; at least one of the two."""

    name: Annotated[str, "New name."]
    description: Annotated[str, "New description."]


class ToolOverrideFile(TypedDict, total=False):
    """A file that overrides names and descriptions of tools."""

    toolsOverride: Required[Annotated[dict[str, RunConfigToolOverride], "Overrides by the original name of the tool."]]


class IgnoreConfig(TypedDict, total=False):
    """Settings that hide files in mounted folders."""

    LoadGlobal: Annotated[bool, "Whether the global ignore file applies.", Always()]
    PrintOverlays: Annotated[bool, "Whether hidden files are reported.", Always()]


class RuntimeConfig(TypedDict, total=False):
    """Build settings for the image of a package."""

    builder_image: Annotated[str, "Image for the build; the scheme's default when empty.", Always()]
    additional_packages: Annotated[list[str], "Additional packages to install."]
    build_with: Annotated[
        list[str], "Version constraints for dependencies, such as mcp<2; for Python packages.", Since("0.41.0")
    ]
    runtime_env: Annotated[dict[str, str], "Environment variables of the built image.", Since("0.37.0")]


class HeaderForwardRunConfig(TypedDict, total=False):
    """Headers added to requests to the remote server."""

    add_plaintext_headers: Annotated[dict[str, str], "Headers with plain values."]
    add_headers_from_secret: Annotated[dict[str, str], "Names of secrets by header."]


class SessionRedisTLSConfig(TypedDict, total=False):
    """TLS settings of a connection to Redis. The block itself turns TLS on."""

    insecureSkipVerify: Annotated[bool, "Whether certificates are not verified."]
    caCertFile: Annotated[str, "File with the CA certificate; the system's CAs when empty."]


class SessionRedisConfig(TypedDict, total=False):
    """Sessions in Redis. The environment variable ``THV_SESSION_REDIS_PASSWORD`` holds the password."""

    address: Annotated[str, "Address of the Redis server."]
    db: Annotated[int, "Number of the Redis database."]
    key_prefix: Annotated[str, "Prefix of all Redis keys; thv:proxy:session: when empty."]
    tls: Annotated[SessionRedisTLSConfig, "TLS settings of the connection; plain text when missing.", Since("0.52.0")]


class ScalingConfig(TypedDict, total=False):
    """Numbers of replicas and their session store; only in Kubernetes."""

    backend_replicas: Annotated[int, "Number of server pods; 0 is also written.", Go(pointer=True)]
    session_redis: Annotated[SessionRedisConfig, "Sessions in Redis."]


class RunConfig(TypedDict, total=False):
    """Complete configuration of a proxy runner for one workload."""

    schema_version: Annotated[str, "Version of the format; v0.1.0 when empty.", Always()]
    mcpserver_generation: Annotated[
        Int64, "Generation of the MCPServer that the RunConfig was built from; only in Kubernetes.", Since("0.24.1")
    ]
    image: Annotated[str, "Container image of the server.", Always()]
    remote_url: Annotated[str, "URL of a remote server. No container runs then."]
    registry_api_url: Annotated[str, "Registry API that the server was found in."]
    registry_url: Annotated[str, "Registry file that the server was found in."]
    registry_server_name: Annotated[str, "Name of the server in the registry."]
    remote_auth_config: Annotated[RemoteAuthConfig, "Authentication to the remote server."]
    cmd_args: Annotated[list[str], "Arguments of the server."]
    name: Annotated[str, "Name of the workload.", Always()]
    container_name: Annotated[str, "Name of the container."]
    base_name: Annotated[str, "Base name of the workload's files."]
    transport: Annotated[str, "stdio, sse or streamable-http.", Always()]
    host: Annotated[str, "Address that the proxy listens on.", Always()]
    port: Annotated[int, "Port of the proxy.", Always()]
    target_port: Annotated[int, "Port of the server."]
    target_host: Annotated[str, "Host of the server."]
    allowed_origins: Annotated[list[str], "Allowed origins of browsers; localhost when empty.", Since("0.32.0")]
    publish: Annotated[list[str], "Ports to publish: hostPort:containerPort."]
    permission_profile_name_or_path: Annotated[str, "Permission profile: none, network, or the path of a file."]
    permission_profile: Annotated[
        PermissionProfile | None,
        "Permission profile. It takes precedence over permission_profile_name_or_path.",
        Always(),
    ]
    env_vars: Annotated[dict[str, str], "Environment of the server."]
    env_file_dir: Annotated[str, "Ignored.", Deprecated("env_vars")]
    debug: Annotated[bool, "Whether debug logs are written."]
    volumes: Annotated[list[str], "Mounts: host:container, with :ro for read-only."]
    container_labels: Annotated[dict[str, str], "Labels of the container."]
    oidc_config: Annotated[
        TokenValidatorConfig, "OIDC provider that authenticates clients.", Deprecated("middleware_configs")
    ]
    token_exchange_config: Annotated[TokenExchangeRunConfig, "Token exchange for requests to the server."]
    upstream_swap_config: Annotated[UpstreamSwapConfig, "Upstream tokens in requests to the server."]
    aws_sts_config: Annotated[
        AWSStsRunConfig, "Cloud credentials for requests to the server.", Neutral("cloud_sts_config")
    ]
    authz_config: Annotated[AuthzFile, "Authorization of requests.", Deprecated("middleware_configs")]
    authz_config_path: Annotated[str, "File with the authorization configuration."]
    audit_config: Annotated[AuditLogConfig, "Audit logging.", Deprecated("middleware_configs")]
    audit_config_path: Annotated[str, "File with the configuration of audit logging."]
    telemetry_config: Annotated[TelemetryConfig, "Telemetry.", Deprecated("middleware_configs")]
    rate_limit_config: Annotated[RateLimitConfig, "Rate limits; they require scaling_config.session_redis."]
    rate_limit_namespace: Annotated[str, "Namespace of the counters."]
    secrets: Annotated[list[str], "Secrets that become environment variables of the server: NAME,target=ENV."]
    k8s_pod_template_patch: Annotated[str, "Patch of the server's pod template, as JSON; only in Kubernetes."]
    isolate_network: Annotated[bool, "Whether the network part of the permission profile is enforced."]
    allow_docker_gateway: Annotated[bool, "Whether an isolated container may still reach the host."]
    trust_proxy_headers: Annotated[bool, "Whether the X-Forwarded-… headers determine the URLs of endpoints."]
    strict_protocol_validation: Annotated[
        bool, "Whether requests that break the protocol are refused.", Since("0.41.0")
    ]
    stateless: Annotated[bool, "Whether the server keeps no sessions; not for stdio."]
    session_ttl: Annotated[str, "Lifetime of an idle session; 2h when empty.", Since("0.28.0")]
    max_request_body_size: Annotated[
        Int64, "Maximum size of a request's body in bytes; 8 MiB when empty.", Since("0.45.0")
    ]
    proxy_read_timeout: Annotated[str, "Time in which a client must send a request; 30s when empty.", Since("0.45.0")]
    proxy_mode: Annotated[str, "MCP transport of the proxy: sse or streamable-http."]
    thv_ca_bundle: Annotated[str, "Ignored.", Deprecated("oidc_config.CACertPath")]
    jwks_auth_token_file: Annotated[str, "Ignored.", Deprecated("oidc_config.AuthTokenFile")]
    group: Annotated[str, "Group of the workload."]
    tools_filter: Annotated[list[str], "Tools that clients see; all when empty."]
    tools_override: Annotated[dict[str, RunConfigToolOverride], "Overrides by the original name of the tool."]
    ignore_config: Annotated[IgnoreConfig, "Hiding of files in mounted folders."]
    middleware_configs: Annotated[list[MiddlewareConfig], "Middlewares, in the order in which requests pass them."]
    validating_webhooks: Annotated[list[Webhook], "Webhooks that may refuse requests."]
    mutating_webhooks: Annotated[list[Webhook], "Webhooks that may change requests."]
    endpoint_prefix: Annotated[str, "Path prefix of the URLs of SSE endpoints."]
    runtime_config: Annotated[RuntimeConfig, "Build of an image for a package."]
    header_forward: Annotated[HeaderForwardRunConfig, "Headers added to requests to a remote server."]
    additional_middleware_configs: Annotated[
        list[MiddlewareConfig], "Middlewares of custom builds, which run after all others.", Since("0.30.0")
    ]
    embedded_auth_server_config: Annotated[EmbeddedAuthServerRunConfig, "Embedded authorization server."]
    scaling_config: Annotated[ScalingConfig, "Replicas and their sessions."]
