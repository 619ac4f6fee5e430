"""The entries within brackets and braces, JSON among them, of a text that may be half written."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..diagnostics.span import Path

_TOKEN: Final = re.compile(
    r"""(?P<space>[ \t\r\n]+|(?<=[ \t\r\n])\#[^\r\n]*)"""
    r"""|(?P<string>"(?:[^"\\\r\n]|\\.)*(?:"|(?=[\r\n])|\Z)|'(?:[^'\r\n]|'')*(?:'|(?=[\r\n])|\Z))"""
    r"""|(?P<mark>[{}\[\],]|:(?=[ \t\r\n,\[\]{}"']|\Z)|(?<=["']):)"""
    r"""|(?P<plain>(?:[^\s,\[\]{}:]|:(?![ \t\r\n,\[\]{}]|\Z)|[ \t](?![ \t\#\r\n,\[\]{}:]))+|[\s\S])"""
)
_BOUNDARY: Final = re.compile(r"(?:\r\n|[\r\n])([ ]*)(?:-[ \t]|[^\s\"'{}\[\],#][^\r\n]*?:(?:[ \t\r\n]|\Z))")
_MOST_DEPTH: Final = 200


class Scanned(NamedTuple):
    """Where the entries of a scan go.

    Attributes:
        add: Takes path, extent of the key, extent of the value and text of a scalar of each entry.
        path: Of the value that is scanned.
    """

    add: Callable[[Path, tuple[int, int], tuple[int, int], str | None], None]
    path: Path


class Bracket(NamedTuple):
    """An open bracket at some place of a text.

    Attributes:
        path: Of what it holds.
        is_map: It is a brace.
        key: The key whose value comes next; ``None`` where a key or an item does.
        keys: The keys before.
        item: The number of the item that comes next.
    """

    path: Path
    is_map: bool
    key: str | None
    keys: tuple[str, ...]
    item: int


class _Level:
    """One open bracket."""

    def __init__(self, path: Path, *, is_map: bool) -> None:
        self.path = path
        self.is_map = is_map
        self.item = 0
        self.key: tuple[str, tuple[int, int]] | None = None
        self.has_colon = False
        self.keys: list[str] = []

    def below(self) -> Path:
        """Return the path of the value that comes next."""
        if not self.is_map:
            return (*self.path, self.item)
        return (*self.path, self.key[0] if self.key is not None else "")


def scan_flow(text: str, start: int, end: int, column: int, into: Scanned) -> int:
    """Return the entries of the value in brackets that begins at ``start``; returns where it ends.

    Args:
        text: The whole text.
        start: Where the opening bracket stands.
        end: Where the document ends.
        column: That of the key before it: a line that begins there or before, and looks like a key of its own, ends
            what is never closed. -1 where the brackets are the document.
        into: What takes the entries.
    """
    return _scan(text, start, end, column, into)[1]


def bracket_at(text: str, start: int, offset: int, path: Path) -> Bracket | None:
    """Return the innermost bracket that is open at ``offset`` of those from ``start`` on; ``None`` where none is."""
    levels, _ = _scan(text, start, offset, -1, Scanned(lambda *_: None, path))
    if not levels:
        return None
    level = levels[-1]
    key = level.key[0] if level.key is not None and level.has_colon else None
    return Bracket(level.path, level.is_map, key, tuple(level.keys), level.item)


def ends_flow(text: str, at: int, end: int, column: int) -> bool:
    """Return whether the line after the break at ``at`` looks like an entry beside or around one at ``column``."""
    if column < 0:
        return False
    found = _BOUNDARY.match(text, at, end)
    return found is not None and len(found[1]) <= column


def _scan(text: str, start: int, end: int, column: int, into: Scanned) -> tuple[list[_Level], int]:
    """Read brackets until they are closed, or something ends them; return those still open, and where it ended.

    What closes a bracket closes the innermost, of whichever sort.
    """
    levels: list[_Level] = []
    at = start
    while at < end:
        found = _TOKEN.match(text, at, end)
        if found is None:
            break
        sign, extent = found.group(), found.span()
        if found.lastgroup == "space":
            breaks = sign.rfind("\n")
            if breaks >= 0 and ends_flow(text, at + breaks, end, column):
                return levels, at
        elif found.lastgroup == "mark":
            if sign in "{[":
                _open(levels, sign, extent, into)
                if len(levels) > _MOST_DEPTH:
                    return levels, end
            elif sign in "}]":
                levels.pop()
                if not levels:
                    return levels, extent[1]
            else:
                _separate(levels, sign)
        else:
            _scalar(levels, sign, extent, into)
        at = extent[1]
    return levels, end


def _open(levels: list[_Level], sign: str, extent: tuple[int, int], into: Scanned) -> None:
    path = into.path
    if levels:
        holder = levels[-1]
        path = holder.below()
        _tell(holder, extent, None, into)
    levels.append(_Level(path, is_map=sign == "{"))


def _separate(levels: list[_Level], sign: str) -> None:
    level = levels[-1]
    if sign == ":":
        level.has_colon = level.key is not None
        return
    level.item += not level.is_map
    level.key, level.has_colon = None, False


def _scalar(levels: list[_Level], sign: str, extent: tuple[int, int], into: Scanned) -> None:
    level = levels[-1]
    if level.is_map and not level.has_colon:
        name = unquoted(sign)
        level.key = name, extent
        level.keys.append(name)
        into.add((*level.path, name), extent, (extent[1], extent[1]), None)
        return
    _tell(level, extent, sign, into)


def _tell(level: _Level, extent: tuple[int, int], sign: str | None, into: Scanned) -> None:
    if not level.is_map:
        into.add(level.below(), extent, extent, sign)
    elif level.key is not None and level.has_colon:
        into.add(level.below(), level.key[1], extent, sign)


def unquoted(written: str) -> str:
    """Return the text of a scalar, but for the rarer escapes."""
    if written[:1] == '"':
        inner = written[1:-1] if len(written) > 1 and written[-1] == '"' else written[1:]
        return _unescaped(inner) if "\\" in inner else inner
    if written[:1] == "'":
        return (written[1:-1] if len(written) > 1 and written[-1] == "'" else written[1:]).replace("''", "'")
    return written


def _unescaped(text: str) -> str:
    """Return a text in double quotes as it is meant, where its escapes are those that JSON has too."""
    try:
        meant: str = json.loads(f'"{text}"', strict=False)
    except ValueError:
        return text
    return meant
