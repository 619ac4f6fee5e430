"""Convert answers to the types of the Language Server Protocol."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types
from pygls.uris import from_fs_path

from ..diagnostics.address import rule_address
from ..diagnostics.shown import sanitized
from .hover import markdown_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ..diagnostics.span import Span
    from ..fix.edit import Edit
    from ..workspace.resource import Resource
    from .action import CodeAction
    from .completion import Item
    from .diagnostic import Diagnostic
    from .hover import Hover
    from .lens import Lens
    from .line_map import LineMap, Point
    from .link import Link
    from .navigation import Symbol

SOURCE: Final = "mcpcfg"

_SEVERITIES: Final = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Hint,
}
_TAGS: Final = {"unnecessary": types.DiagnosticTag.Unnecessary, "deprecated": types.DiagnosticTag.Deprecated}
_ITEM_KINDS: Final = {
    "field": types.CompletionItemKind.Property,
    "value": types.CompletionItemKind.EnumMember,
    "name": types.CompletionItemKind.Reference,
    "kind": types.CompletionItemKind.Class,
}
SHOW_REFERENCES: Final = "mcpcfg.showReferences"
"""Name of a command of the client. Its arguments are a URI, a position, and locations."""
SHOW_COMPILED: Final = "mcpcfg.showCompiled"
"""Name of a command of the client. Its argument is that of `COMPILE`."""
COMPILE: Final = "mcpcfg.compile"
"""Name of the server's command that returns the objects of a resource. Its argument is the data of a lens."""
FIX_ALL: Final = "source.fixAll.mcpcfg"
"""Kind of the code action that applies all safe fixes, below the protocol's ``source.fixAll``."""
_ACTION_KINDS: Final[dict[str, types.CodeActionKind | str]] = {
    "fix": types.CodeActionKind.QuickFix,
    "ignore": types.CodeActionKind.QuickFix,
    "fix-all": FIX_ALL,
}


class Capabilities:
    """The optional features of the protocol that the client supports.

    Attributes:
        takes_markdown: Hovers may be Markdown.
        takes_markdown_items: Documentation of completion items may be Markdown.
        indents: The client indents the further lines of inserted text like the line of the insertion.
        takes_notes: Diagnostics may point to other places.
        takes_tags: Diagnostics may have tags.
        takes_actions: Code actions may be edits.
        registers_watchers: The server can ask the client to report changed files.
        refreshes_lenses: The server can make the client request all lenses again.
        commands: Commands that the client runs for lenses.
    """

    def __init__(self, capabilities: types.ClientCapabilities, commands: frozenset[str] = frozenset()) -> None:
        text = capabilities.text_document or types.TextDocumentClientCapabilities()
        item = (text.completion and text.completion.completion_item) or types.ClientCompletionItemOptions()
        published = text.publish_diagnostics
        formats = (text.hover and text.hover.content_format) or ()
        modes = (item.insert_text_mode_support and item.insert_text_mode_support.value_set) or ()
        watched = capabilities.workspace and capabilities.workspace.did_change_watched_files
        self.takes_markdown = types.MarkupKind.Markdown in formats
        self.takes_markdown_items = types.MarkupKind.Markdown in (item.documentation_format or ())
        self.indents = types.InsertTextMode.AdjustIndentation in modes
        self.takes_notes = bool(published and published.related_information)
        self.takes_tags = bool(published and published.tag_support)
        self.takes_actions = bool(text.code_action and text.code_action.code_action_literal_support)
        self.registers_watchers = bool(watched and watched.dynamic_registration)
        lens = capabilities.workspace and capabilities.workspace.code_lens
        self.refreshes_lenses = bool(lens and lens.refresh_support)
        self.commands = commands


def word(given: object) -> str:
    """Return the string of a protocol value, which the library may have parsed into an enumeration member."""
    return str(given.value if isinstance(given, Enum) else given)


def position(point: Point) -> types.Position:
    """Return a point as a position of the protocol."""
    return types.Position(point.line, point.column)


def range_of(lines: LineMap, extent: tuple[int, int]) -> types.Range:
    """Return the range between two offsets as a range of the protocol."""
    return types.Range(position(lines.point(extent[0])), position(lines.point(extent[1])))


def location(span: Span, uri: str, lines: LineMap) -> types.Location:
    """Return the location of a span in the document ``uri``."""
    start, end = lines.points(span)
    return types.Location(uri, types.Range(position(start), position(end)))


def uri_of(path: str) -> str:
    """Return the ``file:`` URI of a path."""
    return from_fs_path(path) or ""


