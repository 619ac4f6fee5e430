"""The targets of ``build``: the compile step for each target and kind, and the artifacts that the steps make."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, get_args

from ..diagnostics.finding import Note, rule
from ..diagnostics.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ..diagnostics.finding import Finding
    from ..workspace.resource import Resource
    from .build import Build, Object

Target: TypeAlias = Literal["kubernetes", "backend", "runconfig", "vmcp", "status"]
"""A target of ``build``, as ``--target`` names it."""

TARGETS: tuple[Target, ...] = get_args(Target)

COLLISION = rule("BLD001 object-collision", "operator", "Two resources compile to the same object")

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

TEXT_STEPS: dict[str, str] = {"runconfig": "runconfig", "vmcp": "vmcpconfig", "status": "status"}
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


class Collisions:
    """Finds the outputs whose path another resource in the same cluster already uses.

    Attributes:
        findings: A finding for each such output, but only one for a resource that is declared twice.
    """

    def __init__(self, build: Build) -> None:
        self.findings: list[Finding] = []
        self._is_isolated = build.workspace.context.layout.is_isolated
        self._clusters = build.workspace.clusters()
        self._first: dict[tuple[str, str], Resource] = {}
        self._colliding: set[Resource] = set()

    def is_first(self, resource: Resource, path: str, compiled: Object | None = None) -> bool:
        """Return whether no other resource in the same cluster has produced output with this path before.

        Otherwise a finding is added, and the caller must leave the output out.

        Args:
            path: The path of the output, which identifies an object.
            compiled: The object that the finding names, or ``None`` to name the path.
        """
        file = resource.document.file
        places = (file,) if self._is_isolated(file) else self._clusters.get(resource) or ("",)
        rivals = [self._first.setdefault((place, path), resource) for place in places]
        rival = next((owner for owner in rivals if owner is not resource), None)
        if rival is not None and (resource.subject != rival.subject or resource not in self._colliding):
            what = f'"{path}"' if compiled is None else f'{compiled["kind"]} "{compiled["metadata"]["name"]}"'
            self.findings.append(_collision(what, resource, rival))
            self._colliding.add(resource)
        return rival is None


def artifacts(
    target: str,
    build: Build,
    resources: Iterable[Resource],
    *,
    standalone: bool = False,
    refusals: Callable[[Build, Resource, tuple[Object]], Iterable[Finding]] | None = None,
) -> tuple[list[Artifact], list[Finding]]:
    """Compile resources for a target.

    Args:
        resources: Resources without errors.
        standalone: True to leave out owner references.
        refusals: Returns the faults of an object. An object with faults is left out. ``None`` accepts every object.

    Returns:
        The artifacts in output order, and the findings of collisions and of ``refusals``.
    """
    collisions = Collisions(build)
    kept: list[Artifact] = []
    refused: list[Finding] = []
    if target in TEXT_STEPS:
        texts: list[Artifact] = import_module(f"mcpcfg.compiler.emit.{TEXT_STEPS[target]}").artifacts(build, resources)
        kept += (text for text in texts if text.source is not None and collisions.is_first(text.source, text.path))
        return kept, collisions.findings
    from ..golang.yaml.sigs import dump

    for resource, compiled in compiled_objects(target, build, resources):
        path = object_path(compiled)
        if not collisions.is_first(resource, path, compiled):
            continue
        faults = [] if refusals is None else [*refusals(build, resource, (compiled,))]
        refused += faults
        if not faults:
            text = dump(without_owner(compiled) if standalone else compiled)
            kept.append(Artifact(path, text, resource, is_object=True))
    return kept, [*collisions.findings, *refused]


def stream(target: str, compiled: Iterable[Artifact]) -> str:
    """Return the artifacts of a target as a single text for standard output."""
    if target in OBJECT_STEPS:
        return "".join(f"---\n{artifact.text}" for artifact in compiled)
    text: str = import_module(f"mcpcfg.compiler.emit.{TEXT_STEPS[target]}").stream(compiled)
    return text


def _collision(what: str, resource: Resource, rival: Resource) -> Finding:
    note = Note(f'{rival.kind} "{rival.name}" compiles to it too', rival.at(("metadata", "name")))
    message = f'{what} is also what {rival.kind} "{rival.name}" compiles to'
    hint = "rename one of the two"
    if resource.subject == rival.subject:
        hint = "compile what is for different clusters folder by folder"
    return resource.finding(COLLISION, ("metadata", "name"), message, hint=hint, notes=(note,))
