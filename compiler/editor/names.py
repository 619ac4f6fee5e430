"""Names that a reference may use: of resources that the project declares or generates, and of external objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..workspace.reference import HOLDING_KEYS

if TYPE_CHECKING:
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace


class Candidate(NamedTuple):
    """A name that a reference may use.

    Attributes:
        name: Name of the object.
        where: Origin of the name, for people.
    """

    name: str
    where: str


def candidates(workspace: Workspace, kind: str, namespace: str | None, file: str) -> list[Candidate]:
    """Return the names that a reference to ``kind`` may use, sorted.

    Without a namespace, resources of all are included.
    """
    origins: dict[str, str] = {}
    for resource in workspace.around(file).of_kind(kind):
        if namespace is None or resource.namespace in (None, namespace):
            origins.setdefault(resource.name, f"{resource.kind} in namespace {resource.printed_namespace}")
    for name in workspace.world.external.get(kind, ()):
        if name != "*":
            origins.setdefault(name, "exists elsewhere")
    return [Candidate(name, where) for name, where in sorted(origins.items())]


def keys(workspace: Workspace, kind: str, namespace: str | None, name: str, file: str) -> list[str]:
    """Return the keys of a declared Secret or ConfigMap, sorted; empty if it is not declared."""
    resource = workspace.find(kind, namespace, name, file)
    return sorted(_keys_of(resource)) if resource is not None else []


def _keys_of(resource: Resource) -> set[str]:
    return {str(key) for field in HOLDING_KEYS.get(resource.kind, ()) for key in resource.entries(field)}
