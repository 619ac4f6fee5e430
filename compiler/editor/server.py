"""The language server: it decodes requests, calls the functions of this package, and sends the answers."""

from __future__ import annotations

import asyncio
import os
import sys
import traceback
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from ..diagnostics import file_path
from ..diagnostics.shown import lines
from ..diagnostics.span import InputError
from ..diagnostics.version import VERSION
from ..project.discovery import SETTINGS_FILE
from ..project.settings import Options
from ..reading.excerpt import decode
from . import protocol
from .configuration import configuration_diagnostics
from .diagnostic import diagnostics
from .line_map import LineMap
from .opened import Opened, readable, settings_of
from .question import Questions
from .refusal import AnsweringProtocol
from .session import ProjectSession, home_of, names_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ..diagnostics.span import Span
    from .diagnostic import Diagnostic
    from .line_map import Unit
    from .session import Home, Snapshot

_PAUSE: Final = 0.03
"""Seconds between the last keystroke and the check of the project, so that fast typing causes one check."""
_SOON: Final = 0.02
"""Seconds before the project of a newly opened document is checked, because editors often open several at once."""
_MOST_SESSIONS: Final = 4
"""Maximum number of projects without an open document that stay in memory, so that reopening a file is fast."""
_WATCHED: Final = ("**/*.{yaml,yml,json}", "**/SKILL.md", "**/pyproject.toml", "**/.gitignore")
_UNITS: Final[dict[str, Unit]] = {"utf-8": "utf-8", "utf-16": "utf-16", "utf-32": "utf-32"}
_ABOUT_FILES: Final = frozenset({SETTINGS_FILE, "pyproject.toml", ".gitignore"})
"""Names of the files that decide which other files belong to a project."""


