"""Move an entry and its comments to another mapping of the document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..admission.place import dotted
from .edit import Change, Edit
from .source_buffer import reindented

if TYPE_CHECKING:
    from ..diagnostics.span import Path
    from .edit import Fix
    from .fix_context import FixContext
    from .source_buffer import SourceBuffer


def moved(site: FixContext, target: Path) -> Fix | None:
    """Return a fix that moves the entry to ``target``, into an existing mapping or a new one in place of the entry."""
    page, path = site.page, site.path
    lines = page.entry_lines(path)
    if lines is None or target[-1] != path[-1] or len(page.data(path[:-1])) == 1:
        return None
    holder = target[:-1]
    change = Change("move", path, target)
    title = f"move {dotted(site.inner)} to {dotted(target[len(site.prefix) :])}"
    if not page.document.has(holder):
        if holder[:-1] != path[:-1]:
            return None
        start = page.key(path)[0]
        column, step = page.column(start), page.step()
        head = f"{' ' * column}{holder[-1]}:{page.newline}"
        return site.fix(title, (Edit(*lines, head + reindented(page, lines, step)),), change)
    place = _mapping_end(page, holder)
    value = page.data(holder)
    if place is None or type(value) is not dict or target[-1] in value:
        return None
    at, column = place
    block = reindented(page, lines, column - page.column(page.key(path)[0]))
    if not block.endswith(("\n", "\r")):
        block += page.newline
    if at > 0 and page.text[at - 1] not in "\r\n":
        block = page.newline + block
    edits = (Edit(*lines, ""), Edit(at, at, block))
    if lines[0] < at < lines[1]:
        return None
    return site.fix(title, tuple(sorted(edits)), change)


def _mapping_end(page: SourceBuffer, holder: Path) -> tuple[int, int] | None:
    """Return the end of a block mapping's last entry, and the column of its keys."""
    value = page.data(holder)
    if type(value) is not dict or not value:
        return None
    last: tuple[int, int] | None = None
    column = -1
    for key in value:
        if not page.document.has((*holder, key)):
            return None
        lines = page.entry_lines((*holder, key))
        if lines is None:
            return None
        start = page.key((*holder, key))[0]
        if last is None or start > last[0]:
            last, column = (start, lines[1]), page.column(start)
    return None if last is None else (last[1], column)
