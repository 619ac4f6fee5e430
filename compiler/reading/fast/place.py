"""Find places in a text that was read line by line."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias

from ..node import WHITE_SPACE, Kind, Location, Node
from .data import block
from .line import BLOCK_GROUP, KEY, PLAIN_GROUP, VALUE, Unusual, ascii_form

if TYPE_CHECKING:
    from ...diagnostics.span import Path

_Row: TypeAlias = tuple[int, int, int]
"""A key or a dash with its value, as three indices of the text.

The indices are the start of the key or dash, the end of ``key:`` or of the dash and its gap, and the end of the value
with the blank lines and comments after it.

A row ends before the next row of the same column and type. The dashes of a list may be in the column of the key whose
value is the list. The lines of a block scalar are indented beyond its key, so they are never taken for rows.
"""

_FIRST: Final = r"(?>(?: *(?:#.*)?\n)*) *(?:- +|([\w.$][^ :\n]*):(?![^ \n]))"
"""Pattern from the end of a row's key or dash, or the start of a text, to the first inner row: a dash or a key."""


class Places:
    """Finds places in a text that `read_lines` accepted and that is not empty.

    Only a few places are needed for most texts, so there is no complete index. A key is searched in its column. Visited
    rows and list items are cached.
    """

    __slots__ = ("_begin", "_entries", "_form", "_items", "_last", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._form = ascii_form(text)
        self._begin = 4 if text.startswith("---\n") else 0
        self._entries: dict[tuple[int, str], _Row | None] = {}
        self._items: dict[int, list[_Row]] = {}
        self._last: tuple[Path, Location] | None = None

    def locate(self, path: Path) -> Location | None:
        """Return the location at ``path``, or of its longest existing part.

        The nodes of the location have an extent, and a text if they are scalars, but no children. ``None`` means that
        the exact reader must find the place, because the value contains brackets or escapes.
        """
        if self._last is not None and self._last[0] == path:
            return self._last[1]  # of a long text, one place inside after the other is asked for
        row, depth = self._walk(path)
        try:
            node = self._node(row)
        except Unusual:
            return None
        location = Location(node, _key_node(row, path[:depth]) or node, is_whole=depth == len(path))
        self._last = path, location
        return location

    def key(self, path: Path) -> tuple[int, int] | None:
        """Return the extent of the key at ``path`` without reading its value, or ``None`` to use `locate`."""
        row, depth = self._walk(path)
        key = path[-1] if path and depth == len(path) else None
        return (row[0], row[0] + len(key)) if isinstance(key, str) else None

    def _walk(self, path: Path) -> tuple[_Row, int]:
        row = (0, self._begin, len(self._text))
        for depth, step in enumerate(path):
            if isinstance(step, int):
                inner_row = self._item(row, step)
            elif (cache_key := (row[1], step)) in self._entries:
                inner_row = self._entries[cache_key]
            else:
                inner_row = self._entries[cache_key] = self._entry(row, step)
            if inner_row is None:
                return row, depth
            row = inner_row
        return row, len(path)

    def _entry(self, row: _Row, key: str) -> _Row | None:
        """Return the row of ``key`` in the mapping that is the value of a row, or ``None``."""
        first = self._first(row)
        if first is None or first[1] is None:
            return None
        text, end, start = self._text, row[2], first.start(1)
        column = self._column(start)
        if first[1] != key:
            # What cannot be a key might be found in a comment, or go on into a value.
            is_key = key.isidentifier() or re.match(rf"{KEY}\Z", key) is not None
            at = text.find(f"\n{' ' * column}{key}:", start, end) if is_key else -1
            if at < 0:
                return None
            start = at + 1 + column
        after = start + len(key) + 1
        following = _keys_at(column).search(text, after, end)
        return start, after, end if following is None else following.start() + 1

    def _item(self, row: _Row, number: int) -> _Row | None:
        first = self._first(row)
        items = self._items_below(row, first) if first is not None and first[1] is None else []
        return items[number] if 0 <= number < len(items) else None

    def _items_below(self, row: _Row, first: re.Match[str]) -> list[_Row]:
        """Return the rows of the items of the list in a row; ``first`` is the match of `_FIRST` for the row."""
        items = self._items.get(row[1])
        if items is None:
            column = self._column(self._begin_of(first))
            dashes = _dashes_at(column).finditer(self._text, first.end(), row[2])
            afters = [first.end(), *(position.end() for position in dashes)]
            starts = [self._text.rfind("-", 0, position) for position in afters]
            items = list(zip(starts, afters, [*starts[1:], row[2]], strict=True))
            self._items[row[1]] = items
        return items

    def _node(self, row: _Row) -> Node:
        """Return the node of a row's value without children. Brackets or escapes in its last scalar are `Unusual`."""
        first = self._first(row)
        if first is None:
            return self._scalar(row)
        kind: Kind = "sequence" if first[1] is None else "mapping"
        start = self._begin_of(first)
        while first is not None:  # where it ends, its last scalar does
            row = self._last_below(row, first)
            first = self._first(row)
        return Node(kind, start, self._scalar(row).end, ())

    def _last_below(self, row: _Row, first: re.Match[str]) -> _Row:
        """Return the row of the last item or entry in a row; ``first`` is the match of `_FIRST` for the row."""
        end = row[2]
        if first[1] is None:
            return self._items_below(row, first)[-1]
        start = first.start(1)
        column = self._column(start)
        for following in _keys_at(column).finditer(self._text, start, end):
            start = following.end() - 1
        return start, self._text.index(":", start) + 1, end

    def _first(self, row: _Row) -> re.Match[str] | None:
        return _first_row().match(self._text, *row[1:])

    def _begin_of(self, first: re.Match[str]) -> int:
        return self._text.rfind("-", 0, first.end()) if first[1] is None else first.start(1)

    def _column(self, at: int) -> int:
        return at - self._text.rfind("\n", 0, at) - 1

    def _scalar(self, row: _Row) -> Node:
        """Return the node of the scalar in a row without inner rows. The scalar may be empty."""
        begin, after, end = row
        line_end = self._text.find("\n", after, end)
        match = VALUE.match(self._form, after, end if line_end < 0 else line_end)
        if match is None:
            raise Unusual
        group = match.lastindex
        if group is None:
            return Node("scalar", after, after, "")
        start, stop = match.span(group)
        if group == PLAIN_GROUP:
            return Node("scalar", start, stop, self._text[start:stop])
        if group < BLOCK_GROUP:
            return Node("scalar", start - 1, stop + 1, self._text[start:stop])
        beyond = re.compile(rf"\n {{0,{self._column(begin)}}}[^ \n]").search(self._text, line_end, end)
        written = self._text[start : end if beyond is None else beyond.start()].rstrip("\n")
        text = block([*written.split("\n"), ""], 1, -1, match[group])[1]
        return Node("scalar", start, start + len(written.rstrip(WHITE_SPACE)), text)


def _key_node(row: _Row, path: Path) -> Node | None:
    """Return the node of the key that starts a row, the last step of ``path``; ``None`` for the root or a list item."""
    key = path[-1] if path else None
    return Node("scalar", row[0], row[0] + len(key), key) if isinstance(key, str) else None


@lru_cache(maxsize=1)
def _first_row() -> re.Pattern[str]:
    return re.compile(_FIRST)


@lru_cache(maxsize=64)  # a text rarely has keys in more columns
def _keys_at(column: int) -> re.Pattern[str]:
    return re.compile("\n" + " " * column + r"[\w.$]")


@lru_cache(maxsize=64)  # a text rarely has dashes in more columns
def _dashes_at(column: int) -> re.Pattern[str]:
    return re.compile("\n" + " " * column + "- +")
