"""Answer the requests of a client about a document with the functions of this package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams

from ..diagnostics.span import InputError
from ..emit.target import stream
from . import protocol
from .action import actions, fix_all
from .completion import completions
from .diagnostic import at_offset
from .hover import hover
from .lens import (
    UNCOMPILED,
    UNREAD,
    compiled_files,
    compiled_title,
    lens_resource,
    lenses,
    reference_spans,
    reference_title,
)
from .line_map import Point
from .link import links
from .navigation import definition, references, symbols, workspace_symbols
from .rename import RenameError, renameable_at, renamed
from .subject import FileContext

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ..diagnostics.finding import Finding
    from ..diagnostics.span import Span
    from ..workspace.resource import Resource
    from .opened import Opened
    from .rename import Renameable
    from .session import Snapshot


class Desk(Protocol):
    """The state of the server that `Questions` reads."""

    @property
    def client(self) -> protocol.Capabilities:
        """Features that the client supports."""

    @property
    def opened(self) -> Mapping[str, Opened]:
        """The open documents by URI."""

    def up_to_date(self, document: Opened) -> Snapshot | None:
        """Return the snapshot of the document's project after the last edit and the last change on disk.

        Return ``None`` if the document has no project or the project could never be checked.
        """

    def last_checked(self, document: Opened) -> Snapshot | None:
        """Return the last snapshot of the document's project. If a check is due, check the project first."""

    def snapshots(self) -> Iterator[Snapshot]:
        """Yield an up-to-date snapshot of each project that has open documents."""

    def location(self, span: Span) -> types.Location | None:
        """Return the location of a span, or ``None`` for an unknown file. An open file is measured as in the editor."""


