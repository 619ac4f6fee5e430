"""Drop the resources of files that standard input was rendered from, so no resource is checked twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..project.overlay import OverlayNames
    from ..workspace.resource import Resource


def without_sources(resources: Sequence[Resource], input_name: str, overlays: OverlayNames | None) -> list[Resource]:
    """Return the resources without those that standard input declares as well.

    A resource is dropped if standard input has a resource of the same kind and namespace, with the same name or a name
    that a kustomization may give to it. If one copy of a resource is dropped, all its copies are.

    Args:
        resources: All resources of a project, in reading order.
        input_name: The path of standard input in findings.
        overlays: The names that kustomizations give to resources.
    """
    written_names: dict[tuple[str, str], set[str | None]] = {}
    rendered_names: dict[tuple[str, str], set[str | None]] = {}
    for resource in resources:
        if resource.document.file == input_name:
            written_names.setdefault((resource.kind, resource.name), set()).add(resource.namespace)
            for name in overlays.sources(resource.name) if overlays is not None else ():
                rendered_names.setdefault((resource.kind, name), set()).add(resource.namespace)
    sources = set()
    for resource in resources:
        file = resource.document.file
        declared = rendered_names if overlays is not None and overlays.is_renamed(file) else written_names
        namespaces = declared.get((resource.kind, resource.name), set())
        if (
            file != input_name
            and namespaces
            and (resource.namespace is None or namespaces & {resource.namespace, None})
        ):
            sources.add(resource.declared_at)
    return [resource for resource in resources if resource.declared_at not in sources]
