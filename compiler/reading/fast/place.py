"""Places in a text that was read line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from ..node import Location, Node
from .data import block
from .line import BLOCK, BLOCK_GROUP, LINES, PLAIN_GROUP, SILENT, VALUE, Unusual, form_of

if TYPE_CHECKING:
    from ...diagnostics.span import Path
    from ..scalar import Dialect

_Row: TypeAlias = tuple[int, str | None, int, int, int]
"""A key, or a dash: its column; the key, ``None`` for a dash; where it begins; where what comes after it on its line
begins; and where that ends, with the block of text below it.

What belongs to a row are the rows after it up to the next in its column; the dashes of a list may stand in the column
of the key that it belongs to.
"""

_Inner: TypeAlias = dict[str | int, tuple[int, int]]
"""By keys, or by the numbers of items: the row that has it, and where the rows that belong to that end."""


class Places:
    """Finds what stands at paths in a text that `read_lines` took and that is not empty."""

    __slots__ = ("_form", "_inner", "_last", "_rows", "_text")

    def __init__(self, text: str, dialect: Dialect) -> None:
        self._text = text
        self._form = form_of(text)
        self._rows = _rows(text, dialect)
        self._inner: dict[int, _Inner] = {}
        self._last: tuple[Path, Location] | None = None

    def locate(self, path: Path) -> Location | None:
        """Find what stands at ``path``, or at the longest part of it that is there.

        Nodes have an extent, and a text where they are scalars; what collections hold is not worked out. ``None`` where
        the place is in brackets or in quotes with escapes, or ends with such: the exact reader has to find it.
        """
        if self._last is not None and self._last[0] == path:
            return self._last[1]  # of a long text, one place inside after the other is asked for
        try:
            found = self._find(path)
        except Unusual:
            return None
        self._last = path, found
        return found

    def _find(self, path: Path) -> Location:
        row, first, end = -1, 0, len(self._rows)
        depth = 0
        for step in path:
            found = self._children(first, end).get(step)
            if found is None:
                break
            row, end = found
            first = row + 1
            depth += 1
        if first == end:
            node = self._scalar(row)
        else:
            _, name, start, *_ = self._rows[first]
            node = Node("sequence" if name is None else "mapping", start, self._scalar(end - 1).end, ())
        _, name, start, *_ = self._rows[row]
        key = Node("scalar", start, start + len(name), name) if name is not None and depth else node
        return Location(node, key, is_whole=depth == len(path))

    def _children(self, first: int, end: int) -> _Inner:
        inner = self._inner.get(first)
        if inner is None:
            inner = self._inner[first] = _inside(self._rows, first, end)
        return inner

    def _scalar(self, row: int) -> Node:
        """Return the scalar that stands behind a row without inner rows; an empty one right behind its colon."""
        _, _, _, after, end = self._rows[row]
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
        written = self._text[start:end].rstrip("\n")
        text = block([*written.split("\n"), ""], 1, -1, match[group])[1]
        return Node("scalar", start, start + len(written.rstrip()), text)


def _inside(rows: list[_Row], first: int, end: int) -> _Inner:
    """Return what lies in the rows from ``first`` to ``end``, one step of a path inside."""
    if first == end:
        return {}
    column, name, *_ = rows[first]
    of_keys = name is not None
    starts = [at for at in range(first, end) if rows[at][0] == column and (rows[at][1] is not None) is of_keys]
    extents = zip(starts, [*starts[1:], end], strict=True)
    return {rows[at[0]][1] or number: at for number, at in enumerate(extents)}


def _rows(text: str, dialect: Dialect) -> list[_Row]:
    """List the keys and dashes of a text in their order."""
    known = LINES[dialect]
    rows: list[_Row] = []
    at = 4 if text.startswith("---\n") else 0
    beyond = -1
    """The column that the lines of a block of text, which is read over, are indented beyond; ``-1`` outside of one."""
    for line in text[at:].split("\n"):
        begin = at
        at += len(line) + 1
        if beyond >= 0:
            if not line[: beyond + 1].strip(" "):
                rows[-1] = (*rows[-1][:4], at - 1)
                continue
            beyond = -1
        column, inner, key, kind, _ = known[line]
        if kind == SILENT:
            continue
        if kind == BLOCK:
            beyond = inner if inner >= 0 and key is not None else column
        if inner >= 0:
            rows.append((column, None, begin + column, begin + inner, at - 1))
            column = inner
        if key is not None:
            start = begin + column
            rows.append((column, key, start, start + len(key) + 1, at - 1))
    return rows
