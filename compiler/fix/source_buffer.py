"""The text of a document for edits: offsets, lines, indentation and quotes."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.span import Span

if TYPE_CHECKING:
    from ..diagnostics.span import Path
    from ..reading.document import Document

_BREAK: Final = re.compile(r"\r\n?|\n")
_STEP: Final = 2
"""Indentation step if the document does not show one, as in the examples of Kubernetes."""


def line_starts(text: str) -> list[int]:
    """Return the offset of each line's start. The result is cached, so buffers of the same text share it."""
    return [0, *(match.end() for match in _BREAK.finditer(text))]


class SourceBuffer:
    """The text of a file, and one of its documents.

    Attributes:
        newline: Line break of the file.
    """

    def __init__(self, text: str, document: Document, lines: list[int]) -> None:
        self.text = text
        self.document = document
        match = _BREAK.search(text)
        self.newline = match.group() if match else "\n"
        self._lines = lines

    def value(self, path: Path) -> tuple[int, int]:
        """Return the offsets of the start and the end of the value at ``path``."""
        return self._offsets(self.document.span(path))

    def key(self, path: Path) -> tuple[int, int]:
        """Return the offsets of the start and the end of the key at ``path``."""
        return self._offsets(self.document.key_span(path))

    def data(self, path: Path) -> Any:
        """Return the value at ``path``."""
        value = self.document.data
        for step in path:
            value = value[step]
        return value

    def column(self, at: int) -> int:
        """Return the number of characters between the start of the line and ``at``."""
        return at - self.line_start(at)

    def line_start(self, at: int) -> int:
        """Return the offset of the start of the line that contains ``at``."""
        return self._lines[bisect_right(self._lines, at) - 1]

    def line_end(self, at: int) -> int:
        """Return the offset of the start of the next line, or of the end of the text."""
        row = bisect_right(self._lines, at)
        return self._lines[row] if row < len(self._lines) else len(self.text)

    def begins_line(self, at: int) -> bool:
        """Return whether only spaces precede ``at`` on its line."""
        return not self.text[self.line_start(at) : at].strip(" ")

    def is_flow(self, path: Path) -> bool:
        """Return whether ``path`` is inside a flow collection, which has brackets or braces."""
        if self.document.is_json:
            return True
        for length in range(len(path)):
            start, end = self.value(path[:length])
            if self.text[start : start + 1] in {"{", "["} and end > start:
                return True
        return False

    def step(self) -> int:
        """Return the indentation step of the document in columns: that of its first nested mapping, or 2."""
        data = self.document.data
        for key, value in data.items() if type(data) is dict else ():
            if type(value) is dict and value and self.document.has((key,)) and not self.is_flow((key, "")):
                outer = self.column(self.key((key,))[0])
                inner = self.column(self.value((key,))[0])
                if inner > outer:
                    return inner - outer
        return _STEP

    def entry_lines(self, path: Path) -> tuple[int, int] | None:
        """Return the start and end offsets of the lines of an entry and its comments.

        Return ``None`` if the entry shares a line with others or is in flow style.
        """
        start, end = self.key(path)[0], max(self.value(path)[1], self.key(path)[1])
        if self.is_flow(path) or not self.begins_line(start):
            return None
        if self.column(end) == 0 and end > start:
            end -= 1
        rest = self.text[end : self.line_end(end)].strip()
        if rest not in {"", ":"} and not rest.startswith(("#", ": #", ":#")):
            return None
        return self.comments_above(start), self.line_end(end)

    def comments_above(self, at: int) -> int:
        """Return the offset at which the comment lines directly above ``at`` begin. They must have its indentation."""
        column = self.column(at)
        start = self.line_start(at)
        while start > 0:
            above = self.line_start(start - 1)
            line = self.text[above:start]
            if not line.startswith(" " * column + "#"):
                break
            start = above
        return start

    def span(self, start: int, end: int) -> Span:
        """Return the range between two offsets as a span."""
        rows = [bisect_right(self._lines, at) for at in (start, end)]
        (line, column), (end_line, end_column) = (
            (row, at - self._lines[row - 1] + 1) for row, at in zip(rows, (start, end), strict=True)
        )
        return Span(self.document.file, line, column, end_line, end_column)

    def _offsets(self, span: Span) -> tuple[int, int]:
        return (self._lines[span.line - 1] + span.column - 1, self._lines[span.end_line - 1] + span.end_column - 1)


def quoted(text: str, like: str = '"') -> str:
    """Return the text in double quotes, or in single quotes if ``like`` starts with one and no escapes are needed."""
    if like.startswith("'") and "\n" not in text and text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    return json.dumps(text, ensure_ascii=False)


def unquoted(written: str) -> str:
    """Return the text without enclosing quotes."""
    return written[1:-1] if len(written) > 1 and written[0] == written[-1] and written[0] in "\"'" else written


def reindented(page: SourceBuffer, lines: tuple[int, int], by: int) -> str:
    """Return the text of the range ``lines``, indented by ``by`` more columns. Empty lines stay empty."""
    out: list[str] = []
    at = lines[0]
    while at < lines[1]:
        end = min(page.line_end(at), lines[1])
        line = page.text[at:end]
        if not line.strip():
            out.append(line)
        elif by >= 0:
            out.append(" " * by + line)
        else:
            blank = len(line) - len(line.lstrip(" "))
            out.append(line[min(-by, blank) :])
        at = end
    return "".join(out)
