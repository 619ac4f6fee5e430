"""What a document, or a part of it, is about: which kind or file format decides what may stand there."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from ..admission.table import checks_of
from ..explain.schema_place import OTHER_NAMES, schema_place
from ..project.discovery import SETTINGS_FILE
from ..toolhive.profile import LATER_VERSION, TOOLHIVE, Profile
from ..workspace.stated_reference import reference_fields

if TYPE_CHECKING:
    from ..diagnostics.span import Path
    from ..explain.schema_place import SchemaPlace
    from ..project.input_kind import InputKind
    from ..workspace.stated_reference import ReferenceField
    from .outline import Outline


class Around(NamedTuple):
    """What is known of a file beside its text.

    Attributes:
        file: Its name.
        profile: The names that the operator goes by.
        record: What its records were last read as.
        root: The folder of its project.
    """

    file: str
    profile: Profile = TOOLHIVE
    record: InputKind | None = None
    root: str | None = None


class Subject(NamedTuple):
    """What a part of a document is about.

    Attributes:
        place: What its schema holds for it as a whole.
        kind: The Kubernetes kind, where it is an object.
        prefix: Where in the document it begins: ``("items", N)`` in a ``kind: List``.
        profile: The names that hold in it.
    """

    place: SchemaPlace
    kind: str | None
    prefix: Path
    profile: Profile

    def at(self, path: Path) -> SchemaPlace | None:
        """Return what stands at ``path`` of the document; ``None`` where that is outside, or no schema knows it."""
        if path[: len(self.prefix)] != self.prefix:
            return None
        return self.place.at(path[len(self.prefix) :], self.profile)

    def reference(self, path: Path) -> tuple[ReferenceField, bool] | None:
        """Return the reference whose name, or (then true) whose key stands at ``path``."""
        own = path[len(self.prefix) :]
        for one in reference_fields(self.kind) if self.kind is not None else ():
            if _fits(own, one.steps):
                return one, False
            if one.key is not None and _fits(own, (*one.steps[:-1], one.key)):
                return one, True
        return None


def subject_of(outline: Outline, path: Path, around: Around) -> Subject | None:
    """Return what the part of a document is about that ``path`` leads into; ``None`` where it is none of ours."""
    prefix: Path = ()
    while is_list(outline, prefix) and path[len(prefix) : len(prefix) + 1] == ("items",):
        prefix = path[: len(prefix) + 2]
    kind, version = types_of(outline, prefix)
    if kind in checks_of(around.profile).table.kinds and is_our_version(version, around.profile):
        place = schema_place(str(kind), around.profile.judging_release)
        return None if place is None else Subject(place, kind, prefix, around.profile)
    if os.path.basename(around.file) == SETTINGS_FILE:
        return _of_format(SETTINGS_FILE.partition(".")[0])
    if around.record is None or outline.scalar(("apiVersion",)) is not None:
        return None
    name = around.record.name
    if name == "registry" and outline.entry(("data",)) is None:
        name = "registry-legacy"
    return _of_format(OTHER_NAMES.get(name, name))


def is_list(outline: Outline, prefix: Path) -> bool:
    """Return whether the object at ``prefix`` is a list of others: a ``List``, or one of objects of a kind."""
    return (outline.scalar((*prefix, "kind")) or "").endswith("List")


def types_of(outline: Outline, prefix: Path) -> tuple[str | None, str | None]:
    """Return kind and apiVersion of an object; an element that states neither has those of its list."""
    kind, version = outline.scalar((*prefix, "kind")), outline.scalar((*prefix, "apiVersion"))
    if kind or version or prefix[-2:-1] != ("items",):
        return kind, version
    above = prefix[:-2]
    return (outline.scalar((*above, "kind")) or "").removesuffix("List"), outline.scalar((*above, "apiVersion"))


def is_our_version(version: str | None, profile: Profile) -> bool:
    """Return whether an object of this ``apiVersion`` may be one of ours; one that states none may."""
    return not version or profile.serves(version) or version == f"{profile.api_group}/{LATER_VERSION}"


def _of_format(name: str) -> Subject | None:
    place = schema_place(name)
    return None if place is None else Subject(place, None, (), TOOLHIVE)


def _fits(path: Path, steps: tuple[str, ...]) -> bool:
    return len(path) == len(steps) and all(step in ("*", own) for step, own in zip(steps, path, strict=True))
