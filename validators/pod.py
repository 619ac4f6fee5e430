"""Read a ``podTemplateSpec``, even if parts of it are invalid: containers, placeholders, and named Secrets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..compiler.diagnostics.placeholder import is_placeholder
from ..compiler.diagnostics.plain import expanded, mapping, value_at
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
    from ..compiler.workspace.reference import Reference
    from ..compiler.workspace.resource import Resource
    from ..compiler.workspace.workspace import Workspace

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

_CONTAINERS: Final = ("containers", "initContainers", "ephemeralContainers")
_IN_CONTAINER: Final = (
    (("env", "*", "valueFrom", "secretKeyRef", "name"), "Secret"),
    (("env", "*", "valueFrom", "configMapKeyRef", "name"), "ConfigMap"),
    (("envFrom", "*", "secretRef", "name"), "Secret"),
    (("envFrom", "*", "configMapRef", "name"), "ConfigMap"),
)
_IN_VOLUME: Final = (
    (("secret", "secretName"), "Secret"),
    (("configMap", "name"), "ConfigMap"),
    (("csi", "nodePublishSecretRef", "name"), "Secret"),
    (("projected", "sources", "*", "secret", "name"), "Secret"),
    (("projected", "sources", "*", "configMap", "name"), "ConfigMap"),
)
_POD: Final[Path] = ("spec", "podTemplateSpec", "spec")
_PLACES: Final[tuple[tuple[Path, str], ...]] = (
    ((*_POD, "serviceAccountName"), "ServiceAccount"),
    ((*_POD, "imagePullSecrets", "*", "name"), "Secret"),
    *(((*_POD, field, "*", *path), kind) for field in _CONTAINERS for path, kind in _IN_CONTAINER),
    *(((*_POD, "volumes", "*", *path), kind) for path, kind in _IN_VOLUME),
)
_REGISTRY_VOLUMES: Final[tuple[tuple[Path, str], ...]] = tuple(
    (("spec", "volumes", "*", *path), kind) for path, kind in _IN_VOLUME
)


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
        path[3] == "containers" and may_be_server(container.get("name")) and container.get(field)
        for path, container in containers_of(spec)
    )


def may_be_server(name: Any) -> bool:
    """Return whether a container with this name runs the MCP server. A placeholder may be its name."""
    return name == SERVER or (isinstance(name, str) and is_placeholder(name))


def decoded(resource: Resource[TemplatedSpec]) -> Decoded:
    """Return the pod template of a resource as the operator decodes it. A plain template is returned unchanged.

    Call it by `Resource.once`, which caches the result.
    """
    from ..compiler.kube.typed import Decoded, decode, is_plain

    template = resource.spec["podTemplateSpec"]
    return Decoded(template, (), ()) if is_plain(template) else decode(template)


def unfilled_places(resource: Resource[Any]) -> tuple[Path, ...]:
    """Return the paths of placeholders for a number, mapping or list, in pod templates, volumes and mounts."""
    from ..compiler.kube.typed import decode

    spec = resource.spec
    given: list[tuple[Path, str, Any]] = [(("podTemplateSpec",), "PodTemplateSpec", spec.get("podTemplateSpec"))]
    if resource.kind == "MCPRegistry":  # volumes of an MCPServer have another type
        for field, kind in (("volumes", "Volume"), ("volumeMounts", "VolumeMount")):
            listed = spec.get(field)
            given += [((field, i), kind, item) for i, item in enumerate(listed if isinstance(listed, list) else ())]
    places_by_path = ((at, decode(value, kind).unfilled) for at, kind, value in given if isinstance(value, dict))
    return tuple(("spec", *at, *place) for at, places in places_by_path for place in places)


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


def pod_references(resource: Resource[Any], workspace: Workspace) -> Iterator[Reference]:
    """Yield the references of a resource's pod template, except those that may dangle.

    Source: the fields of a pod in Kubernetes that name a Secret, a ConfigMap or a ServiceAccount.
    """
    places = (*_PLACES, *_REGISTRY_VOLUMES) if resource.kind == "MCPRegistry" else _PLACES
    for pattern, kind in places:
        for path in expanded(resource.data, pattern):
            name = value_at(resource.data, path)
            holder = mapping(value_at(resource.data, path[:-1]))
            if isinstance(name, str) and name and holder.get("optional") is not True and name != "default":
                yield workspace.resolve(resource, path, kind, name)
