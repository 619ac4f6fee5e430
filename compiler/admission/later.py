"""Faults that a later release of the operator does not have: they are no slips, and name the release instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnostics.finding import Note
from ..models import later
from .fault import Sort

if TYPE_CHECKING:
    from ..diagnostics.span import Path
    from .fault import Violation


def release_without(fault: Violation, kind: str, path: Path) -> str | None:
    """Return the release from which on ``fault``, at ``path`` of a ``kind``, is none; ``None`` where there is none."""
    if fault.sort is Sort.UNKNOWN:
        return release_of_field(kind, path)
    if fault.sort is Sort.MISSING:
        return later.release_of(later.OPTIONAL, kind, path, fault.detail)
    if fault.sort is Sort.ENUM and isinstance(fault.value, str):
        return later.release_of(later.VALUES, kind, path, fault.value)
    return None


def release_of_field(kind: str, path: Path) -> str | None:
    """Return the release from which on a ``kind`` has the field at ``path``; ``None`` where it is no later one."""
    return later.release_of(later.FIELDS, kind, path[:-1], str(path[-1]))


def release_note(release: str) -> Note:
    """Return the note of a finding about what the operator takes from ``release`` on."""
    return Note(f"the operator takes it from release {release} on")