class Server:
    """The language server. It stores the open documents and their projects, and answers the client.

    Attributes:
        language_server: Implementation of the protocol.
        client: Features that the client supports.
        is_shut_down: True if the client has requested the shutdown.
    """

    def __init__(self) -> None:
        sync = types.TextDocumentSyncKind.Full
        self.language_server = LanguageServer("mcpcfg", VERSION, sync, protocol_cls=AnsweringProtocol)
        self.is_shut_down = False
        self.client = protocol.Capabilities(types.ClientCapabilities())
        self._options = Options()
        self.opened: dict[str, Opened] = {}
        self._sessions: dict[Home, ProjectSession] = {}
        self._due: dict[Home, asyncio.TimerHandle] = {}
        self._published: dict[str, tuple[int | None, Sequence[Diagnostic]]] = {}
        self._faults: dict[Home, str | None] = {}
        self._releases: dict[Home, str] = {}
        self._errors: set[str] = set()
        self._register()

    def _register(self) -> None:
        ask = Questions(self)
        words = types.CompletionOptions(trigger_characters=[":", " ", "-", '"', "{", "["])
        kinds: list[types.CodeActionKind | str] = [types.CodeActionKind.QuickFix, protocol.FIX_ALL]
        features: list[tuple[str, Callable[[Any], Any], Any]] = [
            (types.INITIALIZE, self._initialize, None),
            (types.INITIALIZED, self._initialized, None),
            (types.SHUTDOWN, self._shutdown, None),
            (types.TEXT_DOCUMENT_DID_OPEN, self._open, None),
            (types.TEXT_DOCUMENT_DID_CHANGE, self._change, None),
            (types.TEXT_DOCUMENT_DID_SAVE, self._save, types.SaveOptions()),
            (types.TEXT_DOCUMENT_DID_CLOSE, self._close, None),
            (types.WORKSPACE_DID_CHANGE_WATCHED_FILES, self._files_changed, None),
            (types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, self._folders_changed, None),
            (types.TEXT_DOCUMENT_HOVER, ask.hover, None),
            (types.TEXT_DOCUMENT_COMPLETION, ask.completion, words),
            (types.TEXT_DOCUMENT_DEFINITION, ask.definition, None),
            (types.TEXT_DOCUMENT_REFERENCES, ask.references, None),
            (types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, ask.symbols, None),
            (types.WORKSPACE_SYMBOL, ask.workspace_symbols, None),
            (types.TEXT_DOCUMENT_PREPARE_RENAME, ask.prepare_rename, None),
            (types.TEXT_DOCUMENT_RENAME, ask.rename, types.RenameOptions(prepare_provider=True)),
            (types.TEXT_DOCUMENT_DOCUMENT_LINK, ask.links, types.DocumentLinkOptions()),
            (types.TEXT_DOCUMENT_CODE_LENS, ask.lenses, types.CodeLensOptions(resolve_provider=True)),
            (types.CODE_LENS_RESOLVE, ask.resolve_lens, None),
            (types.TEXT_DOCUMENT_CODE_ACTION, ask.actions, types.CodeActionOptions(code_action_kinds=kinds)),
        ]
        for name, handler, options in features:
            self.language_server.feature(name, options)(partial(self._answer, handler))

        def compile_resource(*arguments: Any) -> Any:
            return self._answer(ask.compile, arguments)

        self.language_server.command(protocol.COMPILE)(compile_resource)

    def _answer(self, handler: Callable[[Any], Any], params: Any) -> Any:
        """Return the answer of a handler. If a file no longer exists, return ``None`` and check all projects again."""
        try:
            return handler(params)
        except InputError:
            for session in self._sessions.values():
                session.rediscover()
                self._check_in(session, _PAUSE)
            return None

    # --- the life of the server and of documents ----------------------------------------------------------------

    def _initialize(self, params: types.InitializeParams) -> None:
        given, wrong = settings_of(params.initialization_options)
        self.client = protocol.Capabilities(params.capabilities, given.commands)
        # One process: a fork of a server with an event loop and threads is not safe.
        self._options = Options(closed=given.closed, namespace=given.namespace, isolated=given.isolated)
        for message in wrong:
            self._show_message(message)

    def _initialized(self, _: types.InitializedParams) -> None:
        if self.client.registers_watchers:
            watchers = [types.FileSystemWatcher(pattern) for pattern in _WATCHED]
            options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
            registration = types.Registration("files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            self.language_server.client_register_capability(types.RegistrationParams([registration]))

    def _shutdown(self, _: None) -> None:
        self.is_shut_down = True

    def _open(self, params: types.DidOpenTextDocumentParams) -> None:
        given = params.text_document
        document = Opened(given.uri, to_fs_path(given.uri), given.text, given.version, self._unit)
        document.language = str(given.language_id)
        self.opened[given.uri] = document
        self._settle(document)

    def _settle(self, document: Opened) -> None:
        """Assign a document to its project, and check the project soon. A document without a file gets no project."""
        if document.path is None or not os.path.isabs(document.path):
            return
        workspace = self.language_server.workspace
        folders = [to_fs_path(uri) for uri in workspace.folders] or [workspace.root_path]  # of an older client
        home = home_of(document.path, [file_path.normpath(folder) for folder in folders if folder])
        if home not in self._sessions:
            self._sessions[home] = ProjectSession(home, self._options)
        document.session = self._sessions[home]
        if document.session.is_known_outside(document.path):
            document.session.rediscover()
        self._check_in(document.session, _SOON)
        self._drop_sessions()

    def _change(self, params: types.DidChangeTextDocumentParams) -> None:
        document = self.opened.get(params.text_document.uri)
        if document is None:
            return
        document.text = readable(self.language_server.workspace.get_text_document(document.uri).source)
        document.version = params.text_document.version
        for session in self._holding(document):
            self._check_in(session, _PAUSE)

    def _save(self, params: types.DidSaveTextDocumentParams) -> None:
        document = self.opened.get(params.text_document.uri)
        if document is None or document.path is None:
            return
        self._look_again(document.path)

    def _close(self, params: types.DidCloseTextDocumentParams) -> None:
        document = self.opened.pop(params.text_document.uri, None)
        if document is None:
            return
        self._publish(document, [])
        self._published.pop(document.uri, None)
        for session in self._holding(document):
            session.forget(document.name)
            session.rediscover()
            self._check_in(session, _PAUSE)

    def _files_changed(self, params: types.DidChangeWatchedFilesParams) -> None:
        for change in params.changes:
            path = to_fs_path(change.uri)
            if path is not None:
                self._look_again(file_path.normpath(path), has_come_or_gone=change.type != types.FileChangeType.Changed)

    def _look_again(self, path: str, *, has_come_or_gone: bool = False) -> None:
        """Schedule the checks that are necessary after a file changed on disk.

        If the file decides which files belong to a project, such as a configuration, all projects are rediscovered.
        """
        if os.path.basename(path) in _ABOUT_FILES:
            for document in self.opened.values():
                if document.session is not None:
                    document.session.rediscover()
                self._settle(document)
            return
        for session in self._sessions.values():
            if session.may_hold(path):
                session.forget(session.name_of(path))
                if has_come_or_gone or session.is_known_outside(path):
                    session.rediscover()
                self._check_in(session, _PAUSE)

    def _holding(self, document: Opened) -> list[ProjectSession]:
        path = document.path
        around = [session for session in self._sessions.values() if path is not None and session.may_hold(path)]
        own_session = document.session
        return around if own_session is None or own_session in around else [own_session, *around]

    def _folders_changed(self, _: types.DidChangeWorkspaceFoldersParams) -> None:
        for document in self.opened.values():
            self._settle(document)

    def _drop_sessions(self) -> None:
        used = {id(document.session) for document in self.opened.values()}
        # A project that was just closed is often opened again, so a few are kept.
        idle = [home for home, session in self._sessions.items() if id(session) not in used]
        for home in idle[: max(0, len(idle) - _MOST_SESSIONS)]:
            del self._sessions[home]

    # --- checking -----------------------------------------------------------------------------------------------

    def _check_in(self, session: ProjectSession, seconds: float) -> None:
        waiting = self._due.pop(session.home, None)
        if waiting is not None:
            waiting.cancel()
        self._due[session.home] = asyncio.get_running_loop().call_later(seconds, self._check, session)

    def up_to_date(self, document: Opened) -> Snapshot | None:
        """Check the document's project and return its snapshot; ``None`` if the document has no project.

        If the check fails, the snapshot is that of the last successful check, or ``None``.
        """
        session = document.session
        if session is None:
            return None
        self._check(session)
        return session.snapshot

    def last_checked(self, document: Opened) -> Snapshot | None:
        """Return the last snapshot of the document's project. If a check is due, check the project first."""
        session = document.session
        if session is None or session.snapshot is None or session.home in self._due:
            return self.up_to_date(document)
        return session.snapshot

    def _check(self, session: ProjectSession) -> None:
        waiting = self._due.pop(session.home, None)
        if waiting is not None:
            waiting.cancel()
        opened = [document for document in self.opened.values() if document.session is session]
        if not opened:
            return
        inside = [document for document in self.opened.values() if session in self._holding(document)]
        buffers = {document.path: document.encoded() for document in inside if document.path is not None}
        before = session.snapshot
        try:
            session.check(buffers)
        except Exception as error:  # noqa: BLE001 - a bug must not stop the server
            traceback.print_exc(file=sys.stderr)
            # Each error once: otherwise every edit would show it again.
            if repr(error) not in self._errors:
                self._errors.add(repr(error))
                self._show_message(f"internal error: {type(error).__name__}: {error}")
            return
        self._show_release(session)
        fault = None if session.fault is None else str(session.fault)
        if fault is not None and self._faults.get(session.home) != fault:
            self._show_message(fault)
        self._faults[session.home] = fault
        for document in opened:
            self._publish(document, self._diagnostics(document, session))
        self._refresh_lenses(before, session.snapshot)

    def _refresh_lenses(self, before: Snapshot | None, after: Snapshot | None) -> None:
        if not self.client.refreshes_lenses or before is after or after is None or before is None:
            return
        if names_of(before) != names_of(after):
            self.language_server.workspace_code_lens_refresh(None)

    def _diagnostics(self, document: Opened, session: ProjectSession) -> list[Diagnostic]:
        if document.path is not None and os.path.basename(document.path) == SETTINGS_FILE:
            return configuration_diagnostics(document.encoded(), document.name, document.lines)
        findings = session.snapshot.findings.get(document.name, ()) if session.snapshot is not None else ()
        return diagnostics(findings, document.lines)

    def _publish(self, document: Opened, diagnostics: list[Diagnostic]) -> None:
        version, last = self._published.get(document.uri, (document.version, []))
        if last == diagnostics and (version == document.version or not diagnostics):
            return
        self._published[document.uri] = document.version, diagnostics
        shown = [protocol.diagnostic(diagnostic, self.client, self.location) for diagnostic in diagnostics]
        self.language_server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(document.uri, shown, document.version)
        )

    def _show_release(self, session: ProjectSession) -> None:
        """Tell the client which release judges a project, if the release has changed.

        The release is only logged. But the user sees a message if a pinned version is no release, if other releases are
        pinned too, or if the release is not modelled.
        """
        if session.snapshot is None:
            return
        choice = session.snapshot.loaded.project.release
        if self._releases.get(session.home) == choice.text:
            return
        self._releases[session.home] = choice.text
        if choice.unread_pin or choice.other_pins or not choice.profile.is_modelled:
            self._show_message(choice.text, types.MessageType.Info)
        else:
            log = types.LogMessageParams(types.MessageType.Info, lines(f"mcpcfg: {choice.text}"))
            self.language_server.window_log_message(log)

    def _show_message(self, message: str, level: types.MessageType = types.MessageType.Error) -> None:
        shown = types.ShowMessageParams(level, lines(f"mcpcfg: {message}"))
        self.language_server.window_show_message(shown)

    # --- state for answers --------------------------------------------------------------------------------------

    def snapshots(self) -> Iterator[Snapshot]:
        """Check each project that has open documents, and yield its snapshot."""
        for session in list(self._sessions.values()):
            document = next((document_ for document_ in self.opened.values() if document_.session is session), None)
            snapshot = self.up_to_date(document) if document is not None else None
            if snapshot is not None:
                yield snapshot

    def location(self, span: Span) -> types.Location | None:
        """Return the location of a span, or ``None`` for an unknown file. An open file is measured as in the editor."""
        for document in self.opened.values():
            if document.path is not None and span.file in (document.path, document.name):
                return protocol.location(span, document.uri, document.lines)
        for session in self._sessions.values():
            texts = session.snapshot.loaded.texts if session.snapshot is not None else {}
            if span.file in texts:
                try:
                    lines = _lines(texts[span.file], self._unit)
                except InputError:  # it went away just now
                    return None
                return protocol.location(span, protocol.uri_of(span.file), lines)
        return None

    @property
    def _unit(self) -> Unit:
        return _UNITS.get(protocol.word(self.language_server.workspace.position_encoding), "utf-16")


@lru_cache(maxsize=8)
def _lines(text: bytes, unit: Unit) -> LineMap:
    return LineMap(decode(text), unit)


def serve() -> int:
    """Run the language server on standard input and output until the client exits. Return the exit status.

    All printed text goes to standard error, because standard output belongs to the protocol.
    """
    server = Server()
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    sys.stdout = sys.stderr
    server.language_server.start_io(sys.stdin.buffer, output)
    return 0 if server.is_shut_down else 1
