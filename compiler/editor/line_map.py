"""Convert between offsets, spans, and the zero-based lines and columns of editors."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from ..diagnostics.named_tuple import NamedTuple

if TYPE_CHECKING:
    from ..diagnostics.span import Span

Unit: TypeAlias = Literal["utf-8", "utf-16", "utf-32"]

_BREAK: Final = re.compile(r"\r\n?|\n")
_MARK: Final = "\ufeff"


class Point(NamedTuple):
    """A position as editors count: line and column are zero-based, and columns count the unit of the `LineMap`."""

    line: int
    column: int


class LineMap:
    """Converts between offsets of a text, spans, and points.

    Args:
        text: The text that the positions refer to.
        unit: The unit that columns count, as agreed with the client.
    """

    def __init__(self, text: str, unit: Unit = "utf-16") -> None:
        self.text = text
        self._unit = unit
        self._starts = [0, *(match.end() for match in _BREAK.finditer(text))]
        self._skipped = 1 if text.startswith(_MARK) else 0
        self._measured = (0, 0, 0)  # start of a line, an offset in the line, and the column of that offset
        self._bounds = (-1, 0, 0)

    @property
    def count(self) -> int:
        """The number of lines."""
        return len(self._starts)

    def offset(self, point: Point) -> int:
        """Return the offset of a point. A column beyond the end of the line stands for the end of the line."""
        if point.line >= len(self._starts):
            return len(self.text)
        start, end = self.line(max(point.line, 0))
        if self._unit == "utf-32" or self.text[start:end].isascii():
            return min(start + max(point.column, 0), end)
        left = point.column
        for at in range(start, end):
            if left <= 0:
                return at
            left -= self._width(self.text[at])
        return end

    def point(self, offset: int) -> Point:
        """Return the point of an offset."""
        line = bisect_right(self._starts, offset) - 1
        return Point(line, self._length(self._starts[line], offset))

    def line(self, number: int) -> tuple[int, int]:
        """Return the start and end offsets of a line, without its line break. ``number`` is zero-based."""
        if self._bounds[0] != number:
            start = self._starts[number]
            end = self._starts[number + 1] if number + 1 < len(self._starts) else len(self.text)
            self._bounds = number, start, start + len(self.text[start:end].rstrip("\r\n"))
        return self._bounds[1:]

    def extent(self, span: Span) -> tuple[int, int]:
        """Return the start and end offsets of a span. A position beyond the end of the text stands for the end."""
        return self._span_offset(span.line, span.column), self._span_offset(span.end_line, span.end_column)

    def points(self, span: Span) -> tuple[Point, Point]:
        """Return the start and the end of a span as points."""
        start, end = self.extent(span)
        return self.point(start), self.point(end)

    def _span_offset(self, line: int, column: int) -> int:
        if line > len(self._starts):
            return len(self.text)
        start, end = self.line(line - 1)
        # findings do not count the byte order mark
        return min(start + column - 1 + (self._skipped if line == 1 else 0), end)

    def _length(self, start: int, end: int) -> int:
        """Return the length of a range of one line in the unit of the map. ``start`` is the start of the line.

        The last result is reused, because callers usually ask for ascending offsets of a line.
        """
        if self._unit == "utf-32":
            return end - start
        line, at, length = self._measured
        if line != start or at > end:
            at, length = start, 0
        part = self.text[at:end]
        if part.isascii():
            length += len(part)
        elif self._unit == "utf-16":
            length += len(part.encode("utf-16-le", "surrogatepass")) // 2
        else:
            length += len(part.encode("utf-8", "surrogatepass"))
        self._measured = start, end, length
        return length

    def _width(self, char: str) -> int:
        code = ord(char)
        # UTF-16 has surrogate pairs beyond U+FFFF. UTF-8 has up to 7, 11, 16 and 21 bits in one to four bytes.
        if self._unit == "utf-16":
            return 2 if code > 0xFFFF else 1
        if self._unit == "utf-32":
            return 1
        return 1 if code < 0x80 else 2 if code < 0x800 else 3 if code < 0x10000 else 4