def diagnostic(
    entry: Diagnostic, client: Capabilities, place: Callable[[Span], types.Location | None]
) -> types.Diagnostic:
    """Convert a diagnostic to the protocol.

    If the client does not support notes, they become lines of the message.

    Args:
        client: Features that the client supports.
        place: Returns the location of a note, or ``None`` to leave the note out.
    """
    notes = [(note.message, place(note.span)) for note in entry.notes if note.span is not None]
    related = [types.DiagnosticRelatedInformation(where, note) for note, where in notes if where is not None]
    message = entry.message
    uri = rule_address(entry.code)
    if not client.takes_notes:
        message += "".join(f"\nnote: {note}" for note, _ in notes)
    return types.Diagnostic(
        range=types.Range(position(entry.start), position(entry.end)),
        message=message,
        severity=_SEVERITIES[entry.severity],
        code=entry.code,
        code_description=types.CodeDescription(uri) if uri else None,
        source=SOURCE,
        tags=[_TAGS[tag] for tag in entry.tags] if client.takes_tags and entry.tags else None,
        related_information=related if client.takes_notes and related else None,
    )


def completion_list(items: Sequence[Item], lines: LineMap, client: Capabilities) -> types.CompletionList:
    """Convert completion items to the protocol."""
    return types.CompletionList(is_incomplete=False, items=[_item(entry, lines, client) for entry in items])


def _item(entry: Item, lines: LineMap, client: Capabilities) -> types.CompletionItem:
    text, quote = entry.text, lines.text[entry.extent[0] : entry.extent[0] + 1]
    mode = None
    if entry.opens is not None and client.indents:
        start, _ = lines.line(lines.point(entry.extent[0]).line)
        line = lines.text[start : entry.extent[0]]
        deeper = len(line.lstrip()) + 2  # the client adds the indentation of the line itself
        text += "\n" + " " * deeper + entry.opens
        mode = types.InsertTextMode.AdjustIndentation
    documentation: str | types.MarkupContent | None = None
    if entry.about is not None:
        documentation = entry.about.description or None
        if client.takes_markdown_items:
            documentation = types.MarkupContent(types.MarkupKind.Markdown, markdown_of(entry.about, with_fields=False))
    return types.CompletionItem(
        label=sanitized(entry.label),
        kind=_ITEM_KINDS[entry.sort],
        detail=sanitized(entry.detail) or None,
        documentation=documentation,
        sort_text=f"{entry.rank:05}",
        filter_text=quote + entry.label if quote in {'"', "'"} else None,
        insert_text_mode=mode,
        text_edit=types.TextEdit(range_of(lines, entry.extent), text),
    )


def hover(content_: Hover, lines: LineMap, client: Capabilities) -> types.Hover:
    """Convert a hover text to the protocol, as Markdown if the client supports it."""
    kind = types.MarkupKind.Markdown if client.takes_markdown else types.MarkupKind.PlainText
    content = types.MarkupContent(kind, content_.markdown if client.takes_markdown else content_.plain)
    return types.Hover(content, range_of(lines, content_.extent) if content_.extent is not None else None)


def symbol(resource: Symbol, lines: LineMap) -> types.DocumentSymbol:
    """Convert a resource of a text to a symbol of the document."""
    return types.DocumentSymbol(
        name=sanitized(resource.name),
        detail=sanitized(resource.kind),
        kind=types.SymbolKind.Object,
        range=range_of(lines, resource.extent),
        selection_range=range_of(lines, resource.place),
    )


def resource(entry: Resource, place: types.Location) -> types.SymbolInformation:
    """Convert a resource to a symbol of the project. ``place`` is the location of its name."""
    return types.SymbolInformation(
        name=sanitized(entry.name),
        kind=types.SymbolKind.Object,
        location=place,
        container_name=sanitized(f"{entry.kind}, {entry.printed_namespace}"),
    )


def action(offer: CodeAction, uri: str, lines: LineMap, about: Iterable[types.Diagnostic]) -> types.CodeAction:
    """Convert a code action to the protocol, as a fix of the diagnostics in ``about`` with the rule of its finding."""
    return types.CodeAction(
        title=sanitized(offer.title),
        kind=_ACTION_KINDS[offer.sort],
        diagnostics=[other for other in about if offer.finding is not None and other.code == offer.finding.rule]
        or None,
        is_preferred=True if offer.sort == "fix" and offer.is_safe else None,
        edit=types.WorkspaceEdit(changes={uri: [_text_edit(edit, lines) for edit in offer.edits]}),
    )


def link(entry: Link, lines: LineMap) -> types.DocumentLink:
    """Convert a link to the protocol. Its target becomes a URI."""
    target = entry.target if entry.is_page else uri_of(entry.target)
    return types.DocumentLink(range_of(lines, entry.extent), target)


def lens(entry: Lens, uri: str, lines: LineMap) -> types.CodeLens:
    """Convert a lens to the protocol. Its title is still missing."""
    data = {"uri": uri, "kind": entry.kind, "name": entry.name, "sort": entry.sort, "number": entry.number}
    return types.CodeLens(range_of(lines, entry.extent), data=data)


def command(title: str, name: str, arguments: list[Any], client: Capabilities) -> types.Command:
    """Return the command that a lens runs. If the client lacks the command, the lens only shows the title."""
    is_offered = name in client.commands
    return types.Command(sanitized(title), name if is_offered else "", arguments=arguments if is_offered else None)


def _text_edit(edit: Edit, lines: LineMap) -> types.TextEdit:
    return types.TextEdit(range_of(lines, (edit.start, edit.end)), edit.text)
