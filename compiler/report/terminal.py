"""How text fills the columns of a terminal: lines that are folded, and the part of a source line that is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Word: TypeAlias = "tuple[str, str]"
"""A word as it counts, and as it is written, with the escapes of a terminal around it."""

_TAB: Final = "    "
_CUT: Final = "…"
_MOST_IN_COLUMN: Final = 4
"""Characters that are looked at for each column: any number of combining ones would fit into it."""
_JAMO: Final = ("\u1160", "\u11ff")
"""Vowels and final consonants of Hangul, which terminals draw into the column of the consonant before them."""


def columns(text: str) -> int:
    """Return how many columns a text takes on a terminal."""
    if text.isascii():
        return len(text)
    from unicodedata import category, east_asian_width

    found = 0
    for char in text:
        if category(char) not in {"Mn", "Me"} and not _JAMO[0] <= char <= _JAMO[1]:
            found += 2 if east_asian_width(char) in {"W", "F"} else 1
    return found


def folded(words: Iterable[Word], width: int | None, indent: int) -> str:
    """Return words with blanks between them, in lines of at most ``width`` columns.

    A word that is wider is not broken: names and places can be copied whole.

    Args:
        words: In their order.
        width: Of the terminal; ``None`` for one line.
        indent: Columns before the second line and those after it.
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
    """Return as much of a source line as there is room for, and carets that stand below a part of it.

    Args:
        line: The line.
        start: Where the part begins, counted in characters from 0.
        end: Where it ends.
        room: Columns that there are.
        visible: Makes control characters visible.
    """
    start = min(start, len(line))
    if len(line) <= room and line.isascii() and line.isprintable():
        return line, " " * start + "^" * max(1, min(end, len(line)) - start)

    def shown(first: int, last: int) -> str:
        return visible(line[first:last].replace("\t", _TAB))

    def reached(at: int, step: int, limit: int) -> int:
        """Return how far characters from ``at`` on fit into so many columns."""
        # One more than fits: what comes after could be a mark above the last.
        ahead = line[at : at + limit + 1] if step > 0 else line[max(0, at - limit - 1) : at]
        if ahead.isascii() and ahead.isprintable():
            return at + step * min(limit, len(ahead))
        for _ in range(_MOST_IN_COLUMN * room):
            char = at if step > 0 else at - 1
            if not 0 <= char < len(line) or (limit := limit - columns(shown(char, char + 1))) < 0:
                break
            at += step
        return at

    first, last = reached(start, -1, room), reached(start, 1, room)
    if first > 0 or last < len(line) or columns(shown(first, last)) > room:
        room -= 2 * len(_CUT)
        first = reached(start, -1, room // 3)
        last = reached(start, 1, room - columns(shown(first, start)))
        first = reached(start, -1, room - columns(shown(start, last)))
    before = (_CUT if first else "") + shown(first, start)
    after = shown(start, last) + (_CUT if last < len(line) else "")
    return before + after, " " * columns(before) + "^" * max(1, columns(shown(start, min(end, last))))
