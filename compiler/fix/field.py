"""Fixes of unknown fields: misspelled, renamed, moved and dropped fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..admission.later import later_fields
from ..admission.place import dotted
from ..admission.violation import Sort
from ..diagnostics.suggestion import folded, sure_match
from ..models.history import change_of
from .edit import Change, Edit
from .provider import own_provider
from .source_buffer import quoted, reindented, unquoted

if TYPE_CHECKING:
    from ..diagnostics.span import Path
    from ..models.history import FieldChange
    from .edit import FileFix
    from .fix_context import FixContext
    from .source_buffer import SourceBuffer


def unknown_field(site: FixContext) -> FileFix | None:
    """Return a fix for an unknown field, or ``None`` if the intended field is not clear.

    The fix renames the field, moves it, turns it into an MCPOIDCConfig, or removes it if no release reads it.
    """
    field = site.path[-1]
    if not isinstance(field, str) or field in later_fields(site.kind, site.inner[:-1]):
        return None
    history = change_of(site.kind, site.inner[:-1], field, is_text=isinstance(site.page.data(site.path), str))
    if history is None:
        return _renamed(site, field)
    if field == "oidcConfig":
        return own_provider(site)
    if history.rewrite == "rename":
        return _rename(site, field, history.target) if history.target in site.fields(site.inner[:-1]) else None
    if history.rewrite == "move":
        return moved(site, (*site.prefix, *history.target.split(".")))
    return _drop(site, field, history) if history.rewrite == "drop" else None


def _renamed(site: FixContext, field: str) -> FileFix | None:
    known = site.fields(site.inner[:-1])
    later = later_fields(site.kind, site.inner[:-1])
    # A misspelled field of a later release must not be renamed to a field of this release.
    meant = sure_match(field, dict.fromkeys((*known, *later)))
    if meant is None or meant not in known or _has_rival(site, field, meant, known):
        return None
    if folded(meant) == folded(field) or _fits(site, meant):
        return _rename(site, field, meant)
    return None


def _has_rival(site: FixContext, field: str, meant: str, known: tuple[str, ...]) -> bool:
    siblings = site.page.data(site.path[:-1])
    return any(
        sibling != field and (sibling == meant or (sibling not in known and sure_match(str(sibling), known) == meant))
        for sibling in siblings
    )


def _fits(site: FixContext, meant: str) -> bool:
    """Return whether the value has the type of the field ``meant``; else a similar name does not justify a fix."""
    position = site.shape((*site.inner[:-1], meant))
    if position is None:
        return False
    faults = site.faults(position, site.page.data(site.path))
    return not any(fault.sort is Sort.TYPE and not fault.path for fault in faults)


def _rename(site: FixContext, field: str, name: str) -> FileFix | None:
    if name in site.page.data(site.path[:-1]):
        return None
    start, end = site.page.key(site.path)
    written = site.page.text[start:end]
    if unquoted(written) != field:
        return None
    new = name if written == field else quoted(name, written)
    title = f"rename {dotted(site.inner)} to {name}"
    return site.fix(title, (Edit(start, end, new),), Change("rename", site.path, name))


def _drop(site: FixContext, field: str, _: FieldChange) -> FileFix | None:
    """Return a fix that removes a field which no release reads. It is unsafe, as the author wrote it for a purpose."""
    lines = site.page.entry_lines(site.path)
    if lines is None or len(site.page.data(site.path[:-1])) == 1:
        return None
    title = f"remove {dotted(site.inner)}: {field} is read nowhere"
    return site.fix(title, (Edit(*lines, ""),), Change("remove", site.path), is_safe=False)


def moved(site: FixContext, target: Path) -> FileFix | None:
    """Return a fix that moves the entry of the finding to the path ``target``, or ``None`` if it cannot be moved.

    If the mapping at the target does not exist, it is created in place of the entry. An entry within brackets cannot be
    moved. The same is true if the target already has a value.
    """
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
    place = mapping_end(page, holder)
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


def mapping_end(page: SourceBuffer, holder: Path) -> tuple[int, int] | None:
    """Return the offset after a block mapping's last entry, and the column of its keys.

    Return ``None`` if the mapping is empty, or has entries that are merged or share a line.
    """
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
