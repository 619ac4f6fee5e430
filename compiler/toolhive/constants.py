"""Names, paths, ports and images that the operator and its processes define, as of v0.21.0.

They use the words of the built-in profile. `Profile.spell` converts them for another profile.

Source: cmd/thv-operator/controllers and pkg/runner of toolhive.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from .profile import Profile

# Addresses
CLUSTER_ISSUER: Final = "https://kubernetes.default.svc"
CLUSTER_DOMAIN: Final = "svc.cluster.local"
DEFAULT_PORT: Final = 8080
"""Default port of proxies, of servers behind them, of embedding servers and registry servers."""
VMCP_PORT: Final = 4483
"""The port of virtual servers, which no field can change."""
METRICS_PORT: Final = 9464
"""The port on which proxies serve metrics since 0.45.0, unless a run configuration states another port."""
SENTINEL_PORT: Final = 26379
"""The usual port of Redis Sentinel, which the operator adds to addresses without a port."""

# Defaults
DEFAULT_PREFIX_FORMAT: Final = "{workload}_"
"""Default prefix of a virtual server's tool names."""

# Token types (RFC 8693), which also have a short form
TOKEN_TYPE_URN: Final = "urn:ietf:params:oauth:token-type:"  # noqa: S105 - the name of a type
TOKEN_TYPES: Final = ("access_token", "id_token", "jwt")

# Keys and files
CA_KEY: Final = "ca.crt"
AUTHZ_KEY: Final = "authz.json"
AUTHZ_PATH: Final = "/etc/toolhive/authz"
AUTHZ_VOLUME: Final = "authz-config"
CEDAR_CLAIMS: Final = {
    "groupClaimName": "group_claim_name",
    "roleClaimName": "role_claim_name",
    "groupEntityType": "group_entity_type",
}
"""Fields of ``authzConfig``, with the keys of a Cedar document that they override."""
AUTH_SERVER_PATH: Final = "/etc/toolhive/authserver"
SESSION_CA_PATH: Final = "/etc/toolhive/session-redis-tls"
AUTH_SERVER_KEY_PREFIX: Final = "thv:auth:"
"""Prefix of the Redis keys of an embedded authorization server."""
CA_BUNDLE_PATH: Final = "/etc/toolhive/ca-bundles"
STS_MIDDLEWARE: Final = "awssts"
STS_KEY: Final = "aws_sts_config"
STS_STRATEGY: Final = "aws_sts"
CA_BUNDLE_KEY: Final = "thv_ca_bundle"
"""Key of the CA bundle in a RunConfig."""
PROXY_CONTAINER: Final = "toolhive"
RUN_CONFIG_PATH: Final = "/etc/runconfig"
SKILL_FILE: Final = "SKILL.md"
"""The file of a skill, which names its folder a skill."""
RUN_CONFIG_VERSION: Final = "v0.1.0"
"""``schema_version`` of a RunConfig (``CurrentSchemaVersion`` of ToolHive's package runner)."""

# The pod of a registry server
VMCP_CONTAINER: Final = "vmcp"
REGISTRY_CONTAINER: Final = "registry-api"
REGISTRY_INIT_CONTAINER: Final = "setup-pgpass"
REGISTRY_VOLUME: Final = "registry-server-config"
REGISTRY_PATH: Final = "/config"
PGPASS_SECRET_VOLUME: Final = "pgpass-secret"  # noqa: S105 - the name of a volume
PGPASS_VOLUME: Final = "pgpass"
PGPASS_PATH: Final = "/home/appuser/.pgpass"

