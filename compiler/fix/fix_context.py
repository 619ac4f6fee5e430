"""The context of a fix: the finding, its object, and the schema of the object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..admission.table import checks_of
from ..admission.violation import Sort
from ..diagnostics.named_tuple import NamedTuple
from .edit import Change, Edit, FileFix

if TYPE_CHECKING:
    from ..admission.table import Table
    from ..admission.violation import Violation
    from ..diagnostics.finding import Finding
    from ..diagnostics.span import Path
    from ..toolhive.profile import Profile
    from .source_buffer import SourceBuffer

_HARMLESS = (Sort.PLACEHOLDER, Sort.RENAMED, Sort.WIDTH)


class FixContext(NamedTuple):
    """A finding, and the data that a fix of it needs.

    Attributes:
        page: The text and the document.
        prefix: Path of the object in the document: empty, or below ``items`` in a List.
    """

    page: SourceBuffer
    finding: Finding
    kind: str
    prefix: Path
    profile: Profile

    @property
    def path(self) -> Path:
        """The path of the finding from the root of the document."""
        return self.finding.path or ()

    @property
    def inner(self) -> Path:
        """The path of the finding from the root of the object."""
        return self.path[len(self.prefix) :]

    @property
    def table(self) -> Table:
        """The admission table of the release."""
        return checks_of(self.profile).table

    @property
    def release(self) -> str:
        """The judging release of the object."""
        return self.profile.judging_release

    def shape(self, inner: Path) -> int | None:
        """Return the index of a field's schema in the admission table, or ``None`` if the object has no such field."""
        return self.table.at(self.kind, inner)

    def faults(self, position: int, value: Any) -> list[Violation]:
        """Return the violations if ``value`` had the schema at index ``position`` of the admission table."""
        violations: list[Violation] = []
        checks_of(self.profile).checks.check(position)(value, violations)
        return [fault for fault in violations if fault.sort not in _HARMLESS]

    def fields(self, inner: Path) -> tuple[str, ...]:
        """Return the names of the fields that the object at ``inner`` may have; empty if ``inner`` is not an object."""
        position = self.shape(inner)
        shape = self.table.shapes[position] if position is not None else ("any",)
        return tuple(key for key, _ in shape[2]) if shape[0] == "object" else ()

    def fix(self, title: str, edits: tuple[Edit, ...], *changes: Change, is_safe: bool = True) -> FileFix:
        """Return a fix of this document, unsafe for a warning about a release that may accept the value."""
        is_certain = self.profile.is_modelled or self.finding.severity == "error"
        return FileFix(title, edits, changes, self.page.document.index, is_safe and is_certain)
