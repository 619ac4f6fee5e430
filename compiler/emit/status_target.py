"""``--target status``: one list of what the operator would write back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..golang.yaml.sigs import dump
from ..toolhive.constants import FINALIZERS
from . import status
from .target import Artifact, file_path, in_order

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..workspace.resource import Resource
    from .build import Build


def artifacts(build: Build, resources: Iterable[Resource]) -> list[Artifact]:
    """Return each resource's status as ``NAMESPACE/KIND-NAME.yaml``."""
    made = []
    for resource in in_order(resources):
        found = status.settled(build.workspace, resource, build.generation)
        if found is not None:
            finalizer = FINALIZERS.get(resource.kind)
            entry = {
                "kind": resource.kind,
                "namespace": resource.printed_namespace,
                "name": resource.name,
                "finalizers": [resource.profile.spell(finalizer)] if finalizer else None,
                "annotations": found.annotations,
                "status": found.status,
            }
            path = file_path(resource.printed_namespace, f"{resource.kind}-{resource.name}", ".yaml")
            made.append(Artifact(path, dump(entry), resource, entry))
    return made


def stream(made: Iterable[Artifact]) -> str:
    """Write one YAML list of all of them."""
    return dump([artifact.compiled for artifact in made])
