"""What may be typed at a place: fields, values, names of resources, kinds."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from ..admission.table import KINDS, checks_of
from ..explain.schema_place import schema_place
from .cursor import cursor_at
from .names import candidates, keys
from .subject import is_our_version, subject_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..diagnostics.span import Path
    from ..explain.schema_place import SchemaPlace
    from ..workspace.stated_reference import ReferenceField
    from ..workspace.workspace import Workspace
    from .cursor import Cursor
    from .outline import Extent
    from .subject import Around, Subject

_OBJECT_KEYS: Final = ("apiVersion", "kind", "metadata", "spec")
_PLAIN: Final = re.compile(r"[A-Za-z][\w./-]*(?::[\w/.-]+)*")
_BOOLEANS: Final = frozenset(["y", "yes", "n", "no", "true", "false", "on", "off", "null"])
_MOST: Final = 500


class Item(NamedTuple):
    """Something that may be typed.

    Attributes:
        label: As the list shows it.
        sort: What it is.
        text: What replaces `extent`.
        extent: Where it goes.
        detail: Its type, or where it comes from.
        about: What it is, or is a value of, where the schema describes it.
        opens: What begins the next line, below it; ``None`` where the line goes on.
        rank: Of several the lower come first.
    """

    label: str
    sort: Literal["field", "value", "name", "kind"]
    text: str
    extent: Extent
    detail: str = ""
    about: SchemaPlace | None = None
    opens: str | None = None
    rank: int = 0


def completions(text: str, offset: int, around: Around, workspace: Workspace | None = None) -> list[Item]:
    """Return what may be typed at ``offset``; nothing in a document of some other program.

    Args:
        text: The whole file.
        offset: Where the cursor stands.
        around: What is known of the file.
        workspace: The resources of the project, for names.
    """
    cursor = cursor_at(text, offset)
    if cursor is None:
        return []
    subject = subject_of(cursor.outline, cursor.path, around)
    if subject is None:
        return list(_of_new_object(cursor, around))
    if cursor.wants == "key":
        return list(_fields(cursor, subject.at(cursor.path), subject))
    place = subject.at(cursor.path)
    if cursor.wants == "item" and place is not None and place.own_fields():
        return list(_fields(cursor, place, subject))
    found = list(_types(cursor, subject.prefix, around))
    found = found or list(_values(cursor, place, subject))
    return found or list(_names(cursor, subject, workspace, around.file))[:_MOST]


def _of_new_object(cursor: Cursor, around: Around) -> Iterator[Item]:
    """Offer the beginning of an object: its kind, and the fields that all have."""
    top = {str(one.path[0]) for one in cursor.outline.entries if len(one.path) == 1}
    if not top <= set(_OBJECT_KEYS) or not around.file.endswith((".yaml", ".yml")):
        return
    if not is_our_version(cursor.outline.scalar(("apiVersion",)), around.profile):
        return
    if cursor.wants == "value":
        yield from _types(cursor, (), around)
    elif cursor.wants == "key" and not cursor.path:
        place = schema_place(next(iter(KINDS)))  # all kinds have the same, though each describes it in its own words
        fields = place.own_fields() if place is not None else {}
        wanted = [name for name in _OBJECT_KEYS if name not in cursor.keys]
        for rank, name in enumerate(wanted):
            yield _field(cursor, name, fields[name], rank)._replace(about=None)


def _types(cursor: Cursor, prefix: Path, around: Around) -> Iterator[Item]:
    """Offer kinds and versions, which the outline's own kind must not limit."""
    if cursor.path == (*prefix, "kind"):
        release = around.profile.judging_release
        for rank, kind in enumerate(checks_of(around.profile).table.kinds):
            about = schema_place(kind, release)
            yield Item(kind, "kind", _written(kind, cursor), cursor.extent, about=about, rank=rank)
    elif cursor.path == (*prefix, "apiVersion"):
        for rank, version in enumerate(around.profile.versions):
            shown = f"{around.profile.api_group}/{version}"
            yield Item(shown, "value", _written(shown, cursor), cursor.extent, rank=rank)


def _fields(cursor: Cursor, place: SchemaPlace | None, subject: Subject) -> Iterator[Item]:
    fields = place.own_fields() if place is not None else {}
    for rank, (name, field) in enumerate(fields.items()):
        own = subject.profile.spell(name)
        if own not in cursor.keys and name not in cursor.keys:
            yield _field(cursor, own, field, rank if field.is_required else rank + 1000)


def _field(cursor: Cursor, name: str, field: SchemaPlace, rank: int) -> Item:
    shown = json.dumps(name) if cursor.style == "json" else name
    opens: str | None = None
    if not cursor.has_colon:
        shown += ":"
        opens = _opens(field) if cursor.style == "block" else None
        shown += " " if opens is None else ""
    detail = f"{field.type}, required" if field.is_required else field.type
    return Item(name, "field", shown, cursor.extent, detail, field, opens, rank)


def _opens(field: SchemaPlace) -> str | None:
    """Return what begins the line below a key whose value takes lines of its own."""
    if "items" in field.schema:
        return "- "
    return "" if field.schema.get("type") == "object" else None


def _values(cursor: Cursor, place: SchemaPlace | None, subject: Subject) -> Iterator[Item]:
    if place is None:
        return
    allowed: tuple[Any, ...] = place.allowed or ((True, False) if place.schema.get("type") == "boolean" else ())
    default = place.schema.get("default")
    for rank, value in enumerate(allowed):
        own = subject.profile.spell(value) if isinstance(value, str) else value
        label = own if isinstance(own, str) else json.dumps(own)
        detail = "default" if value == default and default is not None else ""
        yield Item(label, "value", _written(own, cursor), cursor.extent, detail, place, rank=rank)


def _names(cursor: Cursor, subject: Subject, workspace: Workspace | None, file: str) -> Iterator[Item]:
    found = subject.reference(cursor.path)
    if found is None or workspace is None:
        return
    reference, is_key = found
    namespace = cursor.outline.scalar((*subject.prefix, "metadata", "namespace"))
    beside = cursor.path[:-1]
    if is_key:
        name = cursor.outline.scalar((*beside, reference.steps[-1]))
        for key in keys(workspace, reference.kind, namespace, name, file) if name else ():
            yield Item(key, "name", _written(key, cursor), cursor.extent, f"key of {reference.kind} {name}")
    elif _holds(cursor, beside, reference):
        for one in candidates(workspace, reference.kind, namespace, file):
            yield Item(one.name, "name", _written(one.name, cursor), cursor.extent, one.where)


def _holds(cursor: Cursor, beside: Path, reference: ReferenceField) -> bool:
    """Return whether the field beside makes this a reference."""
    return reference.when is None or cursor.outline.scalar((*beside, reference.when[0])) == reference.when[1]


def _written(value: Any, cursor: Cursor) -> str:
    """Write a value as the text around it wants it."""
    if not isinstance(value, str):
        shown = json.dumps(value)
    elif cursor.style == "json":
        shown = json.dumps(value, ensure_ascii=False)
    else:
        typed = cursor.outline.text[cursor.extent[0] : cursor.extent[0] + 1]
        is_plain = _PLAIN.fullmatch(value) is not None and value.lower() not in _BOOLEANS
        quote = typed if typed in {'"', "'"} else "" if is_plain else '"'
        shown = f"{quote}{value}{quote}" if quote != '"' else json.dumps(value, ensure_ascii=False)
    return cursor.lead + shown
