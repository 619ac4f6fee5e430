"""Placeholders that keep a resource from being compiled: where what stands there decides the outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from mcpcfg.compiler.kube.typed import decode
from mcpcfg.compiler.reading.placeholder import is_placeholder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcpcfg.compiler.resource import Resource
    from mcpcfg.compiler.workspace import Workspace

_READ_OF_MEMBERS: Final = ("transport", "proxyMode", "proxyPort", "externalAuthConfigRef", "caBundleRef")
"""What the configuration of a virtual server says of the members of its group."""


def unknown_beneath(resource: Resource, workspace: Workspace) -> Resource | None:
    """Give the first of ``resource`` and what its compilation reads that holds placeholders where values decide."""
    seen = {id(resource)}
    following = [resource]
    while following:
        one = following.pop()
        if one.has_unknown_values or _holds_unread_text(one) or _is_unfilled_pod(one):
            return one
        for reference in workspace.references(one):
            target = reference.target
            if target is not None and id(target) not in seen:
                seen.add(id(target))
                following.append(target)
    group = workspace.leading(resource, "spec", "groupRef", "name")
    if group is None or resource.kind != "VirtualMCPServer":
        return None
    return next((one for one in workspace.members(group[1]) if _is_unknown_member(one)), None)


def _is_unknown_member(member: Resource) -> bool:
    given = (member.spec.get(field) for field in _READ_OF_MEMBERS)
    return member.has_unknown_values and any(isinstance(value, str) and is_placeholder(value) for value in given)


def _holds_unread_text(resource: Resource) -> bool:
    """Tell whether a placeholder stands in a text that the operator reads and writes anew: a quantity, a duration."""
    return any(isinstance(text, str) and is_placeholder(text) for text in _read_texts(resource.spec))


def _is_unfilled_pod(resource: Resource) -> bool:
    """Tell whether a pod template, a volume or a mount has a placeholder in place of something else than a text."""
    given = [("PodTemplateSpec", resource.spec.get("podTemplateSpec"))]
    if resource.kind == "MCPRegistry":  # volumes of a server are of another kind
        for field, kind in (("volumes", "Volume"), ("volumeMounts", "VolumeMount")):
            listed = resource.spec.get(field)
            given += [(kind, one) for one in (listed if isinstance(listed, list) else ())]
    return any(decode(value, kind).unfilled for kind, value in given if isinstance(value, dict))


def _read_texts(spec: dict[str, Any]) -> Iterator[Any]:
    resources, limits, cache = spec.get("resources"), spec.get("rateLimiting"), spec.get("modelCache")
    if isinstance(cache, dict):
        yield cache.get("size")
    if isinstance(resources, dict):
        for amounts in resources.values():
            yield from amounts.values() if isinstance(amounts, dict) else ()
    if isinstance(limits, dict):
        tools = limits.get("tools")
        for one in (limits, *(tools if isinstance(tools, list) else ())):
            for bucket in one.values() if isinstance(one, dict) else ():
                yield bucket.get("refillPeriod") if isinstance(bucket, dict) else None
