"""Links from a text to the files that it names, and to the pages of rules."""

from __future__ import annotations

import os
from itertools import islice
from typing import TYPE_CHECKING, Final

from ..diagnostics import file_path
from ..diagnostics.address import rule_address
from ..diagnostics.named_tuple import NamedTuple
from ..project.discovery import SETTINGS_FILE
from ..project.kustomize import FILE_NAMES, is_delivery, is_kustomization
from ..reading.suppression_comment import ignores
from ..workspace.context import folders_above
from .flow import unquoted
from .line_map import LineMap
from .outline import outlines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .outline import Extent, Outline

_MOST: Final = 1_000
"""Maximum number of links in a text, because each is looked up in the file system."""
_MOST_FOLDERS: Final = 20
"""Maximum number of folders above a file in which a path from the root of the repository is looked up."""
_KUSTOMIZATION: Final = frozenset(
    {
        *((field, "*") for field in ("resources", "components", "bases", "crds", "configurations", "transformers")),
        *((field, "*") for field in ("generators", "validators", "patchesStrategicMerge")),
        *((field, "*", "path") for field in ("patches", "patchesJson6902", "replacements")),
        *((field, "*", part, "*") for field in ("configMapGenerator", "secretGenerator") for part in ("files", "envs")),
        *((field, "*", "env") for field in ("configMapGenerator", "secretGenerator")),
        ("helmCharts", "*", "valuesFile"),
        ("openapi", "path"),
    }
)
"""Paths in a kustomization at which files are named; ``*`` stands for the index of an item."""
_DELIVERY: Final = frozenset(
    (*above, *steps)
    for above in (("spec",), ("spec", "template", "spec"))
    for steps in (("path",), ("source", "path"), ("sources", "*", "path"))
)
"""Paths in objects of Flux and Argo CD at which a folder is named, relative to the root of the repository."""
_SETTINGS: Final = frozenset({("baseline",), ("crds", "*")})


class Link(NamedTuple):
    """A link in a text.

    Attributes:
        target: Path of a file, or URL of a page.
        is_page: True if the target is a URL.
    """

    extent: Extent
    target: str
    is_page: bool = False


def links(text: str, file: str) -> list[Link]:
    """Return the links of a text, at most `_MOST`. Only files that exist are linked."""
    return list(islice(_links(text, file), _MOST))


def _links(text: str, file: str) -> Iterator[Link]:
    yield from _pages(text, file)
    for outline in outlines(text):
        types = {field: outline.scalar((field,)) or "" for field in ("apiVersion", "kind")}
        is_settings = os.path.basename(file) == SETTINGS_FILE
        if is_settings:
            yield from _rule_pages(outline)
        if is_settings or is_kustomization(file, types):
            fields = _SETTINGS if is_settings else _KUSTOMIZATION
            yield from _file_links(outline, fields, [os.path.dirname(file)])
        elif is_delivery(types):
            yield from _file_links(outline, _DELIVERY, folders_above(file)[:_MOST_FOLDERS], is_from_root=True)


def _pages(text: str, file: str) -> Iterator[Link]:
    lines: LineMap | None = None
    for ignore in ignores(text, file):
        address = rule_address(ignore.rule)
        if address is not None:
            lines = lines or LineMap(text, "utf-32")
            yield Link(lines.extent(ignore.span), address, is_page=True)


def _rule_pages(outline: Outline) -> Iterator[Link]:
    for entry in outline.below(("rules",)):
        address = rule_address(str(entry.path[-1]))
        if address is not None:
            yield Link(entry.key, address, is_page=True)


def _file_links(
    outline: Outline, fields: frozenset[tuple[str, ...]], folders: list[str], *, is_from_root: bool = False
) -> Iterator[Link]:
    for entry in outline.entries:
        if entry.text and tuple("*" if isinstance(step, int) else step for step in entry.path) in fields:
            path = unquoted(entry.text)
            if entry.path[-2:-1] == ("files",):  # of a generator: KEY=FILE
                path = path.rpartition("=")[2]
            path = path.removeprefix("/") if is_from_root else path
            target = next(filter(None, (_target(path, folder) for folder in folders)), None)
            if target is not None:
                yield Link(entry.value, target)


def _target(path: str, folder: str) -> str | None:
    """Return the file at a relative path, or the kustomization in that folder; ``None`` if neither exists.

    URLs and absolute paths are not looked up, because looking up a Windows share would open a connection.
    """
    if not path or path.startswith("/") or any(mark in path for mark in ":\\\0"):
        return None
    joined = file_path.normpath(file_path.join(folder, path))
    candidates = (joined, *(file_path.join(joined, name) for name in FILE_NAMES))
    return next((candidate for candidate in candidates if os.path.isfile(candidate)), None)
