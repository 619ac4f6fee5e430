"""The targets of ``build``, and the compile step for each target and kind."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias, get_args

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ..workspace.resource import Resource
    from .build import Build, Object

Target: TypeAlias = Literal["kubernetes", "backend", "runconfig", "vmcp", "status"]
"""A target of ``build``, as ``--target`` names it."""

TARGETS: tuple[Target, ...] = get_args(Target)


_LONGEST_FILE_NAME: Final = 255
"""The limit of most file systems for a file name, in bytes. Names of resources are ASCII."""


class Artifact(NamedTuple):
    """A piece of compiled output.

    Attributes:
        path: The path below the output folder.
        text: The exact text.
        source: The resource that was compiled, or ``None`` for a workload request.
        is_object: True if the text is one object, which `compiled` returns.
        file: The side file that is compiled with a workload request; empty for other output.
    """

    path: str
    text: str
    source: Resource | None = None
    is_object: bool = False
    file: str = ""

    @property
    def compiled(self) -> Object | None:
        """The object as data, or ``None`` if the text is not an object.

        It is parsed from the text on each access, because the data takes five times the memory of the text.
        """
        if not self.is_object:
            return None
        from ..reading.document import read_documents

        compiled: Object = read_documents(self.text, self.path)[0][0].data
        return compiled


OBJECT_STEPS: dict[str, dict[str, str]] = {
    "kubernetes": {
        "MCPServer": "mcpserver",
        "MCPRemoteProxy": "mcpremoteproxy",
        "VirtualMCPServer": "virtualmcpserver",
        "MCPRegistry": "mcpregistry",
        "EmbeddingServer": "embeddingserver",
    },
    "backend": {"MCPServer": "backend"},
}
"""For each target and kind, the module of ``compiler.emit`` whose ``objects(build, resource)`` returns the objects."""

TEXT_STEPS: dict[str, str] = {"runconfig": "runconfig_target", "vmcp": "vmcp_target", "status": "status_target"}
"""For each target, the module with ``artifacts(build, resources)`` (files) and ``stream(artifacts)`` (one text)."""


def compiled_objects(target: str, build: Build, resources: Iterable[Resource]) -> Iterator[tuple[Resource, Object]]:
    """Yield each resource with each Kubernetes object that is compiled from it, when the caller reaches the resource.

    Resources are sorted by namespace, kind and name. The objects of a resource are in creation order.
    """
    steps = OBJECT_STEPS[target]
    for resource in in_order(resources):
        module = steps.get(resource.kind)
        if module is not None:
            step: Callable[[Build, Resource], list[Object]] = import_module(f"mcpcfg.compiler.emit.{module}").objects
            yield from ((resource, compiled) for compiled in step(build, resource))


def in_order(resources: Iterable[Resource]) -> list[Resource]:
    """Return resources sorted by namespace, kind and name, as every output lists them."""
    return sorted(resources, key=lambda resource: (resource.printed_namespace, resource.kind, resource.name))


def object_path(compiled: Object) -> str:
    """Return the path of an object's file, such as ``team-a/deployment-fetch.yaml``."""
    metadata = compiled["metadata"]
    return file_path(metadata["namespace"], f"{compiled['kind'].lower()}-{metadata['name']}", ".yaml")


def file_path(namespace: str, name: str, ending: str) -> str:
    """Return the path of a file in a namespace's folder. A name that is too long is cut and ends with a digest."""
    if len(name) + len(ending) > _LONGEST_FILE_NAME:
        from .checksum import hex_digest

        # 64 bits are enough to tell the names of a project apart.
        digest = hex_digest(name)[:16]
        name = f"{name[: _LONGEST_FILE_NAME - len(ending) - len(digest) - 1]}-{digest}"
    return f"{namespace}/{name}{ending}"


def without_owner(compiled: Object) -> Object:
    """Return an object without owner references, so it is valid without the operator and for schema checkers."""
    metadata: dict[str, Any] = compiled["metadata"]
    return {**compiled, "metadata": {key: metadata[key] for key in metadata if key != "ownerReferences"}}
