"""An outline of a text that may be incomplete: its keys and values, with their positions.

The YAML and JSON readers refuse a broken text, and the text in an editor is often broken. An outline is read line by
line with simple patterns and never fails. For a valid document, it has the same positions as the readers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from ..diagnostics.named_tuple import NamedTuple
from ..reading.excerpt import excerpts
from .flow import Scanned, ends_flow, scan_flow, unquoted

if TYPE_CHECKING:
    from ..diagnostics.span import Path

Extent: TypeAlias = tuple[int, int]
"""Start and end of a range of the text, in code points."""

MOST_CHARACTERS: Final = 1_000_000
"""Maximum characters of a document, because each keystroke reads it again. A larger one has an empty outline."""
_MOST_DEPTH: Final = 200
"""Maximum nesting, because each level of a path costs memory in every entry."""
_PROPERTY: Final = re.compile(r"(?:[&!][^\s,\[\]{}]*(?:[ \t]+|(?=[\r\n]|\Z)))+")
_QUOTED_KEY: Final = re.compile(r"""("(?:[^"\\\r\n]|\\.)*"|'(?:[^'\r\n]|'')*')[ \t]*:(?=\s|\Z)""")
_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|[\r\n]|\Z)")


class OutlineEntry(NamedTuple):
    """A key with its value, or an item of a list.

    Attributes:
        path: Path from the root of the document.
        key: Range of the key. For a list item, the range of its dash or, in a flow list, of its value.
        value: Range of a scalar or flow collection. For a block collection, an empty range after the key.
        text: The value as written, if it is a scalar on one line.
        column: Column of the key or dash; -1 within brackets.
    """

    path: Path
    key: Extent
    value: Extent
    text: str | None
    column: int

    @property
    def is_item(self) -> bool:
        """True for an item of a list."""
        return bool(self.path) and isinstance(self.path[-1], int)


@dataclass(slots=True)
class Outline:
    """The entries of a document.

    Attributes:
        text: The whole file.
        start: Offset in ``text`` at which the document begins.
        end: Offset in ``text`` just after the document.
        entries: Entries in the order of the text.
    """

    text: str
    start: int
    end: int
    entries: list[OutlineEntry] = field(default_factory=list)
    _by_path: dict[Path, OutlineEntry] = field(default_factory=dict)

    def entry(self, path: Path) -> OutlineEntry | None:
        """Return the entry at ``path``, or ``None`` if there is none. If a key is repeated, return its first entry."""
        if not self._by_path:
            self._by_path = {entry.path: entry for entry in reversed(self.entries)}
        return self._by_path.get(path)

    def scalar(self, path: Path) -> str | None:
        """Return the unquoted scalar at ``path``, or ``None`` if there is no scalar."""
        entry = self.entry(path)
        return None if entry is None or not entry.text else unquoted(entry.text)

    def below(self, path: Path) -> list[OutlineEntry]:
        """Return the direct children of ``path``."""
        return [entry for entry in self.entries if len(entry.path) == len(path) + 1 and entry.path[:-1] == path]

    def at(self, offset: int) -> tuple[OutlineEntry, Literal["key", "value"]] | None:
        """Return the innermost entry whose key or scalar contains ``offset``, and which of the two; or ``None``."""
        innermost: tuple[OutlineEntry, Literal["key", "value"]] | None = None
        for entry in self.entries:
            if entry.key[0] > offset:
                break
            if entry.value[0] <= offset <= entry.value[1] and entry.text is not None:
                innermost = entry, "value"
            elif offset <= entry.key[1] and not entry.is_item:
                innermost = entry, "key"
        return innermost


def outline_at(text: str, offset: int) -> Outline:
    """Return the outline of the document that contains ``offset``."""
    bounds = (0, 0)
    for excerpt in excerpts(text, ""):
        bounds = excerpt.start, excerpt.end
        if offset < excerpt.end:
            break
    return _outline(text, *bounds)


