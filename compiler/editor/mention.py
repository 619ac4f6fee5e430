"""Find the places in a project that name a resource: references, settings of virtual servers, routes, and patches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..diagnostics import file_path
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.plain import listed, mapping, value_at, walk
from ..emit.made_service import CREATING, routes
from ..project.kustomization import by_folder
from ..project.kustomize import FILE_NAMES, is_kustomization
from ..project.patch_field import PATCH_FIELDS
from ..reading.document import read_documents
from ..toolhive.constants import DEFAULT_PREFIX_FORMAT
from ..vmcp.backend import PLACEHOLDER, called_tools, named_backends, tool_prefixes
from ..workspace.workspace import MEMBER_KINDS
from .line_map import LineMap

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from ..check.full import Loaded
    from ..diagnostics.span import Path, Span
    from ..reading.document import Document
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace

_POD_REFERENCES: Final = {
    "Secret": {("secretKeyRef", "name"), ("secretRef", "name"), ("secret", "secretName"), ("secret", "name")},
    "ConfigMap": {("configMapKeyRef", "name"), ("configMapRef", "name"), ("configMap", "name")},
}
"""The last two steps of paths in a pod that name a Secret, a ConfigMap or another object, by kind."""
_POD: Final[tuple[Path, ...]] = (("spec", "podTemplateSpec"), ("spec", "volumes"), ("spec", "resourceOverrides"))
"""Paths of fields in the operator's kinds that contain parts of a pod."""
_PREFIXES: Final = ("vmcp-", "mcp-", "")
"""Prefixes of a resource's name in the name of its Service, the longest first."""


class Mention(NamedTuple):
    """A place that names a resource.

    Attributes:
        span: Range of the name, with its quotes.
        is_part: True if the name is a part of a longer value.
    """

    span: Span
    is_part: bool = False


def mentions(target: Resource, workspace: Workspace, loaded: Loaded | None = None) -> set[Mention]:
    """Return all places in the project that name a resource, except its declaration.

    Args:
        loaded: The files of the project; if ``None``, patches are not searched.
    """
    return {
        *_references(target, workspace),
        *_pod_references(target, workspace),
        *(_member_settings(target, workspace) if target.kind in MEMBER_KINDS else ()),
        *(_route_places(target, workspace) if target.kind in CREATING else ()),
        *(_patch_places(target, loaded) if loaded is not None else ()),
    }


def _references(target: Resource, workspace: Workspace) -> Iterator[Mention]:
    named = target.kind, target.name
    for source in workspace.resources:  # also refused resources, because the user is still writing them
        if named in source.targets:
            for reference in workspace.references(source):
                if reference.target is not None and reference.target.declared_at == target.declared_at:
                    yield Mention(source.at(reference.path))


def _pod_references(target: Resource, workspace: Workspace) -> Iterator[Mention]:
    endings = _POD_REFERENCES.get(target.kind, ())
    for source in workspace.resources if endings else ():
        for above in _POD:
            for path, value in walk(value_at(source.data, above), above):
                if value == target.name and path[-2:] in endings and _is_meant(target, source, workspace):
                    yield Mention(source.at(path))


def _is_meant(target: Resource, source: Resource, workspace: Workspace) -> bool:
    resource = workspace.find(target.kind, source.namespace, target.name, source.document.file)
    return resource is not None and resource.declared_at == target.declared_at


def _member_settings(target: Resource, workspace: Workspace) -> Iterator[Mention]:
    """Yield places in virtual servers that name the target as a member, also those inside the names of tools."""
    servers: list[Resource[Any]] = list(workspace.read_of_kind("VirtualMCPServer"))
    for server in servers:
        group: Resource[Any] | None = workspace.target(server, "spec", "groupRef", "name")
        members = {member.name: member for member in workspace.members(group, server)} if group is not None else {}
        member = members.get(target.name)
        if member is None or member.declared_at != target.declared_at:
            continue
        config: Mapping[str, Any] = mapping(server.spec.get("config"))
        for path, name in named_backends({**config, "outgoingAuth": server.spec.get("outgoingAuth")}):
            if name == target.name:
                above: Path = ("spec",) if path[0] == "outgoingAuth" else ("spec", "config")
                yield Mention(server.at((*above, *path), on="key" if path[-1] == name else "value"))
        aggregation: Mapping[str, Any] = mapping(config.get("aggregation"))
        for holder, path, tool in _called_tools(server, workspace):
            offset = _member_offset(tool, target.name, aggregation, members)
            if offset is not None:
                yield Mention(holder.at_offset(path, offset, len(target.name)), is_part=True)


