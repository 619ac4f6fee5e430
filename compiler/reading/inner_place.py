"""Places within a text that stands in a document: a policy, a template, a whole configuration in a block."""

from __future__ import annotations

import re

_WORD = re.compile(r"[\w.$-]+")


def inner_extent(raw: str, text: str, offset: int, length: int | None = None) -> tuple[int, int] | None:
    """Give where a stretch of ``text`` stands in ``raw``.

    Args:
        raw: The scalar as the document has it, with its quotes or the sign of its block.
        text: What it means.
        offset: Code points from the beginning of ``text``; past its end means at its last code point.
        length: Of the stretch; that of the word at ``offset`` where it is not said.

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


def _in_block(raw: str, text: str, offset: int, length: int) -> tuple[int, int] | None:
    row = text.count("\n", 0, offset)
    column = offset - (text.rfind("\n", 0, offset) + 1)
    at = 0
    for _ in range(row + 1):
        at = raw.find("\n", at) + 1
        if at == 0:
            return None
    shown = raw[at:].partition("\n")[0].rstrip("\r")
    meant = text.split("\n", row + 1)[row]
    if not shown.endswith(meant):
        return None
    start = at + len(shown) - len(meant) + column
    return start, start + min(length, len(meant) - column) if column < len(meant) else start
