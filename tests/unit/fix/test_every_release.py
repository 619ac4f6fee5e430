"""A field that any modelled release has is never turned into another one, whichever release judges the document."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from mcpcfg.compiler.admission.table import Table, table_of
from mcpcfg.compiler.fix.fix import fix_file
from mcpcfg.compiler.project.discovery import Project
from mcpcfg.compiler.project.settings import ProjectSettings
from mcpcfg.compiler.toolhive.profile import TOOLHIVE, profile_of_release
from mcpcfg.compiler.toolhive.release import RELEASES

if TYPE_CHECKING:
    from collections.abc import Iterator

TABLES = {release: table_of(release) for release in RELEASES}
ENTRY = "*"
Place = tuple[str, tuple[str, ...]]
"""A kind, and the path of a field; ``*`` for the entries of lists and mappings."""


def _fields(table: Table, position: int, path: tuple[str, ...], above: tuple[int, ...]) -> Iterator[tuple[str, ...]]:
    shape = table.shape(position)
    if shape is None or position in above:
        return
    if shape[0] == "object":
        for key, below in shape[2]:
            yield (*path, key)
            yield from _fields(table, below, (*path, key), (*above, position))
    elif shape[0] in ("list", "map"):
        yield from _fields(table, shape[1], (*path, ENTRY), (*above, position))


def _places(table: Table) -> set[Place]:
    return {
        (kind, path)
        for kind, position in table.kinds.items()
        for path in _fields(table, position, (), ())
        if path[0] in ("spec", "status")
    }


OF_RELEASE = {release: _places(table) for release, table in TABLES.items()}
CASES = sorted(
    (kind, path, release)
    for kind, path in set().union(*OF_RELEASE.values())
    for number, release in enumerate(RELEASES)
    if kind in TABLES[release].kinds
    and (kind, path) not in OF_RELEASE[release]
    # A release beside one that has the field, and the oldest and the newest without it.
    and (
        number in (0, len(RELEASES) - 1)
        or (kind, path) in OF_RELEASE[RELEASES[number - 1]] | OF_RELEASE[RELEASES[number + 1]]
    )
)
"""Each field with releases that lack it."""


SAMPLES = {"integer": 1, "number": 1.5, "boolean": True, "object": {}, "map": {}, "list": [], "any": {}}
"""A value for each shape; all others take a text."""


def _document(kind: str, path: tuple[str, ...]) -> tuple[dict[str, Any], list[Any]]:
    """Return a document with a field that has a value of its type, and the way to it."""
    data: dict[str, Any] = {"apiVersion": "toolhive.stacklok.dev/v1beta1", "kind": kind, "metadata": {"name": "a"}}
    way: list[Any] = []
    place: Any = data
    for number, step in enumerate(path):
        sort = _sort(kind, path[: number + 1])
        value = [] if sort == "list" else copy(SAMPLES.get(sort, "text"))
        if isinstance(place, list):
            place.append(value)
            way.append(0)
        else:
            place[step] = value
            way.append(step)
        place = value
    return data, way


def _sort(kind: str, path: tuple[str, ...]) -> str:
    """Return what a field is in the first release that has it."""
    tables = (TABLES[release] for release in RELEASES if kind in TABLES[release].kinds)
    return str(next(shape for one in tables if (shape := one.shape(one.at(kind, path))) is not None)[0])


def _holds(data: Any, way: list[Any]) -> bool:
    for step in way:
        if not (step in data if isinstance(data, dict) else isinstance(data, list) and step < len(data)):
            return False
        data = data[step]
    return True


@pytest.mark.parametrize("release", sorted({release for _, _, release in CASES}))
def test_a_field_of_any_release_stays_where_it_is(release: str) -> None:
    settings = ProjectSettings(profile=profile_of_release(TOOLHIVE, release))
    project = Project((), None, complete=True, settings=settings, root=".")
    turned = []
    for kind, path, judging in CASES:
        if judging == release:
            data, way = _document(kind, path)
            after = fix_file(yaml.safe_dump(data).encode(), "a.yaml", project, unsafe=True).text
            if not _holds(yaml.safe_load(after), way):
                turned.append((kind, ".".join(path)))
    assert turned == []


def test_many_fields_are_tried() -> None:
    assert len(CASES) > 500
