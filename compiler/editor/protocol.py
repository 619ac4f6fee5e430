"""Our answers in the words of the Language Server Protocol."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Final

from lsprotocol import types
from pygls.uris import from_fs_path

from ..diagnostics.shown import sanitized
from .hover import markdown_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ..diagnostics.span import Span
    from ..fix.edit import Edit
    from ..workspace.resource import Resource
    from .action import Action
    from .completion import Item
    from .diagnostic import Diagnostic
    from .hover import Hover
    from .line_map import LineMap, Point
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
FIX_ALL: Final = "source.fixAll.mcpcfg"
"""The kind of the action that fixes all, below the protocol's own."""
_ACTION_KINDS: Final[dict[str, types.CodeActionKind | str]] = {
    "fix": types.CodeActionKind.QuickFix,
    "ignore": types.CodeActionKind.QuickFix,
    "fix-all": FIX_ALL,
}


class Client:
    """What the client at the other end understands, where the protocol leaves it open.

    Attributes:
        takes_markdown: Hovers may be Markdown.
        takes_markdown_items: The documentation of completions may be Markdown.
        indents: It indents further lines of what is inserted as the line where it is inserted.
        takes_notes: Diagnostics may point to other places.
        takes_tags: Diagnostics may be tagged.
        takes_actions: Code actions may be edits.
        registers_watchers: It reports changed files where it is asked to.
    """

    def __init__(self, capabilities: types.ClientCapabilities) -> None:
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


def word(given: object) -> str:
    """Return a word of the protocol, which the library has as a member of an enumeration where it knows it."""
    return str(given.value if isinstance(given, Enum) else given)


def position(point: Point) -> types.Position:
    """Return a point."""
    return types.Position(point.line, point.column)


def range_of(lines: LineMap, extent: tuple[int, int]) -> types.Range:
    """Return a stretch of a text."""
    return types.Range(position(lines.point(extent[0])), position(lines.point(extent[1])))


def location(span: Span, uri: str, lines: LineMap) -> types.Location:
    """Return a place in a file."""
    start, end = lines.points(span)
    return types.Location(uri, types.Range(position(start), position(end)))


def uri_of(path: str) -> str:
    """Return the URI of a file."""
    return from_fs_path(path) or ""


def diagnostic(one: Diagnostic, client: Client, place: Callable[[Span], types.Location | None]) -> types.Diagnostic:
    """Return a diagnostic; ``place`` finds the places of its notes."""
    notes = [(note.message, place(note.span)) for note in one.notes if note.span is not None]
    related = [types.DiagnosticRelatedInformation(where, note) for note, where in notes if where is not None]
    message = one.message
    if not client.takes_notes:
        message += "".join(f"\nnote: {note}" for note, _ in notes)
    return types.Diagnostic(
        range=types.Range(position(one.start), position(one.end)),
        message=message,
        severity=_SEVERITIES[one.severity],
        code=one.code,
        source=SOURCE,
        tags=[_TAGS[tag] for tag in one.tags] if client.takes_tags and one.tags else None,
        related_information=related if client.takes_notes and related else None,
    )


def completion_list(items: Sequence[Item], lines: LineMap, client: Client) -> types.CompletionList:
    """Return what may be typed."""
    return types.CompletionList(is_incomplete=False, items=[_item(one, lines, client) for one in items])


def _item(one: Item, lines: LineMap, client: Client) -> types.CompletionItem:
    text, quote = one.text, lines.text[one.extent[0] : one.extent[0] + 1]
    mode = None
    if one.opens is not None and client.indents:
        start, _ = lines.line(lines.point(one.extent[0]).line)
        line = lines.text[start : one.extent[0]]
        deeper = len(line.lstrip()) + 2  # the client adds the blanks that the line begins with
        text += "\n" + " " * deeper + one.opens
        mode = types.InsertTextMode.AdjustIndentation
    documentation: str | types.MarkupContent | None = None
    if one.about is not None:
        documentation = one.about.description or None
        if client.takes_markdown_items:
            documentation = types.MarkupContent(types.MarkupKind.Markdown, markdown_of(one.about, with_fields=False))
    return types.CompletionItem(
        label=sanitized(one.label),
        kind=_ITEM_KINDS[one.sort],
        detail=sanitized(one.detail) or None,
        documentation=documentation,
        sort_text=f"{one.rank:05}",
        filter_text=quote + one.label if quote in {'"', "'"} else None,
        insert_text_mode=mode,
        text_edit=types.TextEdit(range_of(lines, one.extent), text),
    )


def hover(one: Hover, lines: LineMap, client: Client) -> types.Hover:
    """Return what is shown."""
    kind = types.MarkupKind.Markdown if client.takes_markdown else types.MarkupKind.PlainText
    content = types.MarkupContent(kind, one.markdown if client.takes_markdown else one.plain)
    return types.Hover(content, range_of(lines, one.extent) if one.extent is not None else None)


def symbol(one: Symbol, lines: LineMap) -> types.DocumentSymbol:
    """Return a resource of a text."""
    return types.DocumentSymbol(
        name=sanitized(one.name),
        detail=sanitized(one.kind),
        kind=types.SymbolKind.Object,
        range=range_of(lines, one.extent),
        selection_range=range_of(lines, one.place),
    )


def resource(one: Resource, place: types.Location) -> types.SymbolInformation:
    """Return a resource of the project; ``place`` is where its name stands."""
    return types.SymbolInformation(
        name=sanitized(one.name),
        kind=types.SymbolKind.Object,
        location=place,
        container_name=sanitized(f"{one.kind}, {one.printed_namespace}"),
    )


def action(one: Action, uri: str, lines: LineMap, about: Iterable[types.Diagnostic]) -> types.CodeAction:
    """Return something that can be done; ``about`` are the diagnostics that the client asked with."""
    return types.CodeAction(
        title=sanitized(one.title),
        kind=_ACTION_KINDS[one.sort],
        diagnostics=[other for other in about if one.finding is not None and other.code == one.finding.rule] or None,
        is_preferred=True if one.sort == "fix" and one.is_safe else None,
        edit=types.WorkspaceEdit(changes={uri: [_text_edit(edit, lines) for edit in one.edits]}),
    )


def _text_edit(edit: Edit, lines: LineMap) -> types.TextEdit:
    return types.TextEdit(range_of(lines, (edit.start, edit.end)), edit.text)
