"""Fixes of values that have a wrong type, or are similar to an allowed value."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from ..admission.hint import takes_duration
from ..admission.place import dotted
from ..diagnostics.suggestion import folded, sure_match
from ..kube.names import label_value_faults
from ..models.history import UNUSABLE, VALUES, change_of
from .edit import Change, Edit
from .source_buffer import quoted, unquoted

if TYPE_CHECKING:
    from .edit import FileFix
    from .fix_context import FixContext

_NUMBER: Final = re.compile(r"-?(0|[1-9][0-9]*)")
_WITHOUT_UNIT: Final = re.compile(r"[1-9][0-9]*")
_UNREPLACEABLE: Final = ("&", "*", "!", "|", ">")


def wrong_type(site: FixContext) -> FileFix | None:
    """Return a fix for a value of the wrong type, or ``None`` if no conversion is certain.

    The fix adds or removes quotes, wraps the value in an object or a list, or removes an empty item of a list.
    """
    position = site.shape(site.inner)
    if position is None:
        return None
    if site.page.data(site.path) is None:
        return _remove_null(site)
    value, expected = site.page.data(site.path), site.table.shapes[position][0]
    if expected == "string" and isinstance(value, bool | int | float):
        return _quote(site, position)
    if isinstance(value, str):
        if expected in ("integer", "number", "boolean"):
            return _unquote(site, position, value)
        if expected == "object":
            return _wrap(site, position, value)
        if expected == "list":
            return _list(site, position, value)
    return None


def metadata_value(site: FixContext) -> FileFix | None:
    """Return a fix that quotes a number or boolean in labels or annotations; ``None`` if that is not valid there."""
    value = site.page.data(site.path)
    is_text_field = len(site.inner) == 3 and site.inner[:2] in (("metadata", "labels"), ("metadata", "annotations"))
    written = _written_scalar(site)
    if not is_text_field or not isinstance(value, bool | int | float) or written is None:
        return None
    start, end, text = written
    if site.inner[1] == "labels" and label_value_faults(text):
        return None
    title = f"put {dotted(site.inner)} into quotes"
    return site.fix(title, (Edit(start, end, quoted(text)),), Change("put", site.path, text))


def unsupported_value(site: FixContext) -> FileFix | None:
    """Return a fix that writes the allowed value with a similar spelling, or ``None`` if no value is similar enough.

    A synonym is an unsafe fix, unless it differs only in case and separators.
    """
    position = site.shape(site.inner)
    value = site.page.data(site.path)
    if position is None or site.table.shapes[position][0] != "string" or not isinstance(value, str):
        return None
    allowed = tuple(text for text in site.table.shapes[position][1] if text not in UNUSABLE)
    meant = sure_match(value, allowed)
    is_safe = meant is not None
    synonym = VALUES.get(value) or VALUES.get(value.lower())
    if meant is None and synonym is not None and synonym in allowed:
        meant = synonym
        is_safe = folded(meant) == folded(value)
    return None if meant is None else _write(site, meant, is_safe=is_safe)


def meant_value(site: FixContext) -> FileFix | None:
    """Return an unsafe fix that writes the value which the finding suggests, if the text still has the wrong value."""
    written, meant = site.finding.meant or ("", "")
    is_there = site.page.document.has(site.path) and site.page.data(site.path) == written
    return _write(site, meant, is_safe=False) if is_there and written else None


def unit_missing(site: FixContext) -> FileFix | None:
    """Return an unsafe fix that appends ``s`` to a number in a string, if the field then accepts it as a duration."""
    position = site.shape(site.inner)
    value = site.page.data(site.path)
    if position is None or not isinstance(value, str) or _WITHOUT_UNIT.fullmatch(value) is None:
        return None
    return None if site.faults(position, f"{value}s") else _write(site, f"{value}s", is_safe=False)


def _remove_null(site: FixContext) -> FileFix | None:
    page = site.page
    if not isinstance(site.path[-1], int) or page.is_flow(site.path) or len(page.data(site.path[:-1])) == 1:
        return None
    start, end = page.value(site.path)
    lines = page.line_start(start), page.line_end(end)
    if page.text[lines[0] : lines[1]].strip() not in {"-", "- null", "- ~"}:
        return None
    return site.fix(f"remove {dotted(site.inner)}: it is empty", (Edit(*lines, ""),), Change("remove", site.path))


def _write(site: FixContext, new: str | int, *, is_safe: bool) -> FileFix | None:
    written = _written_scalar(site)
    if written is None:
        return None
    start, end, old = written
    text = quoted(str(new), old) if old[0] in "\"'" else str(new)
    title = f"write {new} for {dotted(site.inner)}"
    return site.fix(title, (Edit(start, end, text),), Change("put", site.path, new), is_safe=is_safe)


def _quote(site: FixContext, position: int) -> FileFix | None:
    written = _written_scalar(site)
    if written is None:
        return None
    start, end, text = written
    change = Change("put", site.path, text)
    lacks_unit = isinstance(site.page.data(site.path), int) and takes_duration(site.kind, site.inner, site.table)
    if not lacks_unit and not site.faults(position, text):
        return site.fix(f"put {dotted(site.inner)} into quotes", (Edit(start, end, quoted(text)),), change)
    if _WITHOUT_UNIT.fullmatch(text) is None or site.faults(position, f"{text}s"):
        return None
    new = quoted(f"{text}s") if site.page.document.is_json else f"{text}s"
    title = f"write {text}s for {dotted(site.inner)}"
    return site.fix(title, (Edit(start, end, new),), Change("put", site.path, f"{text}s"), is_safe=False)


def _unquote(site: FixContext, position: int, value: str) -> FileFix | None:
    # Other programs may read numbers as float64, which is exact up to 15 digits.
    new: Any = int(value) if _NUMBER.fullmatch(value) and len(value) < 16 else None
    if site.table.shapes[position][0] == "boolean":
        new = {"true": True, "false": False}.get(value.lower())
    written = _written_scalar(site)
    if new is None or written is None or unquoted(written[2]) != value or site.faults(position, new):
        return None
    text = str(new).lower()
    title = f"write {text} for {dotted(site.inner)}, without quotes"
    return site.fix(title, (Edit(written[0], written[1], text),), Change("put", site.path, new))


def _wrap(site: FixContext, position: int, value: str) -> FileFix | None:
    """Return a fix that turns a name into an object with that name; ``None`` if the object requires more fields."""
    change = change_of(site.kind, site.inner[:-1], str(site.inner[-1]), is_text=True)
    field = change.target if change is not None and change.rewrite == "wrap" else "name"
    written = _written_scalar(site)
    if written is None or site.table.shapes[position][3] != (field,) or site.faults(position, {field: value}):
        return None
    edit = _wrapping(site, field, written)
    title = f"write {dotted(site.inner)} as an object with the field {field}"
    return None if edit is None else site.fix(title, (edit,), Change("put", site.path, {field: value}))


def _wrapping(site: FixContext, field: str, written: tuple[int, int, str]) -> Edit | None:
    page, (start, end, text) = site.page, written
    if page.document.is_json:
        return Edit(start, end, f'{{"{field}": {text}}}')
    if page.is_flow(site.path):
        return Edit(start, end, f"{{{field}: {text}}}")
    key = page.key(site.path)
    between = page.text[key[1] : start]
    if "\n" in text or "\r" in text or between.strip(" \t") != ":":
        return None
    indent = " " * (page.column(key[0]) + page.step())
    return Edit(key[1], end, f":{page.newline}{indent}{field}: {text}")


def _list(site: FixContext, position: int, value: str) -> FileFix | None:
    """Return a fix that wraps a string in a list. It is unsafe if spaces or commas suggest several items."""
    written = _written_scalar(site)
    if written is None or site.faults(position, [value]):
        return None
    start, end, text = written
    if text[0] not in "\"'" and any(char in text for char in ",[]{}\r\n"):
        text = quoted(value)
    is_safe = not any(char.isspace() or char == "," for char in value)
    title = f"write {dotted(site.inner)} as a list"
    return site.fix(title, (Edit(start, end, f"[{text}]"),), Change("put", site.path, [value]), is_safe=is_safe)


def _written_scalar(site: FixContext) -> tuple[int, int, str] | None:
    """Return start, end and text of the finding's scalar; ``None`` if it has several lines, an alias, anchor or tag."""
    if not site.page.document.has(site.path):
        return None
    start, end = site.page.value(site.path)
    text = site.page.text[start:end]
    if not text or text.startswith(_UNREPLACEABLE) or "\n" in text or "\r" in text:
        return None
    return start, end, text
