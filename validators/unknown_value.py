"""Whether a check of a resource may have met an unknown value: a placeholder, or what admission found to be wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..compiler.diagnostics.placeholder import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..compiler.diagnostics.finding import Finding
    from ..compiler.diagnostics.span import Path
    from ..compiler.workspace.resource import Resource
    from ..compiler.workspace.workspace import Workspace


def with_dots(finding: Finding) -> Finding:
    """Return a finding whose message names an unknown value of ours by three dots: the user did not write it."""
    message, hint = finding.message, finding.hint or ""
    if UNKNOWN not in message and UNKNOWN not in hint:
        return finding
    return finding._replace(message=message.replace(UNKNOWN, "…"), hint=hint.replace(UNKNOWN, "…") or None)


def leads_to_unknown(resource: Resource, workspace: Workspace) -> bool:
    """Return whether a value that decides is unknown in ``resource`` or in one that checks reach from it.

    They follow references, from a group to its members, and from what is referred to back to those that do.
    """
    seen = {id(resource)}
    waiting = [resource, *(reference.source for reference in workspace.referrers(resource))]
    seen.update(map(id, waiting))
    while waiting:
        one = waiting.pop()
        if one.has_unknown_values:
            return True
        for other in _next(one, workspace):
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
    """Return where a placeholder stands for more than a text in a pod template, or a volume or mount of a registry."""
    from ..compiler.kube.typed import decode

    spec = resource.spec
    given: list[tuple[Path, str, Any]] = [(("podTemplateSpec",), "PodTemplateSpec", spec.get("podTemplateSpec"))]
    if resource.kind == "MCPRegistry":  # volumes of a server are of another kind
        for field, kind in (("volumes", "Volume"), ("volumeMounts", "VolumeMount")):
            listed = spec.get(field)
            given += [((field, i), kind, one) for i, one in enumerate(listed if isinstance(listed, list) else ())]
    found = ((at, decode(value, kind).unfilled) for at, kind, value in given if isinstance(value, dict))
    return tuple(("spec", *at, *place) for at, places in found for place in places)
