"""RunConfig: what the proxy runner is started with, as JSON that Go writes."""

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


class RemoteAuthConfig(TypedDict, total=False):
    """Authentication towards a remote server: OAuth, or a bearer token."""

    client_id: Annotated[str, "Client id."]
    client_secret: Annotated[str, "Reference to the client secret: NAME,target=ENV."]
    client_secret_file: Annotated[str, "File that holds the client secret."]
    scopes: Annotated[list[str], "Scopes to ask for."]
    skip_browser: Annotated[bool, "Whether no browser is opened."]
    timeout: Annotated[Int64, "Longest time of the login, in nanoseconds; a text is refused.", Nanoseconds()]
    callback_port: Annotated[int, "Port that the login comes back to: 0, or 1024 to 65535."]
    use_pkce: Annotated[bool, "Whether PKCE is used.", Always()]
    resource: Annotated[str, "Resource to ask for (RFC 8707)."]
    issuer: Annotated[str, "Issuer, whose endpoints are discovered."]
    authorize_url: Annotated[str, "Where users are sent to log in."]
    token_url: Annotated[str, "Where codes become tokens."]
    headers: Annotated[list[HeaderSpec], "Headers that the registry names."]
    env_vars: Annotated[list[EnvVarSpec], "Variables that the registry names."]
    oauth_params: Annotated[dict[str, str], "More parameters of the login."]
    scope_param_name: Annotated[str, "Name of the query parameter, where it is not scope."]
    bearer_token: Annotated[str, "Reference to a bearer token, instead of OAuth: NAME,target=ENV."]
    bearer_token_file: Annotated[str, "File that holds a bearer token."]
    cached_refresh_token_ref: Annotated[str, "Kept by the product."]
    cached_token_expiry: Annotated[
        str, "Kept by the product: a time, 0001-01-01T00:00:00Z for none.", Go(type="time.Time"), Always()
    ]
    cached_client_id: Annotated[str, "Kept by the product."]
    cached_client_secret_ref: Annotated[str, "Kept by the product."]
    cached_secret_expiry: Annotated[
        str, "Kept by the product: a time, 0001-01-01T00:00:00Z for none.", Go(type="time.Time"), Always()
    ]
    cached_reg_token_ref: Annotated[str, "Kept by the product."]
    cached_cimd_client_id: Annotated[str, "Kept by the product.", Since("0.27.0")]
    cached_reg_client_uri: Annotated[str, "Kept by the product.", Since("0.41.0")]
    cached_token_auth_method: Annotated[str, "Kept by the product.", Since("0.41.0")]
    cached_dcr_callback_port: Annotated[int, "Kept by the product.", Since("0.41.0")]


class RunConfigToolOverride(TypedDict, total=False):
    """Another name or description of a tool; one of the two at least."""

    name: Annotated[str, "New name."]
    description: Annotated[str, "New description."]


class ToolOverrideFile(TypedDict, total=False):
    """A file of tool overrides."""

    toolsOverride: Required[Annotated[dict[str, RunConfigToolOverride], "What changes for a tool, by its actual name."]]


class IgnoreConfig(TypedDict, total=False):
    """Which files of mounted folders stay hidden."""

    LoadGlobal: Annotated[bool, "Whether the global ignore file counts.", Always()]
    PrintOverlays: Annotated[bool, "Whether hidden files are reported.", Always()]


class RuntimeConfig(TypedDict, total=False):
    """How an image is built for a package."""

    builder_image: Annotated[str, "Image to build with; that of the scheme when empty.", Always()]
    additional_packages: Annotated[list[str], "Packages to install besides."]
    build_with: Annotated[
        list[str], "Versions of packages that the package leaves open, as mcp<2; for Python.", Since("0.41.0")
    ]
    runtime_env: Annotated[dict[str, str], "Variables of the image that is built.", Since("0.37.0")]


class HeaderForwardRunConfig(TypedDict, total=False):
    """Headers that are added to requests to the remote server."""

    add_plaintext_headers: Annotated[dict[str, str], "Headers with plain values."]
    add_headers_from_secret: Annotated[dict[str, str], "Headers with secret values: the names of the secrets."]


class SessionRedisConfig(TypedDict, total=False):
    """Sessions in Redis. The password comes from the environment, ``THV_SESSION_REDIS_PASSWORD``."""

    address: Annotated[str, "Address of the Redis server."]
    db: Annotated[int, "Number of the Redis database."]
    key_prefix: Annotated[str, "Prefix of all Redis keys; thv:proxy:session: when empty."]


class ScalingConfig(TypedDict, total=False):
    """Replicas and their sessions; in Kubernetes only."""

    backend_replicas: Annotated[int, "Pods of the server; 0 is written too.", Go(pointer=True)]
    session_redis: Annotated[SessionRedisConfig, "Sessions in Redis."]