class Questions:
    """Answers requests about open documents. For other documents, there is no answer."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def hover(self, params: types.HoverParams) -> types.Hover | None:
        """Answer ``textDocument/hover``."""
        document = self._desk.opened.get(params.text_document.uri)
        if document is None:
            return None
        snapshot = self._desk.up_to_date(document)
        offset = _offset(document, params.position)
        findings = at_offset(_findings(document, snapshot), document.lines, offset)
        workspace = snapshot.workspace if snapshot is not None else None
        answer = hover(document.text, offset, _file_context(document), workspace, findings)
        return None if answer is None else protocol.hover(answer, document.lines, self._desk.client)

    def completion(self, params: types.CompletionParams) -> types.CompletionList | None:
        """Answer ``textDocument/completion``. The names of resources come from the last check, so it is fast."""
        document = self._desk.opened.get(params.text_document.uri)
        if document is None:
            return None
        snapshot = document.session.snapshot if document.session is not None else None
        workspace = snapshot.workspace if snapshot is not None else None
        items = completions(document.text, _offset(document, params.position), _file_context(document), workspace)
        return protocol.completion_list(items, document.lines, self._desk.client)

    def definition(self, params: types.DefinitionParams) -> types.Location | None:
        """Answer ``textDocument/definition``."""
        document, snapshot = self._document_and_snapshot(params.text_document.uri)
        if document is None or snapshot is None:
            return None
        offset = _offset(document, params.position)
        span = definition(document.text, offset, _file_context(document), snapshot.workspace)
        return None if span is None else self._desk.location(span)

    def references(self, params: types.ReferenceParams) -> list[types.Location] | None:
        """Answer ``textDocument/references``."""
        document, snapshot = self._document_and_snapshot(params.text_document.uri)
        if document is None or snapshot is None:
            return None
        spans = references(
            document.text,
            _offset(document, params.position),
            _file_context(document),
            snapshot.workspace,
            snapshot.loaded,
            with_declaration=params.context.include_declaration,
        )
        places = [self._desk.location(span) for span in spans]
        return [place for place in places if place is not None]

    def symbols(self, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol] | None:
        """Answer ``textDocument/documentSymbol``."""
        document = self._desk.opened.get(params.text_document.uri)
        if document is None:
            return None
        return [protocol.symbol(entry, document.lines) for entry in symbols(document.text, _file_context(document))]

    def workspace_symbols(self, params: types.WorkspaceSymbolParams) -> list[types.SymbolInformation]:
        """Answer ``workspace/symbol``."""
        answer: list[types.SymbolInformation] = []
        for snapshot in self._desk.snapshots():
            for resource in workspace_symbols(snapshot.workspace, params.query):
                place = self._desk.location(resource.at(("metadata", "name")))
                if place is not None:
                    answer.append(protocol.resource(resource, place))
        return answer

    def actions(self, params: types.CodeActionParams) -> list[types.CodeAction] | None:
        """Answer ``textDocument/codeAction``."""
        document, snapshot = self._document_and_snapshot(params.text_document.uri)
        if document is None or snapshot is None or not self._desk.client.takes_actions:
            return None
        only = [protocol.word(kind) for kind in params.context.only or ()]
        kind = snapshot.kinds.get(document.name)
        offered = []
        if not only or any(types.CodeActionKind.QuickFix.value.startswith(prefix) for prefix in only):
            first, last = params.range.start.line + 1, params.range.end.line + 1
            findings = _findings(document, snapshot)
            near = [finding for finding in findings if finding.span.line <= last and finding.span.end_line >= first]
            offered += actions(document.lines, near, snapshot.project, document.name, kind)
        if any(protocol.FIX_ALL.startswith(prefix) for prefix in only):
            everything = fix_all(document.text, snapshot.project, document.name, kind)
            offered += [everything] if everything is not None else []
        return [protocol.action(offer, document.uri, document.lines, params.context.diagnostics) for offer in offered]

    def prepare_rename(self, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
        """Answer ``textDocument/prepareRename``."""
        document, snapshot = self._document_and_snapshot(params.text_document.uri)
        at = _renameable(document, snapshot, params.position)
        if document is None or at is None:
            return None
        return types.PrepareRenamePlaceholder(protocol.range_of(document.lines, at.extent), at.resource.name)

    def rename(self, params: types.RenameParams) -> types.WorkspaceEdit | None:
        """Answer ``textDocument/rename``."""
        document, snapshot = self._document_and_snapshot(params.text_document.uri)
        at = _renameable(document, snapshot, params.position)
        if snapshot is None or at is None:
            return None
        try:
            replacements = renamed(at.resource, params.new_name, snapshot)
        except RenameError as error:
            raise JsonRpcException(str(error), types.LSPErrorCodes.RequestFailed.value) from error
        changes: dict[str, list[types.TextEdit]] = {}
        for span, text in replacements:
            place = self._desk.location(span)
            if place is None:
                raise InputError(f"{span.file} is gone")
            changes.setdefault(place.uri, []).append(types.TextEdit(place.range, text))
        return types.WorkspaceEdit(changes=changes)

    def links(self, params: types.DocumentLinkParams) -> list[types.DocumentLink] | None:
        """Answer ``textDocument/documentLink``."""
        document = self._desk.opened.get(params.text_document.uri)
        if document is None or document.path is None:
            return None
        return [protocol.link(entry, document.lines) for entry in links(document.text, document.path)]

    def lenses(self, params: types.CodeLensParams) -> list[types.CodeLens] | None:
        """Answer ``textDocument/codeLens``. The titles are computed when the client resolves a lens."""
        document = self._desk.opened.get(params.text_document.uri)
        if document is None:
            return None
        return [
            protocol.lens(entry, document.uri, document.lines)
            for entry in lenses(document.text, _file_context(document))
        ]

    def resolve_lens(self, lens: types.CodeLens) -> types.CodeLens:
        """Answer ``codeLens/resolve`` with the title and the command of the lens."""
        client = self._desk.client
        data: dict[str, Any] = lens.data if isinstance(lens.data, dict) else {}
        asked = self._lens_resource(data)
        if asked is None:
            title = UNREAD if data.get("sort") == "references" else UNCOMPILED
            lens.command = protocol.command(title, "", [], client)
            return lens
        resource, snapshot = asked
        if data.get("sort") == "compiled":
            title = compiled_title(resource, snapshot)
            lens.command = protocol.command(title, protocol.SHOW_COMPILED, [data], client)
            return lens
        spans = reference_spans(resource, snapshot)
        places = [] if protocol.SHOW_REFERENCES not in client.commands else map(self._desk.location, spans)
        arguments = [data["uri"], lens.range.start, [place for place in places if place is not None]]
        lens.command = protocol.command(reference_title(len(spans)), protocol.SHOW_REFERENCES, arguments, client)
        return lens

    def compile(self, arguments: tuple[Any, ...]) -> str | None:
        """Answer the command ``mcpcfg.compile`` with the objects of a resource as YAML.

        Return ``None`` if the argument does not describe a resource of the last check.

        Raises:
            JsonRpcInvalidParams: There is not exactly one argument, or it is not an object.
        """
        if len(arguments) != 1 or not isinstance(arguments[0], dict):
            raise JsonRpcInvalidParams("the only argument of mcpcfg.compile is the data of a lens")
        asked = self._lens_resource(arguments[0])
        return None if asked is None else stream("kubernetes", compiled_files(*asked))

    def _lens_resource(self, data: dict[str, Any]) -> tuple[Resource, Snapshot] | None:
        document = self._desk.opened.get(str(data.get("uri")))
        snapshot = self._desk.last_checked(document) if document is not None else None
        kind, name, number = data.get("kind"), data.get("name"), data.get("number")
        if document is None or snapshot is None or not isinstance(number, int):
            return None
        resource = lens_resource(document.name, str(kind), str(name), number, snapshot)
        return None if resource is None else (resource, snapshot)

    def _document_and_snapshot(self, uri: str) -> tuple[Opened | None, Snapshot | None]:
        document = self._desk.opened.get(uri)
        return document, self._desk.up_to_date(document) if document is not None else None


def _offset(document: Opened, position: types.Position) -> int:
    return document.lines.offset(Point(position.line, position.character))


def _renameable(document: Opened | None, snapshot: Snapshot | None, position: types.Position) -> Renameable | None:
    if document is None or snapshot is None:
        return None
    return renameable_at(document.text, _offset(document, position), _file_context(document), snapshot)


def _findings(document: Opened, snapshot: Snapshot | None) -> Sequence[Finding]:
    return snapshot.findings.get(document.name, ()) if snapshot is not None else ()


def _file_context(document: Opened) -> FileContext:
    snapshot = document.session.snapshot if document.session is not None else None
    if snapshot is None:
        return FileContext(document.name)
    project = snapshot.project
    return FileContext(document.name, project.settings.profile, snapshot.kinds.get(document.name), project.root)
