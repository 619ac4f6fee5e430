"""The documents that are open in the editor."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ..diagnostics import file_path
from ..diagnostics.named_tuple import NamedTuple
from .line_map import LineMap

if TYPE_CHECKING:
    from .line_map import Unit
    from .session import ProjectSession


_HALF: Final = re.compile("[\ud800-\udfff]")


class Opened:
    """An open document.

    Attributes:
        uri: The client's URI of the document.
        path: Path of its file; ``None`` if it has no file.
        text: The current content.
        version: The client's version number.
        session: The project of the document; ``None`` before it is assigned, and for a document without a file.
        language: The client's language id.
    """

    def __init__(self, uri: str, path: str | None, text: str, version: int | None, unit: Unit) -> None:
        self.uri = uri
        self.path = None if path is None else file_path.normpath(path)
        self.text = readable(text)
        self.version = version
        self.session: ProjectSession | None = None
        self.language = ""
        self._unit: Unit = unit
        self._lines: LineMap | None = None

    @property
    def name(self) -> str:
        """The name of the document in findings."""
        if self.path is None:
            name = self.uri.rpartition("/")[2].rpartition(":")[2]
            return f"{name}.{self.language}" if self.language in {"json", "yaml"} else name
        return self.path if self.session is None else self.session.name_of(self.path)

    @property
    def lines(self) -> LineMap:
        """The line map of the current text."""
        if self._lines is None or self._lines.text is not self.text:
            self._lines = LineMap(self.text, self._unit)
        return self._lines

    def encoded(self) -> bytes:
        """Return the text as UTF-8 bytes, as a saved file would contain them."""
        return self.text.encode()


def readable(text: str) -> str:
    """Return the text with lone UTF-16 surrogates replaced by U+FFFD, which keeps all offsets."""
    return text if text.isascii() else _HALF.sub("\ufffd", text)


class InitializationOptions(NamedTuple):
    """Options that the client may send at initialization. Except ``commands``, they are options of ``check``.

    Attributes:
        closed: True if no object exists outside the files.
        namespace: Namespace of documents that set none.
        isolated: True if each file is a project of its own.
        commands: Commands of the client that lenses may run: ``mcpcfg.showReferences``, ``mcpcfg.showCompiled``.
    """

    closed: bool = False
    namespace: str | None = None
    isolated: bool = False
    commands: frozenset[str] = frozenset()


def settings_of(given: object) -> tuple[InitializationOptions, list[str]]:
    """Return the initialization options, and a message for each invalid option. An invalid option gets its default."""
    if given is None:
        return InitializationOptions(), []
    if not isinstance(given, dict):
        return InitializationOptions(), ["initializationOptions is not an object"]
    namespace = given.get("namespace")
    wrong: list[str] = []
    flags: dict[str, bool] = {}
    for name in ("closed", "isolated"):
        value = given.get(name)
        if value is not None and not isinstance(value, bool):
            wrong.append(f"initializationOptions.{name} is neither true nor false")
        flags[name] = value is True
    if namespace is not None and not (isinstance(namespace, str) and namespace):
        wrong.append("initializationOptions.namespace is not a string")
        namespace = None
    commands = given.get("commands", [])
    if not (isinstance(commands, list) and all(isinstance(command, str) for command in commands)):
        wrong.append("initializationOptions.commands is not a list of strings")
        commands = []
    return InitializationOptions(namespace=namespace, commands=frozenset(commands), **flags), wrong