def outlines(text: str) -> list[Outline]:
    """Return the outlines of all documents of a text."""
    if len(text) > MOST_CHARACTERS:
        return []
    return [_outline(text, excerpt.start, excerpt.end) for excerpt in excerpts(text, "")]


@lru_cache(maxsize=4)
def _outline(text: str, start: int, end: int) -> Outline:
    """Return the outline between two offsets; without entries if it is longer than `MOST_CHARACTERS`. It is cached."""
    outline = Outline(text, start, end)
    if end - start <= MOST_CHARACTERS:
        _OutlineReader(outline).read()
    return outline


@dataclass(slots=True)
class _OpenEntry:
    """A key or list item that later lines may still extend."""

    column: int
    path: Path
    items: int = 0
    is_item: bool = False
    is_scalar: bool = False


class _OutlineReader:
    """Reads the outline of a document line by line."""

    def __init__(self, outline: Outline) -> None:
        self._text = outline.text
        self._end = outline.end
        self._at = outline.start
        self._out = outline.entries
        self._open: list[_OpenEntry] = [_OpenEntry(-1, ())]
        self._line_start = outline.start

    def read(self) -> None:
        if self._text.startswith("---", self._at):
            self._at += 3
        while self._at < self._end:
            line_end = self._line_end(self._at)
            start = self._past_blanks(self._at, line_end)
            if start == line_end or self._text[start] in "#%":
                self._at = self._next_line(line_end)
            else:
                self._at = self._line(start, line_end)
            self._line_start = self._at

    def _line(self, start: int, line_end: int) -> int:
        """Read the entries that begin on a line, and return the offset at which reading continues."""
        text = self._text
        while text[start] == "-" and (start + 1 == line_end or text[start + 1] in " \t"):
            if len(self._open) > _MOST_DEPTH:
                return self._next_line(line_end)
            self._item(start)
            start = self._past_blanks(start + 1, line_end)
            if start == line_end or text[start] == "#":
                return self._next_line(line_end)
        if text[start] in "{[" and not self._open[-1].is_scalar:
            return self._value(start, line_end, self._open[-1])
        key = self._key_end(start, line_end)
        column = self._column(start)
        if key is not None and len(self._open) > _MOST_DEPTH and column > self._open[-1].column:
            return self._next_line(line_end)
        if key is None:
            top = self._open[-1]
            is_value = bool(top.path) and not top.is_scalar and column > top.column
            return self._value(start, line_end, top) if is_value else self._next_line(line_end)
        while self._open[-1].column >= column:
            self._open.pop()
        entry = _OpenEntry(column, (*self._open[-1].path, unquoted(text[start : key[0]])))
        self._out.append(OutlineEntry(entry.path, (start, key[0]), (key[1], key[1]), None, column))
        self._open.append(entry)
        value = self._past_blanks(key[1], line_end)
        if value == line_end or text[value] == "#":
            return self._next_line(line_end)
        return self._value(value, line_end, entry)

    def _item(self, at: int) -> None:
        column = self._column(at)
        while self._open[-1].column > column or (self._open[-1].column == column and self._open[-1].is_item):
            self._open.pop()
        holder = self._open[-1]
        entry = _OpenEntry(column, (*holder.path, holder.items), is_item=True)
        holder.items += 1
        self._out.append(OutlineEntry(entry.path, (at, at + 1), (at + 1, at + 1), None, column))
        self._open.append(entry)

    def _value(self, start: int, line_end: int, holder: _OpenEntry) -> int:
        """Read the value of the entry ``holder``, and return the offset at which reading continues."""
        text = self._text
        match = _PROPERTY.match(text, start, line_end)
        if match is not None:
            start = match.end()
        if start == line_end or text[start] == "#":
            return self._next_line(line_end)
        first = text[start : start + 1]
        if first in {"{", "["}:
            end = scan_flow(text, start, self._end, holder.column, Scanned(self._flow_entry, holder.path))
            self._close(holder, (start, end), None)
            return self._next_line(self._line_end(end))
        if first in {"|", ">"}:
            holder.is_scalar = True
            end = self._block_end(line_end, holder.column)
            self._close(holder, (start, end), None)
            return end
        holder.is_scalar = True
        if first in {'"', "'"}:
            end = _quote_end(text, start, self._end, holder.column)
            one_line = end <= line_end
            self._close(holder, (start, end), text[start:end] if one_line else None)
            return self._next_line(self._line_end(end))
        end = _plain_end(text, start, line_end)
        self._close(holder, (start, end), text[start:end])
        return self._next_line(line_end)

    def _flow_entry(self, path: Path, key: Extent, value: Extent, text: str | None) -> None:
        if self._out and self._out[-1].path == path and self._out[-1].key == key:
            self._out.pop()  # the entry of the key without its value
        self._out.append(OutlineEntry(path, key, value, text, -1))

    def _close(self, holder: _OpenEntry, value: Extent, text: str | None) -> None:
        """Set the value of the entry ``holder``. Entries of its flow collection may already follow the entry."""
        if not holder.path:
            return
        for number in range(len(self._out) - 1, -1, -1):
            if self._out[number].path == holder.path:
                self._out[number] = self._out[number]._replace(value=value, text=text)
                return

    def _block_end(self, line_end: int, column: int) -> int:
        at = self._next_line(line_end)
        while at < self._end:
            end = self._line_end(at)
            start = self._past_blanks(at, end)
            if start < end and start - at <= max(column, -1):
                break
            at = self._next_line(end)
        return at

    def _key_end(self, start: int, line_end: int) -> tuple[int, int] | None:
        """Return the end of the key at ``start``, and the end of its colon, or ``None`` if no key is there."""
        text = self._text
        if text[start] in "\"'":
            match = _QUOTED_KEY.match(text, start, line_end)
            return None if match is None else (match.end(1), match.end())
        if text[start] in "&!":
            return None
        colon = text.find(":", start, line_end)
        while colon >= 0 and not (colon + 1 == line_end or text[colon + 1] in " \t"):
            colon = text.find(":", colon + 1, line_end)
        if colon < 0 or colon == start or text.find(" #", start, colon) >= 0:
            return None
        return start + len(text[start:colon].rstrip()), colon + 1

    def _column(self, at: int) -> int:
        return at - self._line_start

    def _past_blanks(self, at: int, end: int) -> int:
        while at < end and self._text[at] in " \t":
            at += 1
        return at

    def _line_end(self, at: int) -> int:
        match = _LINE.match(self._text, at, self._end)
        end = self._end if match is None else match.end()
        return max(at, at + len(self._text[at:end].rstrip("\r\n")))

    def _next_line(self, line_end: int) -> int:
        at = line_end
        if at < self._end and self._text[at] == "\r":
            at += 1
        if at < self._end and self._text[at] == "\n":
            at += 1
        return at


def _plain_end(text: str, start: int, line_end: int) -> int:
    comment = text.find(" #", start, line_end)
    tabbed = text.find("\t#", start, line_end)
    ends = [position for position in (comment, tabbed) if position >= 0]
    end = min(ends, default=line_end)
    return start + len(text[start:end].rstrip())


def _quote_end(text: str, start: int, end: int, column: int) -> int:
    """Return the end of a quoted string. A string that is never closed ends with its line."""
    quote, at = text[start], start + 1
    while at < end:
        char = text[at]
        if char == "\\" and quote == '"':
            at += 2
            continue
        if char == quote:
            if quote == "'" and text[at + 1 : at + 2] == "'":
                at += 2
                continue
            return at + 1
        if char in "\r\n" and ends_flow(text, at, end, column):
            break
        at += 1
    line = _LINE.match(text, start, end)
    return start + len(line.group().rstrip()) if line is not None else end
