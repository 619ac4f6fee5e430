"""Parse flow collections (brackets and braces, including JSON) of a text that may be incomplete.

An *entry* is a key with its value, or an item of a list.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from ..diagnostics.named_tuple import NamedTuple

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
"""Maximum nesting of brackets, because each level of a path costs memory in every entry."""


class Scanned(NamedTuple):
    """The receiver of the entries that a scan of a flow collection finds.

    Attributes:
        add: Called for each entry with its path, the range of its key, the range of its value, and the text of its
            value; the text is ``None`` if the value is not a scalar.
    """

    add: Callable[[Path, tuple[int, int], tuple[int, int], str | None], None]
    path: Path


class Bracket(NamedTuple):
    """A bracket that is open at the cursor.

    Attributes:
        is_map: True for a brace.
        key: The key whose value is expected next; ``None`` if a key or an item is expected.
        item: Index of the item at the cursor, if the collection is a list.
    """

    path: Path
    is_map: bool
    key: str | None
    keys: tuple[str, ...]
    item: int


class _OpenBracket:
    """The state of an open bracket during a scan."""

    def __init__(self, path: Path, *, is_map: bool) -> None:
        self.path = path
        self.is_map = is_map
        self.item = 0
        self.key: tuple[str, tuple[int, int]] | None = None
        self.has_colon = False
        self.keys: list[str] = []

    def below(self) -> Path:
        if not self.is_map:
            return (*self.path, self.item)
        return (*self.path, self.key[0] if self.key is not None else "")


def scan_flow(text: str, start: int, end: int, column: int, into: Scanned) -> int:
    """Pass the entries of the flow collection at ``start`` to ``into``, and return the end of the collection.

    Args:
        start: Offset of the opening bracket.
        column: Column of the key before the bracket, or -1 if the bracket starts the document. A line that is not
            indented more and looks like a key ends a bracket that was never closed.
    """
    return _scan(text, start, end, column, into)[1]


def bracket_at(text: str, start: int, offset: int, path: Path) -> Bracket | None:
    """Return the innermost bracket that is open at ``offset``, or ``None`` if all are closed.

    Args:
        start: Offset of the outermost bracket.
        offset: Position of the cursor.
        path: Path of the outermost collection.
    """
    levels, _ = _scan(text, start, offset, -1, Scanned(lambda *_: None, path))
    if not levels:
        return None
    level = levels[-1]
    key = level.key[0] if level.key is not None and level.has_colon else None
    return Bracket(level.path, level.is_map, key, tuple(level.keys), level.item)


def ends_flow(text: str, at: int, end: int, column: int) -> bool:
    """Return whether the line after the line break at ``at`` shows that a flow collection was never closed.

    It shows that if it looks like an entry that is indented no more than ``column``.
    """
    if column < 0:
        return False
    match = _BOUNDARY.match(text, at, end)
    return match is not None and len(match[1]) <= column


def _scan(text: str, start: int, end: int, column: int, into: Scanned) -> tuple[list[_OpenBracket], int]:
    """Scan the flow collection at ``start``. Return the brackets that are still open, and the offset after the scan.

    A closing bracket of either type closes the innermost bracket.
    """
    levels: list[_OpenBracket] = []
    at = start
    while at < end:
        match = _TOKEN.match(text, at, end)
        if match is None:
            break
        sign, extent = match.group(), match.span()
        if match.lastgroup == "space":
            breaks = sign.rfind("\n")
            if breaks >= 0 and ends_flow(text, at + breaks, end, column):
                return levels, at
        elif match.lastgroup == "mark":
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


def _open(levels: list[_OpenBracket], sign: str, extent: tuple[int, int], into: Scanned) -> None:
    path = into.path
    if levels:
        holder = levels[-1]
        path = holder.below()
        _add_value(holder, extent, None, into)
    levels.append(_OpenBracket(path, is_map=sign == "{"))


def _separate(levels: list[_OpenBracket], sign: str) -> None:
    level = levels[-1]
    if sign == ":":
        level.has_colon = level.key is not None
        return
    level.item += not level.is_map
    level.key, level.has_colon = None, False


def _scalar(levels: list[_OpenBracket], sign: str, extent: tuple[int, int], into: Scanned) -> None:
    level = levels[-1]
    if level.is_map and not level.has_colon:
        name = unquoted(sign)
        level.key = name, extent
        level.keys.append(name)
        into.add((*level.path, name), extent, (extent[1], extent[1]), None)
        return
    _add_value(level, extent, sign, into)


def _add_value(level: _OpenBracket, extent: tuple[int, int], sign: str | None, into: Scanned) -> None:
    if not level.is_map:
        into.add(level.below(), extent, extent, sign)
    elif level.key is not None and level.has_colon:
        into.add(level.below(), level.key[1], extent, sign)


def unquoted(written: str) -> str:
    """Return the content of a scalar without its quotes. In double quotes, only escapes of JSON are resolved."""
    if written[:1] == '"':
        inner = written[1:-1] if len(written) > 1 and written[-1] == '"' else written[1:]
        return _unescaped(inner) if "\\" in inner else inner
    if written[:1] == "'":
        return (written[1:-1] if len(written) > 1 and written[-1] == "'" else written[1:]).replace("''", "'")
    return written


def _unescaped(text: str) -> str:
    """Return a double-quoted string with the escapes of JSON resolved. With other escapes, return it unchanged."""
    try:
        value: str = json.loads(f'"{text}"', strict=False)
    except ValueError:
        return text
    return value
