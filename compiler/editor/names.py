"""The names that a reference may hold: what the project declares, generates, or states to exist elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..workspace.reference import HOLDING_KEYS

if TYPE_CHECKING:
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace


class Candidate(NamedTuple):
    """A name that a reference may hold.

    Attributes:
        name: The name.
        where: Where it comes from, for people.
    """

    name: str
    where: str


def candidates(workspace: Workspace, kind: str, namespace: str | None, file: str) -> list[Candidate]:
    """List what a reference to ``kind`` from ``namespace`` in a file may name, sorted; no namespace fits any."""
    found: dict[str, str] = {}
    for resource in workspace.around(file).of_kind(kind):
        if namespace is None or resource.namespace in (None, namespace):
            found.setdefault(resource.name, f"{resource.kind} in namespace {resource.printed_namespace}")
    for name in workspace.world.external.get(kind, ()):
        if name != "*":
            found.setdefault(name, "exists elsewhere")
    return [Candidate(name, where) for name, where in sorted(found.items())]


def keys(workspace: Workspace, kind: str, namespace: str | None, name: str, file: str) -> list[str]:
    """List the keys of a declared Secret or ConfigMap, sorted."""
    found = workspace.find(kind, namespace, name, file)
    return sorted(_keys_of(found)) if found is not None else []


def _keys_of(resource: Resource) -> set[str]:
    return {str(key) for field in HOLDING_KEYS.get(resource.kind, ()) for key in resource.entries(field)}
