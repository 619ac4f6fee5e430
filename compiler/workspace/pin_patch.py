"""The releases at which charts are installed once kustomizations have patched their versions.

Source: the Kustomization API of kustomize (patches), as of 2026.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..diagnostics import file_path
from ..diagnostics.plain import listed, mapping, text_at, value_at
from ..reading.document import read_documents
from ..toolhive.release import whole_release
from .other_kind import GENERATOR, PATCH

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..diagnostics.span import Path
    from .chart_release import ChartRelease
    from .layout import Layout
    from .resource import Resource

_VERSIONS: Final[tuple[Path, ...]] = (("spec", "ref", "tag"), ("spec", "chart", "spec", "version"))
_DECIDING: Final = ("/spec/ref", "/spec/chart", "/spec/url")
_NAME: Final = r"[a-z0-9-]+"
_TAGGED: Final = r"[^\s@]+:v?([0-9]+\.[0-9]+\.[0-9]+)(?:@\S+)?"


class PinPatch(NamedTuple):
    """A patch that may set the version of a chart.

    Attributes:
        file: The kustomization that has the patch; empty if it is not known.
        kind: The kind of what it patches; empty for any.
        name: The name of what it patches; empty for any.
        version: The version that it sets; ``None`` if it is not known.
    """

    file: str
    kind: str
    name: str
    version: str | None


def pin_patches(others: Iterable[Resource]) -> Iterator[PinPatch]:
    """Yield the patches of a project that may set the version of a chart."""
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
    kind = text_at(target, "kind") or text_at(mapping(data), "kind")
    name = text_at(target, "name") or ("" if target else text_at(mapping(mapping(data).get("metadata")), "name"))
    version: Any = None
    if isinstance(data, dict):
        version = next(filter(None, (value_at(data, path) for path in _VERSIONS)), "")
    elif isinstance(data, list):
        steps = {str(operation.get("path")): operation.get("value") for operation in map(mapping, data)}
        pointers = ["/" + "/".join(map(str, path)) for path in _VERSIONS]
        stated = [steps[pointer] for pointer in pointers if pointer in steps]
        version = stated[0] if stated else None if any(path.startswith(_DECIDING) for path in steps) else ""
    if version != "":
        is_plain = re.fullmatch(_NAME, name) is not None
        yield PinPatch(file, kind, name if is_plain else "", version if isinstance(version, str) else None)


def applied_releases(chart: ChartRelease, patches: Sequence[PinPatch], layout: Layout) -> frozenset[str]:
    """Return the releases at which a chart may be installed, or its operator; none if that is not known."""
    image = None if chart.is_of_crds else value_at(chart.merged(), ("operator", "image"))
    if image:
        tagged = re.fullmatch(_TAGGED, str(image))
        return frozenset({tagged[1]} if tagged is not None else ())
    pin = chart.pin[0]
    fitting = [patch for patch in patches if patch.kind in {"", pin.kind} and patch.name in {"", pin.name}]
    releases = {patch: whole_release(patch.version or "") for patch in fitting}
    if None in releases.values():
        return frozenset()
    roots = layout.roots(pin.document.file, pin.roots)
    certain = {release or "" for patch, release in releases.items() if roots == (patch.file,)}
    return frozenset(
        certain if len(certain) == 1 else {chart.release, *(release or "" for release in releases.values())}
    )
