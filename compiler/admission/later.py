"""Recognize faults that a later release of the operator does not have. Their findings name that release."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnostics.finding import Note
from ..toolhive.release import NEWEST_KNOWN, releases_after
from .table import table_of
from .violation import Sort, Violation

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..diagnostics.span import Path
    from .table import Table


def release_without(fault: Violation, kind: str, path: Path, release: str) -> str | None:
    """Return the first release after ``release`` that does not report ``fault`` in the document.

    ``None`` means that every later release reports the fault, or that the sort of fault does not depend on the release.

    Args:
        fault: An unknown field, a missing field or a value that is not allowed.
        path: The path of the fault, outermost step first.
    """
    if fault.sort is Sort.UNKNOWN:
        return release_of_field(kind, path, release)
    if fault.sort is Sort.MISSING:
        return _first(release, lambda table: _is_optional(table, kind, path, fault.detail))
    if fault.sort is Sort.ENUM:
        return _first(release, lambda table: _is_allowed(table, kind, path, fault.value))
    return None


def release_of_field(kind: str, path: Path, release: str) -> str | None:
    """Return the first release after ``release`` whose ``kind`` has the field at ``path``, or ``None``."""
    return _first(release, lambda table: table.at(kind, path) is not None)


def release_of_kind(kind: str, release: str) -> str | None:
    """Return the first release after ``release`` that has the kind, or ``None``."""
    return _first(release, lambda table: kind in table.kinds)


def later_fields(kind: str, path: Path) -> tuple[str, ...]:
    """Return the fields of the object at ``path`` in the newest known release; empty if it has no such object."""
    table = table_of(NEWEST_KNOWN)
    shape = table.shape(table.at(kind, path))
    return tuple([name for name, _ in shape[2]]) if shape is not None and shape[0] == "object" else ()


def release_note(release: str) -> Note:
    """Return the note that the operator accepts the refused value or field from ``release`` on."""
    return Note(f"the operator takes it from release {release} on")


def _first(release: str, is_sound: Callable[[Table], bool]) -> str | None:
    """Return the first release after ``release`` whose table passes the test, or ``None``.

    The newest known release is tested first, because most faults exist in every release.
    """
    if not is_sound(table_of(NEWEST_KNOWN)):
        return None
    return next((later_release for later_release in releases_after(release) if is_sound(table_of(later_release))), None)


def _is_optional(table: Table, kind: str, path: Path, field: str) -> bool:
    shape = table.shape(table.at(kind, path))
    return shape is not None and shape[0] == "object" and field not in shape[3]


def _is_allowed(table: Table, kind: str, path: Path, value: object) -> bool:
    shape = table.shape(table.at(kind, path))
    return shape is not None and shape[0] == "string" and value in shape[1]
