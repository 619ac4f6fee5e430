"""Fit text into the columns of a terminal: fold lines, and cut source lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from ..diagnostics.secret.text import REACH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Word: TypeAlias = "tuple[str, str]"
"""A word in two forms: the text that is measured, and the text that is written, with terminal escapes."""

_TAB: Final = "    "
_CUT: Final = "…"
_MOST_IN_COLUMN: Final = 4
"""Maximum number of characters tried per column. Any number of combining characters would fit into one column."""
_JAMO: Final = ("\u1160", "\u11ff")
"""Vowels and final consonants of Hangul, which terminals draw into the column of the preceding consonant."""


def columns(text: str) -> int:
    """Return the number of terminal columns that ``text`` occupies."""
    if text.isascii():
        return len(text)
    from unicodedata import category, east_asian_width

    width = 0
    for char in text:
        if category(char) not in {"Mn", "Me"} and not _JAMO[0] <= char <= _JAMO[1]:
            width += 2 if east_asian_width(char) in {"W", "F"} else 1
    return width


def folded(words: Iterable[Word], width: int | None, indent: int) -> str:
    """Return the words separated by spaces, in lines of at most ``width`` columns.

    A longer word is not broken, so users can copy names and places.

    Args:
        words: Words in order.
        width: Width of the terminal; ``None`` for one line.
        indent: Columns before the second and later lines.
    """
    if width is None:
        return " ".join([written for _, written in words])
    out = ""
    used = 0
    for counted, written in words:
        size = columns(counted)
        if not out:
            out, used = written, size
        elif used + 1 + size <= width:
            out, used = f"{out} {written}", used + 1 + size
        else:
            out, used = f"{out}\n{' ' * indent}{written}", indent + size
    return out


def excerpt(line: str, start: int, end: int, room: int, visible: Callable[[str], str]) -> tuple[str, str]:
    """Return the part of a source line around the marked range that fits into ``room`` columns, and a line with carets.

    The carets are below the marked range. The part contains at most `REACH` characters on each side of ``start``.

    Args:
        start: Zero-based start of the marked range, in characters.
        end: End of the marked range, exclusive.
        room: Available columns. More than `REACH` are not used.
        visible: Returns a text with unprintable characters replaced.
    """
    start = min(start, len(line))
    room = min(room, REACH)
    if len(line) <= room and line.isascii() and line.isprintable():
        return line, " " * start + "^" * max(1, min(end, len(line)) - start)

    def shown(first: int, last: int) -> str:
        return visible(line[first:last].replace("\t", _TAB))

    def reached(at: int, step: int, limit: int) -> int:
        """Return the end of the longest run of text from ``at`` on that fits into ``limit`` columns, as a position.

        ``step`` is 1 to go forward, and -1 to go backward.
        """
        # One more than fits: the next character may be a combining mark of the last.
        ahead = line[at : at + limit + 1] if step > 0 else line[max(0, at - limit - 1) : at]
        if ahead.isascii() and ahead.isprintable():
            return at + step * min(limit, len(ahead))
        for _ in range(min(_MOST_IN_COLUMN * room, REACH)):
            char = at if step > 0 else at - 1
            if not 0 <= char < len(line) or (limit := limit - columns(shown(char, char + 1))) < 0:
                break
            at += step
        return at

    first, last = reached(start, -1, room), reached(start, 1, room)
    if first > 0 or last < len(line) or columns(shown(first, last)) > room:
        room -= 2 * len(_CUT)
        # At most a third of the room is for the text before the marked range, unless the text after it is short.
        first = reached(start, -1, room // 3)
        last = reached(start, 1, room - columns(shown(first, start)))
        first = reached(start, -1, room - columns(shown(start, last)))
    before = (_CUT if first else "") + shown(first, start)
    after = shown(start, last) + (_CUT if last < len(line) else "")
    return before + after, " " * columns(before) + "^" * max(1, columns(shown(start, min(end, last))))
