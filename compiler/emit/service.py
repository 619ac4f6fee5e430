"""The Services that the operator and the proxy runner create for servers and proxies.

Rules about routes need these and no other objects, so this module imports little.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..toolhive.constants import (
    BASE_NAME_LABEL,
    DEFAULT_PORT,
    OWN_LABEL,
    PORT_LABEL,
    TRANSPORT_LABEL,
    VMCP_PORT,
    WORKLOAD_LABEL,
)
from ..toolhive.release import LISTENER_PORT_SINCE
from .build import merged, metadata, service_overrides, standard_labels

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ..models.mcpserver import MCPServerSpec
    from ..models.spec import ProxySpec
    from ..models.virtualmcpserver import VirtualMCPServerSpec
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace
    from .build import Object

NODE_PORTS = range(30000, 32768)
"""The node ports of Kubernetes. If the port of a server is among them, the runner makes a Service of type NodePort."""
AFFINITY_SECONDS = 1800
"""Seconds for which a Service sends a client to the same pod (``mcpServiceSessionAffinityTimeout`` of the runner)."""
LONGEST_BASE_NAME = 100
"""The operator cuts base names to this length, which is ToolHive's limit for names of workloads."""


def service(
    metadata: Object, labels: Mapping[str, str], port: int, others: Sequence[Object] = (), **spec: Any
) -> Object:
    """Return a Service with a port named ``http``, and the ports in ``others``. ``spec`` adds fields to its spec."""
    ports = [{"name": "http", "port": port, "targetPort": port, "protocol": "TCP"}, *others]
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": metadata,
        "spec": {"ports": ports, "selector": dict(labels), **spec},
    }


def proxy_service(workspace: Workspace, resource: Resource[ProxySpec]) -> Object:
    """Return the Service of the proxy of an MCPServer or MCPRemoteProxy."""
    labels, given = standard_labels(resource), service_overrides(resource)
    name = f"mcp-{resource.name}-{'proxy' if resource.kind == 'MCPServer' else 'remote-proxy'}"
    service_metadata = metadata(resource, name, merged(labels, given.get("labels")), given.get("annotations"))
    port = resource.spec.get("proxyPort") or DEFAULT_PORT
    others: list[Object] = []
    if resource.is_judged(since=LISTENER_PORT_SINCE):
        from . import authserver, listener

        others = listener.service_ports(authserver.of_proxy(workspace, resource))
    affinity = resource.spec.get("sessionAffinity") or "ClientIP"
    return service(service_metadata, labels, port, others, sessionAffinity=affinity)


def virtual_server_service(resource: Resource[VirtualMCPServerSpec]) -> Object:
    """Return the Service of a VirtualMCPServer."""
    labels, spec = standard_labels(resource), resource.spec
    others: list[Object] = []
    if resource.is_judged(since=LISTENER_PORT_SINCE):
        from . import listener

        others = listener.service_ports(spec.get("authServerConfig"))
    return service(
        metadata(resource, f"vmcp-{resource.name}", labels),
        labels,
        VMCP_PORT,
        others,
        type=spec.get("serviceType") or "ClusterIP",
        sessionAffinity=spec.get("sessionAffinity") or "ClientIP",
    )


def runner_labels(resource: Resource[ProxySpec], transport: str) -> dict[str, str]:
    """Return the labels of a workload in its RunConfig."""
    base_name = resource.name[:LONGEST_BASE_NAME]
    labels = {
        OWN_LABEL: "true",
        BASE_NAME_LABEL: base_name,
        WORKLOAD_LABEL: base_name if resource.kind == "MCPServer" else resource.name,
        PORT_LABEL: str(resource.spec.get("proxyPort") or DEFAULT_PORT),
        TRANSPORT_LABEL: transport,
    }
    return {resource.profile.spell(label): value for label, value in labels.items()}


def backend_labels(resource: Resource[MCPServerSpec]) -> dict[str, str]:
    """Return the labels of the objects that the proxy runner creates for an MCPServer."""
    labels = runner_labels(resource, resource.spec.get("transport") or "stdio")
    return labels | {"app": resource.name[:LONGEST_BASE_NAME], resource.profile.spell(OWN_LABEL): "true"}


def backend_services(resource: Resource[MCPServerSpec]) -> list[Object]:
    """Return the headless and the ordinary Service of an MCPServer; empty for the transport stdio."""
    spec = resource.spec
    if (spec.get("transport") or "stdio") == "stdio":
        return []
    name, labels = resource.name[:LONGEST_BASE_NAME], backend_labels(resource)
    port = spec.get("mcpPort") or DEFAULT_PORT
    entry: Object = {"name": f"port-{port}", "port": port, "targetPort": port, "protocol": "TCP"}
    if port in NODE_PORTS:
        entry["nodePort"] = port
    owner = {
        "apiVersion": "apps/v1",
        "kind": "StatefulSet",
        "name": name,
        "controller": True,
        "blockOwnerDeletion": True,
    }

    def made(service_name: str, fields: Object) -> Object:
        service_metadata = {
            "name": service_name,
            "namespace": resource.printed_namespace,
            "labels": labels,
            "ownerReferences": [owner],
        }
        return {
            "apiVersion": "v1",
            "kind": "Service",
            "metadata": service_metadata,
            "spec": {"selector": {"app": name}, "ports": [entry], **fields},
        }

    affinity = {"clientIP": {"timeoutSeconds": AFFINITY_SECONDS}}
    return [
        made(f"mcp-{name}-headless", {"type": "ClusterIP", "clusterIP": "None"}),
        made(
            f"mcp-{name}",
            {
                "type": "NodePort" if port in NODE_PORTS else "ClusterIP",
                "sessionAffinity": "ClientIP",
                "sessionAffinityConfig": affinity,
            },
        ),
    ]


SERVICES: Final[dict[str, Callable[[Workspace, Resource[Any]], list[Object]]]] = {
    "MCPServer": lambda workspace, resource: [proxy_service(workspace, resource), *backend_services(resource)],
    "MCPRemoteProxy": lambda workspace, resource: [proxy_service(workspace, resource)],
    "VirtualMCPServer": lambda _, resource: [virtual_server_service(resource)],
}
"""For a kind, a function that returns all Services of a resource, in the order in which they are created."""
