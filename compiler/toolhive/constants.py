"""Names, paths, ports and images that the operator and its processes fix, as of v0.21.0.

Source: cmd/thv-operator/controllers and pkg/runner of toolhive.
"""

from __future__ import annotations

from typing import Final

# Addresses
CLUSTER_ISSUER: Final = "https://kubernetes.default.svc"
CLUSTER_DOMAIN: Final = "svc.cluster.local"
DEFAULT_PORT: Final = 8080
"""Of proxies, of servers behind them, of embedding servers and registry servers."""
VMCP_PORT: Final = 4483
SENTINEL_PORT: Final = 26379

# Keys and files
CA_KEY: Final = "ca.crt"
AUTHZ_KEY: Final = "authz.json"
AUTHZ_PATH: Final = "/etc/toolhive/authz"
AUTHZ_VOLUME: Final = "authz-config"
RUN_CONFIG_PATH: Final = "/etc/runconfig"
RUN_CONFIG_VERSION: Final = "v0.1.0"

# The pod of a registry server
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
"""What the runner sets for a server."""
SECRET_PREFIX: Final = "TOOLHIVE_SECRET_"  # noqa: S105 - the beginning of a name
SECRETS_PROVIDER: Final = {"name": "TOOLHIVE_SECRETS_PROVIDER", "value": "environment"}
OIDC_SECRET_VARIABLE: Final = "TOOLHIVE_OIDC_CLIENT_SECRET"  # noqa: S105 - the name of a variable
PROCESS_ENVIRONMENT: Final = {
    "XDG_CONFIG_HOME": "/tmp",  # noqa: S108 - a path in the pod
    "HOME": "/tmp",  # noqa: S108 - a path in the pod
    "TOOLHIVE_RUNTIME": "kubernetes",
    "UNSTRUCTURED_LOGS": "false",
}
"""Of the proxy runner and of virtual servers, in their order."""
MODEL_VARIABLE: Final = "MODEL_ID"
TOKEN_VARIABLE: Final = "HF_TOKEN"  # noqa: S105 - the name of a variable
CACHE_VARIABLE: Final = "HF_HOME"

# Labels
NAME_LABEL: Final = "app.kubernetes.io/name"
INSTANCE_LABEL: Final = "app.kubernetes.io/instance"
COMPONENT_LABEL: Final = "app.kubernetes.io/component"
MANAGER_LABEL: Final = "app.kubernetes.io/managed-by"
MANAGER: Final = "toolhive-operator"
OWN_COMPONENT_LABEL: Final = "toolhive.stacklok.io/component"
OWN_MANAGER_LABEL: Final = "toolhive.stacklok.io/managed-by"
WORKLOAD_LABEL: Final = "toolhive-name"
BASE_NAME_LABEL: Final = "toolhive-basename"
TRANSPORT_LABEL: Final = "toolhive-transport"
PORT_LABEL: Final = "toolhive-port"

# Images
PROXY_RUNNER_IMAGE: Final = "ghcr.io/stacklok/toolhive/proxyrunner:latest"
VMCP_IMAGE: Final = "ghcr.io/stacklok/toolhive/vmcp:latest"
REGISTRY_IMAGE: Final = "ghcr.io/stacklok/thv-registry-api:latest"


def embedding_labels(name: str) -> dict[str, str]:
    """Return the labels by which the Service of an EmbeddingServer finds its pods."""
    return {
        NAME_LABEL: "embeddingserver",
        INSTANCE_LABEL: name,
        COMPONENT_LABEL: "embedding-server",
        MANAGER_LABEL: MANAGER,
    }


def registry_labels(name: str) -> dict[str, str]:
    """Return the labels by which the Service of an MCPRegistry finds its pods."""
    return {NAME_LABEL: f"{name}-api", COMPONENT_LABEL: REGISTRY_CONTAINER}
