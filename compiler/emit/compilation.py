"""Compile a resolved workspace to the artifacts of a target."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from ..diagnostics.finding import Note, rule
from ..golang.yaml.sigs import dump
from ..workspace.cluster import clusters_by_resource
from .target import OBJECT_STEPS, TEXT_STEPS, Artifact, compiled_objects, object_path, without_owner

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..diagnostics.finding import Finding
    from ..workspace.resource import Resource
    from .build import Build, Object

COLLISION = rule(
    "BLD001",
    "object-collision",
    "Two resources compile to the same object",
    stage="operator",
    checks="An object with the kind, namespace and name of another resource's object, such as the Deployments of an"
    " MCPServer and an MCPRemoteProxy with the same name.",
    why="In the cluster the controllers endlessly overwrite each other's object, or one fails because it does not own"
    " the object. In a folder one file would overwrite the other.",
    example="""
        kind: MCPServer
        metadata: {name: fetch}
        ---
        kind: MCPRemoteProxy
        metadata: {name: fetch}
        """,
    fix="Rename one of the resources. Compile what is for different clusters folder by folder, unless Flux or Argo CD"
    " resources say which is for which.",
    source="The objects that the operator makes, v0.21.0.",
)


def artifacts(
    target: str, build: Build, resources: Iterable[Resource], *, standalone: bool = False
) -> tuple[list[Artifact], list[Finding]]:
    """Compile resources for a target.

    Returns:
        The artifacts in output order, and a finding for each object that collides with an earlier one in the same
            cluster.
        A resource that is declared twice gets a single finding.
    """
    if target in TEXT_STEPS:
        compiled: list[Artifact] = import_module(f"mcpcfg.compiler.emit.{TEXT_STEPS[target]}").artifacts(
            build, resources
        )
    else:
        compiled = [
            _object_artifact(resource, compiled_object, standalone=standalone)
            for resource, compiled_object in compiled_objects(target, build, resources)
        ]
    is_isolated = build.workspace.context.layout.is_isolated
    of_cluster = clusters_by_resource(build.workspace)
    kept: list[Artifact] = []
    findings: list[Finding] = []
    first: dict[tuple[str, str], Resource] = {}
    colliding: set[Resource] = set()
    for artifact in compiled:
        resource = artifact.source
        assert resource is not None, "only workload requests are no resources"
        file = resource.document.file
        places = (file,) if is_isolated(file) else of_cluster.get(resource) or ("",)
        rivals = [first.setdefault((place, artifact.path), resource) for place in places]
        rival = next((owner for owner in rivals if owner is not resource), None)
        if rival is None:
            kept.append(artifact)
        elif resource.subject != rival.subject or resource not in colliding:
            findings.append(_collision(artifact, resource, rival))
            colliding.add(resource)
    return kept, findings


def _object_artifact(resource: Resource, compiled: Object, *, standalone: bool) -> Artifact:
    shown = without_owner(compiled) if standalone else compiled
    return Artifact(object_path(compiled), dump(shown), resource, shown)


def stream(target: str, compiled: Iterable[Artifact]) -> str:
    """Return the artifacts of a target as a single text for standard output."""
    if target in OBJECT_STEPS:
        return "".join(f"---\n{artifact.text}" for artifact in compiled)
    text: str = import_module(f"mcpcfg.compiler.emit.{TEXT_STEPS[target]}").stream(compiled)
    return text


def _collision(artifact: Artifact, resource: Resource, rival: Resource) -> Finding:
    note = Note(f'{rival.kind} "{rival.name}" compiles to it too', rival.at(("metadata", "name")))
    compiled = artifact.compiled
    is_object = compiled is not None and "metadata" in compiled
    what = f'{compiled["kind"]} "{compiled["metadata"]["name"]}"' if compiled and is_object else f'"{artifact.path}"'
    message = f'{what} is also what {rival.kind} "{rival.name}" compiles to'
    hint = "rename one of the two"
    if resource.subject == rival.subject:
        hint = "compile what is for different clusters folder by folder"
    return resource.finding(COLLISION, ("metadata", "name"), message, hint=hint, notes=(note,))
