"""Choose the place of a new resource in a project: next to resources of its kind."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from ...diagnostics import file_path
from ...diagnostics.named_tuple import NamedTuple
from ...diagnostics.span import InputError
from ...workspace.workspace import CORE_KINDS, MEMBER_KINDS
from .pattern import NamePattern, common_pattern, pattern_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ...check.full import Report
    from ...workspace.resource import Resource

_CENTRAL: Final = ("VirtualMCPServer", "MCPGroup", "MCPOIDCConfig", "MCPTelemetryConfig")
"""Kinds whose folder usually contains other shared resources too, the most likely first."""
Shape: TypeAlias = Literal["document", "file", "folder"]
"""How resources are distributed: several documents in a file, a file for each resource, or a folder for each."""
_Key: TypeAlias = tuple[Shape, str, str]


class Site(NamedTuple):
    """The place of a new resource.

    Attributes:
        shape: ``folder`` or ``file`` if each resource has its own; ``document`` if resources share a file.
        file: Path of the new resource's file.
        models: Existing resources to take the style from, of the same kind if there are any.
        folder: The folder that only contains the new resource, if ``shape`` is ``folder``.
        pattern: Pattern that makes the name of the file or folder from the name of the resource.
    """

    shape: Shape
    file: str
    models: Sequence[Resource[Any]]
    folder: str = ""
    pattern: NamePattern = NamePattern()

    def folder_of(self, model: Resource[Any]) -> str:
        """Return the folder above the model's file that is at the same depth as `folder`."""
        depth = self.folder.count("/") + 1
        return "/".join(model.document.file.split("/")[:depth])


def find_site(report: Report, kind: str, name: str, group: str | None, place: str | None) -> Site:
    """Return the place of a new resource.

    Args:
        group: Name of its group, if it is known. Servers of the group are preferred as models.
        place: The stated file or folder, for which models only give the style; ``None`` to choose the place.

    Raises:
        InputError: No place is stated, and the project has no resources, or several places have equally many.
    """
    models = siblings(report, kind, group)
    if place is not None:
        return _named_site(place, kind, name, models or _others(report))
    if not models:
        return _shared_site(_others(report), kind, name)
    in_file = Counter(model.document.file for model in models)
    places: dict[_Key, list[tuple[Resource[Any], str]]] = {}
    for model in models:
        for key, text in _keys(model, in_file[model.document.file]):
            places.setdefault(key, []).append((model, text))
    counts = sorted(((len(entries), key[0] == "document", key) for key, entries in places.items()), reverse=True)
    (count, _, key), *others = counts
    rivals = [rival for number, _, rival in others if number == count and rival[1] != key[1] and rival[0] == key[0]]
    if rivals and count > 1:
        raise InputError(f"{key[1]} and {rivals[0][1]} have equally many: name the place with --to")
    if key[0] == "document" and key[1] in report.loaded.plan.left_out:  # listing it would apply others too
        key = ("file", *os.path.split(os.path.splitext(key[1])[0])[:1], os.path.splitext(key[1])[1])
        places[key] = [(model, "") for model in models]
    return _site(key, [model for model, _ in places[key]], [text for _, text in places[key]], kind, name)


def siblings(report: Report, kind: str, group: str | None) -> list[Resource[Any]]:
    """Return the resources of a kind to take the style from: the members of ``group`` if it has any, or else all.

    Resources that are never applied are only returned if there are no others. If a kind of servers has no resources,
    those of other kinds of servers are returned.
    """
    resources: list[Resource[Any]] = list(report.workspace.read_of_kind(kind))
    if kind in MEMBER_KINDS and not resources:
        resources = [member for other in sorted(MEMBER_KINDS) for member in report.workspace.read_of_kind(other)]
    unique = {resource.declared_at: resource for resource in resources if not resource.document.prefix}
    candidates = [model for model in unique.values() if not model.document.is_json]
    unapplied = report.loaded.plan.unapplied
    candidates = [model for model in candidates if model.document.file not in unapplied] or candidates
    return [model for model in candidates if group and _group(model) == group] or candidates


def _group(model: Resource[Any]) -> object:
    reference = model.spec.get("groupRef")
    return reference.get("name") if isinstance(reference, dict) else reference