def _called_tools(server: Resource[Any], workspace: Workspace) -> Iterator[tuple[Resource, Path, str]]:
    """Yield the name of each tool that a composite tool of a virtual server calls, and where it is written.

    A name comes after the resource and the path that contain it: the virtual server, or a composite tool definition.
    """
    config: Mapping[str, Any] = mapping(server.spec.get("config"))
    for number, tool in enumerate(config.get("compositeTools") or ()):
        for below, name in called_tools(mapping(tool)):
            yield server, ("spec", "config", "compositeTools", number, *below), name
    for number, _ in enumerate(config.get("compositeToolRefs") or ()):
        path: Path = ("spec", "config", "compositeToolRefs", number, "name")
        definition: Resource[Any] | None = workspace.target(server, *path)
        if definition is not None:
            for below, name in called_tools(definition.spec):
                yield definition, ("spec", *below), name


def _member_offset(tool: str, name: str, aggregation: Mapping[str, Any], members: Mapping[str, Any]) -> int | None:
    """Return the offset of the member's name in the name of a tool, or ``None`` if the tool is not of this member.

    Args:
        tool: Name of the tool, as clients of the virtual server see it, or as ``MEMBER.TOOL``.
        aggregation: The ``aggregation`` of the virtual server, which has the format of prefixes.
    """
    member, dot, _ = tool.partition(".")
    if dot and member in members:
        return 0 if member == name else None
    prefixes = tool_prefixes(aggregation, members) or ()
    longest = max((prefix for prefix in prefixes if tool.startswith(prefix)), key=len, default=None)
    form = mapping(aggregation.get("conflictResolutionConfig")).get("prefixFormat") or DEFAULT_PREFIX_FORMAT
    if longest is None or longest != form.replace(PLACEHOLDER, name) or PLACEHOLDER not in form:
        return None
    return int(form.index(PLACEHOLDER))


def _route_places(target: Resource, workspace: Workspace) -> Iterator[Mention]:
    """Yield the places in routes and URLs where the name of the resource is part of a Service's name."""
    for source, use, service in routes(workspace):
        if service.resource.declared_at == target.declared_at:
            text = str(value_at(source.data, use.path))
            name = service.resource.name  # the name of a copy may differ from that of the target
            offset = text.index(use.name, text.find("://") + 1) + _prefix_length(service.name, name)
            yield Mention(source.at_offset(use.path, offset, len(name)), is_part=True)


def _prefix_length(service: str, name: str) -> int:
    return next(len(prefix) for prefix in _PREFIXES if service.startswith(prefix + name))


def _patch_places(target: Resource, loaded: Loaded) -> Iterator[Mention]:
    """Yield the places in kustomizations and patch files that name the resource as the object to patch.

    Only kustomizations that list the file of the resource, directly or through others, are searched.
    """
    kustomizations = by_folder(loaded.plan.kustomizations)
    reached, waiting = set[str](), [target.document.file]
    while waiting:
        path = waiting.pop()
        listing = {folder for folder, entry in kustomizations.items() if path in entry.listed} - reached
        reached |= listing
        waiting += listing
    for folder in sorted(reached):
        patches = kustomizations[folder].patches
        for file in (*(file_path.join(folder, name) for name in FILE_NAMES), *sorted(patches)):
            text = loaded.texts.get(file)
            for document in read_documents(text, file)[0] if isinstance(text, bytes) else ():
                if file in patches and _names(document.data, target):
                    yield Mention(document.span(("metadata", "name")))
                elif file not in patches and is_kustomization(file, document.data):
                    yield from _kustomization_places(document, target)


def _kustomization_places(document: Document, target: Resource) -> Iterator[Mention]:
    for field in PATCH_FIELDS:
        for number, entry in enumerate(listed(document.data.get(field))):
            path: Path = (field, number)
            chosen, patch = mapping(mapping(entry).get("target")), entry
            if chosen.get("name") == target.name and chosen.get("kind", target.kind) == target.kind:
                yield Mention(document.span((*path, "target", "name")))
            if isinstance(entry, dict):
                path, patch = (*path, "patch"), entry.get("patch")
            for inner in read_documents(patch.encode(), "")[0] if isinstance(patch, str) and "\n" in patch else ():
                if _names(inner.data, target):
                    offset, end = LineMap(patch, "utf-32").extent(inner.span(("metadata", "name")))
                    yield Mention(document.span_within(path, offset, end - offset, patch))


def _names(data: Any, target: Resource) -> bool:
    return mapping(data).get("kind") == target.kind and value_at(data, ("metadata", "name")) == target.name
