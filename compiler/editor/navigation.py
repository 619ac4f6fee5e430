"""Where names lead, which places hold them, and which resources a text holds."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from ..workspace.workspace import CORE_KINDS
from .flow import unquoted
from .outline import outline_at, outlines
from .subject import is_list, subject_of, types_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..diagnostics.span import Path, Span
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace
    from .outline import Extent, Outline
    from .subject import Around


MOST: Final = 200
"""Resources that are listed at once."""


class Symbol(NamedTuple):
    """A resource in a text.

    Attributes:
        name: Its name.
        kind: Its kind.
        extent: All of it.
        place: Where its name stands.
    """

    name: str
    kind: str
    extent: Extent
    place: Extent


def definition(text: str, offset: int, around: Around, workspace: Workspace) -> Span | None:
    """Return the place that the reference at ``offset`` leads to: the name of the resource, or its key."""
    found = _named_at(text, offset, around, workspace)
    if found is None:
        return None
    target, key = found
    if key is None:
        return target.at(("metadata", "name"))
    holder = next((one for one in ("data", "stringData", "binaryData") if key in target.entries(one)), None)
    return None if holder is None else target.at((holder, key), on="key")


def references(
    text: str, offset: int, around: Around, workspace: Workspace, *, with_declaration: bool = False
) -> list[Span]:
    """List where the resource is named whose name, or a reference to which, stands at ``offset``; sorted by place."""
    found = _named_at(text, offset, around, workspace)
    if found is None:
        return []
    target, _ = found
    named = target.kind, target.name
    places = {
        reference.source.at(reference.path)
        for source in workspace.resources  # admitted or not: they are still being written
        if named in source.targets
        for reference in workspace.references(source)
        if reference.target is target
    }
    if with_declaration:
        places.add(target.at(("metadata", "name")))
    return sorted(places)


def workspace_symbols(workspace: Workspace, query: str) -> list[Resource]:
    """List the resources whose kind and name hold the letters of ``query`` in their order, at most `MOST`."""
    wanted = query.lower().replace(" ", "")
    found = (one for one in workspace.resources if _holds(f"{one.kind}{one.name}".lower(), wanted))
    return sorted(islice(found, MOST), key=lambda one: (one.name, one.kind))


def _holds(text: str, letters: str) -> bool:
    at = 0
    for letter in letters:
        at = text.find(letter, at) + 1
        if not at:
            return False
    return True


def symbols(text: str, around: Around) -> list[Symbol]:
    """List the resources of a text: ours, and the objects of Kubernetes that references lead to."""
    return [symbol for outline in outlines(text) for symbol in _symbols_of(outline, around)]


def _symbols_of(outline: Outline, around: Around) -> Iterator[Symbol]:
    prefixes: list[Path] = [()]
    if is_list(outline, ()):
        prefixes = [one.path for one in outline.below(("items",))]
    for number, prefix in enumerate(prefixes):
        kind, version = types_of(outline, prefix)
        name = outline.entry((*prefix, "metadata", "name"))
        if not kind or name is None or not name.text:
            continue
        subject = subject_of(outline, (*prefix, "kind"), around)
        is_core = kind in CORE_KINDS and version == "v1"
        if is_core or (subject is not None and subject.kind == kind):
            extent = _extent(outline, prefix, prefixes[number + 1 : number + 2])
            yield Symbol(unquoted(name.text), kind, extent, name.value)


def _extent(outline: Outline, prefix: Path, following: list[Path]) -> Extent:
    """Return all of a resource, which ends where the next begins; blank lines at its end are left out."""
    own = outline.entry(prefix) if prefix else None
    next_one = outline.entry(following[0]) if following else None
    start = own.key[0] if own is not None else outline.start
    end = next_one.key[0] if next_one is not None else outline.end
    body = outline.text[start:end]
    lead = len(body) - len(body.lstrip())
    return start + lead, start + max(lead, len(body.rstrip()))


def _named_at(text: str, offset: int, around: Around, workspace: Workspace) -> tuple[Resource, str | None] | None:
    """Return the resource that the name at ``offset`` means, and the key of it where a key stands there."""
    outline = outline_at(text, offset)
    found = outline.at(offset)
    if found is None or found[1] != "value" or not found[0].text:
        return None
    entry = found[0]
    word = unquoted(found[0].text)
    prefix, kind = _object_at(outline, entry.path, around)
    namespace = _namespace(outline, prefix, kind, around, workspace)
    if entry.path == (*prefix, "metadata", "name"):
        own = workspace.find(kind, namespace, word, around.file) if kind else None
        return None if own is None else (own, None)
    subject = subject_of(outline, entry.path, around)
    reference = subject.reference(entry.path) if subject is not None else None
    if reference is None:
        return None
    one, is_key = reference
    name = outline.scalar((*entry.path[:-1], one.steps[-1])) if is_key else word
    target = workspace.find(one.kind, namespace, name, around.file) if name else None
    return None if target is None else (target, word if is_key else None)


def _object_at(outline: Outline, path: Path, around: Around) -> tuple[Path, str]:
    """Return where the object begins that ``path`` leads into, and its kind; empty where it is none that counts."""
    subject = subject_of(outline, path, around)
    if subject is not None and subject.kind is not None:
        return subject.prefix, subject.kind
    prefix = path[:2] if is_list(outline, ()) and path[:1] == ("items",) else ()
    kind = types_of(outline, prefix)[0] or ""
    return prefix, kind if kind in CORE_KINDS else ""


def _namespace(outline: Outline, prefix: Path, kind: str, around: Around, workspace: Workspace) -> str | None:
    """Return the namespace of an object: what it states, else what its kustomization or the configuration states."""
    stated = outline.scalar((*prefix, "metadata", "namespace"))
    if stated:
        return stated
    name = outline.scalar((*prefix, "metadata", "name"))
    of_file = (one for one in workspace.of_kind(kind) if one.name == name)
    own = next((one for one in of_file if one.document.file == around.file), None)
    return None if own is None else own.namespace
