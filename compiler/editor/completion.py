"""Completion of the fields, values, kinds and names of resources that are valid at the cursor."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final, Literal

from ..admission.table import KINDS, checks_of
from ..diagnostics.named_tuple import NamedTuple
from ..generate.explain.schema_place import schema_place
from ..workspace.reference import DATA_FIELDS
from .cursor import cursor_at
from .subject import is_our_version, subject_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..diagnostics.span import Path
    from ..generate.explain.schema_place import SchemaPlace
    from ..workspace.resource import Resource
    from ..workspace.stated_reference import ReferenceField
    from ..workspace.workspace import Workspace
    from .cursor import Cursor
    from .outline import Extent
    from .subject import CursorSubject, FileContext

_OBJECT_KEYS: Final = ("apiVersion", "kind", "metadata", "spec")
_PLAIN: Final = re.compile(r"[A-Za-z][\w./-]*(?::[\w/.-]+)*")
_BOOLEANS: Final = frozenset(["y", "yes", "n", "no", "true", "false", "on", "off", "null"])
_MOST: Final = 500
"""Maximum number of items. Editors filter the list while the user types, and a later request returns the others."""


class Item(NamedTuple):
    """A completion item.

    Attributes:
        label: Text in the list of the editor.
        text: Text to insert in place of `extent`.
        extent: Offsets of the text to replace.
        detail: Type of the field, or origin of the name.
        about: Schema of the field or value, for its description.
        opens: Text that begins the line below a new key, such as ``- ``; ``None`` if the value stays on its line.
        rank: Position in the list; lower ranks come first.
    """

    label: str
    sort: Literal["field", "value", "name", "kind"]
    text: str
    extent: Extent
    detail: str = ""
    about: SchemaPlace | None = None
    opens: str | None = None
    rank: int = 0


def completions(text: str, offset: int, file_context: FileContext, workspace: Workspace | None = None) -> list[Item]:
    """Return the completion items at ``offset``.

    Documents of other programs only get the kinds and fields of a new object, and the Services that a route may name.

    Args:
        text: The whole file.
        offset: Position of the cursor.
        file_context: Facts about the file.
    """
    cursor = cursor_at(text, offset)
    if cursor is None:
        return []
    subject = subject_of(cursor.outline, cursor.path, file_context)
    if subject is None:
        return (
            list(_new_object_items(cursor, file_context))
            or list(_service_words(cursor, workspace, file_context.file))[:_MOST]
        )
    if cursor.wants == "key":
        return list(_fields(cursor, subject.at(cursor.path), subject))
    place = subject.at(cursor.path)
    if cursor.wants == "item" and place is not None and place.own_fields():
        return list(_fields(cursor, place, subject))
    items = list(_types(cursor, subject.prefix, file_context))
    items = items or list(_values(cursor, place, subject))
    return items or list(_names(cursor, subject, workspace, file_context.file))[:_MOST]


def _new_object_items(cursor: Cursor, file_context: FileContext) -> Iterator[Item]:
    """Yield the items for a new object: kinds, API versions and the fields at its root.

    Nothing is yielded for a document that has other fields at its root, or belongs to another API group.
    """
    top = {str(entry.path[0]) for entry in cursor.outline.entries if len(entry.path) == 1}
    if not top <= set(_OBJECT_KEYS) or not file_context.file.endswith((".yaml", ".yml")):
        return
    if not is_our_version(cursor.outline.scalar(("apiVersion",)), file_context.profile):
        return
    if cursor.wants == "value":
        yield from _types(cursor, (), file_context)
    elif cursor.wants == "key" and not cursor.path:
        place = schema_place(next(iter(KINDS)))  # the same fields in all kinds; only descriptions differ
        fields = place.own_fields() if place is not None else {}
        wanted = [name for name in _OBJECT_KEYS if name not in cursor.keys]
        for rank, name in enumerate(wanted):
            yield _field(cursor, name, fields[name], rank)._replace(about=None)


def _types(cursor: Cursor, prefix: Path, file_context: FileContext) -> Iterator[Item]:
    """Yield all kinds or API versions of the operator if the cursor is at the value of ``kind`` or ``apiVersion``.

    The stated kind does not limit the versions, nor the version the kinds, because either may be about to change.
    """
    if cursor.path == (*prefix, "kind"):
        release = file_context.profile.judging_release
        for rank, kind in enumerate(checks_of(file_context.profile).table.kinds):
            about = schema_place(kind, release)
            yield Item(kind, "kind", _value_text(kind, cursor), cursor.extent, about=about, rank=rank)
    elif cursor.path == (*prefix, "apiVersion"):
        for rank, version in enumerate(file_context.profile.api_versions()):
            yield Item(version, "value", _value_text(version, cursor), cursor.extent, rank=rank)


def _fields(cursor: Cursor, place: SchemaPlace | None, subject: CursorSubject) -> Iterator[Item]:
    fields = place.own_fields() if place is not None else {}
    for rank, (name, field) in enumerate(fields.items()):
        spelled_name = subject.profile.spell(name)
        if spelled_name not in cursor.keys and name not in cursor.keys:
            # Required fields come first: no object has 1,000 fields.
            yield _field(cursor, spelled_name, field, rank if field.is_required else rank + 1000)


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
    if "items" in field.schema:
        return "- "
    return "" if field.schema.get("type") == "object" else None


def _values(cursor: Cursor, place: SchemaPlace | None, subject: CursorSubject) -> Iterator[Item]:
    if place is None:
        return
    allowed: tuple[Any, ...] = place.allowed or ((True, False) if place.schema.get("type") == "boolean" else ())
    default = place.schema.get("default")
    for rank, value in enumerate(allowed):
        spelled = subject.profile.spell(value) if isinstance(value, str) else value
        label = spelled if isinstance(spelled, str) else json.dumps(spelled)
        detail = "default" if value == default and default is not None else ""
        yield Item(label, "value", _value_text(spelled, cursor), cursor.extent, detail, place, rank=rank)


def _names(cursor: Cursor, subject: CursorSubject, workspace: Workspace | None, file: str) -> Iterator[Item]:
    field = subject.reference(cursor.path)
    if field is None or workspace is None:
        return
    reference, is_key = field
    namespace = cursor.outline.scalar((*subject.prefix, "metadata", "namespace"))
    siblings = cursor.path[:-1]
    if is_key:
        name = cursor.outline.scalar((*siblings, reference.steps[-1]))
        for key in keys(workspace, reference.kind, namespace, name, file) if name else ():
            yield Item(key, "name", _value_text(key, cursor), cursor.extent, f"key of {reference.kind} {name}")
    elif _is_reference(cursor, siblings, reference):
        for candidate in candidates(workspace, reference.kind, namespace, file):
            yield Item(candidate.name, "name", _value_text(candidate.name, cursor), cursor.extent, candidate.where)


def _service_words(cursor: Cursor, workspace: Workspace | None, file: str) -> Iterator[Item]:
    if workspace is None or cursor.wants != "value":
        return
    from .route import service_words

    for word, detail in service_words(cursor.outline, cursor.path, workspace, file):
        yield Item(str(word), "name", _value_text(word, cursor), cursor.extent, detail)


def _is_reference(cursor: Cursor, siblings: Path, reference: ReferenceField) -> bool:
    return reference.when is None or cursor.outline.scalar((*siblings, reference.when[0])) == reference.when[1]


def _value_text(value: Any, cursor: Cursor) -> str:
    """Return the value as YAML or JSON, like the text around the cursor, with a space before it if one is missing."""
    if not isinstance(value, str):
        shown = json.dumps(value)
    elif cursor.style == "json":
        shown = json.dumps(value, ensure_ascii=False)
    else:
        typed = cursor.outline.text[cursor.extent[0] : cursor.extent[0] + 1]
        shown = written_name(value, typed)
    return cursor.lead + shown


def written_name(value: str, typed: str) -> str:
    """Return a string as a YAML scalar, with quotes only if it needs them or if the user typed one.

    Args:
        typed: First character of the text that the scalar replaces, which may be a quote; may be empty.
    """
    is_plain = _PLAIN.fullmatch(value) is not None and value.lower() not in _BOOLEANS
    quote = typed if typed in {'"', "'"} else "" if is_plain else '"'
    return f"{quote}{value}{quote}" if quote != '"' else json.dumps(value, ensure_ascii=False)


class Candidate(NamedTuple):
    """A name that a reference may use.

    Attributes:
        where: Origin of the name, as a phrase for the user.
    """

    name: str
    where: str


def candidates(workspace: Workspace, kind: str, namespace: str | None, file: str) -> list[Candidate]:
    """Return the names of declared and external resources that a reference to ``kind`` may use, sorted.

    If ``namespace`` is ``None``, names from all namespaces are included.
    """
    origins: dict[str, str] = {}
    for resource in workspace.around(file).of_kind(kind):
        if namespace is None or resource.namespace in (None, namespace):
            origins.setdefault(resource.name, f"{resource.kind} in namespace {resource.printed_namespace}")
    for name in workspace.context.external.get(kind, ()):
        if name != "*":
            origins.setdefault(name, "exists elsewhere")
    return [Candidate(name, where) for name, where in sorted(origins.items())]


def keys(workspace: Workspace, kind: str, namespace: str | None, name: str, file: str) -> list[str]:
    """Return the keys of a declared Secret or ConfigMap, sorted; empty if it is not declared."""
    resource = workspace.find(kind, namespace, name, file)
    return sorted(_keys_of(resource)) if resource is not None else []


def _keys_of(resource: Resource) -> set[str]:
    return {str(key) for field in DATA_FIELDS.get(resource.kind, ()) for key in resource.entries(field)}
