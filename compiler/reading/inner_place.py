"""Places within a text that stands in a document: a policy, a template, a whole configuration in a block."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..diagnostics.span import Span

_WORD = re.compile(r"[\w.$-]+")


def inner_extent(raw: str, text: str, offset: int, length: int | None = None) -> tuple[int, int] | None:
    """Return where a stretch of ``text`` stands in ``raw``.

    Args:
        raw: The scalar as the document has it, with its quotes or the sign of its block.
        text: What it means.
        offset: Code points from the beginning of ``text``; past its end means at its last code point.
        length: Of the stretch; that of the word at ``offset`` by default.

    Returns:
        ``None`` where ``raw`` does not show ``text`` as it is: with escapes, folded, or broken into lines.
    """
    offset = max(0, min(offset, len(text) - 1))
    if length is None:
        word = _WORD.match(text, offset)
        length = len(word.group()) if word is not None else 1
    if raw == text:
        return offset, offset + length
    if raw[:1] in ("'", '"') and raw[1:-1] == text:
        return offset + 1, offset + 1 + length
    return _in_block(raw, text, offset, length) if raw[:1] == "|" else None


def stretch_of(text: str, span: Span) -> tuple[int, int | None]:
    """Return offset and length of a place in a text; the length is ``None`` if the place has several lines."""
    offset = _line_starts(text)[span.line - 1] + span.column - 1
    return offset, span.end_column - span.column if span.end_line == span.line else None


@lru_cache(maxsize=4)
def _line_starts(text: str) -> list[int]:
    """Return where the lines begin; many places may be asked for of one long text."""
    lines = text.split("\n")
    return list(accumulate([len(line) + 1 for line in lines[:-1]], initial=0))


def _line(text: str, start: int) -> str:
    end = text.find("\n", start)
    return text[start:] if end < 0 else text[start:end]


def _in_block(raw: str, text: str, offset: int, length: int) -> tuple[int, int] | None:
    own, starts = _line_starts(text), _line_starts(raw)
    row = bisect_right(own, offset) - 1
    column = offset - own[row]
    if row + 1 >= len(starts):
        return None
    at = starts[row + 1]  # the block begins in the line after its sign
    shown = _line(raw, at).rstrip("\r")
    meant = _line(text, own[row])
    if not shown.endswith(meant):
        return None
    start = at + len(shown) - len(meant) + column
    return start, start + min(length, len(meant) - column) if column < len(meant) else start
