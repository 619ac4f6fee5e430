"""Addresses of workloads inside the cluster, as the operator writes them into ``status.url``."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from ..toolhive.constants import CLUSTER_DOMAIN, DEFAULT_PORT, VMCP_PORT

if TYPE_CHECKING:
    from ..models.embeddingserver import EmbeddingServerSpec
    from ..models.mcpserver import MCPServerSpec
    from ..models.spec import ProxySpec
    from ..workspace.resource import Resource


def proxy_url(resource: Resource[ProxySpec]) -> str:
    """Return the address of an MCPServer's or MCPRemoteProxy's proxy. The address of an MCPServer has a path."""
    port = resource.spec.get("proxyPort") or DEFAULT_PORT
    name, namespace = resource.name, resource.printed_namespace
    if resource.kind == "MCPRemoteProxy":
        return f"http://mcp-{name}-remote-proxy.{namespace}.{CLUSTER_DOMAIN}:{port}"
    transport = resource.spec.get("transport") or "stdio"
    if transport == "stdio":
        transport = cast("MCPServerSpec", resource.spec).get("proxyMode") or "streamable-http"
    path = f"/sse#{name}" if transport == "sse" else "/mcp"
    return f"http://mcp-{name}-proxy.{namespace}.{CLUSTER_DOMAIN}:{port}{path}"


def embedding_url(resource: Resource[EmbeddingServerSpec]) -> str:
    """Return the address of an EmbeddingServer."""
    port = resource.spec.get("port") or DEFAULT_PORT
    return f"http://{resource.name}.{resource.printed_namespace}.{CLUSTER_DOMAIN}:{port}"


def virtual_server_url(resource: Resource) -> str:
    """Return the address of a VirtualMCPServer."""
    return f"http://vmcp-{resource.name}.{resource.printed_namespace}.{CLUSTER_DOMAIN}:{VMCP_PORT}"


def registry_url(resource: Resource) -> str:
    """Return the address of an MCPRegistry's API."""
    return f"http://{resource.name}-api.{resource.printed_namespace}:{DEFAULT_PORT}"
