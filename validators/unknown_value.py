"""Find out whether a check may have read an unknown value: a placeholder, or a value that admission refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..compiler.diagnostics.placeholder import UNKNOWN
from ..compiler.diagnostics.shown import sanitized

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..compiler.diagnostics.finding import Finding
    from ..compiler.diagnostics.span import Path
    from ..compiler.workspace.resource import Resource
    from ..compiler.workspace.workspace import Workspace


def with_dots(finding: Finding) -> Finding:
    """Return the finding with ``…`` for placeholders that mcpcfg inserted, because the user did not write them."""
    message, hint = finding.message, finding.hint or ""
    if UNKNOWN not in message and UNKNOWN not in hint:
        return finding
    dotted_hint = sanitized(hint.replace(UNKNOWN, "…")) if hint else None
    return finding._replace(message=sanitized(message.replace(UNKNOWN, "…")), hint=dotted_hint)


def reaches_unknown(resource: Resource, workspace: Workspace) -> bool:
    """Return whether a check of a resource may have read an unknown value, in the resource or in a related one.

    Related are the targets of references, the members of groups, and the resources that refer to the resource.
    """
    seen = {id(resource)}
    waiting = [resource, *(reference.source for reference in workspace.referrers(resource))]
    seen.update(map(id, waiting))
    while waiting:
        current = waiting.pop()
        if current.has_unknown_values:
            return True
        for other in _next(current, workspace):
            if id(other) not in seen:
                seen.add(id(other))
                waiting.append(other)
    return False


def _next(resource: Resource, workspace: Workspace) -> Iterator[Resource]:
    for reference in workspace.references(resource):
        if reference.target is not None:
            yield reference.target
    if resource.kind == "MCPGroup":
        yield from workspace.members(resource)


def unfilled_places(resource: Resource[Any]) -> tuple[Path, ...]:
    """Return the paths of placeholders for a number, mapping or list, in pod templates, volumes and mounts."""
    from ..compiler.kube.typed import decode

    spec = resource.spec
    given: list[tuple[Path, str, Any]] = [(("podTemplateSpec",), "PodTemplateSpec", spec.get("podTemplateSpec"))]
    if resource.kind == "MCPRegistry":  # volumes of an MCPServer have another type
        for field, kind in (("volumes", "Volume"), ("volumeMounts", "VolumeMount")):
            listed = spec.get(field)
            given += [((field, i), kind, item) for i, item in enumerate(listed if isinstance(listed, list) else ())]
    places_by_path = ((at, decode(value, kind).unfilled) for at, kind, value in given if isinstance(value, dict))
    return tuple(("spec", *at, *place) for at, places in places_by_path for place in places)