# Variables of the environment
TRANSPORT_VARIABLE: Final = "MCP_TRANSPORT"
PORT_VARIABLES: Final = ("MCP_PORT", "FASTMCP_PORT")
HOST_VARIABLE: Final = "MCP_HOST"
SERVER_VARIABLES: Final = (TRANSPORT_VARIABLE, *PORT_VARIABLES, HOST_VARIABLE)
"""Environment variables that the runner sets for a server."""
SECRET_PREFIX: Final = "TOOLHIVE_SECRET_"  # noqa: S105 - the beginning of a name
SECRETS_PROVIDER: Final = {"name": "TOOLHIVE_SECRETS_PROVIDER", "value": "environment"}
OIDC_SECRET_VARIABLE: Final = "TOOLHIVE_OIDC_CLIENT_SECRET"  # noqa: S105 - the name of a variable
TOKEN_EXCHANGE_VARIABLE: Final = "TOOLHIVE_TOKEN_EXCHANGE_CLIENT_SECRET"  # noqa: S105 - as there
HEADER_INJECTION_VARIABLE: Final = "TOOLHIVE_HEADER_INJECTION_VALUE"
HEADER_FORWARD_VARIABLE: Final = "TOOLHIVE_HEADER_FORWARD"
UPSTREAM_VARIABLE: Final = "TOOLHIVE_UPSTREAM_CLIENT_SECRET"
REGISTRATION_VARIABLE: Final = "TOOLHIVE_UPSTREAM_DCR_INITIAL_ACCESS_TOKEN"
DELEGATE_VARIABLE: Final = "TOOLHIVE_DELEGATE_CLIENT_SECRET"
WEBHOOK_PATH: Final = "/etc/toolhive/webhooks"
XAA_PROVIDER_VARIABLE: Final = "TOOLHIVE_XAA_IDP_CLIENT_SECRET"
XAA_TARGET_VARIABLE: Final = "TOOLHIVE_XAA_TARGET_CLIENT_SECRET"
PULL_SECRETS_ANNOTATION: Final = "toolhive.stacklok.io/imagepullsecrets-hash"
TELEMETRY_HEADER_VARIABLE: Final = "TOOLHIVE_OTEL_HEADER"
"""The prefix of the variable for a telemetry header; the name of the header follows. So do other variables above."""
AUTH_SERVER_USER_VARIABLE: Final = "TOOLHIVE_AUTH_SERVER_REDIS_USERNAME"
AUTH_SERVER_PASSWORD_VARIABLE: Final = "TOOLHIVE_AUTH_SERVER_REDIS_PASSWORD"  # noqa: S105 - the name of a variable
SESSION_PASSWORD_VARIABLE: Final = "THV_SESSION_REDIS_PASSWORD"  # noqa: S105 - the name of a variable
GENERATION_VARIABLE: Final = "THV_MCPSERVER_GENERATION"
PROCESS_ENVIRONMENT: Final = {
    "XDG_CONFIG_HOME": "/tmp",  # noqa: S108 - a path in the pod
    "HOME": "/tmp",  # noqa: S108 - a path in the pod
    "TOOLHIVE_RUNTIME": "kubernetes",
    "UNSTRUCTURED_LOGS": "false",
}
"""Environment variables of the proxy runner and of virtual servers, in the order of the pod."""
MODEL_VARIABLE: Final = "MODEL_ID"
TOKEN_VARIABLE: Final = "HF_TOKEN"  # noqa: S105 - the name of a variable
CACHE_VARIABLE: Final = "HF_HOME"

# Labels, annotations and finalizers
OWN_LABEL: Final = "toolhive"
NAME_LABEL: Final = "app.kubernetes.io/name"
INSTANCE_LABEL: Final = "app.kubernetes.io/instance"
COMPONENT_LABEL: Final = "app.kubernetes.io/component"
MANAGER_LABEL: Final = "app.kubernetes.io/managed-by"
MANAGER: Final = "toolhive-operator"
OWN_COMPONENT_LABEL: Final = "toolhive.stacklok.io/component"
OWN_MANAGER_LABEL: Final = "toolhive.stacklok.io/managed-by"
AUTHZ_LABEL: Final = "toolhive.stacklok.io/authz"
RUN_CONFIG_LABEL: Final = "toolhive.stacklok.io/"
"""Prefix of a label of the ConfigMap with a RunConfig; a word for the kind follows, such as ``mcp-server``."""
VIRTUAL_SERVER_LABEL: Final = "toolhive.stacklok.io/virtual-mcp-server"
REGISTRY_LABEL: Final = "toolhive.stacklok.io/registry-name"
WORKLOAD_LABEL: Final = "toolhive-name"
BASE_NAME_LABEL: Final = "toolhive-basename"
TRANSPORT_LABEL: Final = "toolhive-transport"
PORT_LABEL: Final = "toolhive-port"
ISOLATION_LABEL: Final = "toolhive-network-isolation"