def _others(report: Report) -> list[Resource[Any]]:
    unapplied = report.loaded.plan.unapplied
    resources: list[Resource[Any]] = [
        resource
        for resource in report.workspace.resources
        if resource.kind not in CORE_KINDS and not resource.document.prefix and not resource.document.is_json
    ]
    resources = [resource for resource in resources if resource.document.file not in unapplied] or resources
    rank = {kind: number for number, kind in enumerate(_CENTRAL)}
    return sorted(resources, key=lambda resource: rank.get(resource.kind, len(rank)))


def _keys(model: Resource[Any], in_file: int) -> Iterable[tuple[_Key, str]]:
    """Yield the place of a model as a key, and the name of the file or folder that belongs to the model alone.

    Models that are stored side by side have equal keys. If other models share the file of the model, the name is empty.
    ``in_file`` is the number of models in that file.
    """
    file = model.document.file
    if in_file > 1:
        yield ("document", file, ""), ""
        return
    *folders, base = file.split("/")
    stem, extension = os.path.splitext(base)
    if pattern_of(model.name, stem) is not None:
        yield ("file", "/".join(folders), extension), stem
        return
    for number in range(len(folders) - 1, -1, -1):
        if pattern_of(model.name, folders[number]) is not None:
            below = "/".join([*folders[number + 1 :], base])
            yield ("folder", "/".join(folders[:number]), below), folders[number]
            return
    yield ("file", "/".join(folders), extension), ""


def _site(key: _Key, models: list[Resource[Any]], texts: list[str], kind: str, name: str) -> Site:
    shape, above, rest = key
    if shape == "document":
        return Site(shape, above, models)
    pattern = common_pattern((model.name, text) for model, text in zip(models, texts, strict=True))
    if shape == "folder":
        pattern = pattern or NamePattern()
        fitting = [model for model, text in zip(models, texts, strict=True) if pattern_of(model.name, text) == pattern]
        folder = _joined(above, pattern.apply(name))
        *below, base = rest.split("/")
        stem, extension = os.path.splitext(base)
        is_kind = stem.lower() == models[0].kind.lower() != kind.lower()
        rest = "/".join([*below, _kind_stem(kind, stem, models[0].kind) + extension if is_kind else base])
        return Site(shape, f"{folder}/{rest}", fitting or models, folder, pattern)
    if pattern is None:  # the file is called like the kind
        stem = os.path.splitext(os.path.basename(models[0].document.file))[0]
        if stem.lower() == f"{kind.lower()}s":
            return Site("document", models[0].document.file, models)
        pattern = NamePattern(before=f"{stem if stem.lower() == kind.lower() else kind.lower()}-")
    return Site(shape, _joined(above, pattern.apply(name) + rest), models, pattern=pattern)


def _named_site(place: str, kind: str, name: str, models: Sequence[Resource[Any]]) -> Site:
    path = file_path.normpath(place)
    if not path.endswith((".yaml", ".yml")):
        styled = [model for model in models if os.path.dirname(model.document.file) == path]
        if styled:
            key: _Key = ("file", path, os.path.splitext(styled[0].document.file)[1])
            texts = [os.path.splitext(os.path.basename(model.document.file))[0] for model in styled]
            return _site(key, styled, texts, kind, name)._replace(models=styled)
        path = f"{path}/{name}.yaml"
    return Site("document" if os.path.exists(path) else "file", path, models)


def _shared_site(others: Sequence[Resource[Any]], kind: str, name: str) -> Site:
    """Return the place for the first resource of a kind: a new file beside the first resource in ``others``."""
    if not others:
        raise InputError(
            "no file has a resource of the operator yet: name the place with --to, or begin with mcpcfg init"
        )
    first = others[0]
    folder, base = os.path.split(first.document.file)
    neighbors = [other for other in others if os.path.dirname(other.document.file) == folder]
    stems = Counter(
        os.path.splitext(os.path.basename(other.document.file))[0].lower() == other.kind.lower() for other in neighbors
    )
    called = _kind_stem(kind, os.path.splitext(base)[0], first.kind) if stems[True] > stems[False] else name
    if called is not name and os.path.exists(_joined(folder, called + os.path.splitext(base)[1])):
        called = f"{called}-{name}"
    return Site("file", _joined(folder, called + os.path.splitext(base)[1]), neighbors)


def _kind_stem(kind: str, stem: str, kind_of_stem: str) -> str:
    """Return the name of a file, without extension, after its kind, with the capitals of a similar name, ``stem``."""
    if stem == kind_of_stem:
        return kind
    # With capitals, the kind begins in lower case: "mcpServer" of MCPServer.
    return kind.lower() if stem.islower() else f"{kind[:3].lower()}{kind[3:]}"


def _joined(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name
