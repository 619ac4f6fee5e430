"""Format records of the management API as tables for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnostics.shown import in_one_line, line, sanitized

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST_CELL = 100
"""Maximum characters of a cell, so that rows stay readable on a terminal."""
GAP = "   "
_SPACES = str.maketrans("\t\r\n", "   ")


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return rows as aligned columns below the column names ``head`` in capitals; empty if there are no rows."""
    if not rows:
        return ""
    cells = [[name.upper() for name in head], *([_cell(value) for value in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    lines = [GAP.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells]
    return "".join(f"{line(text)}\n" for text in lines)


def facts(pairs: Sequence[tuple[str, object]]) -> str:
    """Return a line for each pair of a name and a value that is not empty, with the values aligned."""
    shown = [(name, _cell(value, cut=False)) for name, value in pairs if value not in (None, "", [], {})]
    width = max((len(name) for name, _ in shown), default=0) + 2
    return "".join(line(f"{name + ':':<{width}}{value}") + "\n" for name, value in shown)


def _cell(value: object, *, cut: bool = True) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict) or (isinstance(value, list) and any(isinstance(item, dict | list) for item in value)):
        text = str(in_one_line(value))
    else:
        text = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    shown = sanitized(text.translate(_SPACES))
    return shown if not cut or len(shown) <= LONGEST_CELL else f"{shown[: LONGEST_CELL - 1]}…"
