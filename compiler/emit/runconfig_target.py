"""``--target runconfig``: the exact texts of the RunConfigs of MCPServers and MCPRemoteProxies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import runconfig
from .target import Artifact, file_path, in_order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ..workspace.resource import Resource
    from .build import Build, Object

STEPS: dict[str, Callable[[Build, Resource[Any]], Object]] = {
    "MCPServer": runconfig.mcp_server,
    "MCPRemoteProxy": runconfig.mcp_remote_proxy,
}


def artifacts(build: Build, resources: Iterable[Resource]) -> list[Artifact]:
    """Return each RunConfig as an artifact with the path ``NAMESPACE/KIND-NAME.json``."""
    compiled = []
    for resource in in_order(resources):
        step = STEPS.get(resource.kind)
        if step is not None:
            path = file_path(resource.printed_namespace, f"{resource.kind}-{resource.name}", ".json")
            compiled.append(Artifact(path, runconfig.text(step(build, resource), resource), resource))
    return compiled


def stream(compiled: Iterable[Artifact]) -> str:
    """Return all RunConfigs as a single text. Each ends with exactly one newline."""
    return "".join(artifact.text.removesuffix("\n") + "\n" for artifact in compiled)
