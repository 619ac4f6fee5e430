"""Add an entry to the lists of a kustomization, at the position and in the form that its other entries suggest.

A *model* is a resource whose style a new resource takes over.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, Final

from ...diagnostics import file_path
from ...diagnostics.plain import listed
from ...project.kustomize import is_kustomization
from ...reading.document import read_documents
from ..edit import Edit, apply_edits
from ..source_buffer import SourceBuffer, line_starts

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...reading.document import Document

_LISTS: Final = ("resources", "components", "bases")
_COMMON: Final = frozenset({"", "mcp", "mcpserver", "server"})
"""Words that many file names contain, so they do not show that files belong together."""


def lists_any(file: str, text: str, is_model: Callable[[str], bool]) -> bool:
    """Return whether a kustomization lists a path for which ``is_model`` returns true."""
    document = _kustomization(file, text)
    return document is not None and any(is_model(path) for _, path, _ in _entries(document))


def with_entry(file: str, text: str, path: str, is_model: Callable[[str], bool]) -> str | None:
    """Return the text of a kustomization with an entry for ``path``; ``None`` if it has one, or is no kustomization.

    The entry has the form of the entries for models. A sorted list stays sorted. In other lists, the new entry follows
    that of the last model and of files that share the model's name.

    Args:
        path: Path to list, relative to the same folder as ``file``.
        is_model: Returns whether a listed path belongs to a model.
    """
    document = _kustomization(file, text)
    if document is None:
        return None
    entries = _entries(document)
    if any(listed_path == file_path.normpath(path) for _, listed_path, _ in entries):
        return None
    page = SourceBuffer(text, document, line_starts(text))
    fields = [field for (field, _), listed_path, _ in entries if is_model(listed_path)] or ["resources"]
    inside = [entry for entry in entries if entry[0][0] == fields[-1]]
    relative = file_path.relpath(path, os.path.dirname(file) or ".")
    if not inside:
        return _with_list(page, fields[-1], relative)
    spelled = [str(entry[2]) for entry in inside]
    models = [number for number, entry in enumerate(inside) if is_model(entry[1])]
    style = spelled[models[-1] if models else -1]
    new = ("./" if style.startswith("./") else "") + relative + ("/" if style.endswith("/") else "")
    first, last = _sorted_run(spelled, models)
    if first < last or len(spelled) == 1:
        smaller = sum(entry < new for entry in spelled[first : last + 1])
        return _inserted(page, fields[-1], first + smaller - 1 if smaller else first, new, is_before=not smaller)
    after = _last_of_group(spelled, models[-1]) if models else len(spelled) - 1
    return _inserted(page, fields[-1], after, new)


def _kustomization(file: str, text: str) -> Document | None:
    documents, _ = read_documents(text.encode(), file)
    return next((document for document in documents if is_kustomization(file, document.data)), None)


def _entries(document: Document) -> list[tuple[tuple[str, int], str, Any]]:
    """Return path, normalized file path and text of each local entry in a kustomization's lists."""
    folder = os.path.dirname(document.file)
    return [
        ((field, number), file_path.normpath(file_path.join(folder, entry)), entry)
        for field in _LISTS
        for number, entry in enumerate(listed(document.data.get(field)))
        if isinstance(entry, str) and "://" not in entry
    ]


def _sorted_run(spelled: list[str], models: list[int]) -> tuple[int, int]:
    """Return the first and last index of the sorted entries around all models; equal if there are no such entries."""
    if not models or spelled == sorted(spelled):
        return (0, len(spelled) - 1) if spelled == sorted(spelled) else (0, 0)
    first, last = models[0], models[-1]
    if spelled[first : last + 1] != sorted(spelled[first : last + 1]):
        return 0, 0
    while first > 0 and spelled[first - 1] <= spelled[first] and _form(spelled[first - 1]) == _form(spelled[first]):
        first -= 1
    while (
        last + 1 < len(spelled)
        and spelled[last] <= spelled[last + 1]
        and _form(spelled[last]) == _form(spelled[last + 1])
    ):
        last += 1
    return first, last


def _form(entry: str) -> str:
    """Return the file name of an entry with a folder, or else the extension. Entries of one form belong together."""
    folder, base = os.path.split(entry.removeprefix("./").rstrip("/"))
    return base if folder else os.path.splitext(base)[1]


def _last_of_group(spelled: list[str], model: int) -> int:
    """Return the index of the last entry in a row that begins at ``model`` and whose entries share its name."""
    folder, base = os.path.split(spelled[model].removeprefix("./").rstrip("/"))
    words = [word for word in re.split(r"[^A-Za-z0-9]+", folder or os.path.splitext(base)[0]) if word not in _COMMON]
    last = model
    while words and last + 1 < len(spelled) and words[-1] in re.split(r"[^A-Za-z0-9]+", spelled[last + 1]):
        last += 1
    return last


def _inserted(page: SourceBuffer, field: str, number: int, new: str, *, is_before: bool = False) -> str:
    start, end = page.value((field, number))
    quote = page.text[start] if page.text[start] in "\"'" else ""
    written = f"{quote}{new}{quote}"
    if page.is_flow((field, 0)):
        edit = Edit(start, start, f"{written}, ") if is_before else Edit(end, end, f", {written}")
        return apply_edits(page.text, [edit])
    line = page.text[page.line_start(start) : start] + written + page.newline
    at = page.line_start(start) if is_before else page.line_end(end)
    if at == len(page.text) and not page.text.endswith(("\n", "\r")):
        line = page.newline + line.rstrip("\r\n")
    return apply_edits(page.text, [Edit(at, at, line)])


def _with_list(page: SourceBuffer, field: str, entry: str) -> str:
    text = f"{field}:{page.newline}  - {entry}{page.newline}"
    if page.document.has((field,)):
        start, end = page.key((field,))[0], page.line_end(page.value((field,))[1])
        return apply_edits(page.text, [Edit(start, end, text)])
    gap = "" if page.text.endswith(("\n", "\r")) else page.newline
    return page.text + gap + text


def without_others(file: str, text: str, kept: frozenset[str]) -> str:
    """Return the text of a copied kustomization without the entries for files and folders that were not copied.

    Entries outside of its folder stay, and so do entries of a list in flow style.

    Args:
        kept: Paths of the new files, whose entries stay.
    """
    document = _kustomization(file, text)
    if document is None:
        return text
    page = SourceBuffer(text, document, line_starts(text))
    edits: list[Edit] = []
    for (field, number), path, _ in _entries(document):
        is_beside = not file_path.relpath(path, os.path.dirname(file)).startswith("..")
        start, end = page.value((field, number))
        line = page.line_start(start)
        dash = line + len(text[line:start]) - len(text[line:start].lstrip(" "))
        lines = None if page.is_flow((field, 0)) else (page.comments_above(dash), page.line_end(end))
        is_kept = path in kept or any(other.startswith(f"{path}/") for other in kept)
        if is_beside and not is_kept and lines is not None:
            edits.append(Edit(*lines, ""))
    return apply_edits(text, edits)
