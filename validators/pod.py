"""Read the containers of a ``podTemplateSpec`` before it is decoded, even if other parts of it are invalid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..compiler.diagnostics.placeholder import is_placeholder
from ..compiler.toolhive.constants import (
    DEFAULT_PORT,
    HOST_VARIABLE,
    PORT_VARIABLES,
    PROXY_CONTAINER,
    REGISTRY_CONTAINER,
    REGISTRY_INIT_CONTAINER,
    TRANSPORT_VARIABLE,
    VMCP_CONTAINER,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..compiler.diagnostics.span import Path
    from ..compiler.kube.typed import Decoded
    from ..compiler.models.mcpserver import MCPServerSpec
    from ..compiler.models.spec import TemplatedSpec
    from ..compiler.workspace.resource import Resource

SERVER = "mcp"
"""The name of the container that runs the server itself."""
OWN_CONTAINERS: Final = {
    "MCPServer": (SERVER,),
    "MCPRemoteProxy": (PROXY_CONTAINER,),
    "MCPRegistry": (REGISTRY_CONTAINER, REGISTRY_INIT_CONTAINER),
    "VirtualMCPServer": (VMCP_CONTAINER,),
    "EmbeddingServer": ("embedding",),
}
"""Names of the containers that the product adds, by kind. The first container runs the main program."""


def containers_of(spec: Mapping[str, Any]) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield the path and the content of each container in the pod template of ``spec``, init containers first."""
    template = spec.get("podTemplateSpec")
    if template is None:
        return
    pod = template.get("spec") if isinstance(template, dict) else None
    for field in ("initContainers", "containers"):
        containers = pod.get(field) if isinstance(pod, dict) else None
        for i, container in enumerate(containers if isinstance(containers, list) else ()):
            if isinstance(container, dict):
                yield ("spec", "podTemplateSpec", "spec", field, i), container


def server_has(spec: Mapping[str, Any], field: str) -> bool:
    """Return whether the pod template sets ``field`` of the server's container, or may set it by a placeholder."""
    return isinstance(spec.get("podTemplateSpec"), str) or any(
        path[3] == "containers" and _may_be_server(container.get("name")) and container.get(field)
        for path, container in containers_of(spec)
    )


def _may_be_server(name: Any) -> bool:
    return name == SERVER or (isinstance(name, str) and is_placeholder(name))


def decoded(resource: Resource[TemplatedSpec]) -> Decoded:
    """Return the pod template of a resource as the operator decodes it. A plain template is returned unchanged.

    Call it by `Resource.once`, which caches the result.
    """
    from ..compiler.kube.typed import Decoded, decode, is_plain

    template = resource.spec["podTemplateSpec"]
    return Decoded(template, (), ()) if is_plain(template) else decode(template)


def server_environment(pod: Mapping[str, Any]) -> Iterator[tuple[str, Path]]:
    """Yield the name and the path of each environment variable of the server's container in a decoded pod."""
    for i, container in enumerate(pod.get("containers") or ()):
        if container.get("name") == SERVER:
            for j, entry in enumerate(container.get("env") or ()):
                yield entry.get("name", ""), ("spec", "podTemplateSpec", "spec", "containers", i, "env", j, "name")
            return


def added_by_product(spec: MCPServerSpec) -> dict[str, str]:
    """Return the environment variables that the proxy runner sets in the server's container, with their values.

    The value of the host variable is empty, because it is only known in the cluster.
    """
    transport = spec.get("transport") or "stdio"
    added: dict[str, str] = {TRANSPORT_VARIABLE: transport}
    if transport != "stdio":
        port = str(spec.get("mcpPort") or DEFAULT_PORT)
        added |= dict.fromkeys(PORT_VARIABLES, port) | {HOST_VARIABLE: ""}
    return added
