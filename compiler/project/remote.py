"""What kustomizations would fetch: whatever they name that is no file or folder beside them."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.plain import listed, mapping, walk
from ..disk.files import FoundFile, read_file
from ..reading.document import read_documents
from .kustomize import FILE_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_LISTS: Final = (
    *("resources", "bases", "components", "crds", "configurations", "generators", "transformers", "validators"),
    *("patchesStrategicMerge", "patches", "patchesJson6902", "replacements"),
)
_GENERATORS: Final = ("configMapGenerator", "secretGenerator")
_CHARTS: Final = ("helmCharts", "helmChartInflationGenerator")
_BUILT_IN: Final = "builtin"
"""The version of the generators and transformers that kustomize runs without a flag."""
_ADDRESS: Final = r"://|::|^[^/]+@|^(github\.com|gitlab\.com|bitbucket\.org|dev\.azure\.com|ssh\.)"


def remote_of(folder: str, beside: Iterable[str] = ()) -> str | None:
    """Return what the kustomization of a folder, or one that it leads to, would fetch; ``None`` where that is nothing.

    Of a folder without a kustomization nothing is fetched.

    Args:
        folder: The folder.
        beside: What else is taken with it: folders below it, components.
    """
    waiting, seen = [("", folder), *((folder, name) for name in beside)], set[str]()
    while waiting:
        above, name = waiting.pop()
        path = os.path.normpath(os.path.join(above, name))
        if re.search(_ADDRESS, name) is not None or not os.path.exists(path):
            return name
        if path not in seen:
            seen.add(path)
            waiting += [(path, one) for one in (_named(path) if os.path.isdir(path) else _addresses(*_read(path)))]
    return None


def _read(path: str) -> tuple[bytes, str]:
    text = read_file(FoundFile(path, is_named=True)) if os.path.isfile(path) else b""
    return text if isinstance(text, bytes) else b"", path


def _named(folder: str) -> Iterator[str]:
    """Yield what the kustomization of a folder names, and the fields of charts that it has."""
    for file in FILE_NAMES:
        path = os.path.join(folder, file)
        for document in read_documents(*_read(path))[0]:
            data = mapping(document.data)
            for field in _LISTS:
                yield from _paths(listed(data.get(field)), path)
            yield from _paths([data.get("openapi")], path)
            for field in _GENERATORS:
                yield from _sources(listed(data.get(field)))
            yield from (field for field in _CHARTS if data.get(field))


def _paths(entries: Iterable[Any], file: str) -> Iterator[str]:
    for entry in entries:
        path = entry.get("path") if isinstance(entry, dict) else entry
        # What is written out in place of a path has several lines.
        if isinstance(path, str) and "\n" in path:
            yield from _addresses(path.encode(), file)
        elif isinstance(path, str) and path:
            yield path


def _sources(entries: Iterable[Any]) -> Iterator[str]:
    """Yield the files that generators read, without the keys that they go to."""
    for entry in map(mapping, entries):
        for source in (*listed(entry.get("files")), *listed(entry.get("envs")), entry.get("env")):
            if isinstance(source, str) and source:
                yield source if "://" in source else source.partition("=")[2] or source


def _addresses(text: bytes, file: str) -> Iterator[str]:
    """Yield the addresses in what configures a built-in generator or transformer: kustomize reads files from there."""
    for document in read_documents(text, file)[0]:
        if mapping(document.data).get("apiVersion") == _BUILT_IN:
            yield from (value for _, value in walk(document.data) if isinstance(value, str) and "://" in value)
