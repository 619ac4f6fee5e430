"""Navigation: definitions, references, and the symbols of a text and of a project."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from ..diagnostics.named_tuple import NamedTuple
from ..workspace.workspace import CORE_KINDS
from .flow import unquoted
from .outline import outline_at, outlines
from .subject import is_list, subject_of, types_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..check.full import Loaded
    from ..diagnostics.span import Path, Span
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace
    from .outline import Extent, Outline, OutlineEntry
    from .subject import FileContext


MOST: Final = 200
"""Maximum number of listed resources, because users narrow the query instead of reading more."""


class Symbol(NamedTuple):
    """A resource in a text.

    Attributes:
        extent: Range of the whole resource.
        place: Range of the value of ``metadata.name``.
    """

    name: str
    kind: str
    extent: Extent
    place: Extent


class Named(NamedTuple):
    """A name at the cursor, and the resource that it refers to.

    Attributes:
        key: The word at the cursor if it is a key of the Secret or ConfigMap; otherwise ``None``.
    """

    resource: Resource
    key: str | None
    entry: OutlineEntry


def definition(text: str, offset: int, file_context: FileContext, workspace: Workspace) -> Span | None:
    """Return the place where the object or key that is named at ``offset`` is declared; ``None`` if unknown."""
    named = named_at(text, offset, file_context, workspace)
    if named is None:
        return None
    target, key, _ = named
    if key is None:
        return target.at(("metadata", "name"))
    holder = next((field for field in ("data", "stringData", "binaryData") if key in target.entries(field)), None)
    return None if holder is None else target.at((holder, key), on="key")


def references(
    text: str,
    offset: int,
    file_context: FileContext,
    workspace: Workspace,
    loaded: Loaded | None = None,
    *,
    with_declaration: bool = False,
) -> list[Span]:
    """Return all places that name the resource that is named at ``offset``, sorted, with or without its declaration."""
    from .mention import mentions

    named = named_at(text, offset, file_context, workspace)
    if named is None:
        return []
    places = {mention.span for mention in mentions(named.resource, workspace, loaded)}
    if with_declaration:
        places.add(named.resource.at(("metadata", "name")))
    return sorted(places)


def workspace_symbols(workspace: Workspace, query: str) -> list[Resource]:
    """Return up to `MOST` resources whose kind and name contain the letters of ``query`` in the same order.

    Other characters may be between the letters. The result is sorted by name and kind.
    """
    wanted = query.lower().replace(" ", "")
    matches = (
        resource
        for resource in workspace.resources
        if _contains_letters(f"{resource.kind}{resource.name}".lower(), wanted)
    )
    return sorted(islice(matches, MOST), key=lambda resource: (resource.name, resource.kind))


def _contains_letters(text: str, letters: str) -> bool:
    at = 0
    for letter in letters:
        at = text.find(letter, at) + 1
        if not at:
            return False
    return True


def symbols(text: str, file_context: FileContext) -> list[Symbol]:
    """Return the resources in a text: resources of the operator, and Kubernetes objects that they can refer to."""
    return [symbol for outline in outlines(text) for symbol in _symbols_of(outline, file_context)]


def _symbols_of(outline: Outline, file_context: FileContext) -> Iterator[Symbol]:
    prefixes: list[Path] = [()]
    if is_list(outline, ()):
        prefixes = [entry.path for entry in outline.below(("items",))]
    for number, prefix in enumerate(prefixes):
        kind, version = types_of(outline, prefix)
        name = outline.entry((*prefix, "metadata", "name"))
        if not kind or name is None or not name.text:
            continue
        subject = subject_of(outline, (*prefix, "kind"), file_context)
        is_core = kind in CORE_KINDS and version == "v1"
        if is_core or (subject is not None and subject.kind == kind):
            extent = _extent(outline, prefix, prefixes[number + 1 : number + 2])
            yield Symbol(unquoted(name.text), kind, extent, name.value)


def _extent(outline: Outline, prefix: Path, following: list[Path]) -> Extent:
    """Return the range of the resource at ``prefix``, up to the next resource, without blank lines around it."""
    first = outline.entry(prefix) if prefix else None
    following_entry = outline.entry(following[0]) if following else None
    start = first.key[0] if first is not None else outline.start
    end = following_entry.key[0] if following_entry is not None else outline.end
    body = outline.text[start:end]
    lead = len(body) - len(body.lstrip())
    return start + lead, start + max(lead, len(body.rstrip()))


def named_at(text: str, offset: int, file_context: FileContext, workspace: Workspace) -> Named | None:
    """Return the resource that the name at ``offset`` refers to, or ``None`` if no file declares it."""
    outline = outline_at(text, offset)
    entry_at = outline.at(offset)
    if entry_at is None or entry_at[1] != "value" or not entry_at[0].text:
        return None
    entry = entry_at[0]
    word = unquoted(entry_at[0].text)
    prefix, kind = _object_at(outline, entry.path, file_context)
    namespace = _namespace(outline, prefix, kind, file_context, workspace)
    if entry.path == (*prefix, "metadata", "name"):
        resource = workspace.find(kind, namespace, word, file_context.file) if kind else None
        return None if resource is None else Named(resource, None, entry)
    subject = subject_of(outline, entry.path, file_context)
    reference = subject.reference(entry.path) if subject is not None else None
    if reference is None:
        from .route import service_resource

        service_maker = service_resource(outline, entry.path, workspace, file_context.file) if subject is None else None
        return None if service_maker is None else Named(service_maker, None, entry)
    field, is_key = reference
    name = outline.scalar((*entry.path[:-1], field.steps[-1])) if is_key else word
    target = workspace.find(field.kind, namespace, name, file_context.file) if name else None
    return None if target is None else Named(target, word if is_key else None, entry)


def _object_at(outline: Outline, path: Path, file_context: FileContext) -> tuple[Path, str]:
    """Return path and kind of the object at ``path``. The kind is empty if references cannot point to it."""
    subject = subject_of(outline, path, file_context)
    if subject is not None and subject.kind is not None:
        return subject.prefix, subject.kind
    prefix = path[:2] if is_list(outline, ()) and path[:1] == ("items",) else ()
    kind = types_of(outline, prefix)[0] or ""
    return prefix, kind if kind in CORE_KINDS else ""


def _namespace(
    outline: Outline, prefix: Path, kind: str, file_context: FileContext, workspace: Workspace
) -> str | None:
    """Return the namespace that an object states, or else that of the last check; ``None`` if it is unknown."""
    stated = outline.scalar((*prefix, "metadata", "namespace"))
    if stated:
        return stated
    name = outline.scalar((*prefix, "metadata", "name"))
    of_file = (resource for resource in workspace.of_kind(kind) if resource.name == name)
    resource_ = next((resource for resource in of_file if resource.document.file == file_context.file), None)
    return None if resource_ is None else resource_.namespace
