"""Find places inside a text in a document, such as a policy, a template, or a configuration in a block."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING

from ..diagnostics.budget import until_end

if TYPE_CHECKING:
    from ..diagnostics.span import Span

_WORD = r"[\w.$-]+"


def inner_extent(raw: str, text: str, offset: int, length: int | None = None) -> tuple[int, int] | None:
    """Return the extent in ``raw`` of a part of ``text``.

    Args:
        raw: The source of the scalar, with quotes or block indicator.
        text: The text of the scalar without quotes and indentation.
        offset: The start in code points of ``text``. An offset beyond the text counts as its last code point.
        length: The length of the part. Default: the word at ``offset``.

    Returns:
        ``None`` if ``raw`` does not contain ``text`` literally, because of escapes or folding. In a literal block, the
        extent ends with its line.
    """
    offset = max(0, min(offset, len(text) - 1))
    if length is None:
        word = re.compile(_WORD).match(text, offset)
        length = len(word.group()) if word is not None else 1
    if raw == text:
        return offset, offset + length
    if raw[:1] in ("'", '"') and raw[1:-1] == text:
        return offset + 1, offset + 1 + length
    return _in_block(raw, text, offset, length) if raw[:1] == "|" else None


def offset_and_length(text: str, span: Span) -> tuple[int, int | None]:
    """Return offset and length of a span of ``text`` in code points; ``None`` as length for several lines."""
    offset = _line_starts(text)[span.line - 1] + span.column - 1
    return offset, span.end_column - span.column if span.end_line == span.line else None


@until_end
@lru_cache(maxsize=4)  # a few texts are kept, because each list of starts is as long as its text has lines
def _line_starts(text: str) -> list[int]:
    lines = text.split("\n")
    return list(accumulate([len(line) + 1 for line in lines[:-1]], initial=0))


def _line(text: str, start: int) -> str:
    end = text.find("\n", start)
    return text[start:] if end < 0 else text[start:end]


def _in_block(raw: str, text: str, offset: int, length: int) -> tuple[int, int] | None:
    text_starts, starts = _line_starts(text), _line_starts(raw)
    row = bisect_right(text_starts, offset) - 1
    column = offset - text_starts[row]
    if row + 1 >= len(starts):
        return None
    at = starts[row + 1]  # the block begins in the line after its sign
    shown = _line(raw, at).rstrip("\r")
    text_line = _line(text, text_starts[row])
    if not shown.endswith(text_line):
        return None
    start = at + len(shown) - len(text_line) + column
    return start, start + min(length, len(text_line) - column) if column < len(text_line) else start