CHECKSUM_ANNOTATION: Final = "toolhive.stacklok.dev/content-checksum"
BUNDLES_CHECKSUM_ANNOTATION: Final = "toolhive.stacklok.dev/authserver-ca-checksum"
POD_CHECKSUM_ANNOTATION: Final = "toolhive.stacklok.dev/runconfig-checksum"
CONFIG_HASH_ANNOTATION: Final = "toolhive.stacklok.dev/config-hash"
TEMPLATE_HASH_ANNOTATION: Final = "toolhive.stacklok.io/podtemplatespec-hash"
EXTERNAL_AUTH_ANNOTATION: Final = "toolhive.stacklok.dev/externalauthconfig-hash"
GENERATION_ANNOTATION: Final = "toolhive.stacklok.dev/mcpserver-generation"
TOOL_CONFIG_ANNOTATION: Final = "toolhive.stacklok.dev/toolconfig-hash"
WEBHOOK_ANNOTATION: Final = "toolhive.stacklok.dev/webhookconfig-hash"
RESTART_ANNOTATION: Final = "mcpserver.toolhive.stacklok.dev/restarted-at"
RESTART_STRATEGY_ANNOTATION: Final = "mcpserver.toolhive.stacklok.dev/restart-strategy"
RESTARTED_ANNOTATION: Final = "mcpserver.toolhive.stacklok.dev/last-processed-restart"
PURPOSE_ANNOTATION: Final = "toolhive.stacklok.dev/purpose"
REGISTRY_ANNOTATIONS: Final = tuple(
    """
    toolhive.stacklok.dev/registry-export toolhive.stacklok.dev/registry-url
    toolhive.stacklok.dev/registry-description toolhive.stacklok.dev/registry-title
    toolhive.stacklok.dev/registry-icon toolhive.stacklok.dev/registry-category
    toolhive.stacklok.dev/registry-version toolhive.stacklok.dev/tool-definitions toolhive.stacklok.dev/tools
    toolhive.stacklok.dev/authz-claims
    """.split()
)
"""The annotations of workloads that the registry server reads, in any of its versions.

Source: stacklok/toolhive-registry-server of August 2026, internal/kubernetes/builder.go.
"""
FINALIZERS: Final = {
    "EmbeddingServer": "embeddingserver.toolhive.stacklok.dev/finalizer",
    "MCPAuthzConfig": "mcpauthzconfig.toolhive.stacklok.dev/finalizer",
    "MCPExternalAuthConfig": "mcpexternalauthconfig.toolhive.stacklok.dev/finalizer",
    "MCPGroup": "toolhive.stacklok.dev/mcpgroup-finalizer",
    "MCPOIDCConfig": "mcpoidcconfig.toolhive.stacklok.dev/finalizer",
    "MCPRegistry": "mcpregistry.toolhive.stacklok.dev/finalizer",
    "MCPServer": "mcpserver.toolhive.stacklok.dev/finalizer",
    "MCPTelemetryConfig": "mcptelemetryconfig.toolhive.stacklok.dev/finalizer",
    "MCPToolConfig": "toolhive.stacklok.dev/toolconfig-finalizer",
    "MCPWebhookConfig": "mcpwebhookconfig.toolhive.stacklok.dev/finalizer",
}
"""Finalizer by kind."""

# Images
PROXY_RUNNER_IMAGE: Final = "ghcr.io/stacklok/toolhive/proxyrunner:latest"
VMCP_IMAGE: Final = "ghcr.io/stacklok/toolhive/vmcp:latest"
REGISTRY_IMAGE: Final = "ghcr.io/stacklok/thv-registry-api:latest"
BUILT_REPOSITORY: Final = "toolhivelocal"
BUILT_NAME: Final = "toolhive-container"
"""Image name for a package without a name, in the repository ``BUILT_REPOSITORY`` for images built from packages."""
OLD_AUTH_KEYS: Final = {
    "ClientID": "client_id",
    "ClientSecret": "client_secret",
    "ClientSecretFile": "client_secret_file",
    "Scopes": "scopes",
    "SkipBrowser": "skip_browser",
    "Timeout": "timeout",
    "CallbackPort": "callback_port",
    "UsePKCE": "use_pkce",
    "Issuer": "issuer",
    "AuthorizeURL": "authorize_url",
    "TokenURL": "token_url",
    "Headers": "headers",
    "EnvVars": "env_vars",
    "OAuthParams": "oauth_params",
    "BearerToken": "bearer_token",
    "BearerTokenFile": "bearer_token_file",
}
"""New name of each key of ``remote_auth_config`` in files of old versions. A file with ``ClientID`` is an old one."""


def embedding_labels(name: str, profile: Profile) -> dict[str, str]:
    """Return the labels in the selector of the Service of the EmbeddingServer ``name``."""
    return {
        NAME_LABEL: "embeddingserver",
        INSTANCE_LABEL: name,
        COMPONENT_LABEL: "embedding-server",
        MANAGER_LABEL: profile.spell(MANAGER),
    }


def registry_labels(name: str) -> dict[str, str]:
    """Return the labels in the selector of the Service of the MCPRegistry ``name``."""
    return {NAME_LABEL: f"{name}-api", COMPONENT_LABEL: REGISTRY_CONTAINER}
