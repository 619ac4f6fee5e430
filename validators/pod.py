"""The containers of a ``podTemplateSpec``, whatever else stands there: it is looked at before it is decoded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..compiler.diagnostics.span import Path

SERVER = "mcp"
"""The container that the server itself runs in."""


def containers_of(spec: Mapping[str, Any]) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield the containers of the template in ``spec``, those that run before the others first, with their places."""
    template = spec.get("podTemplateSpec")
    if template is None:
        return
    pod = template.get("spec") if isinstance(template, dict) else None
    for field in ("initContainers", "containers"):
        containers = pod.get(field) if isinstance(pod, dict) else None
        for i, container in enumerate(containers if isinstance(containers, list) else ()):
            if isinstance(container, dict):
                yield ("spec", "podTemplateSpec", "spec", field, i), container


def server_has(spec: Mapping[str, Any], field: str) -> bool:
    """Return whether the template gives the server's container ``field``, and not an empty one; an unknown one may."""
    return isinstance(spec.get("podTemplateSpec"), str) or any(
        path[3] == "containers" and container.get("name") == SERVER and container.get(field)
        for path, container in containers_of(spec)
    )
