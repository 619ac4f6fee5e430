"""``--target status``: the annotations, finalizers and status that the operator writes back to each resource."""

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
    """Return each resource's status as an artifact with the path ``NAMESPACE/KIND-NAME.yaml``."""
    compiled = []
    for resource in in_order(resources):
        settled = status.final_status(build.workspace, resource, build.generation)
        if settled is not None:
            finalizer = FINALIZERS.get(resource.kind)
            entry = {
                "kind": resource.kind,
                "namespace": resource.printed_namespace,
                "name": resource.name,
                "finalizers": [resource.profile.spell(finalizer)] if finalizer else None,
                "annotations": settled.annotations,
                "status": settled.status,
            }
            path = file_path(resource.printed_namespace, f"{resource.kind}-{resource.name}", ".yaml")
            compiled.append(Artifact(path, dump(entry), resource, is_object=True))
    return compiled


def stream(compiled: Iterable[Artifact]) -> str:
    """Return all statuses as a single YAML list."""
    return dump([artifact.compiled for artifact in compiled])
