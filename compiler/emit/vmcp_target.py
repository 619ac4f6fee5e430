"""``--target vmcp``: the files that the processes of VirtualMCPServers read."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from ..golang.yaml.sigs import dump
from . import vmcpconfig
from .target import Artifact, in_order

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..models.virtualmcpserver import VirtualMCPServerSpec
    from ..workspace.resource import Resource
    from .build import Build, Object


def artifacts(build: Build, resources: Iterable[Resource]) -> list[Artifact]:
    """Return each file as ``NAMESPACE/NAME/FILE``."""
    made = []
    for resource in in_order(resources):
        if resource.kind == "VirtualMCPServer":
            folder = f"{resource.printed_namespace}/{resource.name}"
            files = vmcpconfig.files(build, cast("Resource[VirtualMCPServerSpec]", resource))
            made += [Artifact(f"{folder}/{name}", text, resource) for name, text in files.items()]
    return made


def stream(made: Iterable[Artifact]) -> str:
    """Write one YAML document for each virtual server: namespace, name and its files as exact texts."""
    documents: dict[int, Object] = {}
    for artifact in made:
        source = artifact.source
        assert source is not None, "only workload requests are no resources"
        entry = {"namespace": source.printed_namespace, "name": source.name, "files": {}}
        documents.setdefault(id(source), entry)["files"][artifact.path.rpartition("/")[2]] = artifact.text
    return "".join(f"---\n{dump(entry)}" for entry in documents.values())
