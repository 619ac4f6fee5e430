"""Compile a resolved workspace to the artifacts of a target."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from ..diagnostics.finding import Note, rule
from ..golang.yaml.sigs import dump
from ..workspace.cluster import clusters_by_resource
from .target import OBJECT_STEPS, TEXT_STEPS, Artifact, compiled_objects, object_path, without_owner

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ..diagnostics.finding import Finding
    from ..workspace.resource import Resource
    from .build import Build, Object

COLLISION = rule("BLD001 object-collision", "Two resources compile to the same object", stage="operator")


class Collisions:
    """Finds the outputs whose path another resource in the same cluster already uses.

    Attributes:
        findings: A finding for each such output, but only one for a resource that is declared twice.
    """

    def __init__(self, build: Build) -> None:
        self.findings: list[Finding] = []
        self._is_isolated = build.workspace.context.layout.is_isolated
        self._clusters = clusters_by_resource(build.workspace)
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
