"""Find the schema that applies to a path of a document: that of a Kubernetes kind or of a file format."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ..admission.table import checks_of
from ..diagnostics.named_tuple import NamedTuple
from ..generate.explain.schema_place import OTHER_NAMES, schema_place
from ..project.discovery import SETTINGS_FILE
from ..toolhive.profile import LATER_VERSION, TOOLHIVE, Profile
from ..workspace.stated_reference import reference_fields

if TYPE_CHECKING:
    from ..diagnostics.span import Path
    from ..generate.explain.schema_place import SchemaPlace
    from ..project.input_kind import InputKind
    from ..workspace.stated_reference import ReferenceField
    from .outline import Outline


class FileContext(NamedTuple):
    """What is known about a file besides its text.

    Attributes:
        record: Kind of the file's records at the last check; ``None`` for other files.
        root: Folder of the project, to show relative paths; ``None`` to show file names only.
    """

    file: str
    profile: Profile = TOOLHIVE
    record: InputKind | None = None
    root: str | None = None


class CursorSubject(NamedTuple):
    """The object or record that contains the cursor.

    Attributes:
        kind: Kubernetes kind; ``None`` for a record or a configuration file.
        prefix: Path of the object in the document, such as ``("items", N)`` in a ``kind: List``.
    """

    place: SchemaPlace
    kind: str | None
    prefix: Path
    profile: Profile

    def at(self, path: Path) -> SchemaPlace | None:
        """Return the schema at ``path`` of the document, or ``None`` if the object or its schema lacks the path."""
        if path[: len(self.prefix)] != self.prefix:
            return None
        return self.place.at(path[len(self.prefix) :], self.profile)

    def reference(self, path: Path) -> tuple[ReferenceField, bool] | None:
        """Return the reference at ``path`` and whether ``path`` is its key field, or ``None`` without a reference."""
        inner = path[len(self.prefix) :]
        for field in reference_fields(self.kind) if self.kind is not None else ():
            if _fits(inner, field.steps):
                return field, False
            if field.key is not None and _fits(inner, (*field.steps[:-1], field.key)):
                return field, True
        return None


def subject_of(outline: Outline, path: Path, file_context: FileContext) -> CursorSubject | None:
    """Return the object, record or configuration that contains ``path``; ``None`` for another program's document."""
    prefix: Path = ()
    while is_list(outline, prefix) and path[len(prefix) : len(prefix) + 1] == ("items",):
        prefix = path[: len(prefix) + 2]
    kind, version = types_of(outline, prefix)
    if kind in checks_of(file_context.profile).table.kinds and is_our_version(version, file_context.profile):
        place = schema_place(str(kind), file_context.profile.judging_release)
        return None if place is None else CursorSubject(place, kind, prefix, file_context.profile)
    if os.path.basename(file_context.file) == SETTINGS_FILE:
        return _format_subject(SETTINGS_FILE.partition(".")[0])
    if file_context.record is None or outline.scalar(("apiVersion",)) is not None:
        return None
    name = file_context.record.name
    if name == "registry" and outline.entry(("data",)) is None:
        name = "registry-legacy"
    return _format_subject(OTHER_NAMES.get(name, name))


def is_list(outline: Outline, prefix: Path) -> bool:
    """Return whether the object at ``prefix`` is a ``List`` or a typed list such as ``MCPServerList``."""
    return (outline.scalar((*prefix, "kind")) or "").endswith("List")


def types_of(outline: Outline, prefix: Path) -> tuple[str | None, str | None]:
    """Return the kind and the ``apiVersion`` of an object. An item of a List inherits those that it does not state."""
    kind, version = outline.scalar((*prefix, "kind")), outline.scalar((*prefix, "apiVersion"))
    if kind or version or prefix[-2:-1] != ("items",):
        return kind, version
    above = prefix[:-2]
    return (outline.scalar((*above, "kind")) or "").removesuffix("List"), outline.scalar((*above, "apiVersion"))


def is_our_version(version: str | None, profile: Profile) -> bool:
    """Return whether the ``apiVersion`` is missing or belongs to the operator."""
    return not version or profile.serves(version) or version == f"{profile.api_group}/{LATER_VERSION}"


def _format_subject(name: str) -> CursorSubject | None:
    place = schema_place(name)
    return None if place is None else CursorSubject(place, None, (), TOOLHIVE)


def _fits(path: Path, steps: tuple[str, ...]) -> bool:
    return len(path) == len(steps) and all(step in ("*", part) for step, part in zip(steps, path, strict=True))
