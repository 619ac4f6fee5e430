"""``--target status``: one list of what the operator would write back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..golang.yaml.sigs import dump
from . import status
from .target import Artifact, in_order

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..workspace.resource import Resource
    from .build import Build


def artifacts(build: Build, resources: Iterable[Resource]) -> list[Artifact]:
    """Return each resource's status as ``NAMESPACE/KIND-NAME.yaml``."""
    made = []
    for resource in in_order(resources):
        found = status.settled(build.workspace, resource)
        if found is not None:
            finalizer = status.FINALIZERS.get(resource.kind)
            entry = {
                "kind": resource.kind,
                "namespace": resource.printed_namespace,
                "name": resource.name,
                "finalizers": [finalizer] if finalizer else None,
                "annotations": found.annotations,
                "status": found.status,
            }
            path = f"{resource.printed_namespace}/{resource.kind}-{resource.name}.yaml"
            made.append(Artifact(path, dump(entry), resource, entry))
    return made


def stream(made: Iterable[Artifact]) -> str:
    """Write one YAML list of all of them."""
    return dump([artifact.compiled for artifact in made])
