"""Fixes of unknown fields: misspelled, renamed, moved and dropped fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..admission.fault import Sort
from ..admission.later import later_fields
from ..admission.place import dotted
from ..diagnostics.suggestion import folded, sure_match
from ..models.history import change_of
from .edit import Change, Edit
from .provider import own_provider
from .relocate import moved
from .source_buffer import quoted, unquoted

if TYPE_CHECKING:
    from ..models.history import FieldChange
    from .edit import Fix
    from .fix_context import FixContext


def unknown_field(site: FixContext) -> Fix | None:
    """Return a fix that renames the field, moves it to its place, or drops it if nothing ever read it."""
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


def _renamed(site: FixContext, field: str) -> Fix | None:
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
    """Return whether the object already has the field ``meant``, or another field that may stand for it."""
    siblings = site.page.data(site.path[:-1])
    return any(
        sibling != field and (sibling == meant or (sibling not in known and sure_match(str(sibling), known) == meant))
        for sibling in siblings
    )


def _fits(site: FixContext, meant: str) -> bool:
    """Return whether the value has the type of the field ``meant``. A similar name alone is not sufficient."""
    position = site.shape((*site.inner[:-1], meant))
    if position is None:
        return False
    faults = site.faults(position, site.page.data(site.path))
    return not any(fault.sort is Sort.TYPE and not fault.path for fault in faults)


def _rename(site: FixContext, field: str, name: str) -> Fix | None:
    if name in site.page.data(site.path[:-1]):
        return None
    start, end = site.page.key(site.path)
    written = site.page.text[start:end]
    if unquoted(written) != field:
        return None
    new = name if written == field else quoted(name, written)
    title = f"rename {dotted(site.inner)} to {name}"
    return site.fix(title, (Edit(start, end, new),), Change("rename", site.path, name))


def _drop(site: FixContext, field: str, _: FieldChange) -> Fix | None:
    """Return an unsafe fix that removes a field which no release reads. The author's intention is lost."""
    lines = site.page.entry_lines(site.path)
    if lines is None or len(site.page.data(site.path[:-1])) == 1:
        return None
    title = f"remove {dotted(site.inner)}: {field} is read nowhere"
    return site.fix(title, (Edit(*lines, ""),), Change("remove", site.path), is_safe=False)
