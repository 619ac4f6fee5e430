"""Rename a resource: change its declaration and all places that name it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.shown import shown
from ..kube.names import dns_subdomain_faults
from ..reading.excerpt import decode
from .completion import written_name
from .line_map import LineMap
from .mention import Mention, mentions
from .navigation import named_at

if TYPE_CHECKING:
    from ..diagnostics.span import Span
    from ..workspace.resource import Resource
    from .outline import Extent
    from .session import Snapshot
    from .subject import FileContext


class RenameError(ValueError):
    """The resource cannot be renamed; the message says why."""


class Renameable(NamedTuple):
    """A resource whose name is at the cursor.

    Attributes:
        extent: Range of the name in the text, without quotes.
    """

    resource: Resource
    extent: Extent


class Replacement(NamedTuple):
    """The range of a name, and its new text."""

    span: Span
    text: str


def renameable_at(text: str, offset: int, file_context: FileContext, snapshot: Snapshot) -> Renameable | None:
    """Return the resource that the name at ``offset`` declares or refers to, or ``None`` if it cannot be renamed.

    A Namespace cannot be renamed, because objects outside of the project use its name. The name of a Service in a
    route cannot either, unless it equals the name of the resource.
    """
    named = named_at(text, offset, file_context, snapshot.workspace)
    if named is None or named.key is not None or named.resource.kind == "Namespace":
        return None
    start, end = named.entry.value
    quotes = text[start : start + 1] in {'"', "'"}
    extent = (start + quotes, end - quotes)
    return Renameable(named.resource, extent) if text[slice(*extent)] == named.resource.name else None


def renamed(resource: Resource, new: str, snapshot: Snapshot) -> list[Replacement]:
    """Return the replacements that rename a resource at its declaration and all references, sorted by place.

    Raises:
        RenameError: The name is invalid or taken, or a place does not contain the old name literally, such as an alias.
    """
    workspace = snapshot.workspace
    for fault in dns_subdomain_faults(new)[:1]:
        raise RenameError(f"{shown(new)} {fault}")
    rival = workspace.find(resource.kind, resource.namespace, new, resource.document.file)
    if rival is not None:
        raise RenameError(f"there is already a {resource.kind} {shown(new)}")
    places = {Mention(resource.at(("metadata", "name"))), *mentions(resource, workspace, snapshot.loaded)}
    maps: dict[str, LineMap] = {}
    replacements: list[Replacement] = []
    for span, is_part in sorted(places):
        if span.file not in maps:
            maps[span.file] = LineMap(decode(snapshot.loaded.texts[span.file]), "utf-32")
        lines = maps[span.file]
        written = lines.text[slice(*lines.extent(span))]
        quote = written[:1] if written[:1] in {'"', "'"} else ""
        if written != f"{quote}{resource.name}{quote}":
            raise RenameError(f"line {span.line} of {span.file} spells the name in another way")
        replacements.append(Replacement(span, new if is_part else written_name(new, quote)))
    return replacements
