"""The documents that an editor has open."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from .line_map import LineMap

if TYPE_CHECKING:
    from .line_map import Unit
    from .session import Session


_HALF: Final = re.compile("[\ud800-\udfff]")


class Opened:
    """One open document.

    Attributes:
        uri: As the client calls it.
        path: Of its file; ``None`` where it has none.
        text: What it holds now.
        version: As the client counts.
        session: The project that it belongs to, ``None`` for what has no file.
        language: What the client takes it for.
    """

    def __init__(self, uri: str, path: str | None, text: str, version: int | None, unit: Unit) -> None:
        self.uri = uri
        self.path = None if path is None else os.path.normpath(path)
        self.text = readable(text)
        self.version = version
        self.session: Session | None = None
        self.language = ""
        self._unit: Unit = unit
        self._lines: LineMap | None = None

    @property
    def name(self) -> str:
        """How findings call it."""
        if self.path is None:
            name = self.uri.rpartition("/")[2].rpartition(":")[2]
            return f"{name}.{self.language}" if self.language in {"json", "yaml"} else name
        return self.path if self.session is None else self.session.name_of(self.path)

    @property
    def lines(self) -> LineMap:
        """Its text, with what converts places in it."""
        if self._lines is None or self._lines.text is not self.text:
            self._lines = LineMap(self.text, self._unit)
        return self._lines

    def encoded(self) -> bytes:
        """Return its text as a file would hold it."""
        return self.text.encode()


def readable(text: str) -> str:
    """Return a text with what is no character, half of a pair of UTF-16, replaced; no place in it is another then."""
    return text if text.isascii() else _HALF.sub("\ufffd", text)


class Settings(NamedTuple):
    """What the client may send when it begins, as the options of `check` would.

    Attributes:
        closed: The files are all there is.
        namespace: For documents that state none.
        isolated: Each file is a project of its own.
    """

    closed: bool = False
    namespace: str | None = None
    isolated: bool = False


def settings_of(given: object) -> tuple[Settings, list[str]]:
    """Read the initialization options; returns what is wrong with them, too, which then does not count."""
    if given is None:
        return Settings(), []
    if not isinstance(given, dict):
        return Settings(), ["initializationOptions is not an object"]
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
    return Settings(namespace=namespace, **flags), wrong
