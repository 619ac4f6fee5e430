"""Faults that a later release of the operator does not have: they are no slips, and name the release instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnostics.finding import Note
from ..toolhive.release import NEWEST, releases_after
from .fault import Sort
from .table import table_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..diagnostics.span import Path
    from .fault import Violation
    from .table import Table


def release_without(fault: Violation, kind: str, path: Path, release: str) -> str | None:
    """Return the first release after ``release`` in which ``fault``, at ``path`` of a ``kind``, is none.

    ``None`` where it is a fault in all of them, or one that no release could take away.
    """
    if fault.sort is Sort.UNKNOWN:
        return release_of_field(kind, path, release)
    if fault.sort is Sort.MISSING:
        return _first(release, lambda table: _is_optional(table, kind, path, fault.detail))
    if fault.sort is Sort.ENUM:
        return _first(release, lambda table: _is_allowed(table, kind, path, fault.value))
    return None


def release_of_field(kind: str, path: Path, release: str) -> str | None:
    """Return the first release after ``release`` whose ``kind`` has the field at ``path``; ``None`` where none has."""
    return _first(release, lambda table: table.at(kind, path) is not None)


def release_of_kind(kind: str, release: str) -> str | None:
    """Return the first release after ``release`` that has a kind; ``None`` where none has."""
    return _first(release, lambda table: kind in table.kinds)


def later_fields(kind: str, path: Path) -> tuple[str, ...]:
    """Return the fields that the object at ``path`` of a ``kind`` has in the newest release."""
    table = table_of(NEWEST)
    shape = table.shape(table.at(kind, path))
    return tuple([name for name, _ in shape[2]]) if shape is not None and shape[0] == "object" else ()


def release_note(release: str) -> Note:
    """Return the note of a finding about what the operator takes from ``release`` on."""
    return Note(f"the operator takes it from release {release} on")


def _first(release: str, is_sound: Callable[[Table], bool]) -> str | None:
    """Return the first release after ``release`` whose table is sound; most questions end at the newest one."""
    if not is_sound(table_of(NEWEST)):
        return None
    return next((one for one in releases_after(release) if is_sound(table_of(one))), None)


def _is_optional(table: Table, kind: str, path: Path, field: str) -> bool:
    shape = table.shape(table.at(kind, path))
    return shape is not None and shape[0] == "object" and field not in shape[3]


def _is_allowed(table: Table, kind: str, path: Path, value: object) -> bool:
    shape = table.shape(table.at(kind, path))
    return shape is not None and shape[0] == "string" and value in shape[1]
