"""Recognize faults that a later release of the operator does not have. Their findings name that release.

If the project states no release, such a fault makes the newest release judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnostics.finding import Note
from ..toolhive.profile import profile_of_release
from ..toolhive.release import NEWEST, releases_after
from .fault import Sort, Violation
from .table import checks_of, table_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..diagnostics.span import Path, Span
    from ..reading.document import Document
    from ..toolhive.profile import Profile
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


def place_of_newer(document: Document, profile: Profile) -> Span | None:
    """Return the span of the first fault that the newest release does not report, or ``None``.

    The fault is a version, kind, field or value that the profile's release lacks, or a missing field that only this
    release requires.
    """
    data = document.data
    if profile.is_later(data):
        return document.span(("apiVersion",))
    kind, api_version = data.get("kind"), data.get("apiVersion")
    judging, newest = checks_of(profile), checks_of(profile_of_release(profile, NEWEST))
    if not (isinstance(kind, str) and isinstance(api_version, str)) or (
        kind not in newest.table.kinds or api_version not in newest.versions
    ):
        return None
    if kind not in judging.table.kinds:
        return document.span(("kind",))
    refused: list[Violation] = []
    judging.checks.check(judging.table.kinds[kind])(data, refused)
    later_faults: list[Violation] = []
    newest.checks.check(newest.table.kinds[kind])(data, later_faults)
    remaining = set(map(_fault_key, later_faults))
    accepted = next((fault for fault in refused if _fault_key(fault) not in remaining), None)
    return None if accepted is None else document.span(tuple(reversed(accepted.path)) or ("kind",))


def _fault_key(fault: Violation) -> tuple[Sort, Path, str]:
    """Return a key that identifies a fault in several releases, although their messages may differ."""
    return fault.sort, tuple(fault.path), fault.detail if fault.sort is Sort.MISSING else ""


def release_of_field(kind: str, path: Path, release: str) -> str | None:
    """Return the first release after ``release`` whose ``kind`` has the field at ``path``, or ``None``."""
    return _first(release, lambda table: table.at(kind, path) is not None)


def release_of_kind(kind: str, release: str) -> str | None:
    """Return the first release after ``release`` that has the kind, or ``None``."""
    return _first(release, lambda table: kind in table.kinds)


def later_fields(kind: str, path: Path) -> tuple[str, ...]:
    """Return the fields of the object at ``path`` in the newest release; empty if the release has no such object."""
    table = table_of(NEWEST)
    shape = table.shape(table.at(kind, path))
    return tuple([name for name, _ in shape[2]]) if shape is not None and shape[0] == "object" else ()


def release_note(release: str) -> Note:
    """Return the note that the operator accepts the refused value or field from ``release`` on."""
    return Note(f"the operator takes it from release {release} on")


def _first(release: str, is_sound: Callable[[Table], bool]) -> str | None:
    """Return the first release after ``release`` whose table passes the test, or ``None``.

    The newest release is tested first, because most faults exist in every release.
    """
    if not is_sound(table_of(NEWEST)):
        return None
    return next((later_release for later_release in releases_after(release) if is_sound(table_of(later_release))), None)


def _is_optional(table: Table, kind: str, path: Path, field: str) -> bool:
    shape = table.shape(table.at(kind, path))
    return shape is not None and shape[0] == "object" and field not in shape[3]


def _is_allowed(table: Table, kind: str, path: Path, value: object) -> bool:
    shape = table.shape(table.at(kind, path))
    return shape is not None and shape[0] == "string" and value in shape[1]
