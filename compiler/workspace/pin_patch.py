"""Find patches that change the version of a chart, and the releases at which the chart may then be installed.

Source: the Kustomization API of kustomize (patches), as of 2026.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from ..diagnostics import file_path
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.plain import listed, mapping, text_at, value_at
from ..reading.document import read_documents
from ..toolhive.release import whole_release
from .other_kind import GENERATOR, PATCH

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..diagnostics.span import Path
    from .chart_release import ChartRelease
    from .context import Layout
    from .resource import Resource

_VERSION_PATHS: Final[tuple[Path, ...]] = (("spec", "ref", "tag"), ("spec", "chart", "spec", "version"))
_VERSION_PREFIXES: Final = ("/spec/ref", "/spec/chart", "/spec/url")
"""Beginnings of JSON pointers whose values may decide the version."""
_NAME: Final = r"[a-z0-9-]+"
"""A plain name; kustomize reads other names in targets as regular expressions."""
_TAGGED_IMAGE: Final = r"[^\s@]+:v?([0-9]+\.[0-9]+\.[0-9]+)(?:@\S+)?"


class PinPatch(NamedTuple):
    """A patch that may set the version of a chart.

    Attributes:
        file: The kustomization with the patch; empty if it is unknown.
        kind: The kind of the patched objects; empty for any kind.
        name: The name of the patched object; empty for any name.
        version: The version that the patch sets; ``None`` if it is unknown.
    """

    file: str
    kind: str
    name: str
    version: str | None


def pin_patches(others: Iterable[Resource]) -> Iterator[PinPatch]:
    """Yield the patches of a project that may set the version of a chart.

    Args:
        others: The objects and files of other programs.
    """
    for other in others:
        if other.kind == PATCH:
            data = other.data if other.data.keys() - {"kind", "metadata"} else None
            yield from _document_patches(data, {"kind": other.data["kind"], "name": other.name}, "")
        for entry in listed(other.data.get("patches")) if other.kind == GENERATOR else ():
            file = file_path.normpath(other.document.file)
            target = mapping(mapping(entry).get("target"))
            text = mapping(entry).get("patch")
            if isinstance(text, str):
                documents, findings = read_documents(text, "")
                for data in [document.data for document in documents] if not findings else [None]:
                    yield from _document_patches(data, target, file)
            elif target:
                yield from _document_patches(None, target, file)


def _document_patches(data: Any, target: Any, file: str) -> Iterator[PinPatch]:
    """Yield the patch that one document of a patch file describes, if it may set the version of a chart.

    Args:
        data: The patch: a mapping to merge, a list of JSON patch operations, or ``None`` if it is unknown.
        file: The kustomization with the patch; empty if it is unknown.
    """
    kind = text_at(target, "kind") or text_at(mapping(data), "kind")
    name = text_at(target, "name") or ("" if target else text_at(mapping(mapping(data).get("metadata")), "name"))
    version: Any = None
    if isinstance(data, dict):
        version = next(filter(None, (value_at(data, path) for path in _VERSION_PATHS)), "")
    elif isinstance(data, list):
        values_by_pointer = {str(operation.get("path")): operation.get("value") for operation in map(mapping, data)}
        pointers = ["/" + "/".join(map(str, path)) for path in _VERSION_PATHS]
        versions = [values_by_pointer[pointer] for pointer in pointers if pointer in values_by_pointer]
        version = (
            versions[0]
            if versions
            else None
            if any(path.startswith(_VERSION_PREFIXES) for path in values_by_pointer)
            else ""
        )
    if version != "":
        is_plain = re.fullmatch(_NAME, name) is not None
        yield PinPatch(file, kind, name if is_plain else "", version if isinstance(version, str) else None)


def applied_releases(chart: ChartRelease, patches: Sequence[PinPatch], layout: Layout) -> frozenset[str]:
    """Return the releases at which a chart may be installed after all patches; empty if they are unknown.

    If the values set the image of the operator, the tag of the image is returned instead. A patch is certain to apply
    if its kustomization is the only root of the pin; other patches may or may not apply.

    Args:
        patches: All patches of the project that may set versions.
    """
    image = None if chart.is_of_crds else value_at(chart.merged(), ("operator", "image"))
    if image:
        tag = re.fullmatch(_TAGGED_IMAGE, str(image))
        return frozenset({tag[1]} if tag is not None else ())
    pin = chart.pin[0]
    matching = [patch for patch in patches if patch.kind in {"", pin.kind} and patch.name in {"", pin.name}]
    releases = {patch: whole_release(patch.version or "") for patch in matching}
    if None in releases.values():
        return frozenset()
    roots = layout.roots(pin.document.file, pin.roots)
    sole_releases = {release or "" for patch, release in releases.items() if roots == (patch.file,)}
    return frozenset(
        sole_releases if len(sole_releases) == 1 else {chart.release, *(release or "" for release in releases.values())}
    )
