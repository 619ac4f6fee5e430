"""``--target vmcp``: the files that the process of a VirtualMCPServer reads."""

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
    """Return the configuration files of the VirtualMCPServers, each with the path ``NAMESPACE/NAME/FILE``."""
    compiled = []
    for resource in in_order(resources):
        if resource.kind == "VirtualMCPServer":
            folder = f"{resource.printed_namespace}/{resource.name}"
            files = vmcpconfig.files(build, cast("Resource[VirtualMCPServerSpec]", resource))
            compiled += [Artifact(f"{folder}/{name}", text, resource) for name, text in files.items()]
    return compiled


def stream(compiled: Iterable[Artifact]) -> str:
    """Return a YAML stream with a document for each virtual server: its namespace, name and texts of files."""
    documents: dict[int, Object] = {}
    for artifact in compiled:
        source = artifact.source
        assert source is not None, "only workload requests are no resources"
        entry = {"namespace": source.printed_namespace, "name": source.name, "files": {}}
        documents.setdefault(id(source), entry)["files"][artifact.path.rpartition("/")[2]] = artifact.text
    return "".join(f"---\n{dump(entry)}" for entry in documents.values())