class RunConfig(TypedDict, total=False):
    """Everything that a proxy runner needs to know of one workload."""

    schema_version: Annotated[str, "v0.1.0, also when empty.", Always()]
    mcpserver_generation: Annotated[
        Int64, "Generation of the MCPServer that it was made of; in Kubernetes only.", Since("0.24.1")
    ]
    image: Annotated[str, "Container image of the server.", Always()]
    remote_url: Annotated[str, "Address of a remote server; no container is run then."]
    registry_api_url: Annotated[str, "Registry API that the server was found in."]
    registry_url: Annotated[str, "Registry file that the server was found in."]
    registry_server_name: Annotated[str, "Name of the server there."]
    remote_auth_config: Annotated[RemoteAuthConfig, "Authentication towards the remote server."]
    cmd_args: Annotated[list[str], "Arguments of the server."]
    name: Annotated[str, "Name of the workload.", Always()]
    container_name: Annotated[str, "Name of the container."]
    base_name: Annotated[str, "Name that files of the workload have."]
    transport: Annotated[str, "stdio, sse or streamable-http.", Always()]
    host: Annotated[str, "Address that the proxy listens on.", Always()]
    port: Annotated[int, "Port of the proxy.", Always()]
    target_port: Annotated[int, "Port of the server."]
    target_host: Annotated[str, "Host of the server."]
    allowed_origins: Annotated[list[str], "Origins that browsers may come from; localhost when empty.", Since("0.32.0")]
    publish: Annotated[list[str], "Ports to publish: hostPort:containerPort."]
    permission_profile_name_or_path: Annotated[str, "none, network, or a file."]
    permission_profile: Annotated[PermissionProfile | None, "Permission profile; stronger than its name.", Always()]
    env_vars: Annotated[dict[str, str], "Environment of the server."]
    env_file_dir: Annotated[str, "Not used.", Deprecated("env_vars")]
    debug: Annotated[bool, "Whether there is more in the logs."]
    volumes: Annotated[list[str], "Paths to mount: host:container, with :ro for read-only."]
    container_labels: Annotated[dict[str, str], "Labels of the container."]
    oidc_config: Annotated[
        TokenValidatorConfig, "OIDC provider that authenticates clients.", Deprecated("middleware_configs")
    ]
    token_exchange_config: Annotated[TokenExchangeRunConfig, "Token exchange towards the server."]
    upstream_swap_config: Annotated[UpstreamSwapConfig, "Tokens of upstream providers towards the server."]
    aws_sts_config: Annotated[AWSStsRunConfig, "Cloud credentials towards the server.", Neutral("cloud_sts_config")]
    authz_config: Annotated[AuthzFile, "Authorization of requests.", Deprecated("middleware_configs")]
    authz_config_path: Annotated[str, "File with the authorization of requests."]
    audit_config: Annotated[AuditLogConfig, "Audit logging.", Deprecated("middleware_configs")]
    audit_config_path: Annotated[str, "File with the configuration of audit logging."]
    telemetry_config: Annotated[TelemetryConfig, "Telemetry.", Deprecated("middleware_configs")]
    rate_limit_config: Annotated[RateLimitConfig, "Limits on requests; they need scaling_config.session_redis."]
    rate_limit_namespace: Annotated[str, "Namespace that limits are counted in."]
    secrets: Annotated[list[str], "Secrets that become variables of the server: NAME,target=ENV."]
    k8s_pod_template_patch: Annotated[str, "Patch of the server's pod template, as JSON; in Kubernetes only."]
    isolate_network: Annotated[bool, "Whether the network part of the permission profile is enforced."]
    allow_docker_gateway: Annotated[bool, "Whether the host stays within reach then."]
    trust_proxy_headers: Annotated[bool, "Whether X-Forwarded-… headers decide the URLs of endpoints."]
    strict_protocol_validation: Annotated[
        bool, "Whether requests that break the protocol are refused.", Since("0.41.0")
    ]
    stateless: Annotated[bool, "Whether the server keeps no sessions; not for stdio."]
    session_ttl: Annotated[str, "How long an idle session lives; 2h when empty.", Since("0.28.0")]
    proxy_mode: Annotated[str, "How the proxy speaks MCP: sse or streamable-http."]
    thv_ca_bundle: Annotated[
        str,
        "Not used.",
        Deprecated("oidc_config.CACertPath"),
    ]
    jwks_auth_token_file: Annotated[str, "Not used.", Deprecated("oidc_config.AuthTokenFile")]
    group: Annotated[str, "Group of the workload."]
    tools_filter: Annotated[list[str], "Tools that are shown; all when empty."]
    tools_override: Annotated[dict[str, RunConfigToolOverride], "What changes for a tool, by its actual name."]
    ignore_config: Annotated[IgnoreConfig, "Which files of mounted folders stay hidden."]
    middleware_configs: Annotated[list[MiddlewareConfig], "What requests pass through."]
    validating_webhooks: Annotated[list[Webhook], "Webhooks that see requests."]
    mutating_webhooks: Annotated[list[Webhook], "Webhooks that change requests."]
    endpoint_prefix: Annotated[str, "Path before the URLs of SSE endpoints."]
    runtime_config: Annotated[RuntimeConfig, "How an image is built for a package."]
    header_forward: Annotated[HeaderForwardRunConfig, "Headers that are added; for a remote server."]
    additional_middleware_configs: Annotated[
        list[MiddlewareConfig], "Middlewares of builds of one's own, after all others.", Since("0.30.0")
    ]
    embedded_auth_server_config: Annotated[EmbeddedAuthServerRunConfig, "Embedded authorization server."]
    scaling_config: Annotated[ScalingConfig, "Replicas and their sessions."]
